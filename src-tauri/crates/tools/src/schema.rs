//! The schema of a tool's arguments, with nothing in it that tells a model nothing.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// Returns the doc of an arguments struct, and its schema as it is sent.
pub(crate) fn described<T: JsonSchema>() -> (String, Value) {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = cleaned(schema.to_value());
    let description = match schema.as_object_mut().and_then(|it| it.shift_remove("description")) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    (description, schema)
}

/// Drops noise and puts keys in the order of the alphabet (CA-4).
fn cleaned(value: Value) -> Value {
    let Value::Object(object) = value else { return value };
    let mut entries: Vec<(String, Value)> = object.into_iter().collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    let kept = entries.into_iter().filter_map(|(key, value)| {
        let value = match (key.as_str(), value) {
            // The arguments' own names are no keywords.
            ("properties", Value::Object(named)) => properties(named),
            ("title" | "format" | "default" | "minimum" | "maximum", _) => return None,
            ("additionalProperties", Value::Bool(true)) => return None,
            ("type", Value::Array(types)) => one_type(types),
            ("enum", Value::Array(words)) => {
                Value::Array(words.into_iter().filter(|it| !it.is_null()).collect())
            }
            ("description", Value::String(text)) => Value::String(text.replace('\n', " ")),
            (_, other) => cleaned(other),
        };
        Some((key, value))
    });
    Value::Object(kept.collect())
}

fn properties(named: Map<String, Value>) -> Value {
    let mut named: Vec<_> = named.into_iter().map(|(name, it)| (name, cleaned(it))).collect();
    named.sort_by(|(one, _), (other, _)| one.cmp(other));
    Value::Object(named.into_iter().collect())
}

/// An argument that may be left out may be null too; `required` says enough about it.
fn one_type(types: Vec<Value>) -> Value {
    let mut rest: Vec<Value> = types.into_iter().filter(|it| it != "null").collect();
    match rest.len() {
        1 => rest.remove(0),
        _ => Value::Array(rest),
    }
}
