//! What git says of a repository: the truth that a replay is held against.

use std::{
    collections::BTreeMap,
    io::Write as _,
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use crate::Result;

/// Ways in which git compares, its default first. They may differ in which lines they call changed,
/// and never in how many more there are.
const ALGORITHMS: [&str; 4] = ["myers", "minimal", "patience", "histogram"];

/// A git repository, which is only read.
pub(super) struct Repository {
    path: PathBuf,
    /// A tree of no files, by which no attribute says what is text.
    no_attributes: String,
}

/// A commit, and the first of those it came from.
pub(super) struct Pair {
    pub(super) parent: String,
    pub(super) commit: String,
}

/// A path at which two commits differ.
#[derive(Debug)]
pub(super) struct Change {
    /// `None` if it is no UTF-8.
    pub(super) path: Option<String>,
    /// `A`, `D`, `M` or `T`.
    pub(super) status: u8,
    pub(super) modes: [String; 2],
    pub(super) blobs: [String; 2],
    /// Lines added and removed, by each algorithm; `None` where git counts none.
    pub(super) counts: Option<[(u32, u32); 4]>,
}

/// Lines of two texts, counted from 0, that stand for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

impl Repository {
    /// Opens what is a repository, or lies in one.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let run = |words: &[&str]| succeeded(git(path).args(words).stdin(Stdio::null()).output()?);
        run(&["rev-parse", "--git-dir"])?;
        let tree = String::from_utf8(run(&["hash-object", "-t", "tree", "--stdin"])?.stdout)?;
        Ok(Self { path: path.to_owned(), no_attributes: tree.trim().to_owned() })
    }

    /// Returns the last commits that came from another one, newest first.
    pub(super) fn pairs(&self, count: u32) -> Result<Vec<Pair>> {
        let most = format!("--max-count={count}");
        let list = ["rev-list", "--first-parent", "--min-parents=1", "--parents", &most, "HEAD"];
        let list = self.git(&list)?;
        let list = String::from_utf8(list)?;
        let pair = |line: &str| {
            let mut ids = line.split(' ');
            let (commit, parent) = (ids.next()?.to_owned(), ids.next()?.to_owned());
            Some(Pair { parent, commit })
        };
        Ok(list.lines().filter_map(pair).collect())
    }

    /// Returns in what two commits differ. A file that was moved is one that went and one that came.
    pub(super) fn changes(&self, pair: &Pair) -> Result<Vec<Change>> {
        let mut counts: BTreeMap<Vec<u8>, [(u32, u32); 4]> = BTreeMap::new();
        for (at, algorithm) in ALGORITHMS.into_iter().enumerate() {
            let algorithm = format!("--diff-algorithm={algorithm}");
            let words = ["--numstat", "--no-ext-diff", "--no-textconv", &algorithm];
            for record in records(&self.diff_tree(pair, &words)?) {
                let mut fields = record.splitn(3, |it| *it == b'\t');
                let mut number =
                    || -> Option<u32> { str::from_utf8(fields.next()?).ok()?.parse().ok() };
                let numbers = number().zip(number());
                let (Some(numbers), Some(path)) = (numbers, fields.next()) else { continue };
                counts.entry(path.to_vec()).or_default()[at] = numbers;
            }
        }
        let raw = self.diff_tree(pair, &["--raw", "--no-abbrev"])?;
        let (mut changes, mut records) = (Vec::new(), records(&raw));
        while let (Some(head), Some(path)) = (records.next(), records.next()) {
            let head = str::from_utf8(head)?;
            let fields: Vec<_> = head.trim_start_matches(':').split(' ').collect();
            let [mode, new_mode, blob, new_blob, status] = fields[..] else {
                return Err(format!("git says {head:?} of a change").into());
            };
            changes.push(Change {
                path: String::from_utf8(path.to_vec()).ok(),
                status: status.bytes().next().unwrap_or_default(),
                modes: [mode, new_mode].map(str::to_owned),
                blobs: [blob, new_blob].map(str::to_owned),
                counts: counts.get(path).copied(),
            });
        }
        Ok(changes)
    }

    /// Returns the bytes of a file.
    pub(super) fn blob(&self, id: &str) -> Result<Vec<u8>> {
        self.git(&["cat-file", "blob", id])
    }

    /// Returns where two files differ, in order.
    pub(super) fn hunks(&self, [old, new]: &[String; 2]) -> Result<Vec<Hunk>> {
        let plain = ["--text", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=0"];
        let diff = self.git(&[&["diff"], &plain[..], &[old, new]].concat())?;
        // Each line of a file has a sign before it.
        let heads = diff.split(|it| *it == b'\n').filter(|it| it.starts_with(b"@@ "));
        heads.map(|it| hunk(it).ok_or_else(|| "git gives no line numbers".into())).collect()
    }

    fn diff_tree(&self, pair: &Pair, words: &[&str]) -> Result<Vec<u8>> {
        let (tree, commits) =
            (["diff-tree", "-r", "-z", "--no-renames"], [&*pair.parent, &pair.commit]);
        self.git(&[&tree[..], words, &commits].concat())
    }

    fn git(&self, words: &[&str]) -> Result<Vec<u8>> {
        let out = git(&self.path)
            .args(words)
            .env("GIT_ATTR_SOURCE", &self.no_attributes)
            .stdin(Stdio::null())
            .output()?;
        Ok(succeeded(out)?.stdout)
    }
}

/// Puts a patch onto the files of a folder that is in no repository.
pub(super) fn apply(folder: &Path, patch: &[u8]) -> Result<()> {
    let mut git = git(folder);
    git.args(["apply", "--whitespace=nowarn", "-"]).env("GIT_CEILING_DIRECTORIES", folder);
    let piped = git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    // It reads all of a patch before it says anything, unless it turns it away.
    let written = child.stdin.take().map(|mut it| it.write_all(patch));
    succeeded(child.wait_with_output()?)?;
    Ok(written.transpose().map(drop)?)
}

/// Returns git with nothing of the user's settings.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
    git
}

fn succeeded(out: Output) -> Result<Output> {
    if out.status.success() {
        return Ok(out);
    }
    Err(String::from_utf8_lossy(&out.stderr).trim().replace('\n', " | ").into())
}

fn records(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|it| *it == 0).filter(|it| !it.is_empty())
}

/// Reads `@@ -FIRST[,COUNT] +FIRST[,COUNT] @@ …`.
fn hunk(head: &[u8]) -> Option<Hunk> {
    let head = head.strip_prefix(b"@@ -")?;
    let end = head.windows(3).position(|it| it == b" @@")?;
    let (old, new) = str::from_utf8(&head[..end]).ok()?.split_once(" +")?;
    Some(Hunk { old: span(old)?, new: span(new)? })
}

fn span(text: &str) -> Option<Range<usize>> {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    let (first, count): (usize, usize) = (first.parse().ok()?, count.parse().ok()?);
    // Of no lines, the number is that of the line before them.
    let start = if count == 0 { first } else { first.checked_sub(1)? };
    Some(start..start.checked_add(count)?)
}

#[test]
fn the_head_of_a_hunk_is_read() {
    let read = |text: &str| hunk(text.as_bytes());
    assert_eq!(read("@@ -3,2 +4 @@ fn a() @@"), Some(Hunk { old: 2..4, new: 3..4 }));
    assert_eq!(read("@@ -2,0 +3,2 @@"), Some(Hunk { old: 2..2, new: 2..4 }));
    assert_eq!(read("@@ -x +3 @@"), None);
}
