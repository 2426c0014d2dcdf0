//! The words of the command line (HL-2, HL-3, HL-5, HL-6).

use std::{io::IsTerminal as _, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use host::{Approvals, ProviderChoice};
use protocol::{Preset, SessionId, TurnId};

/// A coding agent whose host proves what each turn did.
#[derive(Debug, Parser)]
#[command(name = "evident", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one turn in a folder.
    Run(RunArguments),
    /// Play the demo's first turn: scripted replies, real tools, in a small project of its own.
    Demo(WatchArguments),
    /// Serve commands as lines of JSON.
    Serve(ServeArguments),
    /// List the sessions.
    Sessions(SessionsArguments),
    /// Show a session's turns and their results.
    Show(ShowArguments),
    /// Print what a recorded check printed.
    Log(LogArguments),
    /// Look through what is stored: room used, damage, provider. Prints no content and no key.
    Doctor(DoctorArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The folder to work in [default: the current one]
    #[arg(long, value_name = "DIR", conflicts_with = "session")]
    pub(crate) workspace: Option<PathBuf>,
    /// Go on with this session
    #[arg(long, value_name = "ID", value_parser = SessionId::parse, conflicts_with = "go_on")]
    pub(crate) session: Option<SessionId>,
    /// Go on with the newest session of the folder
    #[arg(long = "continue")]
    pub(crate) go_on: bool,
    /// Leave that session as it is, and go on in a copy of what can be read of it
    #[arg(long, requires = "session")]
    pub(crate) copy: bool,
    /// What may be done without asking
    #[arg(long, value_enum, default_value = "workspace-write")]
    pub(crate) preset: PresetWord,
    /// A further folder to work in; can be given several times
    #[arg(long = "add-dir", value_name = "DIR")]
    pub(crate) add_dirs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) watch: WatchArguments,
    #[command(flatten)]
    pub(crate) provider: ProviderArguments,
    /// What to do
    pub(crate) prompt: String,
}

/// How a turn is watched, and who answers what it asks.
#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// Who answers questions: you, always yes, or always no
    #[arg(long, value_enum, default_value = "ask")]
    pub(crate) approve: ApproveWord,
    /// Print every frame as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Read commands from standard input and write replies to standard output
    #[arg(long, required = true)]
    stdio: bool,
    #[command(flatten)]
    pub(crate) provider: ProviderArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SessionsArguments {
    /// Print JSON, a session a line; of a search, its whole answer in one line
    #[arg(long)]
    pub(crate) json: bool,
    /// Only those in which one text holds each of these words: a prompt, an answer, the paths of
    /// changed files, a check's command, a status
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Delete the index over the sessions first, and make it again
    #[arg(long)]
    pub(crate) reindex: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The session, or the start of its id
    pub(crate) session: String,
    /// One turn, counted from 1
    #[arg(value_parser = turn_number)]
    pub(crate) turn: Option<TurnId>,
    /// Print the events as lines of JSON
    #[arg(long, conflicts_with = "patch")]
    pub(crate) json: bool,
    /// Print the frozen patches
    #[arg(long)]
    pub(crate) patch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LogArguments {
    /// The session, or the start of its id
    pub(crate) session: String,
    /// The turn, counted from 1
    #[arg(value_parser = turn_number)]
    pub(crate) turn: TurnId,
    /// Which of the turn's checks, counted from 1
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) check: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ProviderArguments {
    /// A known provider, or `demo` for a scripted one
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// How the provider is spoken to
    #[arg(long, value_enum, default_value = "openai-chat")]
    protocol: ProtocolWord,
    /// Its address, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The model's name
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The variable that holds the key [default: EVIDENT_API_KEY]
    #[arg(long, value_name = "NAME")]
    api_key_env: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProtocolWord {
    OpenaiChat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PresetWord {
    ReadOnly,
    WorkspaceWrite,
    DangerFullAccess,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ApproveWord {
    Ask,
    All,
    None,
}

impl WatchArguments {
    /// Says who answers questions. Without a terminal nobody can (HL-3).
    pub(crate) fn approvals(&self) -> Approvals {
        match self.approve {
            ApproveWord::All => Approvals::All,
            ApproveWord::None => Approvals::None,
            ApproveWord::Ask if self.asks_here() => Approvals::Ask,
            ApproveWord::Ask => Approvals::Nobody,
        }
    }

    fn asks_here(&self) -> bool {
        !self.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }
}

impl ProviderArguments {
    pub(crate) fn choice(&self) -> ProviderChoice {
        match self.protocol {
            ProtocolWord::OpenaiChat => {}
        }
        ProviderChoice {
            provider: self.provider.clone(),
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            api_key_env: self.api_key_env.clone(),
        }
    }
}

impl From<PresetWord> for Preset {
    fn from(word: PresetWord) -> Self {
        match word {
            PresetWord::ReadOnly => Self::ReadOnly,
            PresetWord::WorkspaceWrite => Self::WorkspaceWrite,
            PresetWord::DangerFullAccess => Self::DangerFullAccess,
        }
    }
}

/// Reads a turn's number as people count: from 1.
fn turn_number(text: &str) -> Result<TurnId, String> {
    let number: u32 = text.parse().map_err(|_| "a turn is a number from 1 on".to_owned())?;
    number.checked_sub(1).map(TurnId).ok_or_else(|| "turns are counted from 1".to_owned())
}
