//! The instances of a script for each value of a constant of its top level.

use crate::diag::{Diagnostic, Result};
use crate::syntax::ast::{Declaration, DeclarationId, Expr, ExprId, Pattern};
use crate::types::resolved::Reference;
use crate::views::{IndexSet, IndexSetMembers};

use super::additions;
use super::options::{Definition, Options};
use super::script::Script;
use super::task::Task;

/// A script with a constant that may have other values: a number of identities, or the set of them.
pub(super) struct ScriptFamily<'s> {
    script: &'s Script,
    name: String,
    /// The constant.
    pub(super) parameter: DeclarationId,
    /// The set of identities, unless it is a range whose end is the constant.
    pub(super) index_set: Option<IndexSet>,
    /// How many identities the script has names for; `None` if it has no end of names.
    pub(super) largest: Option<usize>,
}

impl<'s> ScriptFamily<'s> {
    /// The instances of `script` for the values of the constant `name`.
    pub(super) fn new(
        script: &'s Script,
        name: &str,
        options: &Options,
        task: &Task,
    ) -> Result<Self> {
        let parameter = script.script.ast.constant(name).ok_or_else(|| {
            let message = format!("the script has no constant `{name}` at its top level");
            Box::new(Diagnostic::error("unknown-constant", message))
        })?;
        let mut family = Self {
            script,
            name: name.to_string(),
            parameter,
            index_set: None,
            largest: None,
        };
        let value = script.evaluate(name, options, task);
        let members = value.ok().and_then(|value| family.members(&value));
        let set = match members {
            Some(members) => Some(IndexSet {
                constant: parameter,
                members,
            }),
            None => family.made_by_function(options, task),
        };
        if let Some(IndexSet {
            members: IndexSetMembers::Constants(datatype),
            ..
        }) = set
        {
            family.largest = Some(family.constructors(datatype).len());
        }
        family.index_set = set;
        Ok(family)
    }

    /// What is counted, as CSPm: the constant, or how many members it has.
    pub(super) fn counted(&self) -> String {
        match self.is_set() {
            true => format!("card({})", self.name),
            false => self.name.clone(),
        }
    }

    /// The script with the value `size` for what is counted.
    pub(super) fn instance(&self, size: usize) -> Result<Script> {
        let text = match self.index_set {
            Some(set) if self.is_set() => format!("{{{}}}", self.first_members(set, size)),
            _ => size.to_string(),
        };
        self.redefined(text)
    }

    /// The script in which the constant has this value.
    fn redefined(&self, text: String) -> Result<Script> {
        let mut instance = self.script.scope();
        let definition = Definition {
            name: self.name.clone(),
            text,
        };
        additions::redefine(&mut instance.script, &definition)?;
        Ok(instance)
    }

    /// Whether the constant is the set of identities itself.
    fn is_set(&self) -> bool {
        self.index_set
            .is_some_and(|set| set.constant == self.parameter)
    }

    fn first_members(&self, set: IndexSet, size: usize) -> String {
        let members: Vec<String> = match set.members {
            IndexSetMembers::Numbers(first) => {
                let numbers = (first..).take(size);
                numbers.map(|number| number.to_string()).collect()
            }
            IndexSetMembers::Constants(datatype) => {
                let names = self.constructors(datatype).into_iter().take(size);
                names.map(str::to_string).collect()
            }
        };
        members.join(", ")
    }

    /// What the members of this set are, if they may be identities: numbers one after the other, or
    /// the first constants of a datatype.
    fn members(&self, set: &str) -> Option<IndexSetMembers> {
        let members = listed(set)?;
        let numbers: Option<Vec<i64>> = members.iter().map(|text| text.parse().ok()).collect();
        if let Some(mut numbers) = numbers {
            numbers.sort_unstable();
            let first = *numbers.first()?;
            let is_range = numbers.iter().copied().eq((first..).take(numbers.len()));
            return is_range.then_some(IndexSetMembers::Numbers(first));
        }
        let datatype = self.datatype_of(members.first()?)?;
        let mut first = self.constructors(datatype);
        first.truncate(members.len());
        is_set_of(&members, &first).then_some(IndexSetMembers::Constants(datatype))
    }

    /// A constant that is made by a function, and is the set of the first constants of a datatype,
    /// as many as the parameter says.
    fn made_by_function(&self, options: &Options, task: &Task) -> Option<IndexSet> {
        let ast = &self.script.script.ast;
        for constant in ast.top_level() {
            let Declaration::Pattern(pattern, body) = ast.declaration(constant) else {
                continue;
            };
            let Pattern::Name(path) = ast.pattern(*pattern) else {
                continue;
            };
            // A range is recognised by its text; here a function makes the set.
            let is_made = matches!(ast.expr(ast.unbracketed(*body)), Expr::Apply(..));
            if !is_made || !self.mentions(*body) {
                continue;
            }
            let name = ast.name(path.last().symbol);
            if let Some(datatype) = self.prefixes(name, options, task) {
                return Some(IndexSet {
                    constant,
                    members: IndexSetMembers::Constants(datatype),
                });
            }
        }
        None
    }

    /// The datatype of whose constants `name` is the first ones, as many as the parameter says, for
    /// all values of it up to the number of all of them.
    fn prefixes(&self, name: &str, options: &Options, task: &Task) -> Option<DeclarationId> {
        let members = |size: usize| {
            let instance = self.redefined(size.to_string()).ok()?;
            listed(&instance.evaluate(name, options, task).ok()?)
        };
        let first = members(1)?;
        let datatype = match &first[..] {
            [first] => self.datatype_of(first)?,
            _ => return None,
        };
        let names = self.constructors(datatype);
        let is_prefix = |size| members(size).is_some_and(|found| is_set_of(&found, &names[..size]));
        (1..=names.len()).all(is_prefix).then_some(datatype)
    }

    /// The datatype of constants of which `name` is the first one.
    fn datatype_of(&self, name: &str) -> Option<DeclarationId> {
        let ast = &self.script.script.ast;
        ast.top_level()
            .into_iter()
            .find(|&id| match ast.declaration(id) {
                Declaration::Datatype(_, constructors) => {
                    let is_plain = constructors.iter().all(|c| c.fields.is_none());
                    is_plain && self.constructors(id).first() == Some(&name)
                }
                _ => false,
            })
    }

    /// The names of the constructors of a datatype.
    fn constructors(&self, datatype: DeclarationId) -> Vec<&'s str> {
        let ast = &self.script.script.ast;
        match ast.declaration(datatype) {
            Declaration::Datatype(_, constructors) => {
                let names = constructors.iter().map(|c| ast.name(c.name.symbol));
                names.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the text of `expression` names the parameter.
    fn mentions(&self, expression: ExprId) -> bool {
        let ast = &self.script.script.ast;
        let span = ast.expressions[expression].span;
        ast.expressions.indices().any(|id| {
            let node = &ast.expressions[id];
            let is_inside = node.span.file == span.file
                && span.start <= node.span.start
                && node.span.end <= span.end;
            is_inside
                && matches!(
                    &self.script.script.resolved.names[id],
                    Some(Reference::Local { definition, .. })
                        if *definition == Some(self.parameter)
                )
        })
    }
}

/// The members of a set, as it is shown.
fn listed(set: &str) -> Option<Vec<String>> {
    let members = set.strip_prefix('{')?.strip_suffix('}')?;
    Some(members.split(", ").map(str::to_string).collect())
}

/// Whether `members` are these names, in any order.
fn is_set_of(members: &[String], names: &[&str]) -> bool {
    members.len() == names.len() && members.iter().all(|one| names.contains(&one.as_str()))
}
