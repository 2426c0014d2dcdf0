//! Connections: kept, closed, never made twice.

use std::process::Command;

use protocol::{NextAction, TurnFailureCode as Code};
use provider::{ModelEvent, StopReason};

use super::*;

const ANSWER: &str = concat!(
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n",
    "data: [DONE]\n\n",
);

/// Set in the run that [`this_machine_is_never_reached_through_a_proxy`] starts.
const PROXIED: &str = "EVIDENT_TEST_PROXIED";

#[tokio::test]
async fn rounds_share_one_connection() {
    let rounds = 50;
    let replies = (0..rounds).map(|_| Reply::stream(ANSWER));
    let server = Server::start(replies).await;
    let provider = provider(&server.base_url, &Limits::default());
    for _ in 0..rounds {
        let provider = provider.clone();
        let asked = tokio::spawn(async move { ask(&provider).await });
        let (events, error) = asked.await.expect("the task ends");
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events, [text("Hi"), ModelEvent::Done(StopReason::Stop)]);
    }
    assert_eq!(server.connections(), 1);
}

/// A caller may stop reading at the last event.
#[tokio::test]
async fn a_connection_is_kept_by_whoever_stops_at_the_last_event() {
    let server = Server::start([Reply::dripping(ANSWER), Reply::stream(ANSWER)]).await;
    let provider = provider(&server.base_url, &Limits::default());
    for _ in 0..2 {
        let mut stream = provider.send(body(&provider)).await.expect("the answer begins");
        let mut last = None;
        while !matches!(last, Some(ModelEvent::Done(_))) {
            last = stream.next().await.map(|it| it.expect("the answer is whole"));
        }
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_refusal_keeps_the_connection_too() {
    let refusal = Reply::plain("400 Bad Request", "{\"error\":{\"message\":\"no\"}}");
    let server = Server::start([refusal, Reply::stream(ANSWER)]).await;
    let provider = provider(&server.base_url, &Limits::default());
    assert!(ask(&provider).await.1.is_some());
    assert!(ask(&provider).await.1.is_none());
    assert_eq!(server.connections(), 1);
}

/// AN-31: the server sees the end at once, in the midst of an answer and before it begins.
#[tokio::test]
async fn giving_up_closes_the_socket() {
    let half = "data: {\"choices\":[{\"delta\":{\"content\":\"Half\"}}]}\n\n";
    let mut server = Server::start([Reply::silent(half), Reply::raw(b"", true)]).await;
    let provider = provider(&server.base_url, &Limits::default());

    let mut stream = provider.send(body(&provider)).await.expect("the answer begins");
    assert!(matches!(stream.next().await, Some(Ok(ModelEvent::Text(_)))));
    server.seen().await;
    drop(stream);
    server.closed().await;

    let mut sent = Box::pin(provider.send(body(&provider)));
    tokio::select! {
        _ = &mut sent => unreachable!("the server never answers"),
        _ = server.seen() => {}
    }
    drop(sent);
    server.closed().await;
}

/// 08, table 8.2.
#[tokio::test]
async fn each_failure_is_one_attempt() {
    let down = || Reply::plain("503 Service Unavailable\nRetry-After: 0", "");
    let limited = || Reply::plain("429 Too Many Requests\nRetry-After: 0", "");
    let gone = || Reply::raw(b"", false);
    for replies in [[down(), down()], [limited(), limited()], [gone(), gone()]] {
        let mut server = Server::start(replies).await;
        let provider = provider(&server.base_url, &Limits::default());
        assert!(ask(&provider).await.1.is_some());
        server.seen().await;
        assert!(server.saw_no_more());
        assert_eq!(server.connections(), 1);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let mut server =
        Server::start([Reply::plain("307 Temporary Redirect\nLocation: /v2", "")]).await;
    let (_, error) = ask(&provider(&server.base_url, &Limits::default())).await;
    let failure = error.expect("it is refused").failure();
    assert_eq!((failure.code, failure.action), (Code::Unreachable, NextAction::CheckUrl));
    server.seen().await;
    assert!(server.saw_no_more());
}

#[tokio::test]
async fn the_key_goes_into_one_header_and_without_one_there_is_none() {
    for (key, header) in [(Some(KEY), true), (Some("  "), false), (None, false)] {
        let mut server = Server::start([Reply::stream(ANSWER)]).await;
        let provider = keyed(&server.base_url, &Limits::default(), key);
        assert!(ask(&provider).await.1.is_none());
        let seen = server.seen().await;
        assert_eq!(seen.head.contains(&format!("authorization: bearer {KEY}\r\n")), header);
        assert_eq!(seen.head.contains("authorization"), header);
        assert!(seen.head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{}", seen.head);
        assert!(!seen.body.is_empty());
        assert_eq!(seen.body, body(&provider));
    }
}

/// CA-3: two requests with the same contents are the same bytes, headers included.
#[tokio::test]
async fn the_same_request_is_the_same_bytes_each_time() {
    let mut server = Server::start([Reply::stream(ANSWER), Reply::stream(ANSWER)]).await;
    for _ in 0..2 {
        ask(&provider(&server.base_url, &Limits::default())).await;
    }
    let (first, second) = (server.seen().await, server.seen().await);
    assert_eq!((first.head, first.body), (second.head, second.body));
}

#[tokio::test]
async fn where_nobody_listens_the_url_is_named_and_the_key_is_not() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback works");
    let address = listener.local_addr().expect("it has an address");
    drop(listener);
    let provider = provider(&format!("http://{address}/v1"), &Limits::default());
    let error = ask(&provider).await.1.expect("nobody listens");
    let failure = error.failure();
    assert_eq!((failure.code, failure.action), (Code::Unreachable, NextAction::CheckUrl));
    assert!(failure.message.contains(&address.to_string()), "{}", failure.message);
    assert!(!format!("{error:?}{provider:?}").contains(KEY));
}

/// A proxy is read from the environment, which belongs to a whole process: so another one is run.
#[test]
fn this_machine_is_never_reached_through_a_proxy() {
    let this = std::env::current_exe().expect("this test is a program");
    let mut run = Command::new(this);
    run.args(["--exact", "connections::a_request_under_a_proxy_that_nobody_runs"]);
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        run.env(variable, "http://127.0.0.1:1");
    }
    run.env(PROXIED, "1").env_remove("no_proxy").env_remove("NO_PROXY");
    let run = run.output().expect("this test can be run again");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[tokio::test]
async fn a_request_under_a_proxy_that_nobody_runs() {
    let server = Server::start([Reply::stream(ANSWER)]).await;
    let error = ask(&provider(&server.base_url, &Limits::default())).await.1;
    assert!(error.is_none(), "{error:?}");
    if std::env::var_os(PROXIED).is_some() {
        // Another machine is reached through it, so it is in force.
        let elsewhere = provider("http://192.0.2.1/v1", &Limits::default());
        let error = ask(&elsewhere).await.1.expect("nobody runs the proxy");
        assert!(error.to_string().contains("refused"), "{error}");
    }
}
