//! Patterns, dots and the fields of channels and constructors.

use std::rc::Rc;

use super::evaluation_place::EvaluationPlace;
use super::interpreter::Interpreter;
use super::value::{Frames, IdSet, OutOfSight, PartialSlot, PartialValue, SetValue};
use base::diag::{Diagnostic, Result};
use eval::ResolvedScript;
use syntax::ast::{Declaration, DeclarationId, Expr, Pattern, PatternId};
use types::resolved::{PatternName, Reference};

impl Interpreter<'_> {
    /// True if `value` matches. Puts the variables of the pattern into `slots`.
    pub(super) fn matches(
        &mut self,
        pattern: PatternId,
        value: &PartialValue,
        environment: &Frames,
        slots: &mut Vec<PartialSlot>,
    ) -> Result<bool> {
        match (self.ast().pattern(pattern), value) {
            (Pattern::Wildcard, _) => Ok(true),
            (Pattern::Parenthesised(inner), _) => self.matches(*inner, value, environment, slots),
            (Pattern::Both(a, b), _) => Ok(self.matches(*a, value, environment, slots)?
                && self.matches(*b, value, environment, slots)?),
            (Pattern::Name(_), _) => match &self.script.resolved.patterns[pattern] {
                Some(PatternName::Variable(slot)) => {
                    slots[*slot as usize] = PartialSlot::Value(value.clone());
                    Ok(true)
                }
                Some(PatternName::Constant(Reference::Local { place, .. })) => {
                    let constant = self.at(*place, environment)?;
                    let equal = self.comparison().equal(&constant, value)?;
                    Ok(self.oracle.decided(equal))
                }
                _ => Err(no_pattern(&self.place)),
            },
            (Pattern::Int(n), PartialValue::Int(m)) => Ok(n == m),
            (Pattern::Int(n), PartialValue::Id(_)) if self.identities.are_counted() => {
                let equal = self.comparison().equal(value, &PartialValue::Int(*n))?;
                Ok(self.oracle.decided(equal))
            }
            (Pattern::Int(_), PartialValue::Id(_)) => Err(self.place.named_identity()),
            (Pattern::Bool(b), PartialValue::Bool(c)) => Ok(b == c),
            (Pattern::Char(b), PartialValue::Char(c)) => Ok(b == c),
            (Pattern::Dot(parts), PartialValue::Dot(values))
                if !matches!(values[0], PartialValue::Head(..)) =>
            {
                for part in parts {
                    no_constructor(self.script, *part, &self.place)?;
                }
                if parts.len() != values.len() {
                    return Err(no_pattern(&self.place));
                }
                self.all_match(parts, values, environment, slots)
            }
            (Pattern::Dot(parts), PartialValue::Dot(values)) => {
                for part in &parts[1..] {
                    no_constructor(self.script, *part, &self.place)?;
                }
                self.all_match(parts, values, environment, slots)
            }
            (Pattern::Tuple(parts), PartialValue::Tuple(values))
            | (Pattern::Sequence(parts), PartialValue::Sequence(values)) => {
                self.all_match(parts, values, environment, slots)
            }
            (Pattern::Dot(_), PartialValue::Head(..)) => Ok(false),
            _ => Err(no_pattern(&self.place)),
        }
    }

    fn all_match(
        &mut self,
        parts: &[PatternId],
        values: &[PartialValue],
        environment: &Frames,
        slots: &mut Vec<PartialSlot>,
    ) -> Result<bool> {
        if parts.len() != values.len() {
            let is_dot = matches!(values.first(), Some(PartialValue::Head(..)));
            // One variable may stand for several fields.
            let may_match = is_dot && self.matches(parts[0], &values[0], environment, slots)?;
            return match may_match {
                true => Err(no_pattern(&self.place)),
                false => Ok(false),
            };
        }
        for (part, value) in parts.iter().zip(values.iter()) {
            if !self.matches(*part, value, environment, slots)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The sets of the fields of a channel or constructor.
    pub(super) fn fields(&mut self, id: DeclarationId, number: u32) -> Result<Vec<Rc<SetValue>>> {
        let declared = match self.ast().declaration(id) {
            Declaration::Channel(_, fields) => *fields,
            Declaration::Datatype(_, constructors) => constructors[number as usize].fields,
            _ => None,
        };
        let Some(declared) = declared else {
            return Ok(Vec::new());
        };
        let top = Rc::clone(&self.top);
        let declared = self.ast().unbracketed(declared);
        let items = match self.ast().expr(declared) {
            Expr::Dot(items) => items.clone(),
            _ => vec![declared],
        };
        items.iter().map(|&item| self.set(item, &top)).collect()
    }

    /// True if the values of a constructor are identities: it has one field, which is the whole
    /// index set.
    fn is_wrapper(&mut self, id: DeclarationId, number: u32) -> Result<bool> {
        if let Some(known) = self.wrappers.get(&(id, number)) {
            return Ok(*known);
        }
        let Declaration::Datatype(_, constructors) = self.ast().declaration(id) else {
            return Ok(false);
        };
        let mut wrappers = Vec::new();
        for other in 0..constructors.len() as u32 {
            let fields = self.fields(id, other)?;
            if let [field] = &fields[..]
                && let SetValue::Listed(ids, items) = &**field
                && items.is_empty()
                && ids.rest == OutOfSight::All
            {
                wrappers.push(other);
            }
        }
        if wrappers.len() > 1 {
            // An identity is the only field of its constructor: two would be taken for one.
            return Err(self.refused("two kinds of identities in one datatype are not told apart"));
        }
        let is_wrapper = wrappers.contains(&number);
        self.wrappers.insert((id, number), is_wrapper);
        Ok(is_wrapper)
    }

    /// All values of a datatype.
    pub(super) fn datatype(&mut self, id: DeclarationId) -> Result<PartialValue> {
        let Declaration::Datatype(_, constructors) = self.ast().declaration(id) else {
            return Err(self.refused("this is no datatype"));
        };
        let (mut ids, mut all) = (IdSet::EMPTY, Vec::new());
        for number in 0..constructors.len() as u32 {
            if self.is_wrapper(id, number)? {
                ids = ids.union(self.identities.everybody());
            } else {
                all.extend(self.completions(PartialValue::Head(id, number))?);
            }
        }
        Ok(PartialValue::set(ids, all))
    }

    /// The sets of the fields after `start`: those that a channel lacks, or those that the
    /// constructor in the last field lacks.
    pub(super) fn fields_after(&mut self, start: &PartialValue) -> Result<Vec<Rc<SetValue>>> {
        let Some((id, number, given)) = start.head() else {
            return Err(self.refused("this is no channel"));
        };
        let mut left = self.fields(id, number)?;
        left.drain(..given.min(left.len()));
        match start {
            PartialValue::Dot(parts) if self.is_partial(&parts[given])? => match left.is_empty() {
                true => self.fields_after(&parts[given]),
                false => Err(self
                    .refused("an input in the middle of an event is not followed for all sizes")),
            },
            _ => Ok(left),
        }
    }

    /// The complete values that begin with `value`.
    pub(super) fn completions(&mut self, value: PartialValue) -> Result<Vec<PartialValue>> {
        if let PartialValue::Dot(parts) = &value
            && self.is_partial(&parts[parts.len() - 1])?
        {
            return Err(self.refused(
                "events that begin in the middle of a value are not listed for all sizes",
            ));
        }
        let Some((id, number, given)) = value.head() else {
            return Ok(vec![value]);
        };
        let fields = self.fields(id, number)?;
        let mut found = vec![value];
        for field in fields.iter().skip(given) {
            let members = self.members(field)?;
            let longer = found.iter().flat_map(|value| {
                let parts = match value {
                    PartialValue::Dot(parts) => &parts[..],
                    head => std::slice::from_ref(head),
                };
                members.iter().map(move |member| {
                    let longer = [parts, std::slice::from_ref(member)].concat();
                    PartialValue::Dot(longer.into())
                })
            });
            found = longer.collect();
        }
        Ok(found)
    }

    /// Joins parts by dots. The parts behind a constructor with fields are its fields.
    pub(super) fn dot(&mut self, parts: Vec<PartialValue>) -> Result<PartialValue> {
        let mut flat = Vec::new();
        for part in parts {
            self.flatten(part, &mut flat)?;
        }
        let mut joined = Vec::new();
        let mut left = flat.into_iter();
        while let Some(value) = self.next_value(&mut left)? {
            joined.push(value);
        }
        Ok(PartialValue::dotted(joined))
    }

    /// Adds the parts of a value. A complete value of a constructor is one part.
    fn flatten(&mut self, value: PartialValue, flat: &mut Vec<PartialValue>) -> Result<()> {
        match value {
            PartialValue::Dot(parts) if !self.is_complete_constructor(&parts)? => {
                for part in parts.iter() {
                    self.deeper(|e| e.flatten(part.clone(), flat))?;
                }
            }
            part => flat.push(part),
        }
        Ok(())
    }

    /// The next value of a list of parts. A constructor takes one value for each field; the value
    /// of a field may begin with a constructor too.
    fn next_value(
        &mut self,
        left: &mut std::vec::IntoIter<PartialValue>,
    ) -> Result<Option<PartialValue>> {
        let (id, number) = match left.next() {
            Some(PartialValue::Head(id, number))
                if matches!(self.ast().declaration(id), Declaration::Datatype(..)) =>
            {
                (id, number)
            }
            part => return Ok(part),
        };
        let mut parts = vec![PartialValue::Head(id, number)];
        for _ in 0..self.fields(id, number)?.len() {
            parts.extend(self.deeper(|e| e.next_value(left))?);
        }
        if parts.len() == 2 && self.is_wrapper(id, number)? {
            return match parts.swap_remove(1) {
                identity @ PartialValue::Id(_) => Ok(Some(identity)),
                _ => Err(self.place.named_identity()),
            };
        }
        Ok(Some(PartialValue::dotted(parts)))
    }

    /// True if a constructor lacks fields.
    fn is_partial(&mut self, value: &PartialValue) -> Result<bool> {
        match value.head() {
            Some((id, number, given)) => Ok(self.fields(id, number)?.len() > given),
            None => Ok(false),
        }
    }

    fn is_complete_constructor(&mut self, parts: &[PartialValue]) -> Result<bool> {
        match parts[0] {
            PartialValue::Head(id, number)
                if matches!(self.ast().declaration(id), Declaration::Datatype(..)) =>
            {
                Ok(self.fields(id, number)?.len() + 1 == parts.len())
            }
            _ => Ok(false),
        }
    }
}

/// Fails if `pattern` is a constructor with fields. It would have to form one part with its
/// fields.
pub(super) fn no_constructor(
    script: &ResolvedScript,
    pattern: PatternId,
    place: &EvaluationPlace,
) -> Result<()> {
    let pattern = script.ast.unbracketed_pattern(pattern);
    let constant = match &script.resolved.patterns[pattern] {
        Some(PatternName::Constant(Reference::Local { definition, .. })) => *definition,
        Some(PatternName::Constant(_)) => None,
        _ => return Ok(()),
    };
    let has_fields = match constant.map(|id| script.ast.declaration(id)) {
        Some(Declaration::Datatype(_, constructors)) => constructors
            .iter()
            .any(|constructor| constructor.fields.is_some()),
        _ => true,
    };
    match has_fields {
        true => Err(no_pattern(place)),
        false => Ok(()),
    }
}

fn no_pattern(place: &EvaluationPlace) -> Box<Diagnostic> {
    place.refused("this pattern is not followed for all sizes")
}
