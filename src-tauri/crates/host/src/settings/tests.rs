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

/// EN-8: settings are read, and written again, in the encoding that they are in.
#[test]
fn settings_stay_in_their_own_encoding() {
    let text = |model: &str| {
        format!("# 我的设置\r\n[provider]\r\nname = \"ollama\"\r\nmodel = \"{model}\"\r\n")
    };
    let utf16 = |model: &str| -> Vec<u8> {
        format!("\u{feff}{}", text(model)).encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let gb18030 = |model: &str| -> Vec<u8> {
        let model: &[u8] = if model == "旧" { b"\xbe\xc9" } else { b"\xd0\xc2" };
        let comment: &[u8] = b"# \xce\xd2\xb5\xc4\xc9\xe8\xd6\xc3";
        let table: &[u8] = b"\r\n[provider]\r\nname = \"ollama\"\r\nmodel = \"";
        [comment, table, model, b"\"\r\n"].concat()
    };
    let marked = |model: &str| format!("\u{feff}{}", text(model)).into_bytes();
    let both =
        [(utf16("旧"), utf16("新")), (gb18030("旧"), gb18030("新")), (marked("旧"), marked("新"))];
    for (before, after) in both {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config.toml");
        fs::write(&file, before).expect("a file");
        assert_eq!(user(&file).expect("it is read").provider.model.as_deref(), Some("旧"));
        save(&file, &setting("ollama", None, Some("新"))).expect("it is saved");
        assert_eq!(fs::read(&file).expect("a file"), after);
    }
}

/// A file that is no settings is left as it is, and the error says what it is.
#[test]
fn what_is_no_text_or_too_large_is_left_alone() {
    for (bytes, says) in [(vec![b'#'; (1 << 20) + 1], "1 MiB"), (vec![0, 159, 0, 1], "binary")] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config.toml");
        fs::write(&file, &bytes).expect("a file");
        let error = save(&file, &setting("ollama", None, Some("a"))).expect_err("no settings");
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(fs::read(&file).expect("a file"), bytes);
    }
}
