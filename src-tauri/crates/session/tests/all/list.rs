//! The list of sessions.

use std::fs;

use protocol::{Limits, SessionId, SessionSummary, UnixSeconds};
use session::{Commit, SessionLog, list};

use crate::fixture::{Fixture, commit, names, notice, started, user};

fn make(home: &Fixture, bits: u64, at: u32, prompt: Option<&str>) -> SessionLog {
    let id = SessionId::from_bits(bits);
    let limits = Limits::default();
    let mut log =
        SessionLog::create(&home.folder, id, "/w", &[], UnixSeconds(10), &limits).unwrap();
    if let Some(prompt) = prompt {
        let records = vec![user("context"), started(0, prompt), user(prompt)];
        log.commit(Commit { at: UnixSeconds(at), ..commit(0, records) }).unwrap();
        log.commit(Commit { at: UnixSeconds(at + 1), ..commit(1, vec![notice()]) }).unwrap();
    }
    log
}

/// AN-30: the first line of the first prompt, 60 characters.
#[test]
fn sessions_are_listed_newest_change_first_with_their_titles() {
    let home = Fixture::new();
    drop(make(&home, 1, 50, Some("fix it\nplease")));
    let open = make(&home, 2, 90, Some(&format!("\r\n  {}", "字".repeat(80))));
    drop(make(&home, 3, 0, None));
    let entry = |bits, title: &str, changed_at, turns| SessionSummary {
        session: SessionId::from_bits(bits),
        title: title.to_owned(),
        workspace: "/w".to_owned(),
        created_at: UnixSeconds(10),
        changed_at: UnixSeconds(changed_at),
        turns,
        unreadable: None,
        is_demo: false,
        archived: false,
        copied_from: None,
    };
    let all = [entry(2, &"字".repeat(60), 91, 2), entry(1, "fix it", 51, 2), entry(3, "", 10, 0)];
    assert_eq!(list(&home.folder).unwrap(), all);
    assert_eq!(open.reader().summary().unwrap(), all[0]);
}

/// SM-4: it is there, with its reason, and its file is as it was.
#[test]
fn a_file_that_is_no_session_is_listed_with_the_reason() {
    let home = Fixture::new();
    drop(make(&home, 1, 50, Some("good")));
    let bad = [("s_000000000000000a", &b""[..]), ("s_000000000000000b", &[7; 9000])];
    for (id, bytes) in bad {
        fs::write(home.folder.join(format!("{id}.sqlite")), bytes).unwrap();
    }
    fs::write(home.folder.join("notes.sqlite"), "not ours").unwrap();
    fs::write(home.folder.join("s_000000000000000c.new"), "not finished").unwrap();
    let found = list(&home.folder).unwrap();
    assert_eq!(found.iter().map(|it| &*it.title).collect::<Vec<_>>(), ["good", "", ""]);
    // A second may have begun between the two, and then the later comes first.
    let mut unreadable: Vec<_> = found[1..].iter().collect();
    unreadable.sort_by(|a, b| a.session.cmp(&b.session));
    for (entry, (id, bytes)) in unreadable.into_iter().zip(bad) {
        assert_eq!(entry.session.as_str(), id);
        assert!(entry.unreadable.as_ref().unwrap().contains("is damaged: "), "{entry:?}");
        assert_eq!(fs::read(home.folder.join(format!("{id}.sqlite"))).unwrap(), bytes);
    }
}

/// A session that nobody writes is read from its file alone, whatever the folder is called.
#[test]
fn listing_leaves_nothing_behind() {
    let mut home = Fixture::new();
    home.folder =
        home.folder.join(if cfg!(unix) { "a ?b=c&d#%41+é\\:" } else { "a b=c&d#%41+é" });
    assert_eq!(list(&home.folder).unwrap(), []);
    drop(make(&home, 1, 50, Some("one")));
    let before = names(&home.folder);
    list(&home.folder).unwrap();
    assert_eq!(names(&home.folder), before);
}
