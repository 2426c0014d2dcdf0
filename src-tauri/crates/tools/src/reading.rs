//! Reads one page of a file.

use evidence::{LineRange, Version};
use protocol::{Limits, ToolFailure, WorkspacePath};
use workspace::{Cut, FileError, Place, Window, Workspace};

use crate::{
    failure::{file_failure, no_page, not_text},
    intent::PlanError,
};

/// A page of a file that would be read.
#[derive(Debug)]
pub struct Reading {
    /// The file, which may be missing.
    pub(crate) place: Place,
    /// The first line, counted from 0.
    pub(crate) offset: u32,
    /// How many lines; as many as a page has if missing.
    pub(crate) limit: Option<u32>,
    pub(crate) limits: Limits,
}

/// What reading a page came to.
#[derive(Debug)]
pub enum ReadOutcome {
    /// The page, perhaps of an empty file.
    Page(ReadPage),
    /// Nothing is there, and that was confirmed (OL-9). The model gets the failure.
    Absent {
        /// The path that leads to nothing.
        path: WorkspacePath,
        /// What the model is told.
        failure: ToolFailure,
    },
}

/// One page of a file, and what the host knows of it.
#[derive(Debug)]
pub struct ReadPage {
    /// The file, links followed.
    pub path: WorkspacePath,
    /// The version of which the page is.
    pub version: Version,
    /// What the model is told, but for the source token.
    pub text: String,
    /// The lines on the page.
    pub lines: LineRange,
    /// Lines of the whole file.
    pub total_lines: u32,
    /// Whether lines follow the page.
    pub has_more: bool,
}

impl Reading {
    /// Reads the page. Blocks.
    ///
    /// # Errors
    ///
    /// [`PlanError::Failed`] if the file cannot be read, is no text, or has a line that is too long.
    /// That nothing is there is an outcome, no error.
    pub fn run(&self, workspace: &Workspace) -> Result<ReadOutcome, PlanError> {
        let Self { place, offset, limit, limits } = self;
        let path = place.path().clone();
        let image = match workspace.read(place) {
            Ok(image) => image,
            Err(error @ FileError::Missing { .. }) => {
                return Ok(ReadOutcome::Absent { path, failure: file_failure(&error) });
            }
            Err(error) => return Err(file_failure(&error).into()),
        };
        let shown = place.shown();
        let file = workspace::decode(image.bytes(), limits).map_err(|why| not_text(why, shown))?;
        let page = workspace::window(file.text(), *offset, *limit, limits)
            .map_err(|error| no_page(&error, shown))?;
        Ok(ReadOutcome::Page(ReadPage {
            path,
            version: Version::Present(image.fingerprint()),
            text: told(&page, *offset, limit.unwrap_or(limits.page_lines)),
            lines: LineRange { first: page.first, end: page.end },
            total_lines: page.total_lines,
            has_more: !page.eof,
        }))
    }
}

/// Returns the page as the model gets it: its lines, and where it ends if that is not the end.
fn told(page: &Window, offset: u32, asked: u32) -> String {
    let Window { numbered, first, end, total_lines, cut, .. } = page;
    if page.is_empty_file() {
        return "[empty file]".to_owned();
    }
    if page.is_past_end() {
        return format!("[no lines: offset {offset} is past the end, line {total_lines}]");
    }
    let from = first + 1;
    match cut {
        None => numbered.clone(),
        Some(Cut::PageLimit) => {
            format!(
                "{numbered}\n[page limit: lines {from}-{end} of {total_lines}; next offset {end}]"
            )
        }
        Some(Cut::SafetyPage) => {
            let wanted = first.saturating_add(asked).min(*total_lines);
            format!(
                "{numbered}\n[safety page: lines {from}-{end} of {total_lines}; next offset {end}, \
                 requested end {wanted}]"
            )
        }
    }
}
