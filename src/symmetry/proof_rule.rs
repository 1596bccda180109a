//! The names of the rules.

use process::operator::Operator;

/// The rules, numbered as in Table 1 of the paper where it has them. Several rules of the table are
/// one here, because a term has no index variables, only operands, and the index permutation is
/// found by matching them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProofRule {
    /// The rule of this number in Table 1, and the symbol of its operator.
    Numbered(u8, [&'static str; 2]),
    /// The rule of an operator that is not in Table 1: its name and symbol.
    Named(&'static str, [&'static str; 2]),
    /// `RUN`, `CHAOS`
    Universal,
    /// Built-in buffers.
    Buffer,
    /// `prioritise`, `prioritisepo`, `timed_priority`
    Prioritise,
    /// `sbisim` and the other compressions that keep the meaning of every process: they step as
    /// their operand does.
    Compress,
    /// Linked parallel.
    Linked,
    /// Unfolding: a named process that is not recursive is its body.
    Unfold,
    /// Recursion through a parallel: this goal is proved elsewhere, perhaps from itself, but behind
    /// an event.
    Recursion,
    /// Recursion, decided on the transition systems.
    Operational,
    /// The lifting of a permutation of values to one of events.
    Lifting,
    /// The specification, decided on its normal form.
    Specification,
}

impl ProofRule {
    /// The name: its number in Table 1, if it has one, and its operator, as in `rule 11 (||)` and
    /// `interrupt (/\)`.
    pub fn name(self) -> String {
        let symbol = |[open, close]: [&str; 2]| match close {
            "" => open.to_string(),
            _ => format!("{open} {close}"),
        };
        let name = match self {
            ProofRule::Numbered(number, parts) => {
                return format!("rule {number} ({})", symbol(parts));
            }
            ProofRule::Named(name, parts) => return format!("{name} ({})", symbol(parts)),
            ProofRule::Universal => "RUN and CHAOS",
            ProofRule::Buffer => "buffer",
            ProofRule::Prioritise => "prioritise",
            ProofRule::Compress => "compression",
            ProofRule::Linked => "linked parallel ([<->])",
            ProofRule::Unfold => "named process",
            ProofRule::Recursion => "recursion",
            ProofRule::Operational => "transition system",
            ProofRule::Lifting => "lifting",
            ProofRule::Specification => "specification",
        };
        name.to_string()
    }

    /// The rule of `operator`.
    pub fn of(operator: &Operator) -> Self {
        let [name, open, close] = operator.name();
        let number = match operator {
            Operator::Prioritise(_) => return Self::Prioritise,
            Operator::Compress(_) => return Self::Compress,
            Operator::Linked(_) => return Self::Linked,
            // Projection has the rule of `\`.
            Operator::Project(set) => return Self::of(&Operator::Hide(*set)),
            Operator::Sequential => 6,
            Operator::Hide(_) => 7,
            Operator::Rename(_) => 8,
            // Rules 4, 5, 9 and 10 of the table.
            Operator::Parallel(_) => 10,
            Operator::Alphabetised(_) => 11,
            // Rules 3 and 12 of the table.
            Operator::Choice(None) => 12,
            _ => return Self::Named(name, [open, close]),
        };
        Self::Numbered(number, [open, close])
    }
}
