//! The property brackets of assertions, `:[deadlock free [F]]`, each read as one token.

use super::ast::{ModelName, Property};
use super::tokens::Token;
use base::diag::Diagnostic;
use base::source::{FileId, Span};
use base::suggest::nearest;

/// A property that takes nothing after it, with its model.
pub(crate) type PropertyTag = (Property, Option<ModelName>);

/// The token that [`read_property`] found, and where it ends.
pub(crate) struct ReadProperty {
    pub(crate) token: Result<Token, Diagnostic>,
    pub(crate) end: usize,
}

/// Reads from `:[` at `start` to the closing bracket, and to the colon if one stands behind it.
/// With nothing after the colon it still ends the line, unlike other colons.
pub(crate) fn read_property(text: &str, start: usize, file: FileId) -> ReadProperty {
    let body_start = start + 2;
    let body = &text[body_start..];
    let Some(length) = closing_bracket(body) else {
        let end = body_start + body.find('\n').unwrap_or(body.len());
        let diagnostic = Diagnostic::error("unclosed-bracket", "`:[` is not closed on its line")
            .at(Span::new(file, start, start + 2), "opened here")
            .hint("write `:[deadlock free]`, for example");
        return ReadProperty {
            token: Err(diagnostic),
            end,
        };
    };
    let bracket = body_start + length + 1;
    let span = Span::new(file, start, bracket);
    let behind = text[bracket..].trim_start_matches([' ', '\t']);
    // `:[` begins a further option.
    let has_colon = behind.starts_with(':') && !behind.starts_with(":[");
    ReadProperty {
        token: property(&body[..length], span),
        end: match has_colon {
            true => text.len() - behind.len() + 1,
            false => bracket,
        },
    }
}

/// The place in the line of the `]` that closes the outer bracket.
fn closing_bracket(body: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in body.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

fn property(body: &str, span: Span) -> Result<Token, Diagnostic> {
    let (words, argument) = split_argument(body);
    let words: Vec<&str> = words
        // Some scripts write `deadlock-free`.
        .split(|c: char| c.is_whitespace() || c == '-')
        .filter(|w| !w.is_empty())
        .collect();
    let simple = |property| Ok(Token::Property((property, model(argument, span)?)));
    let plain = |token| match argument {
        None => Ok(token),
        Some(_) => Err(unknown_property(body, span)),
    };
    match words[..] {
        ["deadlock", "free"] => simple(Property::DeadlockFree),
        ["livelock" | "divergence", "free"] => simple(Property::DivergenceFree),
        ["deterministic"] => simple(Property::Deterministic),
        ["has", "trace"] => Ok(Token::HasTrace(model(argument, span)?)),
        ["tau", "priority"] | ["tau", "priority", "over"] => plain(Token::TauPriority),
        ["partial", "order", "reduce"] => Ok(Token::PartialOrder),
        ["symmetry", "reduce"] => plain(Token::SymmetryReduce),
        ["for", "all"] => plain(Token::ForAll),
        ["symmetric"] => Ok(Token::Symmetric(model(argument, span)?)),
        _ => Err(unknown_property(body, span)),
    }
}

/// The words, and the text in inner brackets after them.
fn split_argument(body: &str) -> (&str, Option<&str>) {
    match body
        .trim_end()
        .strip_suffix(']')
        .and_then(|rest| rest.split_once('['))
    {
        Some((words, argument)) => (words, Some(argument.trim())),
        None => (body, None),
    }
}

/// The word in `:[partial order reduce [word]]`, from the text of the whole token.
pub(crate) fn reduction_word(token: &str) -> Option<String> {
    let body = token.trim_end_matches([':', ' ', '\t']);
    let body = body.strip_prefix(":[")?;
    let body = body.strip_suffix(']')?;
    split_argument(body).1.map(str::to_string)
}

fn model(argument: Option<&str>, span: Span) -> Result<Option<ModelName>, Diagnostic> {
    let Some(name) = argument else {
        return Ok(None);
    };
    let model = ModelName::named(name);
    model.ok_or_else(|| unknown_model(name, span)).map(Some)
}

/// The message about a model `name` that does not exist.
pub(crate) fn unknown_model(name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no semantic model `{name}`");
    Diagnostic::error("unknown-model", message)
        .at(span, "")
        .note("the models are T, F, FD, V, VD, R and RD")
}

/// The properties and options of assertions.
const PROPERTIES: [&str; 10] = [
    "deadlock free",
    "divergence free",
    "livelock free",
    "deterministic",
    "has trace",
    "symmetric",
    "tau priority",
    "partial order reduce",
    "symmetry reduce",
    "for all",
];

/// The properties that take nothing in brackets.
const WITHOUT_ARGUMENT: [&str; 3] = ["tau priority", "symmetry reduce", "for all"];

fn unknown_property(body: &str, span: Span) -> Diagnostic {
    let message = format!("there is no property `{}`", body.trim());
    let error = Diagnostic::error("unknown-property", message).at(span, "");
    // The model behind a property is not compared with the properties.
    let (written, model) = body.split_at(body.find('[').unwrap_or(body.len()));
    let error = match nearest(written.trim(), PROPERTIES.iter().copied()) {
        Some(meant) if model.is_empty() || !WITHOUT_ARGUMENT.contains(&meant) => {
            let space = if model.is_empty() { "" } else { " " };
            let text = format!(":[{meant}{space}{}]", model.trim_end());
            error.did_you_mean(&format!("`:[{meant}]`"), span, text)
        }
        Some(meant) => error.did_you_mean(&format!("`:[{meant}]`"), span, format!(":[{meant}]")),
        None if body.trim().find("..").is_some_and(|place| place > 0) => {
            let set = format!("{{{}}}", body.trim());
            error.hint(format!("a set of numbers stands in braces: `{set}`"))
        }
        None => error,
    };
    error
        .note("properties: deadlock free, divergence free, livelock free, deterministic, has trace, symmetric")
        .note("options: tau priority, partial order reduce, symmetry reduce, for all")
}
