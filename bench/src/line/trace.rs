//! Reads what strace wrote: the bytes and the syncs of the files below one folder.

use std::{collections::BTreeMap, path::Path};

/// The calls that write to a file, and the ones that wait for the disk.
pub(super) const CALLS: &str = "trace=write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,\
                                sync_file_range,msync,syncfs";

/// What was done to the files below the folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) written_bytes: u64,
    pub(super) syncs: u64,
}

/// Adds up a trace of `strace -f -y`, whose lines are `PID CALL(FD<PATH>, …) = RESULT`. A call
/// that another thread came between has two lines; the second has the result and no path.
pub(super) fn totals(trace: &str, folder: &Path) -> Totals {
    let mut totals = Totals::default();
    let mut unfinished: BTreeMap<&str, &str> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let rest = rest.trim_start();
        let call = if rest.starts_with("<...") {
            unfinished.remove(thread).unwrap_or_default()
        } else {
            rest
        };
        if rest.ends_with("<unfinished ...>") {
            unfinished.insert(thread, rest);
            continue;
        }
        let done = rest
            .rsplit_once(" = ")
            .and_then(|(_, result)| result.split_whitespace().next()?.parse::<u64>().ok());
        if let Some(done) = done.filter(|_| file(call).is_some_and(|it| it.starts_with(folder))) {
            if call.contains("sync") {
                totals.syncs += 1;
            } else {
                totals.written_bytes += done;
            }
        }
    }
    totals
}

/// Returns the path of the first argument of `CALL(FD<PATH>…`.
fn file(call: &str) -> Option<&Path> {
    let (_, path) = call.split_once('<')?;
    let (path, _) = path.split_once('>')?;
    Some(Path::new(path))
}

#[test]
fn only_what_happens_below_the_folder_is_added_up() {
    let trace = "\
7  write(5</h/a.db>, \"\"..., 10) = 10
7  pwrite64(5</h/a.db-wal>, \"\"..., 4096, 0 <unfinished ...>
8  fdatasync(6</h/a.db-wal>)          = 0
8  write(3</w/b.txt>, \"\"..., 99)    = 99
7  <... pwrite64 resumed>)            = 4096
8  write(1</dev/null>, \"\"..., 5)    = 5
8  write(9<socket:[12]>, \"\"..., 5)  = 5
7  fsync(5</home>)                    = 0
7  fsync(5</h/a.db>)                  = -1 EIO (Input/output error)
7  writev(5</h/c>, [{iov_base=\"\"..., iov_len=3}, {iov_base=\"\"..., iov_len=4}], 2) = 7
7  +++ exited with 0 +++
";
    let totals = totals(trace, Path::new("/h"));
    assert_eq!(totals, Totals { written_bytes: 10 + 4096 + 7, syncs: 1 });
}
