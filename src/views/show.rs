//! Values as text for messages.

use super::interpreter::Interpreter;
use super::value::{Id, Value};
use crate::syntax::ast::Declaration;

impl Interpreter<'_> {
    /// `value` as CSPm; identities in sight are `i`, `j` and so on, others `_`.
    pub(super) fn show(&self, value: &Value) -> String {
        let all = |parts: &[Value], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.show(part)).collect();
            parts.join(between)
        };
        match value {
            Value::Int(n) => n.to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Char(c) => format!("'{c}'"),
            Value::Id(Id::Seen(number)) => char::from(b'i' + number).to_string(),
            Value::Id(_) => "_".to_string(),
            Value::Head(id, number) => {
                let name = match self.ast().declaration(*id) {
                    Declaration::Channel(names, _) => names[*number as usize],
                    Declaration::Datatype(_, constructors) => constructors[*number as usize].name,
                    _ => return "?".to_string(),
                };
                self.ast().name(name.symbol).to_string()
            }
            Value::Dot(parts) => all(parts, "."),
            Value::Tuple(parts) => format!("({})", all(parts, ", ")),
            Value::Sequence(parts) => format!("<{}>", all(parts, ", ")),
            Value::Set(_) => "{...}".to_string(),
            Value::Function(..) | Value::Builtin(_) => "<function>".to_string(),
            Value::Process(_) => "<process>".to_string(),
        }
    }
}
