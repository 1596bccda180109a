//! Tests of the rules on terms made here; `tests/semantics/proofs/` has tests on scripts.

mod many;
mod random;
pub(crate) mod terms;

use super::Prover;
use crate::permutation::EventPermutation;
use crate::start::Start;
use lts::explore::LeafLimits;
use machine::CompileOptions;
use process::table::DefinitionTable;
use process::term::Definitions;

pub(crate) const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(3000));

#[test]
fn neither_side_of_a_prefix_may_offer_more() {
    let mut table = DefinitionTable::new();
    let terms = table.terms_mut();
    let [a, b] = ["a", "b"].map(|name| terms.events.intern(name));
    let stop = terms.stop();
    let less = terms.prefix(vec![(a, stop)]);
    let more = terms.prefix(vec![(a, stop), (b, stop)]);
    for (left, right) in [(less, more), (more, less)] {
        let mut prover = Prover::new(&mut table, &OPTIONS);
        let proved = prover.prove(left, &EventPermutation::identity(), right);
        assert!(proved.expect("both are finite").is_err());
    }
}
