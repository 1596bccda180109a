//! The rule of linked parallel.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::goal::{Application, Attempt, Goal, Unproved};
use super::prover::Prover;
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use process::event::EventId;
use process::term::TermId;

/// Ties (left event, right event), ascending.
type EventTies = [(EventId, EventId)];

/// A linked parallel: its two operands and its ties.
type Linked<'l> = (&'l [TermId], &'l EventTies);

impl Prover<'_> {
    /// The rule: `Pρ = P'` and `Qρ' = Q'`, where ρ and ρ' are σ on events that are not tied, and
    /// the pair (ρ, ρ') carries the ties of P and Q onto the ties of P' and Q'. Tied events are
    /// hidden, so they may move in another way than by σ: σ itself is tried first, then the
    /// permutations by which tied events stay.
    pub(super) fn linked(&mut self, here: Application, left: Linked, right: Linked) -> Attempt {
        let events = [0, 1].map(|side| self.facts.alphabet(left.0[side]));
        let link = Link {
            sigma: self.facts.sigmas[here.goal.sigma].clone(),
            events: [&events[0], &events[1]],
            ties: left.1,
            tied: tied_events(left.1),
            others: right.1,
            others_tied: tied_events(right.1),
        };
        let mut refused = None;
        let mut broken = None;
        for (rho, rho2) in link.candidates() {
            if let Some(why) = link.broken(&rho, &rho2) {
                broken.get_or_insert(why);
                continue;
            }
            let goals = [(0, rho), (1, rho2)].map(|(side, rho)| {
                let (left, right) = (left.0[side], right.0[side]);
                let sigma = self.facts.sigmas.intern(rho);
                (Goal { left, sigma, right }, here.at)
            });
            match self.each(here, &goals) {
                Err(Unproved::Refused(failure)) => drop(refused.get_or_insert(failure)),
                decided => return decided,
            }
        }
        match (refused, broken) {
            (Some(failure), _) => Err(Unproved::Refused(failure)),
            (None, why) => self.facts.refuse(here, why.unwrap_or(Why::Operators)),
        }
    }
}

/// Two linked parallels, with the alphabets of the operands of the first.
struct Link<'l> {
    sigma: EventPermutation,
    events: [&'l Arc<[EventId]>; 2],
    ties: &'l EventTies,
    /// By side, the events of its ties.
    tied: [FxHashSet<EventId>; 2],
    others: &'l EventTies,
    others_tied: [FxHashSet<EventId>; 2],
}

fn tied_events(ties: &EventTies) -> [FxHashSet<EventId>; 2] {
    let left = ties.iter().map(|&(left, _)| left);
    let right = ties.iter().map(|&(_, right)| right);
    [left.collect(), right.collect()]
}

impl Link<'_> {
    fn candidates(&self) -> impl Iterator<Item = (EventPermutation, EventPermutation)> {
        let staying = self.staying(0).zip(self.staying(1));
        [Some((self.sigma.clone(), self.sigma.clone())), staying]
            .into_iter()
            .flatten()
    }

    /// The restriction of σ to the events of one side that are not tied; tied events stay.
    fn staying(&self, side: usize) -> Option<EventPermutation> {
        let image = |event| {
            if self.tied[side].contains(&event) {
                event
            } else {
                self.sigma.apply(event)
            }
        };
        let pairs = self.events[side].iter().map(|&event| (event, image(event)));
        EventPermutation::from_pairs(pairs).ok()
    }

    /// The reason why (ρ, ρ') does not carry the ties of one parallel onto those of the other;
    /// `None` if it does.
    fn broken(&self, rho: &EventPermutation, rho2: &EventPermutation) -> Option<Why> {
        for (side, rho) in [(0, rho), (1, rho2)] {
            for &event in self.events[side].iter() {
                let image = rho.apply(event);
                let on_left = self.tied[side].contains(&event);
                if on_left != self.others_tied[side].contains(&image) {
                    return Some(Why::Set {
                        role: "set of tied events",
                        event,
                        image,
                        on_left,
                    });
                }
                // Events that are not tied are seen outside, where only σ may move them.
                if !on_left && image != self.sigma.apply(event) {
                    return Some(Why::Renaming(event, event));
                }
            }
        }
        // A tie of events of which one is never done makes no difference.
        let possible = |&&(a, b): &&(EventId, EventId)| self.can(0, a) && self.can(1, b);
        let image = |&(a, b): &(EventId, EventId)| (rho.apply(a), rho2.apply(b));
        let mut ties: Vec<_> = self.ties.iter().filter(possible).collect();
        let lost = ties
            .iter()
            .find(|tie| self.others.binary_search(&image(tie)).is_err());
        if let Some(&&(a, b)) = lost {
            return Some(Why::Renaming(a, b));
        }
        let (back, back2) = (rho.inverse(), rho2.inverse());
        let preimages = self
            .others
            .iter()
            .map(|&(a, b)| (back.apply(a), back2.apply(b)));
        let preimages: Vec<_> = preimages.collect();
        ties = preimages.iter().filter(possible).collect();
        let gained = ties
            .iter()
            .find(|tie| self.ties.binary_search(tie).is_err());
        gained.map(|&&(a, b)| Why::Renaming(a, b))
    }

    fn can(&self, side: usize, event: EventId) -> bool {
        self.events[side].binary_search(&event).is_ok()
    }
}
