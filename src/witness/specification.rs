//! Whether a specification forbids what an implementation does.
//!
//! It is followed term by term. Where that takes too long, because without its compressions it is very much larger than with
//! them, it is followed as the system that its machine lists, compressed: every run has to be excluded, so unlike those of an
//! implementation its compressions cannot be undone one run at a time.

use super::after::After;
use super::listed::Listed;
use super::{Claim, Counterexample, Wrong, not_reproduced};
use crate::diag::{Diagnostic, Result, Severity};
use crate::machine::CompileOptions;
use crate::process::acceptance::is_subset;
use crate::process::event::{EventId, TAU};
use crate::process::term::{Definitions, TermId};

/// `found`, completed by what the specification says, if it refutes the claim.
pub(super) fn refutes(
    definitions: &mut dyn Definitions,
    claim: Claim<'_>,
    mut found: Counterexample,
    options: &CompileOptions,
) -> Result<Counterexample> {
    let trace = found.trace();
    let (specification, model) = match (claim, &found.wrong) {
        (Claim::Refines(specification, model), _) => (specification, model),
        (Claim::DeadlockFree | Claim::DivergenceFree, Wrong::Divergence(_)) => return Ok(found),
        (Claim::DeadlockFree, Wrong::Deadlock) => return Ok(found),
        (Claim::Lacks(asked), Wrong::Event(step))
            if [&trace[..], &[step.label]].concat() == asked =>
        {
            return Ok(found);
        }
        (Claim::Lacks(asked), Wrong::Divergence(_))
            if trace.len() < asked.len() && asked.starts_with(&trace) =>
        {
            return Ok(found);
        }
        _ => return not_reproduced("what was found is nothing that was asked for").into(),
    };
    let mut after = Followed::start(definitions, specification, options)?;
    for &event in &trace {
        if model.has_divergences() && after.diverges(definitions)? {
            return not_reproduced("the specification diverges earlier, and so allows everything")
                .into();
        }
        after.step(definitions, event)?;
    }
    if after.is_empty() {
        return not_reproduced("the specification refuses an earlier event than was found").into();
    }
    if model.has_divergences() && after.diverges(definitions)? {
        return not_reproduced("the specification diverges, and so allows everything").into();
    }
    let is_refuted = match &mut found.wrong {
        Wrong::Event(step) => {
            after.step(definitions, step.label)?;
            step.label != TAU && after.is_empty()
        }
        Wrong::Refusal {
            offers,
            acceptances,
        } if model.has_failures() => {
            *acceptances = after.minimal_acceptances(definitions)?;
            !acceptances.iter().any(|set| is_subset(set, offers))
        }
        Wrong::Divergence(_) => model.has_divergences(),
        _ => false,
    };
    if is_refuted {
        Ok(found)
    } else {
        not_reproduced("the specification allows what was found to be wrong").into()
    }
}

/// A process that is followed along a trace.
struct Followed<'a> {
    term: TermId,
    options: &'a CompileOptions,
    /// The events so far.
    trace: Vec<EventId>,
    states: States,
}

/// All that it can be by then.
enum States {
    Terms(Box<After>),
    Listed(Listed),
}

impl<'a> Followed<'a> {
    /// After no event.
    fn start(
        definitions: &mut dyn Definitions,
        term: TermId,
        options: &'a CompileOptions,
    ) -> Result<Self> {
        let states = match After::start(definitions, term) {
            Ok(after) => States::Terms(Box::new(after)),
            Err(error) if is_undecided(&error) => {
                States::Listed(listed(definitions, term, options, error)?)
            }
            Err(error) => return Err(error),
        };
        Ok(Self {
            term,
            options,
            trace: Vec::new(),
            states,
        })
    }

    /// After one event more.
    fn step(&mut self, definitions: &mut dyn Definitions, event: EventId) -> Result<()> {
        if let States::Terms(after) = &mut self.states {
            let result = after.step(definitions, event);
            self.unless_too_long(definitions, result)?;
        }
        if let States::Listed(listed) = &mut self.states {
            listed.step(event);
        }
        self.trace.push(event);
        Ok(())
    }

    /// Whether it does not have the trace.
    fn is_empty(&self) -> bool {
        match &self.states {
            States::Terms(after) => after.is_empty(),
            States::Listed(listed) => listed.is_empty(),
        }
    }

    /// Whether it can diverge after the trace.
    fn diverges(&mut self, definitions: &mut dyn Definitions) -> Result<bool> {
        if let States::Terms(after) = &mut self.states {
            let result = after.diverges(definitions);
            if let Some(diverges) = self.unless_too_long(definitions, result)? {
                return Ok(diverges);
            }
        }
        Ok(matches!(&self.states, States::Listed(listed) if listed.diverges()))
    }

    /// The smallest sets of events with which it can come to rest after the trace.
    fn minimal_acceptances(
        &mut self,
        definitions: &mut dyn Definitions,
    ) -> Result<Vec<Vec<EventId>>> {
        if let States::Terms(after) = &mut self.states {
            let result = after.minimal_acceptances(definitions);
            if let Some(sets) = self.unless_too_long(definitions, result)? {
                return Ok(sets);
            }
        }
        Ok(match &self.states {
            States::Listed(listed) => listed.minimal_acceptances(),
            States::Terms(_) => Vec::new(),
        })
    }

    /// What was found term by term; nothing if that took too long, and then states are listed from now on.
    fn unless_too_long<T>(
        &mut self,
        definitions: &mut dyn Definitions,
        result: Result<T>,
    ) -> Result<Option<T>> {
        match result {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_undecided(&error) => {
                let mut listed = listed(definitions, self.term, self.options, error)?;
                for &event in &self.trace {
                    listed.step(event);
                }
                self.states = States::Listed(listed);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn is_undecided(error: &Diagnostic) -> bool {
    error.severity == Severity::Undecided
}

/// `term` listed state by state; if that takes too long as well, what kept it from being followed term by term is said.
fn listed(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
    error: Box<Diagnostic>,
) -> Result<Listed> {
    match Listed::start(definitions, term, options) {
        Err(second) if is_undecided(&second) => Err(error),
        result => result,
    }
}
