//! Permutations that the user writes in cycles of events, or of values.

use super::claim::Sort;
use super::declared::HeadKind;
use super::evaluator::Evaluator;
use super::kind::{PermutableKind, TypePermutation, TypedValues};
use super::value::Value;
use base::diag::{Diagnostic, Result};
use process::event::EventId;
use process::values::UserPermutation;
use syntax::ast::ExprId;

/// The kinds of elements in the cycles of a permutation. A cycle has elements of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Event,
    Value(Sort),
}

impl Evaluator<'_> {
    /// The permutation with these cycles. Their elements are expressions at the top level of the
    /// script: either all are events, or all are values, and those of a cycle have one type. Each
    /// element stands in one place only. `events` are those of the check, which decide the meaning
    /// of integers.
    pub fn permutation_of(
        &mut self,
        cycles: &[Vec<ExprId>],
        events: &[EventId],
    ) -> Result<UserPermutation> {
        let mut first: Option<(ExprId, Element)> = None;
        let mut places: Vec<(Value, ExprId)> = Vec::new();
        // By sort, in the order in which they are met: a place of it, and its cycles.
        let mut sorts: Vec<(Element, ExprId, Vec<Vec<Value>>)> = Vec::new();
        for cycle in cycles {
            let mut own: Option<(ExprId, Element)> = None;
            let mut elements = Vec::new();
            for &place in cycle {
                let value = self.value_of(place)?;
                let element = self.element(place, &value)?;
                let first = *first.get_or_insert((place, element));
                let own = *own.get_or_insert((place, element));
                if own.1 != element {
                    return self.mixed_cycle((place, element), own).into();
                }
                if (first.1 == Element::Event) != (element == Element::Event) {
                    return self.mixed_cycle((place, element), first).into();
                }
                places.push((value.clone(), place));
                elements.push(value);
            }
            // An empty cycle moves nothing, and has no sort.
            let Some((place, element)) = own else {
                continue;
            };
            match sorts.iter_mut().find(|(sort, ..)| *sort == element) {
                Some((.., cycles)) => cycles.push(elements),
                None => sorts.push((element, place, vec![elements])),
            }
        }
        // Equal elements become neighbours, of whatever cycles they are.
        places.sort();
        if let Some(twice) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return self.repeated_element(&twice[0], twice[1].1).into();
        }
        let mut moved = Vec::new();
        for (element, place, cycles) in &sorts {
            match element {
                // Events and values were not mixed, so events are the only sort here.
                Element::Event => return self.event_cycles(cycles),
                Element::Value(sort) => {
                    moved.extend(self.value_cycles(*place, *sort, cycles, events)?);
                }
            }
        }
        Ok(match first {
            None => UserPermutation::Events(Vec::new()),
            Some(_) => UserPermutation::Values(self.told_parts(moved)),
        })
    }

    fn element(&mut self, place: ExprId, value: &Value) -> Result<Element> {
        let problem = match (value, self.declared.head_of(value)) {
            (Value::Bool(_), _) => return Ok(Element::Value(Sort::Bool)),
            (Value::Int(_), _) => return Ok(Element::Value(Sort::Integer)),
            (Value::Char(_), _) => return Ok(Element::Value(Sort::Character)),
            (_, Some(head)) => match (
                self.declared.heads[head].kind,
                self.declared.constant_of(value),
            ) {
                (HeadKind::Channel, _) if self.is_complete(value)? => return Ok(Element::Event),
                (HeadKind::Channel, _) => "it is not a whole event",
                (_, Some(datatype)) => return Ok(Element::Value(Sort::Constant(datatype))),
                (_, None) => "it has fields",
            },
            _ => "it is neither an event nor a value of a type",
        };
        let message = format!("{} cannot be permuted: {problem}", self.text().brief(value));
        self.no_permutation(place, message)
            .hint("write whole events, as in `(a.1 a.2)`, or values of one type, as in `(B C)`")
            .into()
    }

    fn mixed_cycle(
        &self,
        (place, element): (ExprId, Element),
        (first, expected): (ExprId, Element),
    ) -> Diagnostic {
        let (element, expected) = (self.element_text(element), self.element_text(expected));
        let message = format!("a permutation of {expected} cannot move {element}");
        let first = self.script.span(first);
        self.no_permutation(place, message)
            .at(first, format!("the first of its {expected}"))
            .hint("permute events, or values: those of a cycle are of one type")
    }

    fn element_text(&self, element: Element) -> String {
        match element {
            Element::Event => "events".to_string(),
            Element::Value(Sort::Constant(datatype)) => {
                format!("values of {}", self.declared.datatypes[datatype].name)
            }
            Element::Value(Sort::Bool) => "truth values".to_string(),
            Element::Value(Sort::Integer) => "integers".to_string(),
            Element::Value(Sort::Character) => "characters".to_string(),
        }
    }

    fn repeated_element(&self, (value, before): &(Value, ExprId), again: ExprId) -> Diagnostic {
        let message = format!("{} stands twice in this permutation", self.show(value));
        let before = self.script.span(*before);
        self.no_permutation(again, message)
            .at(before, "it stands here already")
            .hint("each element goes to the next of its cycle, so it can stand in one place only")
    }

    fn no_permutation(&self, place: ExprId, message: String) -> Diagnostic {
        Diagnostic::error("bad-permutation", message).at(self.script.span(place), "")
    }

    fn event_cycles(&mut self, cycles: &[Vec<Value>]) -> Result<UserPermutation> {
        let mut pairs = Vec::new();
        for (value, image) in cycles.iter().flat_map(|cycle| steps(cycle)) {
            pairs.push((self.event(value)?, self.event(image)?));
        }
        Ok(UserPermutation::Events(pairs))
    }

    fn value_cycles(
        &mut self,
        place: ExprId,
        sort: Sort,
        cycles: &[Vec<Value>],
        events: &[EventId],
    ) -> Result<Vec<TypePermutation>> {
        let named: Vec<Value> = cycles.iter().flatten().cloned().collect();
        let types = self.occurring_types(events)?;
        let is_meant = |ty: &&TypedValues| match (&ty.kind, sort) {
            (PermutableKind::Datatype(own), Sort::Constant(other)) => *own == other,
            (PermutableKind::Bool, Sort::Bool) => true,
            // An integer does not say which set it is from: every field whose set has all named
            // ones is meant.
            (kind, Sort::Integer | Sort::Character) => kind.indexes(&named),
            _ => false,
        };
        let mut moved = Vec::new();
        for ty in types.iter().filter(is_meant) {
            let mut ty = ty.clone();
            // A named value that occurs in no event is moved as well: its image may occur.
            ty.values.extend_from_slice(&named);
            ty.values.sort();
            ty.values.dedup();
            let images = images(&ty.values, cycles);
            moved.push((ty, images));
        }
        if moved.is_empty() && matches!(sort, Sort::Integer | Sort::Character) {
            return self.no_index_set(place, sort, &types).into();
        }
        Ok(moved)
    }

    fn no_index_set(&self, place: ExprId, sort: Sort, types: &[TypedValues]) -> Diagnostic {
        let sort = self.element_text(Element::Value(sort));
        let message =
            format!("no field of the events of this check has a finite set with these {sort}");
        let sets = types
            .iter()
            .filter(|ty| matches!(ty.kind, PermutableKind::Index(_)));
        let sets: Vec<&str> = sets.map(|ty| ty.name.as_str()).collect();
        let known = if sets.is_empty() {
            "no field has a finite set of integers or characters".to_string()
        } else {
            format!("the fields have the finite sets {}", sets.join(", "))
        };
        self.no_permutation(place, message).note(known)
    }
}

/// Each element of a cycle with the element it goes to.
fn steps(cycle: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    cycle.iter().zip(cycle.iter().cycle().skip(1))
}

/// For each of `values`, which ascend and include those of the cycles, the index of its image.
fn images(values: &[Value], cycles: &[Vec<Value>]) -> Vec<usize> {
    let mut images: Vec<usize> = (0..values.len()).collect();
    for (value, image) in cycles.iter().flat_map(|cycle| steps(cycle)) {
        if let (Ok(from), Ok(to)) = (values.binary_search(value), values.binary_search(image)) {
            images[from] = to;
        }
    }
    images
}
