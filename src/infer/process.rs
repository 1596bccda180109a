//! Types in process operators.

use super::constraint::Constraint;
use super::environment::Environment;
use super::expression::GeneratorSource;
use super::frames::SlotContent;
use super::inference::Inference;
use super::reason::{TypeReason, what};
use super::scheme::Scheme;
use super::script::InputScript;
use super::types::{Type, Types};
use base::diag::{Diagnostic, Result};
use syntax::ast::{
    Expr, ExprId, Field, PatternId, ProcessOp, ReplicatedOp, SetOp, Statement, Ties,
};

impl Inference<'_> {
    /// Types the operands of the process operator `id`.
    pub(super) fn process(&mut self, id: ExprId) {
        let ast = self.script.ast;
        match ast.expr(id) {
            Expr::Prefix(channel, fields, process) => self.prefix(*channel, fields, *process),
            Expr::Guard(condition, process) => self.guard(*condition, *process),
            Expr::Process(operator, left, right) => {
                self.expect_all(&[*left, *right], Types::PROCESS, operand(*operator))
            }
            Expr::Over(operator, left, events, right) => {
                self.synchronised(&[*left, *right], &[*events], operand_beside_set(*operator))
            }
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => self.synchronised(
                &[*left, *right],
                &[*left_alphabet, *right_alphabet],
                "an operand of `[ || ]`",
            ),
            Expr::Hide(process, events) => {
                self.synchronised(&[*process], &[*events], "what stands before `\\`")
            }
            Expr::Project(process, events) => {
                self.synchronised(&[*process], &[*events], "what stands before `|\\`")
            }
            Expr::LinkedParallel { left, ties, right } => {
                self.expect_all(&[*left, *right], Types::PROCESS, "an operand of `[ <-> ]`");
                self.ties(ties);
            }
            Expr::Rename(process, ties) => {
                self.expect_all(&[*process], Types::PROCESS, "what is renamed");
                self.ties(ties);
            }
            Expr::Replicated(operator, statements, process) => {
                self.replicated(operator, statements, *process)
            }
            _ => {}
        }
    }

    fn guard(&mut self, condition: ExprId, process: ExprId) {
        self.expect_all(&[condition], Types::BOOL, what::GUARD);
        self.expect_all(&[process], Types::PROCESS, "what stands after `&`");
    }

    /// Types `operands` as processes, and `events` as sets of events.
    fn synchronised(&mut self, operands: &[ExprId], events: &[ExprId], what: &'static str) {
        self.expect_all(operands, Types::PROCESS, what);
        for &events in events {
            self.events(events);
        }
    }

    /// Types a set of events.
    fn events(&mut self, events: ExprId) {
        let expected = self.types.set(Types::EVENT);
        self.expect_all(&[events], expected, "a set of events");
    }

    /// Types the pairs of a renaming or link, whose two sides lack equal fields of an event.
    fn ties(&mut self, ties: &Ties) {
        self.within(&ties.statements, GeneratorSource::Sets, |inference| {
            let mut lacking = Vec::new();
            for &(left, _) in &ties.pairs {
                let part = inference.types.extendable(Types::EVENT);
                inference.expect_all(&[left], part, "a channel or an event");
                lacking.push(part);
            }
            for (&(left, right), part) in ties.pairs.iter().zip(lacking) {
                let place = inference.script.span(left);
                let typed =
                    inference.expect(right, part, TypeReason::Like(what::SIDE_OF_PAIR, place));
                inference.problems.report(typed);
            }
        });
    }

    fn replicated(&mut self, operator: &ReplicatedOp, statements: &[Statement], process: ExprId) {
        // These events stand outside the scope of the statements.
        if let ReplicatedOp::GeneralisedParallel(events)
        | ReplicatedOp::SynchronisingChoice(events) = operator
        {
            self.events(*events);
        }
        let source = match operator {
            ReplicatedOp::Sequential | ReplicatedOp::LinkedParallel(_) => {
                GeneratorSource::Sequences
            }
            _ => GeneratorSource::Sets,
        };
        self.within(statements, source, |inference| {
            match operator {
                ReplicatedOp::AlphabetisedParallel(alphabet) => inference.events(*alphabet),
                ReplicatedOp::LinkedParallel(ties) => inference.ties(ties),
                _ => {}
            }
            inference.expect_all(&[process], Types::PROCESS, "what is replicated");
        });
    }

    fn prefix(&mut self, channel: ExprId, fields: &[Field], process: ExprId) {
        if fields.is_empty() {
            self.expect_all(&[channel], Types::EVENT, "what stands before `->`");
            return self.continuation(process);
        }
        let choices = choices_come_first(self.script, fields);
        self.problems.report(choices);
        let depth = self.environment.chain().len();
        let mut parts = vec![self.expression(channel)];
        for field in fields {
            let part = self.field(field);
            parts.push(self.problems.typed(part));
        }
        let fits = self.check().communication(channel, fields, &parts);
        if fits.is_err() {
            self.problems.report(fits);
            self.environment.forget_inputs(fields, depth);
        }
        self.continuation(process);
        self.environment.leave_to(depth);
    }

    /// Returns `ty`, the type of the input `pattern`, which a channel must be able to carry.
    fn complete(&mut self, pattern: PatternId, ty: Type) -> Result<Type> {
        let place = self.script.pattern_span(pattern);
        self.check().require(Constraint::Complete, ty, place)?;
        Ok(ty)
    }

    fn continuation(&mut self, process: ExprId) {
        self.expect_all(&[process], Types::PROCESS, "what stands after `->`");
    }

    /// The type of one field. Enters the frame of an input.
    fn field(&mut self, field: &Field) -> Result<Type> {
        match field {
            Field::Output(value) => Ok(self.expression(*value)),
            Field::Input(pattern, None) | Field::Nondeterministic(pattern, None) => {
                let ty = self.enter_patterns(&[*pattern])[0];
                self.complete(*pattern, ty)
            }
            Field::Input(pattern, Some(set)) | Field::Nondeterministic(pattern, Some(set)) => {
                let given = self.expression(*set);
                let ty = self.enter_patterns(&[*pattern])[0];
                let expected = self.types.set(ty);
                let reason = TypeReason::Taken("what a field is restricted to");
                self.check().fitting(*set, (expected, given), reason)?;
                self.complete(*pattern, ty)
            }
        }
    }
}

impl Environment<'_> {
    /// Lets the inputs of `fields` fit everywhere: their types would be wrong wherever they are
    /// used. Their frames begin at `depth`.
    fn forget_inputs(&mut self, fields: &[Field], depth: usize) {
        let frames = self.chain()[depth..].to_vec();
        let inputs = fields.iter().filter_map(|field| match field {
            Field::Output(_) => None,
            Field::Input(pattern, _) | Field::Nondeterministic(pattern, _) => Some(*pattern),
        });
        // Inputs and frames go in step: an output enters no frame.
        for (pattern, frame) in inputs.zip(frames) {
            for (_, slot) in self.script.pattern_variables(pattern) {
                let unknown = SlotContent::Value(Scheme::of(Types::UNKNOWN));
                self.frames.fill_in(frame, slot, unknown);
            }
        }
    }
}

/// Fails if a `$` field stands behind `?` or `!`. A process makes its own choices before it
/// communicates.
fn choices_come_first(script: InputScript<'_>, fields: &[Field]) -> Result<()> {
    let is_choice = |field: &&Field| matches!(field, Field::Nondeterministic(..));
    let Some(first) = fields.iter().position(|field| !is_choice(&field)) else {
        return Ok(());
    };
    match fields[first..].iter().find(is_choice) {
        Some(late) => {
            let (late, first) = (script.field_span(late), script.field_span(&fields[first]));
            let message = "a `$` field stands before `?` and `!`";
            Diagnostic::error("choice-after-input", message)
                .at(late, "this is chosen by the process itself")
                .at(first, "this field comes first")
                .hint("put the `$` fields first, or choose with `|~|` before the prefix")
                .into()
        }
        None => Ok(()),
    }
}

fn operand(operator: ProcessOp) -> &'static str {
    match operator {
        ProcessOp::ExternalChoice => "an operand of `[]`",
        ProcessOp::InternalChoice => "an operand of `|~|`",
        ProcessOp::Sequential => "an operand of `;`",
        ProcessOp::Interleave => "an operand of `|||`",
        ProcessOp::Interrupt => "an operand of `/\\`",
        ProcessOp::SlidingChoice => "an operand of `[>`",
    }
}

fn operand_beside_set(operator: SetOp) -> &'static str {
    match operator {
        SetOp::GeneralisedParallel => "an operand of `[| |]`",
        SetOp::Exception => "an operand of `[| |>`",
        SetOp::SynchronisingChoice => "an operand of `[+ +]`",
        SetOp::SynchronisingInterrupt => "an operand of `/+ +\\`",
    }
}
