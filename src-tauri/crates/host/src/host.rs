//! The open sessions, and what can be asked of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use agent::{Agent, AgentParts, Answer, Approvals, Watchers};
use protocol::{
    Clock, Decision, IdSource, Limits, PermissionId, Preset, ReadId, Seq, SessionId, TurnId,
};
use session::SessionLog;
use tokio::{
    sync::{Mutex, mpsc, oneshot},
    task::JoinHandle,
};
use workspace::Workspace;

use crate::{
    Follow, Home, HostError, ProviderChoice,
    history::blocking,
    sample,
    session_task::{self, INBOX, Wake},
    settings,
    setup::{Chosen, Ready},
};

/// Frames a watcher may fall behind by before it reads from the store again.
const BACKLOG: usize = 4096;

/// What a host is made of.
#[derive(Clone, Debug)]
pub struct HostOptions {
    pub home: Home,
    pub clock: Clock,
    pub ids: IdSource,
    pub limits: Limits,
    pub provider: ProviderChoice,
    pub approvals: Approvals,
}

/// What a session may do, for as long as it is open here.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Further folders that the user granted (PM-2).
    pub add_dirs: Vec<PathBuf>,
    pub preset: Preset,
}

impl SessionOptions {
    /// Returns the options that came as words.
    pub fn new(add_dirs: Vec<String>, preset: Preset) -> Self {
        Self { add_dirs: add_dirs.into_iter().map(PathBuf::from).collect(), preset }
    }
}

/// A session that was opened here.
#[derive(Debug)]
pub struct Opened {
    pub session: SessionId,
    /// The last event it holds.
    pub last: Seq,
    /// What happens from now on.
    pub follow: Follow,
}

/// The open sessions. Cheap to share.
pub struct Host {
    pub(crate) options: HostOptions,
    pub(crate) sessions: Mutex<BTreeMap<SessionId, OpenSession>>,
    /// Held by whoever opens a session that may be open.
    pub(crate) opening: Mutex<()>,
    pub(crate) chosen: Mutex<Chosen>,
}

pub(crate) struct OpenSession {
    /// Whether it works on a copy of the sample project.
    pub(crate) is_sample: bool,
    inbox: mpsc::Sender<Wake>,
    watchers: Watchers,
    task: JoinHandle<()>,
}

impl Host {
    /// Makes a host. It touches nothing yet.
    pub fn new(options: HostOptions) -> Self {
        let chosen = Mutex::new(Chosen::new(options.provider.clone()));
        Self { options, sessions: Mutex::default(), opening: Mutex::default(), chosen }
    }

    /// Creates a session for a folder, and opens it.
    ///
    /// # Errors
    ///
    /// [`HostError::Workspace`] if the folder cannot be used; [`HostError::Settings`] if the
    /// project's settings cannot; [`HostError::Home`] or [`HostError::Session`] if the session
    /// cannot be stored. No tokens are spent then.
    pub async fn new_session(
        &self,
        folder: &Path,
        options: SessionOptions,
    ) -> Result<Opened, HostError> {
        let id = self.options.ids.session();
        let (home, limits) = (self.options.home.clone(), self.options.limits.clone());
        let now = self.options.clock.now().unix_seconds();
        let (root, named) = (folder.to_owned(), id.clone());
        let added = options.add_dirs.clone();
        let made = blocking(move || {
            let workspace = open_workspace(&home, &root, &added, &limits)?;
            let roots = workspace.roots().map(|it| it.display().to_string());
            let roots: Vec<String> = roots.collect();
            let sessions = home.sessions()?;
            let log = SessionLog::create(&sessions, named, &roots[0], &roots, now, &limits)?;
            Ok::<_, HostError>((workspace, log))
        });
        let (workspace, log) = made.await?;
        self.take_up(id, workspace, log, options.preset, None).await
    }

    /// Opens a session for writing; a turn that was cut off is closed first.
    ///
    /// With `after`, what is stored after it is followed first; without, only what is new.
    ///
    /// # Errors
    ///
    /// [`HostError::OpenAlready`]; [`HostError::WorkspaceGone`] if its folder is not there;
    /// [`HostError::Damaged`] if it can be read, and gone on with in a copy alone;
    /// [`HostError::Unreadable`] if it cannot be copied either;
    /// [`HostError::Session`] if it is missing, held by another process or not writable.
    pub async fn open_session(
        &self,
        id: SessionId,
        options: SessionOptions,
        after: Option<Seq>,
    ) -> Result<Opened, HostError> {
        if self.sessions.lock().await.contains_key(&id) {
            return Err(HostError::OpenAlready(id));
        }
        let (home, limits) = (self.options.home.clone(), self.options.limits.clone());
        let (named, added) = (id.clone(), options.add_dirs.clone());
        let folder = home.sessions_place();
        let opened = blocking(move || {
            let log = SessionLog::open(&home.sessions_place(), named, &limits)?;
            let root = PathBuf::from(log.reader().opened()?.workspace);
            if !root.is_dir() {
                return Err(HostError::WorkspaceGone(root));
            }
            Ok((open_workspace(&home, &root, &added, &limits)?, log))
        });
        let taken_up = async {
            let (workspace, log) = opened.await?;
            self.take_up(id.clone(), workspace, log, options.preset, after).await
        };
        match taken_up.await {
            Err(error) => Err(blocking(move || error.of_damage(&folder, &id)).await),
            taken_up => taken_up,
        }
    }

    async fn take_up(
        &self,
        id: SessionId,
        workspace: Workspace,
        log: SessionLog,
        preset: Preset,
        after: Option<Seq>,
    ) -> Result<Opened, HostError> {
        let root = workspace.roots().next().unwrap_or(Path::new("")).to_owned();
        let (home, choice) = (self.options.home.clone(), self.options.provider.clone());
        let read = blocking(move || {
            let hidden = settings::hidden_variables(&choice, &home.settings_file());
            let is_sample = sample::is_sample(&home.samples_place(), &root);
            Ok::<_, HostError>((settings::project(&root)?.checks, hidden, is_sample))
        });
        let (checks, hidden_variables, is_sample) = read.await?;
        let watchers = Watchers::new(BACKLOG);
        let before = log.reader().last_seq()?;
        let agent = Agent::open(AgentParts {
            session: id.clone(),
            log,
            workspace: Arc::new(workspace),
            watchers: watchers.clone(),
            clock: self.options.clock.clone(),
            ids: self.options.ids.clone(),
            limits: Arc::new(self.options.limits.clone()),
            preset,
            approvals: self.options.approvals,
            hidden_variables,
            checks,
        });
        let agent = agent.await?;
        let (inbox, wakes) = mpsc::channel(INBOX);
        let follow = self.follow_from(&id, &watchers, after.unwrap_or(before)).await?;
        let task = tokio::spawn(session_task::run(
            agent,
            id.clone(),
            watchers.clone(),
            self.index(),
            wakes,
        ));
        let open = OpenSession { is_sample, inbox, watchers, task };
        self.sessions.lock().await.insert(id.clone(), open);
        Ok(Opened { session: id, last: before, follow })
    }

    async fn follow_from(
        &self,
        id: &SessionId,
        watchers: &Watchers,
        after: Seq,
    ) -> Result<Follow, HostError> {
        Ok(Follow::start(self.sessions_place(), id.clone(), watchers, after).await?)
    }

    /// Follows an open session from after `after`.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`]; [`HostError::Session`] if the store cannot be read.
    pub async fn follow(&self, id: &SessionId, after: Seq) -> Result<Follow, HostError> {
        let watchers = self.sessions.lock().await.get(id).map(|open| open.watchers.clone());
        let watchers = watchers.ok_or_else(|| HostError::NotOpen(id.clone()))?;
        self.follow_from(id, &watchers, after).await
    }

    /// Starts a turn; returns its number once the prompt is stored.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`], [`HostError::TurnRunning`]; [`HostError::Settings`] or
    /// [`HostError::Provider`] if no provider can be used; [`HostError::Turn`] if the prompt is
    /// empty or too long, or the session cannot be written.
    pub async fn prompt(&self, id: &SessionId, text: String) -> Result<TurnId, HostError> {
        self.prompt_ready(id, text, Ready::default()).await
    }

    /// Starts a turn, like [`Self::prompt`], with the provider that [`Self::ready`] found.
    ///
    /// # Errors
    ///
    /// As [`Self::prompt`].
    pub async fn prompt_ready(
        &self,
        id: &SessionId,
        text: String,
        ready: Ready,
    ) -> Result<TurnId, HostError> {
        let model = self.model_for(id, ready).await?;
        let (began, told) = oneshot::channel();
        self.wake(id, Wake::Prompt { text, model, began }).await?;
        told.await.unwrap_or_else(|_| Err(HostError::NotOpen(id.clone())))
    }

    /// Stops the running turn; without one it does nothing.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`].
    pub async fn interrupt(&self, id: &SessionId) -> Result<(), HostError> {
        self.wake(id, Wake::Interrupt).await
    }

    /// Ends a read of the running turn that was asked for as a whole: the turn can complete without
    /// it (RC-25). Without such a read it does nothing.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`].
    pub async fn stop_reading(&self, id: &SessionId, read: ReadId) -> Result<(), HostError> {
        self.wake(id, Wake::StopReading(read)).await
    }

    /// Answers the question that a call waits for.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`]; [`HostError::NotPending`] if it is another question.
    pub async fn answer(
        &self,
        id: &SessionId,
        permission: PermissionId,
        decision: Decision,
    ) -> Result<(), HostError> {
        let (taken, told) = oneshot::channel();
        let answer = Answer { permission, decision };
        self.wake(id, Wake::Answer { answer, taken }).await?;
        told.await.unwrap_or(Err(HostError::NotPending))
    }

    /// Changes what a session may do without asking, from its next turn on: a running turn keeps
    /// what it began with. What was allowed for the session is asked for again.
    ///
    /// # Errors
    ///
    /// [`HostError::NotOpen`].
    pub async fn set_preset(&self, id: &SessionId, preset: Preset) -> Result<(), HostError> {
        self.wake(id, Wake::SetPreset(preset)).await
    }

    pub(crate) async fn wake(&self, id: &SessionId, wake: Wake) -> Result<(), HostError> {
        let inbox = self.sessions.lock().await.get(id).map(|open| open.inbox.clone());
        let closed = || HostError::NotOpen(id.clone());
        inbox.ok_or_else(closed)?.send(wake).await.map_err(|_| closed())
    }

    /// Closes a session: a running turn is stopped and frozen. Returns when it is stored.
    pub async fn close(&self, id: &SessionId) {
        let open = self.sessions.lock().await.remove(id);
        if let Some(open) = open {
            ended(id, open.stop()).await;
        }
    }

    /// Closes every session. What runs is stopped at once everywhere, not one after the other.
    pub async fn shutdown(&self) {
        let open = std::mem::take(&mut *self.sessions.lock().await);
        let closing: Vec<_> = open.into_iter().map(|(id, it)| (id, it.stop())).collect();
        for (id, task) in closing {
            ended(&id, task).await;
        }
    }

    /// Returns where the session files are.
    pub(crate) fn sessions_place(&self) -> PathBuf {
        self.options.home.sessions_place()
    }
}

impl OpenSession {
    /// Stops what runs, and returns the task, which ends when all is stored.
    fn stop(self) -> JoinHandle<()> {
        // Its inbox closes.
        self.task
    }
}

async fn ended(id: &SessionId, task: JoinHandle<()>) {
    if task.await.is_err() {
        tracing::error!(session = id.as_str(), "the session's task ended early");
    }
}

fn open_workspace(
    home: &Home,
    root: &Path,
    added: &[PathBuf],
    limits: &Limits,
) -> Result<Workspace, HostError> {
    let roots: Vec<PathBuf> = [root.to_owned()].into_iter().chain(added.iter().cloned()).collect();
    let own = home.own_folders().map(Path::to_owned);
    if !sample::is_sample(&home.samples_place(), root) {
        return Ok(Workspace::open(&roots, &own, limits)?);
    }
    // A copy of the sample project lies in our own folder and is no state of ours.
    if !added.is_empty() {
        drop(Workspace::open(added, &own, limits)?);
    }
    Ok(Workspace::open(&roots, &[home.sessions_place()], limits)?)
}
