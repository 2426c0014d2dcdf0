//! A client of WebDriver: HTTP to `WebKitWebDriver`, which starts the program and drives its page.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    net::TcpListener,
    os::unix::process::CommandExt as _,
    process::Stdio,
    time::Duration,
};

use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{
    place::Place,
    processes::{self, Killed},
    wait::until,
};

/// How long one request may take: the driver answers when the page has.
const ANSWER: Duration = Duration::from_secs(60);
/// How long the end of a session may take.
const END: Duration = Duration::from_secs(8);
/// The name of the field that WebDriver puts an element's id in.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const SCREEN: &str = "1280x820x24";

/// A display, a driver, and the session of one run of the program. All end when it is dropped.
pub(crate) struct Driver {
    session: Option<String>,
    http: Client,
    runtime: Runtime,
    url: String,
    driver: Killed,
    // After the driver, so that the program keeps its display to its end.
    _display: Killed,
}

/// An element of the page, as the driver names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element(String);

/// What the driver answers instead of a value.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl Driver {
    /// Starts a display and a driver; no program yet.
    pub(crate) fn start(place: &Place) -> Self {
        let (display, number) = display(place);
        // Fails if another test of this binary has installed it.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = Client::builder().no_proxy().timeout(ANSWER).build().expect("an HTTP client");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let port = free_port();
        let driver = driver(place, number, port);
        let driver = Self {
            session: None,
            http,
            runtime: runtime.expect("a runtime"),
            url: format!("http://127.0.0.1:{port}"),
            driver,
            _display: display,
        };
        let ready = || driver.call(Method::GET, "/status", None).ok();
        until("the driver", ready, || place.said());
        driver
    }

    /// Starts the program.
    pub(crate) fn open(&mut self, place: &Place) {
        let options = json!({"binary": place.program(), "args": []});
        let wanted = json!({"browserName": "wry", "webkitgtk:browserOptions": options});
        let body = json!({"capabilities": {"alwaysMatch": wanted}});
        let answer = self.call(Method::POST, "/session", Some(&body));
        let answer = answer.unwrap_or_else(|it| panic!("no session: {}\n{}", it.0, place.said()));
        self.session = Some(answer["sessionId"].as_str().expect("a session").to_owned());
    }

    /// Returns the running program's process.
    pub(crate) fn program(&self) -> Option<u32> {
        let below = processes::below(self.driver.0.id());
        // Linux keeps the first 15 characters of a name.
        below.iter().find(|it| it.name == "evident-desktop"[..15]).map(|it| it.id)
    }

    /// Forgets the session of a program that has ended.
    pub(crate) fn close(&mut self) {
        if let Some(session) = self.session.take() {
            let path = format!("/session/{session}");
            let ended = self.request(Method::DELETE, &path, None);
            let ended = async { tokio::time::timeout(END, ended).await };
            // The program has ended already, or does so now, or is killed with the driver.
            drop(self.runtime.block_on(ended));
        }
    }

    /// Calls a command of the session.
    pub(crate) fn session(
        &self,
        method: Method,
        command: &str,
        body: &Value,
    ) -> Result<Value, Refused> {
        let session = self.session.as_ref().expect("a program runs");
        let body = (method == Method::POST).then_some(body);
        self.call(method, &format!("/session/{session}/{command}"), body)
    }

    /// Reads an element out of an answer.
    pub(crate) fn element(value: &Value) -> Option<Element> {
        value[ELEMENT].as_str().map(|it| Element(it.to_owned()))
    }

    /// Calls a command of an element.
    pub(crate) fn of(
        &self,
        element: &Element,
        method: Method,
        command: &str,
        body: &Value,
    ) -> Result<Value, Refused> {
        self.session(method, &format!("element/{}/{command}", element.0), body)
    }

    fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Refused> {
        self.runtime.block_on(self.request(method, path, body))
    }

    async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Refused> {
        let request = self.http.request(method, format!("{}{path}", self.url));
        let request = if let Some(body) = body { request.json(body) } else { request };
        let failed = |error: reqwest::Error| Refused(error.to_string());
        let response = request.send().await.map_err(failed)?;
        let is_success = response.status().is_success();
        let mut answer: Value = response.json().await.map_err(failed)?;
        let value = answer["value"].take();
        if is_success { Ok(value) } else { Err(Refused(value.to_string())) }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let below = processes::below(self.driver.0.id());
        self.close();
        for process in below {
            if processes::runs(process.id) {
                processes::signal("KILL", process.id);
            }
        }
    }
}

/// Starts a display on a number that it picks itself.
fn display(place: &Place) -> (Killed, u32) {
    let mut command = place.command("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut child = Killed(command.spawn().expect("Xvfb starts"));
    let mut line = String::new();
    let mut stdout = BufReader::new(child.0.stdout.take().expect("it is piped"));
    stdout.read_line(&mut line).expect("a readable pipe");
    let number = line.trim().parse().expect("Xvfb says the number of its display");
    (child, number)
}

fn driver(place: &Place, display: u32, port: u16) -> Killed {
    let log = || File::options().create(true).append(true).open(place.log()).expect("a log");
    let mut command = place.command("WebKitWebDriver");
    command.args(["--host=127.0.0.1", &format!("--port={port}")]);
    command.env("DISPLAY", format!(":{display}")).env("TAURI_WEBVIEW_AUTOMATION", "true");
    command.stdin(Stdio::null()).stdout(log()).stderr(log()).process_group(0);
    Killed(command.spawn().expect("WebKitWebDriver starts"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0));
    let address = listener
        .as_ref()
        .map_or_else(|it| Err(io::Error::new(it.kind(), "no port")), TcpListener::local_addr);
    address.expect("a free port").port()
}
