//! Neighbours in a ring of identities: `(i + 1) % N` and `(i + N - 1) % N`.

use super::arrangement::{Arrangement, Side};
use super::interpreter::Interpreter;
use super::oracle::Oracle;
use super::parameter::Parameter;
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
        parts.add(1, sum, &self.identities.parameter);
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
            PartialValue::Int(number) => self.identities.numbered(number, &self.place)?,
            _ => return Err(self.no_neighbour()),
        };
        if !self.identities.parameter.counts_from_0() {
            return Err(self.no_neighbour());
        }
        Ok(PartialValue::Id(match side {
            Some(side) => neighbour_of(id, side, &self.identities.arrangement, &mut self.oracle),
            None => id,
        }))
    }

    fn no_neighbour(&self) -> Box<Diagnostic> {
        let name = self.identities.parameter.name();
        self.place.refused_with(
            format!("this is not a neighbour of an identity from 0 to {name} - 1"),
            format!(
                "in a ring only (i + 1) % {name} and (i + {name} - 1) % {name} are followed for all sizes"
            ),
        )
    }
}

impl Sum {
    /// Adds `sign` times `expression`.
    fn add(&mut self, sign: i64, expression: ExprId, parameter: &Parameter) {
        let ast = &parameter.script.ast;
        let expression = ast.unbracketed(expression);
        match ast.expr(expression) {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let of_right = if *op == BinaryOp::Add { sign } else { -sign };
                deep(|| self.add(sign, *left, parameter));
                deep(|| self.add(of_right, *right, parameter));
            }
            Expr::Int(number) => {
                self.numbers = self.numbers.saturating_add(number.saturating_mul(sign))
            }
            Expr::Name(_) if parameter.is_named(expression) => self.parameters += sign,
            _ => {
                self.rest.push(expression);
                self.is_negative |= sign < 0;
            }
        }
    }
}

/// The neighbour of `id` on this side.
fn neighbour_of(id: Id, side: Side, arrangement: &Arrangement, oracle: &mut Oracle) -> Id {
    if let Id::Seen(number) = id {
        let neighbour = arrangement.neighbour(number, side);
        return neighbour.map_or(Id::Other, Id::Seen);
    }
    // Each identity out of sight has another neighbour.
    oracle.mix(id == Id::Every);
    // The neighbour may be any identity whose own neighbour on the other side is out of sight.
    let ends: Vec<u8> = arrangement.ends(side.opposite()).collect();
    let found = ends.into_iter().find(|_| oracle.answer());
    found.map_or(Id::Other, Id::Seen)
}
