//! Where a read may go from where it stands (RC-26).

use protocol::ReadState;
use thiserror::Error;

/// What happened to a read. Only the host says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A read of it was let through.
    Admitted,
    /// A page was delivered, and what of it the model got is known.
    Recorded,
    /// The call failed, or was turned away; it was here before.
    Failed { before: ReadState },
    /// All that is wanted was delivered.
    Met,
    /// Something is missing, and it may go on.
    Missing,
    /// A bound was reached.
    BoundReached,
    /// It cannot be met within the model's context.
    NeedsScope,
    /// The file is another version.
    OtherVersion,
    /// More of it is wanted, or another version of it.
    WantedAnew,
    /// It was cancelled, or the turn ended.
    Cancelled,
}

/// A fact that cannot be true of a read in this state. It changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a read that is {from:?} cannot be {fact:?}")]
pub(crate) struct IllegalMove {
    from: ReadState,
    fact: Fact,
}

/// Returns whether a read is over: nothing of it is open.
pub(crate) fn is_over(state: ReadState) -> bool {
    match state {
        ReadState::Satisfied | ReadState::Cancelled => true,
        ReadState::Created
        | ReadState::Fetching
        | ReadState::Delivered
        | ReadState::NeedsMore
        | ReadState::NeedsScope
        | ReadState::Stale
        | ReadState::Blocked => false,
    }
}

/// Returns where a read stands after a fact. A pair that is not listed is an error of the host.
pub(crate) fn next(from: ReadState, fact: Fact) -> Result<ReadState, IllegalMove> {
    use ReadState as S;
    let to = match (from, fact) {
        (S::Created | S::NeedsMore | S::NeedsScope | S::Blocked | S::Stale, Fact::Admitted) => {
            S::Fetching
        }
        (S::Fetching, Fact::Recorded) => S::Delivered,
        (S::Fetching, Fact::Failed { before }) => before,
        (S::Delivered, Fact::Met) => S::Satisfied,
        (S::Delivered, Fact::Missing) => S::NeedsMore,
        (S::Delivered, Fact::BoundReached) => S::Blocked,
        // From the last two when the model would end, and there is nothing to go on with (RC-20).
        (S::Delivered | S::NeedsMore | S::Stale, Fact::NeedsScope) => S::NeedsScope,
        (open, Fact::OtherVersion) if !is_over(open) => S::Stale,
        (open, Fact::Cancelled) if !is_over(open) => S::Cancelled,
        (S::Satisfied, Fact::WantedAnew) => S::Fetching,
        (_, _) => return Err(IllegalMove { from, fact }),
    };
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RC-1, RC-26: the pairs that are there, and no others.
    #[test]
    fn a_read_moves_as_the_table_says() {
        use Fact as F;
        use ReadState as S;
        let states = [
            S::Created,
            S::Fetching,
            S::Delivered,
            S::Satisfied,
            S::NeedsMore,
            S::NeedsScope,
            S::Stale,
            S::Blocked,
            S::Cancelled,
        ];
        let open = [
            S::Created,
            S::Fetching,
            S::Delivered,
            S::NeedsMore,
            S::NeedsScope,
            S::Stale,
            S::Blocked,
        ];
        let table: [(&[ReadState], Fact, ReadState); 10] = [
            (
                &[S::Created, S::NeedsMore, S::NeedsScope, S::Stale, S::Blocked],
                F::Admitted,
                S::Fetching,
            ),
            (&[S::Fetching], F::Recorded, S::Delivered),
            (&[S::Fetching], F::Failed { before: S::Blocked }, S::Blocked),
            (&[S::Delivered], F::Met, S::Satisfied),
            (&[S::Delivered], F::Missing, S::NeedsMore),
            (&[S::Delivered], F::BoundReached, S::Blocked),
            (&[S::Delivered, S::NeedsMore, S::Stale], F::NeedsScope, S::NeedsScope),
            (&open, F::OtherVersion, S::Stale),
            (&[S::Satisfied], F::WantedAnew, S::Fetching),
            (&open, F::Cancelled, S::Cancelled),
        ];
        for (from, fact, to) in table {
            for state in states {
                let moved = next(state, fact);
                if from.contains(&state) {
                    assert_eq!(moved, Ok(to), "{state:?} {fact:?}");
                } else {
                    assert_eq!(moved, Err(IllegalMove { from: state, fact }));
                }
            }
        }
    }
}
