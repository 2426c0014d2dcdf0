//! The commands that read, and what of them reads no more.
//!
//! A command stands here only with what every implementation of it that we know of (GNU, BSD,
//! macOS, busybox) does. A rule that lists options refuses patterns that could become one:
//! `sort *` is not known, `sort ./*` and `sort -- *` are. Where the number of operands counts,
//! as for `uniq`, no pattern is known at all.

use super::{
    Act, Family, operands,
    rule::{Known, Operands, Options, Rule},
    sed,
};

/// Commands that only say their version when asked so, with nothing else. Not among them are those
/// of which a file in the folder can choose what runs, such as `rust-toolchain.toml` and `go.mod`.
pub(super) static VERSION_QUERIES: &[(&[&str], &[&str])] = &[
    (&["node", "npm", "deno", "bun"], &["--version", "-v"]),
    (&["python", "python3"], &["--version", "-V"]),
    (&["java"], &["--version", "-version"]),
    (&["bash", "cc", "clang", "cmake", "docker", "dotnet", "g++", "gcc", "make"], &["--version"]),
    (&["perl", "php", "ruby"], &["--version", "-v"]),
];

const fn reader(names: &'static [&'static str], options: Options, operands: Operands) -> Rule {
    Rule { names, family: Family::Look, act: Act::Reads, options, operands }
}

const fn letters(
    letters: &'static str,
    names: &'static [&'static str],
    acts: &'static [(&'static str, Act)],
    otherwise: Act,
) -> Options {
    Options::Letters(Known { letters, names, acts, otherwise })
}

const fn words(names: &'static [&'static str], acts: &'static [(&'static str, Act)]) -> Options {
    Options::Words(Known { letters: "", names, acts, otherwise: Act::Unclear })
}

pub(super) static READERS: &[Rule] = &[
    reader(
        &[
            ":",
            "b2sum",
            "basename",
            "cat",
            "cd",
            "cksum",
            "cmp",
            "column",
            "comm",
            "cut",
            "df",
            "diff",
            "dir",
            "dirname",
            "du",
            "echo",
            "egrep",
            "exit",
            "expr",
            "factor",
            "false",
            "fgrep",
            "fmt",
            "fold",
            "free",
            "grep",
            "groups",
            "head",
            "hexdump",
            "id",
            "join",
            "locale",
            "logname",
            "ls",
            "lsblk",
            "lscpu",
            "md5",
            "md5sum",
            "nl",
            "nproc",
            "numfmt",
            "od",
            "paste",
            "pr",
            "printenv",
            "ps",
            "pwd",
            "readlink",
            "realpath",
            "rev",
            "seq",
            "sha1sum",
            "sha224sum",
            "sha256sum",
            "sha384sum",
            "sha512sum",
            "shasum",
            "sleep",
            "stat",
            "strings",
            "sum",
            "tac",
            "tail",
            "tr",
            "true",
            "tsort",
            "tty",
            "type",
            "uname",
            "uptime",
            "vdir",
            "wc",
            "whereis",
            "which",
            "whoami",
            "yes",
        ],
        Options::Any,
        Operands::Any,
    ),
    reader(&["printf"], Options::Any, Operands::Judged(operands::printf)),
    reader(&["test", "["], Options::Any, Operands::Judged(operands::test)),
    // `arch` runs a program on macOS.
    reader(&["arch"], letters("", &[], &[], Act::RunsCode), Operands::AtMost(0, Act::RunsCode)),
    reader(
        &["base64"],
        letters(
            "dDw:",
            &["decode", "ignore-garbage", "wrap="],
            &[("o", Act::Content), ("output", Act::Content)],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    reader(
        &["command"],
        letters("vVp", &[], &[], Act::RunsCode),
        Operands::Judged(operands::command),
    ),
    reader(
        &["date"],
        letters(
            "uRI::d:r:",
            &["date=", "iso-8601", "reference=", "rfc-3339=", "rfc-email", "universal", "utc"],
            &[("s", Act::Host), ("set", Act::Host)],
            Act::Unclear,
        ),
        Operands::Judged(operands::date),
    ),
    reader(
        &["env"],
        letters("0", &["null"], &[], Act::RunsCode),
        Operands::AtMost(0, Act::RunsCode),
    ),
    reader(
        &["fd", "fdfind"],
        letters(
            "HIusigFaLp01qt:e:E:d:S:c:j:",
            &[
                "absolute-path and= base-directory= case-sensitive changed-before= changed-within=",
                "color= exact-depth= exclude= extension= fixed-strings follow full-path glob hidden",
                "ignore-case max-depth= max-results= min-depth= no-ignore no-ignore-vcs",
                "one-file-system owner= path-separator= print0 prune quiet regex relative-path",
                "search-path= show-errors size= strip-cwd-prefix threads= type= unrestricted",
            ],
            &[
                ("x", Act::RunsCode),
                ("X", Act::RunsCode),
                ("exec", Act::RunsCode),
                ("exec-batch", Act::RunsCode),
            ],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    // `-C` compiles a table of types.
    reader(
        &["file"],
        letters(
            "bhikILNf:F:",
            &[
                "brief dereference extension files-from= keep-going mime mime-encoding mime-type",
                "no-dereference no-pad separator=",
            ],
            &[("C", Act::Content), ("compile", Act::Content)],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    reader(
        &["find"],
        words(
            &[
                "E H L P a amin= and anewer= atime= cmin= cnewer= ctime= d daystart depth empty",
                "executable false follow gid= group= ilname= iname= inum= ipath= iregex= links=",
                "lname= ls maxdepth= mindepth= mmin= mount mtime= name= newer= newerat= newerct=",
                "newermm= newermt= nogroup noleaf not nouser nowarn o or path= perm= print print0",
                "printf= prune quit readable regex= regextype= samefile= size= true type= uid=",
                "user= warn wholename= writable xdev xtype=",
            ],
            &[
                ("delete", Act::Content),
                ("fls", Act::Content),
                ("fprint", Act::Content),
                ("fprint0", Act::Content),
                ("fprintf", Act::Content),
                ("exec", Act::RunsCode),
                ("execdir", Act::RunsCode),
                ("ok", Act::RunsCode),
                ("okdir", Act::RunsCode),
            ],
        ),
        Operands::Any,
    ),
    reader(
        &["hostname"],
        letters(
            "AIdfis",
            &["all-fqdns all-ip-addresses domain fqdn ip-address long short"],
            &[("F", Act::Host), ("b", Act::Host), ("file", Act::Host), ("boot", Act::Host)],
            Act::Unclear,
        ),
        Operands::AtMost(0, Act::Host),
    ),
    reader(
        &["jq"],
        letters(
            "nCcrRajseSMfL:",
            &[
                "arg argjson args ascii-output color-output compact-output exit-status from-file",
                "indent join-output jsonargs monochrome-output null-input rawfile raw-input",
                "raw-output raw-output0 seq slurp slurpfile sort-keys stream tab",
            ],
            &[],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    // Only behind a pipe: files may first go through programs of the user's.
    reader(
        &["less", "more"],
        letters("EFGINRSXegnirsw", &[], &[], Act::Unclear),
        Operands::AtMost(0, Act::Unclear),
    ),
    reader(
        &["rg"],
        letters(
            ".0FHILNPSUabchilnopqsuvwxA:B:C:E:M:T:d:e:f:g:j:m:r:t:",
            &[
                "after-context= before-context= binary byte-offset case-sensitive color= colors=",
                "column context= context-separator= count count-matches crlf encoding= engine=",
                "field-context-separator= field-match-separator= file= files files-with-matches",
                "files-without-match fixed-strings follow glob= glob-case-insensitive heading",
                "hidden iglob= ignore-case ignore-file= include-zero invert-match json line-number",
                "line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize=",
                "multiline multiline-dotall no-column no-config no-filename no-heading no-hidden",
                "no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global",
                "no-ignore-parent no-ignore-vcs no-line-number no-messages null null-data",
                "one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp=",
                "replace= smart-case sort= sortr= stats text threads= trim type= type-add=",
                "type-clear= type-list type-not= unrestricted version vimgrep with-filename",
                "word-regexp",
            ],
            &[
                ("z", Act::RunsCode),
                ("hostname-bin", Act::RunsCode),
                ("pre", Act::RunsCode),
                ("search-zip", Act::RunsCode),
            ],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    // Its only values are scripts.
    reader(
        &["sed"],
        letters(
            "nEruze:",
            &["expression= null-data posix quiet regexp-extended silent unbuffered"],
            &[("i", Act::Content), ("I", Act::Content), ("in-place", Act::Content)],
            Act::Unclear,
        ),
        Operands::Judged(sed::sed),
    ),
    reader(
        &["shuf"],
        letters(
            "erzi:n:",
            &["echo head-count= input-range= random-source= repeat zero-terminated"],
            &[("o", Act::Content), ("output", Act::Content)],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    reader(
        &["sort"],
        letters(
            "CMRVbcdfghimnrsuzk:t:S:",
            &[
                "buffer-size= check debug dictionary-order field-separator= files0-from=",
                "general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks",
                "ignore-nonprinting key= merge month-sort numeric-sort parallel= random-sort",
                "random-source= reverse sort= stable unique version-sort zero-terminated",
            ],
            &[
                ("T", Act::Content),
                ("o", Act::Content),
                ("output", Act::Content),
                ("temporary-directory", Act::Content),
                ("compress-program", Act::RunsCode),
            ],
            Act::Unclear,
        ),
        Operands::Any,
    ),
    // `-R` writes a page into every folder.
    reader(
        &["tree"],
        words(
            &[
                "C D F I= J L= N P= S a d f g h i l n p s t u -du -dirsfirst -filesfirst -gitignore",
                "-noreport -prune",
            ],
            &[("R", Act::Content), ("o", Act::Content)],
        ),
        Operands::Any,
    ),
    reader(
        &["uniq"],
        letters(
            "Dcdiuzf:s:w:",
            &[
                "all-repeated check-chars= count group ignore-case repeated skip-chars=",
                "skip-fields= unique zero-terminated",
            ],
            &[],
            Act::Unclear,
        ),
        Operands::AtMost(1, Act::Content),
    ),
    // Some take `-ps` for two options and some for one: words it is, as the original has it.
    reader(
        &["xxd"],
        words(&["C a b c= e g= i l= p ps s= u"], &[("r", Act::Content), ("revert", Act::Content)]),
        Operands::AtMost(1, Act::Content),
    ),
];
