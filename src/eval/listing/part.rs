//! Evaluates parts as the evaluator does for terms.

use std::rc::Rc;
use std::sync::Arc;

use super::code::{PartId, PartKind, UnitId};
use super::code_table::CodeTable;
use super::scope::{Scope, ScopedFrame};
use super::word::{ValueWord, ValueWords};
use crate::call_table::CalledCode;
use crate::environment::{Frame, GeneratorKind};
use crate::evaluator::Evaluator;
use crate::pattern::Matcher;
use crate::prefix::Prefix;
use crate::value::{Lazy, Value};
use syntax::ast::{Expr, Field, Statement};

/// Appends the words of `part`, with these values of registers, to `found`.
pub(super) fn evaluate(
    evaluator: &mut Evaluator<'_>,
    code_table: &mut CodeTable,
    part: PartId,
    registers: &[ValueWord],
    found: &mut Vec<ValueWord>,
) -> Option<()> {
    let part = &code_table.parts[part];
    let environment = environment(evaluator, &part.scope, &code_table.words, registers);
    let words = &mut code_table.words;
    match part.kind {
        PartKind::Value(expression) => {
            let value = evaluator.evaluate(expression, &environment).ok()?;
            found.push(word(evaluator, words, &value)?);
            Some(())
        }
        PartKind::Offers(prefix) => {
            let Expr::Prefix(channel, fields, _) = evaluator.script.ast.expr(prefix) else {
                return None;
            };
            let prefix = Prefix {
                evaluator,
                expression: prefix,
                fields,
                environment: &environment,
            };
            let is_input = |field: &&Field| matches!(field, Field::Input(..));
            let inputs = fields.iter().filter(is_input).count();
            let mut are_words = true;
            let offered = prefix.offers(*channel, |evaluator, event, frame| {
                found.push(ValueWord(event.0));
                are_words &= bound(evaluator, words, frame, inputs, found).is_some();
                Ok(())
            });
            (offered.is_ok() && are_words).then_some(())
        }
        PartKind::Environments(operator) => {
            let Expr::Replicated(_, statements, _) = evaluator.script.ast.expr(operator) else {
                return None;
            };
            let sets = GeneratorKind::Sets;
            let all = evaluator
                .environments(statements, sets, &environment)
                .ok()?;
            let is_generator = |s: &&Statement| matches!(s, Statement::Generator(..));
            let generators = statements.iter().filter(is_generator).count();
            // Statements that bind nothing have as many environments all the same.
            found.push(ValueWord(all.len() as u32));
            for frame in all {
                bound(evaluator, words, &frame, generators, found)?;
            }
            Some(())
        }
        PartKind::Clause(unit) => {
            clause(evaluator, code_table, unit, &environment, registers, found)
        }
    }
}

/// The frames of `scope` with these values of registers.
fn environment(
    evaluator: &mut Evaluator<'_>,
    scope: &Scope,
    words: &ValueWords,
    registers: &[ValueWord],
) -> Rc<Frame> {
    let Some((frame, around)) = scope.innermost() else {
        return evaluator.top();
    };
    let around = environment(evaluator, around, words, registers);
    match frame {
        ScopedFrame::Variables(slots) => {
            let frame = Frame::new(slots.len() as u32, Some(&around));
            for (slot, register) in slots.iter().enumerate() {
                if let Some(register) = register {
                    let value = words.value(registers[*register as usize]);
                    frame.set_value(slot as u32, value);
                }
            }
            frame
        }
        &ScopedFrame::Let(expression) => match evaluator.script.ast.expr(expression) {
            Expr::Let(declarations, _) => {
                evaluator
                    .declared
                    .let_frame(evaluator.script, expression, declarations, &around)
            }
            _ => unreachable!("this frame is one of a `let`"),
        },
    }
}

/// The first clause of `unit` whose patterns match the tested arguments, and the words they bind.
fn clause(
    evaluator: &mut Evaluator<'_>,
    code_table: &mut CodeTable,
    unit: UnitId,
    environment: &Rc<Frame>,
    registers: &[ValueWord],
    found: &mut Vec<ValueWord>,
) -> Option<()> {
    let body = Arc::clone(code_table.units[unit].body.as_ref()?);
    let selection = body.selection.as_ref()?;
    let CalledCode::Function(id) = code_table.units[unit].callee else {
        return None;
    };
    let groups = &evaluator.script.clauses(id)[0].groups;
    // Constants in the patterns of a later group are seen from inside the frames of those before.
    if groups.len() > 1 {
        return None;
    }
    let mut values = Vec::new();
    for &register in &selection.tested {
        values.push(Lazy::Value(
            code_table.words.value(registers[register as usize]),
        ));
    }
    'clauses: for (number, clause) in body.clauses.iter().enumerate() {
        let start = found.len();
        found.push(ValueWord(number as u32));
        for (&pattern, value) in clause.patterns.iter().zip(&values) {
            let mut matcher = Matcher::new(evaluator, environment);
            if !matcher.matches(pattern, value).ok()? {
                found.truncate(start);
                continue 'clauses;
            }
            for (_, lazy) in &matcher.bindings() {
                let name = evaluator.name_of(lazy).ok()?;
                found.push(code_table.words.word(&name)?);
            }
        }
        return Some(());
    }
    None
}

/// The words that the innermost `frames` frames bind, the outermost of them first.
fn bound(
    evaluator: &mut Evaluator<'_>,
    words: &mut ValueWords,
    frame: &Rc<Frame>,
    frames: usize,
    found: &mut Vec<ValueWord>,
) -> Option<()> {
    for up in (0..frames as u32).rev() {
        let frame = Rc::clone(frame.ancestor(up));
        for slot in 0..frame.size() {
            let name = evaluator.name_of_slot(&frame, slot).ok()?;
            found.push(words.word(&name)?);
        }
    }
    Some(())
}

/// The word of a value.
fn word(evaluator: &mut Evaluator<'_>, words: &mut ValueWords, value: &Value) -> Option<ValueWord> {
    let value = evaluator.force_deep(value).ok()?;
    words.word(&value)
}
