use std::fs;

use super::*;
use crate::Home;

/// What is resolved in a home with these settings and this environment.
struct Case {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, &'static str)>,
    flags: ProviderChoice,
}

impl Case {
    fn new(settings: &str, variables: &[(&'static str, &'static str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("config.toml"), settings).expect("a file");
        Self { folder, variables: variables.to_vec(), flags: ProviderChoice::default() }
    }

    fn keys(&self) -> Keys {
        Keys::of(&Home::choose(Some(self.folder.path().to_owned())).expect("a home"))
    }

    /// Returns the target, where its key is, and its key.
    fn resolve(&self) -> (Target, Option<KeyPlace>, Result<Option<ApiKey>, SettingsError>) {
        let variable =
            |name: &str| self.variables.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
        let file = self.folder.path().join("config.toml");
        let target = target(&self.flags, &file, &variable).expect("it is clear");
        let place = target.key_place(&self.keys(), &variable).expect("readable");
        let key = target.key(&self.keys(), &variable);
        (target, place, key)
    }
}

const DEEPSEEK: &str = "[provider]\nname = \"deepseek\"\n";

fn key(text: &str) -> Option<ApiKey> {
    ApiKey::new(text)
}

/// HL-2, AN-7: flag, then environment, then what was kept.
#[test]
fn a_kept_key_comes_after_the_environment() {
    let all = [("EVIDENT_API_KEY", "ours"), ("DEEPSEEK_API_KEY", "usual")];
    for (variables, place, expected) in [
        (&all[..], KeyPlace::Environment, "ours"),
        (&all[1..], KeyPlace::Environment, "usual"),
        (&[][..], KeyPlace::File, "kept"),
        (&[("EVIDENT_API_KEY", " ")][..], KeyPlace::File, "kept"),
    ] {
        let case = Case::new(DEEPSEEK, variables);
        case.keys().keep("https://api.deepseek.com", "kept").expect("kept");
        let (_, found, resolved) = case.resolve();
        assert_eq!(found, Some(place), "{variables:?}");
        assert_eq!(resolved.expect("a key"), key(expected), "{variables:?}");
    }
}

#[test]
fn a_kept_key_goes_to_its_own_address_alone() {
    for settings in [
        "[provider]\nname = \"openai\"\n",
        "[provider]\nname = \"deepseek\"\nbase_url = \"https://proxy.example\"\n",
    ] {
        let case = Case::new(settings, &[]);
        case.keys().keep("https://api.deepseek.com", "kept").expect("kept");
        let (_, place, resolved) = case.resolve();
        assert_eq!((place, resolved.expect("no error")), (None, None), "{settings}");
    }
}

#[test]
fn a_variable_that_a_flag_names_must_hold_the_key_and_one_of_the_settings_may() {
    let settings = format!("{DEEPSEEK}api_key_env = \"MY_KEY\"\n");
    let mut case = Case::new(&settings, &[("EVIDENT_API_KEY", "ours")]);
    let no_key = |case: &Case| matches!(case.resolve().2, Err(SettingsError::NoKey { .. }));
    assert!(no_key(&case), "another key is not what was named");
    case.keys().keep("https://api.deepseek.com", "kept").expect("kept");
    assert_eq!(case.resolve().2.expect("a key"), key("kept"));
    case.flags.api_key_env = Some("MY_KEY".to_owned());
    assert!(no_key(&case));
    assert_eq!(case.resolve().1, None);
    case.variables.push(("MY_KEY", "mine"));
    assert_eq!(case.resolve().2.expect("a key"), key("mine"));
    assert_eq!(case.resolve().1, Some(KeyPlace::Environment));
}

#[test]
fn settings_belong_together() {
    let settings = "[provider]\nname = \"deepseek\"\nmodel = \"m\"\napi_key_env = \"MY_KEY\"\n";
    let case = Case::new(settings, &[("EVIDENT_PROVIDER", "openai")]);
    let (target, _, key) = case.resolve();
    let setting = target.setting();
    assert_eq!(setting.provider, "openai");
    assert_eq!(setting.base_url.as_deref(), Some("https://api.openai.com/v1"));
    assert_ne!(setting.model.as_deref(), Some("m"));
    assert_eq!(key.expect("no error"), None, "the other's variable is not asked for");
    let case = Case::new("[provider]\nname = \"ollama\"\n", &[]);
    assert_eq!(case.resolve().0.model, None, "what the catalogue does not know stays open");
}
