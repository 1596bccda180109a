//! Types of channels, datatypes, subtypes and named types, which are declared by the sets of their
//! fields.

use rustc_hash::FxHashMap;

use super::constraint::Constraint;
use super::environment::SlotContent;
use super::group::PlacedDeclaration;
use super::inference::Inference;
use super::mismatch::Unified;
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
                for &ty in &types {
                    self.require(Constraint::Eq, ty, self.span(fields))?;
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
        let Some(datatype) = self.datatype_of(id) else {
            return Ok(());
        };
        let whole = self.types.make(TypeKind::Datatype(datatype));
        for (index, constructor) in constructors.iter().enumerate() {
            let fields = match constructor.fields {
                Some(fields) => self.field_types(fields),
                None => Ok(Vec::new()),
            };
            let ty = match fields {
                Ok(fields) => self.types.dotable(&fields, whole),
                Err(problem) => {
                    // The other constructors are typed all the same.
                    self.diagnostics.push(*problem);
                    Types::UNKNOWN
                }
            };
            let introduced = self.introduce(id, index + 1, ty, constructor.name);
            self.report(introduced);
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
        let resolved = self.resolved;
        let parent = self.unknown_yet();
        let references = resolved.constructors.get(&id);
        for (constructor, reference) in constructors.iter().zip(references.into_iter().flatten()) {
            let ty = self.reference(Some(reference));
            let (fields, whole) = self.types.fields(ty);
            // The first constructor has no other one to be like.
            let reason = match constructors[0].name.span {
                first if first == constructor.name.span => TypeReason::Taken("what is used before"),
                first => TypeReason::Like("another constructor of this subtype", first),
            };
            self.checked(parent, whole, constructor.name.span, reason)?;
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
            let text = self.ast.name(constructor.name.symbol);
            let plural = if fields.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{text}` has {} field{plural}, but here {}",
                fields.len(),
                given.len()
            );
            return Diagnostic::error("field-count", message)
                .at(self.span(sets), "")
                .into();
        }
        for (&field, &given) in fields.iter().zip(&given) {
            let reason = TypeReason::Taken("a field of this constructor");
            self.checked(field, given, self.span(sets), reason)?;
        }
        Ok(())
    }

    /// The types of fields that are written as sets of their values: `Int.{0..2}.(A, B)`.
    fn field_types(&mut self, fields: ExprId) -> Result<Vec<Type>> {
        self.fields_are_no_constructors(fields)?;
        let sets = self.expression(fields);
        self.types.cause = Some(self.span(fields));
        let evaluated = self.types.with_evaluated_dots(sets);
        let value = match evaluated.and_then(|sets| self.values_of(sets, &mut FxHashMap::default()))
        {
            Ok(value) => value,
            Err(mismatch) => {
                let element = self.unknown_yet();
                let expected = self.types.set(element);
                let reason = TypeReason::Taken(what::FIELD_VALUES);
                return self
                    .mismatch_of(fields, (expected, sets), mismatch, reason)
                    .into();
            }
        };
        self.require(Constraint::Complete, value, self.span(fields))?;
        Ok(self.types.fields_of_dotted(value))
    }

    /// Reports a field that is a constructor of its own datatype. It has no type yet that would
    /// show that it is no set.
    fn fields_are_no_constructors(&mut self, fields: ExprId) -> Result<()> {
        let mut open = vec![fields];
        while let Some(id) = open.pop() {
            match self.ast.expr(id) {
                Expr::Parenthesised(inner) => open.push(*inner),
                Expr::Dot(items) | Expr::Tuple(items) => open.extend(items.iter().rev()),
                Expr::Name(path) => {
                    let symbol = path.last().symbol;
                    let Some(Declaration::Datatype(datatype, constructors)) =
                        self.definition_of(id)
                    else {
                        continue;
                    };
                    let mut names = constructors.iter().map(|constructor| constructor.name);
                    let Some(constructor) = names.find(|name| name.symbol == symbol) else {
                        continue;
                    };
                    let (whole, place) = (self.ast.name(datatype.symbol), constructor.span);
                    let ty = self.reference(self.resolved.names[id].as_ref());
                    if matches!(self.types.kind(ty), TypeKind::Variable(_)) {
                        let text = self.ast.name(symbol);
                        let message = format!(
                            "{} must be a set, but `{text}` is a constructor of `{whole}`",
                            what::FIELD_VALUES
                        );
                        let hint = format!("the set of all values of the datatype is `{whole}`");
                        return Diagnostic::error("type-mismatch", message)
                            .at(self.span(id), "this is no set")
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

    /// The type of the members of the sets that make up `ty`. `known` has earlier results.
    fn values_of(&mut self, ty: Type, known: &mut FxHashMap<Type, Type>) -> Unified<Type> {
        let head = self.types.head(ty);
        // Types share parts, and each is gone through once (`sharing.rs`).
        if let Some(&values) = known.get(&head) {
            return Ok(values);
        }
        let values = deep(|| match self.types.kind(head) {
            TypeKind::Dot(parts) => {
                let parts = parts.iter().map(|&part| self.values_of(part, known));
                let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
                Ok(self.types.dot(&parts))
            }
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.values_of(part, known));
                let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
                Ok(self.types.tuple(&parts))
            }
            TypeKind::Unknown => Ok(Types::UNKNOWN),
            // Only in their own set do the parts of a dotted value belong together.
            TypeKind::Set(values) => self.types.with_evaluated_dots(values),
            _ => {
                let value = self.unknown_yet();
                let set = self.types.set(value);
                self.types.unify(set, head)?;
                Ok(value)
            }
        })?;
        known.insert(head, values);
        Ok(values)
    }

    /// True if all values of the datatypes in `group`, which use each other, can be compared, as
    /// was assumed while they were typed. If not, none of them can be compared, as in FDR.
    pub(super) fn are_comparable(&mut self, group: &[PlacedDeclaration]) -> bool {
        let mut all: Vec<(Datatype, Vec<Type>)> = Vec::new();
        for node in group {
            // The types of constructors are in the frame where their datatype is declared.
            let found = self.at(node, |inference| {
                let datatype = inference.datatype_of(node.id)?;
                Some((datatype, inference.constructor_types(node.id)))
            });
            all.extend(found);
        }
        let supposed = |types: &Types, datatype| types.datatypes[datatype].is_comparable;
        all.retain(|(datatype, _)| supposed(&self.types, *datatype));
        let is_right = all.iter().all(|(_, constructors)| {
            let mut constructors = constructors.iter();
            constructors.all(|&constructor| {
                let mut fields = self.types.fields(constructor).0.into_iter();
                fields.all(|field| self.types.require_one(Constraint::Eq, field).is_ok())
            })
        });
        if !is_right {
            for (datatype, _) in &all {
                self.types.datatypes[*datatype].is_comparable = false;
                // Types that contain this datatype may be among those that were found to be
                // comparable.
                self.types.satisfied.clear();
            }
        }
        is_right
    }

    fn constructor_types(&mut self, id: DeclarationId) -> Vec<Type> {
        let slots = self.resolved.slots.get(&id).into_iter().flatten().skip(1);
        let frame = self.environment.chain().last().copied();
        let types = slots.filter_map(|&slot| match self.environment.slot(frame?, slot) {
            SlotContent::Value(scheme) => Some(scheme.ty),
            _ => None,
        });
        types.collect()
    }
}
