//! Printing a script and parsing that again is the identity, for every script of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use cspsym::source::SourceMap;
use cspsym::syntax::ast::Ast;
use cspsym::syntax::parser::Loader;
use cspsym::syntax::{parse_script, same, script_text};

/// Includes from the folder of the including file.
struct Beside;

impl Loader for Beside {
    fn load(&mut self, path: &str, including: &str, _: &str) -> Result<(String, String), String> {
        let folder = Path::new(including).parent().unwrap_or(Path::new(""));
        let file = folder.join(path);
        let text = fs::read_to_string(&file);
        let name = file.to_string_lossy().into_owned();
        text.map(|text| (name, text))
            .map_err(|error| error.to_string())
    }
}

/// The script with all it includes, if nothing is wrong with it.
fn parse(name: &str, text: &str) -> Option<Ast> {
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, problems) = parse_script(&mut sources, root, &mut Beside);
    problems.is_empty().then_some(ast)
}

/// The scripts in `folder` and below. Tests run at the root of the repository.
fn scripts(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("it is readable").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let ours = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "csp"));
    let names = ours.map(|file| file.to_string_lossy().into_owned());
    let below = folders.iter().flat_map(|folder| scripts(folder));
    names.chain(below).collect()
}

#[test]
fn printing_and_parsing_is_the_identity() {
    let mut parsed = 0;
    for folder in ["cspm", "specs", "tests"] {
        for name in scripts(Path::new(folder)) {
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
