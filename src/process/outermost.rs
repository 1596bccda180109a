//! Compressions around a whole process, which only slow a search down.
//!
//! Compressing lists every state of the operand, and then the search visits the states that are
//! left. The search alone visits each state of the operand at most once. So a compression saves
//! something only below an operator that puts its result beside other processes.

use super::operator::Operator;
use super::term::{Definitions, Term, TermId};
use base::diag::Result;

/// The largest number of unfoldings before an operator is found. A process that needs more is left
/// as it is, because its recursion may have no end.
const MOST_UNFOLDED: usize = 1000;

/// `term` without the compressions that stand around the whole process, or inside hiding and
/// renaming of the whole. Traces, failures and divergences are those of `term`, because each of
/// these compressions keeps those of its operand.
pub fn without_outer_compressions(
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Result<TermId> {
    let mut wrappers: Vec<Operator> = Vec::new();
    // The operand of the innermost compression of this kind, and the number of wrappers around it.
    let mut inside = None;
    let mut at = term;
    for _ in 0..MOST_UNFOLDED {
        match definitions.terms().get(at) {
            &Term::Call(call) => at = definitions.body(call)?,
            Term::Over(Operator::Compress(compression), operands)
                if compression.keeps_meaning() =>
            {
                at = operands[0];
                inside = Some((at, wrappers.len()));
            }
            Term::Over(
                operator @ (Operator::Hide(_) | Operator::Project(_) | Operator::Rename(_)),
                operands,
            ) => {
                wrappers.push(operator.clone());
                at = operands[0];
            }
            _ => {
                let Some((operand, count)) = inside else {
                    return Ok(term);
                };
                let terms = definitions.terms_mut();
                let around = wrappers.drain(..count).rev();
                return Ok(
                    around.fold(operand, |process, operator| terms.over(operator, [process]))
                );
            }
        }
    }
    Ok(term)
}
