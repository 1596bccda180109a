//! The scripts of `tests/scripts/syntax`: each parses, and parses again after printing.

use std::path::{Path, PathBuf};

use crate::source::SourceMap;
use crate::syntax::ast::{Ast, Declaration};
use crate::syntax::parser::{Loader, NotIncluded, parse_assertion, parse_script};
use crate::syntax::print::{assertion_text, script_text};
use crate::syntax::shape::{same, script_shape};

/// Finds included files beside the scripts.
struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, path: &str, _: &str, _: &str) -> Result<(String, String), NotIncluded> {
        let file = self.0.join(path);
        let text = std::fs::read_to_string(&file);
        let text = text.map_err(|error| NotIncluded::Missing(error.to_string()))?;
        Ok((file.display().to_string(), text))
    }
}

fn parse(folder: &Path, name: &str, text: &str) -> Ast {
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut Beside(folder.to_path_buf()));
    let messages: String = diagnostics.iter().map(|d| d.render(&sources)).collect();
    assert!(messages.is_empty(), "{messages}");
    ast
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/syntax");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(files.len() >= 6);
    files
}

#[test]
fn printing_and_parsing_is_the_identity() {
    for file in scripts() {
        let folder = file.parent().expect("in a folder");
        let text = std::fs::read_to_string(&file).expect("readable");
        let ast = parse(folder, "script", &text);
        let printed = script_text(&ast);
        let again = parse(folder, "printed", &printed);
        assert_eq!(
            script_shape(&ast),
            script_shape(&again),
            "{}\n{printed}",
            file.display()
        );
        assert!(same(&ast, &again));
        assert_eq!(printed, script_text(&again), "printing is stable");
    }
}

#[test]
fn assertions_print_and_parse_alone() {
    let file = scripts()
        .into_iter()
        .find(|f| f.ends_with("assertions.csp"))
        .expect("there");
    let text = std::fs::read_to_string(&file).expect("readable");
    let mut ast = parse(file.parent().expect("in a folder"), "script", &text);
    let mut count = 0;
    for id in ast.script.clone() {
        let Declaration::Assert(assertion) = ast.declaration(id).clone() else {
            continue;
        };
        let printed = assertion_text(&ast, &assertion);
        let mut sources = SourceMap::new();
        let file = sources.add("assertion", printed.clone());
        let again = parse_assertion(&mut ast, &sources, file)
            .unwrap_or_else(|d| panic!("{}", d.render(&sources)));
        assert_eq!(assertion_text(&ast, &again), printed);
        count += 1;
    }
    assert_eq!(count, 21);
}

#[test]
fn printed_scripts_read_well() {
    let file = scripts()
        .into_iter()
        .find(|f| f.ends_with("declarations.csp"))
        .expect("there");
    let text = std::fs::read_to_string(&file).expect("readable");
    let ast = parse(file.parent().expect("in a folder"), "script", &text);
    insta::assert_snapshot!("printed", script_text(&ast));
}

#[test]
fn assertions_need_no_keyword() {
    let rows = [
        ("P [T= Q", "P [T= Q"),
        ("assert P [T= Q", "P [T= Q"),
        ("not P\n  [T= Q", "not P [T= Q"),
        ("assert not P :[deadlock free]", "not P :[deadlock free]"),
        (
            "let x = 1\n y = 2\n within f(x, y) [F= Q",
            "let\n  x = 1\n  y = 2\nwithin f(x, y) [F= Q",
        ),
    ];
    for (text, expected) in rows {
        let mut ast = Ast::default();
        let mut sources = SourceMap::new();
        let file = sources.add("assertion", text);
        let assertion = parse_assertion(&mut ast, &sources, file)
            .unwrap_or_else(|d| panic!("{}", d.render(&sources)));
        assert_eq!(assertion_text(&ast, &assertion), expected);
    }
    for text in [
        "",
        "P",
        "P [T= Q\nR",
        "x = 1",
        "include \"f\"",
        "P [T= 'ab'",
    ] {
        let mut ast = Ast::default();
        let mut sources = SourceMap::new();
        let file = sources.add("assertion", text);
        assert!(parse_assertion(&mut ast, &sources, file).is_err(), "{text}");
    }
}
