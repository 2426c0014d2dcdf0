//! Readers, and what turns them into something else (SH-1, SH-7).

use super::*;

pub(super) const LOOKING: &str = r#"
reader  ls -la *.rs
reader  ls *
reader  cat a.txt b.txt
reader  head -n 20 a.txt
reader  head -20 a.txt
reader  tail -f a.txt
reader  wc -l *.txt
reader  grep -rn foo .
reader  grep -E "a|b" src/*.rs
reader  grep foo *
reader  grep -f words a.txt
reader  grep -- -x a.txt
reader  stat a.txt
reader  du -sh .
reader  df -h
reader  pwd
reader  echo hi
reader  echo -n hi
reader  echo *
reader  printf x
reader  printf '%s\n' a b
reader  printf '%s\n' *
reader  printf '%d %5.2f%%\n' 3 4
reader  printf -- '-x'
reader  date
reader  date +%Y-%m-%d
reader  date -u '+%H:%M'
reader  date -d yesterday +%F
reader  date -Iseconds
reader  which node
reader  type ls
reader  command -v node
reader  command -V node
reader  uname -a
reader  id
reader  whoami
reader  hostname
reader  hostname -f
reader  env
reader  env -0
reader  printenv PATH
reader  arch
reader  diff a.txt b.txt
reader  diff -u a.txt b.txt
reader  cmp a b
reader  sort a.txt
reader  sort -k2,2n -t , a.txt
reader  sort -rn | head
reader  sort ./*
reader  sort -- *
reader  sort --key=2 --reverse a.txt
reader  uniq -c
reader  uniq -c in
reader  uniq -f 1 in
reader  sort a.txt | uniq -c | sort -rn
reader  cut -d: -f1 a.txt
reader  tr a-z A-Z
reader  basename a/b
reader  dirname a/b
reader  realpath a
reader  readlink -f a
reader  test -f a
reader  [ -f a.txt ]
reader  [ ! -f a.txt ]
reader  [ a = b ]
reader  [ 1 -lt 2 ] && echo yes
reader  [ -n "x" ]
reader  tree
reader  tree -L 2 -I target
reader  tree -a
reader  jq . a.json
reader  jq -r '.a.b' a.json
reader  jq '.[] | select(.x > 1)' a.json
reader  md5sum a
reader  sha256sum a b
reader  nl a
reader  tac a
reader  rev a
reader  column -t a
reader  comm a b
reader  join a b
reader  od -c a
reader  xxd a
reader  xxd -l 64 a
reader  xxd -c 16 -s -16 a
reader  hexdump -C a
reader  strings a
reader  seq 1 5
reader  file a.bin
reader  file -b --mime-type a.bin
reader  cat a.txt | less -N
reader  base64 a.bin
reader  shuf -n 3 a.txt
reader  sed -n 1,20p a.txt
reader  sed -n '1,20p' a.txt
reader  sed -n '/foo/,/bar/p' a.txt
reader  sed -n '10,20p;30q' a.txt
reader  sed -n '$p' a.txt
reader  sed '$d' a.txt
reader  sed -e 's/a/b/g' -e 's|x|y|' a.txt
reader  sed -E 's/(a|b)+/[\1]/gI' a.txt
reader  sed 's/[^a-z]/x/g' a.txt
reader  sed 's/[[:space:]]*$//' a.txt
reader  sed -n '/a/{p;q}' a.txt
reader  sed 's/\//x/' a.txt
reader  sed 'y/abc/xyz/' a.txt
reader  sed 5q a.txt
reader  sed '/^$/d' a.txt
reader  sed '/x/!d' a.txt
reader  sed 's/we/e w/' a.txt
reader  sed -n 's/x/y/p' src/*.rs
reader  find .
reader  find . -name '*.rs' -type f
reader  find src -name "*.rs" -not -path '*/target/*'
reader  find . \( -name a -o -name b \) -print
reader  find . ! -name x
reader  find . -mtime -1 -size +10k -maxdepth 2
reader  find . -newer a.txt -printf '%p\n'
reader  find src/* -name x
reader  rg foo
reader  rg -n foo src
reader  rg -g '*.rs' -t rust --hidden foo
reader  fd foo
reader  fd -e rs -t f foo
reader  node --version
reader  node -v
reader  python3 --version
"#;

/// SH-1: common readers in their common forms.
#[test]
fn everyday_looking_is_reading() {
    check(Shell::Bash, LOOKING);
}

pub(super) const TURNED: &str = r#"
?code         find . -exec rm {} \;
?code         find . -exec rm '{}' \;
?code         find . -exec rm '{}' +
?code         find . -execdir rm x ';'
?code         find . -ok rm x ';'
?code         find . -okdir rm x ';'
content       find . -delete
content       find . -name '*.tmp' -delete
content       find . -fprint out
content       find . -fprint0 out
content       find . -fprintf out x
content       find . -fls out
content       find . -name -delete
content       find . "-delete"
content       find . -d\elete
?expansions   find . -name *.rs
?expansions   find *
?expansions   find -- *
?expansions   find . -na* x
?notknown     find . -files0-from x
?notknown     find . -D exec
content       sort -o out a
content       sort -oout a
content       sort -uo out a
content       sort -nro out a
content       sort a -o out
content       sort --output=out a
content       sort --output out a
content       sort --outp out a
content       sort --o=out a
content       sort -T . a
content       sort -k -o out
content       sort -k -- -o out
content       sort -r -- -o out
content       sort -S -- --output=out
?expansions   sort -k -- *
reader        sort -k 2 -- *
reader        sort -- -o
?code         sort --compress-program=./x a
?code         sort --compress-prog ./x a
?code         sort --co ./x a
?expansions   sort *
?expansions   sort ?o
?expansions   sort [a-]x
?expansions   sort -*
?expansions   sort ''*
?notknown     sort --frob a
content       uniq in out
content       uniq -c in out
?notknown     uniq in -c
?expansions   uniq *
?expansions   uniq a*
?expansions   uniq -- *
content       uniq -- in out
content       uniq -- -i out
?notknown     uniq -c -- -i out
?notknown     uniq -f -- in out
content       uniq - out
content       xxd in out
content       xxd -r in
content       xxd -r -p in out
content       xxd -revert in
content       xxd -ps in out
?notknown     xxd in -p
?expansions   xxd *
content       shuf -o out a
content       shuf --output=out a
content       shuf -eo out a
content       shuf -n -- -o out a
content       tree -o out
content       tree -R -L 1
?notknown     tree -Lo 2 out
?notknown     tree -ao out
?notknown     file -C -m magic
content       file -C
content       file --compile
content       file -bC
?notknown     file -z x
content       base64 -o out a
host          date -s 12:00
host          date --set 12:00
host          date --se=12:00
host          date 010100002030
host          date +%F 0101
?notknown     date -f '%Y' 2020
?expansions   date *
host          hostname evil
host          hostname -F f
?expansions   hostname *
?code         arch -x86_64 ls
?code         arch ls
?code         env -i ls
?code         env -S 'ls'
?code         command -p ls
?code         printf %n PATH
?code         printf '12%n' PATH; ls
?code         printf '%5hn' PATH
?code         printf '%-*n' PATH
?notknown     printf -v PATH x
?notknown     printf -vPATH x
?expansions   printf * x
?code         test -v 'x[1]'
?code         [ -v x ]
?code         [ -R x ]
?expansions   test -e *
?syntax       [ -f x
?notknown     '[' -f x
?code         rg --pre ./x foo
?code         rg --pre=./x foo
?code         rg --hostname-bin ./x foo
?code         rg -z foo
?code         rg --search-zip foo
?code         rg -e -- --pre=./x foo
?code         rg -nz foo
?expansions   rg foo *
reader        rg foo -- *
?code         fd -x rm
?code         fd . -X rm
?code         fd --exec rm
?code         fd -e -- -x rm
?code         fd --exec=rm
?code         fd --exec-batch rm
?notknown     fd -l
content       sed -i s/a/b/ f
content       sed -i.bak s/a/b/ f
content       sed --in-place s/a/b/ f
content       sed --in-pl=x s/a/b/ f
content       sed -ni p f
content       sed -nE -i p f
content       sed -I '' p f
content       sed p f && sed -i p f
content       sed 'w out' f
content       sed -n '/x/w out' f
content       sed 's/a/b/w out' f
content       sed 's/a/b/gw out' f
content       sed -e p -e 'w out' f
content       sed --expression='w out' f
content       sed -n '1{p;w out␤}' f
content       sed 'p;w out' f
content       sed 'p␤w out' f
?code         sed '1e touch x' f
?code         sed e f
?code         sed 's/a/touch x/e' f
?code         sed 's/a/b/ge' f
?notknown     sed p f -i
?notknown     sed p f -e 'w out'
?notknown     sed -f script f
?notknown     sed -s p f
?notknown     sed -e -- -i f
?notknown     sed '1r /etc/passwd' f
?notknown     sed 'a\x' f
?notknown     sed 's/[/]/x/w out/' f
?notknown     sed 's/[]/]/x/' f
?notknown     sed 's/[]x/]y/p' f
?notknown     sed '/[^]/p;/]x/p' f
?notknown     sed 's/a/b' f
?notknown     sed '{p' f
?notknown     sed 'p}' f
?notknown     sed 'p w out' f
?notknown     sed
?expansions   sed *
?expansions   sed s/*/x/ f
?expansions   sed p *
?notknown     less -o log f
?notknown     less -Olog f
?expansions   less +!touch f
?notknown     less '+!touch x'
?notknown     less a.txt
?expansions   less *
content       tee out
content       ls | tee out
content       dd if=a of=b
content       cp a b
content       mv a b
content       mkdir d
content       ln -s a b
content       rm -f a
content       mktemp
host          kill 1
content+code  cargo check
content+code  cargo doc
content+code  cargo test
content+code  cargo build --release
content+code  go test ./...
?code         cargo +nightly build
?code         cargo install x
?code         cargo --version --verbose
?code         cargo --version
?code         go version
?code         rustc -V
?code         python3 --version x.py
?code         node --version x.js
?code         cargo
"#;

/// SH-7, and what else turns a reader into something worse.
#[test]
fn an_option_or_operand_can_turn_a_reader_into_a_writer() {
    check(Shell::Bash, TURNED);
}

/// DEC-3: builds and network commands are never held up; what handles files may be.
#[test]
fn only_an_opaque_writer_may_be_held_up() {
    let opaque = |command| classify(Shell::Bash, command).is_opaque_writer();
    for command in [
        "rm a",
        "cat a > b",
        "python3 fix.py",
        "git checkout a",
        "./x",
        "echo $X > a",
        "cargo test; rm a",
    ] {
        assert!(opaque(command), "{command}");
    }
    for command in [
        "ls",
        "git commit -m x",
        "cargo test",
        "cargo test | tail -5",
        "cd a && make",
        "npm test",
        "curl -o a b",
    ] {
        assert!(!opaque(command), "{command}");
    }
}
