//! The outcome of one assertion, which is also the JSON object printed for it.
//!
//! The order of the fields is the order of the keys, and both are part of the interface.

use std::borrow::Cow;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;

use super::components::{ComponentReport, CycleMember, SpecificationRow};
use super::for_all::ForAllReport;
use super::json::json;
use super::message::{MessageReport, one_line};
use super::profile::ProfileRow;
use super::symmetry::{DetectionDescription, TypeSymmetry};

/// The outcome of one assertion.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AssertionReport {
    /// The file the assertion stands in, as it was named.
    pub file: String,
    /// The assertion as CSPm, without `assert` and without `not`; absent if the script could not be
    /// read.
    pub assertion: Option<String>,
    /// The kind of assertion; absent if the script could not be read.
    pub kind: Option<Kind>,
    /// `T`, `F`, `FD`...; absent where a model means nothing.
    pub model: Option<Cow<'static, str>>,
    /// True if it is an `assert not`.
    pub negated: bool,
    /// The verdict on the assertion, its negation taken into account.
    pub verdict: Verdict,
    /// `Check`, `SymCheck1`, `SymCheck2`, `SymCheck3`; absent if nothing was explored.
    pub algorithm: Option<Cow<'static, str>>,
    /// The representative function, where symmetry was used: `sortRep`, `sortRep, simultaneous`,
    /// `genRep`, `signature sort`, `minimal image`, `local search`, `product`.
    pub representative: Option<Cow<'static, str>>,
    /// Pairs of specification state and machine state that were reached, where symmetry was used
    /// only the representatives among them; absent if nothing was explored.
    pub states: Option<u64>,
    /// Transitions between these pairs.
    pub transitions: Option<u64>,
    /// Levels of the breadth-first search.
    pub levels: Option<u64>,
    /// The normal form of the specification; absent if it was not built.
    pub specification: Option<SpecificationReport>,
    /// The structured machine; absent if it was not built.
    pub machine: Option<MachineReport>,
    /// The symmetry group, where symmetry was used.
    pub symmetry: Option<SymmetryReport>,
    /// The behaviour that refutes what is asserted (under `not`: that proves the assertion).
    pub counterexample: Option<Counterexample>,
    /// The time that the stages took.
    pub seconds: Seconds,
    /// The bytes that the search stored at its end; absent if nothing was explored.
    pub memory_bytes: Option<u64>,
    /// The reason why there is no verdict, in one line that begins with the code of the message. Of
    /// `e :[symmetric]: T`, the permutation that changes e, and what it changes. Of a trace that a
    /// process does not have, how far the process can do it.
    pub message: Option<String>,
    /// Remarks on how the verdict came about, a sentence each.
    pub remarks: Vec<String>,
    /// Warnings that the assertion says less than it seems to, or that something in it never
    /// happens; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<MessageReport>,
    /// The states that the search kept on disk; left out if it kept nothing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskReport>,
    /// The bound on the memory; left out unless all numbers are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<MemoryLimitReport>,
    /// The work that was done, the longest first; left out unless it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<ProfileRow>>,
    /// All different counterexamples that were found, `counterexample` first; left out unless more
    /// than one is asked for, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexamples: Option<Vec<Counterexample>>,
    /// `fast`, `hybrid` or `precise`, if by partial order reduction only some of the transitions
    /// were followed; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_order: Option<Cow<'static, str>>,
    /// `terms` if the assertion was decided by a search of the terms themselves, of which nothing
    /// was compiled; `subsets` if the specification's sets of states were made as they were met;
    /// `dive` if it was decided by a dive; `local` if by groups of components; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Cow<'static, str>>,
    /// The groups of components by which it was proved that the process never deadlocks; left out
    /// unless these have decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<LocalReport>,
    /// The searches of the machine that did not decide, and their cost; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spent: Vec<SpentReport>,
    /// The way in which the assertion was decided for every value of a constant; left out unless
    /// that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_all: Option<ForAllReport>,
    /// True if an earlier run has decided the assertion, which took the time that is given here;
    /// otherwise left out.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub cached: bool,
}

impl AssertionReport {
    /// Notes what was `spent` in vain, with one entry for each strategy.
    pub fn spend(&mut self, spent: SpentReport) {
        let mut known = self.spent.iter_mut();
        match known.find(|known| known.strategy == spent.strategy) {
            None => self.spent.push(spent),
            Some(known) => {
                known.states += spent.states;
                known.transitions += spent.transitions;
                known.levels = known.levels.max(spent.levels);
            }
        }
    }
}

/// The cost of looking at groups of components in place of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LocalReport {
    /// The groups of two or three components that take part in steps together.
    pub groups: u64,
    /// The states of all these groups.
    pub states: u64,
    /// The clauses that say of a state that it is a deadlock, and that each group can be in its
    /// part of it.
    pub clauses: u64,
    /// The clauses that were derived from them until there was a contradiction.
    pub derived: u64,
}

/// The cost of searches that did not decide.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpentReport {
    /// `breadth first`, `reduced breadth first` or `dive`.
    pub strategy: Cow<'static, str>,
    /// States that were met.
    pub states: u64,
    /// Transitions that were followed.
    pub transitions: u64,
    /// Levels of a search breadth first; of dives the states on the longest path.
    pub levels: u64,
}

/// The memory that the program may take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MemoryLimitReport {
    /// The limit in bytes.
    pub bytes: u64,
    /// The source of the limit: `--memory-limit`, `machine`, `container`, `ulimit -v`, `ulimit -d`.
    pub from: Cow<'static, str>,
}

/// The states that a search kept on disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DiskReport {
    /// Bytes of all states.
    pub bytes: u64,
    /// The number of levels that were on disk before; absent unless the search went on with them.
    pub resumed: Option<u64>,
    /// The number of states that were on disk before, which this run did not have to find; absent
    /// unless the search went on with them.
    pub resumed_states: Option<u64>,
}

/// The kind of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub enum Kind {
    /// `Spec [M= Impl`
    #[serde(rename = "refinement")]
    Refinement,
    /// `P :[deadlock free]`
    #[serde(rename = "deadlock free")]
    DeadlockFree,
    /// `P :[divergence free]`
    #[serde(rename = "divergence free")]
    DivergenceFree,
    /// `P :[deterministic]`
    #[serde(rename = "deterministic")]
    Deterministic,
    /// `P :[has trace]: t`
    #[serde(rename = "has trace")]
    HasTrace,
    /// `e :[symmetric]: T`
    #[serde(rename = "symmetric")]
    Symmetric,
}

/// The verdict on an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The assertion holds.
    Pass,
    /// The assertion does not hold.
    Fail,
    /// The script or the call is wrong.
    Error,
    /// A limit or an unsupported feature left the assertion undecided.
    #[default]
    Unknown,
}

impl Verdict {
    /// The verdict on an assertion that holds or does not.
    pub fn of(holds: bool) -> Self {
        match holds {
            true => Verdict::Pass,
            false => Verdict::Fail,
        }
    }

    /// The verdict as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Error => "error",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The normal form of the specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationReport {
    /// Its states.
    pub states: u64,
}

/// The structured machine, in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MachineReport {
    /// The number of leaves.
    pub leaves: u64,
    /// The states of each leaf, in the order of the leaves.
    pub leaf_states: Vec<u64>,
    /// The number of synchronisation rules.
    pub rules: u64,
}

/// The symmetry group that a search used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryReport {
    /// The number of symmetries, the one that moves nothing included; decimal, of any size.
    pub order: String,
    /// The structure of the group: `S4`, `S3 × S2`, `S4 wr S3`...
    pub structure: String,
    /// Generators of the group, in cycles over the script's own names.
    pub generators: Vec<String>,
    /// True if no symmetry moves a state of the specification.
    pub universal: bool,
    /// The values of each type that may be renamed into each other.
    pub types: Vec<TypeSymmetry>,
    /// The end of the search for symmetries that needs no hint, if there was one.
    pub detection: Option<DetectionDescription>,
    /// True if all states that symmetries take to each other have one representative.
    pub unique: bool,
    /// The number of stored states beyond the number of orbits, if that is known.
    pub extra_states: Option<u64>,
}

/// A behaviour of the implementation that the specification does not allow.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Counterexample {
    /// The kind of behaviour.
    pub kind: CounterexampleKind,
    /// False if these are the steps of the compiled machine, which were not replayed by the rules
    /// of the operators because a limit was reached. Offers and acceptances may be absent then, and
    /// there is no `cycle`. Left out if the counterexample was replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// The visible events before what is wrong.
    pub trace: Vec<String>,
    /// The event that the specification does not allow: after `trace`, or of a revival, after a
    /// rest with `offers`. Of nondeterminism, the event that the process can both do and refuse.
    /// `✓` is termination. Absent in the other kinds.
    pub event: Option<String>,
    /// The events of `trace` with every internal step.
    pub trace_with_taus: Vec<TraceStep>,
    /// All events that are offered after `trace_with_taus`, of a refusal, a revival, a deadlock or
    /// nondeterminism. With `--termination signal` `✓` alone, if the process can terminate, because
    /// it may refuse the rest then.
    pub offers: Option<Vec<String>>,
    /// Of a refusal: the minimal acceptances of the specification after `trace`, one of which at
    /// least should be offered. Of a revival: the smallest with `event` of all its acceptances.
    pub acceptances: Option<Vec<Vec<String>>>,
    /// Of a divergence: the internal steps that are done again and again after `trace_with_taus`.
    pub cycle: Option<Vec<TraceStep>>,
    /// Of nondeterminism: another run with the same trace, and then `event`.
    pub other_trace_with_taus: Option<Vec<TraceStep>>,
    /// The steps of each component in `trace_with_taus` and then `event` or `cycle`; absent unless
    /// they were asked for.
    pub components: Option<Vec<ComponentReport>>,
    /// The steps of each component in `other_trace_with_taus`; absent unless they were asked for.
    pub other_components: Option<Vec<ComponentReport>>,
    /// Of a deadlock, a refusal, a revival or nondeterminism, which come to rest: components each
    /// of which waits for the next, and the last for the first; absent unless it was asked for,
    /// empty if there is no such circle.
    pub waiting_circle: Option<Vec<CycleMember>>,
    /// In the models of refusal testing: the rests of the process on the way, which count there;
    /// absent in other models.
    pub rests: Option<Vec<Rest>>,
    /// Of a deadlock: true if it is one because the process has terminated; absent in the other
    /// kinds.
    pub terminated: Option<bool>,
    /// The behaviour that the specification allows on the way; absent unless it was asked for, and
    /// where there is no specification.
    pub specification: Option<SpecificationRow>,
    /// A sentence that says what is wrong.
    pub sentence: String,
    /// The components that do `event`, of an event that is not allowed; absent unless several
    /// counterexamples are asked for.
    pub last_step_by: Option<Vec<String>>,
}

/// A place on the way at which a process was seen at rest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Rest {
    /// The step of `trace_with_taus` before which it was at rest, counted from 1.
    pub before: u64,
    /// All events that it offered there.
    pub offers: Vec<String>,
}

/// The sort of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CounterexampleKind {
    /// An event that is not allowed.
    #[default]
    Trace,
    /// Coming to rest with less on offer than is allowed.
    Refusal,
    /// An event done after coming to rest, with less on offer than is allowed for that event.
    Revival,
    /// Coming to rest with nothing on offer.
    Deadlock,
    /// Internal steps for ever.
    Divergence,
    /// Refusing what can also be done.
    Nondeterminism,
}

/// One step of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(into = "String", from = "String")]
pub enum TraceStep {
    /// An event, or `✓`.
    Visible(String),
    /// An internal step that no event stands behind, such as the resolution of `|~|`.
    Internal,
    /// An internal step that is this event, hidden.
    Hidden(String),
}

impl TraceStep {
    /// The step as text: `move.A.B`, `τ`, `τ (move.A.B)`.
    pub fn text(&self) -> String {
        match self {
            TraceStep::Visible(event) => event.clone(),
            TraceStep::Internal => "τ".to_string(),
            TraceStep::Hidden(event) => format!("τ ({event})"),
        }
    }
}

impl From<TraceStep> for String {
    fn from(step: TraceStep) -> Self {
        step.text()
    }
}

impl From<String> for TraceStep {
    /// The step of this text. No event begins with `τ`: all begin with the name of a channel.
    fn from(text: String) -> Self {
        let hidden = text.strip_prefix("τ (");
        let hidden = hidden.and_then(|rest| rest.strip_suffix(')'));
        match hidden.map(str::to_string) {
            Some(event) => TraceStep::Hidden(event),
            None if text == "τ" => TraceStep::Internal,
            None => TraceStep::Visible(text),
        }
    }
}

/// Wall-clock time by stage, in seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Seconds {
    /// Reading the script, up to the values of its constants; the same for all assertions of a
    /// script.
    pub load: f64,
    /// Building machine and normal form.
    pub compile: f64,
    /// Finding and verifying symmetries.
    pub symmetry: f64,
    /// The search.
    pub explore: f64,
    /// The sum of the other fields.
    pub total: f64,
    /// The stage of the work that was begun last.
    #[serde(skip)]
    pub under_way: WorkStage,
}

/// A stage of the work on an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WorkStage {
    /// Building machine and normal form.
    #[default]
    Compile,
    /// Finding and verifying symmetries.
    Symmetry,
    /// The search.
    Explore,
}

impl Seconds {
    /// The time of `stage`.
    pub fn of(&mut self, stage: WorkStage) -> &mut f64 {
        match stage {
            WorkStage::Compile => &mut self.compile,
            WorkStage::Symmetry => &mut self.symmetry,
            WorkStage::Explore => &mut self.explore,
        }
    }

    /// Adds the time of other work on the same assertion.
    pub fn add(&mut self, other: &Seconds) {
        self.compile += other.compile;
        self.symmetry += other.symmetry;
        self.explore += other.explore;
        self.total += other.compile + other.symmetry + other.explore;
    }
}

impl AssertionReport {
    /// The report on every value of a constant, if the assertion was to be decided for that and has
    /// a verdict.
    pub fn of_all_values(&self) -> Option<&ForAllReport> {
        let has_verdict = matches!(self.verdict, Verdict::Pass | Verdict::Fail);
        self.for_all.as_ref().filter(|_| has_verdict)
    }

    /// A report without a verdict about `file`, every number absent, to be filled in.
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            ..Self::default()
        }
    }

    /// This report without a verdict, because of `problem`.
    #[must_use]
    pub fn stopped_by(mut self, problem: &Diagnostic, sources: &SourceMap) -> Self {
        self.verdict = match problem.severity {
            Severity::Error => Verdict::Error,
            // Warnings stop nothing, and a latent mistake is made an error where its declaration is
            // asked about.
            Severity::Undecided | Severity::Warning | Severity::Latent => Verdict::Unknown,
        };
        self.message = Some(one_line(problem, sources));
        self
    }

    /// Leaves out what each component did in counterexamples, and what the specification allowed.
    pub fn leave_out_explanations(&mut self) {
        let all = self.counterexamples.iter_mut().flatten();
        for counterexample in self.counterexample.iter_mut().chain(all) {
            counterexample.components = None;
            counterexample.other_components = None;
            counterexample.waiting_circle = None;
            counterexample.specification = None;
        }
    }

    /// The assertion with `not`, as the text output names it.
    pub fn title(&self) -> String {
        let not = if self.negated { "not " } else { "" };
        match &self.assertion {
            Some(assertion) => format!("assert {not}{assertion}"),
            None => self.file.clone(),
        }
    }

    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}

#[cfg(test)]
pub(crate) mod tests;
