//! Trying an endpoint out.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;

use super::*;

const SOON: Duration = Duration::from_secs(60);

/// Asks for the list of models, once.
async fn models_from(reply: Reply, within: Duration) -> Result<Option<Vec<String>>, ProviderError> {
    let mut server = Server::start([reply]).await;
    let models = provider(&server.base_url, &Limits::default()).models(within).await;
    let seen = server.seen().await;
    assert!(seen.head.starts_with("get /v1/models http/1.1"), "{}", seen.head);
    assert!(seen.head.contains(&format!("authorization: bearer {KEY}")), "the key is tried too");
    assert_eq!(seen.body, b"");
    models
}

#[tokio::test]
async fn the_models_are_those_of_the_list() {
    let list = r#"{"object":"list","data":[{"id":"one","object":"model"},{"id":"two"}]}"#;
    let models = models_from(Reply::plain("200 OK", list), SOON).await.expect("it answers");
    assert_eq!(models, Some(vec!["one".to_owned(), "two".to_owned()]));
}

/// Unknown is a value: no list is not an empty one.
#[tokio::test]
async fn no_list_is_unknown() {
    let endless = format!("{{\"data\":[{{\"id\":\"{}\"}}]}}", "x".repeat(5 << 20));
    for (head, body) in [
        ("404 Not Found", r#"{"error":{"message":"no such path"}}"#),
        ("405 Method Not Allowed", ""),
        ("200 OK", "<html>"),
        ("200 OK", r#"{"models":[]}"#),
        ("200 OK", &endless),
    ] {
        let models = models_from(Reply::plain(head, body), SOON).await.expect("it answers");
        assert_eq!(models, None, "{head}");
    }
}

#[tokio::test]
async fn what_goes_wrong_is_told_as_in_a_turn() {
    let wrong = Reply::plain("401 Unauthorized", r#"{"error":{"message":"no"}}"#);
    let error = models_from(wrong, SOON).await.expect_err("the key is wrong");
    assert!(matches!(error, ProviderError::WrongKey { .. }), "{error:?}");
    // Not even the request need have come by then.
    let silent = Server::start([Reply::raw(b"", true)]).await;
    let provider = |url: &str| provider(url, &Limits::default());
    let error = provider(&silent.base_url).models(Duration::from_millis(50)).await;
    let error = error.expect_err("nothing comes");
    assert!(matches!(error, ProviderError::Silent { .. }), "{error:?}");
    // A port that was given back.
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}/v1", listener.local_addr().expect("an address"))
    };
    let error = provider(&gone).models(SOON).await.expect_err("it is gone");
    assert!(matches!(error, ProviderError::NotRunning { .. }), "{error:?}");
    // It does answer, though not as it was spoken to.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let encrypted = format!("https://{}/v1", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("somebody");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("it reads");
    });
    let error = provider(&encrypted).models(SOON).await.expect_err("no TLS");
    assert!(matches!(error, ProviderError::Unreachable { .. }), "{error:?}");
}

#[tokio::test]
async fn a_greeting_is_given_up_when_its_answer_begins() {
    let mut server = Server::start([Reply::silent("data: {}\n\n")]).await;
    provider(&server.base_url, &Limits::default()).greet(SOON).await.expect("it answers");
    server.closed().await;
    let wrong = Server::start([Reply::plain("402 Payment Required", "")]).await;
    let error = provider(&wrong.base_url, &Limits::default()).greet(SOON).await;
    assert!(matches!(error, Err(ProviderError::PaymentRequired { .. })), "{error:?}");
}
