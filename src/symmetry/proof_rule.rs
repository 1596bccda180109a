//! The rules by name.

/// The rules, numbered as in Table 1 where it has them; several rules of the table are one here,
/// because a term has no index variables, only operands, and the index permutation is found by
/// matching them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProofRule {
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
    /// `prioritise`, `prioritisepo`, `timed_priority`
    Prioritise,
    /// `sbisim` and the other compressions that keep the meaning of every process: they step as
    /// their operand does.
    Compress,
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
    /// Recursion through a parallel: this goal is proved elsewhere, perhaps from itself, but behind
    /// an event.
    Recursion,
    /// Recursion: decided on the transition systems.
    Operational,
    /// A permutation of values becomes one of events.
    Lifting,
    /// The specification, decided on its normal form.
    Specification,
}

impl ProofRule {
    /// Its number in Table 1, if it has one, and its operator: `rule 11 (||)`, `interrupt (/\)`.
    pub fn name(self) -> &'static str {
        match self {
            ProofRule::Constant => "rule 1 (STOP)",
            ProofRule::Prefix => "rule 2 (->)",
            ProofRule::Universal => "RUN and CHAOS",
            ProofRule::Buffer => "buffer",
            ProofRule::ExternalChoice => "rule 12 ([])",
            ProofRule::InternalChoice => "rule 13 (|~|)",
            ProofRule::Parallel => "rule 10 ([| |])",
            ProofRule::Alphabetised => "rule 11 (||)",
            ProofRule::Sequential => "rule 6 (;)",
            ProofRule::Hide => "rule 7 (\\)",
            ProofRule::Rename => "rule 8 ([[ ]])",
            ProofRule::Prioritise => "prioritise",
            ProofRule::Compress => "compression",
            ProofRule::Linked => "linked parallel ([<->])",
            ProofRule::Interrupt => "interrupt (/\\)",
            ProofRule::SlidingChoice => "sliding choice ([>)",
            ProofRule::Exception => "exception ([| |>)",
            ProofRule::SynchronisingChoice => "synchronising choice ([+ +])",
            ProofRule::SynchronisingInterrupt => "synchronising interrupt (/+ +\\)",
            ProofRule::Unfold => "named process",
            ProofRule::Recursion => "recursion",
            ProofRule::Operational => "transition system",
            ProofRule::Lifting => "lifting",
            ProofRule::Specification => "specification",
        }
    }
}
