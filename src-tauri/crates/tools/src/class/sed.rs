//! Reads the scripts of `sed`: printing and editing the output is harmless, `w` and `e` are not.

use super::{
    Act,
    lex::{Glob, Word},
    rule::Seen,
};

const CLASSES: [&str; 8] = [
    "[:space:]",
    "[:blank:]",
    "[:alpha:]",
    "[:digit:]",
    "[:alnum:]",
    "[:upper:]",
    "[:lower:]",
    "[:punct:]",
];

/// Judges a call of `sed` by its scripts. What is not understood is not known.
pub(super) fn sed(seen: &Seen<'_>) -> Act {
    let scripts = match (seen.values.is_empty(), seen.operands.first()) {
        (false, _) => seen.values.clone(),
        (true, Some(Word { text, glob: Glob::No })) => vec![text.as_str()],
        (true, Some(_)) => return Act::Expands,
        (true, None) => return Act::Unclear,
    };
    scripts.into_iter().find_map(|script| Script(script).commands().err()).unwrap_or(Act::Reads)
}

/// What is left of a script.
struct Script<'a>(&'a str);

impl<'a> Script<'a> {
    fn commands(mut self) -> Result<(), Act> {
        let mut depth = 0_u32;
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | '\n' | ';'));
            if self.0.is_empty() {
                return if depth == 0 { Ok(()) } else { Err(Act::Unclear) };
            }
            if self.take('}') {
                depth = depth.checked_sub(1).ok_or(Act::Unclear)?;
                continue;
            }
            self.addresses()?;
            if self.take('{') {
                depth += 1;
                continue;
            }
            self.command()?;
            self.skip(|c| matches!(c, ' ' | '\t'));
            if !self.0.is_empty() && !self.0.starts_with([';', '\n', '}']) {
                return Err(Act::Unclear);
            }
        }
    }

    fn command(&mut self) -> Result<(), Act> {
        match self.bump()? {
            'p' | 'P' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'x' | 'n' | 'N' | '=' => {}
            'q' | 'Q' => self.skip(|c| c.is_ascii_digit()),
            's' => {
                let delimiter = self.bump()?;
                self.pattern(delimiter)?;
                self.until(delimiter)?;
                self.flags()?;
            }
            'y' => {
                let delimiter = self.bump()?;
                self.until(delimiter)?;
                self.until(delimiter)?;
            }
            'w' | 'W' => return Err(Act::Content),
            'e' => return Err(Act::RunsCode),
            _ => return Err(Act::Unclear),
        }
        Ok(())
    }

    fn flags(&mut self) -> Result<(), Act> {
        self.skip(|c| c.is_ascii_digit() || "gpiIMm".contains(c));
        match self.0.chars().next() {
            Some('w') => Err(Act::Content),
            Some('e') => Err(Act::RunsCode),
            _ => Ok(()),
        }
    }

    fn addresses(&mut self) -> Result<(), Act> {
        self.address()?;
        if self.take(',') {
            self.skip(|c| c == ' ');
            self.address()?;
        }
        self.skip(|c| matches!(c, ' ' | '\t' | '!'));
        Ok(())
    }

    fn address(&mut self) -> Result<(), Act> {
        if self.take('/') {
            self.pattern('/')?;
            self.skip(|c| matches!(c, 'I' | 'M'));
        } else if !self.take('$') {
            self.skip(|c| c.is_ascii_digit() || matches!(c, '~' | '+'));
        }
        self.skip(|c| c == ' ');
        Ok(())
    }

    /// Takes a pattern. Implementations disagree whether a delimiter between brackets ends it,
    /// so every bracket must be closed before it ends, and plainly.
    fn pattern(&mut self, delimiter: char) -> Result<(), Act> {
        let text = self.until(delimiter)?;
        let plain = CLASSES.iter().fold(text.to_owned(), |text, class| text.replace(class, "x"));
        let mut rest = plain.as_str();
        while let Some(at) = rest.find(['\\', '[']) {
            let mut tail = rest[at..].chars();
            if tail.next() == Some('\\') {
                tail.next();
                rest = tail.as_str();
                continue;
            }
            let (set, after) = tail.as_str().split_once(']').ok_or(Act::Unclear)?;
            let members = set.strip_prefix('^').unwrap_or(set);
            if members.is_empty() || members.contains(['[', '\\']) {
                return Err(Act::Unclear);
            }
            rest = after;
        }
        Ok(())
    }

    /// Takes the text before the next delimiter that no backslash escapes.
    fn until(&mut self, delimiter: char) -> Result<&'a str, Act> {
        if delimiter.is_ascii_alphanumeric() || matches!(delimiter, '\\' | '\n' | ' ') {
            return Err(Act::Unclear);
        }
        let mut escaped = false;
        for (at, c) in self.0.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => return Err(Act::Unclear),
                _ if c == delimiter => {
                    let text = &self.0[..at];
                    self.0 = &self.0[at + c.len_utf8()..];
                    return Ok(text);
                }
                _ => {}
            }
        }
        Err(Act::Unclear)
    }

    fn skip(&mut self, these: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(these);
    }

    fn take(&mut self, c: char) -> bool {
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn bump(&mut self) -> Result<char, Act> {
        let next = self.0.chars().next().ok_or(Act::Unclear)?;
        self.0 = &self.0[next.len_utf8()..];
        Ok(next)
    }
}
