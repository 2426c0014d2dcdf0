use proptest::prelude::*;
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// RE-21: any text is read without a fall, and what parses is spelled as it came.
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", piece in "c2\\.[a-z0-9-]{0,9}\\.[0-9]{0,11}\\.[0-9]{0,11}\\.[0-9a-f]{0,18}") {
        for text in [text, piece] {
            if let Some(token) = Token::parse(&text) {
                let proof: String = token.proof.iter().map(|it| format!("{it:02x}")).collect();
                let LineRange { start, end } = token.next;
                prop_assert_eq!(format!("c2.{}.{start}.{end}.{proof}", token.read), text);
                prop_assert!(!token.is(&cursor(), &binding(1)));
            }
        }
    }
}
