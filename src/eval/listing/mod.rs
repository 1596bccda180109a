//! Listing the states of a sequential process without making its terms.
//!
//! A process whose states differ in the values of parameters is listed from code: its definitions
//! are compiled once (`compile.rs`) to units that run in registers (`code.rs`, `head.rs`). A value
//! is one word (`word.rs`). Operators on numbers, sequences, finite sets and maps are computed from
//! words (`formula.rs`). Any other part is evaluated in an environment made for it (`part.rs`), and
//! remembered by the words that it depends on (`memory.rs`).
//!
//! **States are the same as those of the terms.** A state is a list of tokens, and two lists are
//! equal exactly if the terms are (`head.rs`, `states.rs`). States are found in rounds, by several
//! threads (`round.rs`). Code covers prefixes with outputs and inputs, choices, conditionals,
//! `let`, and calls by name. At anything else, including a mistake in the script, listing returns
//! `None`, and the process is listed from its terms.

mod code;
pub(super) mod code_table;
mod compile;
mod expression;
mod formula;
mod head;
mod lists;
mod map_words;
mod memory;
mod number_table;
mod part;
mod round;
mod rows;
mod scope;
mod source;
mod states;
#[cfg(test)]
mod tests;
mod unfolded;
mod unit;
mod word;
mod word_table;

use rustc_hash::FxHashSet;

use self::code::UnitId;
use self::code_table::CodeTable;
use self::head::{CALL, EXTERNAL, HeadToken, INTERNAL, OMEGA, PREFIX, Runner, SKIP, STOP};
use self::round::{ListingSoFar, list_all};
use self::scope::Scope;
use self::source::{CodeSource, Evaluation};
use self::states::ListedStates;
use self::unfolded::MOST_NESTED;
use self::unit::{is_complete_loop, unit_at};
use super::call_table::{CalledCode, Calls};
use super::evaluator::Evaluator;
use super::script::ResolvedScript;
use base::diag::Result;
use base::index::TypedIndex;
use base::stack::deep;
use base::threads::Threads;
use process::listing::{EndedListing, ListingEnd, RowSink};
use process::operator::Operator;
use process::term::{CallId, Definitions, Term, TermId};
use syntax::ast::DeclarationId;
use types::resolved::Reference;

/// Passes the rows of all states of a term to `sink`, found by `threads`. Goes on from a listing of
/// the term that was ended, if there is one.
pub(super) fn list_from_code(
    evaluator: &mut Evaluator<'_>,
    process: (TermId, Option<EndedListing>),
    threads: &Threads,
    sink: &mut dyn RowSink,
) -> Result<ListingEnd> {
    if !evaluator.script.resolved.timed.is_empty() {
        return Ok(ListingEnd::Impossible);
    }
    let mut code_table = std::mem::take(&mut evaluator.code_table);
    let source = Evaluation {
        evaluator,
        code_table: &mut code_table,
    };
    let listed = list_with(source, process, threads, sink);
    evaluator.code_table = code_table;
    listed
}

/// True if the definition of `call` can call itself, and all processes that `call` can become are
/// listed from code.
pub(super) fn is_loop_with_code(
    script: &ResolvedScript,
    calls: &Calls,
    code_table: &mut CodeTable,
    call: CallId,
) -> bool {
    if !script.resolved.timed.is_empty() {
        return false;
    }
    let unit = unit_of(script, calls, code_table, call);
    unit.is_some_and(|unit| is_complete_loop(script, code_table, unit))
}

/// The unit of a call of a definition of the script's top level.
fn unit_of(
    script: &ResolvedScript,
    calls: &Calls,
    code_table: &mut CodeTable,
    call: CallId,
) -> Option<UnitId> {
    let callee = calls.callee(call);
    let (CalledCode::Function(id) | CalledCode::Constant(id)) = callee else {
        return None;
    };
    if !is_top_level(script, code_table, id) {
        return None;
    }
    let (unit, _) = unit_at(script, code_table, callee, &Scope::default())?;
    Some(unit)
}

fn is_top_level(script: &ResolvedScript, code_table: &mut CodeTable, id: DeclarationId) -> bool {
    let top_level = code_table.top_level.get_or_insert_with(|| {
        let references = script.resolved.top_level.values();
        let definition = |reference: &Reference| match reference {
            Reference::Local { definition, .. } => *definition,
            _ => None,
        };
        references.filter_map(definition).collect::<FxHashSet<_>>()
    });
    top_level.contains(&id)
}

fn list_with(
    mut source: Evaluation<'_, '_>,
    (term, from): (TermId, Option<EndedListing>),
    threads: &Threads,
    sink: &mut dyn RowSink,
) -> Result<ListingEnd> {
    let so_far = match from {
        Some(ended) => ended.so_far(),
        None => source
            .initial(term)
            .and_then(|tokens| ListedStates::new(&tokens, threads.count()))
            .map(ListingSoFar::of),
    };
    match so_far {
        Some(so_far) => list_all(so_far, &mut Runner::new(source), threads, sink),
        None => Ok(ListingEnd::Impossible),
    }
}

impl Evaluation<'_, '_> {
    /// The tokens of `term`, if code lists it.
    fn initial(&mut self, term: TermId) -> Option<Vec<HeadToken>> {
        let mut tokens = Vec::new();
        let start = self.unfolded_to_code(term)?;
        self.add_tokens(start, &mut tokens)?;
        Some(tokens)
    }

    fn unit_of(&mut self, call: CallId) -> Option<UnitId> {
        let Evaluator { script, names, .. } = &*self.evaluator;
        unit_of(script, &names.calls, self.code_table, call)
    }

    /// The term after the outermost calls of `term` without code are unfolded. The body of such a
    /// call may be a call with code, as in an operator with a single operand.
    fn unfolded_to_code(&mut self, mut term: TermId) -> Option<TermId> {
        for _ in 0..MOST_NESTED {
            let &Term::Call(call) = self.evaluator.terms.get(term) else {
                return Some(term);
            };
            let unit = self.unit_of(call);
            if unit.is_some_and(|unit| self.body(unit).is_some()) {
                return Some(term);
            }
            // A mistake in the script is met again, and reported, by the listing from terms.
            term = Definitions::body(self.evaluator, call).ok()?;
        }
        None
    }

    /// Appends the tokens of `term`, if its calls are calls of definitions of the script's top
    /// level.
    fn add_tokens(&mut self, term: TermId, tokens: &mut Vec<HeadToken>) -> Option<()> {
        match self.evaluator.terms.get(term).clone() {
            Term::Stop => tokens.push(STOP),
            Term::Skip => tokens.push(SKIP),
            Term::Omega => tokens.push(OMEGA),
            Term::Prefix(branches) => {
                tokens.extend([PREFIX, branches.len() as HeadToken]);
                for &(event, then) in branches.iter() {
                    tokens.push(event.0);
                    deep(|| self.add_tokens(then, tokens))?;
                }
            }
            choice @ (Term::Over(Operator::Choice(None), _) | Term::InternalChoice(_)) => {
                let is_internal = matches!(choice, Term::InternalChoice(_));
                let kind = if is_internal { INTERNAL } else { EXTERNAL };
                let operands = choice.operands();
                tokens.extend([kind, operands.len() as HeadToken]);
                for operand in operands {
                    deep(|| self.add_tokens(operand, tokens))?;
                }
            }
            Term::Call(call) => {
                let unit = self.unit_of(call)?;
                tokens.push(CALL + unit.index() as HeadToken);
                for value in &self.evaluator.names.calls.key(call).values {
                    tokens.push(self.code_table.words.word(value)?.0);
                }
            }
            _ => return None,
        }
        Some(())
    }
}
