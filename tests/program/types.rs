//! Scripts that are well typed, with the types of their names, and scripts that are not, with every
//! message's code and places.
//!
//! ```text
//! --! type f :: Eq a => (a, a) -> Bool
//! --! error type-mismatch at 12 "x + 1", 9 "true"
//! ```
//!
//! The first gives the inferred type of f, in the scripts of `accepted`. The second is a message,
//! in the scripts of `refused`: its code, then line and text of each place.
//!
//! With `UPDATE_EXPECTED=1` the header of each script of `refused` is written anew; read the
//! difference.

use std::fs;

use crate::harness::{root, scripts};
use base::diag::{Diagnostic, Severity};
use base::source::{SourceMap, Span};
use infer::text::TypeNames;
use infer::{Typed, infer};
use pretty_assertions::assert_eq;
use syntax::ast::Ast;
use syntax::parse_script;
use syntax::parser::NoIncludes;
use types::resolve::resolve;

/// A script with its directives and the results of typing it.
struct Script {
    file: String,
    header: Vec<String>,
    body: String,
    ast: Ast,
    typed: Typed,
    errors: Vec<Diagnostic>,
    sources: SourceMap,
}

impl Script {
    /// Types the script `file`, which is right in all but its types.
    fn read(file: String) -> Self {
        let text = fs::read_to_string(root().join(&file)).expect("a script is readable");
        let is_directive = |line: &&str| line.starts_with("--!");
        let header: Vec<String> = text
            .lines()
            .take_while(is_directive)
            .map(String::from)
            .collect();
        let body: Vec<&str> = text.lines().skip(header.len()).collect();
        let mut sources = SourceMap::new();
        let id = sources.add(&file, text.clone());
        let (ast, problems) = parse_script(&mut sources, id, &mut NoIncludes);
        assert!(problems.is_empty(), "{}", problems[0].render(&sources));
        let (resolved, problems) = resolve(&ast);
        let is_error = |problem: &&Diagnostic| problem.severity == Severity::Error;
        if let Some(error) = problems.iter().find(is_error) {
            panic!("{}", error.render(&sources));
        }
        let (typed, errors) = infer(&ast, &resolved, &[]);
        Self {
            header,
            body: body.iter().flat_map(|line| [line, "\n"]).collect(),
            file,
            ast,
            typed,
            errors,
            sources,
        }
    }

    /// The line `error CODE at LINE "text", ...` for each message. The body begins at line `first`.
    fn messages(&self, first: usize) -> Vec<String> {
        let errors = self.errors.iter().map(|error| {
            let places = error.labels.iter();
            let places: Vec<String> = places.map(|(span, _)| self.place(*span, first)).collect();
            format!("--! error {} at {}", error.code, places.join(", "))
        });
        errors.collect()
    }

    fn place(&self, span: Span, first: usize) -> String {
        let text = &self.sources.file(span.file).text;
        let (start, end) = (span.start as usize, span.end as usize);
        let line = text[..start].matches('\n').count() - self.header.len() + first;
        let shown = text[start..end].lines().next().unwrap_or_default();
        format!("{line} \"{shown}\"")
    }

    /// The inferred type of the first name `name`.
    fn scheme(&mut self, name: &str) -> String {
        let mut declared = self.typed.declared.iter();
        let found = declared.find(|declared| self.ast.name(declared.name.symbol) == name);
        let scheme = found
            .unwrap_or_else(|| panic!("{}: {name} is not declared", self.file))
            .scheme
            .clone();
        TypeNames::new(&self.ast).scheme(&mut self.typed.types, &scheme)
    }
}

fn all(folder: &str) -> Vec<Script> {
    let found: Vec<Script> = scripts(folder).into_iter().map(Script::read).collect();
    assert!(found.len() > 5, "{folder} has scripts");
    found
}

#[test]
fn well_typed_scripts_are_accepted_with_these_types() {
    for mut script in all("tests/types/accepted") {
        let rendered = script
            .errors
            .iter()
            .map(|error| error.render(&script.sources));
        let rendered: String = rendered.collect();
        assert!(rendered.is_empty(), "{rendered}");
        let expected = script.header.clone();
        let actual: Vec<String> = expected
            .iter()
            .map(|line| {
                let directive = line.strip_prefix("--! type ");
                let (name, _) = directive
                    .and_then(|directive| directive.split_once(" :: "))
                    .unwrap_or_else(|| panic!("{}: {line}", script.file));
                format!("--! type {name} :: {}", script.scheme(name))
            })
            .collect();
        assert_eq!(actual, expected, "{}", script.file);
    }
}

#[test]
fn ill_typed_scripts_are_refused_for_these_reasons() {
    let updates = std::env::var_os("UPDATE_EXPECTED").is_some();
    for script in all("tests/types/refused") {
        assert!(!script.errors.is_empty(), "{} is accepted", script.file);
        let actual = script.messages(script.errors.len() + 1);
        if updates && actual != script.header {
            let text = format!("{}\n{}", actual.join("\n"), script.body);
            fs::write(root().join(&script.file), text).expect("the script can be written");
            continue;
        }
        assert_eq!(actual, script.header, "{}", script.file);
    }
}
