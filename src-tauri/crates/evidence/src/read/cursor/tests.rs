use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};
use protocol::RootId;

use super::*;

fn binding(seed: u64) -> Binding {
    Binding::of([seed, 2, 3, 4])
}

fn cursor() -> Cursor {
    let path = WorkspacePath::new(RootId(0), "src/a.rs").expect("a path");
    Cursor {
        session: SessionId::from_bits(7),
        run: 3,
        read: ReadId::minted("read3-1"),
        snapshot: Snapshot::of(super::super::source::SourceKind::Disk, &path, Fingerprint([9; 32])),
        path,
        next: LineRange::new(2000, 30_000),
    }
}

/// RE-21: a token is short, and stands for its cursor alone.
#[test]
fn a_token_is_that_of_its_cursor() {
    let token = cursor().token(&binding(1));
    assert_eq!(token.len(), "c2.read3-1.2000.30000.".len() + 16);
    let read = Token::parse(&token).expect("it parses");
    assert!(read.is(&cursor(), &binding(1)));
}

/// RE-23: every field is bound, those that are not written as well.
#[test]
fn a_cursor_with_another_field_has_another_token() {
    let other_path = WorkspacePath::new(RootId(0), "src/b.rs").expect("a path");
    let other_root = WorkspacePath::new(RootId(1), "src/a.rs").expect("a path");
    let other_version =
        Snapshot::of(super::super::source::SourceKind::Disk, &cursor().path, Fingerprint([8; 32]));
    let others = [
        Cursor { session: SessionId::from_bits(8), ..cursor() },
        Cursor { run: 2, ..cursor() },
        Cursor { read: ReadId::minted("read3-2"), ..cursor() },
        Cursor { path: other_path, ..cursor() },
        Cursor { path: other_root, ..cursor() },
        Cursor { snapshot: other_version, ..cursor() },
        Cursor { next: LineRange::new(2001, 30_000), ..cursor() },
        Cursor { next: LineRange::new(2000, 30_001), ..cursor() },
    ];
    for other in others {
        let token = Token::parse(&other.token(&binding(1))).expect("it parses");
        assert!(!token.is(&cursor(), &binding(1)), "{other:?}");
        assert!(token.is(&other, &binding(1)), "{other:?}");
    }
    let resumed = Token::parse(&cursor().token(&binding(2))).expect("it parses");
    assert!(!resumed.is(&cursor(), &binding(1)), "another binding");
}

/// RE-23: what is not spelled as the host spells it is no token.
#[test]
fn what_is_spelled_otherwise_is_no_token() {
    let token = cursor().token(&binding(1));
    let parts: Vec<&str> = token.split('.').collect();
    for gone in 0..parts.len() {
        let mut fewer = parts.clone();
        fewer.remove(gone);
        assert_eq!(Token::parse(&fewer.join(".")), None, "without part {gone}");
    }
    for bad in [
        "",
        "c2",
        &token.replace("c2.", "c1."),
        &token.replace("c2.", "C2."),
        &token.replace("c2.", "c02."),
        &token.replace(".2000.", ".02000."),
        &token.replace(".2000.", ".+2000."),
        &token.replace(".2000.", ".-1."),
        &token.replace(".2000.", ".4294967296."),
        &token.to_uppercase(),
        &format!("{token}."),
        &format!("{token}0"),
        &format!(" {token}"),
        &format!("{token}\n"),
        &token[..token.len() - 1],
    ] {
        assert_eq!(Token::parse(bad), None, "{bad:?}");
    }
}

/// Any cursor, and the secret of its run.
fn any_cursor() -> impl Strategy<Value = (Cursor, u64)> {
    let names = ("[a-z0-9-]{1,24}", "[a-z]{1,4}(/[a-z]{1,4}){0,2}", any::<u64>());
    (names, 0..3_u32, any::<[u32; 3]>(), any::<u8>()).prop_map(|(names, root, numbers, bytes)| {
        let ((read, path, secret), [run, start, end]) = (names, numbers);
        let path = WorkspacePath::new(RootId(root), &path).expect("a path");
        let version = Fingerprint([bytes; 32]);
        let cursor = Cursor {
            session: SessionId::from_bits(secret),
            run,
            read: ReadId::minted(read),
            snapshot: Snapshot::of(super::super::source::SourceKind::Disk, &path, version),
            path,
            next: LineRange::new(start, end),
        };
        (cursor, secret)
    })
}

/// What a model, or whatever carries its words, may do to a token.
#[derive(Clone, Debug)]
enum Harm {
    Put(Index, char),
    Insert(Index, String),
    Cut(Index, Index),
    Repeat(Index, Index),
    Swap(Index, Index),
    Count(Index, i64),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    let letter = || prop_oneof![4 => select(b".-0129afAFc \n".as_slice()).prop_map(char::from), 1 => any::<char>()];
    prop_oneof![
        (at(), letter()).prop_map(|(at, it)| Harm::Put(at, it)),
        (at(), "[.0-9a-f]{1,6}|\\PC{1,3}").prop_map(|(at, it)| Harm::Insert(at, it)),
        (at(), at()).prop_map(|(from, to)| Harm::Cut(from, to)),
        (at(), at()).prop_map(|(from, to)| Harm::Repeat(from, to)),
        (at(), at()).prop_map(|(one, other)| Harm::Swap(one, other)),
        (at(), -3..4_i64).prop_map(|(at, by)| Harm::Count(at, by)),
    ]
}

/// Returns a token with one thing done to it.
fn harmed(token: &str, harm: &Harm) -> String {
    let mut chars: Vec<char> = token.chars().collect();
    let span = |from: &Index, to: &Index, len: usize| {
        let (from, to) = (from.index(len + 1), to.index(len + 1));
        from.min(to)..from.max(to)
    };
    match harm {
        Harm::Put(at, it) if !chars.is_empty() => {
            let at = at.index(chars.len());
            chars[at] = *it;
        }
        Harm::Insert(at, text) => {
            let at = at.index(chars.len() + 1);
            chars.splice(at..at, text.chars());
        }
        Harm::Cut(from, to) => drop(chars.drain(span(from, to, chars.len()))),
        Harm::Repeat(from, to) => {
            let span = span(from, to, chars.len());
            let again = chars[span.clone()].to_vec();
            chars.splice(span.end..span.end, again);
        }
        Harm::Swap(one, other) => {
            let mut parts: Vec<&str> = token.split('.').collect();
            let (one, other) = (one.index(parts.len()), other.index(parts.len()));
            parts.swap(one, other);
            return parts.join(".");
        }
        Harm::Count(at, by) => {
            let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
            let at = at.index(parts.len());
            let number = parts[at].parse::<i64>().map(|it| it.wrapping_add(*by).to_string());
            parts[at] = number.unwrap_or(std::mem::take(&mut parts[at]));
            return parts.join(".");
        }
        Harm::Put(..) => {}
    }
    chars.into_iter().collect()
}

/// Reads a text: what parses is spelled as it came, so that no two texts are one token.
fn assert_read(text: &str) {
    let Some(token) = Token::parse(text) else { return };
    let proof: String = token.proof.iter().map(|it| format!("{it:02x}")).collect();
    let LineRange { start, end } = token.next;
    assert_eq!(format!("c2.{}.{start}.{end}.{proof}", token.read), text);
    assert!(!token.is(&cursor(), &binding(1)), "{text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// RE-21: any text is read without a fall, and what parses is spelled as it came.
    #[test]
    fn any_text_is_read(
        bytes in vec(any::<u8>(), 0..200),
        text in "\\PC{0,200}",
        piece in "c2\\.[a-z0-9-]{0,9}\\.[0-9]{0,11}\\.[0-9]{0,11}\\.[0-9a-f]{0,18}",
    ) {
        for text in [&String::from_utf8_lossy(&bytes), &*text, &piece] {
            assert_read(text);
        }
    }

    /// RE-22, RE-23: a token that anything was done to is none, or not that of its cursor.
    #[test]
    fn a_token_that_was_changed_is_not_that_of_its_cursor(
        (cursor, secret) in any_cursor(),
        harms in vec(any_harm(), 1..4),
    ) {
        let token = cursor.token(&binding(secret));
        prop_assert!(Token::parse(&token).is_some_and(|it| it.is(&cursor, &binding(secret))));
        let changed = harms.iter().fold(token.clone(), |it, harm| harmed(&it, harm));
        if changed != token {
            assert_read(&changed);
            let is_it = Token::parse(&changed).is_some_and(|it| it.is(&cursor, &binding(secret)));
            prop_assert!(!is_it, "{:?} of {:?}", changed, token);
        }
    }
}
