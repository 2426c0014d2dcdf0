//! A command line as simple commands, where two independent readings of it agree.

use super::{
    Reason,
    lex::{self, Redirect, Token, Word},
    tree::{self, Leaf},
};

/// Longer lines are not judged. Bounds the work, and the depth of the tree.
const LINE_BYTES: usize = 16 << 10;
const TOKENS: usize = 1_000;

/// One simple command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<(Redirect, Word)>,
}

/// Splits a command line into its simple commands.
///
/// # Errors
///
/// The reason why the line is not understood to the last byte.
pub(super) fn segments(command: &str) -> Result<Vec<Segment>, Reason> {
    if command.len() > LINE_BYTES {
        return Err(Reason::Syntax);
    }
    let lines = lex::lines(command)?;
    let tokens: usize = lines.iter().map(|line| line.tokens.len()).sum();
    if tokens > TOKENS {
        return Err(Reason::Syntax);
    }
    let mut segments = Vec::new();
    for line in lines {
        if !agree(&line.tokens, &tree::leaves(&line.source)?) {
            return Err(Reason::Syntax);
        }
        for tokens in line.tokens.split(|token| *token == Token::Separator) {
            segments.push(segment(tokens)?);
        }
    }
    Ok(segments)
}

fn segment(tokens: &[Token]) -> Result<Segment, Reason> {
    let mut segment = Segment::default();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        match token {
            Token::Word(word) => segment.words.push(word.clone()),
            Token::Redirect(redirect) => match rest.next() {
                Some(Token::Word(target)) => segment.redirects.push((*redirect, target.clone())),
                Some(Token::Redirect(_) | Token::Separator) | None => return Err(Reason::Syntax),
            },
            Token::Separator => return Err(Reason::Syntax),
        }
    }
    Ok(segment)
}

fn agree(tokens: &[Token], leaves: &[Leaf]) -> bool {
    tokens.len() == leaves.len()
        && tokens.iter().zip(leaves).all(|pair| match pair {
            (Token::Word(word), Leaf::Word(text)) => word.text == *text,
            (Token::Redirect(read), Leaf::Redirect(seen)) => read == seen,
            (Token::Separator, Leaf::Separator) => true,
            (Token::Word(_) | Token::Redirect(_) | Token::Separator, _) => false,
        })
}
