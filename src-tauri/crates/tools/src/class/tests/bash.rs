//! Real bash: what it changes by lines that are called readers, and by others.

use std::{collections::BTreeMap, ffi::OsStr, fs, path::Path, process::Command};

use super::*;

/// A folder whose files have the names that patterns must not become.
const SCENE: &str = r#"
printf 'b\na\na\n' > a.txt
printf '1 2\n' > b.txt
printf '{"a":{"b":1}}' > a.json
cp a.txt in
cp a.txt 'a b.txt'
mkdir src sub d 2
echo 'fn main() {}' > src/main.rs
for name in -delete --output=pwned -o -opwned -i -r -fprint --pre=./x -ni %n +x '+!touch pwned' \
  '12%n' 'w pwned' --compress-program=./x -exec p 1p pwned.rs; do echo x > "./$name"; done
printf '#!/bin/sh\necho > pwned\n' > x; cp x ls; cp x sub/ls; cp x 2/cat; echo -- -- > dash.txt
chmod 755 x ls sub/ls 2/cat
git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git tag v1
git branch side && echo y >> a.txt
"#;

/// What made-up lines consist of.
const COMMANDS: &str = r#"
ls cat sort uniq sed find xxd shuf file base64 tree jq printf test git git␣diff git␣log
git␣show git␣branch git␣tag git␣stash git␣config git␣grep git␣remote git␣reflog
git␣clean env command head wc grep less rg echo [ /bin/ls 'sort' cd
"#;
const WORDS: &str = r#"
-o pwned a.txt b.txt in -n p 1p 'w␣pwned' -e -i -ni --in-place s/a/b/ 's/a/b/w␣pwned'
's/a/touch␣pwned/e' . src -name '*.rs' * ./* src/* -delete -fprint -exec touch ';'
--output=pwned --outp --ext-diff -- -r -p -c -k2 -t -l -u --list -d -m new --contains
HEAD --stat -v -q show list add %n '12%n' PATH 'x[$(touch␣pwned)]' ] a.b c --get --unset
-f --pre=./x -C -s -ps 5 -R -L 2 -O '-o' \-o "-opwned" *.txt ?o +x '+!touch␣pwned' side
v1 -a --sort=x -T .git $(touch␣pwned) `touch␣pwned` ~ {a,b} -- -- -O./x -S -k
"#;
/// Most lines end as they are.
const ENDS: &str = r#"
␣ ␣ ␣ ␣ ␣2>&1 ␣>␣/dev/null ␣2>/dev/null ␣>␣pwned ␣|␣cat ␣|␣sort ;␣ls ␣&&␣pwd ␤ls ␣&
␣#␣>␣x ␣<␣a.txt ␣|␣uniq␣-␣pwned ␣<<<␣x ␣>>␣pwned
"#;

/// DEC-10: real bash changes nothing in the folder, nor in the repository, by lines that are
/// called readers.
#[test]
fn bash_changes_nothing_by_a_reader() {
    let mut lines: Vec<String> = all_rows().into_iter().map(|(_, line)| line).collect();
    lines.extend(made_up_lines());
    lines.extend(compositions::garbage());
    lines.retain(|line| {
        let endless = ["sleep", "yes", "tail -f"].iter().any(|word| line.contains(word));
        !endless && classify(Shell::Bash, line).is_reader()
    });
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 500, "only {} lines", lines.len());
    for some in lines.chunks(100) {
        let Some(scene) = Scene::new() else { return };
        scene.run(some);
        let changes = scene.changes();
        assert!(changes.is_empty(), "{changes:?} by {:?}", some.iter().find(|line| writes(line)));
    }
}

fn writes(line: &str) -> bool {
    Scene::new().is_some_and(|scene| {
        scene.run(&[line]);
        !scene.changes().is_empty()
    })
}

/// SH-1: and those that are called content writers do write, where they can.
#[test]
fn bash_sees_what_a_writer_writes() {
    for line in [
        "echo hi > out",
        "sort -o out a.txt",
        "uniq a.txt out",
        "sed -i s/1/b/ b.txt",
        "find . -name in -delete",
        "find src/main.rs -fprint out",
        "xxd a.txt out",
        "sed -n 'w out' a.txt",
        "shuf -o out a.txt",
        "git diff --output=out",
        "xxd a.txt -p",
        "sort a.txt -oout",
        "git branch new",
        "sort --outp out a.txt",
        "printf '12%n' PATH; cat a.txt",
        "find . -name a.txt -exec touch out {} +",
        "sed '1e touch out' a.txt",
        "sed 's/a/touch out/e' a.txt",
        "test -v 'x[$(touch out)]'",
        "git grep -e -- -O./x",
        "sed a.txt -n -e 'w out'",
    ] {
        assert!(!classify(Shell::Bash, line).is_reader(), "{line}");
        assert!(Scene::new().is_none() || writes(line), "{line}");
    }
}

/// Lines from the words that tables and attacks are made of, good and bad alike.
fn made_up_lines() -> Vec<String> {
    let (commands, words, ends) = (pieces(COMMANDS), pieces(WORDS), pieces(ENDS));
    let mut dice = Dice(3);
    let line = |_| {
        let mut line = dice.pick(&commands).to_owned();
        for _ in 0..dice.below(5) {
            line.push(' ');
            line.push_str(dice.pick(&words));
        }
        line + dice.pick(&ends)
    };
    (0..1_500).map(line).collect()
}

struct Scene {
    folder: tempfile::TempDir,
    before: BTreeMap<String, Vec<u8>>,
}

impl Scene {
    /// `None` where there is no bash or no git.
    fn new() -> Option<Self> {
        if !Path::new("/bin/bash").exists() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temp folder");
        let mut scene = Self { folder, before: BTreeMap::new() };
        fs::create_dir(scene.workspace()).expect("a new folder");
        scene.run(&[SCENE]);
        scene.before = scene.contents();
        scene.before.contains_key("/.git/HEAD").then_some(scene)
    }

    fn workspace(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    fn run(&self, lines: &[impl AsRef<OsStr>]) {
        let each =
            r#"for line; do timeout 10 /bin/bash -c "$line" </dev/null >/dev/null 2>&1; done"#;
        Command::new("/bin/bash")
            .args(["-c", each, "bash"])
            .args(lines)
            .current_dir(self.workspace())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .status()
            .expect("bash starts");
    }

    fn changes(&self) -> Vec<String> {
        let after = self.contents();
        let before = self.before.iter().filter(|(name, bytes)| after.get(*name) != Some(*bytes));
        let new = after.keys().filter(|name| !self.before.contains_key(*name));
        before.map(|(name, _)| name.clone()).chain(new.cloned()).collect()
    }

    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.workspace(), "", &mut found);
        // `git status` may write down anew what it has seen.
        found.remove("/.git/index");
        found
    }
}

fn collect(folder: &Path, shown: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let entry = entry.expect("an entry");
        let name = format!("{shown}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.insert(name.clone(), Vec::new());
            collect(&entry.path(), &name, found);
        } else {
            found.insert(name, fs::read(entry.path()).expect("a readable file"));
        }
    }
}
