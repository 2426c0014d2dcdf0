//! Streamed text that no commit has yet.

use std::fs;

use protocol::TurnId;
use session::{Commit, ScratchText, SessionReader};

use crate::fixture::{Fixture, assistant, commit, committed, message};

fn texts(reader: &SessionReader) -> Vec<(String, String, String)> {
    let found = reader.scratch_text().unwrap().into_iter();
    found.map(|it| (it.message.to_string(), it.text, it.reasoning)).collect()
}

fn text(of: &str, text: &str, reasoning: &str) -> (String, String, String) {
    (of.to_owned(), text.to_owned(), reasoning.to_owned())
}

/// JR-2: the commit of the message removes it, in the same transaction.
#[test]
fn streamed_text_is_there_until_its_message_is_committed() {
    let home = Fixture::new();
    let mut log = home.create();
    let reader = home.reader();
    for (said, thought) in [("", "hm"), ("He", "hm"), ("Hello", "hmm"), ("Hello", "hmm")] {
        log.scratch(TurnId(2), &message("m_1"), said, thought).unwrap();
        assert_eq!(texts(&reader), [text("m_1", said, thought)], "another process sees it");
    }
    let turn = TurnId(2);
    let whole = ScratchText {
        turn,
        message: message("m_1"),
        text: "Hello".to_owned(),
        reasoning: "hmm".to_owned(),
    };
    drop(log);
    let mut log = home.open();
    assert_eq!(log.reader().scratch_text().unwrap(), [whole]);
    let clear_scratch = Some(message("m_1"));
    let records = vec![committed("m_1", "Hello"), assistant("Hello")];
    log.commit(Commit { clear_scratch, ..commit(2, records) }).unwrap();
    assert_eq!(texts(log.reader()), []);
}

#[test]
fn streamed_text_is_what_was_given_last_however_it_changed() {
    let home = Fixture::new();
    let mut log = home.create();
    let mut put = |of, said, thought| log.scratch(TurnId(0), &message(of), said, thought).unwrap();
    put("m_1", "abc", "");
    put("m_1", "abd", "");
    put("m_1", "a", "r");
    put("m_1", "ab", "");
    put("m_2", "other", "");
    put("m_1", "abc", "");
    put("m_1", "abcd", "");
    put("m_2", "other words", "x");
    let both = [text("m_1", "abcd", ""), text("m_2", "other words", "x")];
    assert_eq!(texts(log.reader()), both);

    let clear = |of| Commit { clear_scratch: Some(message(of)), ..commit(0, Vec::new()) };
    log.commit(clear("m_2")).unwrap();
    assert_eq!(texts(log.reader()), [text("m_1", "abcd", "")]);
    log.scratch(TurnId(0), &message("m_2"), "other words again", "x").unwrap();
    assert_eq!(texts(log.reader())[1], text("m_2", "other words again", "x"));
}

/// A power cut may lose streamed text and nothing else: what is not synced stays in the journal.
#[test]
fn streamed_text_never_moves_the_journal_into_the_store() {
    let home = Fixture::new();
    let mut log = home.create();
    let before = fs::read(home.store()).unwrap();
    let mut said = String::new();
    for _ in 0..64 {
        said.push_str(&"y".repeat(128 << 10));
        log.scratch(TurnId(0), &message("m_1"), &said, "").unwrap();
    }
    let journal = home.folder.join(format!("{}.sqlite-wal", home.id));
    let journal_bytes = fs::metadata(journal).unwrap().len();
    assert!(
        (8 << 20..10 << 20).contains(&journal_bytes),
        "each part goes in once: {journal_bytes}"
    );
    assert_eq!(fs::read(home.store()).unwrap(), before);
    assert_eq!(texts(log.reader()), [text("m_1", &said, "")]);
}
