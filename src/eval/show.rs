//! Values as CSPm text.

use super::call_table::CalledCode;
use super::declared::ScriptDeclarations;
use super::kind::{PermutableKind, TypedValues};
use super::name_table::{NameKey, Names};
use super::script::ResolvedScript;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Code, Lazy, NameId, Value};
use base::stack::deep;
use process::term::{CallId, Term, Terms};
use syntax::ast::Declaration;

/// The number of characters of a value that messages show at most.
const BRIEF: usize = 120;

/// The parts of an evaluator that make text of values.
pub(super) struct ValueText<'e> {
    pub(super) script: &'e ResolvedScript,
    pub(super) declared: &'e ScriptDeclarations,
    pub(super) names: &'e Names,
    pub(super) terms: &'e Terms,
}

impl ValueText<'_> {
    /// The text of a value. Parts that are not evaluated are left out.
    pub(super) fn value(&self, value: &Value) -> String {
        deep(|| self.value_here(value))
    }

    /// The text of a value, cut short for a message. The value need not be evaluated.
    pub(super) fn brief(&self, value: &Value) -> String {
        let text = self.value(value);
        if text.chars().count() <= BRIEF {
            return text;
        }
        text.chars().take(BRIEF).chain("...".chars()).collect()
    }

    fn value_here(&self, value: &Value) -> String {
        match value {
            Value::Int(n) => n.to_string(),
            Value::Atom(atom) => self.value(self.declared.atoms.types.written(atom.id)),
            Value::Bool(b) => b.to_string(),
            Value::Char(c) => format!("'{}'", escaped(*c, '\'')),
            Value::Tuple(parts) => format!("({})", self.lazy(parts)),
            Value::Sequence(sequence) => self.sequence(sequence.clone()),
            Value::Set(set) => self.set(set),
            Value::Map(map) if map.is_empty() => "(| |)".to_string(),
            Value::Map(map) => {
                let entries = map
                    .iter()
                    .map(|(k, v)| format!("{} => {}", self.value(k), self.value(v)));
                format!("(| {} |)", entries.collect::<Vec<_>>().join(", "))
            }
            Value::Head(head) => self.declared.heads[*head].name.to_string(),
            Value::Dot(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.value(part)).collect();
                parts.join(".")
            }
            Value::Process(term) => match self.terms.get(*term) {
                Term::Call(call) => self.call(*call),
                Term::Stop => "STOP".to_string(),
                Term::Skip => "SKIP".to_string(),
                _ => "<process>".to_string(),
            },
            Value::Function(closure) => match closure.code {
                Code::Function(id) => self.script.function_name(id).to_string(),
                Code::Lambda(_) => "<function>".to_string(),
            },
            Value::Builtin(builtin, _) => builtin.name().to_string(),
            Value::Instance(..) | Value::Module(..) => "<module>".to_string(),
            Value::Code(code) => self.code(*code),
        }
    }

    fn lazy(&self, parts: &[Lazy]) -> String {
        let parts = parts.iter().map(|part| match part.ready() {
            Some(value) => self.value(&value),
            None => "...".to_string(),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn sequence(&self, sequence: Sequence) -> String {
        let (items, whole) = sequence.ready_items();
        let values: Option<Vec<Value>> = items.iter().map(Lazy::ready).collect();
        // An empty sequence is shown as `<>`: nothing says that its items would be characters.
        if let Some(values) = values.filter(|values| whole && !values.is_empty()) {
            let character = |value: &Value| match value {
                Value::Char(c) => Some(*c),
                _ => None,
            };
            let text: Option<String> = values.iter().map(character).collect();
            if let Some(text) = text {
                let text: String = text.chars().map(|c| escaped(c, '"')).collect();
                return format!("\"{text}\"");
            }
        }
        let more = match (whole, items.is_empty()) {
            (true, _) => "",
            (false, true) => "...",
            (false, false) => ", ...",
        };
        format!("<{}{more}>", self.lazy(&items))
    }

    pub(super) fn set(&self, set: &Set) -> String {
        let join = |parts: &[Set], with: &str| {
            parts
                .iter()
                .map(|part| self.set(part))
                .collect::<Vec<_>>()
                .join(with)
        };
        match set {
            Set::Finite(members) => {
                let shown: Vec<String> = members.iter().map(|member| self.value(member)).collect();
                braced(&shown.join(", "))
            }
            Set::Integers => "Int".to_string(),
            Set::IntegersFrom(from) => braced(&format!("{from}..")),
            Set::Characters => "Char".to_string(),
            Set::Processes => "Proc".to_string(),
            Set::Datatype(datatype) => self.declared.datatypes[*datatype].name.clone(),
            Set::Sequences(members) => format!("Seq({})", self.set(members)),
            Set::Subsets(members) => format!("Set({})", self.set(members)),
            Set::Maps(keys, values) => {
                format!("Map({}, {})", self.set(keys), self.set(values))
            }
            Set::Tuples(parts) => format!("({})", join(parts, ", ")),
            Set::Dots(parts) => match &parts[0] {
                // All events or values that begin in one way.
                Set::Finite(first) if first.len() == 1 => {
                    let known = parts.iter().map_while(|p| match p {
                        Set::Finite(one) if one.len() == 1 => Some(self.value(&one[0])),
                        _ => None,
                    });
                    format!("{{|{}|}}", known.collect::<Vec<_>>().join("."))
                }
                _ => join(parts, "."),
            },
            Set::Union(parts) => format!("Union({{{}}})", join(parts, ", ")),
        }
    }

    /// The text of code that stands for an argument.
    fn code(&self, code: NameId) -> String {
        match self.names.code.key(code) {
            NameKey::Function(Code::Function(id), _) => self.script.function_name(*id).to_string(),
            NameKey::Function(Code::Lambda(_), _) => "<function>".to_string(),
            NameKey::Expression(expression, _) => {
                self.script.excerpt(self.script.span(*expression))
            }
            NameKey::Parts(_) => "...".to_string(),
        }
    }

    /// The name of a call, with its arguments.
    pub(super) fn call(&self, call: CallId) -> String {
        let key = self.names.calls.key(call);
        let name = self.callee(key.callee);
        let CalledCode::Function(id) = key.callee else {
            return name;
        };
        let mut arguments = &key.values[..];
        let counts: Vec<usize> = self.script.clauses(id)[0]
            .groups
            .iter()
            .map(Vec::len)
            .collect();
        // The values before the arguments are free variables, which are no part of the name.
        arguments = &arguments[arguments.len() - counts.iter().sum::<usize>()..];
        let mut text = name;
        for count in counts {
            let (group, rest) = arguments.split_at(count);
            arguments = rest;
            let shown: Vec<String> = group.iter().map(|value| self.value(value)).collect();
            text.push_str(&format!("({})", shown.join(", ")));
        }
        text
    }

    /// The name of a piece of the script that is called.
    pub(super) fn callee(&self, callee: CalledCode) -> String {
        match callee {
            CalledCode::Constant(id) => match self.script.ast.declaration(id) {
                Declaration::Pattern(pattern, _) => self.script.pattern_text(*pattern),
                _ => unreachable!("constants are declared by patterns"),
            },
            CalledCode::Function(id) => self.script.function_name(id).to_string(),
            CalledCode::Continuation(body) | CalledCode::Argument(body) => {
                self.script.excerpt(self.script.span(body))
            }
            CalledCode::Waiting(term, _) | CalledCode::Loop(term) => {
                self.value_here(&Value::Process(term))
            }
        }
    }

    /// The type `kind` with these values.
    pub(super) fn value_type(
        &self,
        kind: PermutableKind,
        values: impl IntoIterator<Item = Value>,
    ) -> TypedValues {
        let name = match &kind {
            PermutableKind::Datatype(datatype) => self.declared.datatypes[*datatype].name.clone(),
            PermutableKind::Bool => "Bool".to_string(),
            PermutableKind::Index(members) => match (&members[0], &members[members.len() - 1]) {
                (Value::Int(from), Value::Int(to))
                    if from < to && to.abs_diff(*from) == members.len() as u64 - 1 =>
                {
                    braced(&format!("{from}..{to}"))
                }
                _ => self.set(&Set::Finite(members.clone())),
            },
        };
        TypedValues {
            name,
            values: values.into_iter().collect(),
            kind,
        }
    }
}

/// A character as it stands in a literal that ends with `quote`.
fn escaped(c: char, quote: char) -> String {
    match c {
        '\n' => "\\n".to_string(),
        '\t' => "\\t".to_string(),
        '\r' => "\\r".to_string(),
        '\\' => "\\\\".to_string(),
        c if c == quote => format!("\\{c}"),
        c => c.to_string(),
    }
}

/// `text` in braces; `{-` would begin a comment.
pub(super) fn braced(text: &str) -> String {
    let space = if text.starts_with('-') { " " } else { "" };
    format!("{{{space}{text}}}")
}
