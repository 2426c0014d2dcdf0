use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use super::*;

/// Reads a file of two chunks, calls `meanwhile` after the first, and returns what came of it.
fn read_while(meanwhile: impl Fn(&Path)) -> Result<Option<Stat>, FileError> {
    let keep = TempDir::new().unwrap();
    // The way to a temporary folder may go through a link.
    let path = fs::canonicalize(keep.path()).unwrap();
    let file = path.join("a");
    fs::write(&file, "x".repeat(2 * CHUNK_BYTES)).unwrap();
    // Long ago, lest a change come in the same tick of the clock.
    let opened = fs::File::options().write(true).open(&file).unwrap();
    let now = opened.metadata().unwrap().modified().unwrap();
    opened.set_modified(now - Duration::from_secs(60)).unwrap();
    let folder = Folder::open(&path).unwrap();
    let mut chunks = 0;
    read(&folder, "a".as_ref(), 3 * CHUNK_BYTES as u64, "a", |_| {
        chunks += 1;
        if chunks == 1 {
            meanwhile(&file);
        }
    })
}

fn aside(file: &Path) -> PathBuf {
    file.with_file_name("b")
}

/// SI-12: whatever happens to the file while it is read, two versions are not mixed.
#[test]
fn a_file_that_changes_while_it_is_read_is_not_delivered() {
    let longer = "y".repeat(2 * CHUNK_BYTES + 1);
    let changes: [&dyn Fn(&Path); 4] = [
        // In place, at the same length.
        &|file| {
            let mut options = fs::File::options();
            let mut file = options.write(true).open(file).unwrap();
            std::io::Write::write_all(&mut file, b"y").unwrap();
        },
        &|file| fs::write(file, &longer).unwrap(),
        // Another file with the same bytes.
        &|file| {
            fs::copy(file, aside(file)).unwrap();
            fs::rename(aside(file), file).unwrap();
        },
        &|file| fs::rename(file, aside(file)).unwrap(),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        // On Windows a file that is open is neither replaced nor renamed.
        if cfg!(unix) || at < 2 {
            let read = read_while(change);
            assert!(matches!(read, Err(FileError::Changed { .. })), "{at}: {read:?}");
        }
    }
    assert!(read_while(|_| {}).unwrap().is_some());
}

/// CL-7: a file that grows is not followed over the limit.
#[test]
fn a_file_that_grows_while_it_is_read_is_too_large() {
    let read = read_while(|file| fs::write(file, "y".repeat(4 * CHUNK_BYTES)).unwrap());
    assert!(matches!(read, Err(FileError::TooLarge { .. })), "{read:?}");
}
