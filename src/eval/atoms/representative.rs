//! Chooses one of all images of some terms under permutations of atoms.
//!
//! Atoms are put into the order of their colours. Where several have one colour and exchanging them
//! may change the terms, each of them comes first once, and the least image is taken. That is as
//! many images as [`MOST_IMAGES`] allow; with fewer, terms that are images of each other may get
//! different representatives. A search then visits more states, and is right all the same.

use std::rc::Rc;

use super::colours::{ColouredPart, Colours};
use super::ends::hash_of;
use super::image::Image;
use super::table::AtomSubject;
use crate::atom::{AtomId, AtomPermutation};
use crate::evaluator::Evaluator;
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use base::mix::mix;
use base::stack::deep;
use process::operator::Operator;
use process::term::{Term, TermId};

/// The most images that are made to choose one of them.
const MOST_IMAGES: usize = 64;

impl Evaluator<'_> {
    /// Replaces `terms`, of which all but the first are in no order, by one of their images under
    /// permutations of atoms, as far as possible always by the same one.
    ///
    /// Returns the number of terms, of parts of terms and of atoms that were looked at.
    pub(crate) fn replace_by_representative(&mut self, terms: &mut Vec<TermId>) -> Result<usize> {
        let before = self.declared.atoms.looked_at;
        if terms.len() > 2 {
            // Terms that differ only in an order that means nothing count once, or they would
            // weigh twice in the colours.
            let identity = self.identity();
            *terms = self.images(terms, &identity)?;
        }
        let mut parts = Vec::new();
        for (i, &term) in terms.iter().enumerate() {
            self.add_parts(term, i.min(1) as u64, &mut parts)?;
        }
        let types = &self.declared.atoms.types;
        let colours = Colours::new(types.atoms().map(|atom| types.type_of(atom)), &parts);
        let mut choice = RepresentativeChoice {
            terms,
            parts: &parts,
            images: 0,
            least: None,
        };
        choice.look(self, &colours)?;
        let images = choice.images;
        if let Some(least) = choice.least {
            *terms = least;
        }
        // Each image puts all atoms into an order.
        let atoms = images * self.declared.atoms.types.atoms().count();
        Ok(self.declared.atoms.looked_at - before + atoms)
    }

    /// Adds the parts of `term`, which is on this way.
    fn add_parts(&mut self, term: TermId, way: u64, parts: &mut Vec<ColouredPart>) -> Result<()> {
        deep(|| self.add_parts_here(term, way, parts))
    }

    fn add_parts_here(
        &mut self,
        term: TermId,
        way: u64,
        parts: &mut Vec<ColouredPart>,
    ) -> Result<()> {
        self.declared.atoms.looked_at += 1;
        let Term::Over(operator, operands) = self.terms.get(term).clone() else {
            return self.add_part(AtomSubject::Term(term), way, parts);
        };
        let way = mix(way ^ mix(hash_of(operator.name()) ^ mix(operands.len() as u64)));
        if let Some(set) = operator.set() {
            self.add_part(AtomSubject::Set(set), !way, parts)?;
        }
        if let Operator::Alphabetised(alphabets) = &operator {
            for &alphabet in alphabets.iter() {
                self.add_part(AtomSubject::Set(alphabet), !way, parts)?;
            }
        }
        if matches!(operator, Operator::Linked(_) | Operator::Rename(_)) {
            return self.add_part(AtomSubject::Term(term), way, parts);
        }
        let is_ordered = !matches!(
            operator,
            Operator::Parallel(_) | Operator::Choice(_) | Operator::Alphabetised(_)
        );
        for (i, operand) in operands.into_iter().enumerate() {
            let place = if is_ordered { i as u64 } else { 0 };
            self.add_parts(operand, mix(way ^ place), parts)?;
        }
        Ok(())
    }

    fn add_part(
        &mut self,
        subject: AtomSubject,
        way: u64,
        parts: &mut Vec<ColouredPart>,
    ) -> Result<()> {
        let ends = self.atom_ends(subject)?;
        if !ends.places.is_empty() {
            parts.push(ColouredPart { way, ends });
        }
        Ok(())
    }

    /// The images of `terms`, those after the first ascending and without repetition.
    fn images(&mut self, terms: &[TermId], permutation: &AtomPermutation) -> Result<Vec<TermId>> {
        let mut image = Image::under(self, permutation);
        let Some((&first, others)) = terms.split_first() else {
            return Ok(Vec::new());
        };
        let first = image.term(first)?;
        let others = others.iter().map(|&term| image.term(term));
        let mut others = others.collect::<Result<Vec<TermId>>>()?;
        others.sort_unstable();
        others.dedup();
        others.insert(0, first);
        Ok(others)
    }
}

/// The choice of a representative.
struct RepresentativeChoice<'c> {
    terms: &'c [TermId],
    parts: &'c [ColouredPart],
    /// The number of images made.
    images: usize,
    least: Option<Vec<TermId>>,
}

impl RepresentativeChoice<'_> {
    /// Looks at the images that put atoms into the order of `colours`.
    fn look(&mut self, evaluator: &mut Evaluator<'_>, colours: &Colours) -> Result<()> {
        evaluator.work.tick()?;
        let types = &evaluator.declared.atoms.types;
        let mut order: Vec<AtomId> = types.atoms().collect();
        order.sort_by_key(|&atom| (types.type_of(atom), colours.of(atom)));
        if let Some(alike) = self.first_alike(evaluator, colours, &order) {
            for atom in alike {
                // Each way down makes one image at least, so this ends.
                if self.images >= MOST_IMAGES {
                    break;
                }
                let colours = colours.with_one(atom, self.parts);
                deep(|| self.look(evaluator, &colours))?;
            }
            return Ok(());
        }
        // The atoms of a type have successive numbers, and are sorted among themselves.
        let mut permutation: IndexVec<AtomId, AtomId> = types.atoms().collect();
        for (place, &atom) in order.iter().enumerate() {
            permutation[atom] = AtomId::from_usize(place);
        }
        let images = evaluator.images(self.terms, &Rc::new(permutation))?;
        self.images += 1;
        if self.least.as_ref().is_none_or(|least| images < *least) {
            self.least = Some(images);
        }
        Ok(())
    }

    /// The first atoms of one type and colour that may not be exchanged, as far as is known.
    fn first_alike(
        &self,
        evaluator: &Evaluator<'_>,
        colours: &Colours,
        order: &[AtomId],
    ) -> Option<Vec<AtomId>> {
        let types = &evaluator.declared.atoms.types;
        let key = |atom: AtomId| (types.type_of(atom), colours.of(atom));
        let mut groups = order.chunk_by(|&a, &b| key(a) == key(b));
        let group = groups.find(|group| !self.are_exchangeable(group))?;
        Some(group.to_vec())
    }

    /// True if exchanging two of `atoms`, of one colour, is certain to leave all terms as they are:
    /// each part in which one stands has no other atom, so that equal colours mean equal parts, or
    /// all of them stand in it and may be exchanged there.
    fn are_exchangeable(&self, atoms: &[AtomId]) -> bool {
        if atoms.len() < 2 {
            return true;
        }
        self.parts.iter().all(|part| {
            let places = &part.ends.places;
            let mut own = places.iter().filter(|end| atoms.contains(&end.atom));
            let Some(one) = own.next() else {
                return true;
            };
            let count = 1 + own.clone().count();
            places.len() == 1 || (count == atoms.len() && own.all(|end| end.class == one.class))
        })
    }
}
