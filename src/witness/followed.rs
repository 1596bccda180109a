//! Follows a specification along the history of a counterexample.
//!
//! It is followed term by term. If that takes too long, because without its compressions it is very
//! much larger, it is followed in its machine, compressed. Every run has to be excluded, so its
//! compressions cannot be undone one run at a time as for an implementation.

use super::after::After;
use super::listed::{Compile, Listed};
use base::cancel::{Cancellation, Phase};
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
            Err(error) if is_undecided(&error) => {
                let listed = listed(definitions, term, compile, options, error)?;
                PossibleStates::Listed(Box::new(listed))
            }
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
        self.found(
            definitions,
            |after, definitions| after.step(definitions, step),
            |listed, token| listed.step(step, token),
        )?;
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
        self.found(definitions, After::diverges, |listed, token| {
            listed.diverges(token)
        })
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
        self.found(definitions, After::acceptances, |listed, _| {
            Ok(listed.acceptances())
        })
    }

    /// The events that it can do next, ascending. ✓ is among them if it can terminate.
    pub fn offers(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<EventId>> {
        self.found(definitions, After::offers, |listed, _| Ok(listed.offers()))
    }

    /// The result of following term by term. If that takes too long, states are listed from now on,
    /// and the result is theirs.
    fn found<T>(
        &mut self,
        definitions: &mut dyn Definitions,
        of_terms: impl FnOnce(&mut After, &mut dyn Definitions) -> Result<T>,
        of_listed: impl FnOnce(&mut Listed, &Cancellation) -> Result<T>,
    ) -> Result<T> {
        let error = match &mut self.states {
            PossibleStates::Listed(listed) => return of_listed(listed, definitions.cancellation()),
            PossibleStates::Terms(after) => match of_terms(after, definitions) {
                Err(error) if is_undecided(&error) => error,
                found => return found,
            },
        };
        let (compile, options) = (self.compile, self.options);
        let mut listed = listed(definitions, self.term, compile, options, error)?;
        let token = definitions.cancellation();
        for step in &self.history {
            listed.step(step, token)?;
        }
        let found = of_listed(&mut listed, token);
        self.states = PossibleStates::Listed(Box::new(listed));
        found
    }
}

fn is_undecided(error: &Diagnostic) -> bool {
    error.severity == Severity::Undecided
}

/// `term` listed state by state. If that takes too long as well, the error is the reason why it
/// could not be followed term by term.
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
