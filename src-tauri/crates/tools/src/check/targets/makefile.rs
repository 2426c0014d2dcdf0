//! Recipes of a makefile and of a justfile: what a target's lines run, and those of its
//! prerequisites. Conditions, includes and patterns are not followed.

use std::collections::{BTreeMap, BTreeSet};

/// One line of a recipe.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) command: String,
    /// A failure of it is ignored.
    pub(super) is_ignored: bool,
}

/// More targets on the way are not followed.
const TARGETS: usize = 50;

#[derive(Debug, Default)]
struct Rule {
    needs: Vec<String>,
    lines: Vec<String>,
}

/// Returns what a target of a makefile runs, or its first one; `None` where it has no such target.
pub(super) fn make(text: &str, name: Option<&str>) -> Option<Vec<Line>> {
    let mut rules = BTreeMap::<String, Rule>::new();
    let mut values = BTreeMap::new();
    let mut first = None;
    let mut current: Vec<String> = Vec::new();
    for line in logical_lines(text) {
        if let Some(recipe) = line.strip_prefix('\t') {
            for target in &current {
                rules.entry(target.clone()).or_default().lines.push(recipe.to_owned());
            }
            continue;
        }
        let plain = line.split('#').next().unwrap_or_default();
        if let Some((variable, value)) = assignment(plain) {
            values.insert(variable.to_owned(), value.to_owned());
            continue;
        }
        let Some((targets, needs)) = plain.split_once(':') else { continue };
        let (needs, inline) = needs.split_once(';').unwrap_or((needs, ""));
        current = targets.split_whitespace().map(str::to_owned).collect();
        for target in current.iter().filter(|it| !it.starts_with('.')) {
            first.get_or_insert_with(|| target.clone());
            let rule = rules.entry(target.clone()).or_default();
            let needs = needs.trim_start_matches(':').split_whitespace();
            rule.needs.extend(needs.filter(|it| *it != "|").map(str::to_owned));
            if !inline.trim().is_empty() {
                rule.lines.push(inline.trim().to_owned());
            }
        }
    }
    let name = name.map(str::to_owned).or(first)?;
    let mut lines = collected(&rules, &name)?;
    for line in &mut lines {
        line.command = expanded(&line.command, &values);
    }
    Some(lines)
}

/// Returns what a recipe of a justfile runs, or its first one; `None` where it has none such.
pub(super) fn just(text: &str, name: Option<&str>) -> Option<Vec<Line>> {
    let mut rules = BTreeMap::<String, Rule>::new();
    let mut first = None;
    let mut current: Option<String> = None;
    for line in logical_lines(text) {
        if line.starts_with([' ', '\t']) {
            if let Some(target) = &current {
                let recipe = without_values(line.trim());
                rules.entry(target.clone()).or_default().lines.push(recipe);
            }
            continue;
        }
        current = None;
        let line = line.trim_start_matches('@');
        if line.trim().is_empty() || line.starts_with(['#', '[']) || line.contains(":=") {
            continue;
        }
        let Some((head, needs)) = line.split_once(':') else { continue };
        let Some(target) = head.split_whitespace().next() else { continue };
        first.get_or_insert_with(|| target.to_owned());
        let needs = needs.split('#').next().unwrap_or_default();
        let needs = needs.replace(['(', ')'], " ").replace("&&", " ");
        let rule = rules.entry(target.to_owned()).or_default();
        rule.needs.extend(needs.split_whitespace().map(str::to_owned));
        current = Some(target.to_owned());
    }
    let name = name.map(str::to_owned).or(first)?;
    collected(&rules, &name)
}

/// A recipe without its `{{values}}`: usual is that they are empty.
fn without_values(recipe: &str) -> String {
    let mut text = String::with_capacity(recipe.len());
    let mut rest = recipe;
    while let Some((before, value)) = rest.split_once("{{") {
        text.push_str(before);
        rest = value.split_once("}}").map_or("", |(_, after)| after);
    }
    text + rest
}

/// The lines of a target after those of what it needs, each target once.
fn collected(rules: &BTreeMap<String, Rule>, name: &str) -> Option<Vec<Line>> {
    rules.get(name)?;
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    collect(rules, name, &mut seen, &mut lines);
    Some(lines)
}

fn collect<'a>(
    rules: &'a BTreeMap<String, Rule>,
    name: &'a str,
    seen: &mut BTreeSet<&'a str>,
    lines: &mut Vec<Line>,
) {
    let Some(rule) = rules.get(name) else { return };
    if TARGETS <= seen.len() || !seen.insert(name) {
        return;
    }
    rule.needs.iter().for_each(|it| collect(rules, it, seen, lines));
    lines.extend(rule.lines.iter().map(|it| {
        let command = it.trim_start_matches(['@', '-', '+', ' ']);
        let signs = &it[..it.len() - command.len()];
        Line { command: command.to_owned(), is_ignored: signs.contains('-') }
    }));
}

/// Lines that end with a backslash go on in the next one.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let (line, more) = match line.strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| goes_on) {
            Some(last) => last.push_str(line.trim_start()),
            None => lines.push(line.to_owned()),
        }
        goes_on = more;
    }
    lines
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let at = line.find('=')?;
    let name = line[..at].trim_end_matches([':', '?', '+', '!']).trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then(|| (name, line[at + 1..].trim()))
}

/// `$(NAME)` and `${NAME}` as the file sets them; others stay. One level: what a value names stays.
fn expanded(command: &str, values: &BTreeMap<String, String>) -> String {
    let mut text = command.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    for (name, value) in values {
        text = text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
    }
    text.replace("$$", "$")
}
