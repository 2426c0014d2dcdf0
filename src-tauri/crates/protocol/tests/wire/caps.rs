//! AN-2: whatever happened, an event is at most 64 KiB and 200 files.

use protocol::{
    AssessmentKind, CappedText, CompletionReceipt, Coverage, Diagnostic, DiagnosticCode,
    EVENT_BYTES, EVENT_FILES, EventKind, FileChangeKind, LineRange, MessageId, RefusedWrite,
    ResultId, Seq, SessionEvent, SessionId, ToolCallId, TurnChanges, TurnFile, TurnId, TurnOutcome,
    UnixSeconds, Verdict,
};

fn capped(kind: EventKind) -> SessionEvent {
    let event = SessionEvent {
        session: SessionId::from_bits(1),
        turn: TurnId(0),
        seq: Seq(1),
        at: UnixSeconds(0),
        kind,
    };
    let event = event.capped();
    let bytes = serde_json::to_string(&event).expect("it is JSON").len();
    assert!(bytes <= EVENT_BYTES, "{bytes} bytes");
    event
}

/// AN-2: a control character takes six bytes of JSON, so 16 KiB of text can be 96 KiB.
#[test]
fn a_text_that_grows_when_escaped_still_fits_and_says_how_long_it_was() {
    let text = CappedText::cut(&"\u{1}".repeat(40_000));
    let event = capped(EventKind::MessageCommitted {
        message: MessageId::minted("m0-0"),
        reasoning: Some(text.clone()),
        text,
        interrupted: false,
    });
    let EventKind::MessageCommitted { text, .. } = event.kind else { panic!("another kind") };
    assert_eq!(text.total_bytes, 40_000);
    assert!(1_000 < text.text.len() && text.is_cut());
}

/// AN-2: the list is cut, the count is not.
#[test]
fn a_result_of_many_files_lists_the_first_and_counts_all() {
    for (files, path) in [(900, "a"), (900, &*"long/".repeat(800))] {
        let file = TurnFile {
            path: path.to_owned(),
            kind: FileChangeKind::Create,
            added: 1,
            removed: 0,
            binary: false,
            mode_only: false,
            uncounted: false,
            unavailable: None,
            level: None,
            call_ids: Vec::new(),
        };
        let refused = RefusedWrite {
            call: ToolCallId::minted("c1"),
            diagnostic: Some(Diagnostic {
                code: DiagnosticCode::FsNotObserved,
                path: path.to_owned(),
                recovery: "read it".to_owned(),
                required_ranges: vec![LineRange::new(0, 9); 64],
                allowed_recovery: Vec::new(),
                retryable: true,
            }),
            failure: None,
        };
        let changes = TurnChanges {
            id: ResultId::minted("0:1"),
            turn: TurnId(0),
            coverage: Coverage::Complete,
            files: vec![file; files],
            total_files: 900,
            added: 900,
            removed: 0,
            levels: Vec::new(),
            reasons: Vec::new(),
        };
        let receipt = CompletionReceipt {
            diff: Some(changes),
            interrupted: false,
            verdict: Verdict::Unknown,
            assessment_kind: AssessmentKind::Facts,
            verifications: Vec::new(),
            refused: vec![refused; 40],
            reads_stopped: Vec::new(),
            notes: Vec::new(),
        };
        let event = capped(EventKind::TurnDone { outcome: TurnOutcome::Completed, receipt });
        let EventKind::TurnDone { receipt, .. } = event.kind else { panic!("another kind") };
        let diff = receipt.diff.expect("it has a result");
        assert!(diff.files.len() <= EVENT_FILES && diff.total_files == 900);
    }
}
