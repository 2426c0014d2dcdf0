//! A server that plays bytes and keeps what it saw.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{
        Mutex,
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    },
    task::JoinHandle,
    time::timeout,
};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is sent to one request, and what becomes of the connection then.
pub(crate) struct Reply {
    pieces: Vec<Vec<u8>>,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Keep,
    Close,
    /// Sends nothing more and waits until the client closes.
    Hang,
}

impl Reply {
    /// A whole stream of events.
    pub(crate) fn stream(body: &str) -> Self {
        let mut bytes = Self::head();
        bytes.extend(chunked(body.as_bytes()));
        bytes.extend(b"0\r\n\r\n");
        Self { pieces: vec![bytes], then: Then::Keep }
    }

    /// A whole stream, each byte sent for itself.
    pub(crate) fn dripping(body: &str) -> Self {
        let mut pieces = vec![Self::head()];
        pieces.extend(body.bytes().map(|it| chunked(&[it])));
        pieces.push(b"0\r\n\r\n".to_vec());
        Self { pieces, then: Then::Keep }
    }

    /// A stream whose connection is cut after that much of it.
    pub(crate) fn cut(body: &str) -> Self {
        let pieces = vec![Self::head(), chunked(body.as_bytes())];
        Self { pieces, then: Then::Close }
    }

    /// A stream that falls silent after that much of it.
    pub(crate) fn silent(body: &str) -> Self {
        let pieces = vec![Self::head(), chunked(body.as_bytes())];
        Self { pieces, then: Then::Hang }
    }

    /// Bytes as they are, and then the connection is closed or left silent.
    pub(crate) fn raw(bytes: &[u8], hang: bool) -> Self {
        let then = if hang { Then::Hang } else { Then::Close };
        Self { pieces: vec![bytes.to_vec()], then }
    }

    /// A response that is no stream. `head` is the status with the headers.
    pub(crate) fn plain(head: &str, body: &str) -> Self {
        let head = head.replace('\n', "\r\n");
        let bytes = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Self { pieces: vec![bytes.into_bytes()], then: Then::Keep }
    }

    fn head() -> Vec<u8> {
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec()
    }
}

fn chunked(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend(bytes);
    chunk.extend(b"\r\n");
    chunk
}

/// A request as it came.
pub(crate) struct Seen {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The server. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) base_url: String,
    connections: Arc<AtomicUsize>,
    seen: UnboundedReceiver<Seen>,
    closed: UnboundedReceiver<()>,
    task: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback can be listened on");
        let address = listener.local_addr().expect("the listener has an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        let mut replies = replies.into_iter().collect::<Vec<_>>();
        replies.reverse();
        let replies = Arc::new(Mutex::new(replies));
        let (tell_seen, seen) = unbounded_channel();
        let (tell_closed, closed) = unbounded_channel();
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let play = play(connection, Arc::clone(&replies), tell_seen.clone());
                let tell_closed = tell_closed.clone();
                tokio::spawn(async move {
                    play.await;
                    let _listening = tell_closed.send(());
                });
            }
        });
        Self { base_url: format!("http://{address}/v1"), connections, seen, closed, task }
    }

    pub(crate) fn host(&self) -> &str {
        self.base_url.trim_start_matches("http://").trim_end_matches("/v1")
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits for a request.
    pub(crate) async fn seen(&mut self) -> Seen {
        let seen = timeout(PATIENCE, self.seen.recv()).await.expect("a request comes");
        seen.expect("the server runs")
    }

    pub(crate) fn saw_no_more(&mut self) -> bool {
        self.seen.try_recv().is_err()
    }

    /// Waits until the client has closed a connection.
    pub(crate) async fn closed(&mut self) {
        let closed = timeout(PATIENCE, self.closed.recv()).await.expect("it closes");
        closed.expect("the server runs");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn play(
    mut connection: TcpStream,
    replies: Arc<Mutex<Vec<Reply>>>,
    tell_seen: UnboundedSender<Seen>,
) {
    while let Some(request) = request(&mut connection).await {
        let _listening = tell_seen.send(request);
        let Some(reply) = replies.lock().await.pop() else { return };
        for piece in reply.pieces {
            if connection.write_all(&piece).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
        match reply.then {
            Then::Keep => {}
            Then::Close => return,
            Then::Hang => {
                let _end = connection.read(&mut [0]).await;
                return;
            }
        }
    }
}

async fn request(connection: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            break at + 4;
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).to_ascii_lowercase();
    let length = head.lines().find_map(|it| it.strip_prefix("content-length: "));
    let length = length.unwrap_or("0").parse::<usize>();
    let length = length.expect("a length is a number");
    while bytes.len() < head_end + length {
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen { head, body: bytes.split_off(head_end) })
}
