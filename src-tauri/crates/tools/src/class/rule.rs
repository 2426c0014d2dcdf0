//! How one command of the tables is judged: by its options, then by its operands.
//!
//! Options are read the careful way. A dangerous one counts wherever it stands and however it is
//! shortened; a harmless one counts only under its full name. A word that looks like an option is
//! judged as one, even where it may be the value of the option before it, and `--` ends nothing
//! there. So a misread word can make a command unknown, but not safe.

use super::{
    Act, CommandEffect, Family,
    lex::{Glob, Word},
};

/// What is known of some commands that behave alike.
pub(super) struct Rule {
    /// The commands: a name, or a name and the word that follows it.
    pub(super) names: &'static [&'static str],
    pub(super) family: Family,
    /// What they do by themselves.
    pub(super) act: Act,
    pub(super) options: Options,
    pub(super) operands: Operands,
}

/// How the options of a command are read.
pub(super) enum Options {
    /// None of any implementation does more than the command itself. Patterns may stand
    /// anywhere: a file that is named like an option does no harm.
    Any,
    /// As getopt reads them: letters in one word, long names after two dashes. A pattern that
    /// could become an option must follow `--`.
    Letters(Known),
    /// Whole words after one dash, as `find` has them. There is no `--` that ends them.
    Words(Known),
}

/// The options of a command that are understood.
pub(super) struct Known {
    /// Letters without effect. One colon: the value is the rest of the word, or else the next
    /// word. Two colons: the rest of the word only.
    pub(super) letters: &'static str,
    /// Names without effect, several in a text. `=`: the value may be the next word.
    pub(super) names: &'static [&'static str],
    /// Letters and names that do something.
    pub(super) acts: &'static [(&'static str, Act)],
    /// What any other option makes of the command.
    pub(super) otherwise: Act,
}

/// What the operands of a command mean.
pub(super) enum Operands {
    /// They say what is read, or written, and nothing else.
    Any,
    /// One more does something else. No patterns, since their number counts.
    AtMost(usize, Act),
    /// They are judged together with the options.
    Judged(fn(&Seen<'_>) -> Act),
}

/// The words of a command, sorted.
#[derive(Default)]
pub(super) struct Seen<'a> {
    /// The options without effect, by the tables' names.
    pub(super) options: Vec<&'static str>,
    /// The values of options, in their order.
    pub(super) values: Vec<&'a str>,
    pub(super) operands: Vec<&'a Word>,
    acts: Vec<Act>,
}

impl Seen<'_> {
    /// Returns whether one of these options was given.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.options.iter().any(|seen| options.contains(seen))
    }
}

impl Rule {
    /// Says what the command does with these words after its name.
    pub(super) fn effect(&self, words: &[Word]) -> CommandEffect {
        let (acts, operands) = match self.seen(words) {
            Err(act) => (vec![act], Act::Reads),
            Ok(seen) => {
                let operands = match self.operands {
                    Operands::Any => Act::Reads,
                    Operands::AtMost(most, _) if seen.operands.len() <= most => Act::Reads,
                    Operands::AtMost(_, act) => act,
                    Operands::Judged(judge) => judge(&seen),
                };
                (seen.acts, operands)
            }
        };
        acts.into_iter()
            .chain([operands])
            .map(|act| act.effect(self.family))
            .fold(self.act.effect(self.family), CommandEffect::join)
    }

    fn seen<'a>(&self, words: &'a [Word]) -> Result<Seen<'a>, Act> {
        let mut seen = Seen::default();
        let (known, letters) = match &self.options {
            Options::Any => {
                seen.operands = words.iter().collect();
                return self.counted(seen);
            }
            Options::Letters(known) => (known, true),
            Options::Words(known) => (known, false),
        };
        let mut ended = false;
        let mut after_option = false;
        let mut rest = words.iter().peekable();
        while let Some(word) = rest.next() {
            let option = !ended && word.text.len() > 1 && word.text.starts_with('-');
            if word.glob != Glob::No && !ended && (option || word.glob == Glob::Leading) {
                return Err(Act::Expands);
            }
            if !option {
                seen.operands.push(word);
            } else if letters && word.text == "--" {
                ended = !after_option;
                if after_option && self.counts() {
                    return Err(Act::Unclear);
                }
            } else if self.counts() && !seen.operands.is_empty() {
                // GNU takes it for an option, others for an operand.
                if self.family != Family::Git {
                    return Err(Act::Unclear);
                }
                // So do git's subcommands, each its way: it counts as both, and proves nothing.
                let mut late = Seen::default();
                known.read(&word.text, letters, &mut late);
                seen.acts.append(&mut late.acts);
                seen.operands.push(word);
            } else if known.read(&word.text, letters, &mut seen) {
                if let Some(value) = rest.next_if(|next| is_value(next, letters)) {
                    seen.values.push(&value.text);
                    after_option = false;
                    continue;
                }
                if self.counts() {
                    return Err(Act::Unclear);
                }
            }
            after_option = option && !word.text.contains('=');
        }
        self.counted(seen)
    }

    /// Whether the number or the kind of the operands says what the command does.
    fn counts(&self) -> bool {
        !matches!(self.operands, Operands::Any)
    }

    fn counted<'a>(&self, seen: Seen<'a>) -> Result<Seen<'a>, Act> {
        let pattern = seen.operands.iter().any(|word| word.glob != Glob::No);
        match self.operands {
            Operands::AtMost(..) if pattern => Err(Act::Expands),
            Operands::AtMost(..) | Operands::Any | Operands::Judged(_) => Ok(seen),
        }
    }
}

impl Known {
    /// Reads one option word. Returns whether its value is the next word.
    fn read<'a>(&self, word: &'a str, letters: bool, seen: &mut Seen<'a>) -> bool {
        match word.strip_prefix("--") {
            Some(long) if letters => self.read_long(long, seen),
            _ if letters => self.read_letters(&word[1..], seen),
            _ => self.read_word(&word[1..], seen),
        }
    }

    fn read_long<'a>(&self, word: &'a str, seen: &mut Seen<'a>) -> bool {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        if !self.does(name)
            && let Some((option, takes_next)) = self.name(name)
        {
            seen.options.push(option);
            seen.values.extend(value);
            return takes_next && value.is_none();
        }
        let shortened = |act: &&(&str, Act)| act.0.len() > 1 && act.0.starts_with(name);
        let before = seen.acts.len();
        seen.acts.extend(self.acts.iter().filter(shortened).map(|(_, act)| *act));
        if seen.acts.len() == before {
            seen.acts.push(self.otherwise);
        }
        false
    }

    fn read_word(&self, name: &str, seen: &mut Seen<'_>) -> bool {
        if let Some((_, act)) = self.acts.iter().find(|(option, _)| *option == name) {
            seen.acts.push(*act);
            return false;
        }
        let Some((option, takes_next)) = self.name(name) else {
            seen.acts.push(self.otherwise);
            return false;
        };
        seen.options.push(option);
        takes_next
    }

    fn read_letters<'a>(&self, word: &'a str, seen: &mut Seen<'a>) -> bool {
        for (at, letter) in word.char_indices() {
            let rest = &word[at + letter.len_utf8()..];
            if let Some((_, act)) = self.acts.iter().find(|(it, _)| it.chars().eq([letter])) {
                seen.acts.push(*act);
                return false;
            }
            let Some(found) = self.letters.find(letter).filter(|_| letter != ':') else {
                seen.acts.push(self.otherwise);
                return false;
            };
            let (option, colons) = self.letters[found..].split_at(letter.len_utf8());
            seen.options.push(option);
            if colons.starts_with(':') {
                if !rest.is_empty() {
                    seen.values.push(rest);
                }
                return rest.is_empty() && !colons.starts_with("::");
            }
        }
        false
    }

    fn does(&self, name: &str) -> bool {
        self.acts.iter().any(|(option, _)| option.len() > 1 && *option == name)
    }

    fn name(&self, name: &str) -> Option<(&'static str, bool)> {
        let mut all = self.names.iter().flat_map(|text| text.split_whitespace());
        let option = all.find(|option| option.trim_end_matches('=') == name)?;
        Some((option.trim_end_matches('='), option.ends_with('=')))
    }
}

/// A word that may be the value of the option before it. `find` writes numbers as `-7`.
fn is_value(word: &Word, letters: bool) -> bool {
    let number = word.text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    word.glob == Glob::No && (!word.text.starts_with('-') || (!letters && number))
}
