//! Python, Ruby, PHP, and the linters of files that belong to no language.

use super::{Call, Counter, Known};

pub(super) fn known(call: &Call<'_>) -> Option<Known> {
    python(call).or_else(|| ruby(call)).or_else(|| php(call)).or_else(|| files(call))
}

fn python(call: &Call<'_>) -> Option<Known> {
    match call.program {
        "pytest" | "py.test" => pytest(call),
        "python" | "python3" | "py" => script(call),
        "unittest" | "django-admin"
            if call.program == "unittest" || call.word(0) == Some("test") =>
        {
            let discovers = matches!(call.word(0), None | Some("discover" | "test"));
            let inner = call.after(usize::from(call.word(0).is_some() && discovers));
            let values = ["-s", "-p", "-t", "-k", "--start-directory", "--pattern"];
            let part = !discovers || inner.has(&["-k"]) || inner.names_a_part(&values);
            Some(Known::tests("unittest").counted(Counter::Unittest).filtered(part))
        }
        "tox" => Some(Known::tests("tox").counted(Counter::Pytest).filtered(call.has(&["-e"]))),
        "nox" => {
            Some(Known::tests("nox").counted(Counter::Pytest).filtered(call.has(&["-s", "-k"])))
        }
        "mypy" => Some(Known::types("mypy").filtered(call.names_a_part(PYTHON_VALUES))),
        "pyright" | "basedpyright" => {
            Some(Known::types("pyright").filtered(call.names_a_part(PYTHON_VALUES)))
        }
        "ty" if call.word(0) == Some("check") => {
            Some(Known::types("ty").filtered(call.after(1).names_a_part(PYTHON_VALUES)))
        }
        "ruff" => {
            let inner = call.after(1);
            let known = Known::lint("ruff").filtered(inner.names_a_part(PYTHON_VALUES));
            match call.word(0)? {
                "check" => Some(known),
                "format" => inner.has(&["--check", "--diff"]).then_some(known),
                _ => None,
            }
        }
        "flake8" => Some(Known::lint("flake8").filtered(call.names_a_part(PYTHON_VALUES))),
        "pylint" => Some(Known::lint("pylint").filtered(call.names_a_part(PYTHON_VALUES))),
        "bandit" => Some(Known::lint("bandit")),
        "black" | "isort" => call
            .has(&["--check", "--check-only", "--diff", "-c"])
            .then(|| Known::lint("black").filtered(call.names_a_part(PYTHON_VALUES)))
            .map(|it| if call.program == "isort" { Known { runner: "isort", ..it } } else { it }),
        "py_compile" | "compileall" => Some(Known::lint("py_compile").filtered(true)),
        _ => None,
    }
}

const PYTHON_VALUES: &[&str] = &[
    "--config",
    "--config-file",
    "--python-version",
    "--select",
    "--ignore",
    "--extend-select",
    "-l",
    "--line-length",
    "-t",
    "--target-version",
    "--rcfile",
    "-j",
    "--jobs",
    "-p",
    "--project",
    "--output-format",
    "--max-line-length",
    "--exclude",
    "-n",
    "-m",
    "--module",
    "--package",
];

fn pytest(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--collect-only", "--co", "--fixtures", "--markers", "-h"]) {
        return None;
    }
    let values = [
        "-k",
        "-m",
        "-n",
        "-c",
        "-p",
        "-o",
        "-W",
        "--maxfail",
        "--tb",
        "--rootdir",
        "--ignore",
        "--deselect",
        "--durations",
        "--timeout",
        "--cov",
        "--cov-report",
        "--junitxml",
        "--log-cli-level",
        "--numprocesses",
        "--confcutdir",
    ];
    let filters = [
        "-k",
        "-m",
        "--lf",
        "--last-failed",
        "--sw",
        "--stepwise",
        "--deselect",
        "--ignore",
        "--ignore-glob",
        "--nf",
    ];
    let part = call.has(&filters) || call.names_a_part(&values);
    Some(Known::tests("pytest").counted(Counter::Pytest).filtered(part))
}

/// A program of the project that runs its tests.
fn script(call: &Call<'_>) -> Option<Known> {
    let values = ["--settings", "-k", "--parallel", "--tag"];
    match (call.word(0)?, call.word(1)) {
        (script, Some("test")) if script.ends_with("manage.py") => {
            let inner = call.after(2);
            let part = inner.has(&["-k", "--tag"]) || inner.names_a_part(&values);
            Some(Known::tests("manage.py test").counted(Counter::Unittest).filtered(part))
        }
        ("setup.py", Some("test")) => {
            Some(Known::tests("setup.py test").counted(Counter::Unittest))
        }
        _ => None,
    }
}

fn ruby(call: &Call<'_>) -> Option<Known> {
    match call.program {
        "rspec" => rspec(call),
        "rake" => match call.word(0)? {
            "test" => Some(Known::tests("rake test").counted(Counter::Minitest)),
            "spec" => Some(Known::tests("rake spec").counted(Counter::Rspec)),
            "rubocop" => Some(Known::lint("rubocop")),
            _ => None,
        },
        "rails" => match call.word(0)? {
            "test" | "test:all" | "test:system" => {
                let part = call.word(0) == Some("test:system")
                    || call.after(1).names_a_part(&["-n", "-s"])
                    || call.has(&["-n", "--name"]);
                Some(Known::tests("rails test").counted(Counter::Minitest).filtered(part))
            }
            _ => None,
        },
        "rubocop" | "standardrb" => {
            Some(Known::lint("rubocop").filtered(call.names_a_part(&["-c", "-f", "--only"])))
        }
        "srb" if call.word(0) == Some("tc") => Some(Known::types("srb tc")),
        _ => None,
    }
}

fn rspec(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--dry-run"]) {
        return None;
    }
    let values = [
        "-e",
        "--example",
        "-t",
        "--tag",
        "-f",
        "--format",
        "-r",
        "--require",
        "-P",
        "--seed",
        "-o",
        "--out",
        "-I",
    ];
    let filters = ["-e", "--example", "-t", "--tag", "--only-failures", "-n", "-P", "--pattern"];
    let part = call.has(&filters) || call.names_a_part(&values);
    Some(Known::tests("rspec").counted(Counter::Rspec).filtered(part))
}

fn php(call: &Call<'_>) -> Option<Known> {
    match call.program {
        "phpunit" | "pest" => {
            if call.has(&["--list-tests", "--list-groups", "--list-suites"]) {
                return None;
            }
            let values = [
                "-c",
                "--configuration",
                "--filter",
                "--group",
                "--testsuite",
                "--bootstrap",
                "--exclude-group",
            ];
            let filters = ["--filter", "--group", "--testsuite", "--exclude-group"];
            let part = call.has(&filters) || call.names_a_part(&values);
            Some(Known::tests("phpunit").counted(Counter::Phpunit).filtered(part))
        }
        "artisan" if call.word(0) == Some("test") => {
            Some(Known::tests("artisan test").filtered(
                call.has(&["--filter", "--testsuite"]) || call.after(1).names_a_part(&[]),
            ))
        }
        "php" => match (call.word(0)?, call.word(1)) {
            ("-l", Some(_)) => Some(Known::lint("php -l").filtered(true)),
            ("artisan", Some("test")) => {
                let inner = call.after(2);
                let part = inner.has(&["--filter", "--testsuite"])
                    || inner.names_a_part(&["--filter", "--testsuite"]);
                Some(Known::tests("artisan test").filtered(part))
            }
            (script, _) if script.ends_with("phpunit") => {
                php(&Call { program: "phpunit", rest: call.rest.get(1..).unwrap_or_default() })
            }
            _ => None,
        },
        "phpstan" => matches!(call.word(0), Some("analyse" | "analyze")).then(|| {
            let values = ["-c", "-l", "--level", "--memory-limit", "--configuration"];
            Known::types("phpstan").filtered(call.after(1).names_a_part(&values))
        }),
        "psalm" => Some(Known::types("psalm").filtered(call.names_a_part(&["-c"]))),
        "phpcs" => Some(Known::lint("phpcs").filtered(call.names_a_part(&[]))),
        _ => None,
    }
}

/// They are given files, and that is all they can be given.
fn files(call: &Call<'_>) -> Option<Known> {
    Some(match call.program {
        "shellcheck" => Known::lint("shellcheck"),
        "hadolint" => Known::lint("hadolint"),
        "actionlint" => Known::lint("actionlint"),
        "yamllint" => Known::lint("yamllint"),
        "markdownlint" | "markdownlint-cli2" => Known::lint("markdownlint"),
        "pre-commit" if call.word(0) == Some("run") => Known::lint("pre-commit"),
        "terraform" | "tofu" if call.word(0) == Some("validate") => {
            Known::lint("terraform validate")
        }
        _ => return None,
    })
}
