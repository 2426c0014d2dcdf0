//! A file of a result as a picture: from the session's record, whatever the disk holds now.

use std::fs;

use protocol::{
    Coverage, ErrorKind, FileChangeKind, FileSide, Limits, PictureGap, PictureMedia, PictureSide,
    Pictures, PixelSize, ResultId, RootId, SessionId, ToolCallId, TrustLevel, TurnChanges,
    TurnFile, TurnId, UnixSeconds, WorkspacePath,
};
use serde_json::json;
use session::{CapturedState, Commit, LocalRecord, Record, SessionLog, fingerprint};
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{bounded, host, new_session, scripted, turn};

const RED: &str = "<svg width='8' height='6'><rect fill='red'/></svg>\n";
const BLUE: &str = "<svg width='8' height='6'><rect fill='blue'/></svg>\n";
const LINE: &str = "<svg viewBox='0 0 1 1'/>\n";

fn svg(text: &str, pixels: Option<PixelSize>) -> PictureSide {
    let total_bytes = u32::try_from(text.len()).expect("a few");
    PictureSide::Picture { media: PictureMedia::Svg, total_bytes, pixels }
}

fn edits_one_and_makes_one() -> Script {
    let edit = json!({"path": "logo.svg", "old_string": "red", "new_string": "blue"});
    Script::new([
        Reply::call("read_file", json!({"path": "logo.svg"})),
        Reply::call("edit_file", edit)
            .and_call("write_file", json!({"path": "line.svg", "content": LINE}))
            .and_call("write_file", json!({"path": "a.txt", "content": BLUE})),
        Reply::text("one"),
        Reply::call("write_file", json!({"path": "b.txt", "content": "b\n"})),
        Reply::text("two"),
    ])
}

/// TR-26, CL-6: the pictures are those of the turn, byte for byte, when the disk has others.
#[tokio::test]
async fn pictures_are_those_of_the_turn_and_not_of_the_disk() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([("logo.svg", RED)]);
    let server = scripted(edits_one_and_makes_one()).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    turn(&host, &session, &mut opened.follow, "go").await;
    let on_disk = fs::read_to_string(project.path().join("logo.svg")).expect("a file");
    assert_eq!(on_disk, BLUE);
    fs::write(project.path().join("logo.svg"), "<svg/>").expect("the user's");
    fs::remove_file(project.path().join("line.svg")).expect("it was made");

    let pictures =
        async |path: &str| host.pictures(session.clone(), TurnId(0), path.to_owned()).await;
    let bytes = async |path: &str, side| {
        let bytes = host.picture(session.clone(), TurnId(0), path.to_owned(), side).await;
        bytes.map(|it| String::from_utf8(it).expect("UTF-8")).map_err(|error| error.kind())
    };
    let pixels = Some(PixelSize { width: 8, height: 6 });
    let of_logo = Pictures { before: svg(RED, pixels), after: svg(BLUE, pixels) };
    assert_eq!(pictures("logo.svg").await.expect("pictures"), of_logo);
    assert_eq!(bytes("logo.svg", FileSide::Before).await.as_deref(), Ok(RED));
    assert_eq!(bytes("logo.svg", FileSide::After).await.as_deref(), Ok(BLUE));
    let of_line = Pictures { before: PictureSide::Absent, after: svg(LINE, None) };
    assert_eq!(pictures("line.svg").await.expect("pictures"), of_line);
    assert_eq!(bytes("line.svg", FileSide::Before).await, Err(ErrorKind::Missing));
    assert_eq!(bytes("line.svg", FileSide::After).await.as_deref(), Ok(LINE));
    let total_bytes = u32::try_from(BLUE.len()).expect("a few");
    let of_text =
        Pictures { before: PictureSide::Absent, after: PictureSide::Other { total_bytes } };
    assert_eq!(pictures("a.txt").await.expect("it is listed"), of_text);
    assert_eq!(bytes("a.txt", FileSide::After).await, Err(ErrorKind::Missing));
    for path in ["other.svg", "", "../logo.svg"] {
        assert_eq!(pictures(path).await.expect_err("not listed").kind(), ErrorKind::Missing);
        assert_eq!(bytes(path, FileSide::After).await, Err(ErrorKind::Missing));
    }
}

/// TR-29, CL-6: what was removed is unavailable and says so; that there was nothing is still known.
#[tokio::test]
async fn a_picture_that_was_removed_is_unavailable_and_not_absent() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([("logo.svg", RED)]);
    let server = scripted(edits_one_and_makes_one()).await;
    let limits = Limits { detail_turns: 1, ..Limits::default() };
    let writing = bounded(home.path(), &server, limits);
    let mut opened = new_session(&writing, &project).await;
    let session = opened.session.clone();
    for prompt in ["one", "two"] {
        turn(&writing, &session, &mut opened.follow, prompt).await;
    }
    writing.close(&session).await;

    let host = host(home.path(), &server);
    let removed =
        PictureSide::Unavailable { why: PictureGap::Removed, total_bytes: None, pixels: None };
    let cases = [("logo.svg", removed), ("line.svg", PictureSide::Absent)];
    for (path, before) in cases {
        let pictures = host.pictures(session.clone(), TurnId(0), path.to_owned()).await;
        assert_eq!(pictures.expect("it is listed"), Pictures { before, after: removed });
        let side = FileSide::After;
        let error = host.picture(session.clone(), TurnId(0), path.to_owned(), side).await;
        let error = error.expect_err("it was removed");
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.to_string().contains("unavailable"), "{error}");
    }
}

/// CL-7: a picture over the bound says how large it is, and is not handed out.
#[tokio::test]
async fn a_picture_over_the_bound_is_not_handed_out() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([("logo.svg", RED)]);
    let server = scripted(edits_one_and_makes_one()).await;
    let most = RED.len() as u64;
    let host = bounded(home.path(), &server, Limits { picture_bytes: most, ..Limits::default() });
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    turn(&host, &session, &mut opened.follow, "go").await;
    let pixels = Some(PixelSize { width: 8, height: 6 });
    let total_bytes = Some(u32::try_from(BLUE.len()).expect("a few"));
    let after = PictureSide::Unavailable { why: PictureGap::TooLarge, total_bytes, pixels };
    let path = || "logo.svg".to_owned();
    let pictures = host.pictures(session.clone(), TurnId(0), path()).await;
    assert_eq!(pictures.expect("it is listed"), Pictures { before: svg(RED, pixels), after });
    let bytes = host.picture(session, TurnId(0), path(), FileSide::After).await;
    assert_eq!(bytes.expect_err("it is too large").kind(), ErrorKind::Missing);
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR";
    [head, &width.to_be_bytes()[..], &height.to_be_bytes()].concat()
}

/// A picture that is no text, before and after, whatever made the result: its bytes are found by
/// what the result says of them.
#[tokio::test]
async fn a_picture_of_any_sort_is_found_by_what_the_result_says_of_it() {
    let home = tempfile::tempdir().expect("a folder");
    let server = scripted(Script::new([])).await;
    let host = host(home.path(), &server);
    let session = SessionId::from_bits(7);
    let sessions = home.path().join("sessions");
    fs::create_dir_all(&sessions).expect("a folder");
    let (limits, now) = (Limits::default(), UnixSeconds(1));
    let mut log = SessionLog::create(&sessions, session.clone(), "work", &[], now, &limits)
        .expect("a session");
    let changed = [
        ("a.png", FileChangeKind::Modify, Some(png(7, 5)), Some(png(9, 5))),
        ("gone.png", FileChangeKind::Delete, Some(png(1, 1)), None),
    ];
    let mut records = Vec::new();
    let mut files = Vec::new();
    for (path, kind, before, after) in &changed {
        let state = |bytes: &Option<Vec<u8>>| CapturedState {
            fingerprint: bytes.as_deref().map(fingerprint),
            mode: None,
        };
        let (shown, call) = ((*path).to_owned(), ToolCallId::minted("c1"));
        let place = WorkspacePath::new(RootId(0), path).expect("a path");
        let (was, is) = (state(before), state(after));
        let blob = was.fingerprint;
        let of = (place.clone(), call.clone());
        records.push(LocalRecord::Before { path: place, shown, call, before: was, blob });
        records.push(LocalRecord::After { path: of.0, call: of.1, after: is });
        files.push(listed(path, *kind));
    }
    let total_files = u32::try_from(files.len()).expect("two");
    let changes = TurnChanges {
        id: ResultId::minted("0:1"),
        turn: TurnId(0),
        coverage: Coverage::Complete,
        files,
        total_files,
        added: 0,
        removed: 0,
        levels: Vec::new(),
        reasons: Vec::new(),
    };
    records.push(LocalRecord::Frozen { changes, patches: Vec::new() });
    let records = records.into_iter().map(Record::Local).collect();
    let blobs = vec![png(7, 5), png(9, 5), png(1, 1)];
    log.commit(Commit { turn: TurnId(0), at: now, records, blobs, clear_scratch: None })
        .expect("it is stored");

    let pictures = async |path: &str| {
        host.pictures(session.clone(), TurnId(0), path.to_owned()).await.expect("it is listed")
    };
    let side = |width, height| PictureSide::Picture {
        media: PictureMedia::Png,
        total_bytes: 24,
        pixels: Some(PixelSize { width, height }),
    };
    assert_eq!(pictures("a.png").await, Pictures { before: side(7, 5), after: side(9, 5) });
    let gone = Pictures { before: side(1, 1), after: PictureSide::Absent };
    assert_eq!(pictures("gone.png").await, gone);
    for (side, bytes) in [(FileSide::Before, png(7, 5)), (FileSide::After, png(9, 5))] {
        let picture = host.picture(session.clone(), TurnId(0), "a.png".to_owned(), side).await;
        assert_eq!(picture.expect("its bytes"), bytes);
    }
}

fn listed(path: &str, kind: FileChangeKind) -> TurnFile {
    TurnFile {
        path: path.to_owned(),
        kind,
        added: 0,
        removed: 0,
        binary: true,
        mode_only: false,
        uncounted: false,
        unavailable: None,
        level: Some(TrustLevel::Observed),
        call_ids: Vec::new(),
    }
}
