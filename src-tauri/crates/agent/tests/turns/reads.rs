//! Reads of a turn: windows, cursors, what is owed, and what is kept of it.

use protocol::{
    EventKind, LineRange, ModelMessage, ReadCut, ReadId, ReadIntent, ReadState, ReadStatus,
    ReadStopCode, ReadVerdict, TurnId, TurnOutcome, Usage,
};
use serde_json::{Value, json};
use session::LocalRecord;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig};

/// What the model does when it sees the newest message.
type Move<'a> = Box<dyn Fn(&str) -> Reply + 'a>;

/// Plays a turn, a reply for each request.
async fn play(rig: &mut Rig, moves: Vec<Move<'_>>) -> agent::TurnEnd {
    rig.turn_while("go", Script::waiting(), async |server, _, _| {
        for (request, next) in moves.iter().enumerate() {
            server.seen(request + 1).await.expect("the turn goes on");
            let seen = server.requests()[request].json().expect("a request");
            let messages = seen["messages"].as_array().expect("messages");
            let newest = messages.last().and_then(|it| it["content"].as_str());
            server.answer(request, next(newest.unwrap_or_default()));
        }
    })
    .await
}

fn reads(arguments: Value) -> Move<'static> {
    Box::new(move |_| Reply::call("read_file", arguments.clone()))
}

fn says(text: &'static str) -> Move<'static> {
    Box::new(move |_| Reply::text(text))
}

/// Goes on with the cursor that the newest message prints.
fn goes_on(path: &'static str) -> Move<'static> {
    Box::new(move |newest| {
        Reply::call("read_file", json!({"path": path, "cursor": cursor(newest)}))
    })
}

fn cursor(text: &str) -> String {
    let from = text.find("c2.").unwrap_or_else(|| panic!("no cursor in {text:?}"));
    let word = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
    text[from..].chars().take_while(|it| word(*it)).collect()
}

fn lines(count: u32) -> String {
    (0..count).map(|it| format!("line {it}\n")).collect()
}

fn known_window() -> Choices {
    Choices { vendor: "deepseek", model: "deepseek-v4-flash", ..Choices::default() }
}

fn statuses(rig: &Rig) -> Vec<ReadStatus> {
    let status = |event: protocol::SessionEvent| match event.kind {
        EventKind::ReadStatusChanged { status } => Some(status),
        _ => None,
    };
    rig.events().into_iter().filter_map(status).collect()
}

fn records(rig: &Rig) -> Vec<LocalRecord> {
    rig.reader().local_records(TurnId(0)).expect("records")
}

fn told(rig: &Rig) -> Vec<String> {
    let text = |message: ModelMessage| match message {
        ModelMessage::Tool { text, .. } => Some(text),
        _ => None,
    };
    rig.messages().into_iter().filter_map(text).collect()
}

/// RC-6, RC-20, RE-24, RS-4: a file of 30,000 lines is read to its end by the host's cursors, also
/// where the model would end before; one row says how far it is.
#[tokio::test]
async fn a_whole_file_is_paged_to_its_end_by_cursors() {
    let mut rig = Rig::with(&[("long.txt", &lines(30_000))], known_window()).await;
    let mut moves = vec![reads(json!({"path": "long.txt", "intent": "full"})), goes_on("long.txt")];
    moves.push(says("that is enough"));
    moves.extend((2..15).map(|_| goes_on("long.txt")));
    moves.push(says("all of it"));
    let end = play(&mut rig, moves).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    let seen = statuses(&rig);
    let last = seen.last().expect("a row");
    assert_eq!((last.state, last.verdict), (ReadState::Satisfied, None));
    assert_eq!(last.covered, [LineRange::new(0, 30_000)]);
    assert!(seen.iter().all(|it| it.read_id == last.read_id), "one row");
    assert!(seen.windows(2).all(|it| it[0].seq < it[1].seq));
    let told = told(&rig);
    assert_eq!(told.len(), 15);
    assert!(told[14].starts_with("28001\tline 28000\n"), "{}", &told[14][..40]);
    let messages = rig.messages();
    let hints = messages.iter().filter(|it| matches!(it, ModelMessage::Context { .. })).count();
    assert_eq!(hints, 2, "the session context, and one that says how to go on");
    rig.check_requests();
}

/// OG-7, RC-18: a look at the middle of a long file is one bounded page; it owes nothing and holds
/// nothing up.
#[tokio::test]
async fn a_look_into_a_long_file_owes_nothing() {
    let mut rig = Rig::new(&[("long.txt", &lines(200_000)), ("b.txt", "b\n")]).await;
    let moves = vec![
        reads(json!({"path": "long.txt", "offset": 100_000, "limit": 20})),
        reads(json!({"path": "b.txt"})),
        Box::new(|_: &str| {
            Reply::call("edit_file", json!({"path": "b.txt", "old_string": "b", "new_string": "c"}))
        }),
        says("done"),
    ];
    let end = play(&mut rig, moves).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    assert_eq!(rig.project.read("b.txt"), "c\n");
    assert_eq!(statuses(&rig), []);
    let told = told(&rig);
    assert!(told[0].starts_with("100001\tline 100000\n") && told[0].len() < 1_000, "{}", told[0]);
    assert!(told[0].contains("next offset 100020]"), "{}", told[0]);
    let envelopes: Vec<_> = records(&rig)
        .into_iter()
        .filter_map(|it| match it {
            LocalRecord::Read { envelope } => Some(envelope),
            _ => None,
        })
        .collect();
    let [long, short] = &envelopes[..] else { panic!("{envelopes:?}") };
    assert_eq!(long.delivered_ranges, [LineRange::new(100_000, 100_020)]);
    assert_eq!((long.source.identity, &long.source.snapshot), (None, &None), "SI-5");
    assert_eq!((long.has_more, long.eof, long.source_end), (true, false, None));
    assert!(short.source.snapshot.as_ref().is_some_and(|it| it.starts_with("ss2:")), "SI-7");
    assert!(short.window_digest.starts_with("wd2:") && short.eof && !short.has_cursor);
    let completion = records(&rig).into_iter().find_map(|it| match it {
        LocalRecord::ReadCompletion { verdict, reads, omitted, .. } => {
            Some((verdict, reads, omitted))
        }
        _ => None,
    });
    let (verdict, partial, omitted) = completion.expect("RC-23");
    assert_eq!((verdict, partial.len(), omitted), (ReadVerdict::PartialReadSufficient, 1, 0));
    assert_eq!(partial[0].path, "long.txt");
    rig.check_requests();
}

/// SI-5, DEC-1: a file too large to be identified with each page can be edited after a look at it,
/// and not once it is another.
#[tokio::test]
async fn a_large_file_can_be_edited_after_a_look_at_it() {
    let mut rig = Rig::new(&[("long.txt", &lines(100_000))]).await;
    let edit = |old: &'static str| -> Move<'static> {
        Box::new(move |_| {
            Reply::call(
                "edit_file",
                json!({"path": "long.txt", "old_string": old, "new_string": "changed"}),
            )
        })
    };
    let look = || reads(json!({"path": "long.txt", "offset": 50_000, "limit": 2}));
    let end = play(&mut rig, vec![look(), edit("line 50000"), edit("line 50001"), says("done")]);
    assert_eq!(end.await.outcome, TurnOutcome::Completed);
    assert!(rig.project.read("long.txt").contains("line 49999\nchanged\nchanged\nline 50002"));
    rig.project.write("long.txt", lines(100_000) + "more\n");
    play(&mut rig, vec![edit("line 50002"), says("no")]).await;
    assert!(told(&rig)[3].contains("WRITE_EVIDENCE_STALE"), "{}", told(&rig)[3]);
    play(&mut rig, vec![look(), edit("line 50002"), says("done")]).await;
    assert!(rig.project.read("long.txt").contains("line 50001\nchanged\nline 50003"));
    rig.check_requests();
}

/// B1, RC-18, RC-21, RC-22: a read that paused lets the answer through, ends its turn as incomplete,
/// and is kept once, in one record that licenses nothing.
#[tokio::test]
async fn b1_a_read_that_paused_ends_the_turn_as_incomplete() {
    let mut rig = Rig::with(&[("a.txt", &lines(2_105)), ("b.txt", "b\n")], known_window()).await;
    let again = || reads(json!({"path": "a.txt", "offset": 0, "limit": 2000}));
    let moves = vec![
        reads(json!({"path": "a.txt", "intent": "full"})),
        again(),
        again(),
        again(),
        again(),
        reads(json!({"path": "a.txt", "intent": "full"})),
        reads(json!({"path": "a.txt", "offset": 10, "limit": 3})),
        reads(json!({"path": "b.txt"})),
        says("here is what I know"),
    ];
    let end = play(&mut rig, moves).await;
    assert_eq!(end.outcome, TurnOutcome::IncompleteRead);
    let told = told(&rig);
    assert!(told[5].contains("READ_HARD_STOP"), "{}", told[5]);
    assert!(told[5].contains(r#"{"path":"a.txt","offset":2000,"limit":105}"#), "{}", told[5]);
    let pauses = |rig: &Rig| -> Vec<LocalRecord> {
        let is_pause = |it: &LocalRecord| matches!(it, LocalRecord::ReadPause { .. });
        records(rig).into_iter().filter(is_pause).collect()
    };
    let kept = pauses(&rig);
    let [LocalRecord::ReadPause { reads: paused, omitted: 0, .. }] = &kept[..] else {
        panic!("{kept:?}")
    };
    assert_eq!(paused[0].missing, [LineRange::new(2000, 2105)]);
    assert_eq!(paused[0].reason, Some(ReadStopCode::NoProgress));
    let last = statuses(&rig).pop().expect("a row");
    assert_eq!((last.state, last.verdict), (ReadState::Blocked, Some(ReadVerdict::ReadHardStop)));
    assert_eq!(last.recovery.map(|it| (it.offset, it.limit)), Some((2000, 105)));
    assert!(!last.active);
    rig.restart().await;
    assert_eq!(pauses(&rig), kept, "the same after it is opened again");
    let end = play(
        &mut rig,
        vec![reads(json!({"path": "a.txt", "intent": "full"})), goes_on("a.txt"), says("all")],
    );
    assert_eq!(end.await.outcome, TurnOutcome::Completed, "a message goes on");
    rig.check_requests();
}

/// RE-31, RE-32, RE-33, RE-34: what stands before the model is not sent again, and what does not is.
#[tokio::test]
async fn what_stands_before_the_model_is_not_sent_again() {
    let mut rig = Rig::new(&[("a.txt", "1\n2\n3\n")]).await;
    let whole = || reads(json!({"path": "a.txt"}));
    let part = || reads(json!({"path": "a.txt", "offset": 1, "limit": 1}));
    let edit: Move<'_> = Box::new(|_| {
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "3", "new_string": "4"}))
    });
    let both: Move<'_> = Box::new(|_| {
        Reply::call("read_file", json!({"path": "a.txt"}))
            .and_call("read_file", json!({"path": "a.txt"}))
    });
    play(&mut rig, vec![both, whole(), part(), edit, whole(), whole(), says("done")]).await;
    let is_short = |it: &String| it.starts_with("[unchanged: lines ");
    let told = told(&rig);
    let short: Vec<bool> = told.iter().map(is_short).collect();
    assert_eq!(short, [false, false, true, true, false, false, true], "{told:?}");
    assert!(told[3].starts_with("[unchanged: lines 2-2 of 3 "), "{}", told[3]);
    rig.project.write("a.txt", "another\n");
    play(&mut rig, vec![whole(), says("done")]).await;
    assert!(self::told(&rig)[7].starts_with("1\tanother\n"));
    // A resumed session reads again (OL-11).
    rig.restart().await;
    play(&mut rig, vec![whole(), says("done")]).await;
    assert!(self::told(&rig)[8].starts_with("1\tanother\n"));
    rig.check_requests();
}

/// RE-31, RE-21: a page that need not be repeated still prints what goes on with its read.
#[tokio::test]
async fn a_page_that_is_not_repeated_prints_its_cursor() {
    let mut rig = Rig::with(&[("a.txt", &lines(2_500))], known_window()).await;
    let full = || reads(json!({"path": "a.txt", "intent": "full"}));
    play(&mut rig, vec![reads(json!({"path": "a.txt"})), says("a look")]).await;
    let end = play(&mut rig, vec![full(), goes_on("a.txt"), says("all of it")]).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    let told = told(&rig);
    assert!(told[1].starts_with("[unchanged: lines 1-2000 of 2500 "), "{}", told[1]);
    assert!(told[2].starts_with("2001\tline 2000\n"), "{}", &told[2][..40]);
    rig.check_requests();
}

/// RE-23, RE-24, RE-25: a cursor of another turn, file or version is refused, and nothing is read.
#[tokio::test]
async fn a_cursor_is_for_its_file_version_and_turn_alone() {
    let mut rig =
        Rig::with(&[("a.txt", &lines(5_000)), ("b.txt", &lines(5_000))], known_window()).await;
    let full = || reads(json!({"path": "a.txt", "intent": "full"}));
    let project = rig.project.path();
    let changes: Move<'_> = Box::new(move |newest| {
        std::fs::write(project.join("a.txt"), lines(4_000)).expect("it is ours");
        Reply::call("read_file", json!({"path": "a.txt", "cursor": cursor(newest)}))
    });
    let end = play(
        &mut rig,
        vec![full(), goes_on("b.txt"), full(), changes, full(), goes_on("a.txt"), says("done")],
    );
    assert_eq!(end.await.outcome, TurnOutcome::Completed);
    let told = told(&rig);
    assert!(told[1].starts_with("error: READ_CURSOR_INVALID"), "{}", told[1]);
    assert!(told[3].starts_with("error: READ_SOURCE_CHANGED"), "{}", told[3]);
    let stale: Vec<_> =
        statuses(&rig).into_iter().filter(|it| it.state == ReadState::Stale).collect();
    assert_eq!(stale.iter().map(|it| it.covered.len()).collect::<Vec<_>>(), [0], "RC-7");
    let old = cursor(&told[4]);
    let reuse: Move<'_> =
        Box::new(move |_| Reply::call("read_file", json!({"path": "a.txt", "cursor": old})));
    play(&mut rig, vec![reuse, says("no")]).await;
    assert!(self::told(&rig)[6].starts_with("error: READ_CURSOR_INVALID"));
    rig.check_requests();
}

/// B25, RC-25: a read that the user stops is owed no more, and the receipt says what was left.
#[tokio::test]
async fn b25_a_read_that_the_user_stops_lets_the_turn_complete() {
    let mut rig = Rig::with(&[("a.txt", &lines(2_105))], known_window()).await;
    let end = rig
        .turn_with("go", Script::waiting(), async |server, _, _, stop_read| {
            server.seen(1).await.expect("a request");
            server.answer(0, Reply::call("read_file", json!({"path": "a.txt", "intent": "full"})));
            server.seen(2).await.expect("a request");
            stop_read.send(ReadId::minted("read0-0")).await.expect("the turn listens");
            server.answer(1, Reply::text("done"));
        })
        .await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    let [stopped] = &end.receipt.reads_stopped[..] else { panic!("{:?}", end.receipt) };
    assert_eq!(
        (stopped.path.as_str(), &stopped.missing[..]),
        ("a.txt", &[LineRange::new(2000, 2105)][..])
    );
    let cancelled: Vec<_> =
        statuses(&rig).into_iter().filter(|it| it.state == ReadState::Cancelled).collect();
    assert_eq!(cancelled.len(), 1);
    assert!(!records(&rig).iter().any(|it| matches!(it, LocalRecord::ReadPause { .. })));
}

/// OL-9: that nothing was there is known as a version is: what appeared since is another one.
#[tokio::test]
async fn what_a_read_did_not_find_is_known_to_be_absent() {
    let mut rig = Rig::new(&[]).await;
    let file = rig.project.path().join("a.txt");
    let appears: Move<'_> = Box::new(move |_| {
        std::fs::write(&file, "a\n").expect("it is ours");
        let arguments = json!({"path": "a.txt", "old_string": "a", "new_string": "b"});
        Reply::call("edit_file", arguments)
    });
    play(&mut rig, vec![reads(json!({"path": "a.txt"})), appears, says("no")]).await;
    let told = told(&rig);
    assert!(told[1].contains("WRITE_EVIDENCE_STALE"), "{}", told[1]);
    assert_eq!(rig.project.read("a.txt"), "a\n");
}

/// RS-8: a turn that is stopped cancels each open read with one frame;
/// one that ends by itself leaves the row as it stands.
#[tokio::test]
async fn the_end_of_a_turn_is_told_of_each_open_read() {
    for (is_stopped, expected) in [(true, ReadState::Cancelled), (false, ReadState::NeedsMore)] {
        let mut rig = Rig::with(&[("a.txt", &lines(2_105))], known_window()).await;
        rig.turn_while("go", Script::waiting(), async |server, stop, _| {
            server.seen(1).await.expect("a request");
            server.answer(0, Reply::call("read_file", json!({"path": "a.txt", "intent": "full"})));
            server.seen(2).await.expect("a request");
            if is_stopped {
                return stop.cancel();
            }
            server.answer(1, Reply::text("not all of it"));
            server.seen(3).await.expect("it is told to go on");
            server.answer(2, Reply::text("that is all"));
        })
        .await;
        let frames = statuses(&rig);
        let last = frames.last().expect("a row");
        assert_eq!((last.state, last.active), (expected, false));
        assert_eq!(
            frames.iter().filter(|it| it.state == ReadState::Cancelled).count(),
            usize::from(is_stopped)
        );
        let recovery = last.recovery.map(|it| (it.offset, it.limit));
        assert_eq!(recovery, (!is_stopped).then_some((2000, 105)), "what goes on with it");
    }
}

/// RC-12, RC-13, RC-17, RE-15: a file that is more than the model's context takes pauses with the
/// last line that fits, names what is missing, and holds up nothing else of the turn.
#[tokio::test]
async fn a_file_over_the_budget_pauses_where_it_no_longer_fits() {
    let choices = Choices { vendor: "groq", model: "openai/gpt-oss-120b", ..Choices::default() };
    let mut rig = Rig::with(&[("long.txt", &lines(30_000)), ("b.txt", "b\n")], choices).await;
    let mut moves = vec![reads(json!({"path": "long.txt", "intent": "full"}))];
    // About 5 tokens a line, of 32,768 for all.
    moves.extend((0..3).map(|_| goes_on("long.txt")));
    moves.push(reads(json!({"path": "b.txt"})));
    moves.push(Box::new(|_: &str| {
        Reply::call("edit_file", json!({"path": "b.txt", "old_string": "b", "new_string": "c"}))
    }));
    moves.push(says("as far as it goes"));
    let end = play(&mut rig, moves).await;
    assert_eq!(end.outcome, TurnOutcome::IncompleteRead);
    assert_eq!(rig.project.read("b.txt"), "c\n");
    let last = statuses(&rig).pop().expect("a row");
    assert_eq!((last.state, last.reason), (ReadState::NeedsScope, Some(ReadStopCode::NoHeadroom)));
    let [LineRange { start: 0, end: read }] = last.covered[..] else { panic!("{last:?}") };
    assert_eq!(last.missing, [LineRange::new(read, 30_000)]);
    assert!(
        6_000 < read && read < 8_000,
        "RE-15: it is no page that ends here, but the room: {read}"
    );
    let mut cuts = records(&rig).into_iter().filter_map(|it| match it {
        LocalRecord::Read { envelope } if envelope.intent == ReadIntent::Full => {
            envelope.source_cut_reason
        }
        _ => None,
    });
    assert_eq!(cuts.next_back(), Some(ReadCut::Budget));
    let told = told(&rig);
    let page = &told[3];
    assert!(page.contains(&format!("\n{read}\tline {}\n[page limit: ", read - 1)), "{read}");
    assert!(
        page.contains("[paused: the whole file is not read: "),
        "{}",
        &page[page.len() - 200..]
    );
    rig.check_requests();
}

/// RC-12: what the provider counts holds where it is more than what is estimated.
#[tokio::test]
async fn what_the_provider_counts_takes_room_too() {
    for (counted, expected) in [(700_000, None), (799_000, Some(ReadStopCode::NoHeadroom))] {
        let mut rig = Rig::with(&[("a.txt", &lines(2_100))], known_window()).await;
        let usage = Usage { input_tokens: Some(counted), ..Usage::default() };
        let first: Move<'_> = Box::new(move |_| {
            let full = json!({"path": "a.txt", "intent": "full"});
            Reply::call("read_file", full).usage(usage)
        });
        let mut moves = vec![first, says("that is it")];
        // Where nothing paused it, the model is told once to go on.
        moves.extend(expected.is_none().then(|| says("no more")));
        play(&mut rig, moves).await;
        let paused = statuses(&rig).into_iter().find_map(|it| it.reason);
        assert_eq!(paused, expected, "{counted}");
    }
}

/// RC-12, RC-17: where the model's window is not known, a whole file that needs a second page asks
/// to be narrowed, and one that does not is read.
#[tokio::test]
async fn a_window_that_is_not_known_reads_no_second_page() {
    let mut rig = Rig::new(&[("long.txt", &lines(2_100)), ("short.txt", &lines(100))]).await;
    let full = |path: &'static str| reads(json!({"path": path, "intent": "full"}));
    let end = play(&mut rig, vec![full("short.txt"), full("long.txt"), says("as far as it goes")]);
    assert_eq!(end.await.outcome, TurnOutcome::IncompleteRead);
    let last = statuses(&rig).pop().expect("a row");
    assert_eq!(
        (last.state, last.reason),
        (ReadState::NeedsScope, Some(ReadStopCode::UnknownWindow))
    );
    assert_eq!((last.intent, last.missing), (ReadIntent::Full, vec![LineRange::new(2000, 2100)]));
}

/// RE-2, RE-3: arguments that exclude one another are turned away before anything is read, with the
/// calls that there are.
#[tokio::test]
async fn arguments_that_exclude_one_another_are_named() {
    let mut rig = Rig::new(&[]).await;
    let wrong = [
        json!({"path": "a", "intent": "all"}),
        json!({"path": "a", "intent": "range"}),
        json!({"path": "a", "intent": "full", "offset": 0}),
        json!({"path": "a", "intent": "full", "limit": 5}),
        json!({"path": "a", "cursor": "c2.x", "offset": 5}),
        json!({"path": "a", "cursor": "c2.x", "limit": 5}),
        json!({"path": ""}),
        json!({"path": " "}),
        json!({"intent": "full"}),
    ];
    let mut moves: Vec<Move<'_>> = wrong.iter().map(|it| reads(it.clone())).collect();
    moves.push(says("none"));
    play(&mut rig, moves).await;
    for (told, arguments) in told(&rig).iter().zip(&wrong) {
        assert!(told.starts_with("error: ") && told.contains("path"), "{arguments}: {told}");
        assert!(told.contains("cursor") && told.contains("full"), "{arguments}: {told}");
        assert!(!told.contains("there is no"), "{arguments}: {told}");
    }
}
