//! JavaScript and TypeScript.

use super::{Call, Counter, Known};

pub(super) fn known(call: &Call<'_>) -> Option<Known> {
    match call.program {
        "jest" => jest(call),
        "react-scripts" | "craco" | "vue-cli-service"
            if matches!(call.word(0), Some("test" | "test:unit")) =>
        {
            jest(&call.after(1))
        }
        "react-scripts" | "craco" | "vue-cli-service" | "next" | "vite" | "nuxt" | "astro"
            if call.word(0) == Some("build") =>
        {
            Some(Known::build(match call.program {
                "vite" => "vite build",
                "next" => "next build",
                "nuxt" => "nuxt build",
                "astro" => "astro build",
                _ => "react-scripts build",
            }))
        }
        "next" if call.word(0) == Some("lint") => Some(Known::lint("next lint")),
        "astro" if call.word(0) == Some("check") => Some(Known::types("astro check")),
        "vitest" => vitest(call),
        "mocha" => mocha(call),
        "ava" => Some(
            Known::tests("ava")
                .filtered(call.names_a_part(&["-m", "-c", "-T"]) || call.has(&["-m", "--match"])),
        ),
        "playwright" if call.word(0) == Some("test") => {
            if call.has(&["--list"]) {
                return None;
            }
            let inner = call.after(1);
            let filters = ["-g", "--grep", "--project", "--last-failed", "--only-changed"];
            let values = [
                "-g",
                "--grep",
                "--project",
                "-c",
                "--config",
                "-j",
                "--workers",
                "--reporter",
                "--retries",
                "--timeout",
            ];
            let part = inner.has(&filters) || inner.names_a_part(&values);
            Some(Known::tests("playwright").counted(Counter::Playwright).filtered(part))
        }
        "cypress" if call.word(0) == Some("run") => {
            Some(Known::tests("cypress").filtered(call.has(&["-s", "--spec"])))
        }
        "node" => node(call),
        "deno" => deno(call),
        "bun" => bun(call),
        "tsc" | "vue-tsc" | "tsgo" => types(call),
        "svelte-check" => Some(Known::types("svelte-check")),
        "eslint" => Some(Known::lint("eslint").filtered(call.names_a_part(ESLINT_VALUES))),
        "biome" => biome(call),
        "prettier" => call
            .has(&["--check", "-c", "-l", "--list-different"])
            .then(|| Known::lint("prettier").filtered(call.names_a_part(&["--config"]))),
        "oxlint" => {
            Some(Known::lint("oxlint").filtered(call.names_a_part(&["-c", "-D", "-A", "-W"])))
        }
        "stylelint" => Some(Known::lint("stylelint").filtered(call.names_a_part(&["--config"]))),
        "standard" | "xo" => Some(Known::lint("standard").filtered(call.names_a_part(&[]))),
        "webpack" | "rollup" | "esbuild" | "tsup" | "parcel" | "turbopack"
            if !call.has(&["--watch", "-w", "serve"]) && call.word(0) != Some("serve") =>
        {
            Some(Known::build(match call.program {
                "webpack" => "webpack",
                "rollup" => "rollup",
                "tsup" => "tsup",
                "parcel" => "parcel",
                _ => "esbuild",
            }))
        }
        _ => None,
    }
}

const ESLINT_VALUES: &[&str] = &[
    "-c",
    "--config",
    "--ext",
    "--rule",
    "--parser",
    "--plugin",
    "-f",
    "--format",
    "-o",
    "--output-file",
    "--max-warnings",
    "--ignore-pattern",
    "--ignore-path",
    "--cache-location",
    "--resolve-plugins-relative-to",
    "--rulesdir",
];

fn jest(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--listTests", "--showConfig"]) {
        return None;
    }
    let values = [
        "-c",
        "--config",
        "-t",
        "--testNamePattern",
        "-w",
        "--maxWorkers",
        "--reporters",
        "--rootDir",
        "--testPathPattern",
        "--testPathPatterns",
        "--env",
        "--coverageReporters",
        "--testTimeout",
        "--selectProjects",
    ];
    let filters = [
        "-t",
        "--testNamePattern",
        "--testPathPattern",
        "--testPathPatterns",
        "-o",
        "--onlyChanged",
        "--changedSince",
        "--findRelatedTests",
        "--onlyFailures",
        "-f",
        "--selectProjects",
        "--shard",
    ];
    let part = call.has(&filters) || call.names_a_part(&values);
    Some(Known::tests("jest").counted(Counter::Jest).filtered(part))
}

fn vitest(call: &Call<'_>) -> Option<Known> {
    let inner = match call.word(0) {
        Some("list" | "init" | "bench" | "dev" | "watch") => return None,
        Some("typecheck") => return Some(Known::types("vitest typecheck")),
        Some("run" | "related") => call.after(1),
        Some(_) | None => call.after(0),
    };
    let values = [
        "-c",
        "--config",
        "-t",
        "--testNamePattern",
        "-r",
        "--root",
        "--dir",
        "--project",
        "--reporter",
        "--pool",
        "--environment",
        "--coverage.reporter",
        "--testTimeout",
        "--maxWorkers",
    ];
    let filters = ["-t", "--testNamePattern", "--project", "--changed", "--dir", "--shard"];
    let part =
        call.word(0) == Some("related") || inner.has(&filters) || inner.names_a_part(&values);
    Some(Known::tests("vitest").counted(Counter::Vitest).filtered(part))
}

fn mocha(call: &Call<'_>) -> Option<Known> {
    let values = [
        "-r",
        "--require",
        "-t",
        "--timeout",
        "-R",
        "--reporter",
        "-g",
        "--grep",
        "-f",
        "--fgrep",
        "--config",
        "-u",
        "--ui",
        "--extension",
        "--file",
        "--spec",
        "-j",
        "--jobs",
    ];
    let part = call.has(&["-g", "--grep", "-f", "--fgrep", "--spec"]) || call.names_a_part(&values);
    Some(Known::tests("mocha").counted(Counter::Mocha).filtered(part))
}

/// Names of tests without a folder, as `node --test` finds them itself, are all of them.
fn node(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--check", "-c"]) {
        return Some(Known::lint("node --check").filtered(true));
    }
    if !call.has(&["--test"]) {
        return None;
    }
    let filters = ["--test-name-pattern", "--test-skip-pattern", "--test-only", "--test-shard"];
    let values = [
        "--test-name-pattern",
        "--test-reporter",
        "-r",
        "--require",
        "--import",
        "--test-concurrency",
        "--test-timeout",
        "--loader",
    ];
    let part = call.has(&filters) || call.names_a_part(&values);
    Some(Known::tests("node --test").counted(Counter::NodeTest).filtered(part))
}

fn deno(call: &Call<'_>) -> Option<Known> {
    let inner = call.after(1);
    match call.word(0)? {
        "test" if inner.has(&["--no-run"]) => Some(Known::types("deno check")),
        "test" => {
            let part = inner.has(&["--filter"]) || inner.names_a_part(&["--filter", "-c"]);
            Some(Known::tests("deno test").counted(Counter::Deno).filtered(part))
        }
        "check" => Some(Known::types("deno check").filtered(inner.names_a_part(&["-c"]))),
        "lint" => Some(Known::lint("deno lint").filtered(inner.names_a_part(&["-c"]))),
        "fmt" if inner.has(&["--check"]) => Some(Known::lint("deno fmt")),
        _ => None,
    }
}

fn bun(call: &Call<'_>) -> Option<Known> {
    let inner = call.after(1);
    match call.word(0)? {
        "test" => {
            let values = ["-t", "--test-name-pattern", "--timeout", "--preload", "--rerun-each"];
            let part = inner.has(&["-t", "--test-name-pattern"]) || inner.names_a_part(&values);
            Some(Known::tests("bun test").counted(Counter::Bun).filtered(part))
        }
        "build" => Some(Known::build("bun build")),
        _ => None,
    }
}

fn types(call: &Call<'_>) -> Option<Known> {
    if call.has(&["--init", "--showConfig", "--listFiles", "--listFilesOnly"]) {
        return None;
    }
    let values = [
        "-p",
        "--project",
        "-t",
        "--target",
        "-m",
        "--module",
        "--outDir",
        "--rootDir",
        "--jsx",
        "--lib",
        "--moduleResolution",
    ];
    Some(Known::types("tsc").filtered(call.names_a_part(&values)))
}

fn biome(call: &Call<'_>) -> Option<Known> {
    let inner = call.after(1);
    let part = inner.names_a_part(&["--config-path", "--reporter", "--max-diagnostics"]);
    let writes = inner.has(&["--write", "--fix", "--apply", "--apply-unsafe"]);
    match call.word(0)? {
        "format" if writes => None,
        "check" | "lint" | "ci" | "format" => Some(Known::lint("biome").filtered(part)),
        _ => None,
    }
}
