//! Types of channels, datatypes, subtypes and named types, which are declared by the sets of their
//! fields.

use rustc_hash::FxHashMap;

use super::constraint::Constraint;
use super::environment::Environment;
use super::inference::Inference;
use super::mismatch::Unified;
use super::nodes::PlacedDeclaration;
use super::reason::{TypeReason, what};
use super::types::{Datatype, Type, TypeKind, Types};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use syntax::ast::{Constructor, Declaration, DeclarationId, Expr, ExprId, Identifier};

impl Inference<'_> {
    /// Types `channel names : fields`.
    pub(super) fn channels(
        &mut self,
        id: DeclarationId,
        names: &[Identifier],
        fields: Option<ExprId>,
    ) -> Result<()> {
        let fields = match fields {
            Some(fields) => {
                let types = self.field_types(fields)?;
                let place = self.script.span(fields);
                for &ty in &types {
                    self.check().require(Constraint::Eq, ty, place)?;
                }
                types
            }
            None => Vec::new(),
        };
        let ty = self.types.dotable(&fields, Types::EVENT);
        let mut names = names.iter().enumerate();
        names.try_for_each(|(index, name)| self.introduce(id, index, ty, *name))
    }

    /// Types `nametype name = body`.
    pub(super) fn named_type(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        body: ExprId,
    ) -> Result<()> {
        let fields = self.field_types(body)?;
        let value = self.types.dot(&fields);
        let values = self.types.set(value);
        self.introduce(id, 0, values, name)
    }

    /// Types `datatype T = constructors`.
    pub(super) fn datatype(
        &mut self,
        id: DeclarationId,
        constructors: &[Constructor],
    ) -> Result<()> {
        let Some(datatype) = self.environment.datatype_of(&mut self.types, id) else {
            return Ok(());
        };
        let whole = self.types.make(TypeKind::Datatype(datatype));
        for (index, constructor) in constructors.iter().enumerate() {
            let fields = match constructor.fields {
                Some(fields) => self.field_types(fields),
                None => Ok(Vec::new()),
            };
            // After a mistake the other constructors are typed all the same.
            let ty = fields.map(|fields| self.types.dotable(&fields, whole));
            let ty = self.problems.typed(ty);
            let introduced = self.introduce(id, index + 1, ty, constructor.name);
            self.problems.report(introduced);
        }
        Ok(())
    }

    /// Types a subtype. It has values of some constructors of one datatype, perhaps without their
    /// last fields.
    pub(super) fn subtype(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        constructors: &[Constructor],
    ) -> Result<()> {
        let resolved = self.script.resolved;
        let parent = self.types.unknown_yet();
        let references = resolved.constructors.get(&id);
        for (constructor, reference) in constructors.iter().zip(references.into_iter().flatten()) {
            let ty = self.environment.reference(&mut self.types, Some(reference));
            let (fields, whole) = self.types.fields(ty);
            let place = constructor.name.span;
            // The first constructor has no other one to be like.
            let reason = match constructors[0].name.span {
                first if first == place => TypeReason::Taken("what is used before"),
                first => TypeReason::Like("another constructor of this subtype", first),
            };
            self.check().checked(parent, whole, place, reason)?;
            self.subtype_fields(constructor, &fields)?;
        }
        let values = self.types.set(parent);
        self.introduce(id, 0, values, name)
    }

    fn subtype_fields(&mut self, constructor: &Constructor, fields: &[Type]) -> Result<()> {
        let Some(sets) = constructor.fields else {
            return Ok(());
        };
        let given = self.field_types(sets)?;
        if given.len() > fields.len() {
            let text = self.script.ast.name(constructor.name.symbol);
            let plural = if fields.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{text}` has {} field{plural}, but here {}",
                fields.len(),
                given.len()
            );
            return Diagnostic::error("field-count", message)
                .at(self.script.span(sets), "")
                .into();
        }
        let place = self.script.span(sets);
        for (&field, &given) in fields.iter().zip(&given) {
            let reason = TypeReason::Taken("a field of this constructor");
            self.check().checked(field, given, place, reason)?;
        }
        Ok(())
    }

    /// The types of fields that are written as sets of their values: `Int.{0..2}.(A, B)`.
    fn field_types(&mut self, fields: ExprId) -> Result<Vec<Type>> {
        let (place, types) = (self.script.span(fields), &mut self.types);
        self.environment.fields_are_no_constructors(types, fields)?;
        let sets = self.expression(fields);
        let types = &mut self.types;
        types.cause = Some(place);
        let evaluated = types.with_evaluated_dots(sets);
        let value = evaluated.and_then(|sets| values_of(types, sets, &mut FxHashMap::default()));
        let value = value.map_err(|mismatch| {
            let element = self.types.unknown_yet();
            let expected = self.types.set(element);
            let reason = TypeReason::Taken(what::FIELD_VALUES);
            let mut check = self.check();
            Box::new(check.mismatch_of(fields, (expected, sets), mismatch, reason))
        })?;
        self.check().require(Constraint::Complete, value, place)?;
        Ok(self.types.fields_of_dotted(value))
    }
}

impl Environment<'_> {
    /// Reports a field that is a constructor of its own datatype. It has no type yet that would
    /// show that it is no set.
    fn fields_are_no_constructors(&self, types: &mut Types, fields: ExprId) -> Result<()> {
        let script = self.script;
        let mut open = vec![fields];
        while let Some(id) = open.pop() {
            match script.ast.expr(id) {
                Expr::Parenthesised(inner) => open.push(*inner),
                Expr::Dot(items) | Expr::Tuple(items) => open.extend(items.iter().rev()),
                Expr::Name(path) => {
                    let symbol = path.last().symbol;
                    let Some(Declaration::Datatype(datatype, constructors)) =
                        script.definition_of(id)
                    else {
                        continue;
                    };
                    let mut names = constructors.iter().map(|constructor| constructor.name);
                    let Some(constructor) = names.find(|name| name.symbol == symbol) else {
                        continue;
                    };
                    let (whole, place) = (script.ast.name(datatype.symbol), constructor.span);
                    let ty = self.reference(types, script.resolved.names[id].as_ref());
                    if matches!(types.kind(ty), TypeKind::Variable(_)) {
                        let text = script.ast.name(symbol);
                        let message = format!(
                            "{} must be a set, but `{text}` is a constructor of `{whole}`",
                            what::FIELD_VALUES
                        );
                        let hint = format!("the set of all values of the datatype is `{whole}`");
                        return Diagnostic::error("type-mismatch", message)
                            .at(script.span(id), "this is no set")
                            .at(place, "this constructor")
                            .hint(hint)
                            .into();
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// True if all values of the datatypes in `group`, which use each other, can be compared, as
    /// was assumed while they were typed. If not, none of them can be compared, as in FDR.
    pub(super) fn are_comparable(
        &mut self,
        types: &mut Types,
        group: &[&PlacedDeclaration],
    ) -> bool {
        let mut all: Vec<(Datatype, Vec<Type>)> = Vec::new();
        for node in group {
            // The types of constructors are in the frame where their datatype is declared.
            let around = self.enter_all(&node.inside, &node.qualifier);
            if let Some(datatype) = self.datatype_of(types, node.id) {
                all.push((datatype, self.constructor_types(node.id)));
            }
            self.go_back(around);
        }
        all.retain(|(datatype, _)| types.datatypes[*datatype].is_comparable);
        let is_right = all.iter().all(|(_, constructors)| {
            let mut constructors = constructors.iter();
            constructors.all(|&constructor| {
                let mut fields = types.fields(constructor).0.into_iter();
                fields.all(|field| types.require_one(Constraint::Eq, field).is_ok())
            })
        });
        if !is_right {
            for (datatype, _) in &all {
                types.datatypes[*datatype].is_comparable = false;
                // Types that contain this datatype may be among those that were found to be
                // comparable.
                types.satisfied.clear();
            }
        }
        is_right
    }
}

/// The type of the members of the sets that make up `ty`. `known` has earlier results.
fn values_of(types: &mut Types, ty: Type, known: &mut FxHashMap<Type, Type>) -> Unified<Type> {
    let head = types.head(ty);
    // Types share parts, and each is gone through once (`sharing.rs`).
    if let Some(&values) = known.get(&head) {
        return Ok(values);
    }
    let values = deep(|| match types.kind(head) {
        TypeKind::Dot(parts) => {
            let parts = parts.iter().map(|&part| values_of(types, part, known));
            let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
            Ok(types.dot(&parts))
        }
        TypeKind::Tuple(parts) => {
            let parts = parts.iter().map(|&part| values_of(types, part, known));
            let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
            Ok(types.tuple(&parts))
        }
        TypeKind::Unknown => Ok(Types::UNKNOWN),
        // Only in their own set do the parts of a dotted value belong together.
        TypeKind::Set(values) => types.with_evaluated_dots(values),
        _ => {
            let value = types.unknown_yet();
            let set = types.set(value);
            types.unify(set, head)?;
            Ok(value)
        }
    })?;
    known.insert(head, values);
    Ok(values)
}
