//! What a built-in is.

use protocol::Limits;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use workspace::Workspace;

use crate::{
    arguments,
    intent::{PlanError, Planned},
    schema,
};

/// One built-in. The docs of its arguments are what the model is told of it.
pub(crate) trait Tool {
    type Args: DeserializeOwned + JsonSchema;
    const NAME: &'static str;
    const EFFECT: Effect;

    /// Says what the call would do.
    ///
    /// # Errors
    ///
    /// [`PlanError`] says why it cannot be done, or may not.
    fn plan(args: Self::Args, desk: &Desk<'_>) -> Result<Planned, PlanError>;
}

/// What every plan may look at.
pub(crate) struct Desk<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) limits: &'a Limits,
    /// What `use_capability` reaches, sorted by name.
    pub(crate) capabilities: &'a [Builtin],
}

/// Whether a tool can change anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Reads,
    /// It writes the file that it names.
    Writes,
    /// What it changes stands nowhere in its arguments.
    Changes,
    /// As the capability that it calls.
    AsCalled,
}

/// A built-in as the registry keeps it.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) effect: Effect,
    pub(crate) description: String,
    pub(crate) parameters: Value,
    plan: fn(Value, &Desk<'_>) -> Result<Planned, PlanError>,
}

impl Builtin {
    pub(crate) fn of<T: Tool>() -> Self {
        let (description, parameters) = schema::described::<T::Args>();
        let plan = |args: Value, desk: &Desk<'_>| {
            let args = serde_json::from_value(args)
                .map_err(|error| arguments::rejected(T::NAME, &error.to_string()))?;
            T::plan(args, desk)
        };
        Self { name: T::NAME, effect: T::EFFECT, description, parameters, plan }
    }

    /// Says what a call with these arguments would do.
    ///
    /// # Errors
    ///
    /// [`PlanError`] if the arguments are not the tool's, or if it cannot or may not be done.
    pub(crate) fn plan(
        &self,
        arguments: Map<String, Value>,
        desk: &Desk<'_>,
    ) -> Result<Planned, PlanError> {
        let arguments = arguments::checked(self.name, &self.parameters, arguments)?;
        (self.plan)(Value::Object(arguments), desk)
    }
}
