//! What a person reads in a terminal: the answer as it comes, a line per step, and the result.

use std::fmt::Write as _;

use host::Unfinished;
use protocol::{
    AskReason, CheckKind, CheckQualifier, CheckStatus, CompletionReceipt, Coverage, Decision,
    Delta, EventKind, Feed, FileChangeKind, JobState, MessageId, Notice, PermissionId, ResultNote,
    SessionEvent, ToolCallStatus, TurnFile, TurnId, TurnOutcome, Verification,
};

use crate::{
    ending,
    reads::{Lines, Rows},
};

/// Turns frames into text, and knows what of a message was printed already.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    streamed: Option<Streamed>,
    /// Whether the last thing printed ended its line.
    mid_line: bool,
    /// The turn whose end is the end of the program.
    own: Option<TurnId>,
    reads: Lines,
    /// In place of those lines, where they can be written anew.
    rows: Option<Rows>,
}

/// What was printed of a message that is not committed yet.
#[derive(Debug)]
struct Streamed {
    message: MessageId,
    bytes: usize,
    next_part: u32,
}

impl Printer {
    /// Prints a run of this turn: its last line says what the exit code is about.
    pub(crate) fn of_run(turn: TurnId) -> Self {
        Self { own: Some(turn), ..Self::default() }
    }

    /// Prints a run of this turn to a terminal whose last lines can be written anew.
    pub(crate) fn with_rows(turn: TurnId) -> Self {
        Self { rows: Some(Rows::default()), ..Self::of_run(turn) }
    }

    /// Returns the rows that stand below what was printed. A line that is not ended has none.
    pub(crate) fn rows(&self, columns: usize) -> Vec<String> {
        match &self.rows {
            Some(rows) if !self.mid_line => rows.fitted(columns),
            Some(_) | None => Vec::new(),
        }
    }

    /// Returns what to print for a frame.
    pub(crate) fn frame(&mut self, frame: &Feed) -> String {
        match frame {
            Feed::Delta(delta) => self.delta(delta),
            Feed::Event(event) => self.event(event),
        }
    }

    fn delta(&mut self, delta: &Delta) -> String {
        let before = self.printed(&delta.message);
        let next = match &self.streamed {
            Some(it) if it.message == delta.message => it.next_part,
            Some(_) | None => 0,
        };
        // After a gap a frame holds all of the text so far (AN-4).
        let (fresh, bytes) = if next == delta.part {
            (delta.text.as_str(), before + delta.text.len())
        } else {
            (delta.text.get(before..).unwrap_or_default(), delta.text.len().max(before))
        };
        let (message, next_part) = (delta.message.clone(), delta.part.saturating_add(1));
        self.streamed = Some(Streamed { message, bytes, next_part });
        self.text(fresh)
    }

    fn printed(&self, message: &MessageId) -> usize {
        match &self.streamed {
            Some(it) if it.message == *message => it.bytes,
            Some(_) | None => 0,
        }
    }

    fn event(&mut self, event: &SessionEvent) -> String {
        let text = match &event.kind {
            EventKind::MessageCommitted { message, text, interrupted, .. } => {
                let rest = text.text.get(self.printed(message)..).unwrap_or_default();
                let rest = self.text(rest);
                return if *interrupted { rest + &self.line("[interrupted]") } else { rest };
            }
            EventKind::ToolFinished {
                tool, title, status, exit_code, refusal, failure, ..
            } => {
                let mut text = format!("{} {} {}", mark(*status), plain(tool), plain(&title.text));
                if let Some(code) = exit_code {
                    write!(text, " (exit {code})").expect("a String takes any text");
                }
                match (refusal, failure) {
                    (Some(it), _) => {
                        write!(text, ": {}", plain(&it.recovery)).expect("a String takes any text");
                    }
                    (None, Some(it)) if exit_code.is_none() => {
                        write!(text, ": {}", plain(&it.message)).expect("a String takes any text");
                    }
                    (None, _) => {}
                }
                text
            }
            EventKind::JobChanged { job, title, state, exit_code, .. } => {
                let code = exit_code.map(|code| format!(" (exit {code})")).unwrap_or_default();
                format!("[{job} {}] {}{code}", standing(*state), plain(&title.text))
            }
            EventKind::ReadStatusChanged { status } => {
                let line = match &mut self.rows {
                    Some(rows) => rows.take(status),
                    None => self.reads.take(status),
                };
                match line {
                    Some(line) => line,
                    None => return String::new(),
                }
            }
            EventKind::Notice { notice } => notice_text(*notice).to_owned(),
            EventKind::TurnDone { outcome, receipt } => {
                let end = if self.own == Some(event.turn) {
                    ending::line_of_run(outcome, receipt)
                } else {
                    ending::line(outcome)
                };
                let mut reads = self.rows.as_mut().map(Rows::end).unwrap_or_default().join("\n");
                if !reads.is_empty() {
                    reads.push('\n');
                }
                format!("{reads}{}\n{end}", result(outcome, receipt))
            }
            EventKind::TurnStarted { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::PermissionAsked { .. }
            | EventKind::PermissionAnswered { .. }
            | EventKind::UsageReported { .. } => return String::new(),
        };
        self.line(&text)
    }

    /// Returns what is said of a turn whose record is not whole.
    pub(crate) fn incomplete(&mut self) -> String {
        self.line(notice_text(Notice::RecordIncomplete))
    }

    /// Returns the last line of a run whose turn went on out of sight.
    pub(crate) fn end_not_seen(&mut self) -> String {
        self.line("the end of this turn was not seen; `evident show` has what is stored of it")
    }

    /// Returns what is known of a turn that has no end yet.
    pub(crate) fn unfinished(&mut self, rest: &Unfinished) -> String {
        let mut text: String = rest.streamed.iter().map(|it| self.text(it)).collect();
        let open = if rest.owner.is_some() { "[running]" } else { "[unknown]" };
        for (tool, title) in &rest.open_calls {
            text.push_str(&self.line(&format!("{open} {} {}", plain(tool), plain(title))));
        }
        let end = match &rest.owner {
            Some(owner) => format!("[this turn is not over: {} is writing it]", plain(owner)),
            None if !rest.is_whole => notice_text(Notice::RecordIncomplete).to_owned(),
            None => {
                "[this turn was cut off: the program ended. The next prompt in this session closes it; \
                 nothing is run again]"
                    .to_owned()
            }
        };
        text + &self.line(&end)
    }

    /// Returns the model's text, whose control characters are shown and do nothing.
    fn text(&mut self, text: &str) -> String {
        if !text.is_empty() {
            self.mid_line = !text.ends_with('\n');
        }
        let keeps = |it: char| matches!(it, '\n' | '\t');
        text.chars().map(|it| if keeps(it) { it.to_string() } else { shown(it) }).collect()
    }

    /// Puts text on lines of its own.
    fn line(&mut self, text: &str) -> String {
        let lead = if std::mem::take(&mut self.mid_line) { "\n" } else { "" };
        format!("{lead}{text}\n")
    }
}

/// Shows a control character as what it is, so that it does nothing to the terminal.
fn shown(it: char) -> String {
    if it.is_control() { it.escape_unicode().to_string() } else { it.to_string() }
}

/// Returns a name for a line of the host's own: nothing in it can begin another line, act on the
/// terminal, or be there without being seen.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .map(|it| if is_hidden(it) { it.escape_unicode().to_string() } else { shown(it) })
        .collect()
}

/// Whether a character shows nothing, or turns round what stands beside it.
fn is_hidden(it: char) -> bool {
    matches!(
        it,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

fn mark(status: ToolCallStatus) -> &'static str {
    match status {
        ToolCallStatus::Completed => "[done]",
        ToolCallStatus::Failed => "[failed]",
        ToolCallStatus::Rejected => "[refused]",
        ToolCallStatus::Cancelled => "[not started]",
        ToolCallStatus::Interrupted => "[stopped]",
        ToolCallStatus::Unknown => "[unknown]",
        ToolCallStatus::Pending | ToolCallStatus::AwaitingPermission | ToolCallStatus::Running => {
            "[open]"
        }
    }
}

fn standing(state: JobState) -> &'static str {
    match state {
        JobState::Running => "runs in the background",
        JobState::Ended => "ended",
        JobState::Stopped => "was ended",
        JobState::Unknown => "unknown: it may still run",
    }
}

fn notice_text(notice: Notice) -> &'static str {
    match notice {
        Notice::TurnRecovered => {
            "[the program had ended during this turn; what it had done until then is below]"
        }
        Notice::RecordIncomplete => {
            "[a part of this turn's record is not here: what it did then, and how it ended, is not known]"
        }
        Notice::AnswerEmpty => "[the model answered nothing; send a message to ask again]",
        Notice::AnswerCut => "[the answer ended at the provider's output limit]",
        Notice::AnswerFiltered => "[the provider withheld the answer, or part of it]",
        Notice::NobodyToAsk => {
            "[denied: nobody is there to ask; --approve all allows, or run it in a terminal]"
        }
        Notice::ReasoningMissing => "[the provider wants reasoning back that it did not send]",
    }
}

/// Returns a turn's result as a person reads it: its files, its checks, the lines of AN-24.
fn result(outcome: &TurnOutcome, receipt: &CompletionReceipt) -> String {
    let mut lines = vec![String::new()];
    changes(receipt, &mut lines);
    lines.extend(receipt.verifications.iter().map(check));
    // Nobody can say that there was none (CL-6).
    if *outcome == TurnOutcome::Unknown && receipt.verifications.is_empty() {
        lines.push("checks unknown".to_owned());
    }
    for note in &receipt.notes {
        match note {
            ResultNote::NoRecordedCheck => lines.push("no recorded check".to_owned()),
            // Said by the changes' own line.
            ResultNote::NoNetChanges => {}
            ResultNote::WritesRefused { count: 1 } => lines.push("1 write refused".to_owned()),
            ResultNote::WritesRefused { count } => lines.push(format!("{count} writes refused")),
            ResultNote::LastCheckIsOld => {
                lines.push("the last check is older than the last change".to_owned());
            }
        }
    }
    lines.join("\n")
}

/// Says what changed. Not known, known in part, and nothing are three different lines (UI-4).
fn changes(receipt: &CompletionReceipt, lines: &mut Vec<String>) {
    let Some(diff) = &receipt.diff else {
        return lines.push("changes unknown".to_owned());
    };
    let (n, added, removed) = (diff.total_files, diff.added, diff.removed);
    let files = if n == 1 { "1 file" } else { &*format!("{n} files") };
    lines.push(match (diff.coverage, n) {
        (Coverage::Unknown, _) => "changes unknown".to_owned(),
        (Coverage::Complete, 0) => "no net changes".to_owned(),
        (Coverage::Partial, 0) => "incomplete: what changed is not fully known".to_owned(),
        (Coverage::Complete, _) => format!("{files} changed, +{added} -{removed}"),
        (Coverage::Partial, _) => format!("{files} counted, +{added} -{removed}, partial"),
    });
    lines.extend(diff.files.iter().map(file));
    if diff.files.len() < diff.total_files as usize {
        lines.push(format!("  and {} more", diff.total_files as usize - diff.files.len()));
    }
    for gap in &diff.reasons {
        let about =
            gap.path.as_deref().map(|path| format!(": {}", plain(path))).unwrap_or_default();
        lines.push(format!("  not accounted for: {}{about}", word(&gap.reason)));
    }
}

fn file(file: &TurnFile) -> String {
    let kind = match file.kind {
        FileChangeKind::Create => "A",
        FileChangeKind::Modify => "M",
        FileChangeKind::Delete => "D",
    };
    let what = if file.binary {
        "binary".to_owned()
    } else if file.mode_only {
        "mode only".to_owned()
    } else if file.uncounted {
        "lines unknown".to_owned()
    } else {
        format!("+{} -{}", file.added, file.removed)
    };
    format!("  {kind} {}  {what}", plain(&file.path))
}

fn check(check: &Verification) -> String {
    let status = match check.status() {
        CheckStatus::Failed if check.stale => "failed, older than the last change",
        CheckStatus::Failed => "failed",
        CheckStatus::Interrupted => "interrupted",
        CheckStatus::Stale => "passed, older than the last change",
        CheckStatus::Unknown => "unknown",
        CheckStatus::Passed => "passed",
    };
    let mut facts: Vec<String> =
        check.exit_code.map(|code| format!("exit {code}")).into_iter().collect();
    facts.extend(
        check.counts.map(|it| {
            format!("{} passed, {} failed, {} skipped", it.passed, it.failed, it.skipped)
        }),
    );
    if check.kind == CheckKind::Unclassified {
        facts.push("unclassified: what it runs could not be read".to_owned());
    }
    facts.extend(check.qualifiers.iter().map(|it| qualifier(*it).to_owned()));
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join("; ")) };
    format!("check {status}: {}{facts}", plain(&check.command.text))
}

/// What weakens a check's status, with its word (CH-2).
fn qualifier(qualifier: CheckQualifier) -> &'static str {
    match qualifier {
        CheckQualifier::MaskedExit => "masked_exit: it can end with 0 although the check failed",
        CheckQualifier::SharedExit => "shared_exit: the exit code may be another command's",
        CheckQualifier::NoTests => "no_tests: the runner says that it ran none",
        CheckQualifier::Filtered => "filtered: a part of the tests only",
        CheckQualifier::Unfinished => "unfinished: it still ran when the turn ended",
    }
}

/// Returns the stable word of a closed set, as it stands on the wire.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|it| it.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// A question for the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) permission: PermissionId,
    /// The command, or the path, stands alone on its lines.
    pub(crate) text: String,
    /// Not all of what it asks for is here, so nobody can say yes to it.
    pub(crate) is_cut: bool,
}

impl Question {
    /// Returns the question that an event asks, if it asks one.
    pub(crate) fn of(event: &SessionEvent) -> Option<Self> {
        let EventKind::PermissionAsked { permission, subject, folder, reason, .. } = &event.kind
        else {
            return None;
        };
        let why = match reason {
            AskReason::ReadOnlyPreset => {
                "Write this file? The read-only preset asks for each write."
            }
            AskReason::Guarded => {
                "Write this file? Git or Evident goes by it, and may run what it names."
            }
            AskReason::NoSandbox => "Run this command? It may write, and no sandbox holds it.",
        };
        let place =
            if folder.is_empty() { String::new() } else { format!(" In {}:", plain(folder)) };
        let lines = subject.text.split('\n').map(plain).collect::<Vec<_>>().join("\n    ");
        let text =
            format!("\n{why}{place}\n\n    {lines}\n\n[y] once  [s] for this session  [n] no: ");
        Some(Self { permission: permission.clone(), text, is_cut: subject.is_cut() })
    }
}

/// Reads an answer to a question.
pub(crate) fn decision(line: &str) -> Decision {
    match line.trim() {
        "y" | "Y" | "yes" => Decision::AllowOnce,
        "s" | "S" => Decision::AllowSession,
        _ => Decision::Deny,
    }
}
