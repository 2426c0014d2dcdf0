//! Which files the user asked to be written anew, in words of their own (WB-40).

/// Words that ask for a file to be written anew, where the path follows them.
const ASKS: &[&str] = &[
    "rewrite",
    "rebuild",
    "recreate",
    "regenerate",
    "overwrite",
    "replace all of",
    "replace the whole of",
    "start over with",
    "重新生成",
    "重新產生",
    "重新编写",
    "重新編寫",
    "重写",
    "重寫",
    "重建",
    "覆盖",
    "覆蓋",
    "覆写",
    "覆寫",
];

/// The same, where the path comes before them.
const ASKS_BEHIND: &[&str] = &[
    "rewritten",
    "rebuilt",
    "recreated",
    "regenerated",
    "overwritten",
    "written anew",
    "written from scratch",
    "重新生成",
    "重新產生",
    "重新编写",
    "重新編寫",
    "重写",
    "重寫",
    "重建",
    "覆盖",
    "覆蓋",
    "覆写",
    "覆寫",
];

/// What may stand between those words and the path. Anything else asks for a part of the file.
const BETWEEN: &[&str] = &[
    "the",
    "whole",
    "entire",
    "complete",
    "full",
    "all",
    "of",
    "file",
    "completely",
    "fully",
    "entirely",
    "must",
    "should",
    "shall",
    "is",
    "to",
    "be",
    "needs",
    "has",
    "and",
    "整个",
    "整個",
    "全部",
    "完全",
    "完整",
    "彻底",
    "徹底",
    "从头",
    "從頭",
    "需要",
    "应该",
    "應該",
    "必须",
    "必須",
    "请",
    "請",
    "一下",
    "地",
    "文件",
    "檔案",
    "和",
    "与",
    "與",
    "、",
    ":",
    "：",
];

/// Words before the others in a clause that turn them round.
const NEGATIONS: &[&str] = &[
    "not",
    "don't",
    "don’t",
    "dont",
    "never",
    "no",
    "without",
    "avoid",
    "instead",
    "rather",
    "won't",
    "can't",
    "cannot",
    "shouldn't",
    "mustn't",
    "不",
    "别",
    "別",
    "勿",
    "禁止",
    "无需",
    "無需",
    "避免",
    "而非",
    "没",
    "沒",
];

/// What follows a path of which only a part is meant.
const PARTS: &[&str] = &["'s", "’s", "line", "里", "裡", "中", "的", "内", "內", "第"];

/// Where a clause ends, beside a full stop that ends a sentence.
const CLAUSE_ENDS: &[char] = &['\n', ';', ',', '!', '?', '。', '；', '，', '！', '？'];

/// Most bytes of a text that is looked at: a longer one was pasted, and says less of its sender.
const MOST_BYTES: usize = 64 << 10;
/// Most files that one text can name.
const MOST_FILES: usize = 32;

/// Pairs of marks around words that are somebody else's.
const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('`', '`')];

/// Returns the paths that a user's text asks to be written anew, as they are written. A clause counts
/// that names the file by its path and does nothing else with it; words that are quoted, a block of
/// code or a negated clause do not.
pub fn rebuilds(text: &str) -> Vec<String> {
    if MOST_BYTES < text.len() {
        return Vec::new();
    }
    let own = own_words(text);
    let mut found: Vec<String> = clauses(&own).into_iter().flat_map(of_clause).collect();
    found.dedup();
    found.truncate(MOST_FILES);
    found
}

/// Leaves out what is quoted. Marks around a path alone are left out, and the path is not.
fn own_words(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    let mut is_fenced = false;
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if !is_fenced && !start.starts_with('>') {
            unquoted(line, &mut own);
        }
        own.push('\n');
    }
    own
}

fn unquoted(line: &str, own: &mut String) {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let close = QUOTES.iter().find(|it| it.0 == first).map(|it| it.1);
        match close.and_then(|close| after.split_once(close)) {
            Some((quoted, behind)) => {
                let is_path = !quoted.is_empty() && !quoted.contains(char::is_whitespace);
                own.push(' ');
                own.push_str(if is_path { quoted } else { "" });
                own.push(' ');
                rest = behind;
            }
            None => {
                own.push(first);
                rest = after;
            }
        }
    }
}

fn clauses(text: &str) -> Vec<&str> {
    let at_stop = text.split_inclusive(". ").flat_map(|it| it.split(CLAUSE_ENDS));
    at_stop.map(|it| it.trim().trim_end_matches('.')).filter(|it| !it.is_empty()).collect()
}

fn of_clause(clause: &str) -> Vec<String> {
    let lower = clause.to_ascii_lowercase();
    let mut found = Vec::new();
    for ask in ASKS {
        for (at, _) in word_matches(&lower, ask) {
            if !is_negated(&lower[..at]) {
                found.extend(paths_after(clause, at + ask.len()));
            }
        }
    }
    for ask in ASKS_BEHIND {
        for (at, _) in word_matches(&lower, ask) {
            if !is_negated(&lower[..at]) {
                found.extend(path_before(&clause[..at]));
            }
        }
    }
    found
}

/// Finds words that stand alone; those of a script without spaces stand alone anywhere.
fn word_matches<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    text.match_indices(word).filter(move |(at, word)| {
        let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
        let is_ascii = word.is_ascii();
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !is_ascii || !(is_letter(before.chars().last()) || is_letter(after.chars().next()))
    })
}

fn is_negated(before: &str) -> bool {
    NEGATIONS.iter().any(|it| word_matches(before, it).next().is_some())
}

/// Returns the paths that follow, with nothing but words between that change nothing.
fn paths_after(clause: &str, from: usize) -> Vec<String> {
    let mut rest = &clause[from..];
    let mut paths = Vec::new();
    loop {
        rest = rest.trim_start();
        let path = path_at(rest);
        let behind = rest[path.len()..].trim_start();
        let behind =
            ["文件", "檔案"].iter().find_map(|it| behind.strip_prefix(it)).unwrap_or(behind);
        if is_path(path) && !PARTS.iter().any(|it| behind.starts_with(it)) {
            paths.push(path.to_owned());
            rest = &rest[path.len()..];
        } else if let Some(word) = between(rest, |rest, word| rest.starts_with(word)) {
            rest = &rest[word.len()..];
        } else {
            return paths;
        }
    }
}

/// Returns the path before some words, with nothing but words between that change nothing.
fn path_before(before: &str) -> Option<String> {
    let mut rest = before;
    loop {
        rest = rest.trim_end();
        let start = rest
            .rfind(|it| !is_path_char(it))
            .map_or(0, |at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
        if is_path(&rest[start..]) {
            return Some(rest[start..].to_owned());
        }
        let word = between(rest, |rest, word| rest.ends_with(word))?;
        rest = &rest[..rest.len() - word.len()];
    }
}

/// Returns the longest word of [`BETWEEN`] that is there.
fn between(rest: &str, is_there: impl Fn(&str, &str) -> bool) -> Option<&'static str> {
    let lower = rest.to_ascii_lowercase();
    BETWEEN.iter().copied().filter(|it| is_there(&lower, it)).max_by_key(|it| it.len())
}

fn path_at(text: &str) -> &str {
    let end = text.find(|it| !is_path_char(it)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':'])
}

/// A word is taken for a path if it has what only paths have.
fn is_path(word: &str) -> bool {
    word.contains(['/', '\\', '.']) && word.contains(|it: char| it.is_ascii_alphanumeric())
}

fn is_path_char(it: char) -> bool {
    it.is_ascii_alphanumeric() || "._-/\\@+~:".contains(it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> String {
        rebuilds(text).join(" ")
    }

    /// B9: only an affirmative clause that names the file by its path counts.
    #[test]
    fn b9_a_clause_that_asks_for_a_file_anew_names_it() {
        assert_eq!(paths("Please rewrite a/config.go from scratch."), "a/config.go");
        assert_eq!(paths("Do not rewrite a/config.go."), "");
        assert_eq!(paths("Rewrite a/config.go, and look at b/config.go"), "a/config.go");
        assert_eq!(paths("Rewrite a/config.go and check b/config.go"), "a/config.go");
        assert_eq!(paths("Rewrite a/config.go and b/config.go"), "a/config.go b/config.go");
        assert_eq!(paths("Rewrite old-notes.md"), "old-notes.md");
        assert_eq!(paths("Look at a/config.go. Rewrite it."), "");
        assert_eq!(paths("rewrite the loop in a/config.go"), "", "a part of it");
        assert_eq!(paths("Rewrite the whole file `a/config.go`"), "a/config.go");
        assert_eq!(paths("He said \"rewrite a/config.go\" to me"), "");
        assert_eq!(paths("> rewrite a/config.go\nwhat does that mean?"), "");
        assert_eq!(paths("```\nrewrite a/config.go\n```"), "");
        assert_eq!(paths("Unwritten.md must not be rewritten"), "");
    }

    /// WB-40: each phrase of the lists, with the path behind it or before it, and negated.
    #[test]
    fn every_phrase_asks_and_every_negation_turns_it_round() {
        for ask in ASKS {
            assert_eq!(paths(&format!("{ask} src/a.rs")), "src/a.rs", "{ask}");
        }
        for ask in ASKS_BEHIND {
            assert_eq!(paths(&format!("src/a.rs {ask}")), "src/a.rs", "{ask}");
        }
        for no in NEGATIONS {
            assert_eq!(paths(&format!("{no} rewrite src/a.rs")), "", "{no}");
            assert_eq!(paths(&format!("{no}重写 src/a.rs")), "", "{no}");
        }
        for word in BETWEEN {
            assert_eq!(paths(&format!("rewrite {word} src/a.rs")), "src/a.rs", "{word}");
        }
    }

    #[test]
    fn chinese_needs_no_spaces() {
        assert_eq!(paths("请完全重写src/main.py文件。"), "src/main.py");
        assert_eq!(paths("把 src/main.py 整个重写"), "src/main.py");
        assert_eq!(paths("不要重写 src/main.py，只改第三行"), "");
        for part in PARTS {
            assert_eq!(paths(&format!("重写 src/main.py {part} x")), "", "{part}");
            assert_eq!(paths(&format!("重写 src/main.py 文件{part}循环")), "", "{part}");
        }
    }
}
