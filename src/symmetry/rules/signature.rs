//! Signatures: cheap numbers that are equal for P under σ and for Q whenever `Pσ = Q` can be
//! proved.
//!
//! A thousand operands would cost a million goals if each were tried with each. With signatures
//! only pairs that may fit are tried.

use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::facts::ProofFacts;
use super::goal::Attempt;
use super::memory::View;
use super::rule::rule_of;
use super::subject::Mode;
use base::stack::deep;
use machine::tree::Around;
use process::event::EventId;
use process::operator::Operator;
use process::term::{Term, TermId};

impl ProofFacts<'_> {
    /// The signature of `term` below `around`.
    pub(super) fn signature(&mut self, term: TermId, around: Around, view: View) -> Attempt<u64> {
        if let Some(&known) = self.signatures.get(&(term, around, view)) {
            return Ok(known);
        }
        let signature = if self.subject.mode == Mode::Terms {
            self.of_first_events(term, view)
        } else if self.subject.has_parallel(term)? {
            deep(|| self.of_operands(term, around, view))?
        } else {
            self.of_graph(term, around, view)
        };
        let key = (term, around, view);
        self.signatures.insert(key, signature);
        Ok(signature)
    }

    /// The signature of the events that are possible at first: bisimilar processes agree in them.
    fn of_first_events(&mut self, term: TermId, view: View) -> u64 {
        let steps = self.semantics.steps(self.subject.definitions, term);
        let labels: FxHashSet<EventId> = steps.into_iter().flatten().map(|s| s.label).collect();
        self.sum(labels.into_iter().map(|label| (label, 1)), view)
    }

    /// The signature of a leaf: the numbers of its states and of its transitions of each event. A
    /// bijection that preserves transitions keeps these numbers.
    fn of_graph(&mut self, term: TermId, around: Around, view: View) -> u64 {
        let Ok(graph) = self.graphs.graph(term, around, &mut self.subject) else {
            return 0;
        };
        let states = graph.lts.state_count() as u64;
        hash((states, self.sum(graph.counts(), view)))
    }

    /// The signature of a term above parallels: its operator, and the signatures of its operands,
    /// which are added up where the rule allows any order.
    fn of_operands(&mut self, term: TermId, around: Around, view: View) -> Attempt<u64> {
        let mut head = term;
        while let Some(call) = self.subject.call(head) {
            let Ok(body) = self.subject.definitions.body(call) else {
                // No goal about a process without a body is proved, so any number will do.
                return Ok(0);
            };
            head = body;
        }
        let term = self.subject.term(head);
        let rule = rule_of(&term);
        let around = around.of_operands(&term);
        let operands = match &term {
            Term::Prefix(branches) => {
                let mut sum = 0_u64;
                for &(event, then) in branches.iter() {
                    let then = self.signature(then, around, view)?;
                    sum = sum.wrapping_add(hash((self.seen(event, view), then)));
                }
                sum
            }
            Term::InternalChoice(operands) => {
                let mut different = operands.to_vec();
                // Operands are counted as the rule counts them; otherwise provable goals would have
                // different signatures.
                different.sort_unstable();
                different.dedup();
                self.in_any_order(&different, around, view)?
            }
            Term::Over(Operator::Parallel(set), _) => {
                let operands = self.subject.side_by_side(head, *set);
                self.in_any_order(&operands, around, view)?
            }
            Term::Over(Operator::Choice(_) | Operator::Alphabetised(_), operands) => {
                self.in_any_order(operands, around, view)?
            }
            Term::Over(Operator::Rename(_) | Operator::Linked(_), operands) => {
                self.in_order_of(operands, around, View::Blind)?
            }
            _ => self.in_order_of(&term.operands(), around, view)?,
        };
        Ok(hash((rule, operands)))
    }

    fn in_any_order(&mut self, operands: &[TermId], around: Around, view: View) -> Attempt<u64> {
        let mut sum = operands.len() as u64;
        for &operand in operands {
            sum = sum.wrapping_add(hash(self.signature(operand, around, view)?));
        }
        Ok(sum)
    }

    fn in_order_of(&mut self, operands: &[TermId], around: Around, view: View) -> Attempt<u64> {
        let mut chain = 0;
        for &operand in operands {
            chain = hash((chain, self.signature(operand, around, view)?));
        }
        Ok(chain)
    }

    fn sum(&self, counts: impl Iterator<Item = (EventId, usize)>, view: View) -> u64 {
        let each = counts.map(|(event, count)| hash((self.seen(event, view), count)));
        each.fold(0, u64::wrapping_add)
    }

    fn seen(&self, event: EventId, view: View) -> EventId {
        match view {
            _ if !event.is_visible() => event,
            View::Under(sigma) => self.sigmas[sigma].apply(event),
            View::Plain => event,
            // Any visible event will do: this one is the first after τ and ✓.
            View::Blind => EventId(2),
        }
    }
}

/// A key made of two keys.
pub(super) fn mixed(key: u64, class: u64) -> u64 {
    hash((key, class))
}

fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
