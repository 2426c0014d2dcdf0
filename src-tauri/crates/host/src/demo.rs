//! The demo's model: a script played in this very program, for turns without a key.

use std::{fmt, io};

use provider::{Endpoint, catalog};
use script::{Script, ScriptServer};

/// The name that asks for it in place of a provider.
pub(crate) const NAME: &str = "demo";

/// What it says in a folder that is not the sample project.
pub(crate) const SCRIPT: &str = include_str!("demo.json");

/// A scripted model that runs as long as this lives.
pub(crate) struct Demo {
    _server: ScriptServer,
    pub(crate) endpoint: Endpoint,
}

impl Demo {
    /// Starts a scripted model on a loopback port, for one turn.
    ///
    /// # Errors
    ///
    /// What the system says if no port can be opened.
    pub(crate) async fn start(script: &str) -> io::Result<Self> {
        let script = Script::parse(script).expect("the demo's scripts are tested");
        let server = ScriptServer::start(script).await?;
        let base_url = server.base_url();
        let entry = catalog::for_base_url(&base_url);
        let endpoint = Endpoint { entry, base_url, model: NAME.to_owned(), key: None };
        Ok(Self { _server: server, endpoint })
    }
}

impl fmt::Debug for Demo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Demo")
    }
}
