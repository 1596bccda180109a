//! The instances of a script for each value of a constant of its top level.

use crate::additions;
use crate::options::{Definition, Options};
use crate::script::Script;
use crate::task::Task;
use base::diag::{Diagnostic, Result};
use base::source::Span;
use base::suggest::nearest;
use eval::PlainValue;
use syntax::ast::{Declaration, DeclarationId, Expr, ExprId};
use types::resolved::Reference;
use views::{IndexSet, IndexSetMembers};

use super::wish::Wish;

/// A script with a constant that may have other values: a number of identities, or the set of them.
pub(crate) struct ScriptFamily<'s> {
    script: &'s Script,
    options: &'s Options,
    task: &'s Task,
    name: String,
    /// The constant.
    pub(super) parameter: DeclarationId,
    /// The place where the script asks for all values of the constant, if it does.
    asked: Option<Span>,
    /// The set of identities, unless it is a range whose end is the constant.
    pub(super) index_set: Option<IndexSet>,
    /// The number of identities that have names, if the set of them ends: views say nothing of
    /// more.
    pub(super) largest: Option<usize>,
}

/// A set of numbers that may have more members than this counts as one without end.
const MANY: u64 = 1 << 32;

impl<'s> ScriptFamily<'s> {
    /// The instances of `script` for all values of which `wish` asks. Fails if the constant is
    /// neither a number nor a set of the first identities.
    pub(super) fn new(
        script: &'s Script,
        wish: &Wish,
        options: &'s Options,
        task: &'s Task,
    ) -> Result<Self> {
        let name = &wish.for_all.constant;
        let parameter = script.script.ast.constant(name);
        let parameter = parameter.ok_or_else(|| unknown_constant(script, wish))?;
        let mut family = Self {
            script,
            options,
            task,
            name: name.clone(),
            parameter,
            asked: wish.place,
            index_set: None,
            largest: None,
        };
        family.index_set = match family.value()? {
            PlainValue::Int(_) => family.made_by_function(),
            PlainValue::Set(members) => Some(IndexSet {
                constant: parameter,
                members: family.members(&members)?,
            }),
            _ => return Err(family.no_constant()),
        };
        family.largest = family
            .index_set
            .and_then(|set| family.most_members(set.members));
        let is_too_few = |largest| largest < wish.for_all.least;
        match family.largest.filter(|&largest| is_too_few(largest)) {
            Some(largest) if family.is_set() => Err(family.too_few(wish, largest)),
            // A number may be greater than a function has names for.
            Some(_) => Ok(Self {
                index_set: None,
                largest: None,
                ..family
            }),
            None => Ok(family),
        }
    }

    /// The value of the constant. A process is evaluated no further.
    fn value(&self) -> Result<PlainValue> {
        let resolved = &self.script.script.resolved;
        match resolved.processes.contains(&self.parameter) {
            true => Ok(PlainValue::Process(None)),
            false => self.plain_value(self.script, self.parameter),
        }
    }

    /// The value of a constant of the top level of `instance`.
    fn plain_value(&self, instance: &Script, constant: DeclarationId) -> Result<PlainValue> {
        let Some(body) = instance.body(constant) else {
            return Ok(PlainValue::Opaque);
        };
        let value = instance
            .evaluator(self.options, self.task)
            .plain_value(body);
        value.map_err(|problem| Box::new(self.task.explained(*problem)))
    }

    /// The message that the constant is neither a number nor a set.
    fn no_constant(&self) -> Box<Diagnostic> {
        let message = format!("`{}` is neither a number nor a set", self.name);
        let problem = self.placed(Diagnostic::error("not-a-constant", message));
        Box::new(problem.hint(
            "write a name that the top level defines as a number, as in `N = 3`, or as a set",
        ))
    }

    /// The message that the members of the constant cannot be all identities.
    fn no_identities(&self, why: &str) -> Box<Diagnostic> {
        let message = format!("`{}` {why}", self.name);
        let problem = self.placed(Diagnostic::error("not-identities", message));
        Box::new(problem.hint(
            "what is asked for all sizes is a number, as in `N = 3`, or a set of numbers one after the other, or of the first constants of a datatype",
        ))
    }

    /// `problem` at the definition of the constant, and where the script asks for it.
    fn placed(&self, problem: Diagnostic) -> Diagnostic {
        let problem = problem.at(self.script.span(self.parameter), "");
        match self.asked {
            Some(asked) => problem.at(asked, "asked for here"),
            None => problem,
        }
    }

    /// The message that no value of which `wish` asks has names for its identities.
    fn too_few(&self, wish: &Wish, largest: usize) -> Box<Diagnostic> {
        self.no_identities(&format!(
            "has no instance with {} >= {}: the script has names for {largest} identities",
            self.counted(),
            wish.for_all.least
        ))
    }

    /// The most members that a set of identities has; `None` if there is no end of them.
    fn most_members(&self, members: IndexSetMembers) -> Option<usize> {
        match members {
            IndexSetMembers::Constants(datatype) => Some(self.script.constructors(datatype).len()),
            IndexSetMembers::Numbers(first) => {
                let more = i64::MAX.abs_diff(first);
                let more = (more < MANY).then_some(more)?;
                usize::try_from(more + 1).ok()
            }
        }
    }

    /// The quantity that is counted, as CSPm: the constant, or the number of its members.
    pub(super) fn counted(&self) -> String {
        match self.is_set() {
            true => format!("card({})", self.name),
            false => self.name.clone(),
        }
    }

    /// The constant, defined so that the counted quantity is `size`.
    pub(super) fn definition(&self, size: usize) -> Definition {
        let text = match self.index_set {
            Some(set) if self.is_set() => match set.members {
                IndexSetMembers::Numbers(first) => {
                    let last = i64::try_from(size).map(|size| first.saturating_add(size - 1));
                    // `{-` would begin a comment.
                    let space = if first < 0 { " " } else { "" };
                    format!("{{{space}{first}..{}}}", last.unwrap_or(i64::MAX))
                }
                IndexSetMembers::Constants(datatype) => {
                    let names = self.script.constructors(datatype);
                    if let (0, Some(first)) = (size, names.first()) {
                        // `{}` might be a set of anything.
                        return self.defined_as(format!("diff({{{first}}}, {{{first}}})"));
                    }
                    format!("{{{}}}", names[..size.min(names.len())].join(", "))
                }
            },
            _ => size.to_string(),
        };
        self.defined_as(text)
    }

    fn defined_as(&self, text: String) -> Definition {
        Definition {
            name: self.name.clone(),
            text,
        }
    }

    /// The script, its constant defined so that the counted quantity is `size`.
    pub(super) fn instance(&self, size: usize) -> Result<Script> {
        let mut instance = self.script.scope();
        let redefined = additions::redefine(&mut instance.script, &self.definition(size));
        redefined.map_err(|mut problem| {
            // The new value stands in no text of the script.
            let known = |file| self.script.script.sources.iter().any(|(id, _)| id == file);
            problem.labels.retain(|(span, _)| known(span.file));
            match problem.labels.is_empty() {
                true => Box::new(self.placed(*problem)),
                false => problem,
            }
        })?;
        Ok(instance)
    }

    /// True if the constant is the set of identities itself.
    pub(super) fn is_set(&self) -> bool {
        self.index_set
            .is_some_and(|set| set.constant == self.parameter)
    }

    /// The kind of the constant's members, if they may be identities: numbers one after the other,
    /// or the first constants of a datatype.
    fn members(&self, members: &[PlainValue]) -> Result<IndexSetMembers> {
        let refused = |why: &str| self.no_identities(why);
        match members {
            [] => Err(refused(
                "is empty, so that nothing says what its members are",
            )),
            [PlainValue::Int(_), ..] => {
                let mut numbers: Vec<i64> = members.iter().filter_map(number).collect();
                numbers.sort_unstable();
                let gap = numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]);
                match gap {
                    Some(pair) => {
                        let why = format!("has nothing between {} and {}", pair[0], pair[1]);
                        Err(refused(&why))
                    }
                    None => Ok(IndexSetMembers::Numbers(numbers[0])),
                }
            }
            [PlainValue::Head(name), ..] => {
                let Some(datatype) = self.script.datatype_of(name) else {
                    return Err(refused("has members that no plain datatype declares"));
                };
                let names = self.script.constructors(datatype);
                let is_member = |name: &&str| members.contains(&PlainValue::Head(name.to_string()));
                match names
                    .iter()
                    .take(members.len())
                    .find(|name| !is_member(name))
                {
                    Some(missing) => {
                        let why = format!(
                            "leaves out `{missing}`, which the datatype of its members names before one of them"
                        );
                        Err(refused(&why))
                    }
                    None => Ok(IndexSetMembers::Constants(datatype)),
                }
            }
            _ => Err(refused(
                "has members that are neither numbers nor constants of a datatype",
            )),
        }
    }

    /// The set of identities, if a function makes it from the parameter: a constant that is the set
    /// of the first constants of a datatype, as many as the parameter says.
    fn made_by_function(&self) -> Option<IndexSet> {
        let ast = &self.script.script.ast;
        for constant in ast.top_level() {
            let Some(body) = self.script.body(constant) else {
                continue;
            };
            // A range is recognised by its text; here a function makes the set.
            let is_made = matches!(ast.expr(ast.unbracketed(body)), Expr::Apply(..));
            if !is_made || !self.mentions(body) {
                continue;
            }
            if let Some(datatype) = self.prefixes(constant) {
                return Some(IndexSet {
                    constant,
                    members: IndexSetMembers::Constants(datatype),
                });
            }
        }
        None
    }

    /// The datatype whose first constants make up the set `constant`: as many as the parameter
    /// says, for each value of it up to the number of all of them.
    fn prefixes(&self, constant: DeclarationId) -> Option<DeclarationId> {
        // Numbers of declarations are those of the script: an instance has another body only.
        let members = |size: usize| {
            let instance = self.instance(size).ok()?;
            match self.plain_value(&instance, constant).ok()? {
                PlainValue::Set(members) => Some(members),
                _ => None,
            }
        };
        let datatype = match &members(1)?[..] {
            [PlainValue::Head(first)] => self.script.datatype_of(first)?,
            _ => return None,
        };
        let names = self.script.constructors(datatype);
        let is_prefix = |size: usize| {
            members(size).is_some_and(|found| {
                let first = names[..size].iter();
                let mut first = first.map(|name| PlainValue::Head(name.to_string()));
                found.len() == size && first.all(|name| found.contains(&name))
            })
        };
        (1..=names.len()).all(is_prefix).then_some(datatype)
    }

    /// True if the text of `expression` names the parameter.
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

impl Script {
    /// The datatype without fields that declares the constant `name`.
    fn datatype_of(&self, name: &str) -> Option<DeclarationId> {
        let ast = &self.script.ast;
        let mut top = ast.top_level().into_iter();
        top.find(|&id| match ast.declaration(id) {
            Declaration::Datatype(_, constructors) => {
                let is_plain = constructors.iter().all(|c| c.fields.is_none());
                is_plain && self.constructors(id).contains(&name)
            }
            _ => false,
        })
    }

    /// The names of the constructors of a datatype.
    fn constructors(&self, datatype: DeclarationId) -> Vec<&str> {
        let ast = &self.script.ast;
        match ast.declaration(datatype) {
            Declaration::Datatype(_, constructors) => {
                let names = constructors.iter().map(|c| ast.name(c.name.symbol));
                names.collect()
            }
            _ => Vec::new(),
        }
    }
}

fn number(value: &PlainValue) -> Option<i64> {
    match value {
        PlainValue::Int(number) => Some(*number),
        _ => None,
    }
}

/// The message that nothing at the top level defines the constant alone. It has the place of the
/// wish, if the wish is in the script.
fn unknown_constant(script: &Script, wish: &Wish) -> Box<Diagnostic> {
    let name = &wish.for_all.constant;
    let definition = "what is asked for all sizes is a definition such as `N = 3`";
    let problem = if script.defines(name) {
        let message = format!("`{name}` is defined together with others");
        Diagnostic::error("not-a-constant", message).hint(definition)
    } else {
        let message = format!("the script has no constant `{name}` at its top level");
        let problem = Diagnostic::error("unknown-constant", message);
        match nearest(name, script.constants().map(|(_, name)| name)) {
            Some(meant) => problem.hint(format!("perhaps `{meant}` is meant")),
            None => problem.hint(definition),
        }
    };
    Box::new(match wish.place {
        Some(place) => problem.at(place, ""),
        None => problem,
    })
}
