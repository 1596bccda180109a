//! Follows a specification along the history of a counterexample.
//!
//! It is followed term by term. If that takes too long, because without its compressions it is very
//! much larger, it is followed in its machine, compressed. Every run has to be excluded, so its
//! compressions cannot be undone one run at a time as for an implementation.

use super::after::After;
use super::listed::{Compile, Listed};
use base::cancel::Phase;
use base::diag::{Diagnostic, Result, Severity};
use machine::CompileOptions;
use process::acceptance::minimal;
use process::event::EventId;
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};

/// A process that is followed along a history.
pub struct Followed<'a> {
    term: TermId,
    compile: Compile,
    options: &'a CompileOptions,
    /// The events so far.
    history: Vec<ObservedStep>,
    states: PossibleStates,
}

/// The states in which the process can be after the history.
enum PossibleStates {
    Terms(Box<After>),
    Listed(Box<Listed>),
}

impl<'a> Followed<'a> {
    /// The process after no event. If it has to be listed, it is compiled by `compile`, which has
    /// to keep the behaviour in question.
    pub fn start(
        definitions: &mut dyn Definitions,
        term: TermId,
        compile: Compile,
        options: &'a CompileOptions,
    ) -> Result<Self> {
        let states = match After::start(definitions, term) {
            Ok(after) => PossibleStates::Terms(Box::new(after)),
            Err(error) if is_undecided(&error) => PossibleStates::Listed(Box::new(listed(
                definitions,
                term,
                compile,
                options,
                error,
            )?)),
            Err(error) => return Err(error),
        };
        Ok(Self {
            term,
            compile,
            options,
            history: Vec::new(),
            states,
        })
    }

    /// Goes on by one event. If `step` has the offers of a rest before it, only states that come to
    /// rest with no more offers do the event.
    pub fn step(&mut self, definitions: &mut dyn Definitions, step: &ObservedStep) -> Result<()> {
        if let PossibleStates::Terms(after) = &mut self.states {
            let result = after.step(definitions, step);
            self.unless_too_long(definitions, result)?;
        }
        // If that took too long, the states were listed by now, up to before this step.
        if let PossibleStates::Listed(listed) = &mut self.states {
            let token = &definitions.cancellation().clone();
            listed.step(step, token)?;
        }
        self.history.push(step.clone());
        Ok(())
    }

    /// True if the process does not have the history.
    pub fn is_empty(&self) -> bool {
        match &self.states {
            PossibleStates::Terms(after) => after.is_empty(),
            PossibleStates::Listed(listed) => listed.is_empty(),
        }
    }

    /// True if it can diverge after the history.
    pub fn diverges(&mut self, definitions: &mut dyn Definitions) -> Result<bool> {
        if let PossibleStates::Terms(after) = &mut self.states {
            let result = after.diverges(definitions);
            if let Some(diverges) = self.unless_too_long(definitions, result)? {
                return Ok(diverges);
            }
        }
        match &self.states {
            PossibleStates::Listed(listed) => listed.diverges(definitions.cancellation()),
            // Not reached: `unless_too_long` has listed the states, or the function has returned.
            PossibleStates::Terms(_) => Ok(false),
        }
    }

    /// The smallest sets of events with which it can come to rest after the history.
    pub fn minimal_acceptances(
        &mut self,
        definitions: &mut dyn Definitions,
    ) -> Result<Vec<Vec<EventId>>> {
        let sets = self.acceptances(definitions)?;
        let token = &definitions.cancellation().clone();
        minimal(sets, token)
    }

    /// The sets of events with which it can come to rest after the history.
    pub(super) fn acceptances(
        &mut self,
        definitions: &mut dyn Definitions,
    ) -> Result<Vec<Vec<EventId>>> {
        if let PossibleStates::Terms(after) = &mut self.states {
            let result = after.acceptances(definitions);
            if let Some(sets) = self.unless_too_long(definitions, result)? {
                return Ok(sets);
            }
        }
        Ok(match &self.states {
            PossibleStates::Listed(listed) => listed.acceptances(),
            // Not reached: `unless_too_long` has listed the states, or the function has returned.
            PossibleStates::Terms(_) => Vec::new(),
        })
    }

    /// The events that it can do next, ascending. ✓ is among them if it can terminate.
    pub fn offers(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<EventId>> {
        if let PossibleStates::Terms(after) = &mut self.states {
            let result = after.offers(definitions);
            if let Some(offers) = self.unless_too_long(definitions, result)? {
                return Ok(offers);
            }
        }
        Ok(match &self.states {
            PossibleStates::Listed(listed) => listed.offers(),
            // Not reached: `unless_too_long` has listed the states, or the function has returned.
            PossibleStates::Terms(_) => Vec::new(),
        })
    }

    /// The result of following term by term. Returns `None` if that took too long: then states are
    /// listed from now on.
    fn unless_too_long<T>(
        &mut self,
        definitions: &mut dyn Definitions,
        result: Result<T>,
    ) -> Result<Option<T>> {
        match result {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_undecided(&error) => {
                let (compile, options) = (self.compile, self.options);
                let mut listed = listed(definitions, self.term, compile, options, error)?;
                let token = &definitions.cancellation().clone();
                for step in &self.history {
                    listed.step(step, token)?;
                }
                self.states = PossibleStates::Listed(Box::new(listed));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn is_undecided(error: &Diagnostic) -> bool {
    error.severity == Severity::Undecided
}

/// `term` listed state by state. If that takes too long as well, the error says why it could not be
/// followed term by term.
fn listed(
    definitions: &mut dyn Definitions,
    term: TermId,
    compile: Compile,
    options: &CompileOptions,
    error: Box<Diagnostic>,
) -> Result<Listed> {
    let listed = Listed::start(definitions, term, compile, options);
    definitions.enter(Phase::Replay, "");
    match listed {
        Err(second) if is_undecided(&second) => Err(error),
        result => result,
    }
}
