//! Formulas: expressions that are computed from words, without an environment. Their values are
//! numbers, truth values, sequences, finite sets, tuples and maps.

use std::sync::OnceLock;

use super::map_words::map_builtin;
use super::scope::Register;
use super::word::ValueWord;
use super::word_table::{WordKind, WordSource};
use syntax::ast::{BinaryOp, UnaryOp};
use types::builtin::Builtin;

/// An expression over registers.
pub(super) enum Formula {
    Constant(ValueWord),
    Register(Register),
    /// A constant of the script, by its slot, with its word once that is known. It is evaluated
    /// only when it is needed: it might fail, or take for ever.
    Definition(u32, OnceLock<ValueWord>),
    Unary(UnaryOp, Box<Formula>),
    Binary(BinaryOp, Box<[Formula; 2]>),
    /// A built-in function applied to its arguments.
    Builtin(Builtin, Vec<Formula>),
    /// A sequence, set, tuple or map of its items.
    Display(WordKind, Vec<Formula>),
}

/// The inputs from which formulas are computed.
pub(super) struct Given<'g, W> {
    pub(super) registers: &'g [ValueWord],
    pub(super) words: W,
}

impl Formula {
    /// The value. Returns `None` if there is no value, if it is no word, or if the operator does
    /// not apply to values of this kind; the expression has to be evaluated then.
    pub(super) fn value<W: WordSource>(&self, given: &mut Given<'_, W>) -> Option<ValueWord> {
        match self {
            Self::Constant(word) => Some(*word),
            Self::Register(register) => Some(given.registers[*register as usize]),
            Self::Definition(slot, known) => {
                if let Some(word) = known.get() {
                    return Some(*word);
                }
                let word = given.words.constant(*slot)?;
                Some(*known.get_or_init(|| word))
            }
            Self::Unary(op, operand) => {
                let operand = operand.value(given)?;
                match op {
                    UnaryOp::Not => Some(ValueWord::of_bool(!operand.truth()?)),
                    UnaryOp::Negate => ValueWord::of_int(-operand.int()?),
                    UnaryOp::Length => {
                        size(given.words.table().of_kind(WordKind::Sequence, operand)?)
                    }
                }
            }
            Self::Binary(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                // The left side alone decides `false and _` and `true or _`.
                let left = operands[0].value(given)?.truth()?;
                match left == (*op == BinaryOp::Or) {
                    true => Some(ValueWord::of_bool(left)),
                    false => operands[1].value(given),
                }
            }
            Self::Binary(op, operands) => {
                let left = operands[0].value(given)?;
                let right = operands[1].value(given)?;
                binary(*op, left, right, &mut given.words)
            }
            Self::Builtin(builtin, arguments) => {
                let first = arguments[0].value(given)?;
                let Some(second) = arguments.get(1) else {
                    return unary_builtin(*builtin, first, &mut given.words);
                };
                let second = second.value(given)?;
                let Some(third) = arguments.get(2) else {
                    return binary_builtin(*builtin, first, second, &mut given.words);
                };
                let third = third.value(given)?;
                map_builtin(*builtin, &[first, second, third], &mut given.words)
            }
            Self::Display(kind, items) => {
                let values = items.iter().map(|item| item.value(given));
                let mut values = values.collect::<Option<Vec<ValueWord>>>()?;
                if *kind == WordKind::Set {
                    values.sort_unstable();
                    values.dedup();
                }
                given.words.number(*kind, &values)
            }
        }
    }
}

fn size(items: &[ValueWord]) -> Option<ValueWord> {
    ValueWord::of_int(items.len() as i64)
}

fn unary_builtin(
    builtin: Builtin,
    operand: ValueWord,
    words: &mut impl WordSource,
) -> Option<ValueWord> {
    let kind = match builtin {
        Builtin::Card | Builtin::Empty => WordKind::Set,
        _ => WordKind::Sequence,
    };
    let items = words.table().of_kind(kind, operand)?;
    match builtin {
        Builtin::Card | Builtin::Length => size(items),
        Builtin::Empty | Builtin::Null => Some(ValueWord::of_bool(items.is_empty())),
        Builtin::Head => items.first().copied(),
        Builtin::Tail => {
            let rest = items.get(1..)?.to_vec();
            words.number(WordKind::Sequence, &rest)
        }
        _ => None,
    }
}

fn binary_builtin(
    builtin: Builtin,
    left: ValueWord,
    right: ValueWord,
    words: &mut impl WordSource,
) -> Option<ValueWord> {
    let table = words.table();
    let sets = || {
        let [left, right] = [left, right].map(|set| table.of_kind(WordKind::Set, set));
        Some((left?.to_vec(), right?.to_vec()))
    };
    let members = match builtin {
        Builtin::Member => {
            let set = table.of_kind(WordKind::Set, right)?;
            return Some(ValueWord::of_bool(set.binary_search(&left).is_ok()));
        }
        Builtin::Elem => {
            let sequence = table.of_kind(WordKind::Sequence, right)?;
            return Some(ValueWord::of_bool(sequence.contains(&left)));
        }
        Builtin::Union2 => {
            let (mut left, right) = sets()?;
            left.extend(right);
            left.sort_unstable();
            left.dedup();
            left
        }
        Builtin::Inter2 | Builtin::Diff => {
            let (mut left, right) = sets()?;
            let keeps = builtin == Builtin::Inter2;
            left.retain(|word| right.binary_search(word).is_ok() == keeps);
            left
        }
        _ => return map_builtin(builtin, &[left, right], words),
    };
    words.number(WordKind::Set, &members)
}

fn binary(
    op: BinaryOp,
    left: ValueWord,
    right: ValueWord,
    words: &mut impl WordSource,
) -> Option<ValueWord> {
    let (Some(x), Some(y)) = (left.int(), right.int()) else {
        return of_values(op, left, right, words);
    };
    // Both have 31 bits, so that nothing overflows 64. Division rounds towards minus infinity.
    let quotient = |x: i64, y: i64| x.div_euclid(y) - i64::from(y < 0 && x.rem_euclid(y) != 0);
    match op {
        BinaryOp::Add => ValueWord::of_int(x + y),
        BinaryOp::Subtract => ValueWord::of_int(x - y),
        BinaryOp::Multiply => ValueWord::of_int(x * y),
        BinaryOp::Divide | BinaryOp::Modulo if y == 0 => None,
        BinaryOp::Divide => ValueWord::of_int(quotient(x, y)),
        BinaryOp::Modulo => ValueWord::of_int(x - y * quotient(x, y)),
        BinaryOp::Equal => Some(ValueWord::of_bool(x == y)),
        BinaryOp::NotEqual => Some(ValueWord::of_bool(x != y)),
        BinaryOp::Less => Some(ValueWord::of_bool(x < y)),
        BinaryOp::LessEqual => Some(ValueWord::of_bool(x <= y)),
        BinaryOp::Greater => Some(ValueWord::of_bool(x > y)),
        BinaryOp::GreaterEqual => Some(ValueWord::of_bool(x >= y)),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Concat => None,
    }
}

/// The value of an operator on two values, at least one of which is no small integer.
fn of_values(
    op: BinaryOp,
    left: ValueWord,
    right: ValueWord,
    words: &mut impl WordSource,
) -> Option<ValueWord> {
    match op {
        BinaryOp::Concat => {
            let table = words.table();
            let first = table.of_kind(WordKind::Sequence, left)?;
            let second = table.of_kind(WordKind::Sequence, right)?;
            let joined = [first, second].concat();
            words.number(WordKind::Sequence, &joined)
        }
        // Equal words are equal values. Different words are different values too, but for sets in
        // symbols, which may be equal all the same: the evaluator decides about those.
        BinaryOp::Equal | BinaryOp::NotEqual => {
            let equal = left == right;
            let table = words.table();
            let decides = equal || table.is_plain(left) && table.is_plain(right);
            decides.then(|| ValueWord::of_bool(equal == (op == BinaryOp::Equal)))
        }
        _ => None,
    }
}
