//! Lists a folder, or the files below it that match a pattern.

use workspace::{Place, WalkEntry, Workspace};

use crate::{pattern::PathPattern, text};

/// A listing that would be made.
#[derive(Debug)]
pub struct Listing {
    /// The folder it is of.
    pub(crate) folder: Place,
    /// What it lists.
    pub(crate) wanted: Wanted,
    /// Most entries that are listed (AN-15).
    pub(crate) most: usize,
}

/// What a listing lists.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// The files below the folder whose path matches.
    Matching(PathPattern),
    /// What is in the folder itself.
    Entries,
}

impl Listing {
    /// Makes the listing, as the model gets it. Blocks; ends early, with what it has, once
    /// `stopped` says so.
    pub fn run(&self, workspace: &Workspace, stopped: &dyn Fn() -> bool) -> String {
        let (mut listed, mut total) = (Vec::new(), 0);
        let entries = match self.wanted {
            Wanted::Matching(_) => workspace.walk(&self.folder),
            Wanted::Entries => workspace.list(&self.folder),
        };
        for entry in entries {
            if stopped() {
                break;
            }
            if let Some(line) = self.line(&entry) {
                total += 1;
                if listed.len() < self.most {
                    listed.push(line);
                }
            }
        }
        if total == 0 {
            return self.nothing();
        }
        if self.most < total {
            let next = match self.wanted {
                Wanted::Matching(_) => "a longer pattern or a path shows the rest",
                Wanted::Entries => "glob with this path and a pattern shows the rest",
            };
            listed.push(format!("[{} of {total} shown; {next}]", self.most));
        }
        listed.join("\n")
    }

    fn line(&self, entry: &WalkEntry) -> Option<String> {
        let below = below(&self.folder, entry);
        match &self.wanted {
            Wanted::Matching(pattern) => {
                let wanted = !entry.is_folder() && pattern.matches(below);
                wanted.then(|| entry.shown().to_owned())
            }
            Wanted::Entries if entry.is_folder() => Some(format!("{below}/")),
            Wanted::Entries => Some(format!("{below}  {}", entry.size_bytes())),
        }
    }

    fn nothing(&self) -> String {
        let folder = text::folder(self.folder.shown());
        match &self.wanted {
            Wanted::Matching(pattern) => {
                format!("[no file in {folder} matches {}]", pattern.as_str())
            }
            Wanted::Entries => format!("[{folder} is empty]"),
        }
    }
}

/// Returns the path of an entry below the folder that is walked.
pub(crate) fn below<'a>(folder: &Place, entry: &'a WalkEntry) -> &'a str {
    // A walk goes by the folder's real path; that of the workspace itself is a dot.
    let base = folder.link_target().unwrap_or(folder.shown());
    let rest = entry.shown().strip_prefix(base).and_then(|it| it.strip_prefix('/'));
    rest.unwrap_or(entry.shown())
}
