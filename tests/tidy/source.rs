//! The files of the repository, and the views of Rust text that the rules look at.

use std::{
    fs, io,
    iter::Peekable,
    path::{Path, PathBuf},
    str::Chars,
};

/// Folders that hold nothing of ours, wherever they stand.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", ".git"];

/// One text file; `path` is relative to the top folder and has `/`.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Returns what stands after the last dot of the name.
    pub(crate) fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Returns whether the whole file is test code.
    pub(crate) fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
            || self.path.contains(".test.")
    }
}

/// Returns the top folder of the repository.
pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all text files with one of these extensions, in the order of their paths.
pub(crate) fn sources(extensions: &[&str]) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    collect(&top(), "", extensions, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "the walk finds the repository");
    Ok(found)
}

fn collect(
    folder: &Path,
    prefix: &str,
    extensions: &[&str],
    found: &mut Vec<Source>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), extensions, found)?;
            }
        } else if name.rsplit_once('.').is_some_and(|(_, it)| extensions.contains(&it)) {
            found.push(Source { path, text: fs::read_to_string(entry.path())? });
        }
    }
    Ok(())
}

/// Rust text taken apart. Both parts keep the line breaks; what is not theirs is blank.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Without comments and without what stands inside literals.
    pub(crate) code: String,
    pub(crate) comments: String,
}

/// Takes Rust text apart.
pub(crate) fn parts(text: &str) -> Parts {
    let mut reader =
        Reader { rest: text.chars().peekable(), code: String::new(), comments: String::new() };
    let mut before = ' ';
    while let Some(it) = reader.rest.next() {
        match (it, reader.rest.peek()) {
            ('/', Some('/')) => reader.line_comment(),
            ('/', Some('*')) => reader.block_comment(),
            ('"', _) => reader.literal('"'),
            ('r', Some('"' | '#')) if !is_word(before) || matches!(before, 'b' | 'c') => {
                reader.raw_string();
            }
            ('\'', _) => reader.quote(),
            _ => reader.put(it, false),
        }
        before = it;
    }
    Parts { code: reader.code, comments: reader.comments }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    code: String,
    comments: String,
}

impl Reader<'_> {
    fn put(&mut self, it: char, is_comment: bool) {
        let blank = if it == '\n' { '\n' } else { ' ' };
        self.code.push(if is_comment { blank } else { it });
        self.comments.push(if is_comment { it } else { blank });
    }

    /// Takes one character that neither part shows.
    fn hide(&mut self) -> Option<char> {
        let it = self.rest.next()?;
        let blank = if it == '\n' { '\n' } else { ' ' };
        self.code.push(blank);
        self.comments.push(blank);
        Some(it)
    }

    fn line_comment(&mut self) {
        self.put('/', true);
        while let Some(it) = self.rest.next_if(|it| *it != '\n') {
            self.put(it, true);
        }
    }

    fn block_comment(&mut self) {
        self.put('/', true);
        let mut depth = 0;
        let mut before = '/';
        while let Some(it) = self.rest.next() {
            self.put(it, true);
            depth += i32::from(before == '/' && it == '*') - i32::from(before == '*' && it == '/');
            if depth == 0 {
                break;
            }
            before = it;
        }
    }

    /// Goes on behind the opening quote, up to the closing one.
    fn literal(&mut self, quote: char) {
        self.put(quote, false);
        while let Some(it) = self.rest.next_if(|it| *it != quote) {
            self.code.push(if it == '\n' { '\n' } else { ' ' });
            self.comments.push(if it == '\n' { '\n' } else { ' ' });
            if it == '\\' {
                self.hide();
            }
        }
        self.hide();
    }

    /// Goes on behind the `r`. An `r#name` is no string and is left alone.
    fn raw_string(&mut self) {
        self.put('r', false);
        let mut hashes = 0;
        while self.rest.next_if_eq(&'#').is_some() {
            self.put('#', false);
            hashes += 1;
        }
        if self.rest.peek() != Some(&'"') {
            return;
        }
        self.hide();
        while let Some(it) = self.hide() {
            let mut ahead = self.rest.clone();
            if it == '"' && (0..hashes).all(|_| ahead.next() == Some('#')) {
                for _ in 0..hashes {
                    self.hide();
                }
                break;
            }
        }
    }

    /// Goes on behind a `'`: a character's, or a lifetime's.
    fn quote(&mut self) {
        let mut ahead = self.rest.clone();
        let (first, second) = (ahead.next(), ahead.next());
        if first == Some('\\') || second == Some('\'') {
            self.literal('\'');
        } else {
            self.put('\'', false);
        }
    }
}

/// Blanks every item that is compiled for tests alone.
pub(crate) fn without_tests(code: &str) -> String {
    let mut kept = code.to_owned();
    for (start, end) in test_items(code) {
        // As many bytes as before, so that nothing moves.
        let blank = |it: char| if it == '\n' { "\n".to_owned() } else { " ".repeat(it.len_utf8()) };
        let blanks: String = code[start..end].chars().map(blank).collect();
        kept.replace_range(start..end, &blanks);
    }
    kept
}

/// Returns where the items under `#[cfg(test)]` and `#[cfg(all(test, …))]` stand.
pub(crate) fn test_items(code: &str) -> Vec<(usize, usize)> {
    attributes(code)
        .into_iter()
        .filter(|it| {
            let condition = it.text.strip_prefix("cfg(").unwrap_or_default();
            condition.starts_with("test)") || condition.starts_with("all(test")
        })
        .map(|it| (it.start, item_end(code, it.end)))
        .collect()
}

/// Returns where the item ends whose attributes or words start at `from`.
fn item_end(code: &str, from: usize) -> usize {
    let mut depth = 0_i32;
    for (at, it) in code[from..].char_indices() {
        match it {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth -= 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return from + at + 1;
                }
            }
            ';' if depth == 0 => return from + at + 1,
            _ => {}
        }
    }
    code.len()
}

/// One `#[…]` or `#![…]`.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) line: usize,
    /// What stands between the brackets, without blanks and line breaks.
    pub(crate) text: String,
    start: usize,
    end: usize,
}

/// Returns the attributes of Rust code, in order.
pub(crate) fn attributes(code: &str) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = code[from..].find('#').map(|at| from + at) {
        from = start + 1;
        let body = code[from..].strip_prefix('!').unwrap_or(&code[from..]);
        if !body.starts_with('[') {
            continue;
        }
        let mut depth = 0_i32;
        let length = body.find(|it| {
            depth += i32::from(it == '[') - i32::from(it == ']');
            depth == 0
        });
        let Some(length) = length else { break };
        from = code.len() - body.len() + length + 1;
        let text = body[1..length].split_whitespace().collect();
        found.push(Attribute { line: line_at(code, start), text, start, end: from });
    }
    found
}

/// Returns the lines, counted from 1, where `pattern` stands and is no part of a longer word.
pub(crate) fn lines_with(text: &str, pattern: &str) -> Vec<usize> {
    let alone = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[at + pattern.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    };
    text.match_indices(pattern)
        .map(|(at, _)| at)
        .filter(alone)
        .map(|at| line_at(text, at))
        .collect()
}

fn line_at(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

pub(crate) fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "\
a(\"b // c \\\" d\"); // e 'f
let g: &'h str = r#\"i \" j\"#; /* k /* l */ m */ n('o', '\\'', '\"');
br\"p\" r#type \"q
s\" t";
    let parts = parts(text);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&parts.code), "a(\" ); let g: &'h str = r# ; n(' , ' , ' ); br r#type \" t");
    assert_eq!(words(&parts.comments), "// e 'f /* k /* l */ m */");
    assert_eq!(parts.code.lines().count(), text.lines().count());
}

#[test]
fn items_for_tests_alone_are_cut_out() {
    let code = "\
use a;
#[cfg(test)]
use b::{c, d};
#[cfg(all(test, unix))]
mod e { fn f([g; 2]) { ü } #[cfg(test)] fn h() {} }
#[cfg(unix)]
fn i() { j }
#[cfg(test)]
mod k;
l";
    let kept: Vec<String> = without_tests(code).split_whitespace().map(ToOwned::to_owned).collect();
    assert_eq!(kept.join(" "), "use a; ; #[cfg(unix)] fn i() { j } l");
    assert_eq!(without_tests(code).lines().count(), code.lines().count());
}

#[test]
fn attributes_may_span_lines() {
    let found = attributes("x\n#![a]\n#[b(\n  c[1],\n  d\n)] e # [f]");
    let texts: Vec<(usize, &str)> = found.iter().map(|it| (it.line, it.text.as_str())).collect();
    assert_eq!(texts, [(2, "a"), (3, "b(c[1],d)")]);
}

#[test]
fn a_word_is_not_found_inside_another() {
    assert_eq!(lines_with("ofs\nfs::read fs_x\nstd::{fs, io}", "fs"), [2, 3]);
}
