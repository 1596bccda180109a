//! In the shipped scripts, what a call does by renaming what another one does is what evaluating it gives.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use cspsym::eval::{Evaluator, Script, Value};
use cspsym::process::term::{Definitions, Term, TermId};
use cspsym::source::SourceMap;
use cspsym::syntax::ast::ExprId;
use cspsym::syntax::parser::Loader;
use cspsym::syntax::{parse_expression, parse_script};
use cspsym::types::resolve::resolve_with;

/// No more calls are unfolded from one process.
const MOST_CALLS: usize = 1000;

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

/// The scripts in the folders of `folder`. Tests run at the root of the repository.
fn scripts(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let folders = entries.map(|entry| entry.expect("it is readable").path());
    let folders = folders.filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("it is a folder"));
    let files = files.map(|entry| entry.expect("it is readable").path());
    let mut scripts: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|e| e == "csp"))
        .collect();
    scripts.sort();
    scripts
}

/// The script, and those of its names that are processes without parameters.
fn load(file: &Path) -> (Script, Vec<ExprId>) {
    let mut sources = SourceMap::new();
    let text = fs::read_to_string(file).expect("it is readable");
    let root = sources.add(file.to_string_lossy(), &*text);
    let (mut ast, problems) = parse_script(&mut sources, root, &mut Beside);
    assert!(problems.is_empty(), "{}", file.display());
    let lines = text.lines().filter_map(|line| line.split_once(" ="));
    let names = lines.map(|(name, _)| name.trim());
    let names = names.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    let names: Vec<ExprId> = names
        .filter_map(|name| {
            let line = sources.add("name", name);
            parse_expression(&mut ast, &sources, line).ok()
        })
        .collect();
    let (resolved, _) = resolve_with(&ast, &names);
    let script = Script {
        sources,
        ast,
        resolved,
    };
    let is_known = |name: &ExprId| {
        let reference = script.resolved.names.get(*name);
        reference.is_some_and(Option::is_some)
    };
    let names = names.into_iter().filter(is_known).collect();
    (script, names)
}

/// Unfolds what `start` leads to. What is wrong with the process does not matter here.
fn unfold(evaluator: &mut Evaluator<'_>, start: TermId) {
    let mut seen: HashSet<TermId> = HashSet::from([start]);
    let mut open = vec![start];
    let mut calls = 0;
    while let Some(term) = open.pop() {
        let term = evaluator.terms().get(term).clone();
        let mut next: Vec<TermId> = term.started_operands().into_iter().collect();
        next.extend(term.waiting_operands());
        if let Term::Call(call) = term
            && calls < MOST_CALLS
        {
            calls += 1;
            next.extend(evaluator.body(call));
        }
        open.extend(next.into_iter().filter(|&term| seen.insert(term)));
    }
}

#[test]
fn renamed_bodies_are_those_that_are_evaluated() {
    let mut with_renamed = 0;
    for folder in ["cspm", "benches"] {
        for file in scripts(folder) {
            let (script, names) = load(&file);
            let mut evaluator = Evaluator::new(&script, Box::new(|| false));
            evaluator.check_renamed();
            for name in names {
                if let Ok(Value::Process(term)) = evaluator.value_of(name) {
                    unfold(&mut evaluator, term);
                }
            }
            let wrong = evaluator.wrongly_renamed();
            assert!(wrong.is_empty(), "{}: {wrong:?}", file.display());
            with_renamed += usize::from(evaluator.renamed_bodies() > 0);
        }
    }
    assert!(with_renamed > 20, "only in {with_renamed} scripts");
}
