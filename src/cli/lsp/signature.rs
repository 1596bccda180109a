//! The parameters of the function whose arguments are being written.

use std::ops::Range;

use gen_lsp_types::{
    ActiveParameter, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureInformation,
};

use crate::source::FileId;
use crate::syntax::ast::{Ast, Declaration, Pattern, PatternId};
use crate::syntax::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::syntax::pattern_text;
use crate::types::builtin::Builtin;
use crate::types::occurrences::{DefinedName, Meaning};

use super::analysis::{Analysis, builtin_type};

/// A call whose arguments are not closed before a place.
#[derive(PartialEq, Eq, Debug)]
struct OpenCall {
    /// Where the name of the function stands.
    name: Range<usize>,
    /// How many groups of arguments stand before the open one.
    group: usize,
    /// How many arguments of the group stand before the place.
    argument: usize,
}

/// What is known of the call around the byte `at` of `file`.
pub(super) fn signature(analysis: &Analysis, file: FileId, at: usize) -> Option<SignatureHelp> {
    let text = &analysis.sources.file(file).text;
    let call = open_call(text, at)?;
    let name = &text[call.name.clone()];
    let (label, parameters) = match meaning(analysis, file, &call, name)? {
        Meaning::Defined(defined) => of_defined(analysis, &defined, name, call.group)?,
        Meaning::Builtin(builtin) => of_type(name, &builtin_type(builtin))?,
        Meaning::File(_) => return None,
    };
    // Offsets of the protocol count units of UTF-16.
    let units = |at: usize| label[..at].encode_utf16().count() as u32;
    let information = |range: &Range<usize>| ParameterInformation {
        label: ParameterInformationLabel::Tuple((units(range.start), units(range.end))),
        documentation: None,
    };
    let active = (call.argument < parameters.len()).then_some(call.argument as u32);
    let signature = SignatureInformation {
        parameters: Some(parameters.iter().map(information).collect()),
        label,
        documentation: None,
        active_parameter: None,
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: active.map(ActiveParameter::Int),
    })
}

/// What the name of the function means. What is being written can seldom be read: then it is what
/// the name means at the top level.
fn meaning(analysis: &Analysis, file: FileId, call: &OpenCall, name: &str) -> Option<Meaning> {
    let known = analysis.names.at(file, call.name.start as u32);
    if let Some(known) = known.filter(|known| known.span.range() == call.name) {
        return Some(known.meaning);
    }
    let mut top_level = analysis.names.top_level.iter();
    let is_called_so = |meaning: &&Meaning| match meaning {
        Meaning::Defined(defined) => analysis.ast.name(defined.symbol) == name,
        _ => false,
    };
    let builtin = || {
        let found = Builtin::ALL.iter().find(|builtin| builtin.name() == name)?;
        Some(Meaning::Builtin(*found))
    };
    top_level.find(is_called_so).copied().or_else(builtin)
}

/// The innermost call whose brackets are open at the byte `at` of `text`.
fn open_call(text: &str, at: usize) -> Option<OpenCall> {
    let all = lexemes(text);
    let comment = |word: &Lexeme| word.kind == LexemeKind::Comment;
    let in_comment = |word: &Lexeme| comment(word) && reaches(&text[word.range.start..at]);
    if all
        .iter()
        .take_while(|word| word.range.start < at)
        .any(in_comment)
    {
        return None;
    }
    let words: Vec<&Lexeme> = all
        .iter()
        .take_while(|word| word.range.start < at)
        .filter(|word| !comment(word))
        .collect();
    let shown = |index: usize| &text[words[index].range.clone()];
    // The brackets that are open, with the commas behind each.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let begins_line = text[..word.range.start].ends_with('\n') || word.range.start == 0;
        if begins_line && word.kind != LexemeKind::Bracket {
            // What stands at the margin is another declaration, for all that is usual.
            open.clear();
        }
        match shown(index) {
            "," => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            "<" if index == 0 || !ends_operand(words[index - 1], shown(index - 1)) => {
                open.push((index, 0));
            }
            ">" if open.last().is_some_and(|&(index, _)| shown(index) == "<") => {
                open.pop();
            }
            sign if word.kind == LexemeKind::Bracket => match opens(sign) {
                true => open.push((index, 0)),
                false => {
                    open.pop();
                }
            },
            _ => {}
        }
    }
    let calls = open.iter().rev();
    let mut calls = calls.filter_map(|&(bracket, argument)| {
        let (name, group) = callee(&words, &shown, bracket)?;
        Some(OpenCall {
            name,
            group,
            argument,
        })
    });
    calls.next()
}

/// Whether the comment with which `text` begins is not over where `text` ends.
fn reaches(text: &str) -> bool {
    match text.starts_with("--") {
        true => !text.contains('\n'),
        // Comments in braces can stand inside each other.
        false => text.matches("{-").count() > text.matches("-}").count(),
    }
}

/// The name before the bracket number `bracket`, and how many groups stand between them.
fn callee<'a>(
    words: &[&Lexeme],
    shown: &impl Fn(usize) -> &'a str,
    bracket: usize,
) -> Option<(Range<usize>, usize)> {
    if shown(bracket) != "(" {
        return None;
    }
    let mut before = bracket.checked_sub(1)?;
    let mut group = 0;
    while shown(before) == ")" {
        let mut depth = 0usize;
        loop {
            match shown(before) {
                ")" => depth += 1,
                "(" => depth -= 1,
                _ => {}
            }
            before = before.checked_sub(1)?;
            if depth == 0 {
                break;
            }
        }
        group += 1;
    }
    let word = words[before];
    (word.kind == LexemeKind::Name).then(|| (word.range.clone(), group))
}

fn ends_operand(word: &Lexeme, text: &str) -> bool {
    match word.kind {
        LexemeKind::Name | LexemeKind::Number | LexemeKind::Text => true,
        LexemeKind::Bracket => !opens(text),
        _ => text == ">",
    }
}

fn opens(bracket: &str) -> bool {
    bracket.starts_with(['(', '{', '[', '/']) || bracket == "let"
}

/// `f(x, y) :: type`, and where the parameters of one group stand in it.
fn of_defined(
    analysis: &Analysis,
    defined: &DefinedName,
    name: &str,
    group: usize,
) -> Option<(String, Vec<Range<usize>>)> {
    let ty = analysis.type_of(defined);
    let declaration = defined.declaration.map(|id| analysis.ast.declaration(id));
    let groups = match declaration {
        Some(Declaration::Function(_, clauses)) => {
            let named = |patterns: &Vec<Vec<PatternId>>| {
                let all = patterns.iter().flatten();
                all.filter(|&&id| matches!(analysis.ast.pattern(id), Pattern::Name(_)))
                    .count()
            };
            // The clause that says most by its names; of several the first.
            let clauses = clauses.iter().rev();
            &clauses.max_by_key(|clause| named(&clause.groups))?.groups
        }
        Some(Declaration::Module { parameters, .. }) => {
            return Some(with_groups(
                &analysis.ast,
                name,
                std::slice::from_ref(parameters),
                0,
            ));
        }
        _ => return of_type(name, &ty?),
    };
    let (mut label, parameters) = with_groups(&analysis.ast, name, groups, group);
    if let Some(ty) = ty {
        label += &format!(" :: {ty}");
    }
    Some((label, parameters))
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

/// `f :: type`, and where the types of the parameters stand in it.
fn of_type(name: &str, ty: &str) -> Option<(String, Vec<Range<usize>>)> {
    let label = format!("{name} :: {ty}");
    let arrow = label.find(") -> ")?;
    let mut depth = 0usize;
    let mut parameters = Vec::new();
    let mut end = arrow;
    // From the bracket back to the one that it closes.
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

    fn call(text: &str) -> Option<(&str, usize, usize)> {
        let found = open_call(text, text.len())?;
        Some((&text[found.name.clone()], found.group, found.argument))
    }

    #[test]
    fn the_innermost_open_call_counts() {
        assert_eq!(call("P = f("), Some(("f", 0, 0)));
        assert_eq!(
            call("P = f(1, g(2, 3), {4, 5}, <6, 7>, "),
            Some(("f", 0, 4))
        );
        assert_eq!(call("P = f(1, g(2, {3, "), Some(("g", 0, 1)));
        assert_eq!(call("P = f(1)(2, "), Some(("f", 1, 1)));
        assert_eq!(call("P = f(a < b, "), Some(("f", 0, 1)));
        assert_eq!(call("P = f(1)"), None);
        assert_eq!(call("P = (1, "), None);
        assert_eq!(call("P = f(\nQ = "), None);
        assert_eq!(call("P = f({- 1, "), None);
        assert_eq!(call("P = f(1, -- 2, "), None);
    }

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
