//! Finds the permutation of values that lifts to a given permutation of events.

use super::evaluator::Evaluator;
use super::kind::{PermutableKind, TypePermutation, TypedValues};
use super::typed::{Visitor, walk};
use super::value::Value;
use base::diag::Result;
use process::event::EventId;
use process::values::Inferred;

/// The values of an event that have a type, in the order in which a walk meets them.
#[derive(Default)]
struct WalkedValues {
    ends: Vec<(PermutableKind, Value)>,
    /// True if some stand in a set or map: those of an image may come in another order.
    is_unordered: bool,
}

impl Evaluator<'_> {
    /// The permutations of values whose canonical lifting takes each of `events` to its `image`;
    /// `None` if there are none. `image` permutes `events`.
    ///
    /// An event and its image have one shape if permuted values are all that differs, so two walks
    /// in step meet each value beside its image. The permutation found in this way is lifted and
    /// compared: nothing is taken on trust. Takes time linear in the text of the events. `types`
    /// are those that occur in them.
    pub(super) fn values_inferred(
        &mut self,
        events: &[EventId],
        types: &[TypedValues],
        image: &dyn Fn(EventId) -> EventId,
    ) -> Result<Option<Inferred>> {
        let mut images: Vec<Vec<Option<usize>>> =
            types.iter().map(|ty| vec![None; ty.values.len()]).collect();
        for &event in events {
            let [from, to] = [self.ends(event)?, self.ends(image(event))?];
            // No images are read off such an event. The comparison at the end still includes it.
            if from.is_unordered || to.is_unordered {
                continue;
            }
            if from.ends.len() != to.ends.len() {
                return Ok(None);
            }
            for ((kind, value), (image_kind, image)) in from.ends.iter().zip(&to.ends) {
                let at = types.iter().position(|ty| ty.kind == *kind);
                let Some(at) = at.filter(|_| kind == image_kind) else {
                    return Ok(None);
                };
                let place = |value| types[at].values.binary_search(value);
                let (Ok(value), Ok(image)) = (place(value), place(image)) else {
                    return Ok(None);
                };
                if *images[at][value].get_or_insert(image) != image {
                    return Ok(None);
                }
            }
        }
        let mut parts: Vec<TypePermutation> = Vec::new();
        for (ty, images) in types.iter().zip(images) {
            let numbered = images.into_iter().enumerate();
            // A value that was met only inside sets and maps is taken to stay.
            let images = numbered.map(|(value, image)| image.unwrap_or(value));
            let images: Vec<usize> = images.collect();
            // Two walks can suggest one image for two values. Lifting expects a permutation.
            if !is_permutation(&images) {
                return Ok(None);
            }
            parts.push((ty.clone(), images));
        }
        let expected = events.iter().map(|&event| (event, image(event)));
        let expected = expected.filter(|(event, image)| event != image);
        let lifted = self.lift_parts(&parts, events)?;
        // Both list the events that move, in the order of `events`.
        if !lifted.is_ok_and(|pairs| pairs.into_iter().eq(expected)) {
            return Ok(None);
        }
        let (parts, is_plain) = moving(parts);
        Ok(Some(Inferred {
            parts: self.told_parts(parts),
            is_plain,
        }))
    }

    fn ends(&mut self, event: EventId) -> Result<WalkedValues> {
        let mut ends = WalkedValues::default();
        if let Some(value) = self.events.value(event).cloned() {
            walk(self, &value, &mut ends)?;
        }
        Ok(ends)
    }
}

/// The parts in which values move, and true if they are plain: if the values alone decide which
/// sets of integers or characters are meant.
fn moving(parts: Vec<TypePermutation>) -> (Vec<TypePermutation>, bool) {
    let (moved, still): (Vec<TypePermutation>, Vec<TypePermutation>) =
        parts.into_iter().partition(|part| moves(part).count() > 0);
    let is_index = |part: &&TypePermutation| matches!(part.0.kind, PermutableKind::Index(_));
    let is_plain = moved.iter().filter(is_index).all(|part| {
        let values: Vec<Value> = moves(part).map(|(value, _)| value.clone()).collect();
        let sort = std::mem::discriminant(&values[0]);
        let mut others = moved.iter().filter(is_index);
        let alike = |other: &TypePermutation| {
            std::mem::discriminant(&other.0.values[0]) != sort || moves(other).eq(moves(part))
        };
        // Plain: the values alone say which sets are meant. All sets of integers in which some move
        // then move the same ones alike, and no set that stays has all of these; likewise of
        // characters.
        others.all(alike) && !still.iter().any(|other| other.0.kind.indexes(&values))
    });
    (moved, is_plain)
}

/// The values that move, each with its image.
fn moves((ty, images): &TypePermutation) -> impl Iterator<Item = (&Value, &Value)> {
    let pairs = ty.values.iter().zip(images);
    let pairs = pairs.map(|(value, &image)| (value, &ty.values[image]));
    pairs.filter(|(value, image)| value != image)
}

fn is_permutation(images: &[usize]) -> bool {
    let mut seen = vec![false; images.len()];
    images
        .iter()
        .all(|&image| !std::mem::replace(&mut seen[image], true))
}

impl Visitor for WalkedValues {
    fn typed(&mut self, kind: &PermutableKind, value: &Value) -> Option<Value> {
        self.ends.push((kind.clone(), value.clone()));
        None
    }

    fn untyped(&mut self, _: &mut Evaluator<'_>, _: &Value) -> Result<()> {
        Ok(())
    }

    fn unordered(&mut self) {
        self.is_unordered = true;
    }
}
