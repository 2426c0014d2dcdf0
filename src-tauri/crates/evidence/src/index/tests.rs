use proptest::prelude::*;
use protocol::{Fingerprint, Limits, ReadIntent, RootId};

use super::*;
use crate::{
    gate::WriteKind,
    observation::{EvidenceTarget, Splice, TargetPart, Written},
    read::source::SourceKind,
};

fn bounds() -> Bounds {
    Bounds { page_lines: 4, ..Bounds::of(&Limits::default()) }
}

fn path(name: &str) -> WorkspacePath {
    WorkspacePath::new(RootId(0), name).expect("a path")
}

/// One file of the world: its lines, or nothing.
#[derive(Clone, Debug)]
struct World {
    path: WorkspacePath,
    lines: Option<Vec<String>>,
}

impl World {
    fn version(&self) -> Version {
        let Some(lines) = &self.lines else { return Version::Absent };
        let mut bytes = [0_u8; 32];
        let text = lines.join("\n");
        for (at, byte) in text.bytes().enumerate() {
            bytes[at % 32] = bytes[at % 32].wrapping_mul(31).wrapping_add(byte);
        }
        Version::Present(Fingerprint(bytes))
    }

    fn snapshot(&self) -> Option<Snapshot> {
        match self.version() {
            Version::Absent => None,
            Version::Present(bytes) => Some(Snapshot::of(SourceKind::Disk, &self.path, bytes)),
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Read { file: usize, intent: Option<ReadIntent>, offset: u32, limit: Option<u32>, cut: usize },
    Follow { file: usize },
    Edit { file: usize, line: usize },
    Create { file: usize },
    LoseTrack { file: usize },
    Outside { file: usize, line: usize },
    Delete { file: usize },
    Move { from: usize, to: usize },
    Answer,
    Turn,
}

fn any_step() -> impl Strategy<Value = Step> {
    let file = 0..2_usize;
    prop_oneof![
        5 => (file.clone(), prop::option::of(Just(ReadIntent::Full)), 0..9_u32, prop::option::of(1..6_u32), 0..40_usize)
            .prop_map(|(file, intent, offset, limit, cut)| Step::Read { file, intent, offset, limit, cut }),
        3 => file.clone().prop_map(|file| Step::Follow { file }),
        2 => (file.clone(), 0..9_usize).prop_map(|(file, line)| Step::Edit { file, line }),
        1 => file.clone().prop_map(|file| Step::Create { file }),
        1 => file.clone().prop_map(|file| Step::LoseTrack { file }),
        2 => (file.clone(), 0..9_usize).prop_map(|(file, line)| Step::Outside { file, line }),
        1 => file.clone().prop_map(|file| Step::Delete { file }),
        1 => (file.clone(), file).prop_map(|(from, to)| Step::Move { from, to }),
        4 => Just(Step::Answer),
        1 => Just(Step::Turn),
    ]
}

/// A session over two files, and what it was told of them.
struct Play {
    index: EvidenceIndex,
    world: Vec<World>,
    cursors: Vec<Option<String>>,
    /// What was asked for of which version in this turn, since it is as it is.
    asked: Vec<(usize, Snapshot, LineRange)>,
    calls: u32,
    turn: u32,
}

impl Play {
    fn new() -> Self {
        let file = |name: &str| World {
            path: path(name),
            lines: Some((0..9).map(|it| format!("{name} {it}")).collect()),
        };
        let mut index =
            EvidenceIndex::new(SessionId::from_bits(1), bounds(), Limits::default().page_lines);
        index.begin_turn(TurnId(0), Binding::of([1; 4]), EvidenceMode::Coverage);
        index.begin_batch();
        let world = vec![file("a"), file("b")];
        Self { index, world, cursors: vec![None, None], asked: Vec::new(), calls: 0, turn: 0 }
    }

    fn read(&mut self, file: usize, ask: ReadAsk, cut: usize) {
        self.calls += 1;
        let call = ToolCallId::minted(format!("call{}", self.calls));
        let token = ReceiptId::minted(format!("r_{}", self.calls));
        let Ok(fetch) = self.index.admit(ask) else { return };
        let world = &self.world[file];
        let Some(all) = &world.lines else {
            self.index.reads().failed(&fetch);
            self.index.absent(world.path.clone(), call, token);
            return self.asked.retain(|it| it.0 != file);
        };
        if fetch.must_be.is_some_and(|it| world.snapshot() != Some(it)) {
            self.index.reads().changed(&fetch);
            return;
        }
        let first = (fetch.offset as usize).min(all.len());
        let end = (first + fetch.limit.unwrap_or(4) as usize).min(all.len());
        let lines: Vec<&str> = all[first..end].iter().map(String::as_str).collect();
        let numbered: Vec<String> =
            (first + 1..).zip(&lines).map(|(at, it)| format!("{at}\t{it}")).collect();
        let text = numbered.join("\n");
        // Now and then something between the host and the model cuts a page.
        let text = protocol::head(&text, text.len().saturating_sub(cut.saturating_sub(30)));
        let eof = end == all.len();
        let page = PageSeen {
            path: world.path.clone(),
            known: Known::Version(world.version()),
            snapshot: world.snapshot(),
            first: first as u32,
            lines: &lines,
            eof,
            source_end: Some(all.len() as u32),
            took: Duration::ZERO,
            room: Room { window_tokens: Some(100_000), ..Room::default() },
        };
        let recorded = self.index.delivered(&fetch, (call, token), &page, text);
        self.cursors[file] = recorded.progress.cursor;
        // A question of no lines in particular is met by those that came.
        let asked = match fetch.intent {
            ReadIntent::Inspect => recorded.lines,
            ReadIntent::Range | ReadIntent::Full => LineRange::new(first as u32, end as u32),
        };
        let snapshot = self.world[file].snapshot();
        // A read belongs to one version, and is begun anew with another.
        self.asked.retain(|it| it.0 != file || Some(it.1) == snapshot);
        self.asked.extend(snapshot.map(|it| (file, it, asked)));
    }

    fn ask(&self, file: usize) -> ReadAsk {
        let path = self.world[file].path.clone();
        let shown = path.relative().to_owned();
        ReadAsk { path, shown, intent: None, offset: None, limit: None, cursor: None }
    }

    fn target(&self, file: usize, lines: LineRange, is_whole: bool) -> EvidenceTarget {
        let world = &self.world[file];
        let all = world.lines.as_deref().unwrap_or_default();
        let texts = &all[lines.start as usize..lines.end as usize];
        let hashes = texts.iter().map(|it| LineHash::of(it)).collect();
        let part = TargetPart { first: lines.start, hashes };
        let parts = Some(part).filter(|it| !it.hashes.is_empty()).into_iter().collect();
        EvidenceTarget { snapshot: world.snapshot(), is_whole, parts }
    }

    fn request(&self, file: usize, kind: WriteKind, lines: LineRange) -> WriteRequest {
        let world = &self.world[file];
        WriteRequest {
            path: world.path.clone(),
            shown: "a".to_owned(),
            kind,
            target: Some(self.target(file, lines, false)),
            current: world.version(),
            stamp: None,
            cites: None,
            is_rebuild: false,
        }
    }

    fn write(&mut self, file: usize, kind: WriteKind, range: LineRange, lines: Vec<String>) {
        let request = self.request(file, kind, range);
        let before = request.current;
        if let Verdict::Permit(_) = self.index.check_write(request) {
            let all = self.world[file].lines.get_or_insert_default();
            let after = lines.iter().map(|it| LineHash::of(it)).collect();
            all.splice(range.start as usize..range.end as usize, lines);
            let lines = Written::Lines(vec![Splice { before: range, after }]);
            let after = self.world[file].version();
            self.index.written(self.world[file].path.clone(), OwnWrite { before, after, lines });
            self.asked.retain(|it| it.0 != file);
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Read { file, intent, offset, limit, cut } => {
                let window = intent.is_none() && limit.is_some();
                let offset = window.then_some(offset);
                let limit = limit.filter(|_| window);
                self.read(file, ReadAsk { intent, offset, limit, ..self.ask(file) }, cut);
            }
            Step::Follow { file } => {
                let cursor = self.cursors[file].clone();
                self.read(file, ReadAsk { cursor, ..self.ask(file) }, 0);
            }
            Step::Edit { file, line } => {
                let Some(lines) = self.world[file].lines.clone() else { return };
                let at = line.min(lines.len().saturating_sub(1));
                let Some(text) = lines.get(at) else { return };
                let range = LineRange::new(at as u32, at as u32 + 1);
                self.write(file, WriteKind::Edit, range, vec![format!("{text}e")]);
            }
            Step::Create { file } => {
                let nothing = LineRange::new(0, 0);
                self.write(file, WriteKind::Create, nothing, vec!["new".to_owned(); 3]);
            }
            Step::LoseTrack { file } => {
                self.index.forget(&self.world[file].path.clone());
                self.asked.retain(|it| it.0 != file);
            }
            Step::Outside { file, line } => {
                let lines = self.world[file].lines.get_or_insert_default();
                let at = line.min(lines.len());
                lines.insert(at, "outside".to_owned());
            }
            Step::Delete { file } => self.world[file].lines = None,
            Step::Move { from, to } => {
                let lines = self.world[from].lines.take();
                self.world[to].lines = lines;
            }
            Step::Answer => self.index.begin_batch(),
            Step::Turn => {
                self.turn += 1;
                self.asked.clear();
                let binding = Binding::of([u64::from(self.turn); 4]);
                self.index.begin_turn(TurnId(self.turn), binding, EvidenceMode::Coverage);
                self.index.begin_batch();
            }
        }
    }
}

/// B3, RE-13: a page that was cut delivers the lines that the model got whole, proves neither its own
/// end nor the file's, and its cursor begins at the first line that is not delivered.
#[test]
fn b3_a_page_that_was_cut_proves_no_end() {
    let mut play = Play::new();
    let lines = ["alpha", "beta"];
    let full = ReadAsk { intent: Some(ReadIntent::Full), ..play.ask(0) };
    let fetch = play.index.admit(full).expect("it may be read");
    let page = PageSeen {
        path: path("a"),
        known: Known::Version(play.world[0].version()),
        snapshot: play.world[0].snapshot(),
        first: 0,
        lines: &lines,
        eof: true,
        source_end: Some(2),
        took: Duration::ZERO,
        room: Room { window_tokens: Some(100_000), ..Room::default() },
    };
    let ids = |number: u32| {
        let call = ToolCallId::minted(format!("call{number}"));
        (call, ReceiptId::minted(format!("r_{number}")))
    };
    let (cut, whole) = (page.delivery(1), page.delivery(2));
    assert_eq!(
        ((cut.eof, cut.source_end), (whole.eof, whole.source_end)),
        ((false, None), (true, Some(2)))
    );
    let recorded = play.index.delivered(&fetch, ids(1), &page, "1\talpha\n2\tbet");
    assert_eq!((recorded.lines, recorded.is_cut), (LineRange::new(0, 1), true));
    let status = recorded.progress.statuses.last().expect("a row");
    assert_eq!((status.has_more, status.source_end), (true, None));
    assert!(!play.index.is_satisfied(&path("a"), page.snapshot.expect("a version")));

    let (hint, _) = play.index.reads().hint();
    assert_eq!(hint.map(|it| it.missing), Some(vec![LineRange::new(1, 5)]), "a page");

    let cursor = recorded.progress.cursor;
    let fetch = play.index.admit(ReadAsk { cursor, ..play.ask(0) }).expect("it was issued");
    assert_eq!((fetch.offset, fetch.must_be), (1, page.snapshot));
    let rest = PageSeen { first: 1, lines: &lines[1..], ..page };
    let recorded = play.index.delivered(&fetch, ids(2), &rest, "2\tbeta");
    assert_eq!((recorded.lines, recorded.is_cut), (LineRange::new(1, 2), false));
    assert!(play.index.is_satisfied(&path("a"), rest.snapshot.expect("a version")));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// DEC-4, RE-35: of what a read calls satisfied, a write calls nothing outstanding.
    #[test]
    fn what_is_satisfied_is_not_outstanding(steps in prop::collection::vec(any_step(), 1..60)) {
        let mut play = Play::new();
        for step in steps {
            play.step(step);
            for file in 0..2 {
                let world = &play.world[file];
                let Some(snapshot) = world.snapshot() else { continue };
                if !play.index.is_satisfied(&world.path, snapshot) {
                    continue;
                }
                // The model can act on it in its next answer.
                let batch = play.index.batch;
                play.index.begin_batch();
                for (_, _, lines) in play.asked.iter().filter(|it| (it.0, it.1) == (file, snapshot)) {
                    let request = play.request(file, WriteKind::Edit, *lines);
                    let verdict = play.index.check_write(request);
                    prop_assert!(matches!(verdict, Verdict::Permit(_)), "{:?}", verdict);
                }
                play.index.batch = batch;
            }
        }
    }

    /// RE-31, RE-32, RE-34: lines are said to stand before the model only if they were delivered in
    /// an earlier answer, of this version, and not before a write of the file.
    #[test]
    fn only_what_was_delivered_is_called_shown(steps in prop::collection::vec(any_step(), 1..60)) {
        let mut play = Play::new();
        for step in steps {
            play.step(step);
            for (file, world) in play.world.iter().enumerate() {
                let (Some(snapshot), Some(lines)) = (world.snapshot(), &world.lines) else { continue };
                let all = LineRange::new(0, lines.len() as u32);
                let target = play.target(file, all, true);
                if play.index.shown_by(&world.path, snapshot, all).is_some() {
                    let missing = play.index.seen.missing(&world.path, play.index.batch, &target, None);
                    prop_assert!(missing.is_empty(), "{:?}", missing);
                }
            }
        }
    }
}
