//! `aut("file.aut")`: the transition systems that a script imports are read with the files that it
//! includes, by the same loader and under the same rules.
//!
//! The labels of each file become a constant of the script's top level, a sequence of events, under
//! a name that no script can write. So name resolution and type inference treat them as any
//! constant, with places in the file, and parameters around the import are not taken for channels.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Loader;
use super::ast::*;
use super::aut::{self, AutFile};
use super::parser::parse_expression_in;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::source::{FileId, SourceMap, Span};

/// The function that imports.
const AUT: &str = "aut";

/// Reads the files that are imported anywhere in `ast`, and replaces each application that names a
/// file by the contents of the file.
pub(super) fn import(
    ast: &mut Ast,
    sources: &mut SourceMap,
    root: FileId,
    loader: &mut dyn Loader,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    // Without the declaration the name means something else, or nothing.
    if !is_declared(ast) {
        return problems;
    }
    let mut known: FxHashMap<String, Imported> = FxHashMap::default();
    for number in 0..ast.expressions.len() {
        let id = ExprId::from_usize(number);
        let Some((function, path)) = named_file(ast, id) else {
            continue;
        };
        let place = ast.expressions[id].span;
        let including = &sources.file(place.file).name;
        let loaded = loader.load(&path, including, &sources.file(root).name);
        let (name, text) = match loaded {
            Ok(loaded) => loaded,
            Err(refused) => {
                problems.push(refused.diagnostic(&path).at(place, ""));
                continue;
            }
        };
        let imported = known.entry(name.clone()).or_insert_with(|| {
            let file = sources.add(name.clone(), text);
            match read(ast, sources, file, place) {
                Ok((system, symbol)) => Imported::Read(system, symbol),
                Err(problem) => {
                    problems.push(problem.at(place, "imported here"));
                    Imported::Wrong
                }
            }
        });
        let &mut Imported::Read(system, symbol) = imported else {
            continue;
        };
        let labels = name_of(ast, symbol, place);
        ast.expressions[id].kind = Expr::Imported(Box::new(Import {
            function,
            path,
            system,
            labels,
        }));
    }
    problems
}

/// A file that was read.
enum Imported {
    /// The number of the file, and the name of its labels.
    Read(u32, Symbol),
    /// The file is wrong, which has been reported.
    Wrong,
}

/// True if `external aut` stands anywhere.
fn is_declared(ast: &Ast) -> bool {
    let mut declarations = ast.declarations.iter();
    declarations.any(|declaration| match &declaration.kind {
        Declaration::External(names) | Declaration::Transparent(names) => {
            names.iter().any(|name| ast.name(name.symbol) == AUT)
        }
        _ => false,
    })
}

/// The function and the file name of `aut("file")`; `None` for any other expression.
fn named_file(ast: &Ast, id: ExprId) -> Option<(ExprId, String)> {
    let Expr::Apply(function, arguments) = ast.expr(id) else {
        return None;
    };
    let (Expr::Name(path), [argument]) = (ast.expr(*function), arguments.as_slice()) else {
        return None;
    };
    let [name] = path.segments.as_slice() else {
        return None;
    };
    match ast.expr(ast.unbracketed(*argument)) {
        Expr::String(file) if ast.name(name.symbol) == AUT => Some((*function, file.clone())),
        _ => None,
    }
}

/// Reads a file. Returns its number, and the name under which its labels are declared.
fn read(ast: &mut Ast, sources: &SourceMap, file: FileId, place: Span) -> Result<(u32, Symbol)> {
    let source = sources.file(file);
    let system = aut::read(file, &source.name, &source.text, place)?;
    let labels = labels(ast, &system, &source.text)?;
    let number = ast.imports.len() as u32;
    // A name has no blanks in a script.
    let symbol = ast.symbols.intern(format!("labels {number}"));
    let name = QualifiedName {
        segments: vec![Identifier {
            symbol,
            span: place,
        }],
    };
    let pattern = ast.patterns.push(Node {
        kind: Pattern::Name(name),
        span: place,
    });
    let declaration = ast.declarations.push(Node {
        kind: Declaration::Pattern(pattern, labels),
        span: place,
    });
    ast.script.push(declaration);
    ast.imports.push(Arc::new(system));
    Ok((number, symbol))
}

/// The sequence of the events of `system`. Fails if a label is not one expression.
fn labels(ast: &mut Ast, system: &AutFile, text: &str) -> Result<ExprId> {
    let masked = aut::labels(system, text);
    let sequence = parse_expression_in(ast, system.file, &system.name, &masked)?;
    let Expr::Sequence(Collection {
        items: Items::List(items),
        statements,
    }) = ast.expr(sequence)
    else {
        return aut::no_event(system.events[0]).into();
    };
    let fits = |(item, label): (&ExprId, &Span)| {
        let span = ast.expressions[*item].span;
        // Brackets were put around the label.
        span.start + 1 >= label.start && span.end <= label.end + 1
    };
    let places = items.iter().zip(&system.events);
    let good = places.take_while(|&place| fits(place)).count();
    match system.events.get(good) {
        Some(&wrong) => aut::no_event(wrong).into(),
        None if items.len() == good && statements.is_empty() => Ok(sequence),
        None => aut::no_event(system.events[good.saturating_sub(1)]).into(),
    }
}

fn name_of(ast: &mut Ast, symbol: Symbol, span: Span) -> ExprId {
    let segments = vec![Identifier { symbol, span }];
    ast.expressions.push(Node {
        kind: Expr::Name(QualifiedName { segments }),
        span,
    })
}
