//! Statuses that are no success, and what the user is told of them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

/// What each response comes to: code, action, wait, the sentence, and what no translation changes.
async fn check(responses: &[(&str, &str)], expect: Expect) {
    let mut told = String::new();
    for (head, body) in responses {
        let server = Server::start([Reply::plain(head, body)]).await;
        let (_, error) = ask(&provider(&server.base_url, &Limits::default())).await;
        let error = error.expect(head);
        assert!(!format!("{error:?}{error}").contains(KEY), "the key is told");
        let mut failure = error.failure();
        failure.message = failure.message.replace(server.host(), "HOST");
        let wait = failure.retry_after_ms.map(|it| format!(" after {it} ms")).unwrap_or_default();
        writeln!(told, "{:?} {:?}{wait}\n  {}", failure.code, failure.action, failure.message)
            .expect("a String takes any text");
        if let Some(detail) = failure.detail {
            let detail = detail.replace(server.host(), "HOST");
            writeln!(told, "  [{detail}]").expect("a String takes any text");
        }
    }
    expect.assert_eq(&told);
}

#[tokio::test]
async fn each_status_names_what_to_do() {
    check(
        &[
            ("401 Unauthorized", "{\"error\":{\"message\":\"Wrong key sk-test-0123456789\"}}"),
            ("403 Forbidden", ""),
            ("402 Payment Required", "{\"error\":{\"message\":\"Insufficient Balance\"}}"),
            ("404 Not Found", "{\"error\":{\"message\":\"model not found\"}}"),
            ("404 Not Found", "404 page not found"),
            ("404 Not Found", "{\"detail\":\"Not Found\"}"),
            ("405 Method Not Allowed", ""),
            ("400 Bad Request", "{\"error\":{\"message\":\"context\\n too long\"}}"),
            ("422 Unprocessable", "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"bad\"}]}"),
            ("400 Bad Request", "{\"error\":{\"message\":\"gone\",\"code\":\"model_not_found\"}}"),
            ("413 Too Large", "<html>nginx</html>"),
            ("400 Bad Request", "{\"error\":{\"code\":\"1211\",\"message\":\"Unknown Model\"}}"),
            ("429 Too Many", "{\"error\":{\"type\":\"exceeded_current_quota_error\"}}"),
            ("429 Too Many", "{\"error\":{\"code\":\"1113\",\"message\":\"Please recharge\"}}"),
        ],
        expect![[r#"
            WrongKey CheckKey
              Check the API key, the provider did not accept it: Wrong key [key]
              [Wrong key [key]]
            WrongKey CheckKey
              Check the API key, the provider did not accept it
            PaymentRequired AddCredit
              Add credit to your account at the provider, it is used up: Insufficient Balance
              [Insufficient Balance]
            ModelNotFound CheckModel
              Choose another model, the provider does not have test-model: model not found
              [test-model: model not found]
            Unreachable CheckUrl
              Correct the base URL, there is no chat completions API at http://HOST/v1/chat/completions (status 404)
              [http://HOST/v1/chat/completions (404)]
            Unreachable CheckUrl
              Correct the base URL, there is no chat completions API at http://HOST/v1/chat/completions (status 404)
              [http://HOST/v1/chat/completions (404)]
            Unreachable CheckUrl
              Correct the base URL, there is no chat completions API at http://HOST/v1/chat/completions (status 405)
              [http://HOST/v1/chat/completions (405)]
            RequestRefused CheckModel
              Try another model or a shorter session, the provider refused the request (status 400): context too long
              [400: context too long]
            RequestRefused CheckModel
              Try another model or a shorter session, the provider refused the request (status 422): [{"loc":["body"],"msg":"bad"}]
              [422: [{"loc":["body"],"msg":"bad"}]]
            ModelNotFound CheckModel
              Choose another model, the provider does not have test-model: gone
              [test-model: gone]
            RequestRefused CheckModel
              Try another model or a shorter session, the provider refused the request (status 413)
              [413]
            ModelNotFound CheckModel
              Choose another model, the provider does not have test-model: Unknown Model
              [test-model: Unknown Model]
            PaymentRequired AddCredit
              Add credit to your account at the provider, it is used up: {"type":"exceeded_current_quota_error"}
              [{"type":"exceeded_current_quota_error"}]
            PaymentRequired AddCredit
              Add credit to your account at the provider, it is used up: Please recharge
              [Please recharge]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_wait_is_told_where_the_provider_asks_for_one() {
    check(
        &[
            ("429 Too Many Requests", "slow down"),
            ("429 Too Many Requests\nRetry-After: 7", ""),
            ("429 Too Many Requests\nRetry-After: 7\nRetry-After-Ms: 1500", ""),
            ("429 Too Many Requests\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT", ""),
            ("429 Too Many Requests\nRetry-After: -1", ""),
            ("429 Too Many", "{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}"),
            ("500 Internal Server Error", "{\"error\":\"boom\"}"),
            ("503 Service Unavailable\nRetry-After: 2.5", "<html>busy</html>"),
            ("529 Overloaded", "[{\"error\":{\"message\":\"overloaded\"}}]"),
        ],
        expect![[r#"
            RateLimited WaitAndRetry
              Wait and try again, the provider limits how much may be asked: slow down
              [slow down]
            RateLimited WaitAndRetry after 7000 ms
              Wait 7 seconds and try again, the provider limits how much may be asked
            RateLimited WaitAndRetry after 1500 ms
              Wait 2 seconds and try again, the provider limits how much may be asked
            RateLimited WaitAndRetry
              Wait and try again, the provider limits how much may be asked
            RateLimited WaitAndRetry
              Wait and try again, the provider limits how much may be asked
            PaymentRequired AddCredit
              Add credit to your account at the provider, it is used up: pay
              [pay]
            ProviderDown WaitAndRetry
              Wait and try again, the provider has trouble of its own (status 500): boom
              [500: boom]
            ProviderDown WaitAndRetry after 2500 ms
              Wait 3 seconds and try again, the provider has trouble of its own (status 503)
              [503]
            ProviderDown WaitAndRetry
              Wait and try again, the provider has trouble of its own (status 529): overloaded
              [529: overloaded]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_page_for_people_is_no_api() {
    check(
        &[("200 OK\nContent-Type: text/html; charset=utf-8", "<html>Welcome</html>")],
        expect![[r#"
            Unreachable CheckUrl
              Correct the base URL, there is no chat completions API at http://HOST/v1/chat/completions (status 200)
              [http://HOST/v1/chat/completions (200)]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn without_a_key_the_user_is_asked_for_one() {
    let server = Server::start([Reply::plain("401 Unauthorized", "{\"error\":\"no\"}")]).await;
    let (_, error) = ask(&keyed(&server.base_url, &Limits::default(), None)).await;
    let told = error.expect("it is refused").to_string();
    expect!["Set an API key, the provider wants one: no"].assert_eq(&told);
}

#[tokio::test]
async fn a_providers_words_are_cut_at_2_kib() {
    let long = format!("{{\"error\":\"{}\"}}", "ü".repeat(60_000));
    let (_, error) = answer_to(Reply::plain("500 Oops", &long), &Limits::default()).await;
    let told = error.expect("it is refused").to_string();
    assert!(told.ends_with("üü…"), "{told}");
    assert!((2_000..2_200).contains(&told.len()), "{}", told.len());
}
