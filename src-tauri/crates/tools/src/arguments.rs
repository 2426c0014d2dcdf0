//! Compares a call's arguments with the tool's schema, and says what would have been right.

use protocol::{FailureCode, ToolFailure};
use serde_json::{Map, Value};

use crate::failure::failure;

/// Reads the arguments of a call as the model wrote them. No text at all means none.
///
/// # Errors
///
/// [`FailureCode::BadArguments`] if it is no JSON object.
pub(crate) fn parsed(tool: &str, text: &str) -> Result<Map<String, Value>, ToolFailure> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(other) => {
            let message = format!("the arguments of {tool} are {}, not an object", kind_of(&other));
            Err(bad(message, "send them as one JSON object".to_owned()))
        }
        Err(error) => Err(bad(
            format!("the arguments of {tool} are no JSON: {error}"),
            "send them as one JSON object".to_owned(),
        )),
    }
}

/// Returns the arguments if the schema has them: all that it asks for, and no other. An optional
/// one that is null or an empty string is left out, since models write that for "none".
///
/// # Errors
///
/// [`FailureCode::BadArguments`], with the argument's name and the form that is right.
pub(crate) fn checked(
    tool: &str,
    schema: &Value,
    mut arguments: Map<String, Value>,
) -> Result<Map<String, Value>, ToolFailure> {
    let wrong = |message: String| Err(bad(message, format!("send {tool} {}", form(schema))));
    let is_none = |value: &Value| value.is_null() || value == "";
    arguments.retain(|name, value| !is_none(value) || is_required(schema, name));
    for name in required(schema) {
        if !arguments.contains_key(name) {
            return wrong(format!("{tool} needs {name}, which is missing"));
        }
    }
    for (name, value) in &arguments {
        let Some(expected) = schema["properties"].get(name) else {
            return wrong(format!("{tool} has no argument {name}"));
        };
        if !fits(expected, value) {
            let found = kind_of(value);
            return wrong(format!("{name} of {tool} is {found}, not {}", type_of(expected)));
        }
    }
    Ok(arguments)
}

/// Tells the arguments that the schema takes, such as `{"path": string, "limit"?: integer}`.
pub(crate) fn form(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object() else { return "{}".to_owned() };
    let first = required(schema).filter_map(|name| properties.get_key_value(name));
    let rest = properties.iter().filter(|(name, _)| !is_required(schema, name));
    let parts = first.chain(rest).map(|(name, it)| {
        let mark = if is_required(schema, name) { "" } else { "?" };
        format!("\"{name}\"{mark}: {}", type_of(it))
    });
    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
}

/// Says that the arguments passed the schema and are wrong all the same.
pub(crate) fn rejected(tool: &str, why: &str) -> ToolFailure {
    bad(format!("{tool}: {why}"), "correct that argument and send the call again".to_owned())
}

fn bad(message: String, next: String) -> ToolFailure {
    failure(FailureCode::BadArguments, message, next)
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn is_required(schema: &Value, name: &str) -> bool {
    required(schema).any(|it| it == name)
}

fn fits(schema: &Value, value: &Value) -> bool {
    let of_type = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some(_) | None => true,
    };
    of_type && schema["enum"].as_array().is_none_or(|words| words.contains(value))
}

/// Names what the schema wants: a type, or the words to choose from.
fn type_of(schema: &Value) -> String {
    match schema["enum"].as_array() {
        Some(words) => words.iter().map(Value::to_string).collect::<Vec<_>>().join("|"),
        None => match schema["type"].as_str() {
            Some("array") => format!("[{}]", type_of(&schema["items"])),
            Some("object") if schema["properties"].is_object() => form(schema),
            other => other.unwrap_or("anything").to_owned(),
        },
    }
}

/// Names what a value is; a short one is shown.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.len() <= 40 => format!("the string {value}"),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests;
