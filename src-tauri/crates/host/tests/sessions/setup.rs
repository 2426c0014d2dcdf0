//! Setting up: a provider is chosen, its key kept, tried, and asked from the next prompt on.

use std::{fs, path::Path};

use host::{Approvals, Host};
use protocol::{
    ErrorKind, EventKind, KeyPlace, ProviderSetting, ProviderTest, SettingsView, TurnFailureCode,
};
use testkit::{
    Project,
    script::{Reply, Script, ScriptServer},
};

use crate::rig::{self, events, new_session, scripted, turn};

const KEY: &str = "sk-secret-0123";

fn bare(home: &Path) -> Host {
    rig::bare(home, Approvals::None)
}

fn custom(server: &ScriptServer, model: &str) -> ProviderSetting {
    ProviderSetting {
        provider: "custom".to_owned(),
        base_url: Some(server.base_url()),
        model: Some(model.to_owned()),
    }
}

fn model_of(view: &SettingsView) -> Option<&str> {
    view.provider.as_ref()?.model.as_deref()
}

async fn replies(count: usize) -> ScriptServer {
    scripted(Script::repeat(count, |_| Reply::text("hi"))).await
}

/// Returns the models that a server was asked for, in order.
fn asked(server: &ScriptServer) -> Vec<String> {
    let model = |it: &testkit::script::SeenRequest| {
        it.json().expect("JSON")["model"].as_str().unwrap_or_default().to_owned()
    };
    server.requests().iter().map(model).collect()
}

/// UI-33: what is chosen holds from the next prompt on, in a session that is open, and after a restart.
#[tokio::test]
async fn another_model_and_another_provider_are_asked_from_the_next_prompt_on() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let (first, second) = (replies(3).await, replies(2).await);
    let host = bare(home.path());
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    let refused = host.prompt(&session, "go".to_owned()).await.expect_err("nothing is chosen");
    assert_eq!(refused.kind(), ErrorKind::NoProvider);

    let view = host.save_provider(custom(&first, "one")).await.expect("saved");
    assert_eq!((model_of(&view), view.saved), (Some("one"), true));
    turn(&host, &session, &mut opened.follow, "go").await;
    turn(&host, &session, &mut opened.follow, "go").await;
    assert_eq!(first.connections(), 1, "its connection is kept");
    let view = host.set_model(" two ".to_owned()).await.expect("saved");
    assert_eq!((model_of(&view), view.saved), (Some("two"), true));
    let frames = turn(&host, &session, &mut opened.follow, "go").await;
    assert!(
        events(&frames)
            .iter()
            .any(|it| matches!(&it.kind, EventKind::TurnStarted { model, .. } if model == "two"))
    );
    host.save_provider(custom(&second, "three")).await.expect("saved");
    turn(&host, &session, &mut opened.follow, "go").await;
    host.shutdown().await;
    let host = bare(home.path());
    assert_eq!(model_of(&host.settings().await), Some("three"));
    let mut again = new_session(&host, &project).await;
    turn(&host, &again.session.clone(), &mut again.follow, "go").await;
    assert_eq!(asked(&first), ["one", "one", "two"]);
    assert_eq!(asked(&second), ["three", "three"]);
}

/// HL-2: flags come before the settings, and what a person picks in the window before both; the
/// answer says whether it will be so after a restart.
#[tokio::test]
async fn what_is_picked_comes_before_flags_and_says_whether_it_is_kept() {
    let home = tempfile::tempdir().expect("a folder");
    let (flagged, picked) = (replies(0).await, replies(0).await);
    let host = rig::host(home.path(), &flagged);
    let view = host.settings().await;
    assert_eq!((model_of(&view), view.saved), (Some("scripted"), false));
    let view = host.set_model("other".to_owned()).await.expect("it is set");
    assert_eq!((model_of(&view), view.saved), (Some("other"), false), "the flags' provider");
    assert!(!home.path().join("config.toml").exists());
    let view = host.save_provider(custom(&picked, "mine")).await.expect("saved");
    assert_eq!((model_of(&view), view.saved), (Some("mine"), true));
    assert_eq!(model_of(&bare(home.path()).settings().await), Some("mine"));
}

/// AN-7: the key goes into the one header, and stands nowhere else but in its file.
#[tokio::test]
async fn a_kept_key_is_sent_and_shown_to_nobody() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = replies(2).await;
    let host = bare(home.path());
    host.save_provider(custom(&server, "m")).await.expect("saved");
    let place = host.save_key("custom", format!("{KEY}\n")).await.expect("kept");
    assert_eq!(place, KeyPlace::File);
    let view = host.settings().await;
    assert_eq!(view.key, Some(KeyPlace::File));
    let row = view.catalog.iter().find(|it| it.id == "custom").expect("a row");
    assert_eq!(row.key, Some(KeyPlace::File));
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    let frames = turn(&host, &session, &mut opened.follow, "go").await;
    let sent = |at: usize| server.requests()[at].header("authorization").map(str::to_owned);
    assert_eq!(sent(0).as_deref(), Some("Bearer sk-secret-0123"));
    assert!(!format!("{view:?} {frames:?}").contains("secret"));
    let config = fs::read_to_string(home.path().join("config.toml")).expect("a text");
    assert!(!config.contains("secret"));

    let view = host.delete_key("custom").await.expect("forgotten");
    assert_eq!(view.key, None);
    turn(&host, &session, &mut opened.follow, "go").await;
    assert_eq!(sent(1), None, "it is gone from the next prompt on");
}

/// A broken file is told with its line, keeps its bytes, and the page can still be shown.
#[tokio::test]
async fn broken_settings_are_a_problem_that_is_shown_and_never_overwritten() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("config.toml");
    let broken = "# mine\n[provider\n";
    fs::write(&file, broken).expect("a file");
    let host = bare(home.path());
    let view = host.settings().await;
    assert_eq!(view.provider, None);
    assert!(view.problem.expect("a problem").contains("line 2"));
    assert!(!view.catalog.is_empty());
    let server = replies(0).await;
    let error = host.save_provider(custom(&server, "m")).await.expect_err("broken");
    assert!(error.to_string().contains("line 2"), "{error}");
    assert_eq!(fs::read_to_string(file).expect("a text"), broken);
}

#[tokio::test]
async fn a_setting_that_cannot_be_used_is_not_saved() {
    let home = tempfile::tempdir().expect("a folder");
    let host = bare(home.path());
    let setting = |provider: &str, base_url: Option<&str>| ProviderSetting {
        provider: provider.to_owned(),
        base_url: base_url.map(str::to_owned),
        model: None,
    };
    for (wrong, word) in [
        (setting("nobody", None), "nobody"),
        (setting("custom", None), "--base-url"),
        (setting("custom", Some("not an address")), "base URL"),
        (setting("custom", Some("https://me:secret@x.example")), "user name"),
    ] {
        let error = host.save_provider(wrong).await.expect_err(word);
        assert_eq!(error.kind(), ErrorKind::BadRequest);
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(
        host.save_key("custom", KEY.to_owned()).await.expect_err("for whom?").kind(),
        ErrorKind::BadRequest
    );
    assert_eq!(
        host.set_model("m".to_owned()).await.expect_err("of whom?").kind(),
        ErrorKind::NoProvider
    );
    let mut left = fs::read_dir(home.path()).expect("a folder");
    assert!(left.next().is_none(), "nothing was written");
    let view = host.save_provider(setting("ollama", Some(" "))).await.expect("saved");
    assert!(view.problem.expect("no model is named").contains("model"));
}

#[tokio::test]
async fn a_trial_tells_the_models_or_what_is_wrong() {
    let home = tempfile::tempdir().expect("a folder");
    let host = bare(home.path());
    let server = replies(0).await;
    for (model, knows) in [("scripted", true), ("other", false)] {
        let tried = host.test_provider(custom(&server, model), Some(KEY.to_owned())).await;
        let ProviderTest::Answered { models, has_model, model: asked, .. } = tried.expect("tried")
        else {
            panic!("it answers");
        };
        assert_eq!(models.expect("a list"), ["scripted"]);
        assert_eq!((has_model, asked.as_deref()), (Some(knows), Some(model)));
    }
    assert_eq!(server.requests().len(), 0, "it costs nothing");
    let keys = server.strays();
    assert_eq!(keys[0].header("authorization"), Some("Bearer sk-secret-0123"), "the typed key");
    let gone = custom(&server, "m");
    drop(server);
    let tried = host.test_provider(gone, None).await.expect("tried");
    let ProviderTest::Failed { failure } = tried else { panic!("nobody is there") };
    assert_eq!(failure.code, TurnFailureCode::Unreachable);
}
