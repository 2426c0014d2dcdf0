//! The steps of a case in the order in which they are played: by turns, and by the replies in them.

use std::collections::BTreeMap;

use super::case::{Act, Change, Harm, Step};
use crate::{Result, app::How};

/// What a message says that no step gives a text to.
const PROMPT: &str = "Go on.";

/// A case in its order.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    pub(super) turns: Vec<PlannedTurn<'a>>,
    /// What the world does after the last turn.
    pub(super) last: Vec<World<'a>>,
}

/// One turn.
#[derive(Debug)]
pub(super) struct PlannedTurn<'a> {
    /// What the world does before the message is sent.
    pub(super) before: Vec<World<'a>>,
    pub(super) prompt: String,
    pub(super) rounds: Vec<Round<'a>>,
    /// What happens while a step runs.
    pub(super) during: BTreeMap<&'a str, During>,
}

/// One reply of the provider.
#[derive(Clone, Debug, Default)]
pub(super) struct Round<'a> {
    /// What the world does when the request has come, and before the reply goes out.
    pub(super) before: Vec<World<'a>>,
    /// Empty: the turn has no last answer of its own, and is given one.
    pub(super) steps: Vec<&'a Step>,
    /// A reply that is given again to whatever request comes next, of this turn or another.
    pub(super) is_repeated: bool,
}

/// What somebody else does.
#[derive(Clone, Copy, Debug)]
pub(super) enum World<'a> {
    Change(&'a Change),
    Restart(How),
    /// The program ends, and the file of the session is harmed before it is started again.
    Damage(How, Harm),
}

/// What happens while a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum During {
    Interrupt,
    Restart(How),
}

/// Puts steps into their order.
pub(super) fn plan(steps: &[Step]) -> Result<Plan<'_>> {
    let mut planner = Planner::default();
    for step in steps {
        planner.add(step).map_err(|why| format!("step {}: {why}", step.id))?;
    }
    Ok(planner.finish())
}

#[derive(Default)]
struct Planner<'a> {
    plan: Plan<'a>,
    /// The last round's number, within its turn.
    round: u32,
    /// A message that has no turn yet, and what the world does before it.
    message: Option<(String, Vec<World<'a>>)>,
    /// What the world does next.
    world: Vec<World<'a>>,
}

impl<'a> Planner<'a> {
    fn add(&mut self, step: &'a Step) -> Result<()> {
        if let Some(place) = step.place {
            return self.add_to_round(step, place);
        }
        match &step.act {
            Act::User { text } => {
                if self.message.is_some() {
                    self.begin_turn();
                }
                self.message = Some((text.clone(), std::mem::take(&mut self.world)));
            }
            Act::Interrupt { during } => {
                let turn = self.plan.turns.last_mut().ok_or("no turn runs")?;
                turn.during.insert(during, During::Interrupt);
            }
            Act::ExternalChange(change) => self.world.push(World::Change(change)),
            Act::Restart { how } => self.world.push(World::Restart(*how)),
            Act::CorruptSession { how: harm } => {
                let Some(World::Restart(how)) = self.world.pop() else {
                    return Err("a file is harmed between an end and a start".into());
                };
                self.world.push(World::Damage(how, *harm));
            }
            Act::Read { .. }
            | Act::Edit { .. }
            | Act::Write { .. }
            | Act::Shell { .. }
            | Act::Mcp(_)
            | Act::Final { .. }
            | Act::ProviderRaw(_)
            | Act::Undo(_)
            | Act::Redo(_)
            | Act::Compact(_)
            | Act::ReloadWindow(_) => return Err("this cannot be played".into()),
        }
        Ok(())
    }

    fn add_to_round(&mut self, step: &'a Step, (turn, round): (u32, u32)) -> Result<()> {
        let turns = u32::try_from(self.plan.turns.len())?;
        if turn == turns + 1 {
            self.begin_turn();
        } else if turn != turns || round < self.round || self.message.is_some() {
            return Err("it is out of order".into());
        } else if self.world.iter().any(|it| matches!(it, World::Damage(..))) {
            return Err("a file is harmed between two turns".into());
        } else if self.round < round {
            self.begin_round();
        } else if !self.world.is_empty() {
            return Err("the world comes between two steps of one reply".into());
        }
        self.round = round;
        let rounds = self.plan.turns.last_mut().map(|it| &mut it.rounds);
        if let Some(last) = rounds.and_then(|it| it.last_mut()) {
            last.steps.push(step);
        }
        Ok(())
    }

    fn begin_turn(&mut self) {
        let world = std::mem::take(&mut self.world);
        let (prompt, before, world) = match self.message.take() {
            Some((prompt, before)) => (prompt, before, world),
            None => (PROMPT.to_owned(), world, Vec::new()),
        };
        let rounds = vec![Round { before: world, ..Round::default() }];
        self.plan.turns.push(PlannedTurn { before, prompt, rounds, during: BTreeMap::new() });
    }

    /// A restart in the middle of a turn comes while a command runs, where one does.
    fn begin_round(&mut self) {
        let mut before = std::mem::take(&mut self.world);
        let Some(turn) = self.plan.turns.last_mut() else { return };
        let last = turn.rounds.last().and_then(|it| it.steps.last());
        if let (Some(step), Some(World::Restart(how))) = (last, before.first())
            && matches!(step.act, Act::Shell { .. })
        {
            turn.during.insert(&step.id, During::Restart(*how));
            before.remove(0);
        }
        turn.rounds.push(Round { before, ..Round::default() });
    }

    fn finish(mut self) -> Plan<'a> {
        if self.message.is_some() {
            self.begin_turn();
        }
        for turn in &mut self.plan.turns {
            turn.rounds = turn.rounds.drain(..).flat_map(repeated).collect();
            let ends = |it: &Round<'_>| {
                it.steps.is_empty() || it.steps.iter().any(|it| matches!(it.act, Act::Final { .. }))
            };
            if !turn.rounds.iter().any(ends) {
                turn.rounds.push(Round::default());
            }
        }
        self.plan.last = self.world;
        self.plan
    }
}

/// Returns a round as often as it is to be played.
fn repeated(round: Round<'_>) -> Vec<Round<'_>> {
    let times = match round.steps.first().map(|it| &it.act) {
        Some(Act::ProviderRaw(raw)) => raw.times.unwrap_or(1),
        _ => 1,
    };
    let again = Round { before: Vec::new(), is_repeated: true, ..round.clone() };
    let mut rounds = vec![round];
    rounds.resize(times.max(1) as usize, again);
    rounds
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Writes the plan of some steps down: turns, the world and the replies in their order.
    fn planned(steps: &serde_json::Value) -> String {
        let steps: Vec<Step> = serde_json::from_value(steps.clone()).expect("they are steps");
        let plan = plan(&steps).expect("they can be played");
        let mut lines = Vec::new();
        for turn in &plan.turns {
            lines.extend(turn.before.iter().map(|it| format!("{it:?}")));
            lines.push(format!("> {}", turn.prompt));
            for round in &turn.rounds {
                lines.extend(round.before.iter().map(|it| format!("{it:?}")));
                let ids: Vec<_> = round.steps.iter().map(|it| &*it.id).collect();
                lines.push(format!(
                    "[{}]{}",
                    ids.join(" "),
                    if round.is_repeated { " again" } else { "" }
                ));
            }
            lines.extend(turn.during.iter().map(|(step, what)| format!("{step}: {what:?}")));
        }
        lines.extend(plan.last.iter().map(|it| format!("{it:?}")));
        lines.join("\n")
    }

    #[test]
    fn the_world_comes_between_two_replies_or_two_turns_and_each_turn_gets_an_end() {
        let shell = |round: u32, id: &str| {
            let args = json!({ "command": "true" });
            json!({ "turn": 1, "round": round, "id": id, "tool": "shell", "args": args })
        };
        let read =
            json!({ "turn": 1, "round": 1, "id": "r", "tool": "read", "args": { "path": "a" } });
        let restart = |how: &str| json!({ "id": "k", "tool": "restart", "args": { "how": how } });
        let steps = json!([
            { "id": "u", "tool": "user", "args": { "text": "first" } },
            shell(1, "s1"),
            read,
            restart("quit"),
            shell(2, "s2"),
            restart("kill"),
            shell(3, "s3"),
            { "id": "i", "tool": "interrupt", "args": { "during": "s3" } },
            restart("quit"),
            { "id": "c", "tool": "corrupt_session", "args": { "how": "cut_last" } },
            { "turn": 2, "round": 1, "id": "p", "tool": "provider_raw", "args": { "times": 2 } },
            { "id": "v", "tool": "user", "args": { "text": "last" } },
        ]);
        let expected = "\
> first
[s1 r]
Restart(Quit)
[s2]
[s3]
[]
s2: Restart(Kill)
s3: Interrupt
Damage(Quit, CutLast)
> Go on.
[p]
[p] again
[]
> last
[]";
        assert_eq!(planned(&steps), expected);
    }
}
