//! Folders and files that cannot be written, and who may look into them.

use std::{
    env, fs,
    os::unix::{fs::MetadataExt as _, fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::Command,
};

use protocol::{Limits, SessionId, UnixSeconds};
use session::{SessionError, SessionLog, SessionReader, list};

use crate::{
    fixture::{Fixture, all_events, commit, names, notice, started},
    kills::kill_after,
};

const FOLDER: &str = "SESSION_TEST_UNWRITABLE";
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Names this program so that a user who may not look into its folder can start it.
fn own_program() -> PathBuf {
    let itself = PathBuf::from("/proc/self/exe");
    if itself.exists() { itself } else { env::current_exe().unwrap() }
}

/// Runs one of the tests below over a folder, as a user whom the permissions bind.
fn run_bound(test: &str, home: &Fixture) {
    let outside = home.folder.parent().unwrap();
    set_mode(outside, 0o755);
    let mut command = Command::new(own_program());
    command.args(["--exact", test]).env(FOLDER, &home.folder);
    if fs::metadata(outside).unwrap().uid() == 0 {
        for name in names(&home.folder) {
            std::os::unix::fs::chown(home.folder.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        std::os::unix::fs::chown(&home.folder, Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().unwrap();
    set_mode(&home.folder, 0o700);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn bound_folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(Into::into)
}

fn home_with_a_session() -> Fixture {
    let home = Fixture::new();
    home.create().commit(commit(0, vec![started(0, "hello"), notice()])).unwrap();
    home
}

#[test]
fn a_session_is_for_its_owner_alone() {
    let home = home_with_a_session();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!((mode(&home.folder), mode(&home.store())), (0o700, 0o600));
}

/// SM-5, JR-6: it says so before anything is spent, and it can be read all the same.
#[test]
fn a_session_in_a_folder_that_cannot_be_written_is_read_and_says_so() {
    let home = home_with_a_session();
    set_mode(&home.folder, 0o500);
    run_bound("unwritable::bound_in_a_still_folder", &home);
    let names = home.names();
    assert_eq!(names.len(), 2, "{names:?}");
    home.open();
}

#[test]
fn bound_in_a_still_folder() {
    let Some(folder) = bound_folder() else { return };
    let (id, limits) = (SessionId::from_bits(1), Limits::default());
    let reader = SessionReader::open(&folder, &id).unwrap();
    assert_eq!(all_events(&reader).len(), 2);
    assert_eq!(reader.owner(), None);
    assert_eq!(list(&folder).unwrap()[0].title, "hello");
    let log = SessionLog::open(&folder, id, &limits);
    assert!(matches!(log, Err(SessionError::NotWritable { .. })), "{log:?}");
    let new = SessionId::from_bits(2);
    let log = SessionLog::create(&folder, new, "/w", &[], UnixSeconds(1), &limits);
    assert!(matches!(log, Err(SessionError::NotWritable { .. })), "{log:?}");
    set_mode(&folder, 0o700);
    SessionLog::open(&folder, SessionId::from_bits(1), &limits).unwrap();
}

/// SM-4: the journal that a killed writer left is read too, where nothing can be put in order.
#[test]
fn what_a_killed_writer_left_is_read_in_a_folder_that_cannot_be_written() {
    let home = Fixture::new();
    kill_after(&home.folder, 7, 0);
    set_mode(&home.folder, 0o500);
    run_bound("unwritable::bound_beside_a_journal", &home);
}

#[test]
fn bound_beside_a_journal() {
    let Some(folder) = bound_folder() else { return };
    let journal = folder.join("s_0000000000000001.sqlite-wal");
    assert!(fs::metadata(journal).unwrap().len() != 0);
    let reader = SessionReader::open(&folder, &SessionId::from_bits(1)).unwrap();
    assert!(7 <= all_events(&reader).len());
    assert_eq!(list(&folder).unwrap()[0].unreadable, None);
}

/// JR-6: so does one whose file alone cannot be written.
#[test]
fn a_file_that_cannot_be_written_says_so() {
    let home = home_with_a_session();
    set_mode(&home.store(), 0o400);
    run_bound("unwritable::bound_at_a_still_file", &home);
}

#[test]
fn bound_at_a_still_file() {
    let Some(folder) = bound_folder() else { return };
    let id = SessionId::from_bits(1);
    let log = SessionLog::open(&folder, id.clone(), &Limits::default());
    assert!(matches!(log, Err(SessionError::NotWritable { .. })), "{log:?}");
    assert_eq!(all_events(&SessionReader::open(&folder, &id).unwrap()).len(), 2);
}

/// A file that may not even be looked at is told apart from one that is not there.
#[test]
fn a_file_that_cannot_be_read_says_so() {
    let home = home_with_a_session();
    set_mode(&home.store(), 0o000);
    run_bound("unwritable::bound_at_a_closed_file", &home);
}

#[test]
fn bound_at_a_closed_file() {
    let Some(folder) = bound_folder() else { return };
    let id = SessionId::from_bits(1);
    let reader = SessionReader::open(&folder, &id);
    assert!(matches!(reader, Err(SessionError::Store { .. })), "{reader:?}");
    let entry = list(&folder).unwrap().remove(0);
    assert!(entry.unreadable.unwrap().contains("unable to open"));
    let log = SessionLog::open(&folder, id, &Limits::default());
    assert!(matches!(log, Err(SessionError::NotWritable { .. })), "{log:?}");
}
