//! The walk against name resolution, on all scripts there are.

use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::*;
use crate::cli::files::Files;
use crate::cli::load::Includes;
use crate::source::SourceMap;
use crate::syntax::ast::Expr;
use crate::syntax::parse_script;
use crate::types::resolve::resolve;
use crate::types::resolved::Reference;

/// All scripts below `folder`.
pub(in crate::cli::lsp) fn scripts(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut open = vec![root];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            open.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "csp") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// How many names were compared, and which mean something else to the two.
fn compare(name: &str, files: &mut Files) -> (usize, Vec<String>) {
    let Ok(text) = files.read(name) else {
        return (0, Vec::new());
    };
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, _) = parse_script(&mut sources, root, &mut Includes(files));
    let (resolved, problems) = resolve(&ast);
    // A name that is defined twice means one or the other.
    if !problems.is_empty() {
        return (0, Vec::new());
    }
    let names = Names::of(&ast, &resolved, None);
    let of_expression: FxHashMap<ExprId, Target> = names
        .occurrences()
        .iter()
        .filter_map(|one| Some((one.expression?, one.target)))
        .collect();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for (id, reference) in resolved.names.iter_enumerated() {
        let (Some(reference), Expr::Name(path)) = (reference, ast.expr(id)) else {
            continue;
        };
        let target = of_expression.get(&id);
        let is_right = match (reference, target) {
            (Reference::Builtin(builtin), Some(Target::Builtin(other))) => builtin == other,
            (
                Reference::Local { definition, .. } | Reference::Member { definition, .. },
                Some(Target::Definition(other)),
            ) => {
                let other = &names.definitions[*other];
                let origin = definition.map_or(Origin::Pattern, Origin::Declaration);
                origin == other.origin && path.last().symbol == other.symbol
            }
            _ => false,
        };
        compared += 1;
        if !is_right {
            let line = &sources.file(path.span().file).text[..path.span().start as usize];
            let line = line.matches('\n').count() + 1;
            wrong.push(format!(
                "{name}:{line}: {} {target:?}",
                sources.text(path.span())
            ));
        }
    }
    (compared, wrong)
}

#[test]
fn names_mean_what_resolution_says() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for path in ["cspm", "tests"].into_iter().flat_map(scripts) {
        let (count, found) = compare(&path.to_string_lossy(), &mut Files::new());
        compared += count;
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 10_000, "{compared}");
}
