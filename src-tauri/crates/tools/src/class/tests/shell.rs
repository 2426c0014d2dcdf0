//! Lines, redirections, provable scopes, and PowerShell (SH-1 to SH-3, SH-6, B10).

use super::*;

pub(super) const PARTS: &str = r#"
reader            ls
reader            ls && cat f0.txt | wc -l
reader            ls; pwd; date
reader            ls␤pwd
reader            ls ;␤␤pwd␤
reader            ls &&␤pwd
reader            # what is here␤ls -la # all of it
reader            grep zzz f.txt || true
reader            cd src && ls
reader            cat a.txt |& head -3
reader            sleep 40
reader            true
reader            "ls" -la
reader            'ls'
reader            /bin/ls
reader            /usr/bin/sort a.txt
reader            echo a#b
reader            cat "a b.txt" 'c d.txt'
reader            cat a\'b.txt
reader            grep "it's" a.txt
reader            grep 'foo$' a.txt
reader            grep "foo$" a.txt
reader            grep "a$|b$" a.txt
reader            grep 'a␤b' a.txt
reader            echo "done!"
reader            echo 你好
content           ls && rm -rf d
content           ls; rm -rf d
content           ls␤touch pwned4
content           touch y.txt
content           cd src && touch y.txt
content+host      touch y.txt; date -s 12:00
content+metadata  touch y.txt && git add y.txt && git commit -m x
content+code      cargo test 2>&1 | tail -5
?code             chmod 755 b.sh && ./run.sh
?code             ls && ./ls
?code             ./ls
?code             sub/ls
?code             ../ls
?code             /tmp/ls
?code             /usr/local/bin/ls
?code             sh test.sh 2>&1 | tail -3
?code             sh test.sh; true
?code             sh test.sh || echo ignored
?code             ls | xargs rm -rf
?code             ls | sh
?code             cat a.txt | bash
?code             python3 -c "print(1)"
?code             python -c 'open("x","w")'
?code             node -e 1
?code             perl -pi -e s/a/b/ f
?code             env FOO=1 ls
?code             env ls
?code             command ls
?code             builtin cd
?code             exec ls
?code             time ls
?code             nice ls
?code             sudo ls
?code             eval ls
?code             source ./x
?code             . ./x
?code             awk '{print}' f
?code             timeout 5 ls
?code             busybox rm x
?code             make
?code             npm test
?network          curl https://example.com
?notknown         frobnicate
?notknown         LS
?notknown         ls.exe
?notknown         set -e
?syntax           export PATH=.
?notknown         alias ls=rm
?notknown         read x
?notknown         bat f
"#;

/// SH-1: every segment counts, and the effects are joined.
#[test]
fn a_line_does_what_all_its_parts_do() {
    check(Shell::Bash, PARTS);
}

pub(super) const UNTAKEN: &str = r#"
?background  sleep 47 & echo done
?background  ls & rm -rf d
?background  ls &
?syntax      (yes | head -c 100000; sleep 48) & echo two
?background  nohup ls
?background  coproc ls
?background  ls; disown
?expansions  git status $(touch pwned1)
?expansions  git log -1 `touch pwned2`
?syntax      git diff <(touch pwned3)
?syntax      tee >(touch x)
?expansions  echo $X
?expansions  echo "$X"
?expansions  echo "${X}"
?expansions  echo "$(touch x)"
?expansions  echo "`touch x`"
?expansions  echo $((1+1))
?expansions  echo $[1+1]
?expansions  echo "$[1+1]"
?expansions  echo $'a\x20b'
?expansions  echo $"a"
?expansions  echo {a,b}
?expansions  echo {1..3}
?expansions  echo a{b
?expansions  ls ~
?expansions  ls ~/x
?expansions  ls --color=~/x
?expansions  echo !!
?expansions  echo !ls
?expansions  echo "!ls"
?expansions  grep foo$ a.txt
?expansions  l* x
?syntax      [a-z]s
?syntax      cat << EOF␤x␤EOF
?syntax      cat <<'EOF'␤x␤EOF
?syntax      cat <<< word
?syntax      cat <> f
?syntax      ls 3>&1
?expansions  ls {fd}>x
?syntax      ls <&0
?syntax      ls <&-
?syntax      ls >&-
?syntax      (ls)
?syntax      ( cd a && ls )
?expansions  { ls; }
?syntax      f() { ls; }; f
?syntax      function f
?syntax      ! ls
?syntax      [[ -f x ]]
?syntax      ((1))
?syntax      if true; then ls; fi
?syntax      for f in a b; do ls; done
?syntax      while true; do ls; done
?syntax      case x in x) ls;; esac
?syntax      ls ;;
?syntax      ls ; ; ls
?syntax      ; ls
?syntax      && ls
?syntax      ls &&
?syntax      ls |
?syntax      ls >
?syntax      ls > && pwd
?syntax      ls 'a
?syntax      ls "a
?syntax      ls a\
?syntax      ls \␤a
?syntax      ls "a\␤b"
?syntax      ls a\ b
?syntax      ls @(a|b)
?expansions  ls !(a)
?syntax      a=(1 2)
?syntax      X=1 ls
?syntax      X=1
?syntax      PATH=. ls
?syntax      declare x
?syntax      unset x
"#;

/// SH-2: what runs on, what expands, and what is not understood is unknown.
#[test]
fn what_cannot_be_taken_word_for_word_is_unknown() {
    check(Shell::Bash, UNTAKEN);
    for line in ["", " ", "\n", "# only a comment"] {
        assert!(!classify(Shell::Bash, line).is_reader(), "{line:?}");
    }
    for hidden in [
        '\0', '\r', '\u{b}', '\u{c}', '\u{7f}', '\u{85}', '\u{a0}', '\u{2003}', '\u{2028}',
        '\u{202e}', '\u{200b}', '\u{feff}',
    ] {
        for line in [format!("ls{hidden}x"), format!("ls '{hidden}'"), format!("ls\n{hidden}")] {
            assert_eq!(answer(&classify(Shell::Bash, &line)), "?syntax", "{line:?}");
        }
    }
    assert!(classify(Shell::Bash, "cat à.txt 你好").is_reader());
    assert!(!classify(Shell::Bash, &format!("ls {}", "a".repeat(20_000))).is_reader());
    assert!(!classify(Shell::Bash, &"ls;".repeat(600)).is_reader());
}

pub(super) const REDIRECTIONS: &str = r#"
content      echo marker > injection_proof.txt
content      printf 'Z' >> i.bin
content      ls > out
content      ls>out
content      ls 2> err
content      ls 2>err 1>out
content      ls >| out
content      ls &> out
content      ls &>> out
content      ls >& out
content      > out
content      > out ls
content      ls > out -la
?notknown    ls > '/dev/null '
?notknown    ls > /dev/../out
content      ls > *.txt
content      git status > out
content      git log --oneline >> out
content      cat a > b
content      ls; pwd > out
content      ls | cat > out
content      ls > /dev/null > out
content      ls >&2out
content      ls > ''
content      ls > 'a b'
reader       ls > /dev/null
reader       ls >/dev/null 2>&1
reader       ls 2>/dev/null
reader       ls &> /dev/null
reader       ls >& /dev/null
reader       ls >> "/dev/null"
reader       ls 2>&1 | head
reader       echo oops >&2
reader       echo oops 1>&2
reader       cat < a.txt
reader       wc -l < 'a b.txt'
?syntax      cat 0< a.txt
?notknown    cat < *.txt
?notknown    cat < /dev/tcp/127.0.0.1/80
?notknown    cat < "/dev/tcp/127.0.0.1/80"
?notknown    echo x > /dev/tcp/127.0.0.1/80
?notknown    echo x > /dev/udp/127.0.0.1/80
?notknown    echo x > /dev/sda
?notknown    ls 2>&1-
?syntax      cat 3< a.txt
?syntax      ls 12> out
?expansions  ls > $X
?expansions  ls > ~/x
?expansions  ls > "$(touch x)"
"#;

/// SH-1, SH-6: a redirection writes what it names.
#[test]
fn a_redirection_writes_its_target() {
    check(Shell::Bash, REDIRECTIONS);
}

/// SH-3 and B10: the only provable scope is one `echo` or `printf` with literal words.
#[test]
fn only_a_literal_echo_or_printf_has_a_provable_scope() {
    let targets = |command: &str| literal_targets(Shell::Bash, command);
    for (command, expected) in [
        ("echo hi > out.txt", vec!["out.txt"]),
        ("printf x >> a >> b", vec!["a", "b"]),
        ("echo hi 2> f", vec!["f"]),
        ("echo hi >f", vec!["f"]),
        ("> f echo hi", vec!["f"]),
        ("echo 'a b' > 'c d'", vec!["c d"]),
        ("echo hi > a\\'b", vec!["a'b"]),
        ("echo hi > \"dir/f\"", vec!["dir/f"]),
        ("printf '%s\\n' x > /abs/f", vec!["/abs/f"]),
        ("echo hi > /dev/null", vec!["/dev/null"]),
        ("echo hi > f # note", vec!["f"]),
        ("echo hi > f\n", vec!["f"]),
    ] {
        assert_eq!(
            targets(command),
            Some(expected.iter().map(|s| (*s).to_owned()).collect()),
            "{command}"
        );
    }
    for command in [
        "echo $X > f",
        "echo hi > *.txt",
        "echo hi > '*.txt'",
        "echo hi > a?",
        "echo hi > 'a[1]'",
        "echo hi > 'a{b'",
        "echo hi > ~/f",
        "echo hi > '~/f'",
        "echo a && echo b > f",
        "echo hi | tee f",
        "cat a > b",
        "X=1 echo hi > f",
        "echo hi > f &",
        "echo hi",
        "echo * > f",
        "echo hi > ''",
        "echo hi > $X",
        "echo hi > f < g",
        "echo hi > f 2>&1",
        "echo hi &> f",
        "echo hi >& f",
        "echo hi >| f",
        "echo hi > f; ls",
        "echo hi > f\nls",
        "(echo hi > f)",
        "{ echo hi > f; }",
        "! echo hi > f",
        "echo hi > /dev/tcp/h/1",
        "printf -v x y > f",
        "printf '%n' PATH > f",
        "/bin/echo hi > f",
        "command echo hi > f",
        "echo hi > f\r",
        "echo \"$(touch x)\" > f",
        "> f",
        "",
    ] {
        assert_eq!(targets(command), None, "{command}");
    }
    for shell in [Shell::PowerShell, Shell::Cmd] {
        assert_eq!(literal_targets(shell, "echo hi > out.txt"), None);
    }
}

#[test]
fn powershell_is_known_only_in_a_few_plain_lines() {
    check(
        Shell::PowerShell,
        r#"
reader       ls
reader       Get-ChildItem
reader       pwd
reader       git status
reader       git log --oneline -5
reader       git diff -- src/main.rs
reader       node --version
metadata     git branch new
content      git diff --output=p
?notknown    git commit -m x;ls
?notknown    ls -Recurse
?notknown    ls; rm x
?notknown    git status; rm x
?notknown    git status␤rm x
?notknown    git log "a"
?notknown    git log $x
?notknown    git log @args
?notknown    git log (rm x)
?notknown    git log | rm
?notknown    git log > x
?notknown    git log `x
?notknown    cat a
?notknown    rm x
?notknown    echo hi
?notknown    & git
?notknown    .\ls
?notknown    node --version extra
"#,
    );
}

/// SH-1: a shell whose language nobody reads here is asked for, whatever it is told.
#[test]
fn nothing_is_known_of_cmd() {
    check(Shell::Cmd, "?notknown  dir\n?notknown  git status\n?notknown  echo hi");
}
