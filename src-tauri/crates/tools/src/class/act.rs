//! The few things that one command can do, as the tables name them.

use super::{CommandEffect, Family, Reason, Writes};

/// What one command, or one of its options, does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Reads,
    Content,
    Metadata,
    ContentAndMetadata,
    Host,
    /// Writes files by running the code of the workspace.
    Builds,
    /// Reads from another machine.
    Asks,
    /// Changes another machine.
    Pushes,
    /// Brings another machine's history here.
    Fetches,
    /// Brings another machine's files here.
    Pulls,
    /// Runs what it is given, or what the workspace holds.
    RunsCode,
    /// Talks to another machine, about anything.
    Talks,
    /// Leaves something running.
    Detaches,
    /// Hangs on words that the shell makes.
    Expands,
    /// Not known.
    Unclear,
}

impl Act {
    /// Returns it in full.
    pub(super) fn effect(self, family: Family) -> CommandEffect {
        let content = Writes { content: true, ..Writes::NONE };
        let metadata = Writes { metadata: true, ..Writes::NONE };
        let host = Writes { host: true, ..Writes::NONE };
        let external = Writes { external: true, ..Writes::NONE };
        let known = |writes, reason| CommandEffect::known(family, writes, reason);
        let unknown = |reason| CommandEffect::unknown(family, reason);
        match self {
            Self::Reads => known(Writes::NONE, Reason::Reads),
            Self::Content => known(content, Reason::Files),
            Self::Metadata => known(metadata, Reason::Repository),
            Self::ContentAndMetadata => known(content.join(metadata), Reason::Files),
            Self::Host => known(host, Reason::Host),
            Self::Builds => known(content, Reason::Code).running_code(),
            Self::Asks => known(Writes::NONE, Reason::Network).using_network(),
            Self::Pushes => known(external, Reason::External).using_network(),
            Self::Fetches => known(metadata, Reason::Repository).using_network(),
            Self::Pulls => known(content.join(metadata), Reason::Files).using_network(),
            Self::RunsCode => unknown(Reason::Code),
            Self::Talks => unknown(Reason::Network),
            Self::Detaches => unknown(Reason::Background),
            Self::Expands => unknown(Reason::Expansions),
            Self::Unclear => unknown(Reason::NotKnown),
        }
    }
}
