//! The rule of renaming.

use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::{Application, Attempt, Goal, SigmaId, Unproved};
use super::operational::restricted_to;
use super::prover::Prover;
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use process::event::EventId;
use process::operator::{FewEvents, renamed};
use process::term::TermId;

/// The pairs of a renaming, ascending.
type Pairs = [(EventId, EventId)];

impl Prover<'_> {
    /// Rule 8: `Pρ = Q` for some ρ that carries the renaming of P onto the renaming of Q: for every
    /// a that P can do, the images under σ of the events that a is renamed to are the events that
    /// aρ is renamed to.
    ///
    /// First ρ = σ is tried. Otherwise a can only go to an event that is renamed to the right
    /// events. Where there are several such events, aσ is preferred, or a, or events go in their
    /// order. Other choices are not tried, because there may be exponentially many.
    pub(super) fn rename(
        &mut self,
        here: Application,
        (left, pairs): (TermId, &Pairs),
        (right, others): (TermId, &Pairs),
    ) -> Attempt {
        let events = self.facts.alphabet(left);
        let images = self.facts.alphabet(right);
        let renaming = Renaming {
            sigma: self.facts.sigmas[here.goal.sigma].clone(),
            left: (&events, pairs),
            right: (&images, others),
        };
        let mut tried: Vec<SigmaId> = Vec::new();
        let mut refused = None;
        for rho in renaming.candidates() {
            let sigma = self.facts.sigmas.intern(rho);
            // Candidates that differ only in events that P never does are one goal.
            let restricted = restricted_to(sigma, events.iter().copied(), &mut self.facts.sigmas);
            if tried.contains(&restricted) {
                continue;
            }
            tried.push(restricted);
            match self.each(here, &[(Goal { left, sigma, right }, here.at)]) {
                // The refusal of the first candidate is shown, which is σ itself if σ is possible.
                Err(Unproved::Refused(failure)) => drop(refused.get_or_insert(failure)),
                decided => return decided,
            }
        }
        match refused {
            Some(failure) => Err(Unproved::Refused(failure)),
            None => self.facts.refuse(here, renaming.broken()),
        }
    }
}

/// Two renamings, with the alphabets of their operands.
struct Renaming<'r> {
    sigma: EventPermutation,
    left: (&'r [EventId], &'r Pairs),
    right: (&'r [EventId], &'r Pairs),
}

/// The event of Q that an event of P should go to if possible.
type Preference = fn(&EventPermutation, EventId) -> EventId;

impl Renaming<'_> {
    /// The permutations ρ to try, in this order. Each of them carries the renaming of P onto that
    /// of Q.
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

    /// The images under σ of the events that an event of P is renamed to, ascending.
    fn becomes(&self, event: EventId) -> FewEvents {
        let targets = renamed(self.left.1, event).into_iter();
        let mut images: FewEvents = targets.map(|target| self.sigma.apply(target)).collect();
        images.sort_unstable();
        images
    }

    fn is_carried_by_sigma(&self) -> bool {
        let (events, _) = self.left;
        let (images, pairs) = self.right;
        events.iter().all(|&event| {
            let image = self.sigma.apply(event);
            // The renaming of an event that Q never does makes no difference.
            images.binary_search(&image).is_err() || self.becomes(event) == renamed(pairs, image)
        })
    }

    /// The events of Q by the events that they are renamed to, ascending.
    fn homes(&self) -> FxHashMap<FewEvents, Vec<EventId>> {
        let (images, pairs) = self.right;
        let mut homes: FxHashMap<FewEvents, Vec<EventId>> = FxHashMap::default();
        for &image in images {
            homes.entry(renamed(pairs, image)).or_default().push(image);
        }
        homes
    }

    /// The ρ by which each event goes to one that is renamed to the right events: the preferred one
    /// where possible, by the first preference for all events, then by the second.
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
            // Events with the same home may go to any free event of it, so no choice takes an event
            // that another one needs.
            let free = homes.iter().find(|&&image| taken.insert(image));
            rho.push((event, *free?));
        }
        EventPermutation::from_pairs(rho).ok()
    }

    /// A pair of P's renaming to which no pair of Q's renaming corresponds.
    fn broken(&self) -> Why {
        let homes = self.homes();
        let mut used: FxHashMap<FewEvents, usize> = FxHashMap::default();
        for &event in self.left.0 {
            let becomes = self.becomes(event);
            let room = homes.get(&becomes).map_or(0, Vec::len);
            let used = used.entry(becomes).or_default();
            *used += 1;
            // More events of P than of Q are renamed to these events.
            if *used > room {
                return Why::Renaming(event, renamed(self.left.1, event)[0]);
            }
        }
        Why::Operators
    }
}
