use super::*;

#[test]
fn dots_go_as_they_are_spelled_and_never_above_the_root() {
    let cases = [("/a/./b//c", "/a/b/c"), ("/a/../../b", "/b"), ("/a/b/..", "/a"), ("/", "/")];
    for (path, plain) in cases {
        assert_eq!(normalised(Path::new(path)), Path::new(plain), "{path}");
    }
}
