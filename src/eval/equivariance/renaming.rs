//! Bijections of values by class, and what they make of values.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::roles::Shape;
use crate::eval::sequence::Sequence;
use crate::eval::set::Set;
use crate::eval::value::Value;

/// The values that a call depends on and that may be renamed: by class, in the order in which they are met first.
pub(super) type Support = FxHashMap<usize, Vec<Value>>;

/// Calls that depend on more such values of one class are evaluated: chains of images are looked up one by one.
const MOST_RENAMED: usize = 16;

/// Calls whose values have more parts to look into are evaluated: that is faster, and their parts would be held twice.
pub(super) const MOST_PARTS: usize = 32;

/// By class, where values go; others stay.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Bijection(Vec<(usize, Vec<(Value, Value)>)>);

impl Bijection {
    /// Sends the values of `from` to those of `to`, in order; nothing if they do not correspond. A value that something is sent to
    /// but that is sent nowhere itself goes where the chain of images that ends in it began.
    pub(super) fn between(from: &Support, to: &Support) -> Option<Self> {
        let mut classes: Vec<_> = from.iter().collect();
        classes.sort_by_key(|(class, _)| **class);
        let mut all = Vec::new();
        for (&class, sources) in classes {
            let targets = to.get(&class)?;
            if targets.len() != sources.len() {
                return None;
            }
            let pairs: Vec<(&Value, &Value)> = sources.iter().zip(targets).collect();
            let mut moves: Vec<(Value, Value)> = pairs
                .iter()
                .map(|&(source, target)| (source.clone(), target.clone()))
                .collect();
            for target in targets.iter().filter(|target| !sources.contains(target)) {
                let mut first = target;
                while let Some(&(before, _)) = pairs.iter().find(|(_, image)| *image == first) {
                    first = before;
                }
                moves.push((target.clone(), first.clone()));
            }
            moves.retain(|(source, target)| source != target);
            moves.sort();
            all.push((class, moves));
        }
        (from.len() == to.len()).then_some(Self(all))
    }

    /// Whether `value` of this shape stays as it is, as a whole.
    pub(super) fn keeps(&self, shape: &Shape, value: &Value) -> bool {
        match (shape, value) {
            (Shape::Fixed, _) => true,
            (Shape::Renamed(class), value) => {
                self.moves(*class).iter().all(|(source, _)| source != value)
            }
            (Shape::Set(member), Value::Set(set)) => self.keeps_members(member, set),
            _ => false,
        }
    }

    /// Whether a set with members of this shape stays. It is not listed: there may be very many subsets, or tuples.
    pub(super) fn keeps_members(&self, shape: &Shape, set: &Set) -> bool {
        match (shape, set) {
            (Shape::Fixed, _) => true,
            (Shape::Renamed(class), set) => {
                let has = |value: &Value| match set {
                    Set::Finite(members) => Some(members.binary_search(value).is_ok()),
                    Set::Integers => Some(matches!(value, Value::Int(_))),
                    Set::Characters => Some(matches!(value, Value::Char(_))),
                    _ => None,
                };
                let mut moves = self.moves(*class).iter();
                moves.all(|(source, image)| {
                    has(source).is_some_and(|is_in| Some(is_in) == has(image))
                })
            }
            (Shape::Set(shape), Set::Subsets(members))
            | (Shape::Sequence(shape), Set::Sequences(members)) => {
                self.keeps_members(shape, members)
            }
            (Shape::Tuple(shapes), Set::Tuples(sets)) => {
                let mut parts = shapes.iter().zip(sets.iter());
                shapes.len() == sets.len()
                    && parts.all(|(shape, set)| self.keeps_members(shape, set))
            }
            (shape, Set::Finite(members)) => members.iter().all(|member| {
                let image = self.apply(shape, member);
                image.is_some_and(|image| members.binary_search(&image).is_ok())
            }),
            _ => false,
        }
    }

    fn moves(&self, class: usize) -> &[(Value, Value)] {
        let own = self.0.iter().find(|(own, _)| *own == class);
        own.map_or(&[], |(_, moves)| moves)
    }

    /// What becomes of `value`, fully evaluated, of this shape; nothing if it is of no such shape.
    pub(super) fn apply(&self, shape: &Shape, value: &Value) -> Option<Value> {
        match shape {
            Shape::Fixed => Some(value.clone()),
            Shape::Renamed(class) => {
                let moves = self.moves(*class);
                let place = moves.binary_search_by(|(source, _)| source.cmp(value));
                let image = place.map_or(value, |place| &moves[place].1);
                Some(image.clone())
            }
            _ => rebuild(shape, value, &mut |part, value| self.apply(part, value)),
        }
    }
}

/// The values in `value`, of this shape, that may be renamed are added to `support`; `value` with numbers for them is returned. Nothing
/// if the value is of no such shape, or if what may be renamed there has parts.
pub(super) fn skeleton(
    shape: &Shape,
    value: &Value,
    support: &mut Support,
    parts: &mut usize,
) -> Option<Value> {
    *parts += 1;
    if *parts > MOST_PARTS {
        return None;
    }
    match shape {
        Shape::Fixed => Some(value.clone()),
        Shape::Renamed(class) => {
            if !matches!(
                value,
                Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Head(_)
            ) {
                return None;
            }
            let met = support.entry(*class).or_default();
            if met.len() >= MOST_RENAMED {
                return None;
            }
            let number = met
                .iter()
                .position(|known| known == value)
                .unwrap_or_else(|| {
                    met.push(value.clone());
                    met.len() - 1
                });
            Some(Value::Int(number as i64))
        }
        _ => rebuild(shape, value, &mut |part, value| {
            skeleton(part, value, support, parts)
        }),
    }
}

/// `value` with its parts replaced.
fn rebuild(
    shape: &Shape,
    value: &Value,
    replace: &mut dyn FnMut(&Shape, &Value) -> Option<Value>,
) -> Option<Value> {
    match (shape, value) {
        (Shape::Set(member), Value::Set(set)) => {
            let Set::Finite(members) = &**set else {
                return None;
            };
            let members: Option<Vec<Value>> = members.iter().map(|v| replace(member, v)).collect();
            Some(Value::Set(Rc::new(Set::from_values(members?))))
        }
        (Shape::Sequence(item), Value::Sequence(sequence)) => {
            let items = sequence.known_items();
            let items: Option<Vec<Value>> = items.map(|v| replace(item, &v)).collect();
            Some(Value::Sequence(Sequence::from_values(items?)))
        }
        (Shape::Tuple(shapes), Value::Tuple(parts)) if shapes.len() == parts.len() => {
            let parts = shapes.iter().zip(parts.iter());
            let parts: Option<Vec<Value>> = parts
                .map(|(shape, part)| replace(shape, &part.known()))
                .collect();
            Some(Value::tuple(parts?))
        }
        _ => None,
    }
}
