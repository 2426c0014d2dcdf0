//! Reads of a turn: each goes through the index of what was read, and what the model really got is
//! what the index learns.

use std::{sync::Arc, time::Duration};

use evidence::{Fetch, Hint, Recorded, Room, lines_that_fit, tokens};
use protocol::{
    EventKind, LineRange, ModelCall, ModelMessage, ReadStatus, ReadVerdict, ReceiptId, StoppedRead,
    TurnOutcome, Usage,
};
use serde_json::json;
use session::{LocalRecord, ReadPauseCode, SessionError};
use tools::{ReadOutcome, ReadPage, Reading};

use crate::{
    batch::Done,
    emit::blocking,
    turn::{Reins, Turn},
};

/// What a message takes beside its text, about.
const MESSAGE_TOKENS: u32 = 4;

/// What a turn knows of its reads beside the index.
#[derive(Debug, Default)]
pub(crate) struct TurnReading {
    /// The context window of the turn's model.
    pub(crate) window_tokens: Option<u32>,
    /// What the reads of whole files took (RC-13).
    spent_tokens: u32,
    /// What the last request and its answer took, as the provider counts, and how many messages
    /// that was.
    counted: Option<(u32, usize)>,
    /// The reads that the user stopped.
    pub(crate) stopped: Vec<StoppedRead>,
}

impl TurnReading {
    /// Notes what a request of so many messages took, where the provider says.
    pub(crate) fn note_usage(&mut self, usage: &Usage, messages: usize) {
        if let Some(input) = usage.input_tokens {
            self.counted = Some((input, messages));
        }
    }

    /// Returns what is left of the model's context. Of what was counted and what is estimated the
    /// larger one holds (RC-12).
    fn room(&self, messages: &[ModelMessage]) -> Room {
        let estimate = |some: &[ModelMessage]| some.iter().map(message_tokens).sum::<u32>();
        let counted = self.counted.map_or(0, |(tokens, count)| {
            tokens.saturating_add(estimate(messages.get(count..).unwrap_or_default()))
        });
        Room {
            window_tokens: self.window_tokens,
            visible_tokens: counted.max(estimate(messages)),
            spent_tokens: self.spent_tokens,
        }
    }
}

impl Turn<'_> {
    /// Reads a page, if it may be read.
    pub(crate) async fn read(
        &mut self,
        call: &ModelCall,
        reading: Reading,
    ) -> Result<Done, SessionError> {
        let ask = reading.ask();
        let shown = ask.shown.clone();
        let fetch = match self.agent.evidence.admit(ask) {
            Ok(fetch) => fetch,
            Err(refusal) => return Ok(Done::failed(tools::read_refused(&refusal, &shown))),
        };
        let status = self.agent.evidence.reads().began(&fetch);
        self.show_reads(status);
        self.agent.emitter.flush(self.id).await?;
        let workspace = Arc::clone(&self.agent.workspace);
        let began = self.agent.clock.now();
        let ran = blocking(move || {
            let outcome = reading.run(&workspace, &fetch);
            (outcome, fetch)
        });
        let (outcome, fetch) = ran.await;
        let took = self.agent.clock.now().steady.saturating_sub(began.steady);
        let token = self.agent.ids.receipt();
        Ok(match outcome {
            Ok(ReadOutcome::Page(page)) => {
                if fetch.must_be.is_some_and(|it| page.snapshot != Some(it)) {
                    let status = self.agent.evidence.reads().changed(&fetch);
                    self.show_reads(status);
                    return Ok(Done::failed(tools::source_changed(&shown)));
                }
                let room = if fetch.is_of_whole {
                    self.reading.room(&self.agent.messages)
                } else {
                    Room::default()
                };
                self.delivered((call, token), &fetch, page, (took, room))
            }
            Ok(ReadOutcome::Absent { path, failure }) => {
                self.failed(&fetch);
                self.agent.evidence.absent(path, call.id.clone(), token);
                Done::failed(failure)
            }
            Err(error) => {
                self.failed(&fetch);
                self.not_planned(error)
            }
        })
    }

    fn failed(&mut self, fetch: &Fetch) {
        let status = self.agent.evidence.reads().failed(fetch);
        self.show_reads(status);
    }

    /// Records what the model gets of a page, and says it.
    fn delivered(
        &mut self,
        (call, token): (&ModelCall, ReceiptId),
        fetch: &Fetch,
        mut page: ReadPage,
        (took, room): (Duration, Room),
    ) -> Done {
        let ids = (call.id.clone(), token.clone());
        if self.stands(fetch, &page) {
            let texts = page.texts();
            let seen = page.seen(&texts, took, room);
            let recorded = self.agent.evidence.referred(fetch, ids, &seen);
            self.keep(&page, fetch, call, &recorded);
            return said(&page.referred(&recorded), &token);
        }
        if fetch.is_budgeted
            && let Ok(left) = room.page_tokens()
        {
            let (lines, cost) = lines_that_fit(&page.texts(), page.lines().start, left);
            // A page that had to be cut took all there was.
            let spent = if lines < page.lines().len() { left } else { cost };
            page.shorten(lines);
            self.reading.spent_tokens = self.reading.spent_tokens.saturating_add(spent);
        }
        let room = Room { spent_tokens: self.reading.spent_tokens, ..room };
        let texts = page.texts();
        let seen = page.seen(&texts, took, room);
        let recorded = self.agent.evidence.delivered(fetch, ids, &seen, page.body());
        self.keep(&page, fetch, call, &recorded);
        said(&page.told(&recorded), &token)
    }

    /// Keeps what the host knows of a page, and shows where its read stands.
    fn keep(&mut self, page: &ReadPage, fetch: &Fetch, call: &ModelCall, recorded: &Recorded) {
        let envelope = page.envelope(fetch, &call.id, recorded);
        self.agent.emitter.local([LocalRecord::Read { envelope }], []);
        self.show_reads(recorded.progress.statuses.clone());
    }

    /// Returns whether an earlier result still shows the page to the model, so that it need not be
    /// shown again (RE-31).
    fn stands(&self, fetch: &Fetch, page: &ReadPage) -> bool {
        let Some(snapshot) = page.snapshot.filter(|_| fetch.must_be.is_none()) else {
            return false;
        };
        let lines = page.lines();
        let Some(shown_by) = self.agent.evidence.shown_by(&page.path, snapshot, lines) else {
            return false;
        };
        let result = self.agent.messages.iter().rev().find_map(|message| match message {
            ModelMessage::Tool { call, text, .. } if call == shown_by => Some(text),
            ModelMessage::Tool { .. }
            | ModelMessage::Context { .. }
            | ModelMessage::User { .. }
            | ModelMessage::Assistant { .. } => None,
        });
        !lines.is_empty() && result.is_some_and(|it| page.stands_in(it))
    }

    /// Puts where reads stand into the next commit.
    fn show_reads(&mut self, statuses: impl IntoIterator<Item = ReadStatus>) {
        for status in statuses {
            self.agent.emitter.event(EventKind::ReadStatusChanged { status });
        }
    }

    /// Takes in which reads the user stopped meanwhile (RC-25).
    pub(crate) async fn take_stopped_reads(
        &mut self,
        reins: &mut Reins<'_>,
    ) -> Result<(), SessionError> {
        let mut any = false;
        while let Ok(read) = reins.stopped_reads.try_recv() {
            if let Some((status, stopped)) = self.agent.evidence.reads().stop(&read) {
                self.show_reads([status]);
                self.reading.stopped.push(stopped);
                any = true;
            }
        }
        if any { self.agent.emitter.flush(self.id).await } else { Ok(()) }
    }

    /// Says how a turn ends whose model has answered: the answer is delivered, whatever is owed. Where
    /// a whole file is, the model is told once how to go on, and the turn goes on (RC-18, RC-20).
    pub(crate) async fn ending(
        &mut self,
        reins: &mut Reins<'_>,
    ) -> Result<Option<TurnOutcome>, SessionError> {
        self.take_stopped_reads(reins).await?;
        let (hint, statuses) = self.agent.evidence.reads().hint();
        self.show_reads(statuses);
        if let Some(hint) = hint {
            self.agent.say(ModelMessage::Context { text: told(&hint) });
            return Ok(None);
        }
        let id = format!("{}:{}", self.agent.emitter.session(), self.id);
        if let Some((reads, omitted)) = self.agent.evidence.reads().unfinished() {
            let code = ReadPauseCode::ReadHardStop;
            let pause = LocalRecord::ReadPause { id, code, reads, omitted };
            self.agent.emitter.local([pause], []);
            return Ok(Some(TurnOutcome::IncompleteRead));
        }
        if let Some((reads, omitted)) = self.agent.evidence.reads().partial() {
            let verdict = ReadVerdict::PartialReadSufficient;
            let record = LocalRecord::ReadCompletion { id, verdict, reads, omitted };
            self.agent.emitter.local([record], []);
        }
        Ok(Some(TurnOutcome::Completed))
    }

    /// Ends the reads with the turn (RS-8).
    pub(crate) fn end_reads(&mut self, outcome: &TurnOutcome) {
        let is_stopped = matches!(outcome, TurnOutcome::Interrupted);
        let statuses = self.agent.evidence.reads().end(is_stopped);
        self.show_reads(statuses);
    }
}

/// What a page's call came to: the page, and the token to cite it by.
fn said(page: &str, token: &ReceiptId) -> Done {
    Done::completed(format!("{}\n[source_token {token}]", page.trim_end_matches('\n')))
}

/// Tells the model how to go on with a file that it was to read whole.
fn told(hint: &Hint) -> String {
    let lines: Vec<String> = hint.missing.iter().map(|it| shown_lines(*it)).collect();
    let call = json!({ "path": hint.shown, "cursor": hint.cursor });
    format!(
        "[Written by the host, not by the user] {} is to be read whole, and lines {} of this version \
         ({:?}) were not read. Go on with exactly this call, then answer again: read_file {call}",
        hint.shown,
        lines.join(", "),
        hint.snapshot,
    )
}

/// Names lines as a person counts them.
fn shown_lines(range: LineRange) -> String {
    format!("{}-{}", range.start + 1, range.end)
}

fn message_tokens(message: &ModelMessage) -> u32 {
    let text = match message {
        ModelMessage::Context { text } | ModelMessage::User { text } => tokens(text),
        ModelMessage::Tool { text, .. } => tokens(text),
        ModelMessage::Assistant { text, reasoning, calls } => {
            let reasoning = reasoning.as_ref().map_or(0, |it| tokens(&it.text));
            let calls: u32 = calls.iter().map(|it| tokens(&it.name) + tokens(&it.arguments)).sum();
            tokens(text) + reasoning + calls
        }
    };
    text.saturating_add(MESSAGE_TOKENS)
}
