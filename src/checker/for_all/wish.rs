//! Wishes to decide an assertion for every value of a constant: in the call, in an option of the
//! assertion, or in a comment above it.

use crate::options::{ForAll, Options};
use crate::script::Script;
use base::diag::{Diagnostic, Result};
use base::source::Span;
use base::suggest::nearest;
use syntax::ast::{Assertion, AssertionOption, BinaryOp, Declaration, DeclarationId, Expr, ExprId};
use syntax::print::expression_text;

/// A question for every value of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wish {
    pub(super) for_all: ForAll,
    /// The place where the script asks it; `None` if the call does.
    pub(super) place: Option<Span>,
}

/// The wish that counts for an assertion, and remarks on others.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    /// The wish that is decided, if there is one.
    pub(crate) wish: Option<Wish>,
    /// Remarks on wishes that are left out, and on comments that are nearly wishes.
    pub(crate) remarks: Vec<String>,
}

impl Script {
    /// The wishes about all sizes for the assertion `id`. The call counts before the script, and an
    /// option of the assertion before a comment.
    pub(crate) fn wishes(&self, id: DeclarationId, options: &Options) -> Result<Wishes> {
        let mut wishes = Wishes::default();
        if let Some(for_all) = &options.for_all {
            self.unless_replaced(for_all)?;
            wishes.wish = Some(Wish {
                for_all: for_all.clone(),
                place: None,
            });
        }
        if let Some(wish) = self.in_options(self.assertion(id)) {
            self.add(wish, &mut wishes);
        }
        match self.in_comment(id) {
            CommentAbove::Asks(wish) => self.add(wish, &mut wishes),
            CommentAbove::Slip(problem) if wishes.wish.is_none() => return Err(problem),
            CommentAbove::Slip(_) | CommentAbove::Nothing => {}
            CommentAbove::Near(remark) => wishes.remarks.push(remark),
        }
        Ok(wishes)
    }

    /// Adds what the script asks, unless something else counts before it.
    fn add(&self, wish: Wish, wishes: &mut Wishes) {
        let constant = &wish.for_all.constant;
        match &wishes.wish {
            Some(first) if first.for_all == wish.for_all => {}
            Some(first) => {
                let (asked, left) = (&first.for_all, &wish.for_all);
                let remark = format!("decided for all {asked}, and not for all {left}");
                wishes.remarks.push(remark);
            }
            None => {
                if self.replaced.contains(constant) {
                    wishes.remarks.push(format!(
                        "decided for all {constant}, as the script asks, whatever value `-D {constant}` gives it"
                    ));
                }
                wishes.wish = Some(wish);
            }
        }
    }

    /// Fails if the call also gives the constant one value.
    fn unless_replaced(&self, for_all: &ForAll) -> Result<()> {
        let name = &for_all.constant;
        if !self.replaced.contains(name) {
            return Ok(());
        }
        let message = format!("`-D {name}` gives the constant one value, and all are asked for");
        let problem = Diagnostic::error("for-all-of-one", message)
            .hint("leave out one of the two: -D decides one instance, --for-all every one");
        let body = self.script.ast.constant(name).and_then(|id| self.body(id));
        let place = body.map(|body| self.script.ast.expressions[body].span);
        Err(Box::new(match place {
            Some(place) => problem.at(place, ""),
            None => problem,
        }))
    }

    /// The right-hand side of a constant.
    pub(crate) fn body(&self, constant: DeclarationId) -> Option<ExprId> {
        match self.script.ast.declaration(constant) {
            Declaration::Pattern(_, body) => Some(*body),
            _ => None,
        }
    }

    /// The wish in the option `:[for all]: N`.
    fn in_options(&self, assertion: &Assertion) -> Option<Wish> {
        let ast = &self.script.ast;
        let asked = assertion.options.iter().find_map(|option| match option {
            AssertionOption::ForAll(asked) => Some(*asked),
            _ => None,
        })?;
        let (constant, least) = match ast.expr(asked) {
            Expr::Binary(BinaryOp::GreaterEqual, constant, least) => match ast.expr(*least) {
                Expr::Int(least) => (*constant, usize::try_from(*least).unwrap_or_default()),
                _ => (*constant, LEAST),
            },
            _ => (asked, LEAST),
        };
        Some(Wish {
            for_all: ForAll {
                constant: expression_text(ast, constant),
                least,
            },
            place: Some(ast.expressions[asked].span),
        })
    }

    /// The meaning of the comment in the line above the assertion `id`.
    fn in_comment(&self, id: DeclarationId) -> CommentAbove {
        let span = self.span(id);
        let text = &self.script.sources.file(span.file).text;
        let Some(wording) = wording_above(text, span.start as usize) else {
            return CommentAbove::Nothing;
        };
        let start = wording.as_ptr() as usize - text.as_ptr() as usize;
        let place = Span::new(span.file, start, start + wording.len());
        let end = wording.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''));
        let (name, rest) = wording.split_at(end.unwrap_or(wording.len()));
        let is_constant = self.defines(name);
        match wording.parse::<ForAll>() {
            Ok(for_all) if is_constant => CommentAbove::Asks(Wish {
                for_all,
                place: Some(place),
            }),
            Ok(_) => match nearest(name, self.constants().map(|(_, name)| name)) {
                Some(meant) => CommentAbove::Near(format!(
                    "the comment `-- for all {wording}` asks nothing, for there is no constant `{name}`: perhaps `{meant}` is meant"
                )),
                None => CommentAbove::Nothing,
            },
            // Other words make a sentence for the reader; a comparison is a wish with a slip.
            Err(problem) if is_constant && rest.trim_start().starts_with(COMPARISONS) => {
                let problem = Diagnostic::error("bad-for-all", problem).at(place, "");
                CommentAbove::Slip(Box::new(problem.hint(format!(
                    "write `-- for all {name}` or `-- for all {name} >= 2`"
                ))))
            }
            Err(_) if is_constant && !rest.contains(char::is_alphanumeric) => {
                CommentAbove::Near(format!(
                    "the comment `-- for all {wording}` asks nothing: `-- for all {name}` would"
                ))
            }
            Err(_) => CommentAbove::Nothing,
        }
    }
}

/// The least value that counts where nothing is said of it.
const LEAST: usize = 1;

/// The signs with which a comparison begins.
const COMPARISONS: [char; 7] = ['>', '<', '=', '!', '≥', '≤', '≠'];

/// The meaning of the comment above an assertion.
enum CommentAbove {
    /// There is no such comment, or it asks nothing.
    Nothing,
    /// It asks for all values of a constant.
    Asks(Wish),
    /// It asks nothing, but it nearly does: a remark on that.
    Near(String),
    /// It names a constant and goes on in a way that means nothing.
    Slip(Box<Diagnostic>),
}

/// The text behind `-- for all` in the line before the one in which `start` is; `None` if that line
/// is no such comment.
fn wording_above(text: &str, start: usize) -> Option<&str> {
    let before = text.get(..start)?.trim_end_matches([' ', '\t']);
    let above = before.strip_suffix('\n')?.lines().next_back()?;
    let comment = above.trim().strip_prefix("--")?.trim();
    let wording = comment.strip_prefix("for all")?;
    wording.starts_with([' ', '\t']).then(|| wording.trim())
}
