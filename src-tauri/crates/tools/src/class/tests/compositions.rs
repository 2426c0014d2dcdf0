//! Lines put together from good and bad parts, and from garbage.

use super::*;

const JOINTS: [&str; 8] = [" && ", " || ", " | ", "; ", "\n", " &&\n", ";\n\n", " |& "];

/// SH-1: for any mixture, one part that is not a reader makes the whole no reader.
#[test]
fn a_line_with_one_bad_part_is_never_a_reader() {
    // A part that opens a quote or a comment would swallow its neighbours.
    let whole = |row: &(&str, String)| row.0 != "?syntax" && !row.1.contains('#');
    let (good, bad): (Vec<_>, Vec<_>) =
        all_rows().into_iter().filter(whole).partition(|row| row.0 == "reader");
    let texts = |rows: Vec<(_, String)>| {
        rows.into_iter().map(|row| row.1.trim().to_owned()).collect::<Vec<_>>()
    };
    let (good, bad) = (texts(good), texts(bad));
    let mut dice = Dice(1);
    for _ in 0..4_000 {
        let mut parts: Vec<&str> =
            (0..=dice.below(5)).map(|_| good[dice.below(good.len())].as_str()).collect();
        let line = join(&parts, &mut dice);
        assert!(classify(Shell::Bash, &line).is_reader(), "{line:?}");
        let place = dice.below(parts.len() + 1);
        parts.insert(place, &bad[dice.below(bad.len())]);
        let line = join(&parts, &mut dice);
        assert!(!classify(Shell::Bash, &line).is_reader(), "{line:?}");
    }
}

fn join(parts: &[&str], dice: &mut Dice) -> String {
    let mut line = String::new();
    for part in parts {
        if !line.is_empty() {
            line.push_str(dice.pick(&JOINTS));
        }
        line.push_str(part);
    }
    line
}

/// SH-1, SH-8: the answer does not hang on how a line is spelt.
#[test]
fn quoting_and_spacing_change_no_answer() {
    for (expected, command) in all_rows() {
        if expected.starts_with('?')
            || !command.is_ascii()
            || command.contains(['\'', '"', '\\', '\n', '#', '*', '?', '[', ']', '>', '<', '{'])
        {
            continue;
        }
        let words = command.split(' ').filter(|word| !word.is_empty());
        let spelt: Vec<String> = words
            .map(|word| match word.trim_end_matches(';') {
                "&&" | "||" | "|" | "|&" | "" => word.to_owned(),
                bare => word.replacen(bare, &format!("'{}'\"{}\"", &bare[..1], &bare[1..]), 1),
            })
            .collect();
        let spelt = format!("\t {}  ", spelt.join(" \t "));
        assert_eq!(answer(&classify(Shell::Bash, &spelt)), expected, "{spelt}");
    }
}

/// SH-2, SH-3: every text has an answer, and only what is known has a provable scope.
#[test]
fn any_text_has_an_answer() {
    let mut provable = 0;
    for line in garbage() {
        let effect = classify(Shell::Bash, &line);
        if literal_targets(Shell::Bash, &line).is_some() {
            provable += 1;
            assert_eq!(effect.certainty, Certainty::Known, "{line:?}");
            assert!(line.contains('>'), "{line:?}");
        }
        classify(Shell::PowerShell, &line);
    }
    assert!(provable > 3, "only {provable}");
}

/// Texts without sense, of the signs that mean something to a shell.
pub(super) fn garbage() -> impl Iterator<Item = String> {
    const PIECES: &str = r##"
ls echo ␣ ␣ touch␣pwned touch␣pwned a.txt ' ' " " \ $ ` $( ( ) { } [ ] [[ < > ␣>␣ << &
&& | || ; ; ␤ ␤ # * ? ~ ! = @ % - -- é 1 2 if then fi EOF git␣status sed s/a/b/ find
-delete cat sort -o a= eval pwned echo␣a >a.txt >␣
"##;
    let mut pieces = pieces(PIECES);
    pieces.extend(["\u{a0}", "\0", "\t", "\r"].map(str::to_owned));
    let mut dice = Dice(2);
    (0..40_000).map(move |_| (0..dice.below(10)).map(|_| dice.pick(&pieces)).collect())
}
