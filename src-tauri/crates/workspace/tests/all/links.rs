//! Links, and what is no file, on Unix.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
};

use protocol::Limits;
use rustix::fs::{CWD, FileType, Mode, RenameFlags, mknodat, renameat_with};
use workspace::{FileError, PlaceKind};

use crate::bench::{Bench, open, permit, put, try_permit};

/// SI-10: another mode is another state.
#[test]
fn a_change_of_mode_alone_shows() {
    let bench = Bench::new();
    let path = bench.put("a", "x");
    let before = bench.state("a").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let after = bench.state("a").unwrap();
    assert_eq!(before.fingerprint, after.fingerprint);
    assert_ne!(before, after);
}

/// WB-37: a link resolves to the file's one path, is shown as what it is, and is written through.
#[test]
fn a_link_is_written_through_and_kept() {
    let bench = Bench::new();
    bench.put("real/a", "old");
    symlink("real", bench.root.join("folder")).unwrap();
    symlink("../folder/a", bench.root.join("real/link")).unwrap();
    let place = bench.workspace.resolve("folder/link").unwrap();
    assert_eq!(place.path(), bench.workspace.resolve("real/a").unwrap().path());
    assert_eq!((place.shown(), place.link_target()), ("folder/link", Some("real/a")));
    let applied = bench.write("folder/link", "new").unwrap();
    assert_eq!(applied.shown, "real/a");
    assert_eq!(bench.text("real/a"), "new");
    assert!(fs::symlink_metadata(bench.root.join("real/link")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(bench.root.join("folder")).unwrap().is_symlink());
}

/// A link to what is not there yet names what it would be.
#[test]
fn a_create_through_a_dangling_link_makes_its_target() {
    let bench = Bench::new();
    symlink("new/b", bench.root.join("a")).unwrap();
    let place = bench.workspace.resolve("a").unwrap();
    assert_eq!((place.path().relative(), place.kind()), ("new/b", PlaceKind::Absent));
    drop(bench.write("a", "text").unwrap());
    assert_eq!((bench.text("new/b"), bench.text("a")), ("text".into(), "text".into()));
    // The way back out of a folder that is not there.
    symlink("no/../b", bench.root.join("broken")).unwrap();
    assert!(matches!(bench.workspace.resolve("broken"), Err(FileError::Missing { .. })));
}

/// PM-2: a link out is refused for reads, writes and creates, on every way round.
#[test]
fn a_link_that_leads_out_is_refused() {
    let bench = Bench::new();
    put(&bench.outside, "secret", "theirs");
    bench.put("inner/a", "");
    symlink("../outside/secret", bench.root.join("file")).unwrap();
    symlink(&bench.outside, bench.root.join("folder")).unwrap();
    symlink("folder", bench.root.join("chain")).unwrap();
    symlink("../../outside", bench.root.join("inner/up")).unwrap();
    symlink("../outside/no/such", bench.root.join("dangling")).unwrap();
    symlink("/dev/null", bench.root.join("device")).unwrap();
    let texts = [
        "file",
        "folder",
        "folder/secret",
        "folder/new",
        "folder/new/er",
        "chain/secret",
        "inner/up/secret",
        "dangling",
        "device",
    ];
    for text in texts {
        let refused = bench.workspace.resolve(text);
        assert!(
            matches!(refused, Err(FileError::LinkOutside { shown }) if shown == text),
            "{text}"
        );
    }
    assert!(matches!(bench.workspace.folder(Some("folder")), Err(FileError::LinkOutside { .. })));
    // With the folder added it is no longer outside.
    let workspace = open(&[&bench.root, &bench.outside], &Limits::default());
    let place = workspace.resolve("folder/secret").unwrap();
    assert_eq!(place.path().root().0, 1);
    assert_eq!(workspace.read(&place).unwrap().bytes(), b"theirs");
}

/// A link out and back in ends inside.
#[test]
fn a_link_that_comes_back_in_is_inside() {
    let bench = Bench::new();
    bench.put("a", "text");
    symlink(&bench.root, bench.outside.join("back")).unwrap();
    symlink(bench.outside.join("back/a"), bench.root.join("link")).unwrap();
    let place = bench.workspace.resolve("link").unwrap();
    assert_eq!((place.path().relative(), place.link_target()), ("a", Some("a")));
}

/// CL-7: a circle of links ends.
#[test]
fn a_circle_of_links_leads_nowhere() {
    let bench = Bench::new();
    symlink("b", bench.root.join("a")).unwrap();
    symlink("a", bench.root.join("b")).unwrap();
    symlink(".", bench.root.join("self")).unwrap();
    assert!(
        matches!(bench.workspace.resolve("a"), Err(FileError::LinkCircle { shown }) if shown == "a")
    );
    assert!(bench.workspace.resolve(&"self/".repeat(40)).is_ok());
    assert!(bench.workspace.resolve(&"self/".repeat(41)).is_err());
}

/// PM-2, WB-36: a link that appears between the gate and the write is not written through.
#[test]
fn a_link_that_came_after_the_permit_is_not_followed() {
    let bench = Bench::new();
    let theirs = put(&bench.outside, "a", "theirs");
    bench.put("inner/a", "theirs");
    bench.put("src/a", "theirs");
    bench.put("b", "theirs");
    let permits =
        ["inner/a", "src/a", "inner/new", "b", "c"].map(|text| permit(&bench.workspace, text));
    let [out, aside, out_new, file, file_new] = permits;
    for folder in ["inner", "src"] {
        fs::rename(bench.root.join(folder), bench.root.join(format!("old-{folder}"))).unwrap();
    }
    fs::remove_file(bench.root.join("b")).unwrap();
    symlink(&bench.outside, bench.root.join("inner")).unwrap();
    symlink("old-src", bench.root.join("src")).unwrap();
    symlink(&theirs, bench.root.join("b")).unwrap();
    symlink("old-src/a", bench.root.join("c")).unwrap();
    let refused = |permit| bench.workspace.write(permit, b"ours").unwrap_err();
    assert!(matches!(refused(out), FileError::LinkOutside { shown } if shown == "inner/a"));
    assert!(matches!(refused(out_new), FileError::LinkOutside { .. }));
    assert!(matches!(refused(aside), FileError::Changed { .. }));
    assert!(matches!(refused(file), FileError::LinkOutside { .. }));
    assert!(matches!(refused(file_new), FileError::Appeared { .. }));
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(bench.names(&bench.outside), ["a"]);
    assert_eq!(bench.text("old-src/a"), "theirs");
}

/// PM-2: while a folder is swapped with a link to the outside all the time, nothing comes from
/// there and nothing gets there.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_flickers_never_leads_out() {
    let bench = Bench::new();
    put(&bench.outside, "a", "theirs");
    bench.put("inner/a", "ours");
    let [inner, link] = ["inner", "link"].map(|name| bench.root.join(name));
    symlink(&bench.outside, &link).unwrap();
    let place = bench.workspace.resolve("inner/a").unwrap();
    let work = || {
        let (mut done, mut refused) = (0, 0);
        for round in 0..300 {
            if let Ok(image) = bench.workspace.read(&place) {
                assert_eq!(image.bytes(), b"ours");
            }
            for text in ["inner/a", &format!("inner/new{round}")] {
                let permit = try_permit(&bench.workspace, text);
                match permit.and_then(|it| bench.workspace.write(it, b"ours")) {
                    Ok(_) => done += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        (done, refused)
    };
    let (done, refused) = std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            for _ in 0..2 {
                renameat_with(CWD, &inner, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        }
        worker.join().unwrap()
    });
    assert!(0 < done && 0 < refused, "{done} {refused}");
    assert_eq!(fs::read_to_string(bench.outside.join("a")).unwrap(), "theirs");
    assert_eq!(bench.names(&bench.outside), ["a"]);
}

/// A hard link stays one: the file changes under all its names, and that is said.
#[test]
fn a_hard_linked_file_keeps_its_names() {
    let bench = Bench::new();
    bench.put("a", "old, and longer than the new one");
    fs::hard_link(bench.root.join("a"), bench.root.join("b")).unwrap();
    let place = bench.workspace.resolve("b").unwrap();
    assert_eq!(bench.workspace.read(&place).unwrap().links(), 2);
    let applied = bench.write("b", "new").unwrap();
    assert!(applied.hardlinked);
    assert_eq!((bench.text("a"), bench.text("b")), ("new".into(), "new".into()));
    assert_eq!(fs::metadata(bench.root.join("a")).unwrap().nlink(), 2);
    assert_eq!(applied.after, bench.state("a").unwrap());
}

/// A pipe would be waited for and a device might do something: neither is opened.
#[cfg(target_os = "linux")]
#[test]
fn pipes_sockets_and_devices_are_never_opened() {
    let bench = Bench::new();
    let pipe = bench.root.join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o666), 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.root.join("socket")).unwrap();
    symlink("pipe", bench.root.join("link")).unwrap();
    for name in ["pipe", "socket", "link"] {
        let refused = bench.workspace.resolve(name);
        assert!(matches!(refused, Err(FileError::Special { shown }) if shown == name));
    }
    // One that takes the file's place is refused just so.
    let path = bench.put("a", "old");
    let place = bench.workspace.resolve("a").unwrap();
    let [known, new] = ["a", "b"].map(|text| permit(&bench.workspace, text));
    fs::rename(&pipe, &path).unwrap();
    fs::hard_link(&path, bench.root.join("b")).unwrap();
    assert!(matches!(bench.workspace.read(&place), Err(FileError::Special { .. })));
    assert!(matches!(bench.workspace.state(&place), Err(FileError::Special { .. })));
    assert!(matches!(bench.workspace.write(known, b""), Err(FileError::Changed { .. })));
    assert!(matches!(bench.workspace.write(new, b""), Err(FileError::Appeared { .. })));
}

/// The workspace may itself be reached by a link; its files are the same.
#[test]
fn a_root_may_be_given_by_a_link() {
    let bench = Bench::new();
    bench.put("a", "");
    let link = bench.top.join("link");
    symlink("root", &link).unwrap();
    let workspace = open(&[&link], &Limits::default());
    assert_eq!(workspace.name(), "root");
    for text in ["a", link.join("a").to_str().unwrap(), bench.root.join("a").to_str().unwrap()] {
        let place = workspace.resolve(text).expect(text);
        assert_eq!((place.shown(), place.link_target()), ("a", None));
        assert_eq!(place.absolute(), bench.root.join("a"));
    }
}
