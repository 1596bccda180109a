//! Values and local states as CSPm: identities in sight are `i`, `j` and so on, others `*`.

use rustc_hash::FxHashMap;

use super::value::{Id, IdSet, Local, LocalCode, OutOfSight, PartialValue, SetValue};
use super::variables::{outside_variables, variables_of_definition};
use base::stack::deep;
use eval::ResolvedScript;
use syntax::ast::{Declaration, DeclarationId, Expr, ExprId, Pattern, PatternId, Statement};
use syntax::print::{expression_text, expression_text_with};
use types::builtin::Builtin;
use types::resolved::{PatternName, Place};

/// The number of characters at which texts are cut.
const LONGEST: usize = 1_000;

/// The name of an identity in sight.
pub(super) fn identity(number: u8) -> String {
    char::from(b'i' + number).to_string()
}

/// Writes the values of a script.
#[derive(Clone, Copy)]
pub(super) struct ShownValues<'s>(pub(super) &'s ResolvedScript);

impl<'s> ShownValues<'s> {
    /// `value` as CSPm.
    pub(super) fn value(self, value: &PartialValue) -> String {
        deep(|| self.value_here(value))
    }

    fn value_here(self, value: &PartialValue) -> String {
        match value {
            PartialValue::Int(n) => n.to_string(),
            PartialValue::Bool(b) => b.to_string(),
            PartialValue::Char(c) => format!("'{c}'"),
            PartialValue::Id(Id::Seen(number)) => identity(*number),
            PartialValue::Id(_) => "*".to_string(),
            PartialValue::Head(id, number) => {
                let ast = &self.0.ast;
                let name = match ast.declaration(*id) {
                    Declaration::Channel(names, _) => names[*number as usize],
                    Declaration::Datatype(_, constructors) => constructors[*number as usize].name,
                    _ => return "?".to_string(),
                };
                ast.name(name.symbol).to_string()
            }
            PartialValue::Dot(parts) => self.all(parts, "."),
            PartialValue::Tuple(parts) => format!("({})", self.all(parts, ", ")),
            PartialValue::Sequence(parts) => format!("<{}>", self.all(parts, ", ")),
            PartialValue::Set(set) => self.set(set),
            PartialValue::Function(id, groups) => {
                let groups = groups.iter().map(|group| self.arguments(group));
                self.name(*id) + &groups.collect::<String>()
            }
            PartialValue::Builtin(builtin) => builtin.name().to_string(),
            PartialValue::Process(local) => self.local(local),
        }
    }

    fn all(self, parts: &[PartialValue], between: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.value(part)).collect();
        parts.join(between)
    }

    /// The text `(a, b)`; empty if there are no arguments.
    fn arguments(self, arguments: &[PartialValue]) -> String {
        match arguments {
            [] => String::new(),
            arguments => format!("({})", self.all(arguments, ", ")),
        }
    }

    /// The text of a set: `{i, ..}` if its members out of sight are not known, and `{i, all *}` if
    /// all identities out of sight are members.
    fn set(self, set: &SetValue) -> String {
        let pair = |name, a, b| format!("{name}({}, {})", self.set(a), self.set(b));
        deep(|| match set {
            SetValue::Listed(ids, items) => self.listed(*ids, items),
            SetValue::Productions(items) => format!("{{| {} |}}", self.all(items, ", ")),
            SetValue::Events => "Events".to_string(),
            SetValue::Union(a, b) => pair("union", a, b),
            SetValue::Inter(a, b) => pair("inter", a, b),
            SetValue::Diff(a, b) => pair("diff", a, b),
        })
    }

    fn listed(self, ids: IdSet, items: &[PartialValue]) -> String {
        let seen = ids.seen().map(|id| self.value(&PartialValue::Id(id)));
        let mut members: Vec<String> = seen.collect();
        members.extend(items.iter().map(|item| self.value(item)));
        match ids.rest {
            OutOfSight::None => {}
            OutOfSight::Some => members.push("..".to_string()),
            OutOfSight::All => members.push("all *".to_string()),
        }
        format!("{{{}}}", members.join(", "))
    }

    /// The text of a local state: a call with its arguments, or the rest of a definition with the
    /// values of its variables. A long text is cut.
    pub(super) fn local(self, local: &Local) -> String {
        let text = self.whole(local);
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => text[..end].to_string() + "...",
            None => text,
        }
    }

    /// The text of a local state, however long it is.
    pub(super) fn whole(self, local: &Local) -> String {
        match local.code {
            LocalCode::Definition(id) => self.name(id) + &self.call(id, &local.values),
            LocalCode::Continuation(body) => self.piece(body, &local.values),
            LocalCode::Builtin(builtin) => self.builtin(builtin, &local.values),
            LocalCode::Neighbours => match &local.values[..] {
                [next, previous] => {
                    let (next, previous) = (self.value(next), self.value(previous));
                    format!("{previous} before, {next} after")
                }
                _ => String::new(),
            },
            LocalCode::Member(parallel) => self.member(parallel, &local.values),
        }
    }

    /// The text of a member of a parallel composition: `u = i, r = R.1`.
    fn member(self, parallel: ExprId, values: &[PartialValue]) -> String {
        let names = self.variables_of(parallel).into_iter();
        let parts = names
            .zip(values)
            .map(|(name, value)| format!("{name} = {}", self.value(value)));
        let parts: Vec<String> = parts.collect();
        parts.join(", ")
    }

    /// The names of the variables that the generators of a replicated process bind, in the order of
    /// the values of a member.
    pub(super) fn variables_of(self, replicated: ExprId) -> Vec<String> {
        let Expr::Replicated(_, statements, _) = self.0.ast.expr(replicated) else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for statement in statements {
            if let Statement::Generator(pattern, _) = statement {
                let mut bound = Vec::new();
                self.bound_by(*pattern, &mut bound);
                bound.sort();
                names.extend(bound.into_iter().map(|(_, name)| name));
            }
        }
        names
    }

    /// The variables of a pattern, with their slots.
    fn bound_by(self, pattern: PatternId, bound: &mut Vec<(u32, String)>) {
        let ast = &self.0.ast;
        if let (Pattern::Name(path), Some(PatternName::Variable(slot))) =
            (ast.pattern(pattern), &self.0.resolved.patterns[pattern])
        {
            bound.push((*slot, ast.name(path.last().symbol).to_string()));
        }
        match ast.pattern(pattern) {
            Pattern::Tuple(parts)
            | Pattern::Sequence(parts)
            | Pattern::Concat(parts)
            | Pattern::Dot(parts) => parts.iter().for_each(|part| self.bound_by(*part, bound)),
            Pattern::Singleton(inner) | Pattern::Parenthesised(inner) => {
                self.bound_by(*inner, bound);
            }
            Pattern::Both(a, b) => {
                self.bound_by(*a, bound);
                self.bound_by(*b, bound);
            }
            _ => {}
        }
    }

    fn builtin(self, builtin: Builtin, values: &[PartialValue]) -> String {
        builtin.name().to_string() + &self.arguments(values)
    }

    /// The arguments of a call of the definition `id`, group by group.
    fn call(self, id: DeclarationId, values: &[PartialValue]) -> String {
        let free = self.places(LocalCode::Definition(id)).len();
        let mut arguments = values.get(free..).unwrap_or_default();
        let Declaration::Function(_, clauses) = self.0.ast.declaration(id) else {
            return String::new();
        };
        let mut text = String::new();
        for group in clauses.iter().take(1).flat_map(|clause| &clause.groups) {
            let (given, rest) = arguments.split_at(group.len().min(arguments.len()));
            text += &self.arguments(given);
            arguments = rest;
        }
        text
    }

    /// The text of `body`, in one line, with the values of its variables.
    fn piece(self, body: ExprId, values: &[PartialValue]) -> String {
        let ast = &self.0.ast;
        let places = self.places(LocalCode::Continuation(body));
        let mut texts = FxHashMap::default();
        for variable in outside_variables(self.0, body) {
            let known = places.iter().position(|place| *place == variable.place);
            if let Some(value) = known.and_then(|known| values.get(known)) {
                texts.insert(variable.name, self.value(value));
            }
        }
        let text = expression_text_with(ast, ast.unbracketed(body), texts);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }

    /// The values of variables outside of its definition that a local state has, with their names,
    /// if the text names them.
    pub(super) fn captured(self, local: &Local) -> Vec<String> {
        let variables = match local.code {
            LocalCode::Definition(id) => variables_of_definition(self.0, id),
            LocalCode::Continuation(body) => outside_variables(self.0, body),
            LocalCode::Builtin(_) | LocalCode::Neighbours | LocalCode::Member(_) => {
                return Vec::new();
            }
        };
        let places = self.places(local.code).iter();
        let values = places.zip(local.values.iter()).map(|(place, value)| {
            let value = self.value(value);
            match variables.iter().find(|variable| variable.place == *place) {
                Some(variable) => {
                    let name = expression_text(&self.0.ast, variable.name);
                    format!("{name} = {value}")
                }
                None => value,
            }
        });
        values.collect()
    }

    /// The places of the variables on which `code` depends, without its arguments.
    fn places(self, code: LocalCode) -> &'s [Place] {
        let resolved = &self.0.resolved;
        let places = match code {
            LocalCode::Definition(id) => resolved.free_of_definition.get(&id),
            LocalCode::Continuation(body) => {
                let free = resolved.free.get(&body);
                free.or_else(|| resolved.free_of_argument.get(&body))
            }
            LocalCode::Builtin(_) | LocalCode::Neighbours | LocalCode::Member(_) => None,
        };
        places.map_or(&[], Vec::as_slice)
    }

    fn name(self, id: DeclarationId) -> String {
        let ast = &self.0.ast;
        let symbol = match ast.declaration(id) {
            Declaration::Function(name, _) => name.symbol,
            Declaration::Pattern(pattern, _) => match ast.pattern(*pattern) {
                Pattern::Name(path) => path.last().symbol,
                _ => return "?".to_string(),
            },
            _ => return "?".to_string(),
        };
        ast.name(symbol).to_string()
    }
}
