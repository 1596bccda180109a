//! Names that a `let` defines, which have one type for all their uses. Finds out whether that
//! prevents a further use, for a hint.

use rustc_hash::FxHashMap;

use super::check::TypeCheck;
use super::reason::TypeReason;
use super::scheme::OpenVariables;
use super::script::InputScript;
use super::text::TypeNames;
use super::trail::Moment;
use super::types::{Type, TypeKind, Types};
use base::index::TypedIndex;
use base::source::Span;
use syntax::ast::{Ast, Declaration, Expr, ExprId, Identifier, Symbol};

/// The definition of a name: its place, and the name itself, since one place may define several.
type DefinitionPlace = (Span, Symbol);

/// A name that a `let` defines without an annotation, and the moment when it got its type. The type
/// at that moment matters only for messages.
#[derive(Clone, Copy, Debug)]
struct SingleTyped {
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

impl Before {
    /// The present state, before a group is typed.
    pub(super) fn now(types: &Types) -> Self {
        Self {
            moment: types.now(),
            variables: types.variables.len(),
        }
    }
}

impl SingleTyped {
    /// The type that a further use would have if the `let` generalised, and its text as an
    /// annotation. Returns `None` if it has one type in any case. The text is `None` if the type
    /// contains types of the definitions around.
    fn further_use(self, ast: &Ast, types: &mut Types) -> Option<(Type, Option<String>)> {
        let Self { ty, before, after } = self;
        let decided = types.decided(before.moment, after);
        types.as_of(after, |types| {
            let mut around = OpenVariables::default();
            for variable in decided {
                // A variable that is older than the group belongs to what is around, and so do the
                // variables in what the group made of it: none of these is open for each use.
                if variable.index() < before.variables {
                    let outer = types.make(TypeKind::Variable(variable));
                    types.open(outer, &mut around);
                }
            }
            let mut scheme = types.generalised(ty, &around);
            let variables = &mut scheme.variables;
            variables.retain(|variable| variable.index() >= before.variables);
            if variables.is_empty() && scheme.tails.is_empty() {
                return None;
            }
            let mut all = OpenVariables::default();
            types.open(ty, &mut all);
            let is_closed = all.variables.len() == scheme.variables.len();
            let text = is_closed.then(|| TypeNames::new(ast).scheme(types, &scheme));
            Some((types.instance(&scheme), text))
        })
    }
}

/// The names that a `let` defines without an annotation.
#[derive(Default)]
pub(super) struct SingleTypes {
    definitions: FxHashMap<DefinitionPlace, SingleTyped>,
    /// The name used at each place, for the names in `definitions`.
    uses: FxHashMap<Span, DefinitionPlace>,
}

impl SingleTypes {
    /// Notes that a `let` defines `name` with the type `ty`, which was found for its group.
    pub(super) fn note(&mut self, types: &Types, name: Identifier, ty: Type, before: Before) {
        let after = types.now();
        let single = SingleTyped { ty, before, after };
        self.definitions.insert((name.span, name.symbol), single);
    }

    /// Notes the use of a name that a `let` defines without an annotation.
    pub(super) fn note_use(&mut self, script: InputScript<'_>, name: ExprId) {
        if self.definitions.is_empty() {
            return;
        }
        if let Some(definition) = self.definition(script, name) {
            self.uses.insert(script.span(name), definition);
        }
    }

    fn definition(&self, script: InputScript<'_>, name: ExprId) -> Option<DefinitionPlace> {
        let Expr::Name(path) = script.ast.expr(name) else {
            return None;
        };
        let place = match script.definition_of(name)? {
            Declaration::Function(name, _) => name.span,
            Declaration::Pattern(pattern, _) => script.pattern_span(*pattern),
            _ => return None,
        };
        let definition = (place, path.last().symbol);
        let is_single = self.definitions.contains_key(&definition);
        is_single.then_some(definition)
    }
}

impl TypeCheck<'_, '_> {
    /// The hint, if the two types would fit each other had a `let` not given one type to a name on
    /// one of the sides.
    pub(super) fn single_type(
        &mut self,
        culprit: ExprId,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Option<String> {
        let culprit = self.script.ast.unbracketed(culprit);
        if let Some(&definition) = self.singles.uses.get(&self.script.span(culprit))
            && let Some(hint) = self.hint_if_fitting(definition, expected, None)
        {
            return Some(hint);
        }
        match reason {
            TypeReason::Like(_, place) => {
                let definition = *self.singles.uses.get(&place)?;
                self.hint_if_fitting(definition, actual, None)
            }
            TypeReason::Argument(function, number) => {
                let definition = *self.singles.uses.get(&self.script.span(function))?;
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
        let single = *self.singles.definitions.get(&definition)?;
        let (instance, text) = single.further_use(self.script.ast, self.types)?;
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
            Some(text) => format!("{rule}: `{} :: {text}`", self.script.ast.name(definition.1)),
            None => rule,
        })
    }
}
