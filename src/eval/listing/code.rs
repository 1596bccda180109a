//! The form in which processes are run to list their states: units of code, with registers instead
//! of names.

use std::sync::Arc;

use super::formula::Formula;
use super::scope::{Register, Scope};
use crate::call_table::CalledCode;
use base::define_index;
use base::stack::deep;
use syntax::ast::{ExprId, PatternId};

define_index! {
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    /// A definition, or what follows a prefix.
    UnitId,
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    /// A part that is evaluated, with the results that are remembered.
    PartId,
}

/// What a call runs.
pub(super) struct Unit {
    /// The code. A unit runs in registers of its own; first come the values that make its calls
    /// equal, as in a `CallKey`: free variables, then arguments.
    pub(super) callee: CalledCode,
    /// Where the code stands. Only free variables have registers.
    pub(super) home: Scope,
    /// How many values make its calls equal.
    pub(super) width: u32,
    /// The code, once it was needed: it may contain calls of the unit itself.
    pub(super) body: Option<Arc<Body>>,
}

/// The code of a unit.
pub(super) struct Body {
    /// How many registers it needs.
    pub(super) registers: u32,
    /// Which of the clauses runs, if there are several or one may not match.
    pub(super) selection: Option<ClauseSelection>,
    /// One of each clause.
    pub(super) clauses: Vec<ClauseCode>,
}

/// What decides between clauses.
pub(super) struct ClauseSelection {
    /// The arguments that some clause compares with something.
    pub(super) tested: Vec<Register>,
    /// Remembers the choice.
    pub(super) part: PartId,
}

/// One clause.
pub(super) struct ClauseCode {
    /// The patterns that its tested arguments have to match.
    pub(super) patterns: Vec<PatternId>,
    /// The first of the registers of the variables in these patterns, which are bound in the order
    /// of the patterns, those of one pattern in the order of their slots.
    pub(super) first: Register,
    /// What the clause does.
    pub(super) code: ProcessCode,
}

/// A process expression.
pub(super) enum ProcessCode {
    /// `STOP`
    Stop,
    /// `SKIP`
    Skip,
    /// Events, each with values for `width` registers from `first` on, then what follows.
    Prefix {
        offers: PartId,
        first: Register,
        width: u32,
        then: Box<ProcessCode>,
    },
    /// `[]`
    ExternalChoice(Vec<ProcessCode>),
    /// `|~|`
    InternalChoice(Vec<ProcessCode>),
    /// `[] stmts @ P`, or `|~| stmts @ P`: one operand for each environment of the statements,
    /// which has values for `width` registers from `first` on.
    Replicated {
        is_external: bool,
        environments: PartId,
        first: Register,
        width: u32,
        operand: Box<ProcessCode>,
    },
    /// `if c then P else Q`; a guard has `STOP` as Q.
    If(Argument, Box<[ProcessCode; 2]>),
    /// A call of a unit.
    Call(UnitId, Vec<Argument>),
}

impl ProcessCode {
    /// Visits the units that the code calls.
    pub(super) fn each_call(&self, visit: &mut dyn FnMut(UnitId)) {
        match self {
            Self::Stop | Self::Skip => {}
            Self::Prefix { then, .. } => then.each_call(visit),
            Self::ExternalChoice(operands) | Self::InternalChoice(operands) => {
                operands
                    .iter()
                    .for_each(|operand| deep(|| operand.each_call(visit)));
            }
            Self::Replicated { operand, .. } => deep(|| operand.each_call(visit)),
            Self::If(_, branches) => {
                branches
                    .iter()
                    .for_each(|branch| deep(|| branch.each_call(visit)));
            }
            Self::Call(unit, _) => visit(*unit),
        }
    }
}

/// How a value is found.
pub(super) enum Argument {
    /// It is in a register.
    Register(Register),
    /// Computed from words; where that fails, evaluated.
    Formula(Formula, PartId),
    /// Evaluated.
    Part(PartId),
}

/// A part of the script that is evaluated as ever.
pub(super) struct EvaluatedPart {
    /// What it is.
    pub(super) kind: PartKind,
    /// Where it stands.
    pub(super) scope: Scope,
    /// On what its value depends.
    pub(super) free: Vec<Register>,
}

/// What is evaluated.
#[derive(Clone, Copy)]
pub(super) enum PartKind {
    /// An expression, to one word.
    Value(ExprId),
    /// The channel and fields of a prefix, to events, each with the words that its inputs bind.
    Offers(ExprId),
    /// The statements of a replicated operator, to the words that each environment binds.
    Environments(ExprId),
    /// Which clause of a unit matches, with the words that its patterns bind.
    Clause(UnitId),
}
