//! Reads a command line by hand: words without expansions, redirections, separators.
//!
//! It accepts only what bash takes literally, so that a word here is the very argument that the
//! command gets. Everything else is an error with its reason.

use super::Reason;

/// A word as the command receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) glob: Glob,
}

/// Whether a word stands for file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glob {
    No,
    /// The names it becomes begin with the letters before the pattern.
    Inside,
    /// It can become any name, one like an option too.
    Leading,
}

/// How a redirection opens its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redirect {
    /// `<`
    Read,
    /// `>` and `>>`
    Write,
    /// `>|`, `&>` and `&>>`
    WriteOther,
    /// `>&`
    Duplicate,
}

/// A piece of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// The target is the next word.
    Redirect(Redirect),
    /// `&&`, `||`, `|`, `|&` or `;`.
    Separator,
}

/// Commands up to a new line that ends the last of them.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) source: String,
    pub(super) tokens: Vec<Token>,
}

/// Splits a command line into its lines, and these into tokens.
///
/// # Errors
///
/// The reason why the text cannot be taken literally.
pub(super) fn lines(text: &str) -> Result<Vec<Line>, Reason> {
    if text.chars().any(is_deceptive) {
        return Err(Reason::Syntax);
    }
    let mut lexer = Lexer { chars: text.chars().collect(), ..Lexer::default() };
    while let Some(next) = lexer.peek(0) {
        match next {
            ' ' | '\t' => lexer.at += 1,
            '\n' => lexer.new_line(),
            '#' => lexer.comment(),
            ';' | '&' | '|' => lexer.operator()?,
            '<' | '>' => lexer.redirect()?,
            '(' | ')' => return Err(Reason::Syntax),
            _ => lexer.word()?,
        }
    }
    lexer.end_line();
    Ok(lexer.lines)
}

/// Characters that a person does not see as what they are, or that shells disagree about.
fn is_deceptive(c: char) -> bool {
    let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{ad}' | '\u{feff}');
    hidden || (c.is_control() && !matches!(c, '\n' | '\t')) || (c.is_whitespace() && !c.is_ascii())
}

#[derive(Default)]
struct Lexer {
    chars: Vec<char>,
    at: usize,
    /// Where the line began.
    start: usize,
    tokens: Vec<Token>,
    lines: Vec<Line>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c))
    }

    /// After an operator, or where nothing stands, a new line means nothing.
    fn new_line(&mut self) {
        if self.tokens.last() != Some(&Token::Separator) {
            self.end_line();
        }
        self.at += 1;
    }

    fn end_line(&mut self) {
        let source = self.chars[self.start..self.at].iter().collect();
        let mut tokens = std::mem::take(&mut self.tokens);
        if tokens.last() == Some(&Token::Separator) {
            tokens.pop();
        }
        if !tokens.is_empty() {
            self.lines.push(Line { source, tokens });
        }
        self.start = self.at;
    }

    fn comment(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    fn operator(&mut self) -> Result<(), Reason> {
        for (sign, redirect) in [("&>>", Redirect::WriteOther), ("&>", Redirect::WriteOther)] {
            if self.starts_with(sign) {
                return self.push_redirect(redirect, sign.len());
            }
        }
        let sign = ["&&", "||", "|&", ";;", ";&", "|", ";", "&"]
            .into_iter()
            .find(|sign| self.starts_with(sign))
            .ok_or(Reason::Syntax)?;
        match sign {
            "&" => return Err(Reason::Background),
            ";;" | ";&" => return Err(Reason::Syntax),
            _ if matches!(self.tokens.last(), None | Some(Token::Separator)) => {
                return Err(Reason::Syntax);
            }
            _ => {}
        }
        self.at += sign.len();
        self.tokens.push(Token::Separator);
        Ok(())
    }

    fn redirect(&mut self) -> Result<(), Reason> {
        for (sign, redirect) in [
            (">>", Redirect::Write),
            (">|", Redirect::WriteOther),
            (">&", Redirect::Duplicate),
            (">", Redirect::Write),
            ("<", Redirect::Read),
        ] {
            if self.starts_with(sign) {
                return self.push_redirect(redirect, sign.len());
            }
        }
        Err(Reason::Syntax)
    }

    /// Refuses here-documents, process substitution, `<>`, `<&` and their like.
    fn push_redirect(&mut self, redirect: Redirect, length: usize) -> Result<(), Reason> {
        self.at += length;
        if matches!(self.peek(0), Some('<' | '>' | '&' | '|' | '(')) {
            return Err(Reason::Syntax);
        }
        self.tokens.push(Token::Redirect(redirect));
        Ok(())
    }

    fn word(&mut self) -> Result<(), Reason> {
        let start = self.at;
        let mut word = Word { text: String::new(), glob: Glob::No };
        while let Some(next) = self.peek(0) {
            match next {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
                '(' | ')' => return Err(Reason::Syntax),
                '\'' => self.single_quoted(&mut word)?,
                '"' => self.double_quoted(&mut word)?,
                _ => self.unquoted(next, start, &mut word)?,
            }
        }
        let bare: String = self.chars[start..self.at].iter().collect();
        if matches!(self.peek(0), Some('<' | '>')) && bare.chars().all(|c| c.is_ascii_digit()) {
            return self.descriptor(&bare);
        }
        if bare == "[" {
            word.glob = Glob::No;
        }
        self.tokens.push(Token::Word(word));
        Ok(())
    }

    /// Takes `2>` for one sign. Only the two streams that a command writes to.
    fn descriptor(&mut self, number: &str) -> Result<(), Reason> {
        match (number, self.peek(0)) {
            ("1" | "2", Some('>')) => self.redirect(),
            _ => Err(Reason::Syntax),
        }
    }

    fn single_quoted(&mut self, word: &mut Word) -> Result<(), Reason> {
        self.at += 1;
        loop {
            let next = self.peek(0).ok_or(Reason::Syntax)?;
            self.at += 1;
            if next == '\'' {
                return Ok(());
            }
            word.text.push(next);
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), Reason> {
        self.at += 1;
        loop {
            let next = self.peek(0).ok_or(Reason::Syntax)?;
            let after = self.peek(1).ok_or(Reason::Syntax);
            match next {
                '"' => {
                    self.at += 1;
                    return Ok(());
                }
                '`' => return Err(Reason::Expansions),
                // A dollar that no name can follow stands for itself, as at the end of a pattern.
                '$' if !matches!(after?, '"' | ' ' | '|' | ')') => return Err(Reason::Expansions),
                '!' if !matches!(after?, '"' | ' ' | '=') => return Err(Reason::Expansions),
                '\\' => match after? {
                    '\n' => return Err(Reason::Syntax),
                    escaped @ ('$' | '`' | '"' | '\\') => {
                        self.at += 1;
                        word.text.push(escaped);
                    }
                    _ => word.text.push('\\'),
                },
                _ => word.text.push(next),
            }
            self.at += 1;
        }
    }

    fn unquoted(&mut self, next: char, start: usize, word: &mut Word) -> Result<(), Reason> {
        let before = (start < self.at).then(|| self.chars[self.at - 1]);
        match next {
            // In the encodings of some locales it is the second half of that character.
            '\\' if self.at.checked_sub(1).is_some_and(|it| !self.chars[it].is_ascii()) => {
                return Err(Reason::Syntax);
            }
            '\\' => {
                self.at += 1;
                let escaped = self.peek(0).filter(char::is_ascii_graphic).ok_or(Reason::Syntax)?;
                word.text.push(escaped);
            }
            '$' | '`' => return Err(Reason::Expansions),
            '{' if self.peek(1) == Some('}') => {
                self.at += 1;
                word.text.push_str("{}");
            }
            '{' if before == Some('@') => return self.revision(word),
            '{' | '}' => return Err(Reason::Expansions),
            '~' if matches!(before, None | Some('=' | ':')) => return Err(Reason::Expansions),
            '!' if !matches!(self.peek(1), None | Some(' ' | '\t' | '\n' | '=')) => {
                return Err(Reason::Expansions);
            }
            '*' | '?' | '[' => {
                if word.glob == Glob::No {
                    word.glob = if word.text.is_empty() { Glob::Leading } else { Glob::Inside };
                }
                word.text.push(next);
            }
            _ => word.text.push(next),
        }
        self.at += 1;
        Ok(())
    }

    /// Takes the braces of `stash@{1}`: without a comma or two dots they are no expansion.
    fn revision(&mut self, word: &mut Word) -> Result<(), Reason> {
        let inside = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
        let rest = &self.chars[self.at + 1..];
        let length = rest.iter().take_while(|c| inside(c)).count();
        if rest.get(length) != Some(&'}') {
            return Err(Reason::Expansions);
        }
        word.text.extend(&self.chars[self.at..self.at + length + 2]);
        self.at += length + 2;
        Ok(())
    }
}
