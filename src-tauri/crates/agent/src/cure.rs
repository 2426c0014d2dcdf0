//! A refusal opens its own door: the lines that a write lacked come with it, so that the same write
//! can succeed in the next answer (DEC-9).

use std::sync::Arc;

use protocol::{Diagnostic, ModelCall, ToolCallStatus};
use session::SessionError;
use tools::Reading;

use crate::{batch::Done, emit::blocking, turn::Turn};

/// Most ranges of lines that come with a refusal. More of them are for a read to ask for.
const MOST_RANGES: usize = 8;

impl Turn<'_> {
    /// Says what a refused write comes to. Missing lines come with it as an ordinary read of them,
    /// where they are few enough; else the refusal names the read.
    pub(crate) async fn turn_away(
        &mut self,
        call: &ModelCall,
        mut refusal: Diagnostic,
    ) -> Result<Done, SessionError> {
        let mut pages = Vec::new();
        for reading in self.readings(&refusal).await.unwrap_or_default() {
            let done = self.read(call, reading).await?;
            if done.status == ToolCallStatus::Completed {
                pages.push(done.text);
            }
        }
        if pages.is_empty() {
            return Ok(Done::refused(refusal));
        }
        evidence::now_shown(&mut refusal);
        let mut done = Done::refused(refusal);
        for page in pages {
            done.text.push('\n');
            done.text.push_str(&page);
        }
        Ok(done)
    }

    /// Returns the reads of the lines that a refused write lacked, if they are few enough.
    async fn readings(&mut self, refusal: &Diagnostic) -> Option<Vec<Reading>> {
        let limits = Arc::clone(&self.agent.limits);
        let ranges = refusal.required_ranges.clone();
        let lines: u64 = ranges.iter().map(|it| u64::from(it.len())).sum();
        if ranges.is_empty() || MOST_RANGES < ranges.len() || u64::from(limits.cure_lines) < lines {
            return None;
        }
        let (workspace, shown) = (Arc::clone(&self.agent.workspace), refusal.path.clone());
        let look = move || {
            let place = workspace.resolve(&shown).ok()?;
            let reading = |lines| Reading::of_lines(place.clone(), lines, &limits);
            let readings: Vec<Reading> = ranges.into_iter().map(reading).collect();
            let sizes: Option<Vec<usize>> =
                readings.iter().map(|it| it.page_bytes(&workspace)).collect();
            let bytes: usize = sizes?.iter().sum();
            (bytes <= limits.cure_bytes as usize).then_some(readings)
        };
        blocking(look).await
    }
}
