//! A pattern for the paths of files.

use globset::{GlobBuilder, GlobMatcher};
use protocol::{FailureCode, ToolFailure};

use crate::failure::failure;

/// Matches paths below a folder.
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    text: String,
    matcher: GlobMatcher,
}

impl PathPattern {
    /// Reads a pattern. One without `/` matches a name in any folder.
    ///
    /// # Errors
    ///
    /// [`FailureCode::BadPattern`] if it is none, or leads out of the folder.
    pub(crate) fn new(text: &str) -> Result<Self, ToolFailure> {
        let relative = text.strip_prefix("./").unwrap_or(text);
        let leads_out = relative.starts_with('/') || relative.split('/').any(|it| it == "..");
        if leads_out || relative.is_empty() {
            let next = "send one such as src/**/*.rs, and the folder to look in as path";
            let message = format!("the pattern {text:?} is not relative to a folder");
            return Err(failure(FailureCode::BadPattern, message, next));
        }
        let anywhere = if relative.contains('/') { "" } else { "**/" };
        let built = GlobBuilder::new(&format!("{anywhere}{relative}"))
            .literal_separator(true)
            .backslash_escape(true)
            .build();
        match built {
            Ok(glob) => Ok(Self { text: text.to_owned(), matcher: glob.compile_matcher() }),
            Err(error) => {
                let next = "send one such as src/**/*.rs; a backslash makes [ or { literal";
                Err(failure(FailureCode::BadPattern, error.to_string(), next))
            }
        }
    }

    /// Returns the pattern as it was sent.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether it matches a path below the folder, separated by `/`.
    pub(crate) fn matches(&self, relative: &str) -> bool {
        self.matcher.is_match(relative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_in_its_folder_and_a_bare_name_matches_in_all() {
        let matches = |pattern, path| PathPattern::new(pattern).expect("a pattern").matches(path);
        assert!(matches("*.rs", "src/deep/a.rs") && matches("*.rs", "a.rs"));
        assert!(matches("src/*.rs", "src/a.rs") && !matches("src/*.rs", "src/deep/a.rs"));
        assert!(matches("./src/**/*.{ts,tsx}", "src/a/b.tsx"));
        assert!(matches(r"\[a\].txt", "[a].txt") && !matches("a.txt", "b/aXtxt"));
    }

    #[test]
    fn a_pattern_that_leads_out_or_is_none_is_turned_away() {
        for bad in ["", "./", "/etc/*", "../*", "a/../../b", "[a", "{a"] {
            let failure = PathPattern::new(bad).expect_err(bad);
            assert_eq!(failure.code, FailureCode::BadPattern, "{bad:?}");
        }
    }
}
