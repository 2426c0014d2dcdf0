use std::fs;

use protocol::ProviderSetting;

use super::*;

fn setting(provider: &str, base_url: Option<&str>, model: Option<&str>) -> ProviderSetting {
    ProviderSetting {
        provider: provider.to_owned(),
        base_url: base_url.map(str::to_owned),
        model: model.map(str::to_owned),
    }
}

/// Saves over a text, and returns what stands there then.
fn saved(before: Option<&str>, setting: &ProviderSetting) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("config.toml");
    if let Some(before) = before {
        fs::create_dir(folder.path().join("new")).expect("a folder");
        fs::write(&file, before).expect("a file");
    }
    save(&file, setting).expect("it is saved");
    let names = fs::read_dir(folder.path().join("new")).expect("a folder");
    assert_eq!(names.count(), 1, "nothing is left beside it");
    user(&file).expect("what was saved can be read");
    fs::read_to_string(file).expect("a text")
}

#[test]
fn what_else_stands_in_the_settings_is_kept() {
    let before = "# mine\n\n[provider] # the one\nmodel = \"old\"  # fast\nname = \"deepseek\"\napi_key_env = \"MY_KEY\"\n# end\n";
    let kept = saved(Some(before), &setting("deepseek", None, Some("new")));
    assert_eq!(kept, before.replace("\"old\"", "\"new\""));
    let inline = "provider = { name = \"ollama\", model = \"a\" }\n";
    let kept = saved(Some(inline), &setting("ollama", None, Some("b")));
    assert_eq!(kept, inline.replace("\"a\"", "\"b\""));
}

#[test]
fn a_first_choice_makes_the_file_and_leaves_the_catalogues_address_to_it() {
    let own = saved(None, &setting("openai", Some("https://api.openai.com/v1"), None));
    assert_eq!(own, "[provider]\nname = \"openai\"\n");
    let other = saved(None, &setting("custom", Some("http://x:1/v1"), Some("m")));
    assert_eq!(
        other,
        "[provider]\nname = \"custom\"\nbase_url = \"http://x:1/v1\"\nmodel = \"m\"\n"
    );
}

/// A key goes to nobody but the provider it is for, and so does the name of its variable.
#[test]
fn another_provider_does_not_get_the_variable_of_the_old_one() {
    let before = "[provider]\nname = \"deepseek\"\nmodel = \"m\"\napi_key_env = \"MY_KEY\"\n";
    for other in [setting("openai", None, None), setting("deepseek", Some("http://x/v1"), None)] {
        assert!(!saved(Some(before), &other).contains("MY_KEY"), "{other:?}");
    }
}

#[test]
fn a_broken_file_is_told_with_its_line_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    for (broken, line) in [
        ("[provider]\nname = \n", "line 2"),
        ("# a\n\n[provider]\nnmae = \"x\"\n", "line 4"),
        ("provider = 1\n", "line 1"),
    ] {
        fs::write(&file, broken).expect("a file");
        let error = save(&file, &setting("openai", None, None)).expect_err(broken);
        assert!(error.to_string().contains(line), "{error}");
        assert_eq!(fs::read_to_string(&file).expect("a text"), broken);
    }
    fs::write(&file, b"name = \"\xff\"").expect("a file");
    let error = save(&file, &setting("openai", None, None)).expect_err("not UTF-8");
    assert!(matches!(error, SettingsError::Invalid { .. }), "{error:?}");
}

#[cfg(unix)]
#[test]
fn a_link_is_written_through_and_the_file_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (link, real) = (folder.path().join("config.toml"), folder.path().join("real.toml"));
    fs::write(&real, "").expect("a file");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink(&real, &link).expect("a link");
    save(&link, &setting("openai", None, None)).expect("it is saved");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).expect("a text").contains("openai"));
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "").expect("a file");
    let file = folder.path().join("file").join("config.toml");
    let error = save(&file, &setting("openai", None, None)).expect_err("no folder");
    assert!(error.to_string().contains("cannot be"), "{error}");
}
