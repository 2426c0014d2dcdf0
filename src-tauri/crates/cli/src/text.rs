//! What a person reads in a terminal: the answer as it comes, a line per step, and the result.

use std::fmt::Write as _;

use protocol::{
    AskReason, CompletionReceipt, Coverage, Decision, Delta, EventKind, Feed, FileChangeKind,
    MessageId, Notice, ResultNote, SessionEvent, ToolCallStatus, TurnFile, TurnOutcome,
    Verification,
};

/// Turns frames into text, and knows what of a message was printed already.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    streamed: Option<(MessageId, usize)>,
    /// Whether the last thing printed ended its line.
    mid_line: bool,
}

impl Printer {
    /// Returns what to print for a frame.
    pub(crate) fn frame(&mut self, frame: &Feed) -> String {
        match frame {
            Feed::Delta(delta) => self.delta(delta),
            Feed::Event(event) => self.event(event),
        }
    }

    fn delta(&mut self, delta: &Delta) -> String {
        if delta.text.is_empty() {
            return String::new();
        }
        let before = match &self.streamed {
            Some((message, bytes)) if *message == delta.message => *bytes,
            Some(_) | None => 0,
        };
        self.streamed = Some((delta.message.clone(), before + delta.text.len()));
        self.mid_line = !delta.text.ends_with('\n');
        delta.text.clone()
    }

    fn event(&mut self, event: &SessionEvent) -> String {
        let text = match &event.kind {
            EventKind::MessageCommitted { message, text, interrupted, .. } => {
                let printed = match &self.streamed {
                    Some((streamed, bytes)) if streamed == message => *bytes,
                    Some(_) | None => 0,
                };
                let rest = text.text.get(printed..).unwrap_or_default().to_owned();
                self.mid_line = if rest.is_empty() { self.mid_line } else { !rest.ends_with('\n') };
                return if *interrupted { rest + &self.line("[interrupted]") } else { rest };
            }
            EventKind::ToolFinished {
                tool, title, status, exit_code, refusal, failure, ..
            } => {
                let mut text = format!("{} {tool} {}", mark(*status), title.text);
                if let Some(code) = exit_code {
                    write!(text, " (exit {code})").expect("a String takes any text");
                }
                match (refusal, failure) {
                    (Some(it), _) => {
                        write!(text, ": {}", it.recovery).expect("a String takes any text");
                    }
                    (None, Some(it)) if exit_code.is_none() => {
                        write!(text, ": {}", it.message).expect("a String takes any text");
                    }
                    (None, _) => {}
                }
                text
            }
            EventKind::Notice { notice } => notice_text(*notice).to_owned(),
            EventKind::TurnDone { outcome, receipt } => result(outcome, receipt),
            EventKind::TurnStarted { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::PermissionAsked { .. }
            | EventKind::PermissionAnswered { .. }
            | EventKind::UsageReported { .. } => return String::new(),
        };
        self.line(&text)
    }

    /// Puts text on lines of its own.
    fn line(&mut self, text: &str) -> String {
        let lead = if std::mem::take(&mut self.mid_line) { "\n" } else { "" };
        format!("{lead}{text}\n")
    }
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

fn notice_text(notice: Notice) -> &'static str {
    match notice {
        Notice::TurnRecovered => {
            "[the program had ended during this turn; what it had done until then is below]"
        }
        Notice::AnswerCut => "[the answer ended at the provider's output limit]",
        Notice::AnswerFiltered => "[the provider withheld the answer, or part of it]",
        Notice::NobodyToAsk => {
            "[denied: nobody is there to ask; --approve all allows, or run it in a terminal]"
        }
        Notice::ReasoningMissing => "[the provider wants reasoning back that it did not send]",
    }
}

/// Returns a turn's end as a person reads it: how it ended, its files, its checks.
pub(crate) fn result(outcome: &TurnOutcome, receipt: &CompletionReceipt) -> String {
    let mut lines = vec![String::new()];
    match outcome {
        TurnOutcome::Completed => {}
        TurnOutcome::Interrupted => lines.push("Interrupted.".to_owned()),
        TurnOutcome::Failed { failure } => lines.push(format!("Failed: {}", failure.message)),
    }
    changes(receipt, &mut lines);
    lines.extend(receipt.verifications.iter().map(check));
    for note in &receipt.notes {
        match note {
            ResultNote::NoRecordedCheck => lines.push("no recorded check".to_owned()),
            // Said by the changes' own line.
            ResultNote::NoNetChanges => {}
            ResultNote::WritesRefused { count: 1 } => lines.push("1 write refused".to_owned()),
            ResultNote::WritesRefused { count } => lines.push(format!("{count} writes refused")),
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
        let about = gap.path.as_deref().map(|path| format!(": {path}")).unwrap_or_default();
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
    format!("  {kind} {}  {what}", file.path)
}

fn check(check: &Verification) -> String {
    let status = match (check.interrupted, check.passed) {
        (true, _) => "interrupted",
        (false, true) => "passed",
        (false, false) => "failed",
    };
    let stale = if check.stale { ", older than the last change" } else { "" };
    let code = check.exit_code.map(|code| format!(" (exit {code})")).unwrap_or_default();
    format!("check {status}{stale}: {}{code}", check.command.text)
}

/// Returns the stable word of a closed set, as it stands on the wire.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|it| it.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Returns a question for the terminal. The command, or the path, stands alone on its line.
pub(crate) fn question(subject: &str, reason: AskReason) -> String {
    let why = match reason {
        AskReason::ReadOnlyPreset => "Write this file? The read-only preset asks for each write.",
        AskReason::GitFolder => "Write this file? Git goes by it, and may run what it names.",
        AskReason::NoSandbox => "Run this command? It may write, and no sandbox holds it.",
    };
    format!("\n{why}\n\n    {}\n\n[y] once  [s] for this session  [n] no: ", escaped(subject))
}

/// Shows control characters as what they are, so that a command cannot hide a part of itself.
fn escaped(text: &str) -> String {
    text.chars()
        .map(|it| match it {
            '\n' => "\n    ".to_owned(),
            it if it.is_control() => it.escape_unicode().to_string(),
            it => it.to_string(),
        })
        .collect()
}

/// Reads an answer to a question.
pub(crate) fn decision(line: &str) -> Decision {
    match line.trim() {
        "y" | "Y" | "yes" => Decision::AllowOnce,
        "s" | "S" => Decision::AllowSession,
        _ => Decision::Deny,
    }
}
