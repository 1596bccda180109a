//! Rules of the operators that change labels alone: hiding, projection, renaming.

use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::renamed;
use super::goal::{Attempt, Goal, Place, SigmaId, Stop};
use super::prover::Prover;
use super::rule::Rule;
use super::sets::Applied;
use crate::process::event::{EventId, EventSetId};
use crate::process::term::TermId;
use crate::symmetry::permutation::EventPermutation;
use crate::symmetry::refusal::Why;

/// The pairs of a renaming, ascending.
type Pairs = [(EventId, EventId)];

impl Prover<'_> {
    /// Rule 7.
    pub(super) fn hide(
        &mut self,
        goal: Goal,
        at: Place,
        left: (TermId, EventSetId),
        right: (TermId, EventSetId),
    ) -> Attempt {
        self.hiding("hidden set", goal, at, left, right)
    }

    /// Like hiding: what matters of the set is what it does not have.
    pub(super) fn project(
        &mut self,
        goal: Goal,
        at: Place,
        left: (TermId, EventSetId),
        right: (TermId, EventSetId),
    ) -> Attempt {
        self.hiding("projection set", goal, at, left, right)
    }

    fn hiding(
        &mut self,
        role: &'static str,
        goal: Goal,
        at: Place,
        (left, set): (TermId, EventSetId),
        (right, other): (TermId, EventSetId),
    ) -> Attempt {
        let applied = [(set, [left]), (other, [right])];
        let [a, b] = applied.each_ref().map(|(set, operands)| Applied {
            set: *set,
            operands,
        });
        self.sets_agree((Rule::Hide, role), goal, at, a, b)?;
        let premise = self.goal(
            Goal {
                left,
                right,
                ..goal
            },
            at,
        )?;
        Ok(self.proof(Rule::Hide, goal, vec![0], vec![premise]))
    }

    /// A compression that keeps meanings steps as its operand does. (In a machine it is a leaf, and compared as that.)
    pub(super) fn compress(
        &mut self,
        goal: Goal,
        at: Place,
        left: TermId,
        right: TermId,
    ) -> Attempt {
        let operands = Goal {
            left,
            right,
            ..goal
        };
        let premise = self.goal(operands, at)?;
        Ok(self.proof(Rule::Compress, goal, vec![0], vec![premise]))
    }

    /// Rule 8: `Pρ = Q` for some ρ that carries the renaming of P onto that of Q: what a becomes, under σ, is
    /// what aρ becomes, for every a that P can do.
    ///
    /// First ρ = σ is tried. Else a can only go to an event that becomes the right things; where there are
    /// several, aσ is preferred, or a, or they go in their order. Other choices are not tried.
    pub(super) fn rename(
        &mut self,
        goal: Goal,
        at: Place,
        (left, pairs): (TermId, &Pairs),
        (right, others): (TermId, &Pairs),
    ) -> Attempt {
        let events = self.alphabet(left);
        let images = self.alphabet(right);
        let renaming = Renaming {
            sigma: self.sigma(goal.sigma).clone(),
            left: (&events, pairs),
            right: (&images, others),
        };
        let mut tried: Vec<SigmaId> = Vec::new();
        let mut refused = None;
        for rho in renaming.candidates() {
            let sigma = self.intern_sigma(rho);
            let restricted = self.restricted_to(sigma, events.iter().copied());
            if tried.contains(&restricted) {
                continue;
            }
            tried.push(restricted);
            match self.goal(Goal { left, sigma, right }, at) {
                Ok(premise) => return Ok(self.proof(Rule::Rename, goal, vec![0], vec![premise])),
                Err(Stop::Refused(failure)) => drop(refused.get_or_insert(failure)),
                Err(broken) => return Err(broken),
            }
        }
        match refused {
            Some(failure) => Err(Stop::Refused(failure)),
            None => self.refuse(Rule::Rename, goal, at, renaming.broken()),
        }
    }
}

/// Two renamings, with the alphabets of what they rename.
struct Renaming<'r> {
    sigma: EventPermutation,
    left: (&'r [EventId], &'r Pairs),
    right: (&'r [EventId], &'r Pairs),
}

/// Where an event of P would best go.
type Preference = fn(&EventPermutation, EventId) -> EventId;

impl Renaming<'_> {
    /// The permutations ρ to try, in this order, each of which carries the one renaming onto the other.
    fn candidates(&self) -> impl Iterator<Item = EventPermutation> {
        let by_sigma: Preference = EventPermutation::apply;
        let staying: Preference = |_, event| event;
        let carried = [
            self.carried(&[by_sigma, staying]),
            self.carried(&[staying, by_sigma]),
            self.carried(&[]),
        ];
        let sigma = self.is_carried_by_sigma().then(|| self.sigma.clone());
        sigma.into_iter().chain(carried.into_iter().flatten())
    }

    /// What becomes of an event of P, as seen after σ; ascending.
    fn becomes(&self, event: EventId) -> Vec<EventId> {
        let targets = renamed(self.left.1, event).into_iter();
        let mut images: Vec<EventId> = targets.map(|target| self.sigma.apply(target)).collect();
        images.sort_unstable();
        images
    }

    fn is_carried_by_sigma(&self) -> bool {
        let (events, _) = self.left;
        let (images, pairs) = self.right;
        events.iter().all(|&event| {
            let image = self.sigma.apply(event);
            images.binary_search(&image).is_err() || self.becomes(event) == renamed(pairs, image)
        })
    }

    /// Events of Q by what becomes of them, ascending.
    fn homes(&self) -> FxHashMap<Vec<EventId>, Vec<EventId>> {
        let (images, pairs) = self.right;
        let mut homes: FxHashMap<Vec<EventId>, Vec<EventId>> = FxHashMap::default();
        for &image in images {
            homes.entry(renamed(pairs, image)).or_default().push(image);
        }
        homes
    }

    /// The ρ by which each event goes to one that becomes the right things, if possible as preferred.
    fn carried(&self, preferences: &[Preference]) -> Option<EventPermutation> {
        let homes = self.homes();
        let mut taken: FxHashSet<EventId> = FxHashSet::default();
        let mut rho: Vec<(EventId, EventId)> = Vec::with_capacity(self.left.0.len());
        let mut rest: Vec<(EventId, &[EventId])> = Vec::new();
        for &event in self.left.0 {
            rest.push((event, homes.get(&self.becomes(event))?));
        }
        for preference in preferences {
            rest.retain(|&(event, homes)| {
                let image = preference(&self.sigma, event);
                let goes = homes.binary_search(&image).is_ok() && taken.insert(image);
                if goes {
                    rho.push((event, image));
                }
                !goes
            });
        }
        for (event, homes) in rest {
            let free = homes.iter().find(|&&image| taken.insert(image));
            rho.push((event, *free?));
        }
        EventPermutation::from_pairs(rho).ok()
    }

    /// A pair of P's renaming that goes nowhere.
    fn broken(&self) -> Why {
        let homes = self.homes();
        let mut used: FxHashMap<Vec<EventId>, usize> = FxHashMap::default();
        for &event in self.left.0 {
            let becomes = self.becomes(event);
            let room = homes.get(&becomes).map_or(0, Vec::len);
            let used = used.entry(becomes).or_default();
            *used += 1;
            if *used > room {
                return Why::Renaming(event, renamed(self.left.1, event)[0]);
            }
        }
        Why::Operators
    }
}
