//! Printing a script and parsing that again is the identity, for every script of the repository.

#[allow(dead_code, reason = "only the names of scripts are of use here")]
mod harness;
#[allow(dead_code, reason = "only what loads included files is of use here")]
#[path = "../benches/support/script.rs"]
mod script;

use std::fs;

use cspsym::source::SourceMap;
use cspsym::syntax::ast::Ast;
use cspsym::syntax::{parse_script, same, script_text};

use harness::scripts;
use script::Beside;

/// The script with all it includes, if nothing is wrong with it.
fn parse(name: &str, text: &str) -> Option<Ast> {
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, problems) = parse_script(&mut sources, root, &mut Beside);
    problems.is_empty().then_some(ast)
}

#[test]
fn printing_and_parsing_is_the_identity() {
    let mut parsed = 0;
    for folder in ["cspm", "specs", "tests"] {
        for name in scripts(folder) {
            let Some(ast) = fs::read_to_string(&name)
                .ok()
                .and_then(|text| parse(&name, &text))
            else {
                assert!(name.starts_with("tests"), "{name} does not parse");
                continue;
            };
            let printed = script_text(&ast);
            let again = parse(&name, &printed);
            let again = again.unwrap_or_else(|| panic!("{name} is printed as\n{printed}"));
            assert!(same(&ast, &again), "{name} is printed as\n{printed}");
            assert_eq!(script_text(&again), printed, "{name}");
            parsed += 1;
        }
    }
    assert!(parsed >= 28, "only {parsed} scripts parse");
}
