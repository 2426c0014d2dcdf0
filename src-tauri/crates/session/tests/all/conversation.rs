//! Whole texts, found by the id that an event shows.

use protocol::{CappedText, EVENT_TEXT_BYTES, EventKind, ModelMessage};
use session::{MessageText, Record};

use crate::fixture::{
    Fixture, assistant, call, call_made, commit, committed, finished, gap, message, notice,
    started, told, user,
};

/// AN-2: an event has the first 16 KiB, and the rest is pulled.
#[test]
fn a_message_is_found_whole_by_its_id() {
    let home = Fixture::new();
    let mut log = home.create();
    let long = |of: &str| of.repeat(EVENT_TEXT_BYTES);
    // The event may stand before the message it announces, or after it.
    log.commit(commit(0, vec![started(0, "p"), user("p")])).unwrap();
    log.commit(commit(0, vec![committed("m_1", &long("one")), assistant(&long("one"))])).unwrap();
    log.commit(commit(0, vec![assistant(&long("two")), committed("m_2", &long("two"))])).unwrap();
    log.commit(commit(1, vec![notice(), committed("m_3", "three"), assistant("three")])).unwrap();

    for reader in [log.reader(), &home.reader()] {
        for (id, text) in [("m_1", long("one")), ("m_2", long("two")), ("m_3", "three".to_owned())]
        {
            let found = reader.message_text(&message(id)).unwrap();
            assert_eq!(found, Some(MessageText { text, reasoning: Some("so".to_owned()) }), "{id}");
        }
        assert_eq!(reader.message_text(&message("m_4")).unwrap(), None);
        assert_eq!(reader.message_text(&message("m_")).unwrap(), None);
    }
}

/// CL-6: a part is never shown as the whole.
#[test]
fn a_message_that_only_its_event_has_is_whole_or_unknown() {
    let home = Fixture::new();
    let mut log = home.create();
    let thought = Record::Event(EventKind::MessageCommitted {
        message: message("m_2"),
        text: CappedText::cut("short"),
        reasoning: Some(CappedText::cut(&"t".repeat(2 * EVENT_TEXT_BYTES))),
        interrupted: true,
    });
    log.commit(commit(0, vec![committed("m_1", "short"), thought])).unwrap();
    let whole = MessageText { text: "short".to_owned(), reasoning: None };
    assert_eq!(log.reader().message_text(&message("m_1")).unwrap(), Some(whole));
    assert_eq!(log.reader().message_text(&message("m_2")).unwrap(), None);
}

/// AN-2: `tool_detail` has the whole arguments and the whole output.
#[test]
fn a_call_is_found_whole_while_it_runs_and_after() {
    let home = Fixture::new();
    let mut log = home.create();
    let arguments = format!(r#"{{"command":"{}"}}"#, "a".repeat(100 << 10));
    let output = "o".repeat(200 << 10);
    log.commit(commit(0, vec![call_made("c_1", &arguments), call_made("c_2", "{}")])).unwrap();
    let detail = |log: &session::SessionLog, id| log.reader().tool_detail(&call(id)).unwrap();
    let running = detail(&log, "c_1").unwrap();
    assert_eq!((&running.arguments, running.output), (&arguments, None));

    log.commit(commit(0, vec![finished("c_2", "two"), told("c_2", "two")])).unwrap();
    log.commit(commit(0, vec![told("c_1", &output), finished("c_1", &output)])).unwrap();
    log.commit(commit(1, vec![call_made("c_3", "{}"), notice()])).unwrap();
    let ended = detail(&log, "c_1").unwrap();
    assert_eq!((&*ended.tool, ended.arguments, ended.output), ("bash", arguments, Some(output)));
    assert_eq!(detail(&log, "c_2").unwrap().output.as_deref(), Some("two"));
    assert_eq!(detail(&log, "c_3").unwrap().output, None);
    assert_eq!(detail(&log, "c_4"), None);
    assert_eq!(detail(&log, "m_1"), None);
}

/// SM-9: only the model's own records are sent.
#[test]
fn nothing_local_reaches_the_provider_visible_view() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![started(0, "p"), user("p"), gap("a"), notice()])).unwrap();
    let sent = log.reader().model_messages().unwrap();
    assert_eq!(sent, [ModelMessage::User { text: "p".to_owned() }]);
}
