//! The scripted model of a test, for tests that do not await.

use std::ops::Deref;

use testkit::script::{Script, ScriptServer};
use tokio::runtime::{Builder, Runtime};

/// A script that is played over loopback until it is dropped.
pub(crate) struct Model {
    server: ScriptServer,
    runtime: Runtime,
}

impl Model {
    pub(crate) fn play(script: Script) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let server = runtime.block_on(ScriptServer::start(script)).expect("a loopback port");
        Self { server, runtime }
    }

    /// Waits for a request, by its number from 0, and returns the text of its newest message.
    pub(crate) fn asked(&self, request: usize) -> String {
        self.runtime.block_on(self.server.seen(request + 1)).expect("it asks");
        let seen = self.server.requests()[request].json().expect("a request");
        let messages = seen["messages"].as_array().expect("messages");
        let newest = messages.last().and_then(|it| it["content"].as_str());
        newest.unwrap_or_default().to_owned()
    }

    /// Waits until a reply has come to the pause of that name; a long one takes its time.
    pub(crate) fn reached(&self, name: &str) {
        let wait = || self.runtime.block_on(self.server.reached(name));
        wait().or_else(|_| wait()).expect("it comes to the pause");
    }
}

impl Deref for Model {
    type Target = ScriptServer;

    fn deref(&self) -> &ScriptServer {
        &self.server
    }
}
