//! `use_capability`: the door to the tools that are not sent with every request (TC-4).

use protocol::FailureCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    arguments,
    failure::{capability, failure},
    intent::{Intent, PlanError, Planned},
    text,
    tool::{Builtin, Desk, Effect, Tool},
};

/// Most bytes of a model's own arguments that are shown to it again.
const REPEATED_BYTES: usize = 300;

/// Calls a further tool: glob {pattern, path?} finds files by name, grep {pattern, context?,
/// glob?, ignore_case?, path?} searches in files, ls {path?} lists a folder, multi_edit {path,
/// edits: [{old_string, new_string, replace_all?}], source_token?} edits one file in several
/// places.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UseCapabilityArgs {
    action: Action,
    name: Option<String>,
    /// The arguments of that tool.
    arguments: Option<Map<String, Value>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Call,
    Inspect,
    List,
}

pub(crate) struct UseCapability;

impl Tool for UseCapability {
    type Args = UseCapabilityArgs;
    const NAME: &'static str = "use_capability";
    const EFFECT: Effect = Effect::AsCalled;

    fn plan(args: UseCapabilityArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let UseCapabilityArgs { action, name, arguments } = args;
        match action {
            Action::Call => {
                let tool = find(name.as_deref(), desk)?;
                tool.plan(arguments.unwrap_or_default(), desk)
            }
            Action::Inspect => {
                let tool = find(name.as_deref(), desk)?;
                Ok(note(tool.name, format!("{}\n{}", tool.description, tool.parameters)))
            }
            Action::List => {
                let line = |it: &Builtin| format!("{}: {}", it.name, it.description);
                let lines: Vec<String> = desk.capabilities.iter().map(line).collect();
                Ok(note("", lines.join("\n")))
            }
        }
    }
}

fn note(title: &str, text: String) -> Planned {
    Planned { tool: UseCapability::NAME, title: title.to_owned(), intent: Intent::Note { text } }
}

fn find<'a>(name: Option<&str>, desk: &Desk<'a>) -> Result<&'a Builtin, PlanError> {
    let name = name.unwrap_or_default();
    if let Some(tool) = desk.capabilities.iter().find(|it| it.name == name) {
        return Ok(tool);
    }
    let names: Vec<&str> = desk.capabilities.iter().map(|it| it.name).collect();
    let (code, message) = match name {
        "" => (FailureCode::BadArguments, "use_capability needs name for this action".to_owned()),
        _ => (FailureCode::UnknownTool, format!("there is no capability {:?}", text::title(name))),
    };
    Err(failure(code, message, format!("name one of {}", names.join(", "))).into())
}

/// Returns the capability and the arguments that a call comes to, if it is a call of one.
pub(crate) fn called_capability(
    tool: &str,
    arguments: &Map<String, Value>,
) -> Option<(String, Map<String, Value>)> {
    if tool != UseCapability::NAME || arguments.get("action")? != "call" {
        return None;
    }
    let inner = arguments.get("arguments").and_then(Value::as_object);
    Some((arguments.get("name")?.as_str()?.to_owned(), inner.cloned().unwrap_or_default()))
}

/// Writes the call that a model must send instead of calling a capability by its name: with its
/// own arguments where they are right, or else with their form.
pub(crate) fn capability_call(tool: &Builtin, sent: &str) -> String {
    let sent = arguments::parsed(tool.name, sent);
    match sent.and_then(|it| arguments::checked(tool.name, &tool.parameters, it)) {
        Ok(right) if json!(right).to_string().len() <= REPEATED_BYTES => {
            capability(tool.name, &Value::Object(right))
        }
        Ok(_) | Err(_) => {
            let form = arguments::form(&tool.parameters);
            format!(
                "use_capability {{\"action\":\"call\",\"name\":\"{}\",\"arguments\":{form}}}",
                tool.name
            )
        }
    }
}
