//! Opening from a window, which may ask for the same session again.

use protocol::{OpenedSession, Seq, SessionId};
use session::SessionReader;

use crate::{Host, HostError, SessionOptions, history::blocking};

impl Host {
    /// Opens a session for writing. One that is open here is left as it is, with the options it has.
    ///
    /// # Errors
    ///
    /// As [`Host::open_session`], but never [`HostError::OpenAlready`].
    pub async fn join_session(
        &self,
        id: SessionId,
        options: SessionOptions,
    ) -> Result<OpenedSession, HostError> {
        // One at a time: the second of two that ask at once finds it open.
        let _alone = self.opening.lock().await;
        let last = match self.open_session(id.clone(), options, None).await {
            Ok(opened) => opened.last,
            Err(HostError::OpenAlready(_)) => self.last_seq(id.clone()).await?,
            Err(error) => return Err(error),
        };
        Ok(OpenedSession { session: id, last })
    }

    async fn last_seq(&self, id: SessionId) -> Result<Seq, HostError> {
        let folder = self.sessions_place();
        Ok(blocking(move || SessionReader::open(&folder, &id)?.last_seq()).await?)
    }
}
