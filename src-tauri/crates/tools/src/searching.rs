//! Searches files line by line.

use std::io;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch};
use protocol::{FailureCode, Limits, ToolFailure};
use workspace::{FileError, NotText, Place, PlaceKind, Workspace};

use crate::{
    failure::{failure, file_failure, not_text},
    intent::PlanError,
    listing,
    pattern::PathPattern,
    text,
};

/// Most bytes of a line that a search shows.
const LINE_BYTES: usize = 400;
/// Most bytes that a search shows in all.
const SHOWN_BYTES: usize = 64 << 10;
/// Most memory of one compiled pattern.
const PATTERN_BYTES: usize = 10 << 20;
/// A file that is searched where a folder is; one that is named is searched whatever its size.
const FILE_BYTES: u64 = 8 << 20;

/// A search that would be made.
#[derive(Debug)]
pub struct Searching {
    /// The file, or the folder.
    pub(crate) place: Place,
    /// What a line must match.
    pub(crate) pattern: RegexMatcher,
    /// What a file's path below the folder must match.
    pub(crate) glob: Option<PathPattern>,
    /// Lines that are shown before and after a match.
    pub(crate) context: u64,
    pub(crate) limits: Limits,
}

/// Reads a regular expression for one line.
///
/// # Errors
///
/// [`FailureCode::BadPattern`] if it is none, or is too large.
pub(crate) fn line_pattern(text: &str, ignore_case: bool) -> Result<RegexMatcher, ToolFailure> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).line_terminator(Some(b'\n'));
    builder.size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    builder.build(text).map_err(|error| {
        let next = r"send one for a single line; a backslash makes . ( [ { + * ? | literal";
        failure(FailureCode::BadPattern, error.to_string(), next)
    })
}

impl Searching {
    /// Searches, and returns what the model gets. Blocks; ends early, with what it has, once
    /// `stopped` says so.
    ///
    /// # Errors
    ///
    /// [`PlanError::Failed`] if the search is of one file, and that file cannot be read.
    pub fn run(
        &self,
        workspace: &Workspace,
        stopped: &dyn Fn() -> bool,
    ) -> Result<String, PlanError> {
        let mut found = Found::new(self.limits.search_matches as usize);
        if self.place.kind() == PlaceKind::Folder {
            self.search_below(workspace, stopped, &mut found);
        } else {
            self.search(workspace, &self.place, &mut found)
                .map_err(|why| why.failure(self.place.shown()))?;
        }
        Ok(found.told(self.place.shown()))
    }

    fn search_below(&self, workspace: &Workspace, stopped: &dyn Fn() -> bool, found: &mut Found) {
        for entry in workspace.walk(&self.place) {
            if stopped() || found.is_cut {
                return;
            }
            let below = listing::below(&self.place, &entry);
            let unwanted = self.glob.as_ref().is_some_and(|it| !it.matches(below));
            // What a link leads to comes under its own name, if it is in the folder.
            if entry.is_folder() || entry.place().link_target().is_some() || unwanted {
                continue;
            }
            if FILE_BYTES < entry.size_bytes() {
                found.skipped_files += 1;
                continue;
            }
            match self.search(workspace, entry.place(), found) {
                Ok(()) | Err(Unsearched::NotText(_)) => {}
                Err(Unsearched::File(_)) => found.skipped_files += 1,
            }
        }
    }

    fn search(
        &self,
        workspace: &Workspace,
        file: &Place,
        found: &mut Found,
    ) -> Result<(), Unsearched> {
        let image = workspace.read(file).map_err(Unsearched::File)?;
        let text = workspace::decode(image.bytes(), &self.limits).map_err(Unsearched::NotText)?;
        // A line ends before its `\r`, for `$` as for the model.
        let text = workspace::plain(text.text());
        let context = usize::try_from(self.context).unwrap_or(usize::MAX);
        let mut searcher = SearcherBuilder::new()
            .before_context(context)
            .after_context(context)
            .line_number(true)
            .build();
        let sink = FileSink { shown: file.shown(), found };
        searcher.search_slice(&self.pattern, text.as_bytes(), sink).map_err(|source| {
            let shown = file.shown().to_owned();
            Unsearched::File(FileError::Io { verb: "search", shown, source })
        })
    }
}

/// Why a file was not searched.
enum Unsearched {
    File(FileError),
    NotText(NotText),
}

impl Unsearched {
    fn failure(self, shown: &str) -> ToolFailure {
        match self {
            Self::File(error) => file_failure(&error),
            Self::NotText(why) => not_text(why, shown),
        }
    }
}

/// What was found so far.
struct Found {
    lines: String,
    matches: usize,
    most: usize,
    /// There is more than may be shown.
    is_cut: bool,
    skipped_files: usize,
}

impl Found {
    fn new(most: usize) -> Self {
        Self { lines: String::new(), matches: 0, most, is_cut: false, skipped_files: 0 }
    }

    /// Takes a line: `path:12:text`, with a mark that is `-` for context. Says whether to go on.
    fn take(&mut self, shown: &str, mark: char, number: Option<u64>, line: &[u8]) -> bool {
        if SHOWN_BYTES < self.lines.len() {
            self.is_cut = true;
            return false;
        }
        let number = number.unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let line = text::cut(line.trim_end(), LINE_BYTES);
        self.lines.push_str(&format!("{shown}{mark}{number}{mark}{line}\n"));
        true
    }

    fn told(&self, shown: &str) -> String {
        let mut told = self.lines.clone();
        if self.matches == 0 {
            told.push_str(&format!("[no match in {}]\n", text::folder(shown)));
        }
        if self.is_cut {
            let matches = text::count(self.matches, "match");
            told.push_str(&format!(
                "[the first {matches}; a longer pattern, a path or a glob shows the rest]\n"
            ));
        }
        if 0 < self.skipped_files {
            let files = text::count(self.skipped_files, "file");
            told.push_str(&format!("[{files} not searched: unreadable or too large]\n"));
        }
        told.truncate(told.trim_end().len());
        told
    }
}

/// Takes what is found in one file.
struct FileSink<'a> {
    shown: &'a str,
    found: &'a mut Found,
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, it: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if self.found.matches == self.found.most {
            self.found.is_cut = true;
            return Ok(false);
        }
        self.found.matches += 1;
        Ok(self.found.take(self.shown, ':', it.line_number(), it.bytes()))
    }

    fn context(&mut self, _: &Searcher, it: &SinkContext<'_>) -> Result<bool, io::Error> {
        // What would stand before a match that is not shown.
        let is_cut = *it.kind() == SinkContextKind::Before && self.found.matches == self.found.most;
        Ok(is_cut || self.found.take(self.shown, '-', it.line_number(), it.bytes()))
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        if self.found.matches < self.found.most {
            self.found.lines.push_str("--\n");
        }
        Ok(true)
    }
}
