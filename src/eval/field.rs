//! The field sets of channels and constructors, found when first needed.

use std::rc::Rc;

use super::declared::{FieldSets, HeadKind};
use super::environment::Frame;
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{DatatypeId, HeadId, Value};
use base::diag::{Diagnostic, Result};
use syntax::ast::{Constructor, Declaration, Expr, ExprId};
use types::resolved::Reference;

impl Evaluator<'_> {
    /// The sets of the fields of `head`, in order.
    pub(super) fn fields(&mut self, head: HeadId) -> Result<Rc<[Set]>> {
        let entry = &self.declared.heads[head];
        let Some(declared) = entry.declared else {
            return Ok(Rc::new([]));
        };
        match &entry.fields {
            FieldSets::Known(fields) => return Ok(Rc::clone(fields)),
            FieldSets::Running => {
                let name = &entry.name;
                let message = format!("the fields of `{name}` are defined in terms of themselves");
                let error = self.script.error_at(declared, "cyclic-definition", message);
                return error.into();
            }
            FieldSets::Unknown => {}
        }
        let environment = Rc::clone(&entry.environment);
        self.declared.heads[head].fields = FieldSets::Running;
        let result = self.deeper(|e| e.type_fields(declared, &environment));
        self.declared.heads[head].fields = match &result {
            Ok(fields) => FieldSets::Known(fields.clone().into()),
            // Left as `Running`, the fields would be reported as cyclic the next time.
            Err(_) => FieldSets::Unknown,
        };
        Ok(result?.into())
    }

    /// The fields of a type expression. A dot lists several fields; a tuple is one field of tuples.
    fn type_fields(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<Vec<Set>> {
        let expression = self.script.ast.unbracketed(expression);
        match self.script.ast.expr(expression) {
            Expr::Dot(items) => {
                let mut fields = Vec::new();
                for &item in items {
                    fields.extend(self.deeper(|e| e.type_fields(item, environment))?);
                }
                Ok(fields)
            }
            Expr::Tuple(items) => {
                let parts: Result<Vec<Set>> = items
                    .iter()
                    .map(|&item| self.type_set(item, environment))
                    .collect();
                Ok(vec![Set::Tuples(parts?.into())])
            }
            _ => {
                self.at(expression);
                let set = self.evaluate_set(expression, environment)?;
                self.at(expression);
                self.split_fields(&set)
            }
        }
    }

    /// True if the set of a field is given by the name of a datatype or subtype alone, as in
    /// `channel c : Node.{0..2}` that of the first field.
    pub(super) fn is_named_field(&mut self, head: HeadId, index: usize) -> Result<bool> {
        let entry = &self.declared.heads[head];
        let Some(declared) = entry.declared else {
            return Ok(false);
        };
        let environment = Rc::clone(&entry.environment);
        self.names_field(declared, index, &environment)
    }

    fn names_field(
        &mut self,
        expression: ExprId,
        mut index: usize,
        environment: &Rc<Frame>,
    ) -> Result<bool> {
        let expression = self.script.ast.unbracketed(expression);
        match self.script.ast.expr(expression) {
            Expr::Name(_) => Ok(self.names_type(expression)),
            Expr::Dot(items) => {
                for &item in items {
                    let width = self.deeper(|e| e.type_fields(item, environment))?.len();
                    if index < width {
                        return self.deeper(|e| e.names_field(item, index, environment));
                    }
                    index -= width;
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// True if the name `expression` is that of a datatype or subtype.
    fn names_type(&self, expression: ExprId) -> bool {
        let Some(Reference::Local { definition, .. } | Reference::Member { definition, .. }) =
            &self.script.resolved.names[expression]
        else {
            return false;
        };
        let declaration = definition.map(|definition| self.script.ast.declaration(definition));
        matches!(
            declaration,
            Some(Declaration::Datatype(..) | Declaration::Subtype(..))
        )
    }

    /// The set of values of a type expression.
    pub(super) fn type_set(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<Set> {
        Ok(Set::dots(self.type_fields(expression, environment)?))
    }

    /// The fields of a set of dotted lists, which must be a Cartesian product; else one field.
    fn split_fields(&mut self, set: &Set) -> Result<Vec<Set>> {
        match set {
            Set::Dots(parts) if !self.starts_with_head(parts) => {
                let mut fields = Vec::new();
                for part in parts.iter() {
                    fields.extend(self.split_fields(part)?);
                }
                return Ok(fields);
            }
            Set::Finite(members)
                if members
                    .iter()
                    .any(|v| self.declared.bare_parts(v).is_some()) =>
            {
                return self.rectangle(&Rc::clone(members));
            }
            Set::Union(_) if self.is_finite(set)? => {
                // A union of products need not be a product: the listed members are looked at as a
                // whole.
                let members = Set::Finite(self.members(set)?);
                return self.split_fields(&members);
            }
            _ => {}
        }
        Ok(vec![set.clone()])
    }

    fn starts_with_head(&self, parts: &[Set]) -> bool {
        matches!(parts.first(), Some(Set::Finite(first)) if matches!(first.first(), Some(Value::Head(_))))
    }

    fn rectangle(&mut self, members: &Rc<[Value]>) -> Result<Vec<Set>> {
        let parts = |e: &Self, v: &Value| {
            e.declared
                .bare_parts(v)
                .map_or_else(|| vec![v.clone()], <[Value]>::to_vec)
        };
        // `split_fields` has found a dotted list among the members, so there is a first one.
        let width = parts(self, &members[0]).len();
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); width];
        for member in members.iter() {
            let row = parts(self, member);
            if row.len() != width {
                return self
                    .mismatch("as many fields as others have", member)
                    .into();
            }
            for (column, part) in columns.iter_mut().zip(row) {
                column.push(part);
            }
        }
        let fields: Vec<Set> = columns.into_iter().map(Set::from_values).collect();
        let product = self.members(&Set::Dots(fields.clone().into()))?;
        // Every member is in the product of its columns, so the two are equal iff they are equally
        // large.
        if product.len() != members.len() {
            let missing = product.iter().filter(|v| members.binary_search(v).is_err());
            let shown: Vec<String> = missing.clone().take(5).map(|v| self.show(v)).collect();
            let more = missing.count().saturating_sub(shown.len());
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            return self
                .work.error("non-rectangular", "the set of this type is not a product of its fields' sets")
                .note(format!("these would be missing: {}{more}", shown.join(", ")))
                .hint("give each field its own set, as in `channel c : A.B`, and restrict the values where they are used")
                .into();
        }
        Ok(fields)
    }

    /// The values of one line of a subtype. They have its own field sets, and those of the datatype
    /// for the fields that it leaves out.
    pub(super) fn subtype_part(
        &mut self,
        part: &Constructor,
        reference: &Reference,
        frame: &Rc<Frame>,
    ) -> Result<Set> {
        let name = self.script.ast.name(part.name.symbol);
        let head = match self.reference(reference, frame)? {
            Value::Head(head) => head,
            other => return self.mismatch("a constructor", &other).into(),
        };
        let mut sets = vec![Set::from_values(vec![Value::Head(head)])];
        if let Some(fields) = part.fields {
            sets.extend(self.type_fields(fields, frame)?);
        }
        let all = self.fields(head)?;
        let given = sets.len() - 1;
        // Type checking has ruled this out; the slice below relies on it.
        if given > all.len() {
            self.work.go_to(part.name.span);
            return self
                .work
                .ill_typed("more fields than the datatype gives")
                .into();
        }
        for (own, whole) in sets[1..].iter().zip(all.iter()) {
            if !self.is_subset(own, whole)? {
                let (own, whole) = (self.text().set(own), self.text().set(whole));
                return Diagnostic::error(
                    "field-value",
                    format!("a subtype's field is not part of the field of `{name}`"),
                )
                .at(part.name.span, "")
                .note(format!("{own} is not within {whole}"))
                .into();
            }
        }
        sets.extend_from_slice(&all[given..]);
        Ok(Set::dots(sets))
    }

    /// All complete events of all channels.
    pub(super) fn all_events(&mut self) -> Result<Rc<Set>> {
        if let Some(events) = self.events.every() {
            return Ok(Rc::clone(events));
        }
        // Instances that nothing has named yet have channels too.
        self.make_instances()?;
        let mut parts = Vec::new();
        for channel in self.declared.channels() {
            parts.push(self.productions_of(&Value::Head(channel))?);
        }
        let events = Rc::new(self.listed(Set::Union(parts.into()))?);
        self.events.note_every(&events);
        Ok(events)
    }

    /// All values of a finite datatype.
    pub(super) fn datatype_members(&mut self, datatype: DatatypeId) -> Result<Rc<[Value]>> {
        if let Some(members) = &self.declared.datatypes[datatype].members {
            return Ok(Rc::clone(members));
        }
        let parts = self.datatype_parts(datatype)?;
        let members = self.members(&parts)?;
        self.declared.datatypes[datatype].members = Some(Rc::clone(&members));
        Ok(members)
    }

    /// The values of a datatype, constructor by constructor.
    pub(super) fn datatype_parts(&mut self, datatype: DatatypeId) -> Result<Set> {
        let mut parts = Vec::new();
        for head in self.declared.datatypes[datatype].constructors.clone() {
            parts.push(self.productions_of(&Value::Head(head))?);
        }
        Ok(Set::Union(parts.into()))
    }

    /// True if a datatype has finitely many values. One that is met again while its own fields are
    /// looked at is recursive, and so counts as infinite.
    pub(super) fn datatype_is_finite(&mut self, datatype: DatatypeId) -> Result<bool> {
        if let Some(finite) = self.declared.datatypes[datatype].finite {
            return Ok(finite);
        }
        self.declared.datatypes[datatype].finite = Some(false);
        let finite = self.all_fields_finite(datatype);
        // After an error the next question has to meet the same error.
        self.declared.datatypes[datatype].finite = finite.as_ref().ok().copied();
        finite
    }

    fn all_fields_finite(&mut self, datatype: DatatypeId) -> Result<bool> {
        let mut finite = true;
        for head in self.declared.datatypes[datatype].constructors.clone() {
            for field in self.fields(head)?.iter() {
                finite &= self.is_finite(field)?;
            }
        }
        Ok(finite)
    }

    /// True if `value` is a complete value of the datatype, and all fields in it are in their sets.
    pub(super) fn is_of_datatype(&mut self, datatype: DatatypeId, value: &Value) -> Result<bool> {
        let Some(head) = self.declared.head_of(value) else {
            return Ok(false);
        };
        Ok(
            self.declared.heads[head].kind == HeadKind::Constructor(datatype)
                && self.is_complete(value)?
                && self.outside(value)?.is_none(),
        )
    }
}
