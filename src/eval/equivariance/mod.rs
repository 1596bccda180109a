//! Bodies of calls that need not be evaluated, because the same call with other values has one: P(x)σ = P(xσ).
//!
//! A definition that asks of some of its values only whether they are equal does with other values the same, renamed. Here
//! that is proven from the text of the definition, in the way types are inferred (`prover.rs`, `walker.rs`, `values.rs`): each value has a *role*, values
//! that are compared, or are members of one set, or stand in one field of a channel have the same one (`roles.rs`), and what is done to
//! a value otherwise, arithmetic or a comparison by `<`, makes its role *fixed*. What roles are left may be renamed by any bijection
//! (`renaming.rs`, `renamer.rs`) that keeps the constants the definition speaks of, such as the set that a field ranges over. That is Reynolds'
//! parametricity; for CSP it is data independence (Lazić, 1999).
//!
//! Only what is cheap to know is used: nothing is evaluated to find out whether a body can be renamed, and definitions of which that mostly
//! fails are evaluated from then on. Events have numbers in the order in which they are met, which may be another one where bodies are renamed.
//!
//! What is proven is about text: evaluating P(xσ) gives the very term that P(x) gave, with its events and the arguments of its calls
//! renamed (and, in a choice over a renamed set, perhaps in another order). What is not understood is evaluated, as ever. That a
//! renamed body is the evaluated one can be checked as well: [`Evaluator::check_renamed`], which tests do for all scripts.

mod known;
mod proof;
mod prover;
mod renamer;
mod renaming;
mod roles;
mod table;
mod values;
mod walker;

use self::proof::{Proof, Skeleton};
use self::renamer::Renamer;
use self::renaming::{Bijection, Support};
use self::table::MOST_KEPT;
use super::call_table::{Body, CallKey};
use super::evaluator::Evaluator;
use crate::process::term::{CallId, Definitions, Term, TermId};

pub(super) use self::table::Equivariance;

/// From more calls a body is not renamed: there are several because no bijection may lead from some to others.
const MOST_ALIKE: usize = 8;

impl Evaluator<'_> {
    /// From now on every body that is renamed is evaluated too, and used only for [`Evaluator::wrongly_renamed`].
    pub fn check_renamed(&mut self) {
        self.equivariance.is_checked = true;
    }

    /// The calls of which the renamed body is not the evaluated one, if they are compared.
    pub fn wrongly_renamed(&self) -> &[String] {
        &self.equivariance.wrong
    }

    /// How many bodies were renamed instead of evaluated.
    pub fn renamed_bodies(&self) -> u64 {
        self.equivariance.renamed
    }

    /// The body of `call`, renamed from that of another call, if there is one of which that is proven.
    pub(super) fn renamed_body(&mut self, call: CallId) -> Option<TermId> {
        if self.calls.keys[call].values.is_empty() {
            return None;
        }
        let key = self.calls.keys[call].clone();
        let proof = self.proof(&key, call)?;
        let (skeleton, support) = proof.skeleton(&key)?;
        let evaluated = self.equivariance.evaluated.get(&skeleton);
        let evaluated = evaluated.cloned().unwrap_or_default();
        if proof.is_ready(self) {
            for (other, sources) in &evaluated {
                let Some(bijection) = Bijection::between(sources, &support) else {
                    continue;
                };
                let renamed = self.renamed_from(*other, &key, &proof, bijection);
                if !proof.counts(renamed.is_some()) {
                    self.equivariance.proofs.insert(key.callee, None);
                }
                if renamed.is_some() {
                    self.equivariance.renamed += 1;
                    return renamed;
                }
            }
        }
        if evaluated.len() < MOST_ALIKE {
            self.remember(call, skeleton, support);
        }
        None
    }

    /// Lets other bodies be renamed from that of `call`.
    fn remember(&mut self, call: CallId, skeleton: Skeleton, support: Support) {
        if self.equivariance.evaluated.len() < MOST_KEPT {
            let known = self.equivariance.evaluated.entry(skeleton).or_default();
            known.push((call, support));
        }
    }

    /// The same, from the body of `other`, if `bijection` makes its values those of `key`.
    fn renamed_from(
        &mut self,
        other: CallId,
        key: &CallKey,
        proof: &Proof,
        bijection: Bijection,
    ) -> Option<TermId> {
        let Body::Unfolded(body) = self.calls.bodies[other.0 as usize] else {
            return None;
        };
        let values = self.calls.keys[other].values.iter().zip(&proof.shapes);
        let images = values.map(|(value, shape)| bijection.apply(shape, value));
        if !images.eq(key.values.iter().cloned().map(Some)) {
            return None;
        }
        let events = self.kept_renaming(key.callee, proof, &bijection)?;
        let before = events.len();
        let mut renamer = Renamer::new(proof, &bijection, events);
        let renamed = renamer.term(self, body);
        let events = renamer.events();
        self.equivariance.images += events.len() - before;
        let known = self.equivariance.renamings.entry(key.callee).or_default();
        known.0.insert(bijection, Some(events));
        renamed
    }

    /// Remembers it if `renamed` is not `evaluated`, which is nothing for an error; but for the order of operands.
    pub(super) fn compare_renamed(
        &mut self,
        call: CallId,
        renamed: TermId,
        evaluated: Option<TermId>,
    ) {
        if !evaluated.is_some_and(|evaluated| self.is_same(renamed, evaluated)) {
            let name = self.call_name(call);
            self.equivariance.wrong.push(name);
        }
    }

    /// Whether renamed bodies are to be compared.
    pub(super) fn compares_renamed(&self) -> bool {
        self.equivariance.is_checked
    }

    fn is_same(&self, a: TermId, b: TermId) -> bool {
        let pairwise = |pairs: &[(TermId, TermId)]| pairs.iter().all(|&(a, b)| self.is_same(a, b));
        a == b
            || match (self.terms.get(a), self.terms.get(b)) {
                (Term::ExternalChoice(a), Term::ExternalChoice(b))
                | (Term::InternalChoice(a), Term::InternalChoice(b)) => {
                    let mut left: Vec<TermId> = b.to_vec();
                    a.len() == b.len()
                        && a.iter().all(|&own| {
                            let place = left.iter().position(|&other| self.is_same(own, other));
                            place.map(|place| left.swap_remove(place)).is_some()
                        })
                }
                (Term::Prefix(a), Term::Prefix(b)) => {
                    a.len() == b.len()
                        && a.iter()
                            .zip(b.iter())
                            .all(|(own, other)| own.0 == other.0 && self.is_same(own.1, other.1))
                }
                (&Term::Sequential(a, c), &Term::Sequential(b, d))
                | (&Term::Interrupt(a, c), &Term::Interrupt(b, d))
                | (&Term::SlidingChoice(a, c), &Term::SlidingChoice(b, d)) => {
                    pairwise(&[(a, b), (c, d)])
                }
                _ => false,
            }
    }
}
