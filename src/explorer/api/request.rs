//! The contents of a request.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use base::diag::Diagnostic;
use checker::{
    Definition, Error, GraphOptions, Options, PATIENT_LEAF_STATES, Script, Subject, WalkSubject,
};
use report::breaking::MutationKind;
use report::game::GameSide;
use report::graph::{GraphOverview, StateGraph};

use host::arguments::values::{definition, model};
use host::arguments::{OverviewWish, RequestOptions, compression};
use host::files::Files;
use host::memory::Memory;
use host::selection;

/// A request, as it was sent. The manual lists the keys that each method needs.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct ApiRequest {
    /// The id, which comes back in the answer. It is read before the request, so that every answer
    /// has it.
    #[serde(default, rename = "id")]
    _id: Value,
    pub(super) method: ApiMethod,
    /// The script; `lsp`, and what names a script or machine that is kept, need none.
    #[serde(default)]
    pub(super) file: String,
    /// Instead of `file`, `files` and `definitions`: the number of a script that is kept.
    pub(super) script: Option<u64>,
    /// Of `transitions`, `alphabet` and `close`: the number of a machine that is kept.
    pub(super) machine: Option<u64>,
    /// Of `transitions`: the number of a node.
    pub(super) node: Option<usize>,
    /// Texts by file name, which are read instead of files on the disk.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    /// `NAME=EXPR`, as for `-D`.
    #[serde(default)]
    pub(super) definitions: Vec<String>,
    /// A process, as CSPm.
    pub(super) process: Option<String>,
    /// An assertion, by its number from 1 or a part of its text.
    pub(super) assertion: Option<AssertionPick>,
    /// Instead of `assertion`: one that does not stand in the script, as CSPm.
    pub(super) asserted: Option<String>,
    /// Of `evaluate` and `type`: the expression.
    expression: Option<String>,
    /// Of `check_all`: the assertions that are decided; all, if it is not given.
    assertions: Option<Vec<AssertionPick>>,
    /// The names of the steps of a walk.
    pub(super) path: Option<Vec<String>>,
    /// Of `at`: the number of steps at the start that the answer leaves out.
    pub(super) from: Option<usize>,
    /// The event of the question.
    pub(super) event: Option<String>,
    /// Of `orbit`: a permutation that moves the walk, in cycles.
    pub(super) apply: Option<String>,
    /// Of `graph`: true if the states of a check are wanted, each with its orbit.
    #[serde(default)]
    pub(super) orbits: bool,
    /// Of `check` and `check_all`: true if the views are wanted that decide it for every value of a
    /// constant.
    #[serde(default)]
    views: bool,
    /// Of `check` and `check_all`: the constant for every value of which assertions are decided, as
    /// for `--for-all`.
    for_all: Option<String>,
    /// True if symmetries have to fix the initial states.
    #[serde(default)]
    fix_initial: bool,
    /// True if a drawing is wanted too.
    #[serde(default)]
    pub(super) drawing: bool,
    /// Of `graph`: the most states of the graph.
    pub(super) max: Option<usize>,
    /// Of `graph`: the most steps of a state from the start.
    pub(super) depth: Option<usize>,
    /// Of `graph`: the compression of the whole process, by its name in CSPm.
    compression: Option<String>,
    /// Of `graph`: what puts states together in the drawing.
    overview: Option<OverviewWish>,
    /// Of `graph`: the groups whose states are drawn all the same.
    #[serde(default)]
    expanded: Vec<usize>,
    /// Of `graph`: the format in which the graph is wanted as a text too.
    pub(super) format: Option<TextFormat>,
    /// Of `at`, instead of a path: the number of a state in the graph of the process.
    pub(super) state: Option<usize>,
    /// Of `symmetry` and `game`, instead of an assertion: the specification.
    pub(super) specification: Option<String>,
    /// Of `symmetry` and `game`, instead of an assertion: the implementation.
    pub(super) implementation: Option<String>,
    /// Of `lab`: the task that is to be checked. Of a walk: the task of a lab along whose
    /// counterexample it goes.
    pub(super) task: Option<u32>,
    /// Of `lab`: answers by the names of predictions, which go into the script.
    #[serde(default)]
    pub(super) predictions: BTreeMap<String, String>,
    /// Of `symmetry_diff`: the kind of changes, all of which are tried.
    pub(super) mutation: Option<MutationKind>,
    /// Of `symmetry_diff`: the edited script, as texts by file name.
    pub(super) files_after: Option<BTreeMap<String, String>>,
    /// Of `leaf`: the name of a component.
    pub(super) component: Option<String>,
    /// Of `game`, instead of an assertion and a side: the name of a game of the script's lab.
    pub(super) game: Option<String>,
    /// Of `game`: the side of the student.
    #[serde(default = "attacker")]
    pub(super) side: GameSide,
    /// Of `game`: the names of the student's moves.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// Of `game`: true if help with the next move is wanted.
    #[serde(default)]
    pub(super) hint: bool,
    /// Of `lsp`: the messages of the editor.
    #[serde(default)]
    pub(super) messages: Vec<Value>,
    /// The model of refinements.
    model: Option<String>,
    /// The time that the work may take, in seconds.
    timeout: Option<f64>,
    /// Of `check_all`: the time that each assertion may take, in seconds.
    timeout_each: Option<f64>,
    /// Options of `check`, as words of the command line.
    #[serde(default, rename = "options")]
    words: Vec<String>,
    /// True if lines about the work are wanted before the answer.
    #[serde(default)]
    pub(super) progress: bool,
    /// Of `stop`: the id of the request whose work is to end.
    pub(super) stops: Option<Value>,
    /// The number of states that a check may store.
    max_states: Option<u64>,
    /// True if the work has no limits but those that the request names.
    #[serde(default)]
    unlimited: bool,
}

/// All that options for deciding are made from.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AskedOptions {
    words: Vec<String>,
    model: Option<String>,
    for_all: Option<String>,
    views: bool,
    fix_initial: bool,
    explain: bool,
    max_states: Option<u64>,
    unlimited: bool,
}

/// The method of a request.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum ApiMethod {
    At,
    Why,
    Save,
    Assertions,
    Problems,
    Check,
    CheckAll,
    Stop,
    Machine,
    Channels,
    Graph,
    Symmetry,
    Orbit,
    SymmetryDiff,
    Twisted,
    Leaf,
    Lsp,
    Lab,
    Game,
    Load,
    Close,
    Assertion,
    Evaluate,
    Type,
    Open,
    Run,
    Transitions,
    Alphabet,
}

/// The choice of an assertion.
#[derive(Deserialize, Debug)]
#[serde(
    untagged,
    expecting = "`assertion` is a number, counted from 1, or a part of its text"
)]
pub(super) enum AssertionPick {
    Number(u64),
    Text(String),
}

/// A format in which a graph is wanted as a text.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum TextFormat {
    Aut,
    Dot,
}

/// The time that a request may take that gives none.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of states that a check may store where the request gives none.
const MAX_STATES: u64 = 10_000_000;

/// The side of a student whose request names none.
fn attacker() -> GameSide {
    GameSide::Attacker
}

impl ApiRequest {
    /// The length that the work may have. A walk that begins at a counterexample has to search for
    /// it.
    pub(super) fn takes(&self) -> WorkLength {
        let is_long = match self.method {
            ApiMethod::At | ApiMethod::Why | ApiMethod::Save => {
                self.assertion.is_some() && self.path.is_none() || self.state.is_some()
            }
            ApiMethod::Lab => self.task.is_some(),
            ApiMethod::Lsp => return WorkLength::Editor,
            ApiMethod::Assertions
            | ApiMethod::Problems
            | ApiMethod::Stop
            | ApiMethod::Load
            | ApiMethod::Close
            | ApiMethod::Assertion
            | ApiMethod::Type => false,
            ApiMethod::Check | ApiMethod::CheckAll => return WorkLength::Longest,
            ApiMethod::Machine
            | ApiMethod::Channels
            | ApiMethod::Graph
            | ApiMethod::Symmetry
            | ApiMethod::Orbit
            | ApiMethod::SymmetryDiff
            | ApiMethod::Twisted
            | ApiMethod::Leaf
            | ApiMethod::Game
            | ApiMethod::Evaluate
            | ApiMethod::Open
            | ApiMethod::Run
            | ApiMethod::Transitions
            | ApiMethod::Alphabet => true,
        };
        match is_long {
            true => WorkLength::Long,
            false => WorkLength::Short,
        }
    }

    /// True if assertions are decided: each in a turn of its own, with bounds of its own.
    pub(super) fn is_check(&self) -> bool {
        matches!(self.method, ApiMethod::Check | ApiMethod::CheckAll)
    }

    /// True if the walk is one along the counterexample of a lab's task.
    pub(super) fn is_walk_in_lab(&self) -> bool {
        let walks = [ApiMethod::At, ApiMethod::Why];
        self.task.is_some() && walks.contains(&self.method)
    }

    /// True if the question is about nothing but what a number stands for.
    pub(super) fn is_about_kept(&self) -> bool {
        let about = [
            ApiMethod::Close,
            ApiMethod::Transitions,
            ApiMethod::Alphabet,
        ];
        about.contains(&self.method)
    }

    /// The number of the script that is kept, if the request is about one.
    pub(super) fn kept_script(&self) -> Result<Option<u64>, Error> {
        let names_text = [
            (!self.file.is_empty(), "file"),
            (!self.files.is_empty(), "files"),
            (!self.definitions.is_empty(), "definitions"),
        ];
        let of_text = [
            ApiMethod::Load,
            ApiMethod::Problems,
            ApiMethod::Lab,
            ApiMethod::SymmetryDiff,
            ApiMethod::Lsp,
        ];
        if self.script.is_none() {
            return Ok(None);
        }
        if of_text.contains(&self.method) || self.is_walk_in_lab() || self.game.is_some() {
            return Err(bad("this method needs the key `file`, not `script`"));
        }
        match names_text.iter().find(|(is_there, _)| *is_there) {
            Some((_, key)) => Err(bad(&format!("give `script` or `{key}`, not both"))),
            None => Ok(self.script),
        }
    }

    /// The expression that the method needs.
    pub(super) fn expression(&self) -> Result<&str, Error> {
        needed(self.expression.as_deref(), "expression")
    }

    /// The number of the machine that the method needs.
    pub(super) fn machine(&self) -> Result<u64, Error> {
        needed(self.machine.as_ref(), "machine").copied()
    }

    /// The number of the node that the method needs.
    pub(super) fn node(&self) -> Result<usize, Error> {
        needed(self.node.as_ref(), "node").copied()
    }

    /// The name of the script, which has to be a file that may be read according to `files`.
    pub(super) fn script(&self, files: &Files) -> Result<&str, Error> {
        let file = Some(&self.file[..]).filter(|file| !file.is_empty());
        let file = needed(file, "file")?;
        if file == "-" && !self.files.contains_key("-") {
            return Err(bad("`file` names a script; requests have standard input"));
        }
        if let Some((message, hint)) = files.outside(file) {
            return Err(Diagnostic::error("unreadable-file", message)
                .hint(hint)
                .into());
        }
        Ok(file)
    }

    /// The process that the method needs.
    pub(super) fn process(&self) -> Result<&str, Error> {
        needed(self.process.as_deref(), "process")
    }

    /// The event that the method needs.
    pub(super) fn event(&self) -> Result<&str, Error> {
        needed(self.event.as_deref(), "event")
    }

    /// The index of the assertion of `script` that is picked.
    pub(super) fn picked(&self, script: &Script) -> Result<usize, Error> {
        if self.is_asserted()? {
            // It was added to the script, behind all others.
            return Ok(script.assertions().len() - 1);
        }
        needed(self.assertion.as_ref(), "assertion")?.of(&script.assertions())
    }

    /// The indices of the assertions of `script` that are picked.
    pub(super) fn all_picked(&self, script: &Script) -> Result<Vec<usize>, Error> {
        let all = script.assertions();
        if self.is_asserted()? {
            return Ok(vec![all.len() - 1]);
        }
        match &self.assertions {
            Some(picks) => picks.iter().map(|pick| pick.of(&all)).collect(),
            None => Ok((0..all.len()).collect()),
        }
    }

    /// True if the assertion is one that does not stand in the script.
    fn is_asserted(&self) -> Result<bool, Error> {
        let is_twice = self.assertion.is_some() || self.assertions.is_some();
        match self.asserted.is_some() {
            true if is_twice => Err(bad("give `assertion` or `asserted`, not both")),
            is_asserted => Ok(is_asserted),
        }
    }

    /// The process or assertion that is walked.
    pub(super) fn walked(&self, script: &Script) -> Result<WalkSubject<'_>, Error> {
        let is_asserted = self.asserted.is_some() || self.assertion.is_some();
        match (&self.process, is_asserted) {
            (Some(process), false) => Ok(WalkSubject::Process(process)),
            (None, true) => self.picked(script).map(WalkSubject::Assertion),
            _ => Err(bad("give `process` or `assertion`, one of the two")),
        }
    }

    /// The refinement whose check, symmetries or game are asked for.
    pub(super) fn subject(&self, script: &Script) -> Result<Subject<'_>, Error> {
        if self.assertion.is_some() || self.asserted.is_some() {
            return self.picked(script).map(Subject::Assertion);
        }
        Ok(Subject::Refinement {
            specification: needed(self.specification.as_deref(), "specification")?,
            implementation: needed(self.implementation.as_deref(), "implementation")?,
        })
    }

    /// The part of a graph that is wanted, with at most `most` states.
    pub(super) fn graph_options(&self, most: usize) -> Result<GraphOptions, Error> {
        let compression = self.compression.as_deref().map(compression).transpose();
        let compression = compression.map_err(|why| bad(&format!("`compression`: {why}")))?;
        if self.orbits && compression.is_some() {
            return Err(bad("a graph has `orbits` or a `compression`, not both"));
        }
        Ok(GraphOptions {
            most_states: Some(most),
            depth: self.depth,
            compression,
            ..GraphOptions::default()
        })
    }

    /// The states that a drawing of `graph` puts together.
    pub(super) fn overview(&self, graph: &StateGraph) -> GraphOverview {
        OverviewWish::overview(self.overview, graph, self.expanded.clone())
    }

    /// The definitions. Fails with the first one that is none.
    pub(super) fn definitions(&self) -> Result<Vec<Definition>, String> {
        let definitions = self.definitions.iter();
        definitions.map(|text| definition(text)).collect()
    }

    /// The options by which the question is decided, and the bounds on the memory of the work.
    pub(super) fn options(&self) -> Result<(Options, Memory), String> {
        let written = RequestOptions::read(&self.words);
        let written = written.map_err(|why| format!("`options`: {why}"))?;
        let memory = written.memory();
        let written = written.options(&memory);
        let model = self.model.as_deref().map(model).transpose()?;
        let for_all = self.for_all.as_deref().map(str::parse);
        if for_all.is_some() && !self.is_check() {
            return Err("`for_all` is a key of the methods `check` and `check_all`".to_string());
        }
        let limit = |limit| (!self.unlimited).then_some(limit);
        let max_states = self.max_states.or(written.max_states);
        let options = Options {
            for_all: for_all.transpose()?,
            model: model.or(written.model),
            max_states: max_states.or(limit(MAX_STATES)),
            max_leaf_states: written.max_leaf_states.or(limit(PATIENT_LEAF_STATES)),
            explain: self.is_check(),
            fix_initial: self.fix_initial || written.fix_initial,
            lists_views: self.views,
            ..written
        };
        Ok((options, memory))
    }

    /// All that [`Self::options`] are made from.
    pub(super) fn asked_options(&self) -> AskedOptions {
        AskedOptions {
            words: self.words.clone(),
            model: self.model.clone(),
            for_all: self.for_all.clone(),
            views: self.views,
            fix_initial: self.fix_initial,
            explain: self.is_check(),
            max_states: self.max_states,
            unlimited: self.unlimited,
        }
    }

    /// The time that the work may take.
    pub(super) fn times(&self) -> Result<WorkTimes, String> {
        let is_all = self.method == ApiMethod::CheckAll;
        if self.timeout_each.is_some() && !is_all {
            return Err("`timeout_each` is a key of the method `check_all`".to_string());
        }
        let whole = self
            .timeout
            .map(|time| seconds("timeout", time))
            .transpose()?;
        let each = self
            .timeout_each
            .map(|time| seconds("timeout_each", time))
            .transpose()?;
        let limit = (!self.unlimited).then_some(TIMEOUT);
        Ok(match is_all {
            true => WorkTimes {
                whole,
                each: each.or(limit),
            },
            false => WorkTimes {
                whole: whole.or(limit),
                each: None,
            },
        })
    }
}

/// The lengths that work may have. Each has a thread of its own where several requests are answered
/// at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum WorkLength {
    /// It is about the text that is being written.
    Editor,
    /// It is quick.
    Short,
    /// It compiles or searches, for one answer.
    Long,
    /// It decides assertions, perhaps all of them.
    Longest,
}

/// The times that the work on a request may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WorkTimes {
    pub(super) whole: Option<Duration>,
    /// The time for each assertion.
    pub(super) each: Option<Duration>,
}

/// The time of so many seconds, which the key `key` has.
fn seconds(key: &str, time: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(time).map_err(|_| format!("`{key}` is no number of seconds"))
}

impl AssertionPick {
    /// The index of the one among `assertions` that is picked.
    fn of(&self, assertions: &[String]) -> Result<usize, Error> {
        let wanted = match self {
            AssertionPick::Number(number) => &number.to_string(),
            AssertionPick::Text(text) => text,
        };
        selection::only(wanted, assertions)
    }
}

fn needed<'r, T: ?Sized>(key: Option<&'r T>, name: &str) -> Result<&'r T, Error> {
    key.ok_or_else(|| bad(&format!("this method needs the key `{name}`")))
}

/// The message that something is no request, for this `reason`.
pub(super) fn bad(reason: &str) -> Error {
    Diagnostic::error("bad-request", format!("this is no request: {reason}"))
        .hint("`cspsym help requests` lists the methods and what each needs")
        .into()
}
