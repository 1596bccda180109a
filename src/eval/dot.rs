//! Dots: building events and datatype values field by field, and completing them.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::field::HeadKind;
use super::set::Set;
use super::value::{HeadId, Value};
use crate::diag::{Diagnostic, Result};

impl Evaluator<'_> {
    /// `left.right`: the parts of `right` become fields of the innermost incomplete channel or
    /// constructor at the end of `left`, or else lengthen the list.
    pub(super) fn dot(&mut self, left: Value, right: &Value) -> Result<Value> {
        match self.bare_parts(right) {
            Some(parts) => parts
                .iter()
                .try_fold(left, |value, part| self.append(value, part)),
            None => self.append(left, right),
        }
    }

    fn append(&mut self, value: Value, part: &Value) -> Result<Value> {
        let parts: Vec<Value> = match &value {
            Value::Head(head) => {
                if self.fields(*head)?.is_empty() {
                    return Ok(Value::Dot(Rc::new([value, part.clone()])));
                }
                vec![value]
            }
            Value::Dot(parts) => parts.to_vec(),
            _ => return Ok(Value::Dot(Rc::new([value, part.clone()]))),
        };
        self.append_to_parts(parts, part)
    }

    fn append_to_parts(&mut self, mut parts: Vec<Value>, part: &Value) -> Result<Value> {
        let head = self.leading_head(&parts);
        let last = parts.len() - 1;
        if last > 0 && !self.is_complete(&parts[last])? {
            let inner = parts[last].clone();
            parts[last] = self.append(inner, part)?;
        } else if let Some(head) = head
            && last >= self.fields(head)?.len()
        {
            // The value is complete already: this starts a list of which it is the first part.
            return Ok(Value::Dot(Rc::new([
                Value::Dot(parts.into()),
                part.clone(),
            ])));
        } else {
            parts.push(part.clone());
        }
        if let Some(head) = head {
            self.check_field(head, &parts)?;
        }
        Ok(Value::Dot(parts.into()))
    }

    /// The last field, once it is complete, must be in its set.
    fn check_field(&mut self, head: HeadId, parts: &[Value]) -> Result<()> {
        let index = parts.len() - 2;
        let field = &parts[parts.len() - 1];
        if !self.is_complete(field)? {
            return Ok(());
        }
        let set = self.fields(head)?[index].clone();
        if self.contains(&set, field)? {
            return Ok(());
        }
        let (field, set) = (self.show(field), self.show_set(&set));
        let name = self.heads.name(head);
        let what = if self.heads.kind(head) == HeadKind::Channel {
            "channel"
        } else {
            "constructor"
        };
        self.error(
            "field-value",
            format!(
                "{field} is not in the set of field {} of {what} `{name}`",
                index + 1
            ),
        )
        .note(format!("that field's set is {set}"))
        .into()
    }

    /// Joins these parts with dots.
    pub(super) fn dot_all(&mut self, parts: Vec<Value>) -> Result<Value> {
        if parts.len() == 1 || matches!(parts[0], Value::Head(_)) {
            // Members of field sets, one for each field: nothing is left to check.
            return Ok(if parts.len() == 1 {
                parts[0].clone()
            } else {
                Value::Dot(parts.into())
            });
        }
        let mut parts = parts.into_iter();
        let first = parts.next().expect("products have a component");
        parts.try_fold(first, |value, part| self.dot(value, &part))
    }

    /// Whether no field is missing.
    pub(super) fn is_complete(&mut self, value: &Value) -> Result<bool> {
        Ok(match value {
            Value::Head(head) => self.fields(*head)?.is_empty(),
            Value::Dot(parts) => {
                let full = match self.leading_head(parts) {
                    Some(head) => parts.len() - 1 == self.fields(head)?.len(),
                    None => true,
                };
                full && self.is_complete(&parts[parts.len() - 1])?
            }
            _ => true,
        })
    }

    /// The set from which the next field of an incomplete value comes; `None` if it is complete.
    pub(super) fn next_field(&mut self, value: &Value) -> Result<Option<Set>> {
        match value {
            Value::Head(head) => Ok(self.fields(*head)?.first().cloned()),
            Value::Dot(parts) => {
                if let Some(set) = self.next_field(&parts[parts.len() - 1])? {
                    return Ok(Some(set));
                }
                match self.leading_head(parts) {
                    Some(head) => Ok(self.fields(head)?.get(parts.len() - 1).cloned()),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Every way to complete `value`: the completed value, and the parts that were added.
    pub(super) fn completions(&mut self, value: &Value) -> Result<Vec<(Value, Vec<Value>)>> {
        let mut complete = Vec::new();
        let mut open = vec![(value.clone(), Vec::new())];
        while let Some((value, added)) = open.pop() {
            self.tick()?;
            let Some(set) = self.next_field(&value)? else {
                complete.push((value, added));
                continue;
            };
            // Pushed backwards, so that completions come out in ascending order.
            for member in self.members(&set)?.iter().rev() {
                let mut added = added.clone();
                added.push(member.clone());
                open.push((self.append(value.clone(), member)?, added));
            }
        }
        Ok(complete)
    }

    /// `productions(value)`: all completions, in symbols where a field is infinite.
    pub(super) fn productions_of(&mut self, value: &Value) -> Result<Set> {
        if self.is_complete(value)? {
            return Ok(Set::from_values(vec![value.clone()]));
        }
        let parts: &[Value] = match value {
            Value::Dot(parts) => parts,
            single => std::slice::from_ref(single),
        };
        if let Some(head) = self.leading_head(parts)
            && (parts.len() == 1 || self.is_complete(&parts[parts.len() - 1])?)
        {
            let mut sets: Vec<Set> = parts
                .iter()
                .map(|part| Set::Finite(Rc::new([part.clone()])))
                .collect();
            sets.extend_from_slice(&self.fields(head)?[parts.len() - 1..]);
            return Ok(Set::Dots(sets.into()));
        }
        let all = self.completions(value)?;
        Ok(Set::from_values(
            all.into_iter().map(|(value, _)| value).collect(),
        ))
    }

    /// `extensions(value)`: what completes it.
    pub(super) fn extensions_of(&mut self, value: &Value) -> Result<Set> {
        let mut values = Vec::new();
        for (_, added) in self.completions(value)? {
            values.push(self.join(added));
        }
        Ok(Set::from_values(values))
    }

    /// One part as itself, several as a list.
    pub(super) fn join(&self, mut parts: Vec<Value>) -> Value {
        if parts.len() == 1 {
            parts.remove(0)
        } else {
            Value::Dot(parts.into())
        }
    }

    /// `value` must be a complete event.
    pub(super) fn expect_event(&mut self, value: &Value) -> Result<()> {
        let head = match value {
            Value::Head(head) => Some(*head),
            Value::Dot(parts) => self.leading_head(parts),
            _ => None,
        };
        match head {
            Some(head) if self.heads.kind(head) == HeadKind::Channel => {
                if self.is_complete(value)? {
                    return Ok(());
                }
                self.incomplete_event(head, value).into()
            }
            _ => self.mismatch("an event", value).into(),
        }
    }

    fn incomplete_event(&mut self, head: HeadId, value: &Value) -> Diagnostic {
        let shown = self.show(value);
        let name = self.heads.name(head).to_string();
        self.error(
            "incomplete-event",
            format!("`{shown}` is not a whole event: fields of `{name}` are missing"),
        )
        .hint(format!(
            "give all fields, or write {{| {shown} |}} for the set of all events that begin so"
        ))
    }
}
