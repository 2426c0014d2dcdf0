//! Where requests go, out of the base URL as a person writes it.

use std::net::IpAddr;

use reqwest::Url;

use crate::ProviderError;

const PATH: [&str; 2] = ["chat", "completions"];

/// The address of chat completions below a base URL.
///
/// # Errors
///
/// [`ProviderError::InvalidUrl`] if it is no HTTP address, or holds a user name or a password.
pub(crate) fn chat_completions(base_url: &str) -> Result<Url, ProviderError> {
    let invalid = |reason| ProviderError::InvalidUrl { reason };
    let mut url = Url::parse(base_url.trim()).map_err(|_| invalid("it is no web address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("it must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid(
            "it must hold no user name and no password, the key has its own place",
        ));
    }
    url.set_fragment(None);
    if !url.path().trim_end_matches('/').ends_with("/chat/completions") {
        let mut path = url.path_segments_mut().map_err(|()| invalid("it is no web address"))?;
        path.pop_if_empty().extend(PATH);
    }
    Ok(url)
}

/// The scheme, host and port of a base URL: whom a key is for.
///
/// # Errors
///
/// [`ProviderError::InvalidUrl`] if it is no HTTP address, or holds a user name or a password.
pub fn origin(base_url: &str) -> Result<String, ProviderError> {
    Ok(chat_completions(base_url)?.origin().ascii_serialization())
}

/// The address of the list of models, beside that of chat completions.
pub(crate) fn models(chat_completions: &Url) -> Url {
    let mut url = chat_completions.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().pop().pop().push("models");
    }
    url
}

/// Whether it is this machine, by name or by number.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match host.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// Host and port, for people.
pub(crate) fn shown(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// The address for people, without its query, which may hold secrets.
pub(crate) fn shown_whole(url: &Url) -> String {
    format!("{}://{}{}", url.scheme(), shown(url), url.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HL-2: any compatible base URL works as it is given.
    #[test]
    fn the_path_is_put_behind_the_base_url_as_it_is_given() {
        for (base, whole) in [
            ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
            ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            (" https://api.openai.com/v1/ ", "https://api.openai.com/v1/chat/completions"),
            ("http://127.0.0.1:11434/v1#top", "http://127.0.0.1:11434/v1/chat/completions"),
            ("https://x.example/a?version=2", "https://x.example/a/chat/completions?version=2"),
            ("https://x.example/v1/chat/completions", "https://x.example/v1/chat/completions"),
        ] {
            let url = chat_completions(base).expect(base);
            assert_eq!(url.as_str(), whole);
            assert_eq!(models(&url).as_str(), whole.replace("chat/completions", "models"));
        }
    }

    #[test]
    fn one_host_has_one_origin_however_it_is_spelled() {
        for base in ["https://X.example/v1", " https://x.example:443/other?a=b "] {
            assert_eq!(origin(base).expect(base), "https://x.example");
        }
        assert_eq!(origin("http://[::1]:80/v1").expect("an address"), "http://[::1]");
        assert_eq!(origin("http://x.example:8080").expect("an address"), "http://x.example:8080");
    }

    #[test]
    fn a_url_that_cannot_be_used_is_refused_without_repeating_it() {
        for base in ["", "localhost:11434", "ftp://x.example", "https://me:secret@x.example", "a b"]
        {
            let error = chat_completions(base).expect_err(base);
            assert!(matches!(error, ProviderError::InvalidUrl { .. }), "{error:?}");
            assert!(!error.to_string().contains("secret"));
        }
    }

    #[test]
    fn this_machine_is_known_by_name_and_by_number() {
        for (url, expected) in [
            ("http://localhost:1", true),
            ("http://LOCALHOST./", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:80", true),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).expect(url)), expected, "{url}");
        }
    }
}
