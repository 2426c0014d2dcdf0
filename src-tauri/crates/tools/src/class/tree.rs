//! Reads a command line with the bash grammar: a second opinion on what `lex` read.
//!
//! The grammar is lenient, so only listed kinds of nodes count; any other is an error.

use tree_sitter::{Node, Parser};

use super::{Reason, lex::Redirect};

/// A piece of a command line, as the grammar sees it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Word(String),
    Redirect(Redirect),
    Separator,
}

/// Flattens the tree of a command line.
///
/// # Errors
///
/// [`Reason::Syntax`] if the grammar finds an error in it, or a construct that is not listed.
pub(super) fn leaves(line: &str) -> Result<Vec<Leaf>, Reason> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).map_err(|_| Reason::Syntax)?;
    let tree = parser.parse(line, None).ok_or(Reason::Syntax)?;
    let root = tree.root_node();
    if root.has_error() || root.kind() != "program" {
        return Err(Reason::Syntax);
    }
    let mut flat = Flat { line, leaves: Vec::new() };
    flat.inner(root)?;
    if flat.leaves.last() == Some(&Leaf::Separator) {
        flat.leaves.pop();
    }
    Ok(flat.leaves)
}

struct Flat<'a> {
    line: &'a str,
    leaves: Vec<Leaf>,
}

impl<'a> Flat<'a> {
    fn inner(&mut self, node: Node<'_>) -> Result<(), Reason> {
        children(node).try_for_each(|child| self.node(child))
    }

    fn node(&mut self, node: Node<'_>) -> Result<(), Reason> {
        match node.kind() {
            "list"
            | "pipeline"
            | "redirected_statement"
            | "command"
            | "command_name"
            | "file_redirect" => self.inner(node)?,
            "word" | "number" | "string" | "raw_string" | "concatenation" => {
                let mut word = String::new();
                self.literal(node, &mut word)?;
                self.leaves.push(Leaf::Word(word));
            }
            // As an argument: `echo == x`.
            "==" | "=~" => self.leaves.push(Leaf::Word(self.source(node).to_owned())),
            "test_command" => self.test(node)?,
            // The digits stand directly before their sign, or `lex` says otherwise.
            "file_descriptor" | "comment" => {}
            "<" => self.leaves.push(Leaf::Redirect(Redirect::Read)),
            ">" | ">>" => self.leaves.push(Leaf::Redirect(Redirect::Write)),
            ">|" | "&>" | "&>>" => self.leaves.push(Leaf::Redirect(Redirect::WriteOther)),
            ">&" => self.leaves.push(Leaf::Redirect(Redirect::Duplicate)),
            "&&" | "||" | "|" | "|&" | ";" => self.leaves.push(Leaf::Separator),
            _ => return Err(Reason::Syntax),
        }
        Ok(())
    }

    /// Takes the parts of `[ … ]` for the words that they are to the command `[`.
    fn test(&mut self, node: Node<'_>) -> Result<(), Reason> {
        for child in children(node) {
            match child.kind() {
                "unary_expression" | "binary_expression" => self.test(child)?,
                "[" | "]" | "!" | "=" | "==" | "!=" | "-a" | "-o" | "test_operator" => {
                    self.leaves.push(Leaf::Word(self.source(child).to_owned()));
                }
                "word" | "number" | "string" | "raw_string" | "concatenation" => {
                    self.node(child)?
                }
                _ => return Err(Reason::Syntax),
            }
        }
        Ok(())
    }

    fn literal(&self, node: Node<'_>, word: &mut String) -> Result<(), Reason> {
        let source = self.source(node);
        match node.kind() {
            "word" | "number" => unescape(source, |_| true, word),
            "raw_string" => word.push_str(quoted(source, '\'')?),
            "string" => {
                if children(node).any(|part| !matches!(part.kind(), "\"" | "$" | "string_content"))
                {
                    return Err(Reason::Expansions);
                }
                unescape(quoted(source, '"')?, |c| matches!(c, '$' | '`' | '"' | '\\'), word);
            }
            "concatenation" => {
                let mut end = node.start_byte();
                for part in children(node) {
                    if part.start_byte() != end || part.kind() == "concatenation" {
                        return Err(Reason::Syntax);
                    }
                    end = part.end_byte();
                    self.literal(part, word)?;
                }
            }
            _ => return Err(Reason::Syntax),
        }
        Ok(())
    }

    fn source(&self, node: Node<'_>) -> &'a str {
        self.line.get(node.byte_range()).unwrap_or_default()
    }
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |i| node.child(u32::try_from(i).ok()?))
}

fn quoted(source: &str, quote: char) -> Result<&str, Reason> {
    source.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).ok_or(Reason::Syntax)
}

fn unescape(source: &str, escapes: impl Fn(char) -> bool, word: &mut String) {
    let mut chars = source.chars();
    while let Some(next) = chars.next() {
        if next == '\\' {
            match chars.next() {
                Some(after) if escapes(after) => word.push(after),
                Some(after) => word.extend([next, after]),
                None => word.push(next),
            }
        } else {
            word.push(next);
        }
    }
}
