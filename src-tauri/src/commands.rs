//! What the page can ask for. Each command names a call of the host, does nothing else, and fails as
//! that does.

pub(crate) mod results;
pub(crate) mod session;
pub(crate) mod settings;
