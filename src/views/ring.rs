//! Neighbours in a ring of identities: `(i + 1) % N` and `(i + N - 1) % N`.

use super::arrangement::Side;
use super::interpreter::Interpreter;
use super::value::{Frames, Id, PartialValue};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use syntax::ast::{BinaryOp, Expr, ExprId};

/// A sum of one expression, numbers and multiples of the parameter.
#[derive(Default)]
struct Sum {
    /// The parts that are neither numbers nor the parameter.
    rest: Vec<ExprId>,
    /// True if the part in `rest` is subtracted.
    is_negative: bool,
    numbers: i64,
    parameters: i64,
}

impl Interpreter<'_> {
    /// The value of `sum % N`, where N is the number of identities.
    pub(super) fn in_ring(&mut self, sum: ExprId, environment: &Frames) -> Result<PartialValue> {
        let mut parts = Sum::default();
        self.add_up(sum, 1, &mut parts);
        let side = match (parts.numbers, parts.parameters) {
            (0, 0..) => None,
            (1, 0..) => Some(Side::Next),
            // Without the parameter, the sum would be less than 0 for some identity.
            (-1, 1..) => Some(Side::Previous),
            _ => return Err(self.no_neighbour()),
        };
        let ([rest], false) = (&parts.rest[..], parts.is_negative) else {
            return Err(self.no_neighbour());
        };
        let id = match self.evaluate(*rest, environment)? {
            PartialValue::Id(id) => id,
            PartialValue::Int(number) => self.numbered(number)?,
            _ => return Err(self.no_neighbour()),
        };
        if !self.counts_from_0() {
            return Err(self.no_neighbour());
        }
        Ok(PartialValue::Id(match side {
            Some(side) => self.neighbour(id, side),
            None => id,
        }))
    }

    fn no_neighbour(&self) -> Box<Diagnostic> {
        let name = self.parameter_name();
        self.refused_with(
            format!("this is not a neighbour of an identity from 0 to {name} - 1"),
            format!("in a ring only (i + 1) % {name} and (i + {name} - 1) % {name} are followed for all sizes"),
        )
    }

    /// Adds `sign` times `expression` to `sum`.
    fn add_up(&self, expression: ExprId, sign: i64, sum: &mut Sum) {
        let expression = self.ast().unbracketed(expression);
        match self.ast().expr(expression) {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let of_right = if *op == BinaryOp::Add { sign } else { -sign };
                deep(|| self.add_up(*left, sign, sum));
                deep(|| self.add_up(*right, of_right, sum));
            }
            Expr::Int(number) => {
                sum.numbers = sum.numbers.saturating_add(number.saturating_mul(sign))
            }
            Expr::Name(_) if self.is_parameter(expression) => sum.parameters += sign,
            _ => {
                sum.rest.push(expression);
                sum.is_negative |= sign < 0;
            }
        }
    }

    /// The neighbour of `id` on this side.
    fn neighbour(&mut self, id: Id, side: Side) -> Id {
        if let Id::Seen(number) = id {
            let neighbour = self.arrangement.neighbour(number, side);
            return neighbour.map_or(Id::Other, Id::Seen);
        }
        // Each identity out of sight has another neighbour.
        self.is_mixed |= id == Id::Every;
        // The neighbour may be any identity whose own neighbour on the other side is out of sight.
        let ends: Vec<u8> = self.arrangement.ends(side.opposite()).collect();
        let found = ends.into_iter().find(|_| self.oracle.answer());
        found.map_or(Id::Other, Id::Seen)
    }
}
