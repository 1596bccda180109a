//! Scripts of the repository: each parses, and parses again after printing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ast::{Ast, Declaration};
use crate::parser::{Loader, NotIncluded, parse_assertion, parse_script};
use crate::print::{assertion_text, script_text};
use crate::tests::shape::script_shape;
use base::source::SourceMap;

/// Finds included files beside the file that includes them.
struct Beside;

impl Loader for Beside {
    fn load(&mut self, path: &str, from: &str, _: &str) -> Result<(String, String), NotIncluded> {
        let file = Path::new(from).with_file_name(path);
        let text = fs::read_to_string(&file);
        let text = text.map_err(|error| NotIncluded::Missing(error.to_string()))?;
        Ok((file.display().to_string(), text))
    }
}

/// The script with all it includes, or the messages about its mistakes.
fn parse(file: &Path, text: &str) -> Result<Ast, String> {
    let mut sources = SourceMap::new();
    let root = sources.add(file.display().to_string(), text);
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut Beside);
    match diagnostics.is_empty() {
        true => Ok(ast),
        false => Err(diagnostics.iter().map(|d| d.render(&sources)).collect()),
    }
}

/// All scripts of a folder of the repository.
fn scripts(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "csp") {
                found.push(path);
            }
        }
    }
    found
}

/// The script of this name in `tests/scripts/syntax`.
fn syntax_script(name: &str) -> Ast {
    let folder =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/scripts/syntax");
    let file = folder.join(name);
    parse(&file, &fs::read_to_string(&file).unwrap()).unwrap()
}

#[test]
fn printing_and_parsing_is_the_identity() {
    let mut parsed = 0;
    for folder in ["cspm", "specs", "tests/scripts/syntax", "tests"] {
        for file in scripts(folder) {
            let name = file.display();
            let read = fs::read_to_string(&file).map_err(|error| error.to_string());
            let ast = match read.and_then(|text| parse(&file, &text)) {
                Ok(ast) => ast,
                // Tests of messages have scripts with mistakes.
                Err(_) if folder == "tests" => continue,
                Err(message) => panic!("{name} does not parse\n{message}"),
            };
            let printed = script_text(&ast);
            let again = parse(&file, &printed);
            let again = again.unwrap_or_else(|m| panic!("{name} is printed as\n{printed}\n{m}"));
            assert_eq!(script_shape(&ast), script_shape(&again), "{name}");
            assert_eq!(script_text(&again), printed, "{name}");
            parsed += 1;
        }
    }
    assert!(parsed >= 34, "only {parsed} scripts parse");
}

#[test]
fn assertions_print_and_parse_alone() {
    let mut ast = syntax_script("assertions.csp");
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
    let ast = syntax_script("declarations.csp");
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
