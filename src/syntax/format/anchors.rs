//! The anchors, which begin at a margin: declarations, and the clauses of a function.

use crate::ast::{Ast, Declaration, DeclarationId, Expr};
use base::source::Span;

/// Something that begins at the margin of its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Anchor {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The number of the block. The script itself is block 0.
    pub(super) block: usize,
}

/// All anchors in the order of the text. An outer anchor comes before those inside it.
pub(super) struct Anchors {
    pub(super) all: Vec<Anchor>,
}

impl Anchors {
    pub(super) fn of(ast: &Ast) -> Self {
        let mut all = Vec::new();
        let mut blocks = vec![ast.script.as_slice()];
        for declaration in ast.declarations.iter() {
            match &declaration.kind {
                Declaration::Module {
                    private, exports, ..
                } => blocks.extend([private.as_slice(), exports.as_slice()]),
                Declaration::Timed(_, members) => blocks.push(members),
                _ => {}
            }
        }
        for expression in ast.expressions.iter() {
            if let Expr::Let(members, _) = &expression.kind {
                blocks.push(members);
            }
        }
        for (block, members) in blocks.iter().enumerate() {
            for &member in *members {
                add(ast, member, block, &mut all);
            }
        }
        all.sort_by_key(|anchor| (anchor.start, std::cmp::Reverse(anchor.end)));
        Self { all }
    }
}

/// Adds a declaration, or each clause of a function separately.
fn add(ast: &Ast, id: DeclarationId, block: usize, all: &mut Vec<Anchor>) {
    let anchor = |span: Span| {
        let (start, end) = bytes(span);
        Anchor { start, end, block }
    };
    match ast.declaration(id) {
        Declaration::Function(_, clauses) => {
            all.extend(clauses.iter().map(|clause| anchor(clause.span)));
        }
        _ => all.push(anchor(ast.declarations[id].span)),
    }
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}
