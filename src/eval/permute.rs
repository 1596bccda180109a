//! Permutations of the values of a type, lifted to events and to values that hold them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::evaluator::Evaluator;
use super::kind::{PermutableKind, TypePermutation};
use super::set::Set;
use super::typed::{Visitor, walk};
use super::value::Value;
use base::diag::{Diagnostic, Result};
use process::event::EventId;
use process::values::Lifting;

pub use super::claim::ClaimedType;
pub use super::kind::TypedValues;

/// The values met so far, by the type they belong to.
#[derive(Default)]
struct Occurring {
    /// The values of each type, ascending, each with the sum of the weights of the events where it
    /// stands.
    types: Vec<(PermutableKind, Vec<(Value, u64)>)>,
    /// The weight of the event that is walked.
    weight: u64,
}

/// The image of each value that moves.
type Images<'a> = FxHashMap<&'a Value, &'a Value>;

/// The treatment of values that the walk does not enter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpaqueValues {
    Stay,
    AreErrors,
}

/// Replaces values by their images.
struct Permuter<'a> {
    /// The images by type. The types differ.
    parts: Vec<(&'a PermutableKind, Images<'a>)>,
    /// Sets that were met, and the index of the part that each belongs to, if any. Equal sets from
    /// different places are listed separately.
    met: Vec<(PermutableKind, Option<usize>)>,
    opaque: OpaqueValues,
    /// True if an image is outside the set of its field.
    misplaced: bool,
}

impl Evaluator<'_> {
    /// The types that the fields of these events range over, in the order of their names, each with
    /// those of its values that occur in the events. Types of which fewer than two values occur are
    /// left out.
    ///
    /// A constant belongs to its datatype and a truth value to `Bool` wherever they stand; an
    /// integer or character belongs to the set that is declared where it stands, if that is finite.
    /// Fields with equal sets share a type, whatever the sets are called.
    pub(crate) fn permutable_types(&mut self, events: &[EventId]) -> Result<Vec<TypedValues>> {
        let mut types = self.occurring_types(events)?;
        types.retain(|ty| ty.values.len() >= 2);
        Ok(types)
    }

    /// The types that the fields of these events range over, including those of which only one
    /// value occurs.
    pub(crate) fn occurring_types(&mut self, events: &[EventId]) -> Result<Vec<TypedValues>> {
        let types = self.all_types(events, &|_| 0)?;
        Ok(types.into_iter().map(|(ty, _)| ty).collect())
    }

    /// The types that the fields of these events range over, including those of which only one
    /// value occurs. Each value comes with the sum of the weights of the events in which it stands,
    /// counted as often as it stands there.
    pub(super) fn all_types(
        &mut self,
        events: &[EventId],
        weight: &dyn Fn(EventId) -> u64,
    ) -> Result<Vec<(TypedValues, Vec<u64>)>> {
        let mut occurring = Occurring::default();
        for event in events {
            if let Some(value) = self.events.value(*event).cloned() {
                occurring.weight = weight(*event);
                walk(self, &value, &mut occurring)?;
            }
        }
        let types = occurring.types.into_iter();
        let mut types: Vec<(TypedValues, Vec<u64>)> = types
            .map(|(kind, values)| {
                let (values, weights): (Vec<Value>, Vec<u64>) = values.into_iter().unzip();
                (self.text().value_type(kind, values), weights)
            })
            .collect();
        // Two types have one name only if the script has a datatype called Bool, or two of one name
        // in different scopes.
        types.sort_by(|(a, _), (b, _)| (&a.name, &a.values).cmp(&(&b.name, &b.values)));
        Ok(types)
    }

    /// The canonical lifting of a permutation of the values of `ty` to `events` (section 3.1 of the
    /// paper): value i of `ty.values` goes to `ty.values[images[i]]` in every field of that type,
    /// however deep inside. `images` is a permutation of the indices of `ty.values`. Images that no
    /// process has used yet get numbers.
    pub fn lift(
        &mut self,
        ty: &TypedValues,
        images: &[usize],
        events: &[EventId],
    ) -> Result<Lifting> {
        self.lift_parts(&[(ty.clone(), images.to_vec())], events)
    }

    /// The canonical lifting of permutations of the values of several types at once. No type occurs
    /// twice.
    pub(super) fn lift_parts(
        &mut self,
        parts: &[TypePermutation],
        events: &[EventId],
    ) -> Result<Lifting> {
        let parts = parts.iter().map(|(ty, images)| (ty, &images[..]));
        let mut permuter = Permuter::new(parts, OpaqueValues::Stay);
        let mut pairs = Vec::new();
        for &event in events {
            // Events that no script made (τ, ✓) stay.
            let Some(value) = self.events.value(event).cloned() else {
                continue;
            };
            let Some(image) = walk(self, &value, &mut permuter)? else {
                continue;
            };
            if permuter.misplaced {
                return Ok(Err((event, self.show(&image))));
            }
            let image = self.event(&image)?;
            // A set may have got its members back.
            if image != event {
                pairs.push((event, image));
            }
        }
        Ok(Ok(pairs))
    }

    /// `value`, fully evaluated, with the values of `ty` permuted: value i of `ty.values` becomes
    /// `ty.values[images[i]]`. The result may have fields outside their sets, and then differs from
    /// every value of the script. Fails as undecided for values that cannot be permuted for
    /// certain: functions, processes, infinite sets and, for a type of integers, those outside of
    /// channels and constructors, whose meaning is not known.
    pub fn permute_value(
        &mut self,
        ty: &TypedValues,
        images: &[usize],
        value: &Value,
    ) -> Result<Value> {
        let mut permuter = Permuter::new([(ty, images)], OpaqueValues::AreErrors);
        let value = self.force_deep(value)?;
        let image = walk(self, &value, &mut permuter)?;
        Ok(image.unwrap_or(value))
    }
}

impl Visitor for Occurring {
    fn typed(&mut self, kind: &PermutableKind, value: &Value) -> Option<Value> {
        let known = self.types.iter().position(|(other, _)| other == kind);
        let at = known.unwrap_or_else(|| {
            self.types.push((kind.clone(), Vec::new()));
            self.types.len() - 1
        });
        let values = &mut self.types[at].1;
        let place = values.binary_search_by(|(other, _)| other.cmp(value));
        let place = place.unwrap_or_else(|place| {
            values.insert(place, (value.clone(), 0));
            place
        });
        values[place].1 = values[place].1.wrapping_add(self.weight);
        None
    }

    fn untyped(&mut self, _: &mut Evaluator<'_>, _: &Value) -> Result<()> {
        Ok(())
    }
}

/// The largest number of sets that are remembered.
const MOST_MET: usize = 16;

impl<'a> Permuter<'a> {
    fn new(
        parts: impl IntoIterator<Item = (&'a TypedValues, &'a [usize])>,
        opaque: OpaqueValues,
    ) -> Self {
        let of_type = |(ty, images): (&'a TypedValues, &[usize])| {
            debug_assert!(
                images.len() == ty.values.len()
                    && images.iter().collect::<BTreeSet<_>>().len() == images.len(),
                "images are a permutation of the values"
            );
            let moved = ty.values.iter().zip(images);
            let moved = moved.map(|(value, &image)| (value, &ty.values[image]));
            let moved = moved.filter(|(value, image)| value != image);
            (&ty.kind, moved.collect())
        };
        Self {
            parts: parts.into_iter().map(of_type).collect(),
            met: Vec::new(),
            opaque,
            misplaced: false,
        }
    }

    /// The part that values of `kind` belong to.
    fn part_of(&mut self, kind: &PermutableKind) -> Option<usize> {
        if let Some((_, part)) = self.met.iter().find(|(met, _)| met.is_one(kind)) {
            return *part;
        }
        let part = self.parts.iter().position(|(own, _)| *own == kind);
        if self.met.len() < MOST_MET {
            self.met.push((kind.clone(), part));
        }
        part
    }

    fn is_identity(&self) -> bool {
        self.parts.iter().all(|(_, images)| images.is_empty())
    }

    /// True if an untyped `value` is unchanged in any reading of the permutation.
    fn is_untouched(&self, value: &Value) -> bool {
        let mut parts = self.parts.iter();
        match value {
            Value::Int(_) | Value::Char(_) => parts.all(|(_, images)| !images.contains_key(value)),
            Value::Set(set) => match **set {
                Set::Integers | Set::Characters => true,
                Set::IntegersFrom(_) => {
                    parts.all(|(kind, _)| !matches!(kind, PermutableKind::Index(_)))
                }
                _ => false,
            },
            _ => false,
        }
    }
}

impl Visitor for Permuter<'_> {
    fn typed(&mut self, kind: &PermutableKind, value: &Value) -> Option<Value> {
        let part = self.part_of(kind)?;
        self.parts[part].1.get(value).map(|&image| image.clone())
    }

    fn untyped(&mut self, evaluator: &mut Evaluator<'_>, value: &Value) -> Result<()> {
        if self.opaque == OpaqueValues::Stay || self.is_identity() || self.is_untouched(value) {
            return Ok(());
        }
        let shown = evaluator.text().brief(value);
        let message = match value {
            Value::Int(_) | Value::Char(_) => {
                format!("whether {shown} is meant as an index here is not known")
            }
            _ => format!("what a permutation makes of {} is not known", value.kind()),
        };
        Diagnostic::undecided("unsupported", message)
            .at(evaluator.work.place(), "")
            .note(format!("the value is {shown}"))
            .hint("ask about events, or about datatype values: their fields have types")
            .into()
    }

    fn misplaced(&mut self) {
        self.misplaced = true;
    }
}
