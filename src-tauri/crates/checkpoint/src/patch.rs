//! The text of a patch, as git writes it and `git apply` takes it.

use std::{
    fmt::{self, Write as _},
    ops::Range,
};

use similar::DiffOp;

/// Unchanged lines around a change.
pub(crate) const CONTEXT_LINES: usize = 3;

/// The line after a line that ends without `\n`.
pub(crate) const NO_NEWLINE: &str = "\\ No newline at end of file\n";

/// Before the encoding of a file that is not compared by its bytes (AN-21).
pub(crate) const ENCODING: &str = "encoding: ";

/// A patch of one file, being written.
#[derive(Debug)]
pub(crate) struct Patch {
    header: String,
    /// The lines about permission bits, and about being new or gone.
    modes: String,
    /// The line that git does not know: the lines are said in UTF-8, and the file has another form.
    encoding: String,
    /// The names of both sides; git leaves them out where no line changed.
    names: String,
    hunks: Vec<u8>,
}

/// The permission bits of a side, as far as the system has any; `None` where there is no file.
type SideMode = Option<Option<u32>>;

impl Patch {
    /// Begins the patch of the file shown as `path`.
    pub(crate) fn new(path: &str, before: SideMode, after: SideMode) -> Self {
        // An absolute path, of an added folder, loses its `/`, as in git's own headers.
        let path = path.trim_start_matches('/');
        let (old, new) = (quoted(&format!("a/{path}")), quoted(&format!("b/{path}")));
        let modes = match (before.map(git_mode), after.map(git_mode)) {
            (None, Some(mode)) => format!("new file mode {mode}\n"),
            (Some(mode), None) => format!("deleted file mode {mode}\n"),
            (Some(was), Some(is)) if was != is => format!("old mode {was}\nnew mode {is}\n"),
            (Some(_), Some(_)) | (None, None) => String::new(),
        };
        // A name that holds a space is ended by a tab, lest its rest is taken for a date.
        let tab = if path.contains(' ') { "\t" } else { "" };
        let name = |side: SideMode, name: &str| match side {
            Some(_) => format!("{name}{tab}"),
            None => "/dev/null".to_owned(),
        };
        Self {
            header: format!("diff --git {old} {new}\n"),
            modes,
            encoding: String::new(),
            names: format!("--- {}\n+++ {}\n", name(before, &old), name(after, &new)),
            hunks: Vec::new(),
        }
    }

    /// Says which encoding the file has, if the lines of the patch are not its bytes.
    pub(crate) fn encoding(&mut self, label: &str) {
        self.encoding = format!("{ENCODING}{label}\n");
    }

    /// Adds one hunk: changes that stand close, with their context.
    pub(crate) fn hunk(&mut self, ops: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
        let olds = Span(first.old_range().start..last.old_range().end);
        let news = Span(first.new_range().start..last.new_range().end);
        self.hunks.extend_from_slice(format!("@@ -{olds} +{news} @@\n").as_bytes());
        for op in ops {
            if is_equal(op) {
                self.lines(b' ', &old[op.old_range()]);
            } else {
                self.lines(b'-', &old[op.old_range()]);
                self.lines(b'+', &new[op.new_range()]);
            }
        }
    }

    fn lines(&mut self, sign: u8, lines: &[&[u8]]) {
        for line in lines {
            self.hunks.push(sign);
            self.hunks.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                self.hunks.push(b'\n');
                self.hunks.extend_from_slice(NO_NEWLINE.as_bytes());
            }
        }
    }

    /// Returns the whole patch; nothing where git has no words for the change.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let Self { header, modes, encoding, names, mut hunks } = self;
        let head = match (modes.is_empty(), hunks.is_empty()) {
            (true, true) => return Vec::new(),
            (false, true) => header + &modes,
            (_, false) => header + &modes + &encoding + &names,
        };
        hunks.splice(0..0, head.into_bytes());
        hunks
    }
}

/// Returns whether both sides have the lines of this step.
pub(crate) fn is_equal(op: &DiffOp) -> bool {
    matches!(op, DiffOp::Equal { .. })
}

/// Some lines of one side, counted from 0 here and from 1 in print.
struct Span(Range<usize>);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            // No lines: the number is that of the line before them.
            0 => write!(f, "{},0", self.0.start),
            1 => write!(f, "{}", self.0.start + 1),
            count => write!(f, "{},{count}", self.0.start + 1),
        }
    }
}

/// git knows two kinds of ordinary files, and no bits means the plain one.
fn git_mode(mode: Option<u32>) -> &'static str {
    match mode {
        Some(bits) if bits & 0o100 != 0 => "100755",
        Some(_) | None => "100644",
    }
}

/// Returns a name as git prints it: as it is, or in quotes where that could be misread.
fn quoted(name: &str) -> String {
    let is_plain = |it: u8| matches!(it, b' '..=b'~') && !matches!(it, b'"' | b'\\');
    if name.bytes().all(is_plain) {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            0x07 => text.push_str("\\a"),
            0x08 => text.push_str("\\b"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            0x0b => text.push_str("\\v"),
            0x0c => text.push_str("\\f"),
            b'\r' => text.push_str("\\r"),
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            _ if is_plain(byte) => text.push(char::from(byte)),
            _ => write!(text, "\\{byte:03o}").expect("a String takes any text"),
        }
    }
    text.push('"');
    text
}
