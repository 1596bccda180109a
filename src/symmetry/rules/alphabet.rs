//! The alphabet of a process: all visible events that it can ever do, and perhaps some more.
//!
//! The alphabet of a leaf, or of recursion without parallels, is exact, because it is read off the
//! transition system. The alphabets of other processes are put together operator by operator, as
//! the least solution of the equations that the operators give.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::facts::ProofFacts;
use super::subject::Mode;
use process::event::{EventId, EventTable};
use process::term::{BufferShape, Overflow, Term, TermId};

/// Terms, each after its operands, and a flag that is true if some term is its own operand at any
/// depth.
struct Order {
    terms: Vec<TermId>,
    is_cyclic: bool,
}

impl ProofFacts<'_> {
    /// The visible events that `term` may do, ascending.
    pub(super) fn alphabet(&mut self, term: TermId) -> Arc<[EventId]> {
        if let Some(known) = self.alphabets.known.get(&term) {
            return known.clone();
        }
        if self.alphabets.unbounded.contains(&term) {
            return self.subject.all_events();
        }
        let Some(order) = self.order(term) else {
            self.alphabets.unbounded.insert(term);
            return self.subject.all_events();
        };
        // Alphabets only grow from one pass to the next, so the passes end; without a cycle the
        // first pass is exact, because operands come first.
        loop {
            let mut changed = false;
            for &term in &order.terms {
                let events = self.step(term);
                let known = self.alphabets.known.insert(term, events.clone());
                changed |= known.is_none_or(|known| known.len() != events.len());
            }
            if !order.is_cyclic || !changed {
                break;
            }
        }
        self.alphabets.known.get(&term).cloned().unwrap_or_default()
    }

    /// The terms below `start` whose alphabets are not known yet; `None` if there are too many.
    /// Exact alphabets are entered on the way.
    fn order(&mut self, start: TermId) -> Option<Order> {
        let mut order = Order {
            terms: Vec::new(),
            is_cyclic: false,
        };
        let mut entered = FxHashSet::default();
        let mut left = FxHashSet::default();
        let mut open = vec![(start, false)];
        while let Some((term, done)) = open.pop() {
            if done {
                left.insert(term);
                order.terms.push(term);
                continue;
            }
            if self.alphabets.known.contains_key(&term) || self.is_exact(term) {
                continue;
            }
            if !entered.insert(term) {
                // The term was entered but not left: it is above itself.
                order.is_cyclic |= !left.contains(&term);
                continue;
            }
            if entered.len() > self.subject.limits.states {
                return None;
            }
            // The term goes below its parts on the stack, so that it is listed after them.
            open.push((term, true));
            let parts = self.subject.parts(term);
            open.extend(parts.into_iter().map(|part| (part, false)));
        }
        Some(order)
    }

    /// Enters the alphabet of `term` if it has a transition system that is computed anyway. Returns
    /// true then.
    fn is_exact(&mut self, term: TermId) -> bool {
        let is_leaf = match self.subject.mode {
            Mode::Machine => !self.subject.has_parallel(term).unwrap_or(true),
            Mode::Terms => self.is_finite_recursion(term),
        };
        if !is_leaf {
            return false;
        }
        // The context of a term may change its transition system, but not its events.
        let Ok(graph) = self.graphs.any(term, &mut self.subject) else {
            return false;
        };
        let visible = graph.events().filter(|event| event.is_visible());
        self.alphabets.known.insert(term, visible.collect());
        true
    }

    /// The alphabet of `term` if its operands have the alphabets known so far.
    fn step(&mut self, term: TermId) -> Arc<[EventId]> {
        let operands = self.subject.parts(term);
        let alphabets: Vec<Arc<[EventId]>> = operands
            .iter()
            .map(|operand| {
                self.alphabets
                    .known
                    .get(operand)
                    .cloned()
                    .unwrap_or_default()
            })
            .collect();
        let terms = self.subject.definitions.terms();
        let own = own_events(terms.get(term), &terms.events);
        let of_operands = through(terms.get(term), &terms.events, &alphabets);
        if own.is_empty()
            // Most operators only pass on the events of one operand: then its list is shared.
            && let Some(same) = alphabets
                .iter()
                .find(|alphabet| ***alphabet == *of_operands)
        {
            return same.clone();
        }
        let mut all = [own, of_operands].concat();
        all.sort_unstable();
        all.dedup();
        all.into()
    }
}

/// The events that `term` does of its own accord, not through an operand.
fn own_events(term: &Term, events: &EventTable) -> Vec<EventId> {
    match term {
        Term::Run(set) | Term::Chaos(set) => events.set(*set).to_vec(),
        Term::Prefix(branches) => branches.iter().map(|&(event, _)| event).collect(),
        Term::Watchdog(watchdog) => {
            let watched = events.set(watchdog.alphabet).iter().copied();
            watched.chain([watchdog.bark]).collect()
        }
        Term::Imported(system, _) => {
            let mut events: Vec<EventId> = system.events().filter(|e| e.is_visible()).collect();
            events.sort_unstable();
            events.dedup();
            events
        }
        Term::Buffer(shape, held) => [&held[..], &events_of_buffer(shape)].concat(),
        _ => Vec::new(),
    }
}

fn events_of_buffer(shape: &BufferShape) -> Vec<EventId> {
    let pairs = shape.pairs.iter();
    let mut events: Vec<EventId> = pairs.flat_map(|&(input, output)| [input, output]).collect();
    match shape.overflow {
        Overflow::Refuse => {}
        Overflow::Signal(signal) => events.push(signal),
        Overflow::Status(full, empty) => events.extend([full, empty]),
    }
    events
}

/// The events that `term` lets its operands do. These have the alphabets `alphabets`.
fn through(term: &Term, events: &EventTable, alphabets: &[Arc<[EventId]>]) -> Vec<EventId> {
    let alphabets: Vec<&[EventId]> = alphabets.iter().map(|alphabet| &**alphabet).collect();
    match term {
        Term::Over(operator, _) => operator.alphabet(events, &alphabets),
        // The events that it watches are its own (`own_events`); no others come through.
        Term::Watchdog(_) => Vec::new(),
        _ => {
            let mut all = alphabets.concat();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}
