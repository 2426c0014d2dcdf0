//! Sessions from the command line: list, go on, read beside a writer, and what goes wrong.

use serde_json::json;
use testkit::{
    Home, Project,
    script::{Reply, Script},
};

use crate::rig::{arguments, evident, kind, run, scripted};

fn answer() -> Script {
    Script::new([Reply::text("ok")])
}

/// HL-6, AN-30, SM-1.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_gone_on_with() {
    let (home, project, other) = (Home::new(), Project::new([]), Project::new([]));
    run(&home, &project, &scripted(answer()).await, &[], "first words\nand more");
    run(&home, &other, &scripted(answer()).await, &[], "elsewhere");
    let again = run(&home, &project, &scripted(answer()).await, &["--json", "--continue"], "go on");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(again.json()[0]["event"]["turn"], 1, "the second turn of the same session");
    let listed = evident(&home, &project).run(&["sessions", "--json"]).json();
    let titles: Vec<_> =
        listed.iter().map(|it| (it["title"].clone(), it["turns"].clone())).collect();
    assert_eq!(titles, [(json!("first words"), json!(2)), (json!("elsewhere"), json!(1))]);

    // A slip leaves no empty session behind to go on with.
    assert_eq!(evident(&home, &project).run(&["run", "no provider"]).code, Some(2));
    assert_eq!(run(&home, &project, &scripted(answer()).await, &[], "  ").code, Some(2));
    assert_eq!(evident(&home, &project).run(&["sessions"]).lines.len(), 2);

    let fresh = Project::new([]);
    let none = run(&home, &fresh, &scripted(answer()).await, &["--continue"], "go on");
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("leave out --continue"), "{}", none.stderr);
}

/// SM-1, CL-10: a folder has its sessions however it is spelled.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_gone_on_in_however_it_is_spelled() {
    let (home, project, elsewhere) = (Home::new(), Project::new([]), Project::new([]));
    run(&home, &project, &scripted(answer()).await, &[], "one");
    let plain = project.path().display().to_string();
    let spelled = if cfg!(windows) {
        vec![
            plain.to_uppercase(),
            plain.to_lowercase() + "\\",
            plain.replace('\\', "/") + "/",
            format!(r"\\?\{plain}"),
        ]
    } else {
        vec![format!("{plain}/"), format!("{plain}/.//")]
    };
    for (turn, folder) in (1..).zip(&spelled) {
        let words = ["--json", "--continue", "--workspace", folder];
        let again = run(&home, &elsewhere, &scripted(answer()).await, &words, "go on");
        assert_eq!(again.code, Some(0), "{folder}: {}", again.stderr);
        assert_eq!(again.json()[0]["event"]["turn"], json!(turn), "{folder}");
    }
}

/// HL-6, SM-10: found by part of a word, bounded, in words and as JSON; and the index can be made
/// anew, or simply be gone.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_searched_and_the_index_is_made_anew() {
    let (home, project) = (Home::new(), Project::new([]));
    run(&home, &project, &scripted(answer()).await, &[], "请修复解析器");
    run(&home, &project, &scripted(answer()).await, &[], "write the tests");
    let search = |text: &str| evident(&home, &project).run(&["sessions", "--search", text]);
    let found = search("解析");
    assert_eq!((found.code, found.lines.len()), (Some(0), 2), "{}", found.stderr);
    assert_eq!(found.lines[1], "    turn 1, prompt: 请修复解析器");
    let none = search("nowhere");
    assert_eq!((none.code, none.lines.len()), (Some(0), 0));
    assert!(none.stderr.contains("found in no session"), "{}", none.stderr);
    let json = evident(&home, &project).run(&["sessions", "--search", "TEST", "--json"]).json();
    assert_eq!(json[0]["total"], 1);
    assert_eq!(json[0]["hits"][0]["session"]["title"], "write the tests");
    let index = home.path().join("index.sqlite");
    std::fs::write(&index, [7; 9000]).expect("writable");
    let told = evident(&home, &project).run(&["doctor"]).lines.join("\n");
    assert!(told.contains("damaged: `evident doctor --reindex`"), "{told}");
    let told = evident(&home, &project).run(&["doctor", "--reindex"]).lines;
    assert_eq!(told[0], "the index was made anew, of 2 sessions");
    assert!(told.iter().any(|it| it.starts_with("index ") && !it.contains("damaged")), "{told:?}");
    std::fs::remove_file(&index).expect("it is there");
    assert_eq!(search("tests").lines.len(), 2);
}

/// HL-6: what is stored, what is damaged and whether a provider is set up; no content and no key.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_counts_and_tells_nothing_of_what_was_said() {
    let (home, project) = (Home::new(), Project::new([]));
    let fresh = evident(&home, &project).run(&["doctor"]);
    assert_eq!(fresh.code, Some(0), "{}", fresh.stderr);
    assert!(fresh.lines.contains(&"sessions  0 sessions, 0 records, 0 bytes".to_owned()));
    let server = scripted(Script::new([Reply::text("secret answer")])).await;
    run(&home, &project, &server, &[], &format!("secret prompt {}", "x".repeat(40_000)));
    let listed = evident(&home, &project).run(&["sessions", "--json"]).json();
    let session = listed[0]["session"].as_str().expect("an id");
    let store = home.path().join("sessions").join(format!("{session}.sqlite"));
    let mut bytes = std::fs::read(&store).expect("readable");
    let config =
        "[provider]\nname = \"custom\"\nbase_url = \"http://localhost:9/v1\"\nmodel = \"m\"\n";
    std::fs::write(home.path().join("config.toml"), config).expect("writable");
    let sound = evident(&home, &project).env("EVIDENT_API_KEY", "sk-secret").run(&["doctor"]);
    assert_eq!(sound.code, Some(0), "{}", sound.stderr);
    assert!(sound.lines.contains(&"damage    none".to_owned()), "{:?}", sound.lines);
    assert!(sound.lines.iter().any(|it| it.starts_with("provider  ")), "{:?}", sound.lines);
    let half = bytes.len() / 2;
    bytes.truncate(half / 1024 * 1024);
    std::fs::write(&store, &bytes).expect("writable");
    let damaged = evident(&home, &project).run(&["doctor"]);
    assert_eq!(damaged.code, Some(1), "{}", damaged.stderr);
    let said = damaged.lines.join("\n");
    assert!(said.contains(&format!("damage    {session}: ")) && said.contains("--copy"), "{said}");
    for told in [&sound, &damaged] {
        let all = format!("{}{}", told.lines.join("\n"), told.stderr);
        assert!(!all.contains("secret"), "{all}");
    }
    assert_eq!(std::fs::read(&store).expect("readable"), bytes, "it changes nothing");
}

/// HL-7: whatever only reads works while another program writes, and takes nothing from it.
#[tokio::test(flavor = "multi_thread")]
async fn everything_that_only_reads_works_beside_a_writer() {
    let home = Home::new();
    let project = Project::new([(".evident/config.toml", "checks = [\"echo checked\"]\n")]);
    let script = Script::new([
        Reply::call("bash", json!({"command": "echo checked"})),
        Reply::text("first"),
        Reply::text("wait ").and_hold("running").and_text("second"),
    ]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = ["serve", "--stdio", "--base-url", &url, "--model", "scripted"];
    let mut writer = evident(&home, &project).start(&words);
    let line =
        json!({"id": 1, "type": "new_session", "workspace": ".", "preset": "danger-full-access"});
    writer.send(&line);
    let session = writer.reply(1)["ok"]["session"].as_str().expect("an id").to_owned();
    writer.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "needle"}));
    writer.until(|line| kind(line) == "turn_done");
    writer.send(&json!({"id": 3, "type": "prompt", "session": session, "text": "more"}));
    server.reached("running").await.expect("it streams");
    let read = |words: &[&str]| {
        let ran = evident(&home, &project).run(words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ran.lines.join("\n")
    };
    assert!(read(&["sessions"]).contains("2 turns"));
    assert!(read(&["sessions", "--search", "needle"]).contains("turn 1, prompt: needle"));
    assert!(read(&["show", &session]).contains("first"));
    assert!(read(&["log", &session, "1", "1"]).contains("checked"));
    assert!(read(&["doctor"]).contains("damage    none"));
    assert!(read(&["doctor", "--reindex"]).contains("of 1 session"));
    // It has noticed nothing.
    server.release("running");
    let done = writer.until(|line| kind(line) == "turn_done");
    assert_eq!(done["event"]["kind"]["outcome"]["is"], "completed");
    writer.send(&json!({"id": 4, "type": "search", "text": "more"}));
    assert_eq!(writer.reply(4)["ok"]["total"], 1);
    assert_eq!(writer.finish().code, Some(0));
}

/// HL-7, AN-8: one writes, others read; a second writer is told who has it.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_written_by_one_and_read_by_many() {
    let (home, project) = (Home::new(), Project::new([]));
    let held = scripted(Script::new([Reply::text("wait for me").and_hold("never")])).await;
    let url = held.base_url();
    let mut first = evident(&home, &project).start(&arguments(&url, &["--json"], "go"));
    let started = first.until(|line| kind(line) == "turn_started");
    let session = started["event"]["session"].as_str().expect("an id").to_owned();

    let shown = evident(&home, &project).run(&["show", &session, "--json"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert_eq!(shown.json(), [started["event"].clone()]);

    // What is being streamed is read by others as soon as it is put aside (JR-2).
    let reads = std::iter::repeat_with(|| {
        evident(&home, &project).run(&["show", &session]).lines.join("\n")
    });
    let read = reads.take(1000).find(|read| read.contains("wait for me"));
    let read = read.expect("the streamed text");
    assert!(read.contains("[this turn is not over"), "{read}");

    let words = ["--session", &session];
    let second = run(&home, &project, &scripted(answer()).await, &words, "me too");
    assert_eq!(second.code, Some(5), "{}", second.stderr);
    assert!(second.stderr.contains("written by"), "{}", second.stderr);
    first.kill();
    let read = evident(&home, &project).run(&["show", &session]).lines.join("\n");
    assert!(read.contains("wait for me") && read.contains("[this turn was cut off"), "{read}");
    // The lease went with its owner.
    let third = run(&home, &project, &scripted(answer()).await, &words, "now");
    assert_eq!(third.code, Some(0), "{}", third.stderr);
}

/// SM-13, HL-3: `--copy` goes on under a new id, says so, and leaves the original as it is, also
/// while another program writes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_goes_on_and_the_original_is_left_alone() {
    let (home, project) = (Home::new(), Project::new([]));
    let held = scripted(Script::new([Reply::text("wait").and_hold("never")])).await;
    let url = held.base_url();
    let mut first = evident(&home, &project).start(&arguments(&url, &["--json"], "go"));
    let started = first.until(|line| kind(line) == "turn_started");
    let session = started["event"]["session"].as_str().expect("an id").to_owned();
    // What it goes on to do is not in the copy: its end and its checks are unknown there (CL-6).
    let words = ["--session", &session, "--copy"];
    let plain = run(&home, &project, &scripted(answer()).await, &words, "go on");
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    let copy = plain.stderr.split(' ').find(|it| it.starts_with("s_")).expect("the copy's id");
    let shown = evident(&home, &project).run(&["show", copy.trim_end_matches(','), "1"]).lines;
    let tail = &shown[shown.len() - 5..];
    assert!(tail[0].contains("a part of this turn's record is not here"), "{shown:?}");
    assert_eq!(
        tail[1..],
        ["", "changes unknown", "checks unknown", "how the turn ended is unknown"]
    );
    let words = ["--json", "--session", &session, "--copy"];
    let copied = run(&home, &project, &scripted(answer()).await, &words, "go on");
    assert_eq!(copied.code, Some(0), "{}", copied.stderr);
    let lines = copied.json();
    let copy = lines[0]["event"]["session"].as_str().expect("an id");
    assert_ne!(copy, session);
    assert!(copied.stderr.contains(&format!("going on in {copy}, a copy of {session}")));
    assert!(lines.iter().any(|it| kind(it) == "turn_done" && it["event"]["turn"] == 1));
    first.kill();
    let listed = evident(&home, &project).run(&["sessions", "--json"]).json();
    assert_eq!(listed.len(), 3);
    let turns = |id: &str| listed.iter().find(|it| it["session"] == *id).expect("listed").clone();
    assert_eq!((&turns(&session)["turns"], &turns(copy)["turns"]), (&json!(1), &json!(2)));
    assert_eq!(turns(copy)["copiedFrom"], json!(session));
    let alone = evident(&home, &project).run(&["run", "--copy", "go"]);
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
}

/// JR-3, SM-4: a file that was cut off is shown as far as it goes, says so, and goes on in a copy.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_cut_off_is_shown_and_goes_on_in_a_copy() {
    let (home, project) = (Home::new(), Project::new([]));
    let long = "word ".repeat(4_000);
    for prompt in ["first words", &long, &long] {
        let ran = run(&home, &project, &scripted(answer()).await, &["--continue"], prompt);
        if ran.code != Some(0) {
            run(&home, &project, &scripted(answer()).await, &[], prompt);
        }
    }
    let listed = evident(&home, &project).run(&["sessions", "--json"]).json();
    let session = listed[0]["session"].as_str().expect("an id");
    let store = home.path().join("sessions").join(format!("{session}.sqlite"));
    let bytes = std::fs::read(&store).expect("readable");
    let cut = &bytes[..bytes.len() / 2 / 1024 * 1024];
    std::fs::write(&store, cut).expect("writable");
    let shown = evident(&home, &project).run(&["show", session]);
    assert_eq!(shown.code, Some(5), "HL-4: it is not written again: {}", shown.stderr);
    assert!(shown.stderr.contains(&format!("--session {session} --copy")), "{}", shown.stderr);
    let text = shown.lines.join("\n");
    assert!(text.contains("first words") && !text.contains("the program ended"), "{text}");
    assert!(shown.stderr.contains("is damaged, and this is what can be read"), "{}", shown.stderr);
    let refused = run(&home, &project, &scripted(answer()).await, &["--session", session], "on");
    assert_eq!(refused.code, Some(5), "{}", refused.stderr);
    assert!(refused.stderr.contains("--copy"), "{}", refused.stderr);
    let words = ["--session", session, "--copy"];
    let copied = run(&home, &project, &scripted(answer()).await, &words, "on");
    assert_eq!(copied.code, Some(0), "{}", copied.stderr);
    assert!(copied.stderr.contains("is damaged and kept as it is"), "{}", copied.stderr);
    assert_eq!(std::fs::read(&store).expect("readable"), cut);
}

/// SM-4, CL-1: a session whose start is lost is passed over by name, and whoever asks for it is told
/// what works: its file, a backup, a new session; never a copy, which there cannot be.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_without_a_start_is_named_and_so_is_what_works() {
    let (home, project) = (Home::new(), Project::new([]));
    run(&home, &project, &scripted(answer()).await, &[], "old");
    let old = evident(&home, &project).run(&["sessions", "--json"]).json()[0]["session"].clone();
    run(&home, &project, &scripted(answer()).await, &[], "new");
    let listed = evident(&home, &project).run(&["sessions", "--json"]).json();
    let id = listed.iter().find(|it| it["session"] != old).expect("two")["session"].clone();
    let id = id.as_str().expect("an id");
    let store = home.path().join("sessions").join(format!("{id}.sqlite"));
    let mut bytes = std::fs::read(&store).expect("readable");
    bytes[..23].fill(b'x');
    std::fs::write(&store, &bytes).expect("writable");

    let next = run(&home, &project, &scripted(answer()).await, &["--json", "--continue"], "on");
    assert_eq!(next.code, Some(0), "{}", next.stderr);
    assert_eq!(
        (&next.json()[0]["event"]["session"], &next.json()[0]["event"]["turn"]),
        (&old, &json!(1))
    );
    let says_what_works = |told: &str| {
        let file = store.display().to_string();
        assert!(
            told.contains("put that file back from a backup") && told.contains(&file),
            "{told}"
        );
        assert!(!told.contains("--copy"), "{told}");
    };
    assert!(next.stderr.contains(&format!("passed over {id}: ")), "{}", next.stderr);
    says_what_works(&next.stderr);
    // It is older now than what was gone on with.
    let again = run(&home, &project, &scripted(answer()).await, &["--continue"], "on");
    assert_eq!(
        (again.code, again.stderr.contains("passed over")),
        (Some(0), false),
        "{}",
        again.stderr
    );
    for words in [&["--session", id][..], &["--session", id, "--copy"]] {
        let refused = run(&home, &project, &scripted(answer()).await, words, "on");
        assert_eq!(refused.code, Some(5), "{}", refused.stderr);
        says_what_works(&refused.stderr);
    }
    let shown = evident(&home, &project).run(&["show", id]);
    assert_eq!(shown.code, Some(5), "{}", shown.stderr);
    says_what_works(&shown.stderr);
    assert_eq!(std::fs::read(&store).expect("readable"), bytes, "it is kept as it is");
}

/// HL-4: bad usage is 2, and each message says what to do.
#[tokio::test(flavor = "multi_thread")]
async fn bad_usage_says_what_to_do() {
    let (home, project) = (Home::new(), Project::new([]));
    run(&home, &project, &scripted(answer()).await, &[], "one turn");
    let cases: [(&[&str], &str); 11] = [
        (&["run", "hi"], "--base-url"),
        (&["run", "--provider", "nobody", "hi"], "deepseek"),
        (&["run", "--base-url", "http://127.0.0.1:9/v1", "hi"], "--model"),
        (&["run", "--session", "../x", "hi"], "evident sessions"),
        (
            &["run", "--provider", "demo", "--session", "s_0000000000000000", "hi"],
            "no session s_0000000000000000",
        ),
        (
            &["run", "--base-url", "http://h", "--model", "m", "--api-key-env", "NO_SUCH", "hi"],
            "NO_SUCH",
        ),
        (&["run", "--workspace", "/no/such/folder", "--provider", "demo", "hi"], "/no/such/folder"),
        (&["show", "nothing"], "evident sessions"),
        (&["show", "s_", "9"], "no turn 9"),
        (&["run", "--provider", "deepseek", "hi"], "DEEPSEEK_API_KEY"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (words, expected) in cases {
        let ran = evident(&home, &project).run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{words:?}: {}", ran.stderr);
        assert_eq!(ran.lines, [""; 0], "{words:?}");
    }
    assert_eq!(evident(&home, &project).run(&["sessions"]).lines.len(), 1, "none was left behind");
}

/// Settings that cannot be read are named with their place, and nothing is sent.
#[tokio::test(flavor = "multi_thread")]
async fn broken_settings_are_named_with_their_line() {
    let (home, project) = (Home::new(), Project::new([]));
    project.write(".evident/config.toml", "checks = [\"a\"\nnonsense");
    let server = scripted(answer()).await;
    let ran = run(&home, &project, &server, &[], "hi");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("config.toml") && ran.stderr.contains("line 2"), "{}", ran.stderr);
    assert!(server.requests().is_empty());
}

/// HL-2, CL-6: the user's own settings are left aside where flags name the provider; broken ones are
/// named with their line all the same, and the run goes on.
#[tokio::test(flavor = "multi_thread")]
async fn broken_settings_that_are_left_aside_are_named_too() {
    let (home, project) = (Home::new(), Project::new([]));
    let file = home.path().join("config.toml");
    std::fs::write(&file, "[provider]\nnonsense").expect("writable");
    let ran = run(&home, &project, &scripted(answer()).await, &[], "hi");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let says = [&*file.display().to_string(), "line 2", "correct it, or move it away"];
    assert!(says.iter().all(|it| ran.stderr.contains(it)), "{}", ran.stderr);
    std::fs::remove_file(&file).expect("it is there");
    let ran = run(&home, &project, &scripted(answer()).await, &[], "hi");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
}

/// HL-2, PM-10: the key goes into the header, and into nothing that is printed or stored.
#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_sent_and_kept_nowhere() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([
        Reply::call("bash", json!({"command": "env"})),
        Reply::status(401, r#"{"error":{"message":"bad key sk-very-secret"}}"#),
    ]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = ["--json", "--preset", "danger-full-access", "--api-key-env", "MINE"];
    let evident = evident(&home, &project).env("MINE", "sk-very-secret");
    let ran = evident.run(&arguments(&url, &words, "hi"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let sent = server.requests();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-very-secret"));
    assert!(!format!("{:?}{}", ran.lines, ran.stderr).contains("very-secret"), "{:?}", ran.lines);
    for file in std::fs::read_dir(home.path().join("sessions")).expect("sessions") {
        let bytes = std::fs::read(file.expect("a file").path()).expect("readable");
        assert!(!String::from_utf8_lossy(&bytes).contains("very-secret"));
    }
}
