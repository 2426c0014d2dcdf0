//! How much of a turn is accounted for, and why not all of it.

use std::collections::{BTreeMap, btree_map::Entry};

use protocol::{Coverage, Gap, GapReason, ToolCallId};

/// How much of what a turn touched was captured (CP-7). What came of it is [`Coverage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureCoverage {
    /// There are files, and no gap.
    Complete,
    /// There are files, and gaps or before-images that are gone.
    Partial,
    /// There are no files.
    None,
}

/// What a result cannot account for: each reason once for a file, and once for what is about none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reasons(BTreeMap<(GapReason, Option<String>), Option<ToolCallId>>);

impl Reasons {
    /// Adds a gap, unless its reason is there already for its file.
    pub(crate) fn add(&mut self, gap: Gap) {
        if let Entry::Vacant(entry) = self.0.entry((gap.reason, gap.path)) {
            entry.insert(gap.call);
        }
    }

    /// Returns whether a gap like this one is there.
    pub(crate) fn has(&self, reason: GapReason, path: Option<&str>) -> bool {
        self.0.contains_key(&(reason, path.map(str::to_owned)))
    }

    /// Returns whether nothing is missing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what these reasons make of a result (TR-12).
    pub(crate) fn coverage(&self) -> Coverage {
        if self.is_empty() { Coverage::Complete } else { Coverage::Partial }
    }

    /// Returns them in a fixed order.
    pub(crate) fn into_gaps(self) -> Vec<Gap> {
        let gap = |((reason, path), call)| Gap { reason, path, call };
        self.0.into_iter().map(gap).collect()
    }
}
