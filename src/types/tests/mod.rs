//! Tests of name resolution as a whole.

mod build;
mod errors;
mod extremes;
mod references;
mod text;
mod walk;

use base::source::SourceMap;
use syntax::ast::Ast;
use syntax::parser::{NoIncludes, parse_script};

/// Reads a script that has no errors of syntax.
fn parse(text: &str) -> (SourceMap, Ast) {
    let mut sources = SourceMap::new();
    let root = sources.add("script.csp", text);
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut NoIncludes);
    assert_eq!(diagnostics, [], "in {text}");
    (sources, ast)
}
