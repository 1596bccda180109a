//! Names that a `let` defines, which have one type for all their uses. Finds out whether that
//! prevents a further use, for a hint.

use super::inference::Inference;
use super::reason::TypeReason;
use super::scheme::{OpenVariables, Scheme};
use super::text::TypeNames;
use super::trail::Moment;
use super::types::{Type, TypeKind};
use base::index::TypedIndex;
use base::source::Span;
use syntax::ast::{Declaration, Expr, ExprId, Identifier, Symbol};

/// The definition of a name: its place, and the name itself, since one place may define several.
pub(super) type DefinitionPlace = (Span, Symbol);

/// A name that a `let` defines without an annotation, and the moment when it got its type. The type
/// at that moment matters only for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleTyped {
    ty: Type,
    /// The state before its group was typed.
    before: Before,
    /// The moment after its group was typed.
    after: Moment,
}

/// The state before a group was typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    moment: Moment,
    /// The number of variables then; these belong to the definitions around.
    variables: usize,
}

impl Inference<'_> {
    /// The present state, before a group is typed.
    pub(super) fn before_group(&self) -> Before {
        Before {
            moment: self.types.now(),
            variables: self.types.variables.len(),
        }
    }

    /// Notes that a `let` defines `name` with the type `ty`, which was found for its group.
    pub(super) fn note_single_type(&mut self, name: Identifier, ty: Type, before: Before) {
        let after = self.types.now();
        let single = SingleTyped { ty, before, after };
        self.single_typed.insert((name.span, name.symbol), single);
    }

    /// Notes the use of a name that a `let` defines without an annotation.
    pub(super) fn note_single_use(&mut self, name: ExprId) {
        if self.single_typed.is_empty() {
            return;
        }
        if let Some(definition) = self.single_definition(name) {
            self.single_uses.insert(self.span(name), definition);
        }
    }

    fn single_definition(&self, name: ExprId) -> Option<DefinitionPlace> {
        let Expr::Name(path) = self.ast.expr(name) else {
            return None;
        };
        let place = match self.definition_of(name)? {
            Declaration::Function(name, _) => name.span,
            Declaration::Pattern(pattern, _) => self.ast.patterns[*pattern].span,
            _ => return None,
        };
        let definition = (place, path.last().symbol);
        let is_single = self.single_typed.contains_key(&definition);
        is_single.then_some(definition)
    }

    /// The hint, if the two types would fit each other had a `let` not given one type to a name on
    /// one of the sides.
    pub(super) fn single_type(
        &mut self,
        culprit: ExprId,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Option<String> {
        let culprit = self.ast.unbracketed(culprit);
        if let Some(&definition) = self.single_uses.get(&self.span(culprit))
            && let Some(hint) = self.hint_if_fitting(definition, expected, None)
        {
            return Some(hint);
        }
        match reason {
            TypeReason::Like(_, place) => {
                let definition = *self.single_uses.get(&place)?;
                self.hint_if_fitting(definition, actual, None)
            }
            TypeReason::Argument(function, number) => {
                let definition = *self.single_uses.get(&self.span(function))?;
                self.hint_if_fitting(definition, actual, Some(number - 1))
            }
            TypeReason::Taken(_) => None,
        }
    }

    /// The hint, if a further use of the name, or its parameter with this number, could have type
    /// `ty`.
    fn hint_if_fitting(
        &mut self,
        definition: DefinitionPlace,
        ty: Type,
        parameter: Option<usize>,
    ) -> Option<String> {
        let single = *self.single_typed.get(&definition)?;
        let (instance, text) = self.further_use(single)?;
        let used = match (parameter, self.types.kind(instance)) {
            (Some(number), TypeKind::Function(parameters, _)) => *parameters.get(number)?,
            _ => instance,
        };
        let now = self.types.now();
        // Only tried: `as_of` takes back what this decides.
        let fits = self.types.as_of(now, |types| types.unify(ty, used).is_ok());
        if !fits {
            return None;
        }
        let kind = match self.types.kind(instance) {
            TypeKind::Function(..) => "function",
            _ => "name",
        };
        let rule = format!(
            "a {kind} that a `let` defines has one type for all its uses, unless its type stands before it"
        );
        Some(match text {
            Some(text) => format!("{rule}: `{} :: {text}`", self.ast.name(definition.1)),
            None => rule,
        })
    }

    /// The type that a further use would have if the `let` generalised, and its text as an
    /// annotation. Returns `None` if it has one type in any case. The text is `None` if the type
    /// contains types of the definitions around.
    fn further_use(&mut self, single: SingleTyped) -> Option<(Type, Option<String>)> {
        let SingleTyped { ty, before, after } = single;
        let decided = self.types.decided(before.moment, after);
        let ast = self.ast;
        self.types.as_of(after, |types| {
            let mut around = OpenVariables::default();
            for variable in decided {
                // A variable that is older than the group belongs to what is around, and so do the
                // variables in what the group made of it: none of these is open for each use.
                if variable.index() < before.variables {
                    let outer = types.make(TypeKind::Variable(variable));
                    types.open(outer, &mut around);
                }
            }
            let Scheme {
                mut variables,
                tails,
                ..
            } = types.generalised(ty, &around);
            variables.retain(|variable| variable.index() >= before.variables);
            if variables.is_empty() && tails.is_empty() {
                return None;
            }
            let mut all = OpenVariables::default();
            types.open(ty, &mut all);
            let is_closed = all.variables.len() == variables.len();
            let scheme = Scheme {
                variables,
                tails,
                ty,
            };
            let text = is_closed.then(|| TypeNames::new(ast).scheme(types, &scheme));
            Some((types.instance(&scheme), text))
        })
    }
}
