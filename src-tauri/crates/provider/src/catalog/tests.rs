use super::*;

/// PV-8, PV-3.
#[test]
fn a_vendor_is_known_by_its_host_and_port_alone() {
    for (url, id) in [
        ("https://api.deepseek.com", "deepseek"),
        ("https://api.deepseek.com/v1/", "deepseek"),
        ("https://api.deepseek.com:443/beta", "deepseek"),
        ("https://api.openai.com/v1", "openai"),
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://[::1]:1234", "lmstudio"),
        ("http://localhost:8080/v1", "custom"),
        ("https://api.deepseek.com.evil.example", "custom"),
        ("https://proxy.example/api.openai.com/v1", "custom"),
        ("no address", "custom"),
    ] {
        assert_eq!(for_base_url(url).id, id, "{url}");
    }
}

#[test]
fn every_entry_is_found_by_its_id_and_its_address() {
    for one in entries() {
        assert_eq!(entry(one.id), Some(one));
        if let Some(url) = one.base_url {
            assert_eq!(for_base_url(url), one);
            assert!(crate::address::chat_completions(url).is_ok(), "{url}");
        }
    }
    assert_eq!(entry("nobody"), None);
}

/// AN-13.
#[test]
fn the_key_variables_are_those_of_the_vendors_that_want_keys() {
    assert_eq!(key_variables().collect::<Vec<_>>(), ["DEEPSEEK_API_KEY", "OPENAI_API_KEY"]);
}

/// AN-40.
#[test]
fn every_entry_says_where_it_is_from_and_when() {
    for one in entries() {
        let date = one.checked_on.split('-').map(|it| it.parse::<u32>()).collect::<Vec<_>>();
        assert!(matches!(date[..], [Ok(2026..), Ok(1..=12), Ok(1..=31)]), "{}", one.checked_on);
        assert!(!one.source.is_empty());
    }
}
