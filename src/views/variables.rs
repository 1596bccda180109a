//! The variables that a piece of the script names and does not bind.

use eval::ResolvedScript;
use syntax::ast::{
    Ast, Collection, Declaration, DeclarationId, Expr, ExprId, Field, Items, Statement,
};
use syntax::children::{Child, children};
use types::resolved::{Place, Reference};

/// A use of a variable.
pub(super) struct OutsideVariable {
    /// The expression that is its name.
    pub(super) name: ExprId,
    /// The place of its value, seen from the piece.
    pub(super) place: Place,
}

/// The variables that `root` names and does not bind. A part whose variables are not known has
/// none.
pub(super) fn outside_variables(script: &ResolvedScript, root: ExprId) -> Vec<OutsideVariable> {
    Walk::over(&script.ast, vec![(root, 0)]).variables(script)
}

/// The variables that a definition names, seen from the frame that holds it.
pub(super) fn variables_of_definition(
    script: &ResolvedScript,
    id: DeclarationId,
) -> Vec<OutsideVariable> {
    let mut walk = Walk::over(&script.ast, Vec::new());
    walk.declaration(id, 0);
    walk.variables(script)
}

/// The expressions that are still to be looked at, each with the number of frames between it and
/// the root.
struct Walk<'a> {
    ast: &'a Ast,
    open: Vec<(ExprId, u32)>,
}

impl<'a> Walk<'a> {
    fn over(ast: &'a Ast, open: Vec<(ExprId, u32)>) -> Self {
        Self { ast, open }
    }

    fn variables(mut self, script: &ResolvedScript) -> Vec<OutsideVariable> {
        let mut found = Vec::new();
        while let Some((name, frames)) = self.open.pop() {
            let reference = script.resolved.names.get(name).and_then(Option::as_ref);
            if let Some(Reference::Local { place, .. }) = reference
                && let Some(up) = place.up.checked_sub(frames)
            {
                let place = Place {
                    up,
                    slot: place.slot,
                };
                found.push(OutsideVariable { name, place });
            }
            self.inside(name, frames);
        }
        found
    }

    fn inside(&mut self, expression: ExprId, frames: u32) {
        match self.ast.expr(expression) {
            Expr::Prefix(channel, fields, process) => {
                self.open.push((*channel, frames));
                let inner = self.fields(fields, frames);
                self.open.push((*process, inner));
            }
            Expr::Let(declarations, body) => {
                for &id in declarations {
                    self.declaration(id, frames + 1);
                }
                self.open.push((*body, frames + 1));
            }
            Expr::Replicated(_, statements, body) => {
                let inner = self.statements(statements, frames);
                self.open.push((*body, inner));
            }
            Expr::Set(collection) | Expr::Sequence(collection) => {
                self.collection(collection, frames);
            }
            Expr::Productions(items, statements) => {
                let inner = self.statements(statements, frames);
                self.open.extend(items.iter().map(|&item| (item, inner)));
            }
            // No state has these in its text.
            Expr::Lambda(..) | Expr::Rename(..) | Expr::LinkedParallel { .. } => {}
            _ => {
                let mut found = Vec::new();
                children(self.ast, Child::Expression(expression), &mut found);
                for child in found {
                    if let Child::Expression(id) = child {
                        self.open.push((id, frames));
                    }
                }
            }
        }
    }

    fn declaration(&mut self, id: DeclarationId, frames: u32) {
        match self.ast.declaration(id) {
            Declaration::Pattern(_, body) => self.open.push((*body, frames)),
            Declaration::Function(_, clauses) => {
                for clause in clauses {
                    let inner = frames + clause.groups.len() as u32;
                    self.open.push((clause.body, inner));
                }
            }
            _ => {}
        }
    }

    /// The number of frames around the continuation behind `fields`.
    fn fields(&mut self, fields: &[Field], mut frames: u32) -> u32 {
        for field in fields {
            match field {
                Field::Output(value) => self.open.push((*value, frames)),
                Field::Input(_, set) | Field::Nondeterministic(_, set) => {
                    self.open.extend(set.map(|set| (set, frames)));
                    frames += 1;
                }
            }
        }
        frames
    }

    /// The number of frames around the expression in the scope of `statements`.
    fn statements(&mut self, statements: &[Statement], mut frames: u32) -> u32 {
        for statement in statements {
            match statement {
                Statement::Generator(_, source) => {
                    self.open.push((*source, frames));
                    frames += 1;
                }
                Statement::Predicate(condition) => self.open.push((*condition, frames)),
            }
        }
        frames
    }

    fn collection(&mut self, collection: &Collection, frames: u32) {
        let inner = self.statements(&collection.statements, frames);
        match &collection.items {
            Items::List(items) => self.open.extend(items.iter().map(|&item| (item, inner))),
            Items::From(first) => self.open.push((*first, inner)),
            Items::Range(first, last) => self.open.extend([(*first, inner), (*last, inner)]),
        }
    }
}
