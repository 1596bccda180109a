//! Tests of the analysis of scripts, however broken, against name resolution and type inference.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use syntax::ast::Expr;
use types::occurrences::Meaning;
use types::resolved::Reference;

/// All scripts below `folder`.
pub(crate) fn scripts(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
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

/// The number of names in expressions that were compared, and those of them for which an editor
/// gets a wrong meaning, or none.
fn compare(name: &str, files: &mut Files) -> (usize, Vec<String>) {
    let Ok(text) = files.read(name) else {
        return (0, Vec::new());
    };
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, _) = parse_script(&mut sources, root, &mut Includes(files));
    let (resolved, problems, names) = resolve_for_editor(&ast, None);
    if !problems.is_empty() {
        return (0, Vec::new());
    }
    let of_expression: FxHashMap<ExprId, Meaning> = names
        .all
        .iter()
        .filter_map(|one| Some((one.expression?, one.meaning)))
        .collect();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for (id, reference) in resolved.names.iter_enumerated() {
        let (Some(reference), Expr::Name(path)) = (reference, ast.expr(id)) else {
            continue;
        };
        let meaning = of_expression.get(&id);
        let is_right = match (reference, meaning) {
            (Reference::Builtin(builtin), Some(Meaning::Builtin(other))) => builtin == other,
            (
                Reference::Local { definition, .. } | Reference::Member { definition, .. },
                Some(Meaning::Defined(other)),
            ) => *definition == other.declaration && path.last().symbol == other.symbol,
            _ => false,
        };
        compared += 1;
        if !is_right {
            let line = &sources.file(path.span().file).text[..path.span().start as usize];
            let line = line.matches('\n').count() + 1;
            wrong.push(format!(
                "{name}:{line}: {} {meaning:?}",
                sources.text(path.span())
            ));
        }
    }
    (compared, wrong)
}

#[test]
fn editors_get_the_meaning_of_every_name_in_an_expression() {
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

fn analysed(text: &str) -> Analysis {
    let mut files = Files::with_open([("/a.csp".to_string(), text.to_string())]);
    Analysis::of("/a.csp", &mut files)
}

/// The type of the name in the midst of `text`, as `name :: type`.
fn type_before(text: &str) -> Option<String> {
    let at = text.find('¦').unwrap();
    let analysis = analysed(&text.replace('¦', ""));
    let occurrence = analysis.names.at(FileId(0), at as u32)?;
    match occurrence.meaning {
        Meaning::Defined(name) => analysis.type_of(&name),
        _ => None,
    }
}

#[test]
fn what_can_be_read_has_types_whatever_is_broken_elsewhere() {
    let broken = "f(x) = <x>\nQ = = STOP\nR = nobody\nT = f¦(3)\n";
    assert_eq!(type_before(broken).as_deref(), Some("(a) -> <a>"));
    let variable = "f(x, y) = x¦ + nobody + y\nQ = [ STOP\n";
    assert_eq!(type_before(variable).as_deref(), Some("Int"));
}

#[test]
fn names_and_types_are_reported_of_what_can_be_read() {
    let codes = |text: &str| {
        let problems = analysed(text).problems;
        problems
            .iter()
            .map(|problem| problem.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes("P = nobody\nQ = = STOP\n"),
        ["unknown-name", "syntax"]
    );
    // A name that may be defined where nothing could be read is not reported.
    assert_eq!(codes("P = Q\nQ = = STOP\n"), ["syntax"]);
    assert_eq!(codes("f(x + 1) = x\n"), ["not-a-pattern"]);
    let two = codes("P = nobody\nQ = 1 + true\n");
    assert_eq!((two.len(), two[0]), (2, "unknown-name"));
    assert_eq!(codes("P = STOP\n"), [""; 0]);
}

/// Scripts that somebody types: cut off anywhere, or with a hole. The program must not fail on
/// them.
#[test]
fn whatever_is_typed_something_is_found() {
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        // Knuth's MMIX generator; any other would do.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below.max(1)
    };
    let mut paths = scripts("tests/messages");
    paths.extend(scripts("tests/scripts"));
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        // Deep nesting is tested on the stack of the program.
        if text.len() > 6000 {
            continue;
        }
        for round in 0..4 {
            let mut start = random(text.len());
            let mut end = match round {
                0 => text.len(),
                _ => (start + random(30)).min(text.len()),
            };
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let analysis = analysed(&[&text[..start], &text[end..]].concat());
            for occurrence in &analysis.names.all {
                if let Meaning::Defined(name) = occurrence.meaning {
                    analysis.type_of(&name);
                }
            }
        }
    }
}
