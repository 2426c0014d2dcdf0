//! The subcommands of git that are known, one row for what behaves alike.

use super::{branch, clean, commit, config, reflog, remote_show, tag};
use crate::class::{
    Act, Family,
    rule::{Known, Operands, Options, Rule, Seen},
};

const fn form(
    names: &'static [&'static str],
    act: Act,
    letters: &'static str,
    options: &'static [&'static str],
    acts: &'static [(&'static str, Act)],
) -> Rule {
    let options =
        Options::Letters(Known { letters, names: options, acts, otherwise: Act::Unclear });
    Rule { names, family: Family::Git, act, options, operands: Operands::Any }
}

const fn judged(form: Rule, judge: fn(&Seen<'_>) -> Act) -> Rule {
    let Rule { names, family, act, options, operands: _ } = form;
    Rule { names, family, act, options, operands: Operands::Judged(judge) }
}

const fn bare(form: Rule) -> Rule {
    let Rule { names, family, act, options, operands: _ } = form;
    Rule { names, family, act, options, operands: Operands::AtMost(0, Act::Unclear) }
}

/// What makes a reader of history or files something else.
const REVEALS: &[(&str, Act)] = &[
    ("ext-diff", Act::RunsCode),
    ("filters", Act::RunsCode),
    ("show-signature", Act::RunsCode),
    ("textconv", Act::RunsCode),
    ("output", Act::Content),
];

const HISTORY_LETTERS: &str = "0123456789DEFPRWabceghilmpqrstuvwzn::B::C::G::I::L::M::S::U::X::";
const HISTORY: &[&str] = &[
    // What is compared, and how it is shown.
    "abbrev anchored base binary break-rewrites cached check color color-moved color-moved-ws",
    "color-words compact-summary cumulative default-prefix diff-algorithm diff-filter dirstat",
    "dirstat-by-file dst-prefix exit-code find-copies find-copies-harder find-object find-renames",
    "full-index function-context histogram ignore-all-space ignore-blank-lines",
    "ignore-cr-at-eol ignore-matching-lines ignore-space-at-eol ignore-space-change",
    "ignore-submodules indent-heuristic inter-hunk-context irreversible-delete line-prefix",
    "merge-base minimal name-only name-status no-abbrev no-color no-color-moved no-ext-diff",
    "no-indent-heuristic no-index no-patch no-prefix no-relative no-rename-empty no-renames",
    "no-textconv numstat ours output-indicator-context output-indicator-new",
    "output-indicator-old patch patch-with-raw patch-with-stat patience pickaxe-all",
    "pickaxe-regex quiet raw relative rename-empty rotate-to shortstat skip-to src-prefix staged",
    "stat submodule summary text theirs unified word-diff word-diff-regex ws-error-highlight",
    // Which commits, and how they are shown.
    "abbrev-commit after all all-match ancestry-path author author-date-order basic-regexp before",
    "boundary branches cc cherry cherry-mark cherry-pick children combined-all-paths committer",
    "count date date-order dd decorate decorate-refs decorate-refs-exclude dense diff-merges",
    "do-walk encoding exclude expand-tabs extended-regexp first-parent fixed-strings follow",
    "format full-diff full-history glob graph grep grep-reflog invert-grep left-only left-right",
    "log-size mailmap max-count max-parents merges min-parents no-abbrev-commit no-decorate",
    "no-diff-merges no-expand-tabs no-graph no-mailmap no-max-parents no-merges no-min-parents",
    "no-notes no-use-mailmap no-walk notes objects oneline parents perl-regexp pretty",
    "regexp-ignore-case relative-date remotes reverse right-only root show-notes simplify-by-decoration",
    "simplify-merges since skip source sparse tags topo-order until use-mailmap walk-reflogs",
];

pub(super) static FORMS: &[Rule] = &[
    form(
        &[
            "diff",
            "log",
            "show",
            "rev-list",
            "shortlog",
            "reflog show",
            "reflog list",
            "reflog exists",
            "stash list",
            "stash show",
        ],
        Act::Reads,
        HISTORY_LETTERS,
        HISTORY,
        REVEALS,
    ),
    judged(form(&["reflog"], Act::Reads, HISTORY_LETTERS, HISTORY, REVEALS), reflog),
    form(
        &["status"],
        Act::Reads,
        "bsvzu::",
        &[
            "ahead-behind branch column find-renames ignore-submodules ignored long",
            "no-ahead-behind no-column no-renames null porcelain renames short show-stash",
            "untracked-files verbose",
        ],
        &[],
    ),
    form(
        &["grep"],
        Act::Reads,
        "0123456789EFGHILPWachilnopqrvwze::f::A::B::C::m::",
        &[
            "after-context all-match and basic-regexp before-context break cached color column",
            "context count exclude-standard extended-regexp files-with-matches",
            "files-without-match fixed-strings full-name function-context heading ignore-case",
            "invert-match line-number max-count max-depth name-only no-color no-exclude-standard",
            "no-index no-recursive no-textconv not null only-matching or perl-regexp quiet",
            "recurse-submodules recursive show-function text threads untracked word-regexp",
        ],
        &[
            ("O", Act::RunsCode),
            ("open-files-in-pager", Act::RunsCode),
            ("textconv", Act::RunsCode),
        ],
    ),
    form(
        &["cat-file"],
        Act::Reads,
        "epst",
        &[
            "allow-unknown-type batch batch-all-objects batch-check batch-command buffer",
            "follow-symlinks mailmap no-mailmap path unordered use-mailmap",
        ],
        &[("filters", Act::RunsCode), ("textconv", Act::RunsCode)],
    ),
    // Further readers, beside the table of the rule.
    form(
        &["rev-parse"],
        Act::Reads,
        "q",
        &[
            "abbrev-ref absolute-git-dir all branches default end-of-options git-common-dir git-dir",
            "git-path is-bare-repository is-inside-git-dir is-inside-work-tree",
            "is-shallow-repository path-format quiet remotes short show-cdup show-object-format",
            "show-prefix show-superproject-working-tree show-toplevel symbolic symbolic-full-name",
            "tags verify",
        ],
        &[],
    ),
    form(
        &["ls-files"],
        Act::Reads,
        "cdfikmostuvzx::X::",
        &[
            "abbrev cached debug deduplicate deleted directory eol error-unmatch exclude",
            "exclude-from exclude-per-directory exclude-standard full-name ignored killed modified",
            "no-empty-directory others recurse-submodules sparse stage unmerged",
        ],
        &[],
    ),
    form(
        &["ls-tree"],
        Act::Reads,
        "dlrtz",
        &["abbrev full-name full-tree long name-only name-status object-only"],
        &[],
    ),
    form(
        &["blame"],
        Act::Reads,
        "bcefghilnpstwC::L::M::S::",
        &[
            "abbrev color-by-age color-lines date first-parent ignore-rev ignore-revs-file",
            "incremental line-porcelain no-progress porcelain reverse root score-debug show-email",
            "show-name show-number show-stats since",
        ],
        &[("textconv", Act::RunsCode)],
    ),
    form(
        &["describe"],
        Act::Reads,
        "",
        &[
            "abbrev all always broken candidates contains debug dirty exact-match exclude",
            "first-parent long match tags",
        ],
        &[],
    ),
    form(
        &["merge-base", "for-each-ref", "show-ref", "count-objects", "check-ignore"],
        Act::Reads,
        "Hadnqsvz",
        &[
            "all branches color contains count dereference exclude exists fork-point format hash",
            "head heads human-readable ignore-case independent is-ancestor merged no-contains",
            "no-index no-merged non-matching octopus points-at quiet sort tags verbose verify",
        ],
        &[],
    ),
    bare(form(&["version", "--version"], Act::Reads, "", &["build-options"], &[])),
    // Commits, branches, tags.
    judged(
        Rule {
            names: &["commit"],
            family: Family::Git,
            act: Act::Metadata,
            options: Options::Letters(Known {
                letters: "qm:",
                names: &["message= quiet"],
                acts: &[],
                otherwise: Act::ContentAndMetadata,
            }),
            operands: Operands::Any,
        },
        commit,
    ),
    judged(
        form(
            &["branch"],
            Act::Reads,
            "ailrv",
            &[
                "abbrev all color column contains format= ignore-case list merged no-abbrev",
                "no-color no-column no-contains no-merged omit-empty points-at remotes",
                "show-current sort= verbose",
            ],
            &[
                ("C", Act::Metadata),
                ("D", Act::Metadata),
                ("M", Act::Metadata),
                ("c", Act::Metadata),
                ("d", Act::Metadata),
                ("f", Act::Metadata),
                ("m", Act::Metadata),
                ("t", Act::Metadata),
                ("u", Act::Metadata),
                ("copy", Act::Metadata),
                ("create-reflog", Act::Metadata),
                ("delete", Act::Metadata),
                ("edit-description", Act::RunsCode),
                ("force", Act::Metadata),
                ("move", Act::Metadata),
                ("no-track", Act::Metadata),
                ("set-upstream-to", Act::Metadata),
                ("track", Act::Metadata),
                ("unset-upstream", Act::Metadata),
            ],
        ),
        branch,
    ),
    judged(
        form(
            &["tag"],
            Act::Reads,
            "iln::",
            &[
                "color column contains format= ignore-case list merged no-color no-column",
                "no-contains no-merged omit-empty points-at sort=",
            ],
            &[
                ("F", Act::Metadata),
                ("a", Act::Metadata),
                ("d", Act::Metadata),
                ("f", Act::Metadata),
                ("m", Act::Metadata),
                ("annotate", Act::Metadata),
                ("create-reflog", Act::Metadata),
                ("delete", Act::Metadata),
                ("file", Act::Metadata),
                ("force", Act::Metadata),
                ("message", Act::Metadata),
                ("e", Act::RunsCode),
                ("s", Act::RunsCode),
                ("u", Act::RunsCode),
                ("v", Act::RunsCode),
                ("edit", Act::RunsCode),
                ("local-user", Act::RunsCode),
                ("sign", Act::RunsCode),
                ("verify", Act::RunsCode),
            ],
        ),
        tag,
    ),
    form(
        &["reflog expire", "reflog delete", "reflog drop", "reflog write"],
        Act::Metadata,
        "n",
        &[
            "all dry-run expire expire-unreachable rewrite single-worktree stale-fix updateref verbose",
        ],
        &[],
    ),
    // Remotes.
    bare(form(&["remote"], Act::Reads, "v", &["verbose"], &[])),
    judged(form(&["remote show"], Act::Reads, "n", &[], &[]), remote_show),
    form(&["remote get-url"], Act::Reads, "", &["all push"], &[]),
    form(
        &[
            "remote add",
            "remote remove",
            "remote rename",
            "remote rm",
            "remote set-branches",
            "remote set-head",
            "remote set-url",
        ],
        Act::Metadata,
        "dm::t::",
        &["add delete master mirror no-progress no-tags progress push tags track"],
        &[
            ("a", Act::Fetches),
            ("f", Act::Fetches),
            ("auto", Act::Fetches),
            ("fetch", Act::Fetches),
        ],
    ),
    form(&["remote prune", "remote update"], Act::Fetches, "np", &["dry-run prune"], &[]),
    form(
        &["ls-remote"],
        Act::Asks,
        "hqt",
        &["branches exit-code get-url heads quiet refs sort symref tags"],
        &[("exec", Act::RunsCode), ("upload-pack", Act::RunsCode)],
    ),
    form(
        &["push"],
        Act::Pushes,
        "46dfnquv",
        &[
            "all atomic branches delete dry-run follow-tags force force-if-includes",
            "force-with-lease ipv4 ipv6 mirror no-force-with-lease no-progress no-thin no-verify",
            "porcelain progress prune push-option quiet set-upstream tags thin verbose",
        ],
        &[("exec", Act::RunsCode), ("receive-pack", Act::RunsCode), ("signed", Act::RunsCode)],
    ),
    form(
        &["fetch"],
        Act::Fetches,
        "46Pafknpqtvj::",
        &[
            "all append atomic deepen depth dry-run force ipv4 ipv6 jobs keep multiple no-tags",
            "progress prune prune-tags quiet recurse-submodules refmap set-upstream shallow-exclude",
            "shallow-since tags unshallow verbose",
        ],
        &[("upload-pack", Act::RunsCode)],
    ),
    form(
        &["pull"],
        Act::Pulls,
        "46afnpqrtv",
        &[
            "all autostash commit depth ff ff-only force ipv4 ipv6 no-autostash no-commit no-edit",
            "no-ff no-rebase no-squash no-stat progress prune quiet rebase squash stat tags",
            "unshallow verbose",
        ],
        &[("upload-pack", Act::RunsCode)],
    ),
    // Settings.
    judged(
        form(
            &["config"],
            Act::Reads,
            "lzf:",
            &[
                "add all blob= bool bool-or-int bool-or-str default= expiry-date file= fixed-value",
                "get get-all get-color get-colorbool get-regexp get-urlmatch global includes int",
                "list local name-only no-includes no-type null path regexp remove-section",
                "rename-section replace-all show-names show-origin show-scope system type= unset",
                "unset-all url= value= worktree",
            ],
            &[("e", Act::RunsCode), ("edit", Act::RunsCode)],
        ),
        config,
    ),
    form(&["config edit"], Act::RunsCode, "", &[], &[]),
    // The working tree.
    judged(
        form(
            &["clean"],
            Act::Reads,
            "Xdfinqxe:",
            &["dry-run exclude= force interactive quiet"],
            &[],
        ),
        clean,
    ),
    bare(form(
        &["stash"],
        Act::ContentAndMetadata,
        "Skpqua",
        &["all include-untracked keep-index no-keep-index patch quiet staged"],
        &[],
    )),
    form(
        &["stash push", "stash save", "stash pop", "stash apply", "stash branch"],
        Act::ContentAndMetadata,
        "Skpquam:",
        &["all include-untracked index keep-index message= no-keep-index patch quiet staged"],
        &[],
    ),
    form(
        &["stash clear", "stash create", "stash drop", "stash store"],
        Act::Metadata,
        "qm:",
        &["message= quiet"],
        &[],
    ),
    form(&["worktree list"], Act::Reads, "vz", &["expire porcelain verbose"], &[]),
    form(
        &["worktree add", "worktree move", "worktree remove"],
        Act::ContentAndMetadata,
        "dfqB::b::",
        &["checkout detach force guess-remote lock no-checkout no-track orphan quiet reason track"],
        &[],
    ),
    form(
        &["worktree lock", "worktree prune", "worktree repair", "worktree unlock"],
        Act::Metadata,
        "nv",
        &["dry-run expire reason verbose"],
        &[],
    ),
    bare(form(&["submodule"], Act::Reads, "q", &["cached quiet"], &[])),
    form(&["submodule status"], Act::Reads, "", &["cached quiet recursive"], &[]),
    form(&["submodule foreach"], Act::RunsCode, "", &[], &[]),
    form(
        &["submodule add", "submodule update"],
        Act::Pulls,
        "Nbf",
        &["branch depth force init jobs name no-fetch progress quiet recursive remote"],
        &[],
    ),
    form(
        &[
            "submodule absorbgitdirs",
            "submodule deinit",
            "submodule init",
            "submodule set-branch",
            "submodule set-url",
            "submodule sync",
        ],
        Act::ContentAndMetadata,
        "bdf",
        &["all branch default force quiet recursive"],
        &[],
    ),
    form(
        &["add"],
        Act::Metadata,
        "ANfnpuv",
        &[
            "all dry-run force ignore-errors ignore-removal intent-to-add no-all patch update verbose",
        ],
        &[("e", Act::RunsCode), ("edit", Act::RunsCode)],
    ),
    form(
        &["apply", "checkout", "mv", "reset", "restore", "rm", "switch"],
        Act::ContentAndMetadata,
        "3BCNRSWbcdfklmnpqrtv",
        &[
            "3way cached check create detach discard-changes dry-run force hard index keep mixed",
            "no-track ours patch progress quiet recurse-submodules reverse soft source stage staged",
            "stat theirs track worktree",
        ],
        &[],
    ),
];
