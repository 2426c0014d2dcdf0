use super::*;

#[test]
fn words_stand_on_one_line_without_the_key() {
    let key = ApiKey::new(" sk-secret\n").expect("it is a key");
    let words = Words::new("  key sk-secret,\n\tagain:sk-secret ", Some(&key));
    assert_eq!(words.to_string(), ": key [key], again:[key]");
    assert_eq!(Words::new(" \n", None).to_string(), "");
}

#[test]
fn words_are_cut_between_characters() {
    let words = Words::new(&"ü".repeat(2_000), None);
    assert!(words.0.len() <= WORDS_BYTES);
    assert!(words.0.ends_with("ü…"));
}

#[test]
fn a_key_is_never_printed() {
    let key = ApiKey::new("sk-secret").expect("it is a key");
    assert_eq!(format!("{key:?}"), "ApiKey(..)");
    assert_eq!(ApiKey::new(" \n"), None);
}

#[test]
fn an_upstream_error_is_told_beside_the_routers_own() {
    let body = r#"{"error":{"message":"Provider returned error","metadata":{"raw":"too long"}}}"#;
    assert_eq!(openai::error_words(body.as_bytes()), "Provider returned error: too long");
}
