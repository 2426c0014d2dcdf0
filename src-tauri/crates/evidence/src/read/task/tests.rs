use protocol::{Fingerprint, ReadId, RootId};

use super::*;
use crate::read::source::SourceKind;

/// Returns where a read stands after one page.
fn after(intent: ReadIntent, lines: LineRange, eof: bool, source_end: Option<u32>) -> ReadState {
    let path = WorkspacePath::new(RootId(0), "a.txt").expect("a path");
    let snapshot = Some(Snapshot::of(SourceKind::Disk, &path, Fingerprint([1; 32])));
    let mut task = Task::new(ReadId::minted("read0-0"), path, "a.txt".to_owned());
    task.want(intent, (intent == ReadIntent::Range).then_some(LineRange::new(10, 20)));
    task.mark(Fact::Admitted);
    let room = Room { window_tokens: Some(1_000_000), ..Room::default() };
    let took = Duration::from_millis(1);
    let delivery = Delivery { snapshot, lines, eof, source_end, has_more: !eof, took, room };
    task.take(&delivery, &Bounds::of(&Limits::default()));
    task.state
}

/// B4, RC-5, RC-6: an end counts where it was seen and it is known how many lines there are; either
/// alone proves nothing.
#[test]
fn an_end_counts_where_it_was_seen_and_is_known() {
    for (intent, lines) in
        [(ReadIntent::Range, LineRange::new(10, 15)), (ReadIntent::Full, LineRange::new(0, 15))]
    {
        let state = |eof, source_end| after(intent, lines, eof, source_end);
        assert_eq!(state(true, Some(15)), ReadState::Satisfied, "{intent:?}");
        assert_eq!(state(true, None), ReadState::NeedsMore, "{intent:?}");
        assert_eq!(state(false, Some(15)), ReadState::NeedsMore, "{intent:?}");
        assert_eq!(state(true, Some(16)), ReadState::NeedsMore, "{intent:?}");
    }
    let all_named = after(ReadIntent::Range, LineRange::new(10, 20), false, None);
    assert_eq!(all_named, ReadState::Satisfied, "lines that are all there need no end");
}

/// RC-4: one page meets a look, wherever it ends.
#[test]
fn one_page_meets_a_look() {
    let look = after(ReadIntent::Inspect, LineRange::new(0, 3), false, None);
    assert_eq!(look, ReadState::Satisfied);
}
