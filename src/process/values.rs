//! The values in events: their types, and the effect of permuting them on events.
//!
//! Only a front end knows that `move.1.A` has a number and a pole in it. The stage `symmetry` uses
//! it through a trait, just as all stages get the bodies of calls through [`Definitions`]. So no
//! stage depends on an evaluator.

use super::event::EventId;
use super::term::Definitions;
use base::diag::Result;

/// A type whose values can be permuted: the constants of a datatype, the truth values, or the
/// integers (or characters) of a finite set that some fields range over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueType {
    /// The name of the datatype, `Bool`, or the set as CSPm, `{0..2}`.
    pub name: String,
    /// The values of the type that may move, as CSPm, in an order that the front end chooses.
    pub values: Vec<String>,
    /// The number by which the front end knows the type. Types reported at different times have
    /// different numbers.
    pub number: usize,
}

/// A type, and the images of its values: value i goes to `values[images[i]]`.
pub type PermutedType = (ValueType, Vec<usize>);

/// The events that move, each with its image, in the order of the given events; or an event whose
/// image is no event, with the text of that image.
pub type Lifting = std::result::Result<Vec<(EventId, EventId)>, (EventId, String)>;

/// A permutation as the user wrote it.
#[derive(Clone, Debug)]
pub enum UserPermutation {
    /// A permutation of events: pairs (event, image), without repetition.
    Events(Vec<(EventId, EventId)>),
    /// A permutation of values. Integers may belong to several types, of which the user may mean
    /// any. The list is empty if no event carries such values.
    Values(Vec<PermutedType>),
}

/// A permutation of the values of one or several types, read off a permutation of events.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The types in which values move.
    pub parts: Vec<PermutedType>,
    /// True if the cycles of the values determine the permutation without the names of the types,
    /// so that they can be shown as a user would write them. Integers stand for all finite sets in
    /// the events that have these integers.
    pub is_plain: bool,
}

/// Definitions that know the values in their events.
pub trait EventValues: Definitions {
    /// The types that the fields of `events` range over, in the order of their names, each with its
    /// values that occur there. Each value comes with the sum (modulo 2⁶⁴) of the weights of the
    /// events in which it stands, counted as often as it stands there: a permutation of values
    /// whose lifting keeps weights keeps these sums.
    fn value_types(
        &mut self,
        events: &[EventId],
        weight: &dyn Fn(EventId) -> u64,
    ) -> Result<Vec<(ValueType, Vec<u64>)>>;

    /// The canonical lifting of permutations of the values of different types to `events` (section
    /// 3.1 of the paper): each value is replaced in every field of its type, however deep inside.
    /// Images are permutations of the indices of the values. Events that become images and that no
    /// process has used yet get numbers.
    fn lift(&mut self, parts: &[PermutedType], events: &[EventId]) -> Result<Lifting>;

    /// The permutations of values of `types` whose canonical lifting takes each of `events` to its
    /// `image`; `None` if there are none. `image` permutes `events`, and `types` are those that
    /// occur in them.
    fn inferred(
        &mut self,
        events: &[EventId],
        types: &[ValueType],
        image: &dyn Fn(EventId) -> EventId,
    ) -> Result<Option<Inferred>>;
}
