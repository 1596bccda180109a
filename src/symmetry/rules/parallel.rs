//! Rules of the parallels: with a set, with alphabets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dispatch::SYNCHRONISED;
use super::facts::ProofFacts;
use super::goal::{Application, Attempt, Goal};
use super::matching::Unmatched;
use super::operands::BothOperands;
use super::prover::Prover;
use super::sets::SetMismatch;
use process::event::{EventId, EventSetId};
use process::term::TermId;

/// Alphabets, and the operands that have them.
type Alphabetised<'a> = (&'a [EventSetId], &'a [TermId]);

impl Prover<'_> {
    /// Rules 4, 5, 9 and 10: `Aσ = A'`, and `P(i)σ = Q(iρ)` for some ρ.
    ///
    /// A parallel below another one over the same set is the same as one parallel of all operands,
    /// so that it does not matter how `P ||| Q ||| R` is bracketed.
    pub(super) fn parallel(
        &mut self,
        here: Application,
        set: EventSetId,
        other: EventSetId,
    ) -> Attempt {
        let left = self.facts.subject.side_by_side(here.goal.left, set);
        let right = self.facts.subject.side_by_side(here.goal.right, other);
        self.facts
            .sets_agree(here, SYNCHRONISED, (set, &left), (other, &right))?;
        self.matched(here, &left, &right)
    }

    /// Rule 11: `P(i)σ = Q(iρ)` and `A(i)σ = A'(iρ)` for some ρ.
    ///
    /// Alphabets are compared without the events that neither side can do as a whole. Such an event
    /// is never done, whichever alphabets have it: some operand whose alphabet has it never does
    /// it, or no alphabet has it. The events that the sides can do are only computed if the full
    /// alphabets do not pair off.
    pub(super) fn alphabetised(
        &mut self,
        here: Application,
        left: Alphabetised,
        right: Alphabetised,
    ) -> Attempt {
        let classes = self.facts.alphabet_classes(here.goal, left.0, right.0);
        let operands = BothOperands {
            left: left.1,
            right: right.1,
            classes: classes.each_ref().map(Vec::as_slice),
        };
        match self.partners(here, &operands)? {
            Ok(partners) => self.with_partners(here, &operands, partners),
            Err(unmatched) => self.unmatched(here, left, right, &classes, &unmatched),
        }
    }

    /// The refusal for an operand that has no partner: its alphabet differs, or its behaviour.
    fn unmatched(
        &mut self,
        here: Application,
        left: Alphabetised,
        right: Alphabetised,
        classes: &[Vec<u64>; 2],
        unmatched: &Unmatched,
    ) -> Attempt {
        let (alphabet, operand) = (left.0[unmatched.left], left.1[unmatched.left]);
        let same_class = unmatched.free.iter().copied();
        let same_class = same_class
            .filter(|&right| classes[1][right] == classes[0][unmatched.left])
            .min_by_key(|&right| (right != unmatched.left, right));
        if let Some(partner) = same_class {
            return self.refuse_operand(here, operand, right.1[partner]);
        }
        let (facts, free) = (&mut self.facts, &unmatched.free);
        match facts.nearest_alphabet(here.goal, alphabet, right.0, free) {
            Some((partner, mismatch)) => {
                let goal = here.goal.about(operand, right.1[partner]);
                facts.refuse(goal.by(here.rule, here.at), mismatch.why("alphabet"))
            }
            None => facts.no_partner(here, operand),
        }
    }
}

impl ProofFacts<'_> {
    /// By operand of P and of Q, numbers that are equal if the image of P's alphabet is Q's
    /// alphabet.
    fn alphabet_classes(
        &mut self,
        goal: Goal,
        left: &[EventSetId],
        right: &[EventSetId],
    ) -> [Vec<u64>; 2] {
        let exact = self.numbered_alphabets(goal, left, right, |_| true);
        // If both sides have each number equally often, full alphabets pair off.
        let sorted = exact.clone().map(|mut classes| {
            classes.sort_unstable();
            classes
        });
        if sorted[0] == sorted[1] {
            return exact;
        }
        let able = self.able(goal);
        self.numbered_alphabets(goal, left, right, |image| able.contains(&image))
    }

    /// The images of the events that P can do as a whole, and the events that Q can do as a whole.
    fn able(&mut self, goal: Goal) -> FxHashSet<EventId> {
        let events = self.alphabet(goal.left);
        let images = self.alphabet(goal.right);
        let sigma = &self.sigmas[goal.sigma];
        let events = events.iter().map(|&event| sigma.apply(event));
        events.chain(images.iter().copied()).collect()
    }

    fn numbered_alphabets(
        &self,
        goal: Goal,
        left: &[EventSetId],
        right: &[EventSetId],
        matters: impl Fn(EventId) -> bool,
    ) -> [Vec<u64>; 2] {
        let sigma = &self.sigmas[goal.sigma];
        let events = &self.subject.definitions.terms().events;
        let mut numbers: FxHashMap<Vec<EventId>, u64> = FxHashMap::default();
        // Both sides draw from one numbering, so equal numbers mean equal alphabets.
        let mut number = |mut alphabet: Vec<EventId>| {
            alphabet.retain(|&event| matters(event));
            alphabet.sort_unstable();
            let fresh = numbers.len() as u64;
            *numbers.entry(alphabet).or_insert(fresh)
        };
        let images = |set| events.set(set).iter().map(|&event| sigma.apply(event));
        let lefts = left.iter().map(|&set| number(images(set).collect()));
        let lefts = lefts.collect();
        let rights = right.iter().map(|&set| number(events.set(set).to_vec()));
        [lefts, rights.collect()]
    }

    /// The operand among the `free` ones of Q whose alphabet is most like the image of `alphabet`
    /// and has an event in common with it; and an event by which the two differ.
    fn nearest_alphabet(
        &mut self,
        goal: Goal,
        alphabet: EventSetId,
        right: &[EventSetId],
        free: &[usize],
    ) -> Option<(usize, SetMismatch)> {
        let able = self.able(goal);
        let size = self.subject.definitions.terms().events.set(alphabet).len();
        let mut nearest: Option<(usize, usize, SetMismatch)> = None;
        for &candidate in free {
            let mut mismatches = self.mismatches(goal, alphabet, right[candidate]);
            // If fewer events are lost than the alphabet has, some event keeps its image.
            let has_common = mismatches.iter().filter(|m| m.on_left).count() < size;
            mismatches.retain(|mismatch| able.contains(&mismatch.image));
            let count = mismatches.len();
            if let Some(&first) = mismatches.first()
                && has_common
                && nearest.is_none_or(|(least, _, _)| count < least)
            {
                nearest = Some((count, candidate, first));
            }
        }
        nearest.map(|(_, candidate, mismatch)| (candidate, mismatch))
    }
}
