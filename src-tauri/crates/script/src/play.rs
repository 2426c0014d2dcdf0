//! Plays one reply to one request.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Bytes, Frame, Incoming},
};
use tokio::{
    sync::{mpsc, watch},
    time,
};

use crate::{
    End, Script, SeenRequest,
    server::{BASE, Log},
    wire::{self, Step, Take},
};

/// Most bytes of a request's body.
const REQUEST_BYTES: usize = 256 << 20;

const MODELS: &str = r#"{"object":"list","data":[{"id":"scripted","object":"model"}]}"#;

/// What all connections share.
pub(crate) struct Player {
    pub(crate) script: Script,
    pub(crate) log: Arc<watch::Sender<Log>>,
}

type Reply = Response<Either<Full<Bytes>, Playing>>;

impl Player {
    /// Answers one request.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Reply, Infallible> {
        let (head, body) = request.into_parts();
        let Ok(body) = Limited::new(body, REQUEST_BYTES).collect().await else {
            return Ok(whole(
                StatusCode::PAYLOAD_TOO_LARGE,
                r#"{"error":{"message":"too large"}}"#,
            ));
        };
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = head.headers.iter();
        let seen = SeenRequest {
            method: head.method.to_string(),
            path: head.uri.to_string(),
            headers: headers.map(|(it, value)| (it.to_string(), text(value.as_bytes()))).collect(),
            body: body.to_bytes().into(),
        };
        let path = head.uri.path().strip_prefix(BASE).unwrap_or_default();
        if head.method == Method::POST && path == "/chat/completions" {
            return Ok(self.play(seen).await);
        }
        self.log.send_modify(|log| log.strays.push(seen));
        Ok(if head.method == Method::GET && path == "/models" {
            whole(StatusCode::OK, MODELS)
        } else {
            whole(StatusCode::NOT_FOUND, r#"{"error":{"message":"no such path"}}"#)
        })
    }

    async fn play(&self, seen: SeenRequest) -> Reply {
        let mut request = 0;
        self.log.send_modify(|log| {
            request = log.requests.len();
            log.requests.push(seen);
            log.closed_early.push(None);
        });
        let (sender, pieces) = mpsc::channel(1);
        // From here on a client that closes the socket is noticed.
        let playing = Playing { pieces, over: false, request, log: Arc::clone(&self.log) };
        let reply = match self.script.reply(request) {
            Some(reply) => reply,
            None => self.answered(request).await,
        };
        let take = wire::take(reply, request);
        let mut response = Response::builder().status(take.status);
        for (name, value) in &take.headers {
            response = response.header(name, value);
        }
        let Ok(response) = response.body(()) else {
            let mut playing = playing;
            playing.over = true;
            let error = r#"{"error":{"message":"the script's status or headers are not HTTP"}}"#;
            return whole(StatusCode::INTERNAL_SERVER_ERROR, error);
        };
        let silent = take.end == End::SilentAfter(0);
        tokio::spawn(send(take, sender, Arc::clone(&self.log)));
        if silent {
            // Dropped, with `playing`, when the client closes the socket.
            std::future::pending::<()>().await;
        }
        response.map(|()| Either::Right(playing))
    }

    /// Waits for the reply that is given from outside.
    async fn answered(&self, request: usize) -> crate::Reply {
        let mut log = self.log.subscribe();
        loop {
            if let Some(reply) = log.borrow_and_update().answers.get(&request) {
                return reply.clone();
            }
            // The sender lives as long as the player.
            drop(log.changed().await);
        }
    }
}

fn whole(status: StatusCode, body: &'static str) -> Reply {
    let mut response = Response::new(Either::Left(Full::from(body)));
    *response.status_mut() = status;
    response
}

/// Hands the steps of a reply to its connection, one when the one before is taken.
///
/// Both run on one thread, so the connection has written a piece before it gets the next: an event
/// is a write of its own, and a cut loses none.
async fn send(take: Take, pieces: mpsc::Sender<Piece>, log: Arc<watch::Sender<Log>>) {
    let most = match take.end {
        End::Whole => usize::MAX,
        End::CutAfter(count) | End::SilentAfter(count) => count,
    };
    let all = take.steps.iter().filter(|step| matches!(step, Step::Send(_))).count();
    let mut sent = 0;
    // Kept to a clock: what a timer is late by is not added up.
    let mut pace = (!take.pace.is_zero()).then(|| time::interval(take.pace));
    if let Some(pace) = &mut pace {
        pace.reset();
    }
    for step in take.steps {
        if sent == most {
            break;
        }
        let name = match step {
            Step::Send(bytes) => {
                sent += 1;
                if let Some(pace) = &mut pace {
                    pace.tick().await;
                }
                let ends = take.end == End::Whole && sent == all;
                if pieces.send(Piece::Bytes { bytes, ends }).await.is_err() {
                    return;
                }
                continue;
            }
            Step::Hold(name) => name,
        };
        log.send_modify(|log| _ = log.reached.insert(name.clone()));
        let mut log = log.subscribe();
        tokio::select! {
            _ = log.wait_for(|log| log.released.contains(&name)) => {}
            () = pieces.closed() => return,
        }
        if let Some(pace) = &mut pace {
            pace.reset();
        }
    }
    match take.end {
        End::Whole => {}
        End::CutAfter(_) => drop(pieces.send(Piece::Cut).await),
        End::SilentAfter(_) => pieces.closed().await,
    }
}

enum Piece {
    Bytes { bytes: Bytes, ends: bool },
    Cut,
}

/// A reply's body. Dropped before its end, the client has closed the socket.
pub(crate) struct Playing {
    pieces: mpsc::Receiver<Piece>,
    over: bool,
    request: usize,
    log: Arc<watch::Sender<Log>>,
}

impl Body for Playing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match ready!(self.pieces.poll_recv(context)) {
            Some(Piece::Bytes { bytes, ends }) => {
                self.over = ends;
                Poll::Ready(Some(Ok(Frame::data(bytes))))
            }
            Some(Piece::Cut) => {
                self.over = true;
                Poll::Ready(Some(Err(io::Error::other("the script cuts here"))))
            }
            None => {
                self.over = true;
                Poll::Ready(None)
            }
        }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let early = !self.over;
        self.log.send_modify(|log| log.closed_early[self.request] = Some(early));
    }
}
