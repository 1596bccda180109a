//! Types as text, in FDR's notation.

use rustc_hash::FxHashMap;

use super::constraint::Constraints;
use super::scheme::{OpenVariables, Scheme};
use super::types::{Tail, Type, TypeKind, Types, Variable};
use base::stack::deep;
use syntax::ast::Ast;

/// Writes types. Each variable has one letter in all of them.
pub struct TypeNames<'a> {
    ast: &'a Ast,
    variables: FxHashMap<Variable, String>,
    tails: FxHashMap<Tail, String>,
    used: usize,
    /// The number of parts of the present type that may still be written.
    room: usize,
}

/// A type with more parts than this is not written in full: its parts may be shared, so there can
/// be exponentially many.
const MOST_PARTS: usize = 10_000;

/// A text longer than this tells a reader of a message nothing more.
const LONG: usize = 300;

/// `text` for a message. A very long text loses its middle.
pub(super) fn elided(text: String) -> String {
    let count = text.chars().count();
    if count <= LONG {
        return text;
    }
    let start: String = text.chars().take(LONG * 2 / 3).collect();
    let end: String = text.chars().skip(count - LONG / 6).collect();
    format!("{start} ... {end}")
}

/// The places of a type in another one, by how tightly they bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    /// Alone.
    Loose,
    /// On the left of `=>`.
    Field,
    /// Between dots.
    Dotted,
}

impl<'a> TypeNames<'a> {
    /// A writer that has given no letters yet.
    pub fn new(ast: &'a Ast) -> Self {
        Self {
            ast,
            variables: FxHashMap::default(),
            tails: FxHashMap::default(),
            used: 0,
            room: 0,
        }
    }

    /// The text of a scheme: `(Eq a, Set b) => (a, {b}) -> Bool`.
    pub fn scheme(&mut self, types: &mut Types, scheme: &Scheme) -> String {
        // The type is written before its constraints, so that its variables get their letters in
        // the order in which they stand in the type.
        let text = self.ty(types, scheme.ty);
        let mut open = OpenVariables::default();
        types.open(scheme.ty, &mut open);
        let constraints = self.constraints(types, &open);
        match &constraints[..] {
            [] => text,
            [only] => format!("{only} => {text}"),
            several => format!("({}) => {text}", several.join(", ")),
        }
    }

    /// The constraints on the variables of a type: `Eq a`...
    fn constraints(&mut self, types: &Types, open: &OpenVariables) -> Vec<String> {
        let variables = open.variables.iter();
        let mut named: Vec<(String, Constraints)> = variables
            .map(|&variable| {
                let (constraints, _) = types.free(variable);
                (self.variable(types, variable), constraints)
            })
            .collect();
        named.sort_by(|(one, _), (other, _)| one.cmp(other));
        let each = named.iter().flat_map(|(name, constraints)| {
            let listed = constraints.listed();
            listed.map(move |constraint| format!("{} {name}", constraint.name()))
        });
        each.collect()
    }

    /// The text of a type without constraints: `(a, {b}) -> Bool`.
    pub fn ty(&mut self, types: &mut Types, ty: Type) -> String {
        self.room = MOST_PARTS;
        self.bound(types, ty, Tightness::Loose)
    }

    fn bound(&mut self, types: &mut Types, ty: Type, around: Tightness) -> String {
        let Some(room) = self.room.checked_sub(1) else {
            return "...".to_string();
        };
        self.room = room;
        deep(|| match types.kind(ty) {
            TypeKind::Variable(variable) => self.variable(types, variable),
            TypeKind::Unknown => "?".to_string(),
            TypeKind::Int => "Int".to_string(),
            TypeKind::Bool => "Bool".to_string(),
            TypeKind::Char => "Char".to_string(),
            TypeKind::Process => "Proc".to_string(),
            TypeKind::Event => "Event".to_string(),
            TypeKind::Datatype(datatype) => types.datatypes[datatype].name.clone(),
            TypeKind::Set(part) => format!("{{{}}}", self.bound(types, part, Tightness::Loose)),
            TypeKind::Sequence(part) => format!("<{}>", self.bound(types, part, Tightness::Loose)),
            TypeKind::Map(key, value) => {
                let key = self.bound(types, key, Tightness::Loose);
                format!(
                    "(| {key} => {} |)",
                    self.bound(types, value, Tightness::Loose)
                )
            }
            TypeKind::Tuple(parts) => format!("({})", self.list(types, &parts)),
            TypeKind::Function(arguments, result) => {
                let text = format!("({}) -> ", self.list(types, &arguments));
                let text = text + &self.bound(types, result, Tightness::Loose);
                bracketed(text, around > Tightness::Loose)
            }
            TypeKind::Dot(parts) => {
                let parts = parts.iter();
                let parts: Vec<String> = parts
                    .map(|&part| self.bound(types, part, Tightness::Dotted))
                    .collect();
                bracketed(parts.join("."), around == Tightness::Dotted)
            }
            TypeKind::Dotable(field, result) => {
                let field = self.bound(types, field, Tightness::Field);
                let text = format!("{field} => {}", self.bound(types, result, Tightness::Loose));
                bracketed(text, around > Tightness::Loose)
            }
            // The result does not matter if only some fields are shown.
            TypeKind::Extendable(tail, result) if types.head(result) == Types::UNKNOWN => {
                self.tail(types, tail)
            }
            TypeKind::Extendable(tail, result) => {
                let tail = self.tail(types, tail);
                let text = format!("{tail} =>* {}", self.bound(types, result, Tightness::Loose));
                bracketed(text, around > Tightness::Loose)
            }
        })
    }

    fn list(&mut self, types: &mut Types, parts: &[Type]) -> String {
        let parts: Vec<String> = parts
            .iter()
            .map(|&part| self.bound(types, part, Tightness::Loose))
            .collect();
        parts.join(", ")
    }

    fn variable(&mut self, types: &Types, variable: Variable) -> String {
        if let (_, Some(name)) = types.free(variable) {
            return self.ast.name(name).to_string();
        }
        if let Some(name) = self.variables.get(&variable) {
            return name.clone();
        }
        let name = self.letter();
        self.variables.insert(variable, name.clone());
        name
    }

    fn tail(&mut self, types: &Types, tail: Tail) -> String {
        if let Some(name) = types.tail_name(tail) {
            return self.ast.name(name).to_string();
        }
        if let Some(name) = self.tails.get(&tail) {
            return name.clone();
        }
        let name = self.letter();
        self.tails.insert(tail, name.clone());
        name
    }

    /// The next letter: a, b, ..., z, a1, b1, ...
    fn letter(&mut self) -> String {
        let letter = char::from(b'a' + (self.used % 26) as u8);
        let round = self.used / 26;
        self.used += 1;
        match round {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }
}

fn bracketed(text: String, needs_brackets: bool) -> String {
    if needs_brackets {
        format!("({text})")
    } else {
        text
    }
}
