//! The commands over the same wire as the page's, without a window; and the feed.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use host::Home;
use protocol::{ErrorKind, Feed};
use serde_json::{Value, json};
use tauri::{
    Manager as _, WebviewWindow,
    async_runtime::block_on,
    ipc::{Channel, InvokeResponseBody},
    test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets},
    webview::InvokeRequest,
};
use testkit::{
    Project,
    script::{Reply, Script, ScriptServer},
};

use crate::{
    bindings::handler,
    close::Closing,
    feed::{self, Feeds},
    window,
};

/// The program without its window: the same state, the same commands.
struct Page {
    app: tauri::App<MockRuntime>,
    window: WebviewWindow<MockRuntime>,
}

impl Page {
    fn new(home: &Path) -> Self {
        let home = Home::choose(Some(home.to_owned())).expect("a home");
        let builder = mock_builder()
            .plugin(tauri_plugin_store::Builder::new().build())
            .manage(crate::host(home.clone()))
            .manage(home)
            .manage(Feeds::default())
            .manage(Closing::default())
            .invoke_handler(handler!(MockRuntime));
        let app = builder.build(mock_context(noop_assets())).expect("it is built");
        let window = tauri::WebviewWindowBuilder::new(&app, "main", tauri::WebviewUrl::default());
        let window = window.build().expect("a window");
        Self { app, window }
    }

    /// Calls a command as the page does.
    fn call_raw(&self, name: &str, arguments: Value) -> Result<InvokeResponseBody, Value> {
        let url = if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" };
        let request = InvokeRequest {
            cmd: name.to_owned(),
            callback: tauri::ipc::CallbackFn(0),
            error: tauri::ipc::CallbackFn(1),
            url: url.parse().expect("a URL"),
            body: tauri::ipc::InvokeBody::Json(arguments),
            headers: tauri::http::HeaderMap::new(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&self.window, request)
    }

    fn call(&self, name: &str, arguments: Value) -> Result<Value, Value> {
        Ok(self.call_raw(name, arguments)?.deserialize().expect("it is JSON"))
    }

    fn ok(&self, name: &str, arguments: Value) -> Value {
        self.call(name, arguments).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Waits until something holds, at most 30 s.
fn until(holds: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(30), "it comes in time");
        std::thread::yield_now();
    }
}

/// A channel that keeps what is sent.
fn kept() -> (Channel<Feed>, Arc<Mutex<Vec<Value>>>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&kept);
    let channel = Channel::new(move |body: InvokeResponseBody| {
        into.lock().expect("no panic").push(body.deserialize()?);
        Ok(())
    });
    (channel, kept)
}

/// A turn from the first setting to its patch, by the page's own calls.
#[test]
fn the_page_sets_up_a_provider_runs_a_turn_and_pulls_its_patch_as_bytes() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = Reply::call("write_file", json!({"path": "a.txt", "content": "one\n"}));
    let script = Script::new([write, Reply::text("done")]);
    let server = block_on(ScriptServer::start(script)).expect("a loopback port");
    let page = Page::new(home.path());
    let new = json!({
        "folder": project.path(), "addDirs": [], "preset": "danger-full-access",
    });
    let opened = page.ok("new_session", new);
    let session = &opened["session"];
    let refused = page.call("prompt", json!({"session": session, "text": "go"}));
    assert_eq!(refused.expect_err("nothing is set up")["kind"], "no_provider");

    let setting = json!({"provider": "custom", "baseUrl": server.base_url(), "model": "m"});
    let tried = page.ok("test_provider", json!({"setting": setting, "key": null}));
    assert_eq!((&tried["is"], &tried["models"]), (&json!("answered"), &json!(["scripted"])));
    let view = page.ok("save_provider", json!({"setting": setting}));
    assert_eq!((&view["provider"]["model"], &view["saved"]), (&json!("m"), &json!(true)));
    assert_eq!(page.ok("save_key", json!({"provider": "custom", "key": "sk-1"})), "file");
    assert_eq!(page.ok("settings", json!({}))["key"], "file");

    let (frames, sent) = kept();
    let id = serde_json::from_value(session.clone()).expect("an id");
    let host = page.app.state::<host::Host>();
    let follow = block_on(host.follow(&id, protocol::Seq(0))).expect("it is open");
    let feed = tauri::async_runtime::spawn(feed::forward(follow, frames, Channel::new(|_| Ok(()))));
    let turn = page.ok("prompt", json!({"session": session, "text": "go"}));
    let done = |it: &Value| it["event"]["kind"]["type"] == "turn_done";
    until(|| sent.lock().expect("no panic").iter().any(done));
    let of_turn = json!({"session": session, "turn": turn});
    let result = page.ok("turn_result", of_turn);
    assert_eq!(result["receipt"]["diff"]["files"][0]["path"], "a.txt");
    let of_file = json!({"session": session, "turn": turn, "path": "a.txt"});
    let InvokeResponseBody::Raw(patch) = page.call_raw("patch", of_file).expect("a patch") else {
        panic!("bytes, not JSON");
    };
    assert!(String::from_utf8_lossy(&patch).ends_with("+one\n"));
    let pulled = page.ok("history", json!({"session": session, "before": null, "count": 10}));
    let live: Vec<Value> = sent
        .lock()
        .expect("no panic")
        .iter()
        .map(|it| it["event"].clone())
        .filter(|it| !it.is_null())
        .collect();
    assert_eq!(pulled["turns"][0]["events"], Value::Array(live), "the same rows as live");
    let again = json!({"session": session, "addDirs": [], "preset": "read-only"});
    assert_eq!(page.ok("open_session", again)["session"], *session, "it is open and stays so");
    block_on(host.shutdown());
    block_on(feed).expect("it ended with the session");
}

/// Takes out what differs from one run to the next: ids that are drawn, and times.
fn without_ids_and_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let drawn = ["session", "result", "id", "at", "startedAt", "durationMs"];
            fields.retain(|name, _| !drawn.contains(&&**name));
            fields.values_mut().for_each(without_ids_and_times);
        }
        Value::Array(all) => all.iter_mut().for_each(without_ids_and_times),
        Value::String(text) => {
            if let Some((said, _token)) = text.split_once("[source_token ") {
                *text = said.to_owned();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Everything that a session's file holds of its first turn, by the calls that pull it.
fn stored(host: &host::Host, session: &protocol::SessionId) -> String {
    let turn = protocol::TurnId(0);
    block_on(async {
        let result = host.turn_result(session.clone(), turn).await.expect("a result");
        let files = host.turn_changes(session.clone(), turn, 0).await.expect("files");
        let check = result.receipt.verifications[0].clone();
        let (call, log) = (check.tool_call_id, check.tool_result_id.expect("a log"));
        let log = host.check_log(session.clone(), turn, call, log).await.expect("a log");
        let mut patches = Vec::new();
        for file in &files.files {
            let patch = host.patch(session.clone(), turn, file.path.clone()).await;
            patches.push(String::from_utf8(patch.expect("a patch")).expect("text"));
        }
        let history = host.history(session.clone(), None, 9).await.expect("history");
        let mut all = json!([result, files, log, patches, history]);
        without_ids_and_times(&mut all);
        serde_json::to_string_pretty(&all).expect("JSON")
    })
}

/// HL-8: the same scripted turn leaves the same result, byte for byte, whether the page asks for it
/// or nobody looks.
#[test]
fn a_turns_stored_result_is_the_same_by_the_window_and_headless() {
    let project = || {
        let project = Project::new([("notes.txt", "one\ntwo\n")]);
        project.write(".evident/config.toml", "checks = [\"echo checked\"]\n");
        project
    };
    let script = || {
        let edit = json!({"path": "notes.txt", "old_string": "two", "new_string": "2\nmore"});
        Script::new([
            Reply::text("I look. ").and_call("read_file", json!({"path": "notes.txt"})),
            Reply::call("edit_file", edit.clone())
                .and_call("edit_file", edit)
                .and_call("write_file", json!({"path": "new.txt", "content": "new\n"})),
            Reply::call("bash", json!({"command": "echo checked"})),
            Reply::text("done"),
        ])
    };
    let server = || block_on(ScriptServer::start(script())).expect("a loopback port");

    let (home, folder, model) = (tempfile::tempdir().expect("a folder"), project(), server());
    let page = Page::new(home.path());
    let setting = json!({"provider": "custom", "baseUrl": model.base_url(), "model": "m"});
    page.ok("save_provider", json!({"setting": setting}));
    let new = json!({"folder": folder.path(), "addDirs": [], "preset": "danger-full-access"});
    let session = page.ok("new_session", new)["session"].clone();
    let (frames, sent) = kept();
    let session = serde_json::from_value(session).expect("an id");
    let host = page.app.state::<host::Host>();
    let follow = block_on(host.follow(&session, protocol::Seq(0))).expect("it is open");
    let feed = tauri::async_runtime::spawn(feed::forward(follow, frames, Channel::new(|_| Ok(()))));
    page.ok("prompt", json!({"session": session, "text": "go"}));
    let done = |it: &Value| it["event"]["kind"]["type"] == "turn_done";
    until(|| sent.lock().expect("no panic").iter().any(done));
    block_on(host.shutdown());
    block_on(feed).expect("it ended with the session");
    let by_window = stored(&host, &session);

    let (home, folder, model) = (tempfile::tempdir().expect("a folder"), project(), server());
    let headless = host::Host::new(host::HostOptions {
        home: Home::choose(Some(home.path().to_owned())).expect("a home"),
        clock: host::system_clock(),
        ids: host::random_ids(),
        limits: protocol::Limits::default(),
        provider: host::ProviderChoice {
            provider: None,
            base_url: Some(model.base_url()),
            model: Some("m".to_owned()),
            api_key_env: None,
        },
        approvals: host::Approvals::Nobody,
    });
    let preset = protocol::Preset::DangerFullAccess;
    let session = block_on(async {
        let ready = headless.ready("go", None).await.expect("a provider");
        let options = host::SessionOptions::new(Vec::new(), preset);
        let opened = headless.new_session(&folder.path(), options).await.expect("a session");
        let prompted = headless.prompt_ready(&opened.session, "go".to_owned(), ready).await;
        prompted.expect("it begins");
        let mut follow = opened.follow;
        while let Some(frame) = follow.next().await.expect("readable") {
            let Feed::Event(event) = frame else { continue };
            if matches!(event.kind, protocol::EventKind::TurnDone { .. }) {
                break;
            }
        }
        headless.shutdown().await;
        opened.session
    });
    let by_nobody = stored(&headless, &session);
    assert!(by_window.contains("+more") && by_window.contains("no_match"), "{by_window}");
    let differs = by_window.lines().zip(by_nobody.lines()).find(|(one, other)| one != other);
    assert_eq!(differs, None);
    assert_eq!(by_window.len(), by_nobody.len());
}

#[test]
fn a_typed_path_that_is_no_folder_is_refused_with_its_name() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([("a.txt", "x")]));
    let page = Page::new(home.path());
    for name in ["missing", "a.txt"] {
        let folder = project.path().join(name);
        let new = json!({"folder": folder, "addDirs": [], "preset": "read-only"});
        let error = page.call("new_session", new).expect_err("it is no folder");
        assert_eq!(error["kind"], "bad_request");
        let sentence = format!("{} is not a folder", folder.display());
        assert_eq!(error["message"], sentence.as_str());
    }
    assert_eq!(page.ok("list_sessions", json!({})), json!([]));
}

#[test]
fn a_feed_is_stopped_by_its_number_and_errors_have_a_kind() {
    let home = tempfile::tempdir().expect("a folder");
    let page = Page::new(home.path());
    let demo = page.ok("start_demo", json!({}));
    assert_eq!(demo["prompts"].as_array().map(Vec::len), Some(2));
    assert_eq!(page.ok("demo_prompts", json!({})), demo["prompts"]);
    let listen = json!({
        "session": demo["session"], "after": 0, "frames": "__CHANNEL__:1", "broke": "__CHANNEL__:2",
    });
    let (one, two) = (page.ok("follow", listen.clone()), page.ok("follow", listen));
    assert_ne!(one, two);
    page.ok("unfollow", json!({"feed": one}));
    page.ok("unfollow", json!({"feed": one}));
    let missing = json!({"session": "s_0000000000000001", "before": null, "count": 1});
    let error = page.call("history", missing).expect_err("there is none");
    let error: protocol::CommandError = serde_json::from_value(error).expect("as the host says");
    assert_eq!(error.kind, ErrorKind::Missing);
    assert!(page.call("history", json!({"session": "../x"})).is_err(), "an id is an id");
}

/// Only pages of the web leave the window, and those only by a click.
#[test]
fn no_file_and_no_other_program_is_opened_by_an_address() {
    let home = tempfile::tempdir().expect("a folder");
    let page = Page::new(home.path());
    for url in ["file:///etc/passwd", "javascript:alert(1)", "ssh://host", "/etc/passwd", ""] {
        let error = page.call("open_link", json!({"url": url})).expect_err("it is no page");
        assert_eq!(error["kind"], "bad_request", "{url}");
    }
}

/// AN-7: what the window remembers lies below the home that was named.
#[test]
fn preferences_are_kept_in_the_home_and_survive_a_restart_and_an_older_version() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("window").join("preferences.json");
    let first = Page::new(home.path()).ok("preferences", json!({}));
    assert_eq!(first["theme"], "system");
    let mut chosen = first.clone();
    (chosen["theme"], chosen["language"]) = (json!("dark"), json!("zh-TW"));
    Page::new(home.path()).ok("save_preferences", json!({"preferences": chosen}));
    assert_eq!(Page::new(home.path()).ok("preferences", json!({})), chosen);
    std::fs::write(&file, r#"{"preferences":{"theme":"dark"}}"#).expect("a file");
    let older = Page::new(home.path()).ok("preferences", json!({}));
    assert_eq!((&older["theme"], &older["sidebarOpen"]), (&json!("dark"), &first["sidebarOpen"]));
    std::fs::write(&file, "{").expect("a file");
    assert_eq!(Page::new(home.path()).ok("preferences", json!({})), first);
}

/// AN-30: closing interrupts and freezes, also a command that does not listen, within 5 s.
#[cfg(unix)]
#[test]
fn closing_freezes_what_runs_in_time() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let stubborn = json!({"command": "trap '' TERM; touch started; while :; do sleep 0.05; done"});
    let script = Script::new([Reply::call("bash", stubborn)]);
    let server = block_on(ScriptServer::start(script)).expect("a loopback port");
    let page = Page::new(home.path());
    let setting = json!({"provider": "custom", "baseUrl": server.base_url(), "model": "m"});
    page.ok("save_provider", json!({"setting": setting}));
    let new = json!({"folder": project.path(), "addDirs": [], "preset": "danger-full-access"});
    let session = page.ok("new_session", new)["session"].clone();
    page.ok("prompt", json!({"session": session, "text": "go"}));
    until(|| project.path().join("started").exists());
    let host = page.app.state::<host::Host>();
    block_on(async {
        tokio::time::timeout(Duration::from_secs(5), crate::close::stop(&host)).await
    })
    .expect("it closes in time");
    let of_turn = json!({"session": session, "turn": 0});
    assert_eq!(page.ok("turn_result", of_turn)["outcome"]["is"], "interrupted");
}

/// AN-8: two homes are two programs; one home is one.
#[test]
fn a_home_of_its_own_is_a_program_of_its_own() {
    let identifier = |home: Option<&str>| {
        let mut context = mock_context::<MockRuntime, _>(noop_assets());
        context.config_mut().identifier = "dev.evident.desktop".to_owned();
        let home = Home::choose(home.map(Into::into)).expect("a home");
        window::name_instance(context.config_mut(), &home);
        context.config().identifier.clone()
    };
    assert_eq!(identifier(None), "dev.evident.desktop");
    assert_eq!(identifier(Some("a")), identifier(Some("a")));
    assert_ne!(identifier(Some("a")), identifier(Some("b")));
}
