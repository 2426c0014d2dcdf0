//! A scripted model whose requests are checked when the test ends.

use std::{ops::Deref, thread};

use script::{Script, ScriptServer};

use crate::{Scope, check_requests};

/// A script's server that checks, when it is dropped, every request it saw.
#[derive(Debug)]
pub struct Guard {
    server: ScriptServer,
    scope: Scope,
}

impl Guard {
    /// Starts the script.
    ///
    /// # Panics
    ///
    /// If the server cannot start.
    pub async fn start(script: Script, scope: Scope) -> Self {
        let server = ScriptServer::start(script).await.expect("a loopback port and a thread");
        Self { server, scope }
    }
}

impl Deref for Guard {
    type Target = ScriptServer;

    fn deref(&self) -> &ScriptServer {
        &self.server
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // A test that failed already has said the more important thing.
        if thread::panicking() {
            return;
        }
        if let Err(broken) = check_requests(&self.server.requests(), &self.scope) {
            panic!("{broken}");
        }
    }
}
