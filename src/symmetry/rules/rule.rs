//! The rules by name, and which of them is for which operator.

use crate::process::term::Term;

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
    /// `prioritise`, `prioritisepo`, `timed_priority`
    Prioritise,
    /// `sbisim` and the other compressions that keep the meaning of every process: they step as their operand does.
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
    /// Recursion through a parallel: this goal is proved elsewhere, perhaps from itself, but behind an event.
    Recursion,
    /// Recursion: decided on the transition systems.
    Operational,
    /// A permutation of values becomes one of events.
    Lifting,
    /// The specification, decided on its normal form.
    Specification,
}

impl Rule {
    /// Its number in Table 1, if it has one, and its operator: `rule 11 (||)`, `interrupt (/\)`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Constant => "rule 1 (STOP)",
            Rule::Prefix => "rule 2 (->)",
            Rule::Universal => "RUN and CHAOS",
            Rule::Buffer => "buffer",
            Rule::ExternalChoice => "rule 12 ([])",
            Rule::InternalChoice => "rule 13 (|~|)",
            Rule::Parallel => "rule 10 ([| |])",
            Rule::Alphabetised => "rule 11 (||)",
            Rule::Sequential => "rule 6 (;)",
            Rule::Hide => "rule 7 (\\)",
            Rule::Rename => "rule 8 ([[ ]])",
            Rule::Prioritise => "prioritise",
            Rule::Compress => "compression",
            Rule::Linked => "linked parallel ([<->])",
            Rule::Interrupt => "interrupt (/\\)",
            Rule::SlidingChoice => "sliding choice ([>)",
            Rule::Exception => "exception ([| |>)",
            Rule::SynchronisingChoice => "synchronising choice ([+ +])",
            Rule::SynchronisingInterrupt => "synchronising interrupt (/+ +\\)",
            Rule::Unfold => "named process",
            Rule::Recursion => "recursion",
            Rule::Operational => "transition system",
            Rule::Lifting => "lifting",
            Rule::Specification => "specification",
        }
    }
}

/// The rule of the outermost operator of a term.
pub(super) fn rule_of(term: &Term) -> Rule {
    match term {
        Term::Call(_) => Rule::Unfold,
        Term::Stop | Term::Skip | Term::Omega | Term::Div => Rule::Constant,
        Term::Run(_) | Term::Chaos(_) => Rule::Universal,
        Term::Prefix(_) => Rule::Prefix,
        Term::ExternalChoice(_) => Rule::ExternalChoice,
        Term::InternalChoice(_) => Rule::InternalChoice,
        Term::Sequential(..) => Rule::Sequential,
        Term::Interrupt(..) => Rule::Interrupt,
        Term::SlidingChoice(..) => Rule::SlidingChoice,
        Term::Exception(..) => Rule::Exception,
        Term::SynchronisingChoice(..) => Rule::SynchronisingChoice,
        Term::SynchronisingInterrupt(..) => Rule::SynchronisingInterrupt,
        Term::Parallel(..) => Rule::Parallel,
        Term::Alphabetised(_) => Rule::Alphabetised,
        Term::Linked(..) => Rule::Linked,
        Term::Hide(..) | Term::Project(..) => Rule::Hide,
        Term::Rename(..) => Rule::Rename,
        Term::Prioritise(..) => Rule::Prioritise,
        Term::Watchdog(_) => Rule::Operational,
        Term::Compress(..) => Rule::Compress,
        Term::Buffer(..) => Rule::Buffer,
    }
}
