//! The code that runs to list the states of processes: units with registers instead of names.

use std::sync::Arc;

use super::formula::Formula;
use super::scope::{Register, Scope};
use crate::call_table::CalledCode;
use base::define_index;
use base::stack::deep;
use syntax::ast::{ExprId, PatternId};

define_index! {
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    /// A definition, or the continuation of a prefix.
    UnitId,
    #[allow(unreachable_pub, reason = "all ids are declared alike")]
    /// A part of the script that is evaluated, and whose results are remembered.
    PartId,
}

/// The code of a call.
pub(super) struct Unit {
    /// The code. A unit runs in registers of its own. The first ones hold the values of the
    /// `CallKey`: free variables, then arguments.
    pub(super) callee: CalledCode,
    /// The scope in which the code stands. Only free variables have registers.
    pub(super) home: Scope,
    /// The number of values by which its calls are equal.
    pub(super) width: u32,
    /// The body, once it was needed: it may contain calls of the unit itself.
    pub(super) body: Option<Arc<Body>>,
}

/// The code of a unit.
pub(super) struct Body {
    /// The number of registers it needs.
    pub(super) registers: u32,
    /// The choice of the clause; `None` if there is one clause, which always matches.
    pub(super) selection: Option<ClauseSelection>,
    /// The code of each clause.
    pub(super) clauses: Vec<ClauseCode>,
}

/// The choice between clauses.
pub(super) struct ClauseSelection {
    /// The registers of the arguments that some clause compares with something.
    pub(super) tested: Vec<Register>,
    /// The part whose result is the choice.
    pub(super) part: PartId,
}

/// One clause.
pub(super) struct ClauseCode {
    /// The patterns that the tested arguments have to match.
    pub(super) patterns: Vec<PatternId>,
    /// The first register of the variables in these patterns. They are bound in the order of the
    /// patterns, those of one pattern in the order of their slots.
    pub(super) first: Register,
    /// The process of the clause.
    pub(super) code: ProcessCode,
}

/// A process expression.
pub(super) enum ProcessCode {
    /// `STOP`
    Stop,
    /// `SKIP`
    Skip,
    /// Events, each with values for `width` registers from `first` on, then the continuation.
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
    /// `[] stmts @ P`, or `|~| stmts @ P`: one operand for each environment of the statements, with
    /// values for `width` registers from `first` on.
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

/// The source of a value.
pub(super) enum Argument {
    /// It is in a register.
    Register(Register),
    /// A formula computed from words. If that fails, the part is evaluated.
    Formula(Formula, PartId),
    /// A part that is evaluated.
    Part(PartId),
}

/// A part of the script that is evaluated in an environment.
pub(super) struct EvaluatedPart {
    /// The thing that is evaluated.
    pub(super) kind: PartKind,
    /// The scope in which it stands.
    pub(super) scope: Scope,
    /// The registers on which its value depends.
    pub(super) free: Vec<Register>,
}

/// The kinds of parts, and the words that they are evaluated to.
#[derive(Clone, Copy)]
pub(super) enum PartKind {
    /// An expression, to one word.
    Value(ExprId),
    /// The channel and fields of a prefix, to events, each with the words that its inputs bind.
    Offers(ExprId),
    /// The statements of a replicated operator, to the words that each environment binds.
    Environments(ExprId),
    /// The clause of a unit that matches, with the words that its patterns bind.
    Clause(UnitId),
}
