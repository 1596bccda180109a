//! Joins dotted values, in time linear in their parts however deep they nest.

use super::declared::HeadKind;
use super::dot::join;
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{HeadId, Value};
use base::diag::Result;

/// A dotted value under construction.
#[derive(Default)]
struct Dotted {
    /// The complete parts, in order.
    list: Vec<Value>,
    /// Channels and constructors with missing fields, each with the fields it has. Each is the next
    /// field of the one before.
    open: Vec<Vec<Value>>,
}

impl Evaluator<'_> {
    /// The value of `left.right`. The parts of `right` become fields of the innermost incomplete
    /// channel or constructor at the end of `left`, or else lengthen the list.
    pub(super) fn dot(&mut self, left: Value, right: &Value) -> Result<Value> {
        self.dot_parts(vec![left, right.clone()])
    }

    /// The value of `first.second.third` and so on. `parts` must not be empty.
    pub(super) fn dot_parts(&mut self, parts: Vec<Value>) -> Result<Value> {
        let mut dotted = Dotted::default();
        for part in parts {
            match self.declared.bare_parts(&part).map(<[Value]>::to_vec) {
                Some(inner) => {
                    for part in inner {
                        self.place_part(&mut dotted, part)?;
                    }
                }
                None => self.place_part(&mut dotted, part)?,
            }
        }
        Ok(finish(dotted))
    }

    /// Puts one part, which is no list, into its place.
    fn place_part(&mut self, dotted: &mut Dotted, part: Value) -> Result<()> {
        let mut part = part;
        while !self.is_complete(&part)? {
            let mut fields = part.dotted_parts().to_vec();
            let last = fields.len() - 1;
            if last == 0 || self.is_complete(&fields[last])? {
                dotted.open.push(fields);
                return Ok(());
            }
            // Incomplete because its last field is: that one stays open as well.
            let inner = fields.split_off(last);
            dotted.open.push(fields);
            part = inner.into_iter().next().expect("one field was split off");
        }
        self.settle(dotted, part)
    }

    /// Puts a complete part into the innermost open value, which may complete that value, and so on
    /// outwards.
    fn settle(&mut self, dotted: &mut Dotted, mut part: Value) -> Result<()> {
        while let Some(fields) = dotted.open.last_mut() {
            fields.push(part);
            let Some(head) = self.declared.leading_head(fields) else {
                unreachable!("only channels and constructors are open");
            };
            // The channel or constructor stands at 0 and the new field at the end.
            self.check_field(head, fields.len() - 2, &fields[fields.len() - 1])?;
            if fields.len() - 1 < self.fields(head)?.len() {
                return Ok(());
            }
            part = Value::Dot(dotted.open.pop().unwrap_or_default().into());
        }
        dotted.list.push(part);
        Ok(())
    }

    /// Fails if a complete field is not in its set. As in FDR, a value of a datatype is not looked
    /// at where the field's set is given by the name of a datatype or subtype alone: scripts list
    /// `c.n` for all values n of a datatype, where `c` takes those of a subtype. No process does
    /// such an event; see [`outside`](Self::outside).
    fn check_field(&mut self, head: HeadId, index: usize, field: &Value) -> Result<()> {
        let set = self.fields(head)?[index].clone();
        let is_accepted = self.field_allows(&set, field)?
            || self.declared.head_of(field).is_some() && self.is_named_field(head, index)?;
        if is_accepted {
            return Ok(());
        }
        self.refuse_field(head, index, field)
    }

    /// Fails because a field is not in its set.
    pub(super) fn refuse_field<T>(
        &mut self,
        head: HeadId,
        index: usize,
        field: &Value,
    ) -> Result<T> {
        let set = self.fields(head)?[index].clone();
        let (field, set) = (self.show(field), self.text().set(&set));
        let name = &self.declared.heads[head].name;
        let what = match self.declared.heads[head].kind {
            HeadKind::Channel => "channel",
            HeadKind::Constructor(_) => "constructor",
        };
        let message = format!(
            "{field} is not in the set of field {} of {what} `{name}`",
            index + 1
        );
        self.work
            .error("field-value", message)
            .note(format!("that field's set is {set}"))
            .into()
    }

    /// The first field in the complete `value` that is not in its set, as the channel or
    /// constructor, the field's position and its value.
    pub(super) fn outside(&mut self, value: &Value) -> Result<Option<(HeadId, usize, Value)>> {
        // No recursion: values of recursive datatypes nest deeply.
        let mut open = vec![value.clone()];
        while let Some(value) = open.pop() {
            let parts = value.dotted_parts();
            let Some(head) = self.declared.leading_head(parts) else {
                continue;
            };
            for (index, set) in self.fields(head)?.iter().enumerate() {
                let field = &parts[index + 1];
                if !self.field_allows(set, field)? {
                    return Ok(Some((head, index, field.clone())));
                }
                // Other sets look at the fields of their members themselves.
                if matches!(set, Set::Datatype(_)) {
                    open.push(field.clone());
                }
            }
        }
        Ok(None)
    }

    /// True if a complete value, whose own fields are in their sets, is in `set`.
    pub(super) fn field_allows(&mut self, set: &Set, field: &Value) -> Result<bool> {
        match (set, self.declared.head_of(field)) {
            (Set::Datatype(datatype), Some(constructor)) => {
                Ok(self.declared.heads[constructor].kind == HeadKind::Constructor(*datatype))
            }
            _ => self.contains(set, field),
        }
    }
}

/// The dotted value, with its open parts left incomplete.
fn finish(mut dotted: Dotted) -> Value {
    let mut inner = None;
    while let Some(mut fields) = dotted.open.pop() {
        fields.extend(inner);
        // `join` makes a head that got no field that head, and no dotted value of one part.
        inner = Some(join(fields));
    }
    dotted.list.extend(inner);
    join(dotted.list)
}
