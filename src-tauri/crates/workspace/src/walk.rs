//! What is in a folder, and below it.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use crate::{Place, PlaceKind, Workspace};

/// The entries of a folder, each once, in the order of their names; what a folder holds follows it.
///
/// `.git` is left out, and so is what cannot be named or looked at: names that are not Unicode,
/// links that lead nowhere or out of the roots, pipes, sockets, devices, folders without
/// permission. A link that leads to a folder is listed and not entered.
pub struct Walk<'a> {
    workspace: &'a Workspace,
    entries: ignore::Walk,
}

/// One entry of a walk.
#[derive(Clone, Debug)]
pub struct WalkEntry {
    place: Place,
    size_bytes: u64,
}

impl Workspace {
    /// Walks everything below a folder but what Git ignores. Git's rules may stand above the root.
    pub fn walk(&self, from: &Place) -> Walk<'_> {
        let mut builder = WalkBuilder::new(from.absolute());
        builder.hidden(false).ignore(false);
        self.entries(builder)
    }

    /// Lists what a folder holds itself, with what Git ignores.
    pub fn list(&self, folder: &Place) -> Walk<'_> {
        let mut builder = WalkBuilder::new(folder.absolute());
        builder.standard_filters(false).max_depth(Some(1));
        self.entries(builder)
    }

    fn entries(&self, mut builder: WalkBuilder) -> Walk<'_> {
        builder.filter_entry(|entry| !entry.file_name().eq_ignore_ascii_case(".git"));
        builder.sort_by_file_name(|one, other| one.cmp(other));
        Walk { workspace: self, entries: builder.build() }
    }
}

impl Walk<'_> {
    fn entry(&self, found: &DirEntry) -> Option<WalkEntry> {
        let kind = found.file_type().filter(|_| 0 < found.depth())?;
        let place = if kind.is_symlink() {
            self.workspace.place_of_link(found.path())?
        } else if kind.is_dir() {
            self.workspace.place_of(found.path(), PlaceKind::Folder)?
        } else if kind.is_file() {
            self.workspace.place_of(found.path(), PlaceKind::File)?
        } else {
            return None;
        };
        let size_bytes = match place.kind() {
            PlaceKind::File => place.absolute().symlink_metadata().ok()?.len(),
            PlaceKind::Folder => 0,
            PlaceKind::Absent => return None,
        };
        Some(WalkEntry { place, size_bytes })
    }
}

impl Iterator for Walk<'_> {
    type Item = WalkEntry;

    fn next(&mut self) -> Option<WalkEntry> {
        loop {
            // What cannot be looked at comes as an error.
            let Ok(found) = self.entries.next()? else { continue };
            if let Some(entry) = self.entry(&found) {
                return Some(entry);
            }
        }
    }
}

impl WalkEntry {
    /// Returns the entry as a place. That of a link has a link target.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the path as a person sees it.
    pub fn shown(&self) -> &str {
        self.place.shown()
    }

    /// Returns where it is on this machine, links followed.
    pub fn absolute(&self) -> &Path {
        self.place.absolute()
    }

    /// Returns whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.place.kind() == PlaceKind::Folder
    }

    /// Returns the size of a file; 0 for a folder.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }
}
