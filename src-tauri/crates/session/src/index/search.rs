//! Finding sessions by parts of what stands in them.

use protocol::{SearchHit, SearchPage, SearchPlace, TurnId, head};
use rusqlite::{Connection, Row, ToSql};

use super::{Index, IndexError, passages::place_of, summary, take_in_all};
use crate::list;

/// Shorter words are in no index of three letters each; texts are looked through for them.
const INDEXED_CHARS: usize = 3;
/// Letters before what was found, and letters of an excerpt in all.
const BEFORE_CHARS: usize = 40;
const EXCERPT_CHARS: usize = 160;

impl Index {
    /// Finds the sessions in which one text holds every word that is asked for, whatever stands
    /// before and after it; the session that changed last comes first. Without a word none is found.
    /// Only the start of a very long question counts.
    ///
    /// # Errors
    ///
    /// As [`Index::list`].
    pub fn search(&self, text: &str) -> Result<SearchPage, IndexError> {
        let entries = list::entries(&self.folder)?;
        let asked = head(text, self.limits.search_bytes as usize);
        let words: Vec<&str> = asked.split_whitespace().collect();
        if entries.is_empty() || words.is_empty() {
            return Ok(SearchPage { hits: Vec::new(), total: 0, is_partial: false });
        }
        self.with(|connection| {
            take_in_all(connection, &self.folder, &entries)?;
            self.find(connection, &words)
        })
    }

    fn find(&self, index: &Connection, words: &[&str]) -> rusqlite::Result<SearchPage> {
        let (long, short): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|it| INDEXED_CHARS <= it.chars().count());
        let mut conditions = Vec::new();
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        if !long.is_empty() {
            let quoted = long.iter().map(|it| format!("\"{}\"", it.replace('"', "\"\"")));
            values.push(Box::new(quoted.collect::<Vec<_>>().join(" AND ")));
            conditions.push("texts MATCH ?".to_owned());
        }
        for word in short {
            values.push(Box::new(format!("%{}%", escaped(word))));
            conditions.push(r"texts.text LIKE ? ESCAPE '\'".to_owned());
        }
        let looked_through = self.limits.search_texts;
        let newest = format!("(SELECT max(id) - {looked_through} FROM places)");
        let is_partial = long.is_empty()
            && index
                .query_row(&format!("SELECT coalesce({newest} > 0, 0)"), [], |row| row.get(0))?;
        if is_partial {
            conditions.push(format!("texts.rowid > {newest}"));
        }
        // The place and the text are those of the newest.
        let found = format!(
            "SELECT session, max(id) AS newest, turn, place, text, count(*) AS matches
             FROM texts JOIN places ON id = texts.rowid WHERE {} GROUP BY session",
            conditions.join(" AND ")
        );
        let mut select = index.prepare(&format!(
            "SELECT summary, turn, place, text, matches, count(*) OVER ()
             FROM ({found}) JOIN sessions ON sessions.id = session
             ORDER BY changed_at DESC, newest DESC LIMIT {}",
            self.limits.search_sessions
        ))?;
        let mut total = 0;
        let hits = select.query_map(rusqlite::params_from_iter(values), |row| {
            total = row.get(5)?;
            hit(row, words)
        })?;
        let hits = hits.collect::<rusqlite::Result<_>>()?;
        Ok(SearchPage { hits, total, is_partial })
    }
}

fn hit(row: &Row<'_>, words: &[&str]) -> rusqlite::Result<SearchHit> {
    let (place, text): (String, String) = (row.get(2)?, row.get(3)?);
    Ok(SearchHit {
        session: summary(&row.get::<_, String>(0)?)?,
        turn: row.get::<_, Option<u32>>(1)?.map(TurnId),
        place: place_of(&place).unwrap_or(SearchPlace::Answer),
        excerpt: excerpt(&text, words),
        matches: row.get(4)?,
    })
}

fn escaped(word: &str) -> String {
    word.chars()
        .flat_map(|it| matches!(it, '%' | '_' | '\\').then_some('\\').into_iter().chain([it]))
        .collect()
}

/// Returns what stands around the first of the words, in one line.
fn excerpt(text: &str, words: &[&str]) -> String {
    let found = words.iter().filter_map(|word| position(text, word)).min().unwrap_or(0);
    let before = text[..found].chars().count();
    let skipped = before.saturating_sub(BEFORE_CHARS);
    let rest = text.chars().count() - skipped;
    let mut line = String::new();
    line.extend((0 < skipped).then_some('…'));
    let shown = text.chars().skip(skipped).take(EXCERPT_CHARS);
    line.extend(shown.map(|it| if it.is_whitespace() { ' ' } else { it }));
    line.extend((EXCERPT_CHARS < rest).then_some('…'));
    line
}

/// Finds a word, whatever the case of its letters.
fn position(text: &str, word: &str) -> Option<usize> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    text.char_indices().map(|(at, _)| at).find(|&at| {
        let mut letters = text[at..].chars().flat_map(char::to_lowercase);
        word.iter().all(|it| letters.next() == Some(*it))
    })
}

#[cfg(test)]
mod tests {
    use super::{escaped, excerpt};

    #[test]
    fn an_excerpt_is_one_short_line_around_the_word() {
        assert_eq!(excerpt("Fix\nthe PARSER", &["parser"]), "Fix the PARSER");
        let long = format!("{}Straße{}", "字".repeat(100), "x".repeat(400));
        let cut = excerpt(&long, &["nothing", "straße"]);
        assert!(cut.starts_with(&format!("…{}Straße", "字".repeat(40))), "{cut}");
        assert!(cut.ends_with("x…") && cut.chars().count() == 162, "{cut}");
        assert_eq!(escaped(r"50%_\"), r"50\%\_\\");
    }
}
