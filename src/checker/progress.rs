//! The progress of the work on a question, for those who wait for it.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use base::cancel::Phase;
use base::diag::Diagnostic;
use base::excerpt::shortened;
use base::number::{bytes, counted, per_second, thousands};
use refine::check::{SearchProgress, SearchWay, Statistics};
use report::assertion::{AssertionReport, DiskReport};
use report::profile::ProfileRow;

use super::options::Strategy;
use super::profile::Profile;

/// A message about memory mentions the search for divergence if that takes more than one part in
/// this many of the memory of a search.
const MUCH: u64 = 4;

/// The most characters of a name in progress lines and messages; a longer name is cut.
const LONGEST_NAME: usize = 40;

/// The progress of the work, kept up to date by the thread that works, and looked at by any other.
#[derive(Default)]
pub struct Progress {
    work: Mutex<Work>,
    listener: Option<ProgressListener>,
}

/// A function that hears of the work, and how often.
struct ProgressListener {
    hear: Box<dyn Fn(&Work) + Send + Sync>,
    /// The least time between two calls.
    interval: Duration,
    /// The time of the last call; before the first call, that of the beginning.
    last: Mutex<Instant>,
}

impl Progress {
    /// A progress that calls `listener` each time that the work has got farther: often, and on any
    /// of the threads that work, so that it has to be quick.
    pub fn told(listener: impl Fn(&Work) + Send + Sync + 'static) -> Self {
        Self::told_every(Duration::ZERO, listener)
    }

    /// A progress that calls `listener` when the work has got farther, but not more often than
    /// every `interval`, for the first time after one.
    pub fn told_every(
        interval: Duration,
        listener: impl Fn(&Work) + Send + Sync + 'static,
    ) -> Self {
        Self {
            work: Mutex::default(),
            listener: Some(ProgressListener {
                hear: Box::new(listener),
                interval,
                last: Mutex::new(Instant::now()),
            }),
        }
    }

    /// Locks the work to look at how far it is. The work waits while the caller holds this.
    pub fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the work to look at how far it is; `None` if another thread holds it just now.
    pub fn work_now(&self) -> Option<MutexGuard<'_, Work>> {
        match self.work.try_lock() {
            Ok(work) => Some(work),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Notes that work on `title` begins, in this phase.
    pub fn begin(&self, title: String, phase: Phase) {
        let mut work = Work::new(title);
        work.phase = phase;
        *self.work() = work;
    }

    /// Notes that the work has got farther.
    pub(super) fn note(&self, farther: impl FnOnce(&mut Work)) {
        let mut work = self.work();
        farther(&mut work);
        // The lock is still held, so that listeners are called one at a time.
        if let Some(listener) = &self.listener {
            listener.hear(&work);
        }
    }
}

impl ProgressListener {
    /// Tells of the `work`, unless that was done just before.
    fn hear(&self, work: &Work) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= self.interval {
            *last = Instant::now();
            (self.hear)(work);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<progress: {}>", self.work().doing())
    }
}

/// The work on one question, and how much of it is done.
#[derive(Clone, Debug)]
pub struct Work {
    /// The question, such as an assertion; empty before there is one.
    pub title: String,
    /// The time at which the work began.
    pub started: Instant,
    /// The present phase.
    pub phase: Phase,
    /// The process that the phase is about; empty if it is about none.
    pub name: String,
    /// The time at which the phase began.
    pub phase_started: Instant,
    /// The number of steps of the phase that are done; in a search, of states that were found.
    pub steps: u64,
    /// The numbers of the search so far, if there was one.
    pub statistics: Option<Statistics>,
    /// The number of states that the search has found and not yet expanded.
    pub waiting: u64,
    /// The number of states that the search has expanded, without those of an earlier run that it
    /// resumes.
    pub expanded: u64,
    /// The number of states from which the search has looked for divergence.
    pub followed: u64,
    /// The way of the present search, or the last one; `None` before there was one.
    way: Option<SearchWay>,
    /// The report of the assertion so far, without the numbers of the other fields.
    pub report: Option<AssertionReport>,
    /// The time that the phases before the present one took, if that is noted.
    profile: Option<Profile>,
}

impl Default for Work {
    fn default() -> Self {
        Self::new(String::new())
    }
}

impl Work {
    /// The work on `title`, which begins now.
    pub fn new(title: String) -> Self {
        let now = Instant::now();
        Self {
            title,
            started: now,
            phase: Phase::Reading,
            name: String::new(),
            phase_started: now,
            steps: 0,
            statistics: None,
            waiting: 0,
            expanded: 0,
            followed: 0,
            way: None,
            report: None,
            profile: None,
        }
    }

    /// Begins to note where the time goes; the program has `memory` bytes.
    pub(super) fn begin_profile(&mut self, memory: Option<u64>) {
        self.profile = Some(Profile::new(memory));
    }

    /// Notes the present phase, which is over, if it is noted where the time goes. The program has
    /// as many bytes as `memory` says.
    pub(super) fn note_profile(&mut self, memory: impl FnOnce() -> Option<u64>) {
        if let Some(profile) = &mut self.profile {
            profile.note(self.phase, &self.name, self.steps, memory());
        }
    }

    /// Returns where the time went, if that was noted; the program has `memory` bytes.
    pub(super) fn end_profile(&mut self, memory: Option<u64>) -> Option<Vec<ProfileRow>> {
        self.note_profile(|| memory);
        self.profile.take().map(|profile| profile.rows())
    }

    /// Notes that a phase begins.
    pub fn enter(&mut self, phase: Phase, name: &str) {
        self.phase = phase;
        self.name.clear();
        self.name.push_str(name);
        self.phase_started = Instant::now();
        self.steps = 0;
    }

    /// Notes that `steps` more steps of the phase are done.
    pub(super) fn count(&mut self, steps: usize) {
        // A search counts its states itself.
        if self.phase != Phase::Search {
            self.steps += steps as u64;
        }
    }

    /// Notes that a search has got as far as `progress` says.
    pub fn search(&mut self, progress: &SearchProgress) {
        // No stage enters this phase: the first report of a search begins it.
        if self.phase != Phase::Search {
            self.note_profile(|| None);
            self.enter(Phase::Search, "");
        }
        self.way = Some(progress.way);
        self.steps = progress.statistics.states;
        self.statistics = Some(progress.statistics);
        self.waiting = progress.waiting;
        self.expanded = progress.expanded;
        self.followed = progress.followed;
    }

    /// Notes that the search ended with these numbers.
    pub fn ended(&mut self, statistics: Statistics) {
        self.search(&SearchProgress {
            way: self.way.unwrap_or_default(),
            statistics,
            waiting: self.waiting,
            expanded: self.expanded,
            followed: self.followed,
        });
    }

    /// The present phase in words, as in `it was searching level 3, 1,234 states`.
    pub fn doing(&self) -> String {
        let name = match &self.name[..] {
            "" => String::new(),
            name => format!(" `{}`", shortened(name, LONGEST_NAME)),
        };
        let so_far = |noun: &str| match self.steps {
            0 => String::new(),
            steps => format!(", {}", counted(steps, noun)),
        };
        match self.phase {
            Phase::Reading => "reading the script".to_string(),
            Phase::Evaluation => "evaluating the script".to_string(),
            Phase::Calls => format!("following the calls of{name}{}", so_far("call")),
            Phase::Component => format!("compiling{name}{}", so_far("state")),
            Phase::Minimisation => format!("minimising{name}{}", so_far("step")),
            Phase::Compression => format!("compressing{name}{}", so_far("step")),
            Phase::Listing => format!("listing the states of{name}{}", so_far("state")),
            Phase::NormalForm => format!("making{name} deterministic{}", so_far("step")),
            Phase::Machine => format!("putting the machine{name} together"),
            Phase::Symmetry => format!("looking for symmetries{}", so_far("step")),
            Phase::Local => format!("looking at a few components at a time{}", so_far("step")),
            Phase::Views => format!("collecting views{}", so_far("step")),
            Phase::Search => {
                let levels = self.statistics.map_or(0, |statistics| statistics.levels);
                let followed = match self.followed {
                    0 => String::new(),
                    followed => format!(", {} followed along τ", thousands(followed)),
                };
                let level = thousands(levels);
                format!("searching level {level}{}{followed}", so_far("state"))
            }
            Phase::Replay => format!("replaying a counterexample{}", so_far("step")),
            Phase::Waiting => "waiting for the process that decides it".to_string(),
        }
    }

    /// `problem`, which ends the work, with a note on how far the work was.
    pub fn cut_short(&self, problem: Diagnostic) -> Diagnostic {
        // A place in the script says more.
        if matches!(self.phase, Phase::Evaluation | Phase::Waiting) {
            return problem;
        }
        let is_memory = problem.code == "memory-limit";
        let problem = problem.note(format!("it was {}", self.doing()));
        let statistics = self.statistics.unwrap_or_default();
        let taken = statistics.spilled.unwrap_or_default().divergence_bytes;
        if !is_memory || taken <= statistics.memory_bytes / MUCH {
            return problem;
        }
        problem.note(format!(
            "what did not fit is what one state leads to along τ, {} so far: to look for divergence it is kept in memory, also with --spill",
            bytes(taken)
        ))
    }

    /// One line about the work at the time `now`, when the program uses `memory` bytes.
    pub fn line(&self, now: Instant, memory: Option<u64>) -> String {
        let mut line = self.doing();
        if self.phase == Phase::Search {
            line += &format!(", {} waiting", thousands(self.waiting));
            if let Some(rate) = self.rate(now) {
                line += &format!(", {}/s", thousands(rate));
            }
        }
        if let Some(memory) = memory {
            line += &format!(", {}", bytes(memory));
        }
        format!("{line}: {}", self.title)
    }

    /// The strategy that is tried now, by its word in options; `None` where nothing is decided yet.
    pub fn strategy(&self) -> Option<&'static str> {
        let strategy = match self.phase {
            Phase::Local => Strategy::Local,
            Phase::Search => match self.way? {
                SearchWay::Machine => Strategy::Machine,
                SearchWay::Dive => Strategy::Dive,
                SearchWay::Subsets => Strategy::Subsets,
                SearchWay::Terms => Strategy::Terms,
                SearchWay::Orbits => Strategy::Orbits,
            },
            _ => return None,
        };
        Some(strategy.word())
    }

    /// The number of states a second that the present search has found up to the time `now`;
    /// `None` if nothing is searched, or it is too early to tell.
    pub fn rate(&self, now: Instant) -> Option<u64> {
        if self.phase != Phase::Search {
            return None;
        }
        let elapsed = now.saturating_duration_since(self.phase_started);
        let is_on_disk = self.statistics.is_some_and(|now| now.spilled.is_some());
        // On disk states are known to be new only at the end of a level.
        let done = if is_on_disk {
            self.expanded
        } else {
            self.steps
        };
        per_second(done, elapsed.as_secs_f64())
    }

    /// The report of the assertion, with all numbers that are known.
    pub fn report(&self) -> Option<AssertionReport> {
        let mut report = self.report.clone()?;
        if let Some(statistics) = self.statistics {
            count(statistics, &mut report);
        }
        attribute(self.started.elapsed().as_secs_f64(), &mut report);
        report.profile = self.profile.as_ref().map(Profile::rows);
        Some(report)
    }
}

/// Puts the numbers of a search into `report`.
pub(super) fn count(statistics: Statistics, report: &mut AssertionReport) {
    report.states = Some(statistics.states);
    report.transitions = Some(statistics.transitions);
    report.levels = Some(statistics.levels);
    report.memory_bytes = Some(statistics.memory_bytes);
    report.disk = statistics.spilled.map(|spilled| DiskReport {
        bytes: spilled.disk_bytes,
        // A search that was at its end has an empty level last.
        resumed: spilled.resumed.map(|levels| levels.min(statistics.levels)),
        resumed_states: spilled.resumed.map(|_| spilled.resumed_states),
    });
}

/// Completes the times of a report, if work on its assertion ended after `seconds`, perhaps in the
/// middle. Seconds that no stage has noted belong to the stage that was begun last.
pub(super) fn attribute(seconds: f64, report: &mut AssertionReport) {
    let counted = &mut report.seconds;
    // `load` is not part of `seconds`: the script was read before.
    let rest = seconds - counted.compile - counted.symmetry - counted.explore;
    if rest > 0.0 {
        *counted.of(counted.under_way) += rest;
    }
    counted.total = counted.load + counted.compile + counted.symmetry + counted.explore;
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use refine::check::Spilled;
    use report::assertion::WorkStage;

    #[test]
    fn the_line_says_how_far_how_fast_and_how_large() {
        let mut work = Work::new("assert SPEC [T= P".to_string());
        let statistics = Statistics {
            levels: 12,
            states: 2_000_000,
            transitions: 7_000_000,
            ..Statistics::default()
        };
        let progress = SearchProgress {
            statistics,
            waiting: 345_678,
            expanded: 500_000,
            ..SearchProgress::default()
        };
        work.search(&progress);
        let now = work.phase_started + Duration::from_secs(2);
        assert_eq!(
            work.line(now, Some(3 << 29)),
            "searching level 12, 2,000,000 states, 345,678 waiting, 1,000,000/s, 1.5 GiB: assert SPEC [T= P"
        );
        let statistics = Statistics {
            spilled: Some(Spilled::default()),
            ..statistics
        };
        work.search(&SearchProgress {
            statistics,
            ..progress
        });
        assert_eq!(
            work.line(now, None),
            "searching level 12, 2,000,000 states, 345,678 waiting, 250,000/s: assert SPEC [T= P"
        );
        work.enter(Phase::Component, "P(0)");
        assert_eq!(work.line(now, None), "compiling `P(0)`: assert SPEC [T= P");
        work.steps = 1;
        assert_eq!(work.doing(), "compiling `P(0)`, 1 state");
        work.enter(Phase::Listing, &"é".repeat(41));
        let cut = format!("listing the states of `{}...`", "é".repeat(40));
        assert_eq!(work.doing(), cut);
    }

    #[test]
    fn time_that_no_stage_has_counted_is_of_the_one_under_way() {
        let mut report = AssertionReport::new("a.csp");
        attribute(1.0, &mut report);
        assert_eq!((report.seconds.compile, report.seconds.total), (1.0, 1.0));
        report.seconds.under_way = WorkStage::Symmetry;
        attribute(1.5, &mut report);
        assert_eq!((report.seconds.symmetry, report.seconds.total), (0.5, 1.5));
        report.seconds.under_way = WorkStage::Explore;
        attribute(3.5, &mut report);
        assert_eq!((report.seconds.explore, report.seconds.total), (2.0, 3.5));
        report.seconds.under_way = WorkStage::Compile;
        attribute(4.5, &mut report);
        assert_eq!((report.seconds.compile, report.seconds.total), (2.0, 4.5));
    }
}
