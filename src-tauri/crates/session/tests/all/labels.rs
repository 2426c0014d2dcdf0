//! A title, the archive and the trash.

use std::{fs, path::Path};

use protocol::UnixSeconds;
use rusqlite::Connection;
use session::{Label, SessionError, discard, label, label_open, list};

use crate::fixture::{Fixture, all_events, commit, names, notice, started};

const NOW: UnixSeconds = UnixSeconds(5_000);

fn home_with_a_session() -> Fixture {
    let home = Fixture::new();
    home.create().commit(commit(0, vec![started(0, "fix it\nplease"), notice()])).unwrap();
    home
}

/// Every row of the records, as it is stored.
fn rows(store: &Path) -> Vec<String> {
    let store = Connection::open(store).unwrap();
    let mut select = store
        .prepare("SELECT seq || '|' || at || '|' || kind || '|' || body FROM records")
        .unwrap();
    select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// AN-30, SM-3: another title and the archive are said beside the records; none of those changes,
/// and the session does not count as changed.
#[test]
fn a_title_and_the_archive_change_no_record() {
    let home = home_with_a_session();
    let before = rows(&home.store());
    let put = |it: Label| label(&home.folder, &home.id, &it, NOW).unwrap();
    let named = put(Label::Title(format!("\n  A better one {} \nand more", "x".repeat(80))));
    assert_eq!(named.title, format!("A better one {}", "x".repeat(47)));
    assert_eq!((named.changed_at, named.archived), (UnixSeconds(1_000), false));
    assert!(put(Label::Archived(true)).archived);
    assert_eq!(list(&home.folder).unwrap()[0], label_of(&home, true));
    assert!(!put(Label::Archived(false)).archived);
    let unnamed = put(Label::Title("  ".to_owned()));
    assert_eq!(unnamed.title, "fix it", "the first prompt's again");
    assert_eq!(rows(&home.store()), before);
    home.open().commit(commit(1, vec![notice()])).unwrap();
}

fn label_of(home: &Fixture, archived: bool) -> protocol::SessionSummary {
    protocol::SessionSummary { archived, ..home.reader().summary().unwrap() }
}

/// SM-7, SM-12: a session that was never labelled is as older programs know it; the first label adds
/// a table, which those pass over.
#[test]
fn the_first_label_adds_a_table_and_nothing_before_does() {
    let home = home_with_a_session();
    let tables = || {
        let store = Connection::open(home.store()).unwrap();
        let count = "SELECT count(*) FROM sqlite_schema WHERE name = 'labels'";
        let format = store.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
        (store.query_row(count, [], |row| row.get::<_, u32>(0)).unwrap(), format.unwrap())
    };
    home.open().commit(commit(1, vec![notice()])).unwrap();
    list(&home.folder).unwrap();
    assert_eq!(tables(), (0, 1));
    label(&home.folder, &home.id, &Label::Archived(true), NOW).unwrap();
    assert_eq!(tables(), (1, 1));
}

/// SM-1: whoever else writes the session keeps its title; this process does not keep itself.
#[test]
fn a_session_is_labelled_by_its_writer_and_by_nobody_beside_it() {
    let home = home_with_a_session();
    let mut log = home.open();
    let title = Label::Title("new".to_owned());
    let other = label(&home.folder, &home.id, &title, NOW);
    let Err(error @ SessionError::Busy { .. }) = other else { panic!("{other:?}") };
    assert!(error.to_string().contains("once it is closed there"), "{error}");
    assert_eq!(label_open(&home.folder, &home.id, &title, NOW).unwrap().title, "new");
    log.commit(commit(1, vec![notice()])).unwrap();
    assert_eq!(log.reader().summary().unwrap().title, "new");
}

/// Deleting loses nothing: the file is whole in the trash, and moved back it is the session.
#[test]
fn a_deleted_session_is_whole_in_the_trash_and_can_be_put_back() {
    let home = home_with_a_session();
    let events = all_events(&home.reader());
    let trash = home.folder.parent().unwrap().join("trash");
    let log = home.open();
    let refused = discard(&home.folder, &trash, &home.id);
    assert!(matches!(refused, Err(SessionError::Busy { .. })), "{refused:?}");
    assert_eq!(list(&home.folder).unwrap().len(), 1);
    drop(log);
    // A reader has the file open, so that its journal cannot be taken in. Windows lets nobody move it
    // then.
    let reader = cfg!(unix).then(|| home.reader());
    reader.iter().for_each(|it| drop(all_events(it)));
    let moved = discard(&home.folder, &trash, &home.id).unwrap();
    drop(reader);
    assert_eq!(list(&home.folder).unwrap(), []);
    assert_eq!(names(&home.folder), [""; 0]);
    let again = discard(&home.folder, &trash, &home.id);
    assert!(matches!(again, Err(SessionError::Missing { .. })), "{again:?}");
    fs::rename(moved, home.store()).unwrap();
    assert_eq!(all_events(&home.reader()), events);
    // Deleted again beside one of the same name, it takes another.
    fs::write(trash.join(format!("{}.sqlite", home.id)), "an older one").unwrap();
    let second = discard(&home.folder, &trash, &home.id).unwrap();
    assert_eq!(second, trash.join(format!("{}.2.sqlite", home.id)));
}

/// What stands in the journal alone, because somebody reads, goes into the trash with the store.
#[cfg(unix)]
#[test]
fn what_the_journal_holds_is_in_the_trash_too() {
    let home = home_with_a_session();
    let mut log = home.open();
    let reading = Connection::open(home.store()).unwrap();
    reading.execute_batch("BEGIN; SELECT count(*) FROM records").unwrap();
    log.commit(commit(1, vec![notice()])).unwrap();
    drop(log);
    let events = all_events(&home.reader());
    assert_eq!(events.len(), 3);
    let trash = home.folder.parent().unwrap().join("trash");
    let moved = discard(&home.folder, &trash, &home.id).unwrap();
    assert_eq!(names(&trash).len(), 2);
    drop(reading);
    for (from, ending) in [(moved.clone(), ""), (moved.with_extension("sqlite-wal"), "-wal")] {
        fs::rename(from, home.folder.join(format!("{}.sqlite{ending}", home.id))).unwrap();
    }
    assert_eq!(all_events(&home.reader()), events);
}

/// JR-3: what cannot be read is not thrown away either.
#[test]
fn a_damaged_session_can_be_deleted_and_is_kept_as_it_is() {
    let home = home_with_a_session();
    fs::write(home.store(), [7; 9000]).unwrap();
    let trash = home.folder.parent().unwrap().join("trash");
    let moved = discard(&home.folder, &trash, &home.id).unwrap();
    assert_eq!(fs::read(&moved).unwrap(), [7; 9000]);
    assert_eq!(names(&home.folder), [""; 0]);
}
