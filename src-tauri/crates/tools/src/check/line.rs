//! A bash line as its commands, each with what the line's status says of it.
//!
//! The grammar is lenient on purpose: a check must be seen also in a line that is not understood to
//! its last byte, and where that is so its status is worth nothing.

use tree_sitter::{Node, Parser};

use super::{Part, Status};

/// Longer lines are not looked at.
const LINE_BYTES: usize = 16 << 10;
/// Deeper ones neither.
const DEPTH: usize = 40;

/// Splits a line into the commands that it may run.
pub(super) fn parts(command: &str) -> Vec<Part> {
    if LINE_BYTES < command.len() {
        return Vec::new();
    }
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(command, None) else { return Vec::new() };
    let root = tree.root_node();
    let status = if root.has_error() { Status::NONE } else { Status::OWN };
    let mut walk = Walk { source: command, parts: Vec::new(), errexit: false, pipefail: false };
    walk.statement(root, status, 0);
    walk.parts
}

struct Walk<'a> {
    source: &'a str,
    parts: Vec<Part>,
    /// `set -e` stood before.
    errexit: bool,
    /// `set -o pipefail` stood before.
    pipefail: bool,
}

impl<'a> Walk<'a> {
    fn statement(&mut self, node: Node<'_>, status: Status, depth: usize) {
        if DEPTH < depth {
            return;
        }
        let next = depth + 1;
        match node.kind() {
            "program" | "subshell" | "compound_statement" => self.sequence(node, status, next),
            "list" => self.list(node, status, next),
            "pipeline" => self.pipeline(node, status, next),
            "redirected_statement" => {
                if let Some(body) = node.child_by_field_name("body") {
                    self.statement(body, status, next);
                }
            }
            "command" => self.command(node, status, next),
            // Defined, and not run by that.
            "function_definition" | "comment" => {}
            // Conditions, loops, `!`, substitutions: it may run, and its status is another's.
            _ => self.inside(node, next),
        }
    }

    fn inside(&mut self, node: Node<'_>, depth: usize) {
        for child in children(node).filter(Node::is_named) {
            self.statement(child, Status::NONE, depth);
        }
    }

    /// The status of a sequence is the last one's, or under `set -e` the first that fails.
    fn sequence(&mut self, node: Node<'_>, status: Status, depth: usize) {
        let statements: Vec<(Node<'_>, bool)> = with_background(node);
        let last = statements.len().saturating_sub(1);
        let mut may_exit = false;
        for (at, (statement, is_background)) in statements.into_iter().enumerate() {
            let own = if is_background {
                Status::NONE
            } else if at == last {
                if at != 0 && (self.errexit || may_exit) { status.shared() } else { status }
            } else if self.errexit {
                status.shared()
            } else {
                Status::NONE
            };
            may_exit |= self.text(statement).contains("exit");
            self.statement(statement, own, depth);
        }
    }

    fn list(&mut self, node: Node<'_>, status: Status, depth: usize) {
        let operands: Vec<Node<'_>> = children(node).filter(Node::is_named).collect();
        let is_or = children(node).any(|it| it.kind() == "||");
        let [left, right] = operands[..] else { return self.inside(node, depth) };
        if !is_or {
            self.statement(left, status.shared(), depth);
            self.statement(right, status.shared(), depth);
        } else if self.ends_with_failure(right) {
            self.statement(left, status, depth);
        } else {
            self.statement(left, Status { is_masked: true, ..status }, depth);
            self.statement(right, Status { is_masked: true, ..status }, depth);
        }
    }

    /// `|| exit 1` passes a failure on.
    fn ends_with_failure(&self, node: Node<'_>) -> bool {
        let node = match node.kind() {
            "compound_statement" | "subshell" => children(node).filter(Node::is_named).last(),
            _ => Some(node),
        };
        let words: Vec<&str> =
            node.map(|it| self.text(it).split_whitespace().collect()).unwrap_or_default();
        match words[..] {
            ["false"] => true,
            ["exit" | "return"] => true,
            ["exit" | "return", code] => code != "0",
            _ => false,
        }
    }

    fn pipeline(&mut self, node: Node<'_>, status: Status, depth: usize) {
        let commands: Vec<Node<'_>> = children(node).filter(Node::is_named).collect();
        let last = commands.len().saturating_sub(1);
        for (at, command) in commands.into_iter().enumerate() {
            let own = match (at == last, self.pipefail) {
                (true, false) => status,
                (_, true) => status.shared(),
                (false, false) => Status::NONE,
            };
            self.statement(command, own, depth);
        }
    }

    fn command(&mut self, node: Node<'_>, status: Status, depth: usize) {
        let mut words = Vec::new();
        for child in children(node).filter(Node::is_named) {
            match child.kind() {
                "variable_assignment" | "file_redirect" | "herestring_redirect" => {}
                _ => words.push(self.word(child)),
            }
            self.substitutions(child, depth);
        }
        self.options(&words);
        self.parts.push(Part { words, status });
    }

    /// Commands inside the words of a command.
    fn substitutions(&mut self, node: Node<'_>, depth: usize) {
        if DEPTH < depth {
            return;
        }
        match node.kind() {
            "command_substitution" | "process_substitution" => self.inside(node, depth + 1),
            _ => children(node).for_each(|child| self.substitutions(child, depth + 1)),
        }
    }

    fn options(&mut self, words: &[String]) {
        let [set, rest @ ..] = words else { return };
        if set != "set" {
            return;
        }
        let mut rest = rest.iter();
        while let Some(option) = rest.next() {
            if !option.starts_with('-') {
                continue;
            }
            self.errexit |= option.contains('e') && !option.starts_with("--");
            if option.ends_with('o') {
                match rest.next().map(String::as_str) {
                    Some("pipefail") => self.pipefail = true,
                    Some("errexit") => self.errexit = true,
                    Some(_) | None => {}
                }
            }
        }
    }

    /// A word as its command gets it; what the shell expands stays as it is written.
    fn word(&self, node: Node<'_>) -> String {
        let text = self.text(node);
        match node.kind() {
            "command_name" | "concatenation" => {
                let parts: Vec<Node<'_>> = children(node).collect();
                if parts.is_empty() {
                    return unescaped(text);
                }
                parts.into_iter().map(|it| self.word(it)).collect()
            }
            "raw_string" => text.trim_matches('\'').to_owned(),
            "string" => {
                let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
                unescaped(inner.unwrap_or(text))
            }
            _ => unescaped(text),
        }
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }
}

/// The statements of a sequence, each with whether it is sent to the background.
fn with_background(node: Node<'_>) -> Vec<(Node<'_>, bool)> {
    let mut statements: Vec<(Node<'_>, bool)> = Vec::new();
    for child in children(node) {
        if child.is_named() {
            if !matches!(child.kind(), "comment" | "heredoc_body") {
                statements.push((child, false));
            }
        } else if child.kind() == "&"
            && let Some((_, is_background)) = statements.last_mut()
        {
            *is_background = true;
        }
    }
    statements
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |i| node.child(u32::try_from(i).ok()?))
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(next) = chars.next() {
        match (next, chars.clone().next()) {
            ('\\', Some('\n')) => _ = chars.next(),
            ('\\', Some(escaped)) if matches!(escaped, '"' | '\\' | '$' | '`' | ' ' | '\'') => {
                plain.push(escaped);
                chars.next();
            }
            _ => plain.push(next),
        }
    }
    plain
}
