//! Tests of the front end: tables of text and tree, scripts, messages, extremes.

mod binding;
mod declarations;
mod errors;
mod extremes;
mod lexical;
mod scripts;
mod shape;

use self::shape::{expression_shape, script_shape};
use super::ast::Ast;
use super::parser::{NoIncludes, parse_expression, parse_script};
use super::print::script_text;
use base::source::SourceMap;

/// The tree of `text`, or the rendered messages.
fn script(text: &str) -> Result<Ast, String> {
    let mut sources = SourceMap::new();
    let root = sources.add("test.csp", text);
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut NoIncludes);
    if diagnostics.is_empty() {
        Ok(ast)
    } else {
        Err(diagnostics.iter().map(|d| d.render(&sources)).collect())
    }
}

fn expression(text: &str) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("expression", text);
    let mut ast = Ast::default();
    match parse_expression(&mut ast, &sources, file) {
        Ok(id) => Ok(expression_shape(&ast, id)),
        Err(diagnostic) => Err(diagnostic.render(&sources)),
    }
}

/// Each row: an expression, and its tree or `!code` of the error.
fn check_expressions(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        check_row(text, expected, &expression(text));
        if !expected.starts_with('!') {
            assert_round_trip(&format!("x = {text}"));
        }
    }
}

/// Each row: a script, and the tree of each declaration on its own line, or `!code`.
fn check_scripts(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        let found = script(text).map(|ast| script_shape(&ast).trim_end().to_string());
        check_row(text, expected, &found);
        if !expected.starts_with('!') {
            assert_round_trip(text);
        }
    }
}

/// Checks that printed text parses to an equal tree, and is printed as before.
fn assert_round_trip(text: &str) {
    let ast = script(text).unwrap_or_else(|message| panic!("{text}\n{message}"));
    let printed = script_text(&ast);
    let again = script(&printed)
        .unwrap_or_else(|message| panic!("{text}\nprinted as\n{printed}\n{message}"));
    assert_eq!(
        script_shape(&ast),
        script_shape(&again),
        "{text}\nprinted as\n{printed}"
    );
    assert_eq!(printed, script_text(&again));
}

fn check_row(text: &str, expected: &str, found: &Result<String, String>) {
    match (found, expected.strip_prefix('!')) {
        (Err(message), Some(code)) => {
            assert!(
                message.starts_with(&format!("error[{code}]")),
                "{text}\nshould be {code}, is\n{message}"
            );
        }
        (Ok(tree), None) => assert_eq!(tree, expected, "{text}"),
        (Ok(tree), Some(code)) => panic!("{text}\nshould be {code}, is {tree}"),
        (Err(message), None) => panic!("{text}\n{message}"),
    }
}
