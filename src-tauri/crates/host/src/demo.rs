//! The demo: a scripted model in this very program, for a first turn without a key.

use std::io;

use provider::{Endpoint, catalog};
use script::{Script, ScriptServer};

/// The name that asks for it in place of a provider.
pub(crate) const NAME: &str = "demo";

const SCRIPT: &str = include_str!("demo.json");

/// A scripted model that runs as long as this lives.
pub(crate) struct Demo {
    _server: ScriptServer,
    pub(crate) endpoint: Endpoint,
}

impl Demo {
    /// Starts the scripted model on a loopback port.
    ///
    /// # Errors
    ///
    /// What the system says if no port can be opened.
    pub(crate) async fn start() -> io::Result<Self> {
        let script = Script::parse(SCRIPT).expect("the demo's script is tested");
        let server = ScriptServer::start(script).await?;
        let base_url = server.base_url();
        let entry = catalog::for_base_url(&base_url);
        let endpoint = Endpoint { entry, base_url, model: NAME.to_owned(), key: None };
        Ok(Self { _server: server, endpoint })
    }
}
