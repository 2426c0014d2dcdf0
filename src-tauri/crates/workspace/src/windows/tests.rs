use super::*;
use crate::image::stamp;

/// SI-12: a stamp is made of all that tells two states of a file apart.
#[test]
fn every_difference_that_the_system_tells_is_another_stamp() {
    let file = tempfile::tempfile().unwrap();
    let stat = Stat::of(&file).unwrap();
    let others = [
        Stat { kind: Kind::Folder, ..stat },
        Stat { size_bytes: 2, ..stat },
        Stat { mode: Some(0), ..stat },
        Stat { links: 2, ..stat },
        Stat { created: stat.created + 1, ..stat },
        Stat { written: stat.written + 1, ..stat },
    ];
    for other in others {
        assert_ne!(stamp(&other), stamp(&stat), "{other:?}");
    }
}

#[test]
fn devices_streams_and_names_the_system_would_change_are_no_names() {
    let bad =
        ["NUL", "con.txt", "Com1", "LPT¹", "aux .x", "a:b", "a ", "a.", "a?", "a\tb", "CONIN$"];
    let long = "字".repeat(256);
    for name in bad.into_iter().chain([long.as_str()]) {
        assert!(!is_usable(name.as_ref()), "{name}");
    }
    for name in ["nulls", "com10", "com", ".env", "a b", "字.txt", "COMA"] {
        assert!(is_usable(name.as_ref()), "{name}");
    }
}

#[test]
fn a_plain_path_is_what_other_programs_take() {
    let cases = [
        (r"\\?\C:\a\b", r"C:\a\b"),
        (r"\\?\C:\", r"C:\"),
        (r"\\?\UNC\server\share\a", r"\\server\share\a"),
        (r"C:\a", r"C:\a"),
        (r"a\b", r"a\b"),
    ];
    for (path, expected) in cases {
        assert_eq!(plain(PathBuf::from(path)), Path::new(expected), "{path}");
    }
}
