//! Words that do not stand in this repository, and the ones each Rust file starts with.

use std::error::Error;

use crate::{
    assert_none,
    source::{Source, attributes, is_word, lines_with, parts, sources},
};

/// The one file that has to spell the words out.
const THIS_FILE: &str = "tests/tidy/words.rs";

const UNFINISHED: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
const MACROS: &[&str] = &["todo!", "unimplemented!", "dbg!"];
const ATTRIBUTES: &[&str] = &["allow", "ignore", "should_panic"];
/// Last words of a type's name that say nothing about it.
const EMPTY_NAMES: &[&str] =
    &["Manager", "Service", "Helper", "Util", "Utils", "Handler", "Processor", "Data", "Info"];
const EMPTY_FILES: &[&str] = &["util", "utils", "helper", "helpers", "misc", "common"];
/// Folders of one machine.
const MACHINE_PATHS: &[&str] = &["/root/", "/Users/"];

#[test]
fn words_that_say_nothing_or_too_much_are_absent() -> Result<(), Box<dyn Error>> {
    let files =
        sources(&["rs", "ts", "tsx", "css", "html", "toml", "md", "json", "jsonl", "sse", "sh"])?;
    let problems: Vec<String> = files
        .iter()
        .filter(|file| file.path != THIS_FILE)
        .flat_map(|file| {
            let mut problems = Vec::from_iter(bad_name(file));
            problems.extend(machine_paths(file));
            problems.extend(unfinished(file));
            if file.extension() == "rs" {
                problems.extend(bad_start(file));
                problems.extend(bad_code(file));
            }
            problems
        })
        .collect();
    assert_none(&problems, "words that the house does without");
    Ok(())
}

fn bad_name(file: &Source) -> Option<String> {
    let name = file.path.rsplit_once('/').map_or(file.path.as_str(), |(_, name)| name);
    let stem = name.split('.').next().unwrap_or_default();
    let says_nothing = EMPTY_FILES.contains(&stem) || name == "types.ts";
    says_nothing.then(|| format!("{}: name the thing, or put it where it is used", file.path))
}

fn machine_paths(file: &Source) -> Vec<String> {
    let starts_a_path = |at: usize| {
        let before = file.text[..at].chars().next_back();
        !before
            .is_some_and(|it| is_word(it) || matches!(it, '/' | '.' | '-' | '}' | ')' | '*' | '$'))
    };
    let mut problems = Vec::new();
    for path in MACHINE_PATHS {
        for (at, _) in file.text.match_indices(path).filter(|(at, _)| starts_a_path(*at)) {
            let line = file.text[..at].matches('\n').count() + 1;
            problems.push(format!("{}:{line}: {path} is a folder of one machine", file.path));
        }
    }
    problems
}

fn unfinished(file: &Source) -> Vec<String> {
    let is_rust = file.extension() == "rs";
    let comments = is_rust.then(|| parts(&file.text).comments);
    let text = comments.as_ref().unwrap_or(&file.text);
    let found = UNFINISHED.iter().flat_map(|word| lines_with(text, word));
    found.map(|line| format!("{}:{line}: unfinished work belongs in an issue", file.path)).collect()
}

/// Tests beside their module may go without: the module says what it is about.
fn bad_start(file: &Source) -> Option<String> {
    let says_what = file.text.lines().next().is_some_and(|it| it.trim_end().len() > "//! ".len());
    let beside = file.path.contains("/src/") && file.is_test();
    let fine = beside || (says_what && file.text.starts_with("//! "));
    (!fine).then(|| format!("{}:1: the first line says what is in the file: //! …", file.path))
}

fn bad_code(file: &Source) -> Vec<String> {
    let code = parts(&file.text).code;
    let mut problems = Vec::new();
    for name in MACROS {
        problems.extend(lines_with(&code, name).into_iter().map(|line| (line, (*name).to_owned())));
    }
    for attribute in attributes(&code) {
        let text = &attribute.text;
        for word in ATTRIBUTES {
            let starts = text.strip_prefix(word).is_some_and(|it| !it.starts_with(is_word));
            let hidden = text.starts_with("cfg_attr(") && !lines_with(text, word).is_empty();
            if starts || hidden {
                problems.push((attribute.line, format!("#[{word}]")));
            }
        }
        if !lines_with(text, "expect").is_empty() && !text.contains("reason=") {
            problems.push((attribute.line, "#[expect] without a reason".to_owned()));
        }
    }
    // By default a property that fails writes a file among the sources.
    if let [line, ..] = lines_with(&code, "proptest!")[..]
        && !code.contains("failure_persistence: None")
    {
        problems.push((line, "proptest! without failure_persistence: None".to_owned()));
    }
    let words: Vec<&str> = code.split_whitespace().collect();
    for pair in words.windows(2) {
        let name = pair[1].split(|it| !is_word(it)).next().unwrap_or_default();
        let names_a_type = ["struct", "enum", "trait", "union"].contains(&pair[0]);
        // `Info` alone is as empty as `FileInfo`; `Metadata` is a word of its own.
        if let Some(empty) = EMPTY_NAMES.iter().find(|it| names_a_type && name.ends_with(*it)) {
            let line = lines_with(&code, name).first().copied().unwrap_or(1);
            problems.push((line, format!("{name}: {empty} says nothing")));
        }
    }
    problems.sort();
    problems.into_iter().map(|(line, what)| format!("{}:{line}: {what}", file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(text: &str) -> Source {
        Source { path: "a/src/b.rs".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_file_starts_with_what_is_in_it() {
        for text in ["", "//!", "//! ", "// What is here.", "use a;\n//! What is here."] {
            assert!(bad_start(&rust(text)).is_some(), "{text}");
        }
        assert_eq!(bad_start(&rust("//! What is here.\n")), None);
        let empty = |path: &str| Source { path: path.to_owned(), text: String::new() };
        assert_eq!(bad_start(&empty("a/src/b/tests.rs")), None);
        assert_eq!(bad_start(&empty("a/src/b/tests/c.rs")), None);
        assert!(bad_start(&empty("a/tests/all/c.rs")).is_some());
    }

    #[test]
    fn macros_and_attributes_of_unfinished_code_are_found() {
        for text in [
            "todo!()",
            "std::todo!()",
            "unimplemented!(\"\")",
            "dbg!(x)",
            "#[ignore]",
            "#[ignore = \"slow\"]",
            "#[should_panic(expected = \"x\")]",
            "#[cfg_attr(windows, ignore)]",
            "#[allow(dead_code)]",
            "#![allow(\n    dead_code\n)]",
            "#[cfg_attr(windows, allow(dead_code))]",
            "#[expect(dead_code)]",
            "proptest! {\n    #[test]\n    fn a() {}\n}",
        ] {
            assert_eq!(bad_code(&rust(text)).len(), 1, "{text}");
        }
        for text in [
            "// #[allow(dead_code)]",
            "#[expect(\n    dead_code,\n    reason = \"why\"\n)]",
            "\"todo!()\"",
            "x.ignore(); Decision::allow()",
            "#[serde(rename = \"ignore\")]",
            "proptest! { #![proptest_config(C { failure_persistence: None, ..C::default() })] }",
        ] {
            assert_eq!(bad_code(&rust(text)), [""; 0], "{text}");
        }
    }

    #[test]
    fn names_that_say_nothing_are_found() {
        let found = bad_code(&rust("a\nstruct FileManager<T>;\nenum Info {}\nuse x::Service;"));
        let says = [
            "a/src/b.rs:2: FileManager: Manager says nothing",
            "a/src/b.rs:3: Info: Info says nothing",
        ];
        assert_eq!(found, says);
        for (path, is_bad) in [
            ("a/util.rs", true),
            ("helpers.test.ts", true),
            ("a/types.ts", true),
            ("a/types.rs", false),
        ] {
            let file = Source { path: path.to_owned(), text: String::new() };
            assert_eq!(bad_name(&file).is_some(), is_bad, "{path}");
        }
    }

    #[test]
    fn unfinished_work_is_found_in_comments_and_in_every_text() {
        assert_eq!(unfinished(&rust("a // TODO: b\n// TODOs, todo")).len(), 1);
        assert_eq!(unfinished(&rust("\"FIXME\"")), [""; 0]);
        let page = Source { path: "a.md".to_owned(), text: "XXX".to_owned() };
        assert_eq!(unfinished(&page).len(), 1);
    }

    #[test]
    fn folders_of_one_machine_are_found() {
        assert_eq!(machine_paths(&rust("a\n\"/Users/main\" /root/.cargo")).len(), 2);
        assert_eq!(machine_paths(&rust("https://a/Users/b ../Users/ {folder}/root/x")), [""; 0]);
    }
}
