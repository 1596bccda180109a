//! The notation of structures, and the order of factors.

use std::fmt;

use num_bigint::BigUint;

use super::recognised::Structure;

/// Wreath products associate: in A wr B wr C the copies of A are at the bottom, and C permutes the
/// largest blocks. A structure keeps them as (A wr B) wr C, and the text is to be read so; A wr (B
/// wr C) is written with parentheses, though they change nothing.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Structure::Trivial => f.write_str("trivial"),
            Structure::Symmetric(things) => write!(f, "S{things}"),
            Structure::Cyclic(things) => write!(f, "C{things}"),
            Structure::Dihedral(things) => write!(f, "D{things}"),
            Structure::Product(factors) => {
                for (number, factor) in factors.iter().enumerate() {
                    f.write_str(if number == 0 { "" } else { " × " })?;
                    operand(f, factor, WreathOperand::InParentheses)?;
                }
                Ok(())
            }
            Structure::Wreath(inner, outer) => {
                operand(f, inner, WreathOperand::Bare)?;
                f.write_str(" wr ")?;
                operand(f, outer, WreathOperand::InParentheses)
            }
            Structure::Other(order) => write!(f, "a group of order {order}"),
        }
    }
}

/// The notation of a wreath product that is an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WreathOperand {
    Bare,
    InParentheses,
}

/// Writes an operand: products and groups in words always in parentheses.
fn operand(
    f: &mut fmt::Formatter<'_>,
    structure: &Structure,
    wreath: WreathOperand,
) -> fmt::Result {
    let in_parentheses = match structure {
        Structure::Product(_) | Structure::Other(_) => true,
        Structure::Wreath(..) => wreath == WreathOperand::InParentheses,
        _ => false,
    };
    if in_parentheses {
        write!(f, "({structure})")
    } else {
        write!(f, "{structure}")
    }
}

/// The wreath product: S2 wr S2 is called D4, and A wr (B wr C) is kept as (A wr B) wr C.
pub(super) fn wreath(inner: Structure, outer: Structure) -> Structure {
    match (inner, outer) {
        (Structure::Symmetric(2), Structure::Symmetric(2)) => Structure::Dihedral(4),
        (inner, Structure::Wreath(middle, top)) => wreath(wreath(inner, *middle), *top),
        (inner, outer) => Structure::Wreath(Box::new(inner), Box::new(outer)),
    }
}

/// The product of factors that are no products, each with its order: the largest come first, and
/// those of the same name side by side.
pub(super) fn product(mut factors: Vec<(BigUint, Structure)>) -> Structure {
    factors.retain(|(_, factor)| *factor != Structure::Trivial);
    factors.sort_by_cached_key(|(order, structure)| rank(order, structure));
    let mut factors = factors.into_iter().map(|(_, factor)| factor);
    match (factors.next(), factors.next()) {
        (None, _) => Structure::Trivial,
        (Some(only), None) => only,
        (Some(first), Some(second)) => {
            Structure::Product([first, second].into_iter().chain(factors).collect())
        }
    }
}

/// The key by which factors are sorted.
pub(super) fn rank(order: &BigUint, structure: &Structure) -> (std::cmp::Reverse<BigUint>, String) {
    (std::cmp::Reverse(order.clone()), structure.to_string())
}
