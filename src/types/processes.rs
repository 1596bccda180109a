//! The definitions that certainly yield processes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::resolved::{PatternName, Reference, Resolved};
use syntax::ast::{Ast, Declaration, DeclarationId, Expr, ExprId, Pattern};

/// The definitions that yield a process when fully applied: some branch of the body is a process
/// operator, a built-in process, or a full application of such a definition. One branch is enough,
/// because the branches of a conditional have one type, and so do the clauses of a function.
pub(super) fn processes(ast: &Ast, resolved: &Resolved) -> FxHashSet<DeclarationId> {
    let mut users: FxHashMap<DeclarationId, Vec<DeclarationId>> = FxHashMap::default();
    let mut pending: Vec<DeclarationId> = Vec::new();
    for (id, declaration) in ast.declarations.iter_enumerated() {
        for body in bodies(ast, resolved, &declaration.kind) {
            for branch in branches(ast, body) {
                match yields(ast, resolved, branch) {
                    Yields::Process => pending.push(id),
                    Yields::SameAs(definition) => users.entry(definition).or_default().push(id),
                    Yields::Unknown => {}
                }
            }
        }
    }
    let mut found = FxHashSet::default();
    while let Some(definition) = pending.pop() {
        if found.insert(definition) {
            pending.extend(users.get(&definition).into_iter().flatten());
        }
    }
    found
}

/// True if `expression` is an operator that yields a process.
pub(super) fn is_process_operator(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Prefix(..)
            | Expr::Guard(..)
            | Expr::Process(..)
            | Expr::GeneralisedParallel { .. }
            | Expr::AlphabetisedParallel { .. }
            | Expr::LinkedParallel { .. }
            | Expr::Exception { .. }
            | Expr::SynchronisingChoice { .. }
            | Expr::SynchronisingInterrupt { .. }
            | Expr::Hide(..)
            | Expr::Project(..)
            | Expr::Rename(..)
            | Expr::Replicated(..)
            | Expr::Imported(..)
    )
}

/// The right-hand sides of a function or plain constant.
fn bodies(ast: &Ast, resolved: &Resolved, declaration: &Declaration) -> Vec<ExprId> {
    match declaration {
        Declaration::Function(_, clauses) => clauses.iter().map(|clause| clause.body).collect(),
        Declaration::Pattern(pattern, body) => {
            match (ast.pattern(*pattern), &resolved.patterns[*pattern]) {
                (Pattern::Name(_), Some(PatternName::Variable(_))) => vec![*body],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The expressions that `body` may be reduced to: the ends of its conditionals and `let`s.
fn branches(ast: &Ast, body: ExprId) -> Vec<ExprId> {
    let mut pending = vec![body];
    let mut branches = Vec::new();
    while let Some(expression) = pending.pop() {
        match ast.expr(expression) {
            Expr::Parenthesised(inner) | Expr::Let(_, inner) => pending.push(*inner),
            Expr::If(_, yes, no) => pending.extend([*yes, *no]),
            _ => branches.push(expression),
        }
    }
    branches
}

enum Yields {
    Process,
    SameAs(DeclarationId),
    Unknown,
}

fn yields(ast: &Ast, resolved: &Resolved, branch: ExprId) -> Yields {
    if is_process_operator(ast.expr(branch)) {
        return Yields::Process;
    }
    let mut head = branch;
    let mut groups = 0;
    loop {
        match ast.expr(head) {
            Expr::Apply(function, _) => {
                groups += 1;
                head = *function;
            }
            Expr::Parenthesised(inner) => head = *inner,
            Expr::Name(_) => break,
            _ => return Yields::Unknown,
        }
    }
    match &resolved.names[head] {
        Some(Reference::Builtin(builtin)) => {
            // No built-in that yields a process takes a second group of arguments.
            let full = usize::from(builtin.arity() > 0);
            if builtin.is_process() && groups == full {
                Yields::Process
            } else {
                Yields::Unknown
            }
        }
        Some(
            Reference::Local {
                definition: Some(definition),
                ..
            }
            | Reference::Member {
                definition: Some(definition),
                ..
            },
        ) if is_full(ast.declaration(*definition), groups) => Yields::SameAs(*definition),
        _ => Yields::Unknown,
    }
}

fn is_full(declaration: &Declaration, groups: usize) -> bool {
    match declaration {
        Declaration::Function(_, clauses) => {
            clauses.first().is_some_and(|c| c.groups.len() == groups)
        }
        Declaration::Pattern(..) => groups == 0,
        _ => false,
    }
}
