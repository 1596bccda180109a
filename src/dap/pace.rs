//! The pace of a walk: the steps that it takes before it stops again.

use base::number::counted;
use checker::{Error, Walker};
use report::walk::{ChoiceReport, WalkReport, WalkStep, WalkToCounterexample};

use super::breakpoints::Breakpoints;
use super::views::{PROCESS, thread_of};

/// The most steps that are taken without a stop: a process may go on for ever.
const MOST_STEPS: usize = 10_000;

/// A walk with the way that it is to take.
pub(super) struct PacedWalk<'s, 'w> {
    pub(super) walker: &'s mut Walker<'w>,
    /// The names of the steps to the end of the counterexample; none without one.
    plan: Vec<String>,
    pub(super) found: Option<WalkToCounterexample>,
    /// The present state.
    pub(super) now: WalkReport,
}

/// The reason why a walk has stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WalkStop {
    /// The reason as the protocol names it.
    pub(super) reason: &'static str,
    /// The reason in words.
    pub(super) words: String,
}

impl WalkStop {
    fn of(reason: &'static str, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { reason, words }
    }
}

impl<'s, 'w> PacedWalk<'s, 'w> {
    /// The walk at its start. `walker` stands at the end of the counterexample, if there is one.
    pub(super) fn of(walker: &'s mut Walker<'w>) -> Result<Self, Error> {
        let plan = walker.path();
        let found = walker.report()?.counterexample;
        walker.back_to(0);
        let now = walker.report()?;
        Ok(Self {
            walker,
            plan,
            found,
            now,
        })
    }

    /// Takes the step with this name.
    pub(super) fn take(&mut self, name: &str) -> Result<(), Error> {
        self.walker.take(name)?;
        self.look()
    }

    /// Goes back to where so many steps were taken.
    pub(super) fn back_to(&mut self, steps: usize) -> Result<WalkStop, Error> {
        self.walker.back_to(steps);
        self.look()?;
        Ok(WalkStop::of(
            "step",
            format!("after {}", counted(self.now.steps.len() as u64, "step")),
        ))
    }

    /// Takes the next step of the component with this name, or of any: the one of the
    /// counterexample if it is that, or else the first one.
    pub(super) fn step(&mut self, component: Option<&str>) -> Result<WalkStop, Error> {
        let planned = self.planned().map(str::to_string);
        let mut choices = self.now.choices.iter();
        let is_its = |choice: &&ChoiceReport| {
            component.is_none_or(|name| choice.parts.iter().any(|part| part.component == name))
        };
        let mut wanted = choices.clone().filter(is_its);
        let is_planned = |choice: &&ChoiceReport| Some(&choice.name) == planned.as_ref();
        let chosen = wanted.clone().find(is_planned).or_else(|| wanted.next());
        let Some(name) = chosen.map(|choice| choice.name.clone()) else {
            let words = match (choices.next(), component) {
                (Some(_), Some(name)) => {
                    format!("{name} can do nothing now: others have to go on first")
                }
                _ => self.why_nothing(),
            };
            return Ok(WalkStop::of("step", words));
        };
        self.take(&name)?;
        Ok(self.at_end().unwrap_or_else(|| WalkStop::of("step", name)))
    }

    /// Goes on along the counterexample, or else as long as there is one step only, until a
    /// breakpoint.
    pub(super) fn go_on(&mut self, breakpoints: &Breakpoints) -> Result<WalkStop, Error> {
        for _ in 0..MOST_STEPS {
            let only = match &self.now.choices[..] {
                [one] => Some(&one.name),
                _ => None,
            };
            let next = self.planned().map(str::to_string).or_else(|| only.cloned());
            let Some(name) = next else {
                return Ok(self
                    .at_end()
                    .unwrap_or_else(|| match self.now.choices.len() {
                        0 => WalkStop::of("pause", self.why_nothing()),
                        count => {
                            WalkStop::of("pause", format!("{count} steps can be taken: choose one"))
                        }
                    }));
            };
            self.take(&name)?;
            if let Some(end) = self.at_end() {
                return Ok(end);
            }
            let last = self.now.steps.last();
            let stops = last.and_then(|step| breakpoints.stops(step, &self.now.components));
            if let Some(reason) = stops {
                return Ok(WalkStop::of(reason, name));
            }
        }
        let steps = counted(MOST_STEPS as u64, "step");
        Ok(WalkStop::of("pause", format!("after {steps} more")))
    }

    /// Goes back until a breakpoint, or to the start.
    pub(super) fn go_back(&mut self, breakpoints: &Breakpoints) -> Result<WalkStop, Error> {
        while !self.now.steps.is_empty() {
            self.walker.back_to(self.now.steps.len() - 1);
            self.look()?;
            let last = self.now.steps.last();
            let stops = last.and_then(|step| breakpoints.stops(step, &self.now.components));
            if let Some(reason) = stops {
                let name = last.map_or(String::new(), |step| step.name.clone());
                return Ok(WalkStop::of(reason, name));
            }
        }
        Ok(WalkStop::of("entry", "the start"))
    }

    /// The stop at the start.
    pub(super) fn start(&self) -> WalkStop {
        let words = match &self.found {
            Some(found) => format!("{} Continue goes there.", found.sentence),
            None => "the start".to_string(),
        };
        WalkStop::of("entry", words)
    }

    /// The thread that the last step was taken in.
    pub(super) fn thread(&self) -> u64 {
        let part = self
            .now
            .steps
            .last()
            .and_then(|step: &WalkStep| step.parts.first());
        let is_spread = self.now.components.len() > 1;
        let thread = part.filter(|_| is_spread);
        thread
            .and_then(|part| thread_of(&self.now, &part.component))
            .unwrap_or(PROCESS)
    }

    /// True if the walk stands at the end of the counterexample.
    pub(super) fn is_at_end(&self) -> bool {
        self.found.is_some() && self.walker.path() == self.plan
    }

    fn at_end(&self) -> Option<WalkStop> {
        let found = self.found.as_ref().filter(|_| self.is_at_end())?;
        Some(WalkStop::of("exception", found.sentence.clone()))
    }

    /// The next step of the counterexample, if the walk has not left its way.
    fn planned(&self) -> Option<&str> {
        let path = self.walker.path();
        let next = self.plan.get(path.len())?;
        self.plan.starts_with(&path).then_some(next)
    }

    fn why_nothing(&self) -> String {
        match self.now.trace.last() {
            Some(last) if last == "✓" => "it has terminated".to_string(),
            _ => "nothing can happen: deadlock".to_string(),
        }
    }

    fn look(&mut self) -> Result<(), Error> {
        self.now = self.walker.report()?;
        Ok(())
    }
}
