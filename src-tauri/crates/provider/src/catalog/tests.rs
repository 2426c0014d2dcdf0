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
        ("https://api.moonshot.cn/v1", "moonshot"),
        ("https://open.bigmodel.cn/api/coding/paas/v4", "zhipu"),
        ("https://w1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", "qwen"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"),
        ("https://maas.aliyuncs.com.evil.example", "custom"),
        ("http://api.moonshot.cn/v1", "custom"),
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
    let expected = [
        "DEEPSEEK_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "MOONSHOT_API_KEY",
        "ZAI_API_KEY",
        "DASHSCOPE_API_KEY",
        "GROQ_API_KEY",
        "TOGETHER_API_KEY",
        "MISTRAL_API_KEY",
        "GEMINI_API_KEY",
        "LONGCAT_API_KEY",
    ];
    assert_eq!(key_variables().collect::<Vec<_>>(), expected);
}

/// AN-40.
#[test]
fn every_entry_and_every_model_says_where_it_is_from_and_when() {
    for one in entries() {
        for source in [one.source].into_iter().chain(one.models.iter().map(|it| it.source)) {
            let date = source.read_on.split('-').map(|it| it.parse::<u32>()).collect::<Vec<_>>();
            assert!(matches!(date[..], [Ok(2026..), Ok(1..=12), Ok(1..=31)]), "{source:?}");
            assert!(source.url.starts_with("https://"), "{source:?}");
        }
    }
}

/// AN-40: unknown is a value, and no known one is a slip of the keys.
#[test]
fn what_is_known_of_a_model_can_be_true() {
    for one in entries() {
        for model in one.models {
            let window = model.context_window_tokens.unwrap_or(u32::MAX);
            assert!((10_000..).contains(&window), "{model:?}");
            assert!(model.output_limit_tokens.is_none_or(|it| it <= window), "{model:?}");
            let Some(price) = model.price else { continue };
            let cached = price.cached_input_usd_micros.unwrap_or(0);
            assert!(cached < price.input_usd_micros, "{model:?}");
            assert!(price.input_usd_micros < price.output_usd_micros, "{model:?}");
            assert!(price.output_usd_micros < 100_000_000, "{model:?}");
        }
        assert_eq!(one.model("nobody's"), None);
        let names = one.models.iter().map(|it| it.name).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(names.len(), one.models.len(), "{}", one.id);
    }
}
