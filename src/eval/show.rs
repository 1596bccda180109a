//! Values as CSPm text.

use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{Code, Lazy, Value};
use process::term::Definitions;
use process::term::Term;

/// The number of characters of a value that messages show at most.
const BRIEF: usize = 120;

impl Evaluator<'_> {
    /// The text of a value that `Evaluator::force_deep` returned. Parts that cannot be shown in
    /// full (functions, the rest of an infinite sequence) are shown by a word.
    pub fn show(&self, value: &Value) -> String {
        base::stack::deep(|| self.show_known(value))
    }

    /// The text of a value, cut short for a message. The value need not be evaluated.
    pub(super) fn show_briefly(&mut self, value: &Value) -> String {
        let text = self.show(value);
        if text.chars().count() <= BRIEF {
            return text;
        }
        text.chars().take(BRIEF).chain("...".chars()).collect()
    }

    pub(super) fn show_known(&self, value: &Value) -> String {
        match value {
            Value::Int(n) => n.to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Char(c) => format!("'{}'", escaped(*c, '\'')),
            Value::Tuple(parts) => format!("({})", self.show_lazy(parts)),
            Value::Sequence(sequence) => self.show_sequence(sequence.clone()),
            Value::Set(set) => self.show_set(set),
            Value::Map(map) if map.is_empty() => "(| |)".to_string(),
            Value::Map(map) => {
                let entries = map
                    .iter()
                    .map(|(k, v)| format!("{} => {}", self.show(k), self.show(v)));
                format!("(| {} |)", entries.collect::<Vec<_>>().join(", "))
            }
            Value::Head(head) => self.heads.name(*head).to_string(),
            Value::Dot(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.show(part)).collect();
                parts.join(".")
            }
            Value::Process(term) => match self.terms.get(*term) {
                Term::Call(call) => self.call_name(*call),
                Term::Stop => "STOP".to_string(),
                Term::Skip => "SKIP".to_string(),
                _ => "<process>".to_string(),
            },
            Value::Function(closure) => match closure.code {
                Code::Function(id) => self.function_name(id).to_string(),
                Code::Lambda(_) => "<function>".to_string(),
            },
            Value::Builtin(builtin, _) => builtin.name().to_string(),
            Value::Instance(..) | Value::Module(..) => "<module>".to_string(),
            Value::Code(code) => self.show_code(*code),
        }
    }

    fn show_lazy(&self, parts: &[Lazy]) -> String {
        let parts = parts.iter().map(|part| match part.ready() {
            Some(value) => self.show(&value),
            None => "...".to_string(),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn show_sequence(&self, sequence: super::sequence::Sequence) -> String {
        let (items, whole) = sequence.ready_items();
        let values: Option<Vec<Value>> = items.iter().map(Lazy::ready).collect();
        // An empty sequence is shown as `<>`: nothing says that its items would be characters.
        if let Some(values) = values.filter(|values| whole && !values.is_empty()) {
            let text: Option<String> = values
                .iter()
                .map(|v| {
                    if let Value::Char(c) = v {
                        Some(*c)
                    } else {
                        None
                    }
                })
                .collect();
            if let Some(text) = text {
                let text: String = text.chars().map(|c| escaped(c, '"')).collect();
                return format!("\"{text}\"");
            }
        }
        let more = if whole {
            ""
        } else if items.is_empty() {
            "..."
        } else {
            ", ..."
        };
        format!("<{}{more}>", self.show_lazy(&items))
    }

    pub(super) fn show_set(&self, set: &Set) -> String {
        let join = |parts: &[Set], with: &str| {
            parts
                .iter()
                .map(|part| self.show_set(part))
                .collect::<Vec<_>>()
                .join(with)
        };
        match set {
            Set::Finite(members) => {
                let shown: Vec<String> = members.iter().map(|member| self.show(member)).collect();
                braced(&shown.join(", "))
            }
            Set::Integers => "Int".to_string(),
            Set::IntegersFrom(from) => braced(&format!("{from}..")),
            Set::Characters => "Char".to_string(),
            Set::Processes => "Proc".to_string(),
            Set::Datatype(datatype) => self.datatypes.0[*datatype].name.clone(),
            Set::Sequences(members) => format!("Seq({})", self.show_set(members)),
            Set::Subsets(members) => format!("Set({})", self.show_set(members)),
            Set::Maps(keys, values) => {
                format!("Map({}, {})", self.show_set(keys), self.show_set(values))
            }
            Set::Tuples(parts) => format!("({})", join(parts, ", ")),
            Set::Dots(parts) => match &parts[0] {
                // All events or values that begin in one way.
                Set::Finite(first) if first.len() == 1 => {
                    let known = parts.iter().map_while(|p| match p {
                        Set::Finite(one) if one.len() == 1 => Some(self.show(&one[0])),
                        _ => None,
                    });
                    format!("{{|{}|}}", known.collect::<Vec<_>>().join("."))
                }
                _ => join(parts, "."),
            },
            Set::Union(parts) => format!("Union({{{}}})", join(parts, ", ")),
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
