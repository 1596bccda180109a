//! Rules of `chase` and `deter`, which follow one of several transitions.
//!
//! The transition that is followed is the first in the order of [`Step`]. It depends on the order
//! in which events and terms were first met, so it is fixed throughout a run, but no symmetry need
//! respect it.

use rustc_hash::FxHashSet;

use super::{Row, Step, Stepper};
use crate::compression::Compression;
use crate::event::{TAU, TICK};
use crate::term::{CallId, Term, TermId};
use base::diag::{Diagnostic, Result};

/// The largest number of internal steps in a row that are followed.
const LONGEST_CHASE: usize = 1_000_000;

impl Stepper<'_> {
    /// The transitions of `process` once no τ is left to be followed. `deter` keeps one transition
    /// for each label.
    pub(super) fn choose(
        &mut self,
        compression: Compression,
        process: TermId,
    ) -> Result<Vec<Step>> {
        let row = self.chased(compression, process)?;
        let mut steps: Vec<Step> = Vec::with_capacity(row.len());
        for &step in row.iter() {
            // A row is ascending, so transitions with one label are neighbours.
            let again = steps.last().is_some_and(|last| last.label == step.label);
            if compression == Compression::Deter && again {
                continue;
            }
            let target = match step.label {
                TICK => step.target,
                _ => self
                    .definitions
                    .terms_mut()
                    .compress(compression, step.target),
            };
            steps.push(Step { target, ..step });
        }
        Ok(steps)
    }

    /// The transitions of the stable process reached from `process` by always taking the first τ.
    fn chased(&mut self, compression: Compression, process: TermId) -> Result<Row> {
        let mut term = process;
        let mut seen = FxHashSet::default();
        loop {
            let row = self.operand(term)?;
            // τ comes first in a row.
            let next = match row.first() {
                Some(step) if step.label == TAU => step.target,
                _ => return Ok(row),
            };
            self.definitions.cancellation().step()?;
            if !seen.insert(term) {
                return self.endless_chase(compression, process).into();
            }
            if seen.len() > LONGEST_CHASE {
                return long_chase(compression).into();
            }
            term = next;
        }
    }

    fn endless_chase(&self, compression: Compression, process: TermId) -> Diagnostic {
        let name = compression.name();
        let call = self.first_call(process);
        let call = call.or_else(|| self.semantics.unfolding.innermost());
        let subject = match call {
            Some(call) => format!("`{}`", self.definitions.call_name(call)),
            None => "the process".to_string(),
        };
        let message = format!("`{name}` finds no end: {subject} can do internal steps for ever");
        let mut diagnostic = Diagnostic::error("chase-divergence", message);
        if let Some(span) = call.and_then(|call| self.definitions.call_span(call)) {
            diagnostic = diagnostic.at(span, "");
        }
        diagnostic
            .note("it follows internal steps until there are none")
            .hint("hide less below it, or use `tau_loop_factor` or `wbisim` instead")
    }

    /// The leftmost call that has started below `term`.
    pub(super) fn first_call(&self, term: TermId) -> Option<CallId> {
        let terms = self.definitions.terms();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if let &Term::Call(call) = terms.get(term) {
                return Some(call);
            }
            // The operand that is pushed last is looked at next, so the leftmost is pushed last.
            let operands = terms.get(term).started_operands().iter().rev();
            open.extend(operands.copied().filter(|&operand| seen.insert(operand)));
        }
        None
    }
}

fn long_chase(compression: Compression) -> Diagnostic {
    let name = compression.name();
    let message =
        format!("`{name}` followed {LONGEST_CHASE} internal steps without coming to rest");
    Diagnostic::undecided("too-many-steps", message)
        .note("the process below it may grow without end")
        .hint("hide less below it, or use `tau_loop_factor` or `wbisim` instead")
}

#[cfg(test)]
mod tests {
    use super::super::steps;
    use crate::compression::Compression;
    use crate::event::{EventId, TAU};
    use crate::table::DefinitionTable;
    use crate::term::{Definitions, Term, TermId};

    /// ((a -> STOP) [] (a -> SKIP)) [> (b -> STOP), in which the τ is always there.
    fn sliding(table: &mut DefinitionTable) -> (TermId, [EventId; 2]) {
        let terms = table.terms_mut();
        let (a, b) = (terms.events.intern("a"), terms.events.intern("b"));
        let (stop, skip) = (terms.stop(), terms.skip());
        let first = terms.prefix(vec![(a, stop), (a, skip)]);
        let then = terms.prefix(vec![(b, stop)]);
        (terms.sliding_choice(first, then), [a, b])
    }

    fn labels(table: &mut DefinitionTable, term: TermId) -> Vec<EventId> {
        let steps = steps(table, term).unwrap();
        steps.iter().map(|step| step.label).collect()
    }

    #[test]
    fn chase_leaves_only_what_follows_the_internal_step() {
        let mut table = DefinitionTable::new();
        let (sliding, [_, b]) = sliding(&mut table);
        for choosing in [Compression::Chase, Compression::ChaseNoCache] {
            let chased = table.terms_mut().compress(choosing, sliding);
            assert_eq!(labels(&mut table, chased), [b]);
        }
    }

    #[test]
    fn deter_takes_one_of_equal_events() {
        let mut table = DefinitionTable::new();
        let terms = table.terms_mut();
        let a = terms.events.intern("a");
        let (stop, skip) = (terms.stop(), terms.skip());
        let twice = terms.prefix(vec![(a, stop), (a, skip)]);
        let deter = terms.compress(Compression::Deter, twice);
        assert_eq!(labels(&mut table, deter), [a]);
        assert_eq!(labels(&mut table, twice), [a, a]);
    }

    #[test]
    fn the_others_change_nothing() {
        let mut table = DefinitionTable::new();
        let (sliding, [a, b]) = sliding(&mut table);
        let normal = table.terms_mut().compress(Compression::Normal, sliding);
        assert_eq!(labels(&mut table, normal), [TAU, a, a]);
        let after = steps(&mut table, normal).unwrap()[0].target;
        assert_eq!(labels(&mut table, after), [b]);
    }

    #[test]
    fn an_endless_chase_is_an_error_and_recursion_through_events_is_not() {
        let mut table = DefinitionTable::new();
        let a = table.terms_mut().events.intern("a");
        let call = table.call("P");
        let body = table.terms_mut().prefix(vec![(a, call)]);
        table.define("P", body);
        let chased = table.terms_mut().compress(Compression::Chase, call);
        let after = steps(&mut table, chased).unwrap()[0].target;
        assert_eq!(after, chased);
        let terms = table.terms_mut();
        let set = terms.events.intern_set(vec![a]);
        let hidden = terms.hide(call, set);
        let endless = terms.compress(Compression::ChaseNoCache, hidden);
        let error = steps(&mut table, endless).unwrap_err();
        assert_eq!(error.code, "chase-divergence");
        assert!(error.message.contains("`chase_nocache`") && error.message.contains("`P`"));
    }

    #[test]
    fn repetitions_are_left_out() {
        let mut table = DefinitionTable::new();
        let terms = table.terms_mut();
        let stop = terms.intern(Term::Stop);
        let chase = terms.compress(Compression::Chase, stop);
        assert_eq!(terms.compress(Compression::Chase, chase), chase);
        assert_eq!(terms.compress(Compression::ChaseNoCache, chase), chase);
        assert_ne!(terms.compress(Compression::Deter, chase), chase);
        let normal = terms.compress(Compression::Normal, stop);
        assert_eq!(terms.compress(Compression::Normal, normal), normal);
        assert_ne!(terms.compress(Compression::Diamond, normal), normal);
    }
}
