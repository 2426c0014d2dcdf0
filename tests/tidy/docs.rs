//! The documents: what they name exists, and nothing that they must have is missing.

use std::{collections::BTreeSet, error::Error, fs};

use crate::{
    arrows::ARROWS,
    assert_none,
    source::{attributes, is_word, lines_with, parts, sources, top},
};

/// The heading of the list that names a test for each of its items.
const ABSENCES: &str = "## What is absent";
/// What stands before the names of an item's tests.
const HELD_BY: &str = "Held by";
/// The heading of the table that names tests for each case of Windows.
const ON_WINDOWS: &str = "## On Windows";
const PAGE_HEADINGS: &[&str] = &["## Context", "## Decision", "## What it costs"];

#[test]
fn each_absence_names_a_test_that_exists() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(top().join("docs/architecture.md"))?;
    assert_none(&unheld(&text, &all_tests()?), "absences of docs/architecture.md");
    Ok(())
}

/// CL-10.
#[test]
fn each_case_of_windows_names_tests_that_exist_or_what_keeps_it_from_having_one()
-> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(top().join("docs/architecture.md"))?;
    assert_none(&unproven(&text, &all_tests()?), "cases of Windows in docs/architecture.md");
    Ok(())
}

#[test]
fn the_architecture_names_each_crate() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(top().join("docs/architecture.md"))?;
    let missing = ARROWS.iter().filter(|row| !text.contains(&format!("`{}`", row.0)));
    let missing: Vec<String> = missing.map(|row| row.0.to_owned()).collect();
    assert_none(&missing, "docs/architecture.md says nothing of these crates");
    Ok(())
}

#[test]
fn the_words_of_the_glossary_are_words_of_the_code() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(top().join("docs/glossary.md"))?;
    let mut code = String::new();
    for file in sources(&["rs"])? {
        code.push_str(&parts(&file.text).code);
    }
    let words = glossary_names(&text);
    assert!(!words.is_empty(), "docs/glossary.md has a table");
    let unknown: Vec<String> =
        words.into_iter().filter(|it| lines_with(&code, it).is_empty()).collect();
    assert_none(&unknown, "docs/glossary.md explains names that the code does not have");
    Ok(())
}

#[test]
fn decisions_are_numbered_without_gaps() -> Result<(), Box<dyn Error>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(top().join("docs/decisions"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        pages.push((name, fs::read_to_string(&path)?));
    }
    pages.sort();
    assert!(!pages.is_empty(), "there are decisions");
    assert_none(&bad_pages(&pages), "pages of docs/decisions");
    Ok(())
}

#[test]
fn the_contract_of_the_tools_is_checked_in() {
    assert!(top().join("docs/tool-contract.md").is_file(), "docs/tool-contract.md is missing");
}

/// Returns the names of all tests.
fn all_tests() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut tests = BTreeSet::new();
    for file in sources(&["rs"])? {
        tests.extend(test_names(&file.text));
    }
    Ok(tests)
}

/// Returns the text below a heading, up to the next.
fn section<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let (_, section) = text.split_once(&format!("\n{heading}\n"))?;
    section.split("\n## ").next()
}

/// Returns the rows of the table of cases that name a test that is not there, or neither a test nor
/// what cannot be shown.
fn unproven(text: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let rows = section(text, ON_WINDOWS).unwrap_or_default().lines();
    // The first two are the table's head.
    let rows: Vec<&str> = rows.filter_map(|line| line.strip_prefix('|')).skip(2).collect();
    if rows.is_empty() {
        return vec![format!("there is no table under {ON_WINDOWS:?}")];
    }
    let mut problems = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [case, proof, missing, ..] = cells[..] else {
            problems.push(format!("{row} has not three columns"));
            continue;
        };
        let names: Vec<&str> = proof.split('`').skip(1).step_by(2).collect();
        if names.is_empty() && missing.is_empty() {
            problems.push(format!("{case:?} is neither proven nor said not to be"));
        }
        let unknown = names.iter().filter(|name| !tests.contains(**name));
        problems.extend(unknown.map(|name| format!("{case:?} names {name}, which is no test")));
    }
    problems
}

/// Returns the items of the list of absences that name no test, or one that is not there.
fn unheld(text: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let Some(section) = section(text, ABSENCES) else {
        return vec![format!("there is no {ABSENCES:?}")];
    };
    let items = numbered_items(section);
    let mut problems = Vec::new();
    if items.is_empty() {
        problems.push(format!("there is nothing under {ABSENCES:?}"));
    }
    for (number, item) in items {
        let held_by = item.split_once(HELD_BY).map_or("", |(_, names)| names);
        let names: Vec<&str> = held_by.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            problems.push(format!("{number} names no test"));
        }
        let unknown = names.iter().filter(|name| !tests.contains(**name));
        problems.extend(unknown.map(|name| format!("{number} names {name}, which is no test")));
    }
    problems
}

/// Returns the items `1. …` of a section with their numbers; each goes on until the next.
fn numbered_items(section: &str) -> Vec<(&str, String)> {
    let mut items: Vec<(&str, String)> = Vec::new();
    for line in section.lines() {
        let number = line.split_once(". ").map(|(number, _)| number);
        match (number.filter(|it| it.parse::<u32>().is_ok()), items.last_mut()) {
            (Some(number), _) => items.push((number, line.to_owned())),
            (None, Some((_, item))) => {
                item.push(' ');
                item.push_str(line);
            }
            (None, None) => {}
        }
    }
    items
}

/// Returns the names of the functions that stand under `#[test]`, or a macro that ends so.
fn test_names(text: &str) -> Vec<String> {
    let code = parts(text).code;
    let mut names = Vec::new();
    for attribute in attributes(&code) {
        let path = attribute.text.split('(').next().unwrap_or_default();
        if path == "test" || path.ends_with("::test") {
            let after = code.lines().skip(attribute.line).collect::<Vec<_>>().join("\n");
            let name = after.split_once("fn ").map_or("", |(_, rest)| rest);
            names.push(name.split(|it| !is_word(it)).next().unwrap_or_default().to_owned());
        }
    }
    names
}

/// Returns the names in backticks of the first column of each table.
fn glossary_names(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|'));
    let cells = rows.filter_map(|row| row.split('|').next());
    cells
        .flat_map(|cell| {
            cell.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns what is wrong with the decision pages, given in the order of their names.
fn bad_pages(pages: &[(String, String)]) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, (name, text)) in (1..).zip(pages) {
        if !(name.starts_with(&format!("{number:04}-")) && name.ends_with(".md")) {
            problems.push(format!("{name}: should be number {number:04}"));
        }
        if !text.starts_with(&format!("# {number}. ")) {
            problems.push(format!("{name}: the title starts with its number"));
        }
        let headings: Vec<&str> = text.lines().filter(|it| it.starts_with("## ")).collect();
        if headings != PAGE_HEADINGS {
            problems.push(format!("{name}: its headings are {headings:?}"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absence_without_a_test_is_found() {
        let tests = BTreeSet::from(["it_holds".to_owned(), "so_does_this".to_owned()]);
        let page = |items: &str| format!("# T\n\n{ABSENCES}\n\n{items}\n\n## Next\n\n9. No.\n");
        let found = |items: &str| unheld(&page(items), &tests);
        assert_eq!(found("1. `A` is so. Held by `it_holds`\n   and `so_does_this`."), [""; 0]);
        assert_eq!(found("1. A. Held by `it_holds`.\n2. `it_holds`."), ["2 names no test"]);
        assert_eq!(found("1. A. Held by\n   `gone`."), ["1 names gone, which is no test"]);
        assert_eq!(found("Nothing.").len(), 1);
        assert_eq!(unheld("# T", &tests).len(), 1);
    }

    #[test]
    fn a_case_without_a_test_and_without_a_reason_is_found() {
        let tests = BTreeSet::from(["it_holds".to_owned(), "so_does_this".to_owned()]);
        let page = |row: &str| format!("# T\n\n{ON_WINDOWS}\n\n| A | B | C |\n|-|-|-|\n{row}\n");
        let found = |row: &str| unproven(&page(row), &tests);
        assert_eq!(
            found("| A | `it_holds`, `so_does_this` | |\n| B | | `x` is missing |"),
            [""; 0]
        );
        assert_eq!(found("| A | `gone` | |"), ["\"A\" names gone, which is no test"]);
        assert_eq!(found("| A | | |"), ["\"A\" is neither proven nor said not to be"]);
        assert_eq!(found("| A |").len(), 1);
        assert_eq!((found("").len(), unproven("# T", &tests).len()), (1, 1));
    }

    #[test]
    fn tests_are_told_from_other_functions() {
        let text = "\
#[test]\nfn a() {}\nfn b() {}\n// #[test]\nfn c() {}
#[tokio::test(flavor = \"x\")]\nasync fn d() {}\n#[test]\n#[cfg(unix)]\nfn e() {}";
        assert_eq!(test_names(text), ["a", "d", "e"]);
    }

    #[test]
    fn the_first_column_of_a_table_holds_the_names() {
        let text = "`x`\n\n| Word | Means |\n|---|---|\n| `A`, `B` | `c` |\n| turn | d |\n";
        assert_eq!(glossary_names(text), ["A", "B"]);
    }

    #[test]
    fn a_gap_in_the_decisions_is_found() {
        let page = |name: &str, title: &str| {
            (name.to_owned(), format!("{title}\n\n{}\n", PAGE_HEADINGS.join("\n\n")))
        };
        let good = [page("0001-a.md", "# 1. A"), page("0002-b.md", "# 2. B")];
        assert_eq!(bad_pages(&good), [""; 0]);
        assert_eq!(bad_pages(&[page("0001-a.md", "# 1. A"), page("0003-b.md", "# 2. B")]).len(), 1);
        assert_eq!(bad_pages(&[page("0001-a.md", "# A")]).len(), 1);
        assert_eq!(bad_pages(&[("0001-a.md".to_owned(), "# 1. A".to_owned())]).len(), 1);
    }
}
