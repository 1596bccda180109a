//! Dots: building events and datatype values field by field, and completing them.

use super::declared::HeadKind;
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::Value;
use base::diag::Result;
use base::stack::deep;

impl Evaluator<'_> {
    /// Joins these members of field sets, one for each field, with dots.
    pub(super) fn dot_all(&mut self, parts: Vec<Value>) -> Result<Value> {
        if parts.len() > 1 && matches!(parts[0], Value::Head(_)) {
            // Nothing is left to check.
            return Ok(Value::Dot(parts.into()));
        }
        self.dot_parts(parts)
    }

    /// True if no field is missing.
    pub(super) fn is_complete(&mut self, value: &Value) -> Result<bool> {
        Ok(match value {
            Value::Head(head) => self.fields(*head)?.is_empty(),
            Value::Dot(parts) => {
                let full = match self.declared.leading_head(parts) {
                    Some(head) => parts.len() - 1 == self.fields(head)?.len(),
                    None => true,
                };
                // Only the last part can lack fields: an earlier one would have taken the next part
                // as its field (`dotted.rs`).
                full && deep(|| self.is_complete(&parts[parts.len() - 1]))?
            }
            _ => true,
        })
    }

    /// The set from which the next field of an incomplete value comes; `None` if it is complete.
    pub(super) fn next_field(&mut self, value: &Value) -> Result<Option<Set>> {
        match value {
            Value::Head(head) => Ok(self.fields(*head)?.first().cloned()),
            Value::Dot(parts) => match self.declared.leading_head(parts) {
                Some(head) => {
                    let fields = self.fields(head)?;
                    self.next_after(&fields, &parts[1..])
                }
                None => deep(|| self.next_field(&parts[parts.len() - 1])),
            },
            _ => Ok(None),
        }
    }

    /// Every way to complete `value`: the completed value, and the parts that were added.
    pub(super) fn completions(&mut self, value: &Value) -> Result<Vec<(Value, Vec<Value>)>> {
        let mut complete = Vec::new();
        let mut open = vec![(value.clone(), Vec::new())];
        while let Some((value, added)) = open.pop() {
            self.work.tick()?;
            self.work.check_choice(complete.len())?;
            let Some(set) = self.next_field(&value)? else {
                complete.push((value, added));
                continue;
            };
            // Pushed backwards, so that completions come out in ascending order.
            for member in self.members(&set)?.iter().rev() {
                let mut added = added.clone();
                added.push(member.clone());
                open.push((self.dot(value.clone(), member)?, added));
            }
        }
        Ok(complete)
    }

    /// The value of `productions(value)`: all completions, in symbols where a field is infinite.
    pub(super) fn productions_of(&mut self, value: &Value) -> Result<Set> {
        if self.is_complete(value)? {
            return Ok(Set::from_values(vec![value.clone()]));
        }
        let parts = value.dotted_parts();
        if let Some(head) = self.declared.leading_head(parts) {
            let fields = self.fields(head)?;
            return self.starting_after(&parts[0], &fields, &parts[1..]);
        }
        // Here `value` is a list whose last part is incomplete. Unlike that of a channel, its set
        // is listed.
        let all = self.completions(value)?;
        Ok(Set::from_values(
            all.into_iter().map(|(value, _)| value).collect(),
        ))
    }

    /// The value of `extensions(value)`: the parts that complete it.
    pub(super) fn extensions_of(&mut self, value: &Value) -> Result<Set> {
        let parts = value.dotted_parts();
        if let Some(head) = self.declared.leading_head(parts)
            && (parts.len() == 1 || self.is_complete(&parts[parts.len() - 1])?)
            // If one whole field is missing its set is the answer, also an infinite one, and
            // nothing is listed.
            && let [missing] = &self.fields(head)?[parts.len() - 1..]
        {
            return Ok(missing.clone());
        }
        let mut values = Vec::new();
        for (_, added) in self.completions(value)? {
            values.push(join(added));
        }
        Ok(Set::from_values(values))
    }

    /// Fails unless `value` is a complete event.
    pub(super) fn expect_event(&mut self, value: &Value) -> Result<()> {
        let head = self.declared.head_of(value);
        let is_event = head.is_some_and(|head| self.declared.heads[head].kind == HeadKind::Channel);
        if is_event && self.is_complete(value)? {
            return Ok(());
        }
        self.mismatch("a whole event", value).into()
    }
}

/// A single part alone, or several parts as a dotted list.
pub(super) fn join(mut parts: Vec<Value>) -> Value {
    match parts.len() {
        1 => parts.remove(0),
        _ => Value::Dot(parts.into()),
    }
}
