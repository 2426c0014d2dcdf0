//! Git's table (SH-5, B11).

use super::*;

pub(super) const VECTORS: &str = r#"
reader            git --no-pager diff --stat
content           git diff --output=p
?code             git diff --ext-diff
metadata          git commit -m x
content+metadata  git commit -am x
?notknown         git -c core.pager=x log
reader            git clean -n
content           git clean -nf
metadata          git branch new
reader            git branch --list
"#;

/// B11, word for word.
#[test]
fn the_worked_vectors_hold() {
    check(Shell::Bash, VECTORS);
}

pub(super) const HISTORY: &str = r#"
reader       git status
reader       git status -sb --porcelain=v2
reader       git diff
reader       git diff HEAD~1 -- src/*.rs
reader       git diff --cached --name-only
reader       git diff -U3 -M50% a b
reader       git diff --word-diff=color HEAD^ HEAD
reader       git show HEAD:src/main.rs
reader       git show stash@{0}
reader       git show --stat --format=%H
reader       git log
reader       git log --oneline -5
reader       git log -n 5 --graph --all
reader       git log -p -S foo -- a.txt
reader       git log --author="A B" --since='2 weeks ago'
reader       git log --pretty='%h %s' main..HEAD
reader       git log -L 1,5:a.txt
reader       git log | head -20
reader       git grep -n foo
reader       git grep -e a --and -e b
reader       git cat-file -p HEAD
reader       git reflog
reader       git reflog show
reader       git reflog HEAD
reader       git -C sub status
reader       git --git-dir=x/.git --work-tree x log
reader       git --git-dir=.git/ --work-tree=x log
reader       git --git-dir x/.git --no-pager log
reader       git rev-parse --show-toplevel
reader       git ls-files --others --exclude-standard
reader       git ls-tree -r HEAD
reader       git blame -L1,5 a.txt
reader       git describe --tags --always
reader       git merge-base main HEAD
reader       git --version
reader       git log --no-ext-diff --no-textconv
reader       git diff -- *
content      git log --output=p
content      git log --output p
content      git show --output=p
content      git diff --outpu=p
content      git diff --o=p
content      git diff a b --output=p
content      git stash show --output=p
content      git log > p
?code        git log --ext-diff
?code        git show --ext-diff
?code        git show --textconv
?code        git diff --textc
?code        git diff --ext
?code        git cat-file --textconv HEAD:a
?code        git cat-file --filters HEAD:a
?code        git blame --textconv a
?code        git grep -O foo
?code        git grep -Oless foo
?code        git grep -nO foo
?code        git grep --open-files-in-pager=x foo
?code        git grep --open foo
?code        git grep -e -- -Oless foo
?code        git grep -e -- --open-files-in-pager=./x foo
?code        git grep --max-count -- -O foo
content      git diff --no-index -S -- --output=p a b
?code        git grep --textconv foo
?code        git log --show-signature
?code        git log --format=%G?
?code        git log --pretty=format:%h%+G?
?code        git branch --format='%(signature)'
?notknown    git
?notknown    git -p log
?notknown    git --paginate log
?notknown    git -c x=y status
?notknown    git -cx=y status
?notknown    git --exec-path=. status
?notknown    git --config-env=a=b status
?notknown    git -C
?notknown    git --git-dir=x status
?notknown    git --git-dir x status
?notknown    git --git-dir=x.git status
?notknown    git --git-d=x/.git status
?code        git branch --sort=signature
?code        git tag --sort signature:key
?code        git for-each-ref --format='%(*signature)'
?notknown    git difftool
?notknown    git frob
?notknown    git lo
?notknown    git "stash list"
?notknown    git diff --frob
?notknown    git rebase -x ./x main
?notknown    git bisect run ./x
?notknown    git filter-branch
?notknown    git reflog HEAD delete
?notknown    git reflog -5 delete
?expansions  git diff *
?expansions  git log -S* x
?notknown    git -C * status
?expansions  git s* x
metadata     git reflog expire --all
metadata     git reflog delete HEAD@{1}
"#;

/// SH-5: the readers, and what makes them something else.
#[test]
fn history_is_read_until_an_option_writes_or_runs() {
    check(Shell::Bash, HISTORY);
}

pub(super) const SUBCOMMANDS: &str = r#"
metadata                  git commit -qm "two␤lines"
metadata                  git commit --message=x --quiet
metadata                  git commit -m x -m y
content+metadata          git commit
content+metadata          git commit -q
content+metadata          git commit -m x a.txt
content+metadata          git commit -m x -- a.txt
content+metadata          git commit --amend -m x
content+metadata          git commit -F msg
content+metadata          git commit -m x --no-verify
content+metadata          git commit --mess x
?expansions               git commit -m "$(cat x)"
?notknown                 git commit -m *
reader                    git branch
reader                    git branch -a
reader                    git branch -avv
reader                    git branch --list 'f/*'
reader                    git branch --contains HEAD
reader                    git branch --show-current
reader                    git branch --sort=-committerdate
reader                    git branch --merged main
metadata                  git branch -d old
metadata                  git branch -D old
metadata                  git branch -m a b
metadata                  git branch -f a b
metadata                  git branch -vd old
metadata                  git branch --set-upstream-to=origin/a
metadata                  git branch --del old
metadata                  git branch --list -D old
metadata                  git branch -v new
metadata                  git branch new --list
?notknown                 git branch --sort --list new
?code                     git branch --edit-description
?notknown                 git branch -l new
?notknown                 git branch --frob
reader                    git tag
reader                    git tag -l 'v*'
reader                    git tag -n3
reader                    git tag --contains HEAD
metadata                  git tag v1
metadata                  git tag -a v1 -m x
metadata                  git tag -d v1
?code                     git tag -s v1
?code                     git tag -v v1
reader                    git remote
reader                    git remote -v
reader                    git remote get-url origin
reader                    git remote show
reader                    git remote show -n origin
network                   git remote show origin
metadata                  git remote add o url
metadata                  git remote remove o
metadata                  git remote set-url o url
metadata+network          git remote update
metadata+network          git remote add -f o url
?notknown                 git remote -v add o url
?notknown                 git remote frob
network                   git ls-remote
reader                    git config --list
reader                    git config -l --show-origin
reader                    git config --get user.name
reader                    git config user.name
reader                    git config list
reader                    git config get user.name
reader                    git config --global --get user.name
metadata                  git config user.name x
metadata                  git config set user.name x
metadata                  git config --unset user.name
metadata                  git config unset user.name
metadata                  git config --add a.b c
metadata                  git config --local core.pager ./x
content+metadata          git config -f a.ini a.b c
host                      git config --global user.name x
host                      git config --system --unset a.b
?code                     git config -e
?code                     git config --edit
?code                     git config edit
?notknown                 git config
?notknown                 git config --glob a.b c
metadata                  git config a.b --fixed-value
metadata                  git config a.b --get
?notknown                 git config --type --get a.b
?notknown                 git config -f --list a.b c
?expansions               git config a.*
?expansions               git config -- *
reader                    git stash list
reader                    git stash show -p
content+metadata          git stash
content+metadata          git stash -u
content+metadata          git stash push -m x
content+metadata          git stash pop
metadata                  git stash drop
metadata                  git stash clear
?notknown                 git stash frob
?notknown                 git stash --frob
reader                    git worktree list
content+metadata          git worktree add ../x
metadata                  git worktree prune
?notknown                 git worktree
reader                    git submodule
reader                    git submodule status
content+metadata+network  git submodule update --init
?code                     git submodule foreach ls
?notknown                 git submodule --quiet foreach ls
reader                    git clean -n -d
reader                    git clean --dry-run
reader                    git clean -nxe a
content                   git clean -f
content                   git clean -fdx
content                   git clean -n --force
content                   git clean -ni
content                   git clean
content                   git clean . -n
?notknown                 git clean -e -n
?notknown                 git clean -e -- -n
?notknown                 git clean --exclude -n
?notknown                 git clean -n --forc
external+network          git push
external+network          git push -u origin main
external+network          git push --force
?code                     git push --receive-pack=./x
?code                     git push --exec=./x
metadata+network          git fetch
metadata+network          git fetch --all --prune
?code                     git fetch --upload-pack=./x .
?code                     git fetch --upl ./x .
content+metadata+network  git pull
content+metadata+network  git pull --rebase
metadata                  git add -A
metadata                  git add .
?code                     git add -e
content+metadata          git checkout -- a.txt
content+metadata          git reset --hard
content+metadata          git rm a
content+metadata          git restore a
"#;

/// SH-5: what changes the repository, the files, the machine, or another one.
#[test]
fn a_subcommand_says_by_its_form_what_it_changes() {
    check(Shell::Bash, SUBCOMMANDS);
}
