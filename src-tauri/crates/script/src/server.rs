//! The server: takes requests on the loopback address and plays a reply to each.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    thread,
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpListener,
    runtime,
    sync::{oneshot, watch},
    task::JoinSet,
    time,
};

use crate::{Reply, Script, ScriptError, play::Player};

/// How long is waited for what a test does not bound itself.
const PATIENCE: Duration = Duration::from_secs(120);

/// The path that all others are below.
pub(crate) const BASE: &str = "/v1";

/// One request, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRequest {
    pub method: String,
    /// With the query, if there is one.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl SeenRequest {
    /// Returns the first header of that name, given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON.
    ///
    /// # Errors
    ///
    /// The parser's, if the body is no JSON.
    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_slice(&self.body)
    }
}

/// Plays a script until it is dropped; then its port is free and its sockets are closed.
///
/// It runs on a thread of its own, so a caller that blocks does not stop it.
#[derive(Debug)]
pub struct ScriptServer {
    address: SocketAddr,
    log: Arc<watch::Sender<Log>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// What has happened so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) requests: Vec<SeenRequest>,
    /// By request; `None` while its reply is played.
    pub(crate) closed_early: Vec<Option<bool>>,
    pub(crate) strays: Vec<SeenRequest>,
    pub(crate) reached: BTreeSet<String>,
    pub(crate) released: BTreeSet<String>,
    /// By request: the replies that were given from outside.
    pub(crate) answers: BTreeMap<usize, Reply>,
    connections: usize,
}

impl ScriptServer {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// The system's, if there is no port or no thread to be had.
    pub async fn start(script: Script) -> io::Result<Self> {
        let log = Arc::new(watch::Sender::new(Log::default()));
        let (bound, address) = oneshot::channel();
        let (stop, stopped) = oneshot::channel();
        let player = Arc::new(Player { script, log: Arc::clone(&log) });
        let thread = thread::Builder::new().name("script".to_owned()).spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build();
            match runtime {
                Ok(runtime) => runtime.block_on(serve(player, bound, stopped)),
                Err(error) => drop(bound.send(Err(error))),
            }
        })?;
        let address = address.await.map_err(io::Error::other)??;
        Ok(Self { address, log, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the URL that `/chat/completions` and `/models` are below.
    pub fn base_url(&self) -> String {
        format!("http://{}{BASE}", self.address)
    }

    /// Returns the requests for an answer so far, in order.
    pub fn requests(&self) -> Vec<SeenRequest> {
        self.log.borrow().requests.clone()
    }

    /// Returns all other requests so far: for the models, and to paths that are not there.
    pub fn strays(&self) -> Vec<SeenRequest> {
        self.log.borrow().strays.clone()
    }

    /// Returns how many connections were accepted.
    pub fn connections(&self) -> usize {
        self.log.borrow().connections
    }

    /// Waits until so many requests for an answer have come.
    ///
    /// # Errors
    ///
    /// [`ScriptError::NotInTime`] after 120 s.
    pub async fn seen(&self, count: usize) -> Result<(), ScriptError> {
        let what = || format!("{count} requests");
        self.wait(PATIENCE, what, |log| (count <= log.requests.len()).then_some(())).await
    }

    /// Waits until a reply has come to the pause of that name.
    ///
    /// # Errors
    ///
    /// [`ScriptError::NotInTime`] after 120 s.
    pub async fn reached(&self, name: &str) -> Result<(), ScriptError> {
        let what = || format!("the pause {name:?}");
        self.wait(PATIENCE, what, |log| log.reached.contains(name).then_some(())).await
    }

    /// Ends the pause of that name, also one that is still to come.
    pub fn release(&self, name: &str) {
        self.log.send_modify(|log| _ = log.released.insert(name.to_owned()));
    }

    /// Gives a request its reply, by its number from 0, where the script has none and
    /// [waits](crate::Then::Wait). Only the first reply to a request counts.
    pub fn answer(&self, request: usize, reply: Reply) {
        self.log.send_modify(|log| _ = log.answers.entry(request).or_insert(reply));
    }

    /// Waits for the end of a reply, by its request from 0, and returns whether it was the client
    /// that ended it by closing the socket.
    ///
    /// # Errors
    ///
    /// [`ScriptError::NotInTime`] if neither happened `within` that time.
    pub async fn closed_early(
        &self,
        request: usize,
        within: Duration,
    ) -> Result<bool, ScriptError> {
        let what = || format!("the end of reply {request}");
        self.wait(within, what, |log| log.closed_early.get(request).copied().flatten()).await
    }

    async fn wait<T>(
        &self,
        within: Duration,
        what: impl FnOnce() -> String,
        mut come: impl FnMut(&Log) -> Option<T>,
    ) -> Result<T, ScriptError> {
        let mut log = self.log.subscribe();
        let mut found = None;
        let holds = |log: &Log| {
            found = come(log);
            found.is_some()
        };
        drop(time::timeout(within, log.wait_for(holds)).await);
        found.ok_or_else(|| ScriptError::NotInTime { awaited: what() })
    }
}

impl Drop for ScriptServer {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // It has nothing left to say; if it panicked, the panic is printed already.
            drop(thread.join());
        }
    }
}

/// Accepts connections until `stopped`.
async fn serve(
    player: Arc<Player>,
    bound: oneshot::Sender<io::Result<SocketAddr>>,
    mut stopped: oneshot::Receiver<()>,
) {
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await {
        Ok(listener) => listener,
        Err(error) => return drop(bound.send(Err(error))),
    };
    drop(bound.send(listener.local_addr()));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            _ = &mut stopped => return,
        };
        let Ok((socket, _)) = accepted else {
            // The socket is gone again, or there are no more to be had for now.
            time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // A small event must not wait for the one before it to be acknowledged.
        drop(socket.set_nodelay(true));
        player.log.send_modify(|log| log.connections += 1);
        let player = Arc::clone(&player);
        connections.spawn(async move {
            let service = service_fn(|request| Arc::clone(&player).answer(request));
            let mut http = http1::Builder::new();
            let connection =
                http.auto_date_header(false).serve_connection(TokioIo::new(socket), service);
            // It ends in an error when either side cuts it; the log has which.
            drop(connection.await);
        });
    }
}
