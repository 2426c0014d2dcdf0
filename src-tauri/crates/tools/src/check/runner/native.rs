//! Rust, Go, C and C++, .NET, the JVM, and other compiled languages.

use super::{Call, Counter, Known};
use crate::check::words::is_option;

pub(super) fn known(call: &Call<'_>) -> Option<Known> {
    match call.program {
        "cargo" => cargo(call),
        "cargo-nextest" => nextest(&call.after(usize::from(call.word(0) == Some("nextest")))),
        "go" => go(call),
        "gotestsum" => Some(Known::tests("go test").counted(Counter::Go)),
        "golangci-lint" => (call.word(0) == Some("run"))
            .then(|| Known::lint("golangci-lint").filtered(call.after(1).names_a_part(GO_VALUES))),
        "staticcheck" => {
            Some(Known::lint("staticcheck").filtered(call.names_a_part(&["-checks", "-go"])))
        }
        "dotnet" => dotnet(call),
        "mvn" | "mvnw" | "mvnd" => maven(call),
        "gradle" | "gradlew" => gradle(call),
        "ctest" => ctest(call),
        "cmake" => cmake(call),
        "ninja" => Some(if call.rest.iter().any(|it| it == "test") {
            Known::tests("ninja test").counted(Counter::Ctest)
        } else {
            Known::build("ninja")
        }),
        "meson" => match call.word(0)? {
            "test" => {
                let part = call.after(1).names_a_part(&["-C", "--suite", "-t", "--num-processes"]);
                Some(Known::tests("meson test").filtered(part || call.has(&["--suite"])))
            }
            "compile" => Some(Known::build("meson compile")),
            _ => None,
        },
        "bazel" | "bazelisk" => match call.word(0)? {
            "test" => Some(Known::tests("bazel test").filtered(bazel_part(call))),
            "build" => Some(Known::build("bazel build").filtered(bazel_part(call))),
            _ => None,
        },
        "swift" => match call.word(0)? {
            "test" => Some(Known::tests("swift test").filtered(call.has(&["--filter", "--skip"]))),
            "build" => Some(Known::build("swift build")),
            _ => None,
        },
        "zig" => match (call.word(0)?, call.word(1)) {
            ("test", _) => Some(Known::tests("zig test").filtered(true)),
            ("build", Some("test")) => Some(Known::tests("zig build test")),
            ("build", None) => Some(Known::build("zig build")),
            _ => None,
        },
        "sbt" => match call.word(0)? {
            "test" => Some(Known::tests("sbt test")),
            "testOnly" => Some(Known::tests("sbt test").filtered(true)),
            "compile" => Some(Known::build("sbt compile")),
            _ => None,
        },
        "dart" | "flutter" => match call.word(0)? {
            "test" => Some(Known::tests("dart test").filtered(
                call.after(1).names_a_part(&["-n", "-N", "-j", "-r"]) || call.has(&["-n", "-N"]),
            )),
            "analyze" => Some(Known::lint("dart analyze")),
            _ => None,
        },
        "mix" => match call.word(0)? {
            "test" => {
                let part = call.after(1).names_a_part(&["--seed", "--only", "--exclude"]);
                Some(Known::tests("mix test").filtered(part || call.has(&["--only", "--failed"])))
            }
            "compile" => Some(Known::build("mix compile")),
            "credo" => Some(Known::lint("mix credo")),
            "dialyzer" => Some(Known::types("mix dialyzer")),
            _ => None,
        },
        _ => None,
    }
}

const CARGO_VALUES: &[&str] = &[
    "-p",
    "--package",
    "--exclude",
    "-j",
    "--jobs",
    "--bin",
    "--test",
    "--example",
    "--bench",
    "--features",
    "-F",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--profile",
    "--color",
    "--config",
    "-Z",
    "--message-format",
    "-E",
    "--filterset",
    "--filter-expr",
    "-P",
    "--retries",
    "--cargo-profile",
    "--test-threads",
    "--partition",
];
const CARGO_PARTS: &[&str] = &[
    "-p",
    "--package",
    "--exclude",
    "--lib",
    "--bin",
    "--bins",
    "--test",
    "--tests",
    "--example",
    "--examples",
    "--bench",
    "--benches",
    "--doc",
];
/// After `--`, words to the test program itself that have a value.
const LIBTEST_VALUES: &[&str] = &["--test-threads", "--format", "--color", "--logfile", "-Z"];

fn cargo(call: &Call<'_>) -> Option<Known> {
    let mut at = 0;
    while let Some(word) = call.word(at) {
        match word {
            "-C" | "--config" | "--color" | "-Z" => at += 2,
            _ if is_option(word) || word.starts_with('+') => at += 1,
            _ => break,
        }
    }
    let inner = call.after(at + 1);
    let part = inner.has(CARGO_PARTS);
    let known = match call.word(at)? {
        "test" | "t" => return cargo_test(&inner),
        // Both run `cargo test` below, and print what it prints.
        "llvm-cov" if inner.word(0) == Some("nextest") => return nextest(&inner.after(1)),
        "llvm-cov" | "tarpaulin" => return cargo_test(&inner),
        "miri" | "hack" if inner.word(0).is_some_and(|it| !is_option(it)) => return cargo(&inner),
        "nextest" => return nextest(&inner),
        "check" | "c" => Known::types("cargo check"),
        "clippy" if inner.has(&["--fix"]) => return None,
        "clippy" => Known::lint("cargo clippy"),
        "build" | "b" => Known::build("cargo build"),
        "fmt" if inner.has(&["--check"]) || inner.rest.iter().any(|it| it == "--check") => {
            Known::lint("cargo fmt")
        }
        "deny" => Known::lint("cargo deny"),
        "audit" => Known::lint("cargo audit"),
        "machete" | "udeps" => Known::lint("cargo machete"),
        "semver-checks" => Known::lint("cargo semver-checks"),
        _ => return None,
    };
    Some(known.filtered(part))
}

fn cargo_test(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--no-run"]) {
        return Some(Known::build("cargo test").filtered(call.has(CARGO_PARTS)));
    }
    let to_tests = call.rest.iter().position(|it| it == "--").map(|at| call.after(at + 1));
    let named = to_tests.as_ref().is_some_and(|it| it.names_a_part(LIBTEST_VALUES));
    if to_tests.is_some_and(|it| it.has(&["--list"])) {
        return None;
    }
    let part = named || call.has(CARGO_PARTS) || call.names_a_part(CARGO_VALUES);
    Some(Known::tests("cargo test").counted(Counter::Cargo).filtered(part))
}

fn nextest(call: &Call<'_>) -> Option<Known> {
    if !matches!(call.word(0)?, "run" | "r") {
        return None;
    }
    let call = call.after(1);
    let filters = ["-E", "--filterset", "--filter-expr", "--partition"];
    let part = call.has(CARGO_PARTS) || call.has(&filters) || call.names_a_part(CARGO_VALUES);
    Some(Known::tests("cargo nextest").counted(Counter::Nextest).filtered(part))
}

const GO_VALUES: &[&str] = &[
    "-run",
    "-skip",
    "-bench",
    "-count",
    "-timeout",
    "-tags",
    "-cpu",
    "-parallel",
    "-p",
    "-o",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-ldflags",
    "-gcflags",
    "-mod",
    "-c",
    "--config",
    "--timeout",
    "-E",
    "-D",
];

fn go(call: &Call<'_>) -> Option<Known> {
    let inner = call.after(1);
    let part = inner.names_a_part(GO_VALUES);
    match call.word(0)? {
        "test" if inner.has(&["-list", "-c"]) => None,
        "test" => {
            let part = part || inner.has(&["-run", "-skip", "--run", "--skip"]);
            Some(Known::tests("go test").counted(Counter::Go).filtered(part))
        }
        "vet" => Some(Known::lint("go vet").filtered(part)),
        "build" => Some(Known::build("go build").filtered(part)),
        _ => None,
    }
}

fn dotnet(call: &Call<'_>) -> Option<Known> {
    let inner = call.after(1);
    let values = [
        "-c",
        "--configuration",
        "--filter",
        "-f",
        "--framework",
        "-l",
        "--logger",
        "-v",
        "--verbosity",
        "-r",
        "--runtime",
        "-o",
        "--output",
        "-s",
        "--settings",
        "--collect",
        "--results-directory",
    ];
    let part = inner.operands(&values).iter().any(|it| !it.ends_with(".sln"));
    match call.word(0)? {
        "test" if inner.has(&["--list-tests", "-t"]) => None,
        "test" => Some(
            Known::tests("dotnet test")
                .counted(Counter::Dotnet)
                .filtered(part || inner.has(&["--filter"])),
        ),
        "build" => Some(Known::build("dotnet build").filtered(part)),
        "format" if inner.has(&["--verify-no-changes"]) => Some(Known::lint("dotnet format")),
        _ => None,
    }
}

fn maven(call: &Call<'_>) -> Option<Known> {
    let define = |names: &[&str]| {
        call.rest.iter().filter_map(|it| it.strip_prefix("-D")).any(|it| {
            let (name, value) = it.split_once('=').unwrap_or((it, "true"));
            names.contains(&name) && value != "false"
        })
    };
    let values = ["-pl", "--projects", "-f", "--file", "-P", "-T", "-s", "-rf"];
    let goals = call.operands(&values);
    let part = call.has(&["-pl", "--projects"]) || define(&["test", "it.test", "groups"]);
    let is = |names: &[&str]| goals.iter().any(|it| names.contains(it));
    if is(&["test", "verify", "package", "install", "integration-test", "surefire:test"]) {
        return Some(if define(&["skipTests", "maven.test.skip"]) {
            Known::build("mvn").filtered(part)
        } else {
            Known::tests("mvn test").counted(Counter::Maven).filtered(part)
        });
    }
    if is(&["checkstyle:check", "spotbugs:check", "pmd:check", "spotless:check"]) {
        return Some(Known::lint("mvn").filtered(part));
    }
    is(&["compile", "test-compile"]).then(|| Known::build("mvn").filtered(part))
}

fn gradle(call: &Call<'_>) -> Option<Known> {
    if call.has(&["-m", "--dry-run"]) {
        return None;
    }
    let left_out: Vec<&str> = call
        .rest
        .windows(2)
        .filter(|pair| matches!(pair[0].as_str(), "-x" | "--exclude-task"))
        .map(|pair| pair[1].as_str())
        .collect();
    let values = ["-x", "--exclude-task", "--tests", "-p", "--project-dir", "-b", "-c", "-I"];
    let tasks = call.operands(&values);
    let name = |task: &str| task.rsplit(':').next().unwrap_or(task).to_owned();
    let part = call.has(&["--tests", "-p", "--project-dir"])
        || tasks.iter().any(|it| it.trim_start_matches(':').contains(':'));
    let is_test = |it: &&str| {
        let name = name(it);
        name == "check" || name == "build" || name.to_lowercase().ends_with("test")
    };
    let runs_tests = tasks.iter().any(is_test) && !left_out.iter().any(|it| name(it) == "test");
    if runs_tests {
        return Some(Known::tests("gradle test").counted(Counter::Gradle).filtered(part));
    }
    let any = |names: &dyn Fn(&str) -> bool| tasks.iter().any(|it| names(&name(it)));
    if any(&|it| {
        it.starts_with("ktlint")
            || it.starts_with("detekt")
            || it.starts_with("lint")
            || it == "spotlessCheck"
            || it.starts_with("checkstyle")
    }) {
        return Some(Known::lint("gradle").filtered(part));
    }
    any(&|it| {
        matches!(it, "build" | "assemble" | "classes" | "testClasses") || it.starts_with("compile")
    })
    .then(|| Known::build("gradle").filtered(part))
}

fn ctest(call: &Call<'_>) -> Option<Known> {
    if call.has(&["-N", "--show-only", "--print-labels"]) {
        return None;
    }
    let part = call.has(&[
        "-R",
        "-E",
        "-L",
        "-LE",
        "-I",
        "--tests-regex",
        "--exclude-regex",
        "--label-regex",
        "--rerun-failed",
    ]);
    Some(Known::tests("ctest").counted(Counter::Ctest).filtered(part))
}

fn cmake(call: &Call<'_>) -> Option<Known> {
    if !call.has(&["--build"]) {
        return None;
    }
    let at = call.rest.iter().position(|it| matches!(it.as_str(), "--target" | "-t"));
    let target = at.and_then(|at| call.word(at + 1));
    Some(match target {
        Some("test" | "check" | "RUN_TESTS") => Known::tests("ctest").counted(Counter::Ctest),
        Some("all") | None => Known::build("cmake --build"),
        Some(_) => Known::build("cmake --build").filtered(true),
    })
}

fn bazel_part(call: &Call<'_>) -> bool {
    call.after(1).operands(&[]).iter().any(|it| !matches!(*it, "//..." | "..."))
        || call.has(&["--test_filter"])
}
