//! A script's server, seen by a client that reads and writes sockets itself.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use script::{Chunks, Reply, Script, ScriptServer};

const BOUND: Duration = Duration::from_secs(30);

/// A client that blocks its thread: the server has one of its own.
struct Client {
    socket: TcpStream,
    got: String,
}

impl Client {
    fn new(server: &ScriptServer) -> Self {
        let address = server.base_url().replace("http://", "").replace("/v1", "");
        let socket = TcpStream::connect(address).expect("it listens");
        socket.set_read_timeout(Some(BOUND)).expect("a time above zero");
        Self { socket, got: String::new() }
    }

    fn asks(&mut self, method: &str, path: &str, body: &str) {
        let length = body.len();
        let head = format!("{method} /v1{path} HTTP/1.1\r\nHost: it\r\nContent-Length: {length}");
        write!(self.socket, "{head}\r\nX-Test: Yes\r\n\r\n{body}").expect("it reads");
    }

    fn prompts(server: &ScriptServer) -> Self {
        let mut client = Self::new(server);
        client.asks("POST", "/chat/completions", "{}");
        client
    }

    /// Reads until `end` has come, or all there is.
    fn reads_to(&mut self, end: &str) -> &str {
        while !self.got.contains(end) {
            let mut buffer = [0; 4096];
            let count = self.socket.read(&mut buffer).expect("bytes, or the end, within the bound");
            if count == 0 {
                break;
            }
            self.got += std::str::from_utf8(&buffer[..count]).expect("the script's letters");
        }
        &self.got
    }

    fn reads_all(&mut self) -> &str {
        self.reads_to("\r\n0\r\n\r\n")
    }
}

async fn start(replies: impl IntoIterator<Item = Reply>) -> ScriptServer {
    ScriptServer::start(Script::new(replies)).await.expect("a loopback port")
}

#[tokio::test]
async fn each_request_gets_the_next_reply_and_is_kept_as_it_came() {
    let server = start([Reply::text("first"), Reply::status(429, "slow down")]).await;
    let mut client = Client::new(&server);
    client.asks("POST", "/chat/completions", r#"{"model":"m"}"#);
    let first = client.reads_all();
    assert!(first.starts_with("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"), "{first}");
    assert!(first.contains("\"first\"") && first.contains("data: [DONE]"), "{first}");
    client.got.clear();
    client.asks("POST", "/chat/completions", "");
    let second = client.reads_all();
    assert!(second.starts_with("HTTP/1.1 429 ") && second.contains("slow down"), "{second}");
    client.got.clear();
    client.asks("POST", "/chat/completions", "");
    let third = client.reads_all();
    assert!(third.starts_with("HTTP/1.1 500 "), "{third}");
    assert!(third.contains("the script has no more replies"), "{third}");

    let [seen, _, _] = &server.requests()[..] else { panic!("not three requests") };
    assert_eq!((&*seen.method, &*seen.path), ("POST", "/v1/chat/completions"));
    assert_eq!(seen.header("x-test"), Some("Yes"));
    assert_eq!(seen.json().expect("JSON")["model"], "m");
    assert_eq!(server.connections(), 1, "one connection carried them all");
}

#[tokio::test]
async fn other_paths_use_up_no_reply() {
    let server = start([Reply::text("the only one")]).await;
    let mut client = Client::new(&server);
    client.asks("GET", "/models", "");
    assert!(client.reads_to("]}").contains(r#"{"id":"scripted","object":"model"}"#));
    for (method, path) in [("GET", "/chat/completions"), ("POST", "/models"), ("POST", "/else")] {
        let mut client = Client::new(&server);
        client.asks(method, path, "");
        assert!(client.reads_to("}}").starts_with("HTTP/1.1 404 "), "{method} {path}");
    }
    assert!(Client::prompts(&server).reads_all().contains("only "));
    assert_eq!((server.requests().len(), server.strays().len()), (1, 4));
}

#[tokio::test]
async fn a_held_reply_goes_on_when_it_is_released() {
    let server = start([Reply::text("before").and_hold("mid").and_text("after")]).await;
    let mut client = Client::prompts(&server);
    server.reached("mid").await.expect("the pause");
    assert!(!client.reads_to("before").contains("after"));
    server.closed_early(0, Duration::ZERO).await.expect_err("it is held, not over");
    server.release("mid");
    assert!(client.reads_all().contains("after"));
    assert!(!server.closed_early(0, BOUND).await.expect("it is over"));
}

#[tokio::test]
async fn a_pause_that_was_released_before_holds_nothing_up() {
    let server = start([Reply::text("before").and_hold("mid").and_text("after")]).await;
    server.release("mid");
    assert!(Client::prompts(&server).reads_all().contains("after"));
}

#[tokio::test]
async fn a_request_waits_for_the_reply_that_it_is_given() {
    let server = ScriptServer::start(Script::waiting()).await.expect("a loopback port");
    let mut first = Client::prompts(&server);
    server.seen(1).await.expect("the request");
    let second = Client::prompts(&server);
    server.seen(2).await.expect("the request");
    drop(second);
    assert!(server.closed_early(1, BOUND).await.expect("closed"), "while it waited");
    server.answer(2, Reply::text("third"));
    assert!(Client::prompts(&server).reads_all().contains("third"));
    server.closed_early(0, Duration::ZERO).await.expect_err("it still waits");
    server.answer(0, Reply::text("first"));
    server.answer(0, Reply::text("late"));
    assert!(first.reads_all().contains("first"));
}

#[tokio::test]
async fn a_client_that_closes_its_socket_in_the_middle_is_noticed() {
    let held = || Reply::text("some").and_hold("for ever").and_text("more");
    let server = start([held(), Reply::text("some").silent_after(2), Reply::silent()]).await;
    let mut client = Client::prompts(&server);
    client.reads_to("some");
    drop(client);
    assert!(server.closed_early(0, BOUND).await.expect("closed"), "held");

    let mut client = Client::prompts(&server);
    client.reads_to("some");
    assert!(!client.got.contains("finish_reason\":\"stop"));
    drop(client);
    assert!(server.closed_early(1, BOUND).await.expect("closed"), "silent after events");

    let client = Client::prompts(&server);
    server.seen(3).await.expect("the third request");
    server.closed_early(2, Duration::ZERO).await.expect_err("it waits");
    let mut byte = [0];
    client.socket.set_nonblocking(true).expect("a socket");
    let nothing = client.socket.peek(&mut byte).expect_err("not even a status");
    assert_eq!(nothing.kind(), std::io::ErrorKind::WouldBlock);
    drop(client);
    assert!(server.closed_early(2, BOUND).await.expect("closed"), "silent from the start");
}

/// PV-6 can be tried: all that was sent before the cut arrives, and the body has no end.
#[tokio::test]
async fn a_cut_reply_arrives_up_to_the_cut() {
    let long = "word ".repeat(2_000);
    let body = "data: {\"half\":";
    let cuts = [
        Reply::text("one two").cut_after(2),
        Reply::text(&long).cut_after(2_001),
        Reply::raw(body, Chunks::Whole).cut_after(1),
        Reply::text("").cut_after(0),
    ];
    let server = start(cuts).await;
    let mut got = Vec::new();
    for request in 0..4 {
        let mut client = Client::prompts(&server);
        got.push(client.reads_all().to_owned());
        assert!(!got[request].contains("\r\n0\r\n\r\n"), "{request}");
        assert!(!server.closed_early(request, BOUND).await.expect("it is over"), "{request}");
    }
    assert!(got[0].contains("\"one \"") && !got[0].contains("\"two\""));
    assert_eq!(got[1].matches("\"word \"").count(), 2_000);
    assert!(got[2].ends_with("data: {\"half\":\r\n"), "{}", got[2]);
    assert!(got[3].starts_with("HTTP/1.1 200 OK") && !got[3].contains("data"), "{}", got[3]);
}

#[tokio::test]
async fn each_event_is_a_chunk_of_its_own() {
    let server = start([Reply::text("one two")]).await;
    let chunks = Client::prompts(&server).reads_all().matches("\r\ndata: ").count();
    assert_eq!(chunks, 5, "role, two words, the finish and the end");
}

#[tokio::test]
async fn a_header_that_is_none_is_told_instead_of_sent() {
    let server = start([Reply::status(200, "").header("no name", "x")]).await;
    let got = Client::prompts(&server).reads_to("}}").to_owned();
    assert!(got.starts_with("HTTP/1.1 500 ") && got.contains("headers are not HTTP"), "{got}");
    assert!(!server.closed_early(0, Duration::ZERO).await.expect("it is over"));
}

#[tokio::test]
async fn a_dropped_server_leaves_no_port_and_no_socket() {
    let server = start([Reply::text("some").and_hold("for ever")]).await;
    let mut client = Client::prompts(&server);
    client.reads_to("some");
    let address = client.socket.peer_addr().expect("connected");
    drop(server);
    let got = client.reads_all();
    assert!(!got.contains("[DONE]"), "{got}");
    TcpStream::connect(address).expect_err("nobody listens");
}
