use proptest::{collection::vec, prelude::*, sample::Index};

use super::*;

/// Feeds a body in those pieces. Events are shown as their data, errors behind a `!`.
fn read(pieces: &[&[u8]], line_bytes: u32) -> Result<Vec<String>, TooLong> {
    let mut sse = Sse::new(line_bytes);
    let mut events = Vec::new();
    for piece in pieces {
        sse.feed(piece, &mut events)?;
    }
    events.extend(sse.finish());
    let show = |it: SseEvent| {
        let mark = if it.is_error { "!" } else { "" };
        format!("{mark}{}", String::from_utf8_lossy(&it.data))
    };
    Ok(events.into_iter().map(show).collect())
}

#[track_caller]
fn check(body: &str, events: &[&str]) {
    let expected = events.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    assert_eq!(read(&[body.as_bytes()], 1_000), Ok(expected), "{body:?}");
}

#[test]
fn an_event_ends_at_a_blank_line_whatever_ends_its_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let body = "data: a\nid: 7\n\ndata:b\ndata:  c\n\n".replace('\n', end);
        check(&body, &["a", "b\n c"]);
    }
}

#[test]
fn comments_and_fields_that_say_nothing_are_no_events() {
    check(": keep-alive\n\n:\nretry: 3\n\ndata\n\ndata:\n\nevent: ping\n\ndata: a\n\n", &["a"]);
}

#[test]
fn a_mark_of_the_byte_order_is_no_text() {
    check("\u{feff}data: a\n\n", &["a"]);
}

#[test]
fn the_last_event_needs_no_blank_line() {
    check("data: a\n\ndata: b\n", &["a", "b"]);
    check("data: a\n\ndata: b", &["a", "b"]);
}

#[test]
fn an_error_is_known_by_its_event_or_its_field() {
    check("event: error\ndata: a\n\ndata: b\n\n", &["!a", "b"]);
    check("error: a\n\ndata: b\n\n", &["!a", "b"]);
}

#[test]
fn an_object_on_its_own_line_is_an_event() {
    check("data: a\n\n{\"error\":1}\n", &["a", "{\"error\":1}"]);
}

/// CL-7.
#[test]
fn a_line_or_an_event_over_the_limit_is_refused_before_it_is_whole() {
    assert_eq!(read(&[b"data: 1234"], 10), Ok(vec!["1234".to_owned()]));
    assert_eq!(read(&[b"data: 12345"], 10), Err(TooLong));
    assert_eq!(read(&[b": 12", b"3456789"], 10), Err(TooLong));
    assert_eq!(read(&[b"data:1\ndata:2\ndata:3\ndata:4\ndata:5"], 10), Err(TooLong));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_bytes_are_the_same_events_however_they_are_cut(
        lines in vec("(data: ?|event: ?|error:|: |)(error|[a-zü{]{0,4})(\n|\r\n|\r|\n\n)", 0..12),
        cuts in vec(any::<Index>(), 0..6),
    ) {
        let body = lines.concat().into_bytes();
        let mut ends = cuts.iter().map(|it| it.index(body.len() + 1)).collect::<Vec<_>>();
        ends.extend([0, body.len()]);
        ends.sort_unstable();
        let pieces = ends.windows(2).map(|it| &body[it[0]..it[1]]).collect::<Vec<_>>();
        prop_assert_eq!(read(&pieces, 1_000), read(&[&body], 1_000));
    }

    /// CL-7: whatever comes, no more of it is held than a line may have, and each byte is at most
    /// one byte of an event.
    #[test]
    fn any_bytes_are_held_within_the_limit(pieces in vec(vec(any::<u8>(), 0..40), 0..20)) {
        let (limit, mut sse, mut events) = (50, Sse::new(50), Vec::new());
        for piece in &pieces {
            let fed = sse.feed(piece, &mut events);
            prop_assert!(sse.line.len() + sse.event.data.len() <= limit + 1);
            if fed.is_err() {
                return Ok(());
            }
        }
        events.extend(sse.finish());
        let bytes = events.iter().map(|it| it.data.len()).sum::<usize>();
        prop_assert!(bytes <= pieces.iter().map(Vec::len).sum::<usize>());
    }
}
