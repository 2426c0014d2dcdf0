//! One case, played to one `evident serve`.

mod damaged;

use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

pub(super) use damaged::Damaged;
use serde_json::{Value, json};
use testkit::script::{Part, Reply, Script, ScriptServer, SeenRequest};
use tokio::time::{sleep, timeout};

use super::{
    case::{Answer, Approval, Case},
    heard::{Heard, Noticed},
    plan::{self, During, Plan, PlannedTurn, Round, World},
    reply,
    world::{Folders, Snapshot},
};
use crate::{
    Result,
    app::{App, How},
};

/// How long all of a case may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a step that is to be stopped is given to leave a trace, and how often it is looked at.
const TRACE: (Duration, Duration) = (Duration::from_secs(3), Duration::from_millis(50));

/// What came of a case.
pub(super) struct Record {
    pub(super) folders: Folders,
    pub(super) heard: Heard,
    pub(super) rounds: Vec<PlayedRound>,
    /// As they came to the scripted provider.
    pub(super) requests: Vec<SeenRequest>,
    /// What the model was told of each call, by the program's own ids.
    pub(super) outputs: BTreeMap<String, String>,
    /// From the first message to the end of the last turn.
    pub(super) seconds: f64,
    /// What the history held when the session was opened for the last time, by number.
    pub(super) kept: BTreeMap<u64, Value>,
    /// The session that was harmed, and gone on with in a copy.
    pub(super) damaged: Option<Damaged>,
    /// What went wrong on the way, whatever the case expects.
    pub(super) faults: Vec<String>,
}

/// A reply that was given.
pub(super) struct PlayedRound {
    pub(super) steps: Vec<String>,
    /// Which request it answered, from 0.
    pub(super) request: usize,
    pub(super) reply: Reply,
    /// The workspace before it went out, and when its results were there.
    pub(super) before: Snapshot,
    pub(super) after: Option<Snapshot>,
}

impl PlayedRound {
    /// Whether this step of it is a call, and not a text or a written stream.
    pub(super) fn calls_for(&self, step: &str) -> bool {
        let is_it = |it: &Part| matches!(it, Part::Call(call) if call.id.as_deref() == Some(step));
        matches!(&self.reply, Reply::Answer(answer) if answer.parts.iter().any(is_it))
    }
}

/// Plays a case to its end.
pub(super) async fn play(evident: &Path, case: &Case) -> Result<Record> {
    let played = timeout(PATIENCE, Player::play(evident, case)).await;
    played.map_err(|_| format!("no end after {} s", PATIENCE.as_secs()))?
}

/// What is shown of a session.
struct History {
    /// In their order.
    events: Vec<Value>,
    /// What is told of what cannot be read.
    damage: Option<String>,
}

struct Player<'a> {
    evident: &'a Path,
    case: &'a Case,
    server: ScriptServer,
    app: App,
    session: Value,
    record: Record,
    /// How many requests are done with.
    asked: usize,
    /// Rounds that are left of an earlier turn, to be repeated in this one.
    repeated: Vec<Round<'a>>,
}

impl<'a> Player<'a> {
    async fn play(evident: &'a Path, case: &'a Case) -> Result<Record> {
        let Plan { turns, last } = plan::plan(&case.steps)?;
        let folders = Folders::new(&case.workspace)?;
        let server = ScriptServer::start(Script::waiting()).await?;
        let mut app = App::start(evident, &folders.home, &server.base_url())?;
        let new = json!({
            "type": "new_session", "workspace": folders.workspace(), "preset": preset(case),
        });
        let session = app.ask(new).await?["session"].take();
        let record = Record {
            folders,
            heard: Heard::default(),
            rounds: Vec::new(),
            requests: Vec::new(),
            outputs: BTreeMap::new(),
            seconds: 0.0,
            kept: BTreeMap::new(),
            damaged: None,
            faults: Vec::new(),
        };
        let mut player =
            Self { evident, case, server, app, session, record, asked: 0, repeated: Vec::new() };
        let started = Instant::now();
        for turn in turns {
            player.turn(turn).await?;
            player.record.seconds = started.elapsed().as_secs_f64();
        }
        for world in last {
            player.world(world).await?;
        }
        player.finish().await
    }

    async fn turn(&mut self, mut turn: PlannedTurn<'a>) -> Result<()> {
        for world in turn.before {
            self.world(world).await?;
        }
        let prompt = json!({ "type": "prompt", "session": self.session, "text": turn.prompt });
        let at = self.app.ask(prompt).await?["turn"].as_u64().ok_or("a turn without a number")?;
        let at = usize::try_from(at)?;
        let mut rounds = std::mem::take(&mut self.repeated);
        rounds.extend(turn.rounds);
        let mut rounds = rounds.into_iter().peekable();
        while self.record.heard.turns.get(at).is_none_or(|it| it.done.is_null()) {
            let noticed = tokio::select! {
                frame = self.app.frame() => self.record.heard.frame(frame?),
                seen = self.server.seen(self.asked + 1) => {
                    if seen.is_ok() {
                        self.keep_after()?;
                        self.asked += 1;
                        self.reply(at, self.asked - 1, rounds.next()).await?;
                    }
                    continue;
                }
            };
            match noticed {
                Noticed::Asked { step, permission } => self.answer(step, permission).await?,
                Noticed::Started { step } => match turn.during.remove(&*step) {
                    Some(During::Interrupt) => {
                        self.wait_for_trace().await?;
                        let stop = json!({ "type": "interrupt", "session": self.session });
                        self.app.ask(stop).await?;
                    }
                    Some(During::Restart(how)) => {
                        self.wait_for_trace().await?;
                        self.restart(how).await?;
                    }
                    None => {}
                },
                Noticed::TurnDone | Noticed::Nothing => {}
            }
        }
        for step in turn.during.into_keys() {
            self.record.faults.push(format!("{step} did not start, so nothing came while it ran"));
        }
        self.keep_after()?;
        self.asked = self.server.requests().len();
        while let Some(round) = rounds.next_if(|it| it.is_repeated) {
            self.repeated.push(round);
        }
        let outcome =
            self.record.heard.turns.get(at).map_or(&Value::Null, |it| &it.done["outcome"]);
        // The answer that a turn is given to end with is not always called for.
        let left = rounds.filter(|it| !it.steps.is_empty()).count();
        if outcome["is"] == "completed" && 0 < left {
            let turn = at + 1;
            self.record.faults.push(format!("turn {turn} ended {left} replies before its last"));
        }
        Ok(())
    }

    /// Answers a request, unless the program is ended before.
    async fn reply(&mut self, turn: usize, request: usize, round: Option<Round<'a>>) -> Result<()> {
        let Some(round) = round else {
            let error = r#"{"error":{"message":"the case has no more replies"}}"#;
            self.record.faults.push(format!("request {} has no reply in the case", request + 1));
            self.record.heard.replied(turn, Vec::new());
            return self.give(request, Vec::new(), Reply::status(500, error));
        };
        for world in &round.before {
            self.world(*world).await?;
            if matches!(world, World::Restart(_)) {
                return Ok(());
            }
        }
        let steps: Vec<_> = round.steps.iter().map(|it| it.id.clone()).collect();
        self.record.heard.replied(turn, steps.clone());
        self.give(request, steps, reply::reply(&round)?)
    }

    fn give(&mut self, request: usize, steps: Vec<String>, reply: Reply) -> Result<()> {
        let (before, given) = (self.record.folders.now()?, reply.clone());
        let round = PlayedRound { steps, request, reply, before, after: None };
        self.record.rounds.push(round);
        self.server.answer(request, given);
        Ok(())
    }

    /// Keeps how the workspace is when the results of the last reply are there.
    fn keep_after(&mut self) -> Result<()> {
        if let Some(round) = self.record.rounds.last_mut() {
            let now = self.record.folders.now()?;
            round.after.get_or_insert(now);
        }
        Ok(())
    }

    async fn answer(&mut self, step: Option<String>, permission: Value) -> Result<()> {
        let answer = step.and_then(|it| self.case.settings.answers.get(&it));
        let decision = match answer {
            Some(Answer::Allow) => "allow_once",
            Some(Answer::AllowSession) => "allow_session",
            Some(Answer::Deny) | None => "deny",
        };
        let answer = json!({
            "type": "answer", "session": self.session, "permission": permission, "decision": decision,
        });
        self.app.ask(answer).await?;
        Ok(())
    }

    /// Waits until the step that runs has changed the workspace and has come to rest, or is known to
    /// change nothing.
    async fn wait_for_trace(&self) -> Result<()> {
        let (most, pause) = TRACE;
        let end = Instant::now() + most;
        let Some(round) = self.record.rounds.last() else { return Ok(()) };
        let mut last = self.record.folders.now()?;
        while Instant::now() < end {
            sleep(pause).await;
            let now = self.record.folders.now()?;
            if now == last && now != round.before {
                break;
            }
            last = now;
        }
        Ok(())
    }

    async fn world(&mut self, world: World<'_>) -> Result<()> {
        match world {
            World::Change(change) => self.record.folders.change(change).await,
            World::Restart(how) => self.restart(how).await,
            World::Damage(how, harm) => self.damage(how, harm).await,
        }
    }

    /// Ends the program, starts it again and opens the same session. What it shows then it has shown
    /// before, unless it was killed; and what it had shown it shows.
    async fn restart(&mut self, how: How) -> Result<()> {
        self.end(how).await?;
        let heard: Vec<u64> = self.record.heard.events.keys().copied().collect();
        self.start()?;
        self.open().await?;
        for event in self.history().await?.events {
            self.keep(event);
        }
        if how == How::Quit && self.record.heard.events.len() != heard.len() {
            self.record.faults.push("the history holds events that were not shown".to_owned());
        }
        let gone = heard.iter().filter(|it| !self.record.kept.contains_key(it)).count();
        if 0 < gone {
            self.record.faults.push(format!("the history lacks {gone} events that were shown"));
        }
        Ok(())
    }

    async fn end(&mut self, how: How) -> Result<()> {
        for frame in self.app.end(how).await? {
            self.record.heard.frame(frame);
        }
        self.record.kept.clear();
        Ok(())
    }

    fn start(&mut self) -> Result<()> {
        let (home, url) = (&self.record.folders.home, self.server.base_url());
        self.app = App::start(self.evident, home, &url)?;
        Ok(())
    }

    async fn open(&mut self) -> Result<()> {
        let open = json!({
            "type": "open_session", "session": self.session, "preset": preset(self.case),
        });
        self.app.ask(open).await?;
        Ok(())
    }

    /// Returns all that is shown of the session.
    async fn history(&mut self) -> Result<History> {
        let history = json!({ "type": "history", "session": self.session, "count": 100 });
        let mut history = self.app.ask(history).await?;
        let turns = history["turns"].as_array_mut().ok_or("a history without turns")?;
        let events = |turn: &mut Value| turn["events"].as_array_mut().map(std::mem::take);
        let events = turns.iter_mut().rev().filter_map(events).flatten().collect();
        Ok(History { events, damage: history["damage"].as_str().map(str::to_owned) })
    }

    /// Takes an event of the history.
    fn keep(&mut self, event: Value) {
        self.record.kept.extend(event["seq"].as_u64().map(|seq| (seq, event.clone())));
        self.record.heard.event(event);
    }

    /// Holds what was said live against what is kept, and shows that the session can be gone on with.
    async fn finish(mut self) -> Result<Record> {
        self.record.requests = self.server.requests();
        self.server = ScriptServer::start(Script::new([Reply::text("I am here.")])).await?;
        self.restart(How::Quit).await.map_err(|why| format!("it cannot be opened again: {why}"))?;
        self.compare_results().await?;
        self.fetch_outputs().await?;
        let changed = self.record.damaged.as_ref().and_then(Damaged::change);
        self.record.faults.extend(changed);
        let more = json!({ "type": "prompt", "session": self.session, "text": "Are you there?" });
        self.app.ask(more).await.map_err(|why| format!("the next message is refused: {why}"))?;
        let outcome = loop {
            let mut kind = self.app.frame().await?["event"]["kind"].take();
            if kind["type"] == "turn_done" {
                break kind["outcome"].take();
            }
        };
        if outcome["is"] != "completed" {
            self.record.faults.push(format!("the next message came to {outcome}"));
        }
        self.app.end(How::Quit).await?;
        Ok(self.record)
    }

    async fn compare_results(&mut self) -> Result<()> {
        for at in 0..self.record.heard.turns.len() {
            let result = json!({ "type": "turn_result", "session": self.session, "turn": at });
            let result = self.app.ask(result).await?;
            let done = &self.record.heard.turns[at].done;
            if result["outcome"] != done["outcome"] || result["receipt"] != done["receipt"] {
                let turn = at + 1;
                let fault = format!("turn {turn} ended with {done}, and its result is {result}");
                self.record.heard.contradictions.push(fault);
            }
        }
        Ok(())
    }

    async fn fetch_outputs(&mut self) -> Result<()> {
        for call in &self.record.heard.calls {
            let detail = json!({ "type": "tool_detail", "session": self.session, "call": call.id });
            let detail = self.app.ask(detail).await?;
            let output = detail["output"].as_str().unwrap_or_default().to_owned();
            self.record.outputs.insert(call.id.clone(), output);
        }
        Ok(())
    }
}

fn preset(case: &Case) -> &'static str {
    match case.settings.approval {
        Approval::Auto => "danger-full-access",
        Approval::Ask => "read-only",
    }
}
