//! What is done with a session as a whole: naming it, putting it away, deleting it, copying it.

use protocol::{CopiedSession, SessionId, SessionSummary};
use session::{Copied, Label};
use tokio::sync::oneshot;

use crate::{Host, HostError, history::blocking, session_task::Wake};

impl Host {
    /// Gives a session another title, at most 60 characters of one line (AN-30); an empty one gives
    /// it back to the first prompt. Returns the session as it is listed now.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if it is missing, damaged, written by another process or not writable.
    pub async fn rename_session(
        &self,
        session: SessionId,
        title: String,
    ) -> Result<SessionSummary, HostError> {
        self.label(session, Label::Title(title)).await
    }

    /// Puts a session away, or takes it out again. Returns it as it is listed now.
    ///
    /// # Errors
    ///
    /// As [`Self::rename_session`].
    pub async fn archive_session(
        &self,
        session: SessionId,
        archived: bool,
    ) -> Result<SessionSummary, HostError> {
        self.label(session, Label::Archived(archived)).await
    }

    async fn label(&self, id: SessionId, label: Label) -> Result<SessionSummary, HostError> {
        // Nobody opens it between the look and the label.
        let _alone = self.opening.lock().await;
        let is_open = self.sessions.lock().await.contains_key(&id);
        let (folder, now) = (self.sessions_place(), self.options.clock.now().unix_seconds());
        let labelled = blocking(move || {
            let put = if is_open { session::label_open } else { session::label };
            put(&folder, &id, &label, now)
        });
        Ok(labelled.await?)
    }

    /// Moves a session into the trash folder, where its file stays whole. One that is open here is
    /// closed first.
    ///
    /// # Errors
    ///
    /// [`HostError::TurnRunning`] while a turn of it runs here; [`HostError::Session`] if it is
    /// missing, written by another process, or cannot be moved.
    pub async fn delete_session(&self, id: SessionId) -> Result<(), HostError> {
        let _alone = self.opening.lock().await;
        if self.is_running(&id).await {
            return Err(HostError::TurnRunning);
        }
        self.close(&id).await;
        let (folder, trash) = (self.sessions_place(), self.options.home.trash_place());
        blocking(move || session::discard(&folder, &trash, &id)).await?;
        Ok(())
    }

    /// Returns whether a turn of a session runs here.
    async fn is_running(&self, id: &SessionId) -> bool {
        let (told, answer) = oneshot::channel();
        // Where it is not open, nobody answers.
        self.wake(id, Wake::Look { is_running: told }).await.is_ok() && answer.await == Ok(true)
    }

    /// Copies a session under a new id, or what can be read of a damaged one, and leaves the
    /// original as it is (SM-13, JR-3). Neither is opened; another process may write the original.
    ///
    /// # Errors
    ///
    /// [`HostError::Unreadable`] if its start cannot be read; [`HostError::Session`] if it is missing, or
    /// there is no room.
    pub async fn copy_session(&self, from: SessionId) -> Result<CopiedSession, HostError> {
        let (folder, to) = (self.sessions_place(), self.options.ids.session());
        let now = self.options.clock.now().unix_seconds();
        let copy = move || {
            let copied = session::copy(&folder, &from, to, now);
            copied.map_err(|error| HostError::from(error).of_damage(&folder, &from))
        };
        let copied = blocking(copy).await?;
        let Copied { session, lost_records, damage } = copied;
        Ok(CopiedSession { session, lost_records, damage })
    }
}
