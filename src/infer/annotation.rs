//! Reads the types that are written in annotations.

use rustc_hash::FxHashMap;

use super::constraint::{Constraint, Constraints};
use super::scheme::{OpenVariables, Scheme};
use super::types::{Tail, Type, TypeKind, Types};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use syntax::ast::{Ast, Identifier, QualifiedName, Symbol, TypeExpr, TypeId, TypeScheme};

/// The meaning of the type variables of an annotation.
#[derive(Clone, Default, Debug)]
pub(super) struct TypeVariables {
    variables: FxHashMap<Symbol, Type>,
    tails: FxHashMap<Symbol, Tail>,
}

/// The type that an annotation gives to a name.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// The type scheme of each use of the name.
    pub(super) scheme: Scheme,
    /// The type of the definition itself, in which the variables stand for any type.
    pub(super) own: Type,
    /// The variables of `own`. Annotations within the definition may refer to them.
    pub(super) variables: TypeVariables,
}

/// Reads type expressions of `ast`.
pub(super) struct Annotations<'a, 't> {
    ast: &'a Ast,
    types: &'t mut Types,
    /// The datatype of each name in a type.
    datatypes: &'t FxHashMap<TypeId, Type>,
    /// The type variables of the annotations around, the innermost ones last.
    around: &'t [TypeVariables],
    own: TypeVariables,
    constraints: FxHashMap<Symbol, Constraints>,
    is_rigid: bool,
}

impl<'a, 't> Annotations<'a, 't> {
    /// A reader that knows no type variables but those `around`.
    pub(super) fn new(
        ast: &'a Ast,
        types: &'t mut Types,
        datatypes: &'t FxHashMap<TypeId, Type>,
        around: &'t [TypeVariables],
    ) -> Self {
        Self {
            ast,
            types,
            datatypes,
            around,
            own: TypeVariables::default(),
            constraints: FxHashMap::default(),
            is_rigid: false,
        }
    }

    /// The types that the annotation `scheme` gives to a name.
    pub(super) fn signature(&mut self, scheme: &TypeScheme) -> Result<Signature> {
        // The annotation is read twice: for those who use the name, with variables that each use
        // replaces; for its definition, with variables that stand for any type and must stay.
        let each = self.flexible(scheme)?;
        self.own = TypeVariables::default();
        self.constraints.clear();
        self.is_rigid = true;
        let own = self.read(scheme)?;
        Ok(Signature {
            scheme: each,
            own,
            variables: std::mem::take(&mut self.own),
        })
    }

    /// The type scheme of each use of a name with this annotation.
    pub(super) fn flexible(&mut self, scheme: &TypeScheme) -> Result<Scheme> {
        let ty = self.read(scheme)?;
        let mut open = OpenVariables::default();
        self.types.open(ty, &mut open);
        // The variables of annotations around are fixed in this one.
        let own: Vec<Type> = self.own.variables.values().copied().collect();
        let mut flexible = OpenVariables::default();
        for variable in own {
            self.types.open(variable, &mut flexible);
        }
        open.variables
            .retain(|variable| flexible.variables.contains(variable));
        let tails: Vec<Tail> = self.own.tails.values().copied().collect();
        open.tails.retain(|tail| tails.contains(tail));
        Ok(Scheme {
            variables: open.variables,
            tails: open.tails,
            ty,
        })
    }

    fn read(&mut self, scheme: &TypeScheme) -> Result<Type> {
        for (constraint, variable) in &scheme.constraints {
            let constraint = self.constraint(*constraint)?;
            let known = self.constraints.entry(variable.symbol).or_default();
            *known = known.and(Constraints::of(constraint));
        }
        // After the constraints: a variable gets its own where the type mentions it first.
        let ty = self.ty(scheme.body)?;
        let constrained = scheme.constraints.iter().map(|(_, variable)| variable);
        let occurs = |name: Symbol| {
            let is_known = |known: &TypeVariables| {
                let is_tail = known.tails.contains_key(&name);
                (is_tail || known.variables.contains_key(&name)).then_some(())
            };
            self.known(is_known).is_some()
        };
        let mut unused = constrained.filter(|variable| !occurs(variable.symbol));
        match unused.next() {
            Some(variable) => {
                let name = self.ast.name(variable.symbol);
                let message = format!("the type variable `{name}` does not occur in the type");
                Diagnostic::error("unused-type-variable", message)
                    .at(variable.span, "")
                    .into()
            }
            None => Ok(ty),
        }
    }

    /// The result of `find` for the type variables around or those of this annotation.
    fn known<T>(&self, find: impl Fn(&TypeVariables) -> Option<T>) -> Option<T> {
        // A variable that an annotation around has named means the same here.
        let mut known = self.around.iter().rev().chain([&self.own]);
        known.find_map(find)
    }

    fn constraint(&self, name: Identifier) -> Result<Constraint> {
        let text = self.ast.name(name.symbol);
        let found = Constraint::named(text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Constraint::ALL.map(Constraint::name).to_vec();
            let message = format!("there is no constraint `{text}`");
            Box::new(
                Diagnostic::error("unknown-constraint", message)
                    .at(name.span, "")
                    .note(format!("constraints: {}", names.join(", "))),
            )
        })
    }

    fn ty(&mut self, id: TypeId) -> Result<Type> {
        deep(|| {
            Ok(match &self.ast.types[id].kind {
                TypeExpr::Name(path) => return self.named(id, path),
                TypeExpr::Parenthesised(inner) => return self.ty(*inner),
                TypeExpr::Set(part) => {
                    let part = self.ty(*part)?;
                    self.types.set(part)
                }
                TypeExpr::Sequence(part) => {
                    let part = self.ty(*part)?;
                    self.types.sequence(part)
                }
                TypeExpr::Tuple(parts) => {
                    let parts = self.all(parts)?;
                    self.types.tuple(&parts)
                }
                TypeExpr::Map(key, value) => {
                    let (key, value) = (self.ty(*key)?, self.ty(*value)?);
                    self.types.make(TypeKind::Map(key, value))
                }
                TypeExpr::Function(arguments, result) => {
                    let arguments = self.all(arguments)?;
                    let result = self.ty(*result)?;
                    self.types.function(&arguments, result)
                }
                TypeExpr::Dot(left, right) => {
                    let parts = [self.ty(*left)?, self.ty(*right)?];
                    self.types.dot(&parts)
                }
                TypeExpr::Dotable(field, result) => {
                    let (field, result) = (self.ty(*field)?, self.ty(*result)?);
                    self.types.make(TypeKind::Dotable(field, result))
                }
                TypeExpr::Extendable(fields, result) => {
                    let tail = self.tail(*fields)?;
                    let result = self.ty(*result)?;
                    self.types.make(TypeKind::Extendable(tail, result))
                }
            })
        })
    }

    fn all(&mut self, ids: &[TypeId]) -> Result<Vec<Type>> {
        ids.iter().map(|&id| self.ty(id)).collect()
    }

    fn named(&mut self, id: TypeId, path: &QualifiedName) -> Result<Type> {
        // Asked first: a datatype of the script hides a built-in type of the same name.
        if let Some(&datatype) = self.datatypes.get(&id) {
            return Ok(datatype);
        }
        let name = path.last();
        let text = self.ast.name(name.symbol);
        match text {
            "Int" => return Ok(Types::INT),
            "Bool" => return Ok(Types::BOOL),
            "Char" => return Ok(Types::CHAR),
            "Proc" => return Ok(Types::PROCESS),
            "Event" => return Ok(Types::EVENT),
            _ => {}
        }
        if path.segments.len() > 1 || !is_variable_name(text) {
            let message = format!("there is no type `{text}`");
            return Diagnostic::error("unknown-type", message)
                .at(path.span(), "")
                .note("types are Int, Bool, Char, Proc, Event and datatypes; type variables begin with a small letter")
                .into();
        }
        if let Some(known) = self.known(|known| known.variables.get(&name.symbol).copied()) {
            return Ok(known);
        }
        let constraints = self.constraints.get(&name.symbol).copied();
        let constraints = constraints.unwrap_or_default();
        let variable = if self.is_rigid {
            self.types.rigid(name.symbol, constraints)
        } else {
            self.types.variable(constraints)
        };
        self.own.variables.insert(name.symbol, variable);
        Ok(variable)
    }

    /// The variable for the fields on the left of `=>*`.
    fn tail(&mut self, id: TypeId) -> Result<Tail> {
        let node = &self.ast.types[id];
        let is_variable = |path: &QualifiedName| {
            let name = self.ast.name(path.last().symbol);
            path.segments.len() == 1 && is_variable_name(name) && !self.datatypes.contains_key(&id)
        };
        let symbol = match &node.kind {
            TypeExpr::Name(path) if is_variable(path) => path.last().symbol,
            _ => {
                let message = "on the left of `=>*` stands a type variable";
                return Diagnostic::error("type-syntax", message)
                    .at(node.span, "")
                    .note("`a =>* Event` is what lacks any number of fields of an event; the variable stands for them all")
                    .hint("for one field, whose type is known, write `=>`")
                    .into();
            }
        };
        if let Some(known) = self.known(|known| known.tails.get(&symbol).copied()) {
            return Ok(known);
        }
        let tail = if self.is_rigid {
            self.types.rigid_tail(symbol)
        } else {
            self.types.tail()
        };
        self.own.tails.insert(symbol, tail);
        Ok(tail)
    }
}

/// True if `name` can be the name of a type variable: FDR writes them in lower case.
fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_lowercase() || first == '_')
}
