//! The rules of Table 1, generalised: does `Pσ = Q` hold, and which operand goes to which?

use std::rc::Rc;

use crate::process::term::TermId;

use super::permutation::EventPermutation;

/// The rules, numbered as in Table 1 where it has them; several rules of the table are one here, because
/// a term has no index variables, only operands, and the index permutation is found by matching them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// 1: `STOP`, and also `SKIP`, `DIV` and what has terminated.
    Constant,
    /// 2: prefix, with every kind of field.
    Prefix,
    /// `RUN`, `CHAOS`
    Universal,
    /// Built-in buffers.
    Buffer,
    /// 3 and 12: `[]`
    ExternalChoice,
    /// 13: `|~|`
    InternalChoice,
    /// 4, 5, 9 and 10: `[| A |]` and `|||`
    Parallel,
    /// 11: `||` with alphabets
    Alphabetised,
    /// 6: `;`
    Sequential,
    /// 7: `\` and `|\`
    Hide,
    /// 8: `[[ ]]`
    Rename,
    /// Linked parallel.
    Linked,
    /// `/\`
    Interrupt,
    /// `[> `
    SlidingChoice,
    /// `[| A |>`
    Exception,
    /// `[+ A +]`
    SynchronisingChoice,
    /// `/+ A +\`
    SynchronisingInterrupt,
    /// A named process that is not recursive is its body.
    Unfold,
    /// Recursion: decided on the transition systems.
    Operational,
    /// A permutation of values becomes one of events.
    Lifting,
    /// The specification, decided on its normal form.
    Specification,
}

/// Why `leftσ = right`: the rule and its premises.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The rule.
    pub rule: Rule,
    /// P
    pub left: TermId,
    /// σ; operands below a renaming have another one than the renaming itself.
    pub sigma: EventPermutation,
    /// Q
    pub right: TermId,
    /// For each operand of P, which operand of Q it goes to: the index permutation ρ.
    pub partners: Vec<usize>,
    /// For each operand of P, the proof that it goes there.
    pub premises: Vec<Rc<Proof>>,
    /// Of [`Rule::Operational`]: by state of P's minimised transition system, the state of Q's.
    pub states: Option<Rc<[u32]>>,
}
