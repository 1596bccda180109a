//! The parameters of the function whose arguments are being written.

use std::ops::Range;
use std::slice;

use gen_lsp_types::{
    ActiveParameter, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureInformation,
};

use base::source::FileId;
use syntax::ast::{Ast, Declaration, Pattern, PatternId};
use syntax::pattern_text;
use types::builtin::Builtin;
use types::occurrences::{DefinedName, Meaning};

use super::analysis::{Analysis, builtin_type};
use super::documents::Document;
use super::open_call::{OpenCall, open_call};
use super::scripts::Scripts;
use super::unfinished::{Unfinished, is_part_of_name};

/// The signature of the call around the byte `at` of `document`.
pub(crate) fn signature(
    scripts: &Scripts,
    document: &Document,
    at: usize,
) -> Option<SignatureHelp> {
    let text = &document.text;
    let call = open_call(text, at)?;
    let name = &text[call.name.clone()];
    let (script, file) = scripts.of(&document.name)?;
    let mut analysis = &script.analysis;
    let mut known = meaning(analysis, file, &call);
    let finished;
    // A call that is being written can seldom be read, so it is read without its arguments.
    if known.is_none() {
        let rest = text[at..].trim_start_matches(is_part_of_name);
        let without = format!("{}{rest}", &text[..call.inside]);
        let place = Unfinished::at(&without, call.inside);
        finished = place.and_then(|place| place.read(scripts, document));
        if let Some(finished) = &finished
            && let Some(file) = finished.file(&document.name)
            && let Some(meaning) = meaning(finished, file, &call)
        {
            (analysis, known) = (finished, Some(meaning));
        // A member means nothing at the top level.
        } else if !text[..call.name.start].ends_with("::") {
            known = at_top_level(analysis, name);
        }
    }
    let (label, parameters) = match known? {
        Meaning::Defined(defined) => of_defined(analysis, &defined, name, call.group)?,
        Meaning::Builtin(builtin) => of_type(name, &builtin_type(builtin))?,
        Meaning::File(_) => return None,
    };
    // Offsets of the protocol count units of UTF-16.
    let units = |at: usize| label[..at].encode_utf16().count() as u32;
    let information = |range: &Range<usize>| {
        let label = ParameterInformationLabel::Tuple((units(range.start), units(range.end)));
        ParameterInformation::new(label, None)
    };
    let active = (call.argument < parameters.len()).then_some(call.argument as u32);
    let signature = SignatureInformation {
        parameters: Some(parameters.iter().map(information).collect()),
        label,
        ..SignatureInformation::default()
    };
    let active = active.map(ActiveParameter::Int);
    Some(SignatureHelp::new(vec![signature], Some(0), active))
}

/// The meaning of the name of the function at its place, if that could be read.
fn meaning(analysis: &Analysis, file: FileId, call: &OpenCall) -> Option<Meaning> {
    let known = analysis.names.at(file, call.name.start as u32)?;
    (known.span.range() == call.name).then_some(known.meaning)
}

/// The meaning of `name` at the top level.
fn at_top_level(analysis: &Analysis, name: &str) -> Option<Meaning> {
    let builtins = Builtin::ALL
        .iter()
        .map(|&builtin| Meaning::Builtin(builtin));
    let mut all = analysis.names.top_level.iter().copied().chain(builtins);
    all.find(|meaning| match meaning {
        Meaning::Defined(defined) => analysis.ast.name(defined.symbol) == name,
        Meaning::Builtin(builtin) => builtin.name() == name,
        Meaning::File(_) => false,
    })
}

/// `f(x, y) :: type`, and the places in it of the parameters of one group.
fn of_defined(
    analysis: &Analysis,
    defined: &DefinedName,
    name: &str,
    group: usize,
) -> Option<(String, Vec<Range<usize>>)> {
    let ast = &analysis.ast;
    let ty = analysis.type_of(defined);
    match defined.declaration.map(|id| ast.declaration(id)) {
        Some(Declaration::Function(_, clauses)) => {
            let groups = clauses.iter().map(|clause| &clause.groups);
            // The clause with the most names as parameters, or the first of several.
            let groups = groups.rev().max_by_key(|groups| {
                let is_name = |id: &&PatternId| matches!(ast.pattern(**id), Pattern::Name(_));
                groups.iter().flatten().filter(is_name).count()
            })?;
            let (mut label, parameters) = with_groups(ast, name, groups, group);
            if let Some(ty) = ty {
                label += &format!(" :: {ty}");
            }
            Some((label, parameters))
        }
        Some(Declaration::Module { parameters, .. }) => {
            Some(with_groups(ast, name, slice::from_ref(parameters), 0))
        }
        _ => of_type(name, &ty?),
    }
}

fn with_groups(
    ast: &Ast,
    name: &str,
    groups: &[Vec<PatternId>],
    group: usize,
) -> (String, Vec<Range<usize>>) {
    let mut label = name.to_string();
    let mut parameters = Vec::new();
    for (number, patterns) in groups.iter().enumerate() {
        label.push('(');
        for (index, &pattern) in patterns.iter().enumerate() {
            if index > 0 {
                label += ", ";
            }
            let start = label.len();
            label += &pattern_text(ast, pattern);
            if number == group {
                parameters.push(start..label.len());
            }
        }
        label.push(')');
    }
    (label, parameters)
}

/// `f :: type`, and the places in it of the types of the parameters.
fn of_type(name: &str, ty: &str) -> Option<(String, Vec<Range<usize>>)> {
    let label = format!("{name} :: {ty}");
    let arrow = label.find(") -> ")?;
    let mut depth = 0usize;
    let mut parameters = Vec::new();
    let mut end = arrow;
    // The loop goes from the closing bracket back to its opening bracket.
    for (at, sign) in label[..arrow].char_indices().rev() {
        let is_arrow = sign == '>' && label[..at].ends_with(['-', '=']);
        match sign {
            '(' | '{' | '<' if depth > 0 => depth -= 1,
            ')' | '}' | '>' if !is_arrow => depth += 1,
            ',' if depth == 0 => {
                parameters.push(at + 2..end);
                end = at;
            }
            '(' => {
                parameters.push(at + 1..end);
                break;
            }
            _ => {}
        }
    }
    parameters.retain(|range| range.start < range.end);
    parameters.reverse();
    Some((label, parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_parts_of_the_type() {
        let of = |ty: &str| {
            let (label, parameters) = of_type("f", ty).unwrap();
            let parts = parameters
                .iter()
                .map(|range| label[range.clone()].to_string());
            parts.collect::<Vec<_>>()
        };
        assert_eq!(of("Eq a => ({a}, <(a, b)>) -> Int"), ["{a}", "<(a, b)>"]);
        assert_eq!(
            of("(Set a) => ((| a => b |), a) -> b"),
            ["(| a => b |)", "a"]
        );
        assert_eq!(of("() -> Int"), [""; 0]);
        assert_eq!(of_type("f", "Int"), None);
    }
}
