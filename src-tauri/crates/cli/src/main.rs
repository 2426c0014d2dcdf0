//! The headless binary: the same host as the window's, driven from a terminal or a pipe.

mod arguments;
mod doctor;
mod ending;
mod log;
mod print;
mod reads;
mod run;
mod screen;
mod serve;
mod sessions;
mod show;
mod stop;
mod text;

use std::process::ExitCode;

use clap::Parser as _;
use host::{
    Approvals, Home, Host, HostError, HostOptions, ProviderChoice, random_ids, system_clock,
};
use protocol::{ErrorKind, Limits};

use crate::arguments::{Arguments, Command};

/// How the program ended (HL-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Done = 0,
    TurnFailed = 1,
    BadUsage = 2,
    IncompleteRead = 3,
    NotWritable = 5,
    Interrupted = 130,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help goes to stdout and is no error; anything else is bad usage.
            let code = if error.use_stderr() { Exit::BadUsage } else { Exit::Done };
            drop(error.print());
            return ExitCode::from(code as u8);
        }
    };
    keep_to_itself();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let exit = match runtime {
        Ok(runtime) => {
            let exit = runtime.block_on(dispatch(arguments));
            // Somebody may still be asked at the terminal; that is no reason to stay.
            runtime.shutdown_background();
            exit
        }
        Err(error) => {
            print::diagnostic(&format!("cannot start: {error}"));
            Exit::TurnFailed
        }
    };
    ExitCode::from(exit as u8)
}

/// Lets no other process of this user read this one's environment, where the key may be (PM-10).
fn keep_to_itself() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // It fails nowhere that is known, and then there is nothing else to be done.
        set_dumpable_behavior(DumpableBehavior::NotDumpable).ok();
    }
}

async fn dispatch(arguments: Arguments) -> Exit {
    let home = match Home::choose(std::env::var_os("EVIDENT_HOME").map(Into::into)) {
        Ok(home) => home,
        Err(error) => {
            print::error(&error);
            return Exit::NotWritable;
        }
    };
    let (provider, approvals) = match &arguments.command {
        Command::Run(it) => (it.provider.choice(), it.watch.approvals()),
        Command::Demo(it) => (ProviderChoice::default(), it.approvals()),
        Command::Serve(it) => (it.provider.choice(), Approvals::Ask),
        Command::Sessions(_) | Command::Show(_) | Command::Log(_) | Command::Doctor(_) => {
            (ProviderChoice::default(), Approvals::Nobody)
        }
    };
    let host = Host::new(HostOptions {
        home,
        clock: system_clock(),
        ids: random_ids(),
        limits: Limits::default(),
        provider,
        approvals,
    });
    let exit = match arguments.command {
        Command::Run(it) => run::run(&host, it).await,
        Command::Demo(it) => run::demo(&host, it.json).await,
        Command::Serve(_) => serve::serve(&host).await,
        Command::Sessions(it) => sessions::list(&host, it).await,
        Command::Show(it) => show::show(&host, it).await,
        Command::Log(it) => log::log(&host, it).await,
        Command::Doctor(it) => doctor::doctor(&host, it.reindex).await,
    };
    exit.unwrap_or_else(|error| {
        print::error(&error);
        exit_of(&error)
    })
}

/// Returns the exit code of an error that ended the program.
fn exit_of(error: &HostError) -> Exit {
    match error.kind() {
        ErrorKind::SessionBusy
        | ErrorKind::SessionNotWritable
        | ErrorKind::SessionDamaged
        | ErrorKind::SessionUnreadable => Exit::NotWritable,
        ErrorKind::BadRequest
        | ErrorKind::UnknownCommand
        | ErrorKind::Missing
        | ErrorKind::NoProvider => Exit::BadUsage,
        ErrorKind::TurnRunning | ErrorKind::NotPending | ErrorKind::Internal => Exit::TurnFailed,
    }
}
