//! A folder and a provider of the user's own, from nothing to a turn.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, window::Window};

const KEY: &str = "sk-of-a-test-0123456789";

/// AN-7: the key is tried before it is kept, is sent to its provider alone, and is shown nowhere.
#[test]
fn a_folder_by_its_path_and_a_provider_of_the_users_own_lead_to_a_turn() {
    let (model, project) = greeting();
    let window = Window::open("own-provider");
    let folder = project.path().canonicalize().expect("it is there");
    window.fill("Folder path", &project.path().join("nowhere").to_string_lossy());
    window.press("Open");
    window.see("This folder cannot be opened.");
    window.picture("no-such-folder");
    window.fill("Folder path", &folder.to_string_lossy());
    window.press("Open");

    window.see("Choose a provider");
    window.click("radio", "Custom");
    window.fill("Key", KEY);
    window.fill("Model", "scripted");
    window.fill("Address", &model.base_url());
    window.press("Test");
    window.see("The key works, and scripted is listed");
    window.picture("provider");
    assert!(model.requests().is_empty(), "trying a key is no turn");
    window.press("Use this provider");

    window.wait("the session", || window.heading("project").then_some(()));
    window.send("Correct the greeting.");
    let card = window.card(1);
    assert!(card.text.contains("1 file changed"), "{card:?}");
    assert_eq!(project.read("greeting.txt"), "Hello, you.\n");
    assert!(window.transcript().contains("The greeting is right now."));

    for request in model.requests().iter().chain(&model.strays()) {
        assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        let body = String::from_utf8_lossy(&request.body);
        assert!(!body.contains(KEY), "{body}");
    }
    let shown = window.ask(&format!("return document.documentElement.outerHTML.includes('{KEY}')"));
    assert_eq!(shown, json!(false));
    let kept = window.place.data().join("keys.toml");
    let mode = fs::metadata(&kept).expect("the keys' file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// A file with a mistake in it, and a model that corrects it.
pub(crate) fn greeting() -> (Model, Project) {
    let edit = json!({"path": "greeting.txt", "old_string": "Helo", "new_string": "Hello"});
    let model = Model::play(Script::new([
        Reply::call("read_file", json!({"path": "greeting.txt"})),
        Reply::call("edit_file", edit),
        Reply::text("The greeting is right now."),
    ]));
    (model, Project::new([("greeting.txt", "Helo, you.\n")]))
}
