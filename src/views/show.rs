//! Values as text for messages.

use super::value::{Id, PartialValue};
use crate::syntax::ast::{Ast, Declaration};

/// `value` as CSPm; identities in sight are `i`, `j` and so on, others `_`.
pub(super) fn show(ast: &Ast, value: &PartialValue) -> String {
    let all = |parts: &[PartialValue], between: &str| {
        let parts: Vec<String> = parts.iter().map(|part| show(ast, part)).collect();
        parts.join(between)
    };
    match value {
        PartialValue::Int(n) => n.to_string(),
        PartialValue::Bool(b) => b.to_string(),
        PartialValue::Char(c) => format!("'{c}'"),
        PartialValue::Id(Id::Seen(number)) => char::from(b'i' + number).to_string(),
        PartialValue::Id(_) => "_".to_string(),
        PartialValue::Head(id, number) => {
            let name = match ast.declaration(*id) {
                Declaration::Channel(names, _) => names[*number as usize],
                Declaration::Datatype(_, constructors) => constructors[*number as usize].name,
                _ => return "?".to_string(),
            };
            ast.name(name.symbol).to_string()
        }
        PartialValue::Dot(parts) => all(parts, "."),
        PartialValue::Tuple(parts) => format!("({})", all(parts, ", ")),
        PartialValue::Sequence(parts) => format!("<{}>", all(parts, ", ")),
        PartialValue::Set(_) => "{...}".to_string(),
        PartialValue::Function(..) | PartialValue::Builtin(_) => "<function>".to_string(),
        PartialValue::Process(_) => "<process>".to_string(),
    }
}
