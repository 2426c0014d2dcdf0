//! What happened, by whole turns and by number.

use protocol::{HistoryPage, Seq, SessionEvent, TurnId};
use session::SessionReader;

use crate::fixture::{
    Dice, Fixture, all_events, assistant, call_made, commit, committed, notice, started, user,
};

/// Many turns of many lengths; some have no event at all, and some numbers are skipped.
fn long_session(home: &Fixture, dice: &mut Dice) {
    let mut log = home.create();
    let mut turn = 0;
    for _ in 0..60 {
        for _ in 0..dice.below(6) {
            let records = match dice.below(4) {
                0 => vec![started(turn, "p"), user("p")],
                1 => vec![committed("m", "text"), assistant("text")],
                2 => vec![call_made("c", "{}")],
                _ => vec![notice(), notice(), call_made("c", "{}"), notice()],
            };
            log.commit(commit(turn, records)).unwrap();
        }
        turn += 1 + u32::try_from(dice.below(2)).unwrap();
    }
}

/// Reads the pages before every turn in the given order, and joins them as the screen does.
fn by_pages(reader: &SessionReader, starts: &[Option<TurnId>], count: u32) -> Vec<SessionEvent> {
    let mut events: Vec<SessionEvent> = Vec::new();
    for before in starts {
        let page = reader.history(*before, count).unwrap();
        assert!(page.turns.len() <= count as usize);
        assert!(page.turns.is_sorted_by(|a, b| b.turn < a.turn), "newest first");
        for turn in page.turns {
            assert!(turn.events.iter().all(|it| it.turn == turn.turn));
            events.extend(turn.events);
        }
    }
    events.sort_by_key(|it| it.seq);
    events.dedup();
    events
}

/// AN-3: pages of any size, in any order, are the events in their order.
#[test]
fn pages_of_history_in_any_order_are_the_events() {
    let mut dice = Dice(7);
    for _ in 0..5 {
        let home = Fixture::new();
        long_session(&home, &mut dice);
        let reader = home.reader();
        let all = all_events(&reader);
        for count in [1, 2, 7, 1000] {
            let (mut starts, mut next, mut more) = (vec![None], None, true);
            while more {
                let page: HistoryPage = reader.history(next, count).unwrap();
                next = page.turns.last().map(|it| it.turn);
                starts.push(next);
                more = page.more;
            }
            for at in (1..starts.len()).rev() {
                starts.swap(at, usize::try_from(dice.below(at as u64 + 1)).unwrap());
            }
            assert_eq!(by_pages(&reader, &starts, count), all);
        }
    }
}

/// AN-3: `follow` begins after any number.
#[test]
fn events_after_any_number_are_the_rest() {
    let home = Fixture::new();
    long_session(&home, &mut Dice(3));
    let reader = home.reader();
    let all = all_events(&reader);
    let mut walked = Vec::new();
    let mut after = Seq(0);
    loop {
        let some = reader.events_after(after, 7).unwrap();
        let Some(last) = some.last() else { break };
        after = last.seq;
        walked.extend(some);
    }
    assert_eq!(walked, all);
    for after in 0..=reader.last_seq().unwrap().0 + 1 {
        let rest: Vec<_> = all.iter().filter(|it| Seq(after) < it.seq).cloned().collect();
        assert_eq!(reader.events_after(Seq(after), u32::MAX).unwrap(), rest);
    }
    assert_eq!(reader.events_after(Seq(u32::MAX), 1).unwrap(), []);
    assert_eq!(reader.events_after(Seq(0), 0).unwrap(), []);
}

#[test]
fn a_page_says_whether_there_are_older_turns() {
    let home = Fixture::new();
    let mut log = home.create();
    for turn in [0, 1, 5] {
        log.commit(commit(turn, vec![notice()])).unwrap();
    }
    let page = |before: Option<u32>, count| {
        let page = log.reader().history(before.map(TurnId), count).unwrap();
        (page.turns.iter().map(|it| it.turn.0).collect::<Vec<_>>(), page.more)
    };
    assert_eq!(page(None, 2), (vec![5, 1], true));
    assert_eq!(page(None, 3), (vec![5, 1, 0], false));
    assert_eq!(page(Some(5), 3), (vec![1, 0], false));
    assert_eq!(page(Some(3), 1), (vec![1], true));
    assert_eq!(page(Some(0), 3), (vec![], false));
    assert_eq!(page(None, 0), (vec![], true));
    assert_eq!(log.reader().last_turn().unwrap(), Some(TurnId(5)));
}
