//! The tool contract, as a document (TC-1).

use std::fmt::Write as _;

use serde_json::Value;

use crate::tool::{Builtin, Effect};

/// Writes the document that `docs/tool-contract.md` must equal.
pub(crate) fn document(boot: &[Builtin], capabilities: &[Builtin]) -> String {
    let mut text = String::from(
        "# Tool contract\n\nGenerated from the registry; `UPDATE_CONTRACT=1 cargo test -p tools` \
         writes it. A change of it is a change of every request's prefix.\n",
    );
    section(&mut text, "Sent with every request", boot);
    section(&mut text, "Reached through `use_capability`", capabilities);
    text
}

fn section(text: &mut String, heading: &str, tools: &[Builtin]) {
    line(text, &format!("\n## {heading}"));
    for it in tools {
        let effect = match it.effect {
            Effect::Reads => "yes",
            Effect::Writes | Effect::Changes => "no",
            Effect::AsCalled => "as the tool that it calls",
        };
        line(text, &format!("\n### {}\n\nRead-only: {effect}\n", it.name));
        line(text, &it.description);
        line(text, &format!("\n```json\n{}\n```", pretty(&it.parameters)));
    }
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a String takes any text");
}
