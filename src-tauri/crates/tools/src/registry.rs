//! The built-ins by name: what the model is told of them, and how a call becomes a plan.

use protocol::{FailureCode, Limits, ToolFailure};
use serde_json::{Map, Value};
use workspace::Workspace;

use crate::{
    arguments, builtin, contract,
    failure::failure,
    intent::{PlanError, Planned},
    text,
    tool::{Builtin, Desk, Effect},
};

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDescription {
    pub name: String,
    pub description: String,
    /// The JSON schema of its arguments; its keys are in order.
    pub parameters: Value,
}

/// What a person sees of a call, whether or not it can be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The tool that it comes to, or the name the model wrote.
    pub tool: String,
    /// A path, or the start of a command; empty where the arguments have none.
    pub title: String,
}

/// Every built-in. The same for a whole session, so the request's prefix is too (TC-4).
pub struct Registry {
    limits: Limits,
    boot: Vec<Builtin>,
    capabilities: Vec<Builtin>,
}

impl Registry {
    /// Returns the built-ins, with the bounds that their plans keep to.
    pub fn new(limits: &Limits) -> Self {
        let (boot, capabilities) = builtin::all();
        Self { limits: limits.clone(), boot, capabilities }
    }

    /// Returns what every request tells the model, in the order in which it is sent (TC-3).
    pub fn boot_surface(&self) -> Vec<ToolDescription> {
        let told = |it: &Builtin| ToolDescription {
            name: it.name.to_owned(),
            description: it.description.clone(),
            parameters: it.parameters.clone(),
        };
        self.boot.iter().map(told).collect()
    }

    /// Says what a call would do. Reads the file that a write is about; changes nothing.
    ///
    /// # Errors
    ///
    /// [`PlanError::Failed`] if the tool, its arguments or the file are not what they must be;
    /// [`PlanError::Refused`] if it is a write whose target is missing or ambiguous.
    pub fn plan(
        &self,
        name: &str,
        arguments: &str,
        workspace: &Workspace,
    ) -> Result<Planned, PlanError> {
        let Some(tool) = self.boot.iter().find(|it| it.name == name) else {
            return Err(self.unknown(name, arguments).into());
        };
        let arguments = arguments::parsed(name, arguments)?;
        let desk = Desk { workspace, limits: &self.limits, capabilities: &self.capabilities };
        tool.plan(arguments, &desk)
    }

    /// Names a call without planning it, for one that has no plan.
    pub fn label(&self, name: &str, arguments: &str) -> Label {
        let arguments = arguments::parsed(name, arguments).unwrap_or_default();
        let inner = builtin::called_capability(name, &arguments);
        let (tool, arguments) = inner.unwrap_or_else(|| (name.to_owned(), arguments.clone()));
        Label { tool: text::title(&tool), title: title_of(&arguments) }
    }

    /// Returns whether a tool writes the file that it names, as a command does not.
    pub fn writes_files(&self, name: &str) -> bool {
        let mut all = self.boot.iter().chain(&self.capabilities);
        all.any(|it| it.name == name && it.effect == Effect::Writes)
    }

    /// Returns `docs/tool-contract.md`: every built-in as the model is told of it (TC-1).
    pub fn contract() -> String {
        let (boot, capabilities) = builtin::all();
        contract::document(&boot, &capabilities)
    }

    fn unknown(&self, name: &str, arguments: &str) -> ToolFailure {
        if let Some(it) = self.capabilities.iter().find(|it| it.name == name) {
            let call = builtin::capability_call(it, arguments);
            return failure(
                FailureCode::UnknownTool,
                format!("{name} is called through use_capability"),
                format!("send {call}"),
            );
        }
        let names = |of: &[Builtin]| of.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
        failure(
            FailureCode::UnknownTool,
            format!("there is no tool {:?}", text::title(name)),
            format!(
                "use one of {}; through use_capability: {}",
                names(&self.boot),
                names(&self.capabilities)
            ),
        )
    }
}

/// Returns the argument that tells a person most.
fn title_of(arguments: &Map<String, Value>) -> String {
    let first =
        ["path", "command", "pattern", "job", "name"].into_iter().find_map(|it| arguments.get(it));
    first.and_then(Value::as_str).map(text::title).unwrap_or_default()
}

#[cfg(test)]
mod tests;
