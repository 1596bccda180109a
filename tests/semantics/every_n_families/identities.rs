//! The ways in which a script defines its identities, and the instances for each.

use cspsym::Definition;

use crate::random::Random;

/// The names that a datatype may have.
const NAMES: [&str; 6] = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"];

/// The names of the members of a second set.
const COLOURS: [&str; 6] = ["Red", "Green", "Blue", "Cyan", "Pink", "Grey"];

/// The first names for the members of `set`.
fn names(set: &str, count: usize) -> &'static [&'static str] {
    match set {
        "ID" => &NAMES[..count],
        _ => &COLOURS[..count],
    }
}

/// The way in which a script defines a set of identities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Identities {
    /// `datatype ID = P.{1..N}`
    Datatype,
    /// `ID = {1..N}`
    FromOne,
    /// `ID = {0..N - 1}`
    FromZero,
    /// The first N of this number of names, found by a function.
    FirstNames(usize),
    /// `ID = {2..4}`: the constant is the set; this is the first number.
    Numbers(usize),
    /// `ID = {Ann, Bob}`, a set from this number of names, is the constant.
    Names(usize),
}

use Identities::{Datatype, FirstNames, FromOne, FromZero, Names, Numbers};

impl Identities {
    /// The constant that has many values; `number` is the name of a constant for the size.
    pub(crate) fn constant(self, set: &str, number: &str) -> String {
        match self {
            Numbers(_) | Names(_) => set.to_string(),
            _ => number.to_string(),
        }
    }

    /// The definitions of the set for `size` members.
    pub(crate) fn text(self, set: &str, number: &str, size: usize) -> String {
        let counted = format!("{number} = {size}\n");
        let members = self.members(set, size);
        match self {
            Datatype => format!("{counted}datatype {set} = P{set}.{{1..{number}}}\n"),
            FromOne => format!("{counted}{set} = {{1..{number}}}\n"),
            FromZero => format!("{counted}{set} = {{0..{number} - 1}}\n"),
            FirstNames(count) => format!(
                "{counted}datatype NAME{set} = {}\nfirst{set}(0, s) = {{}}\n\
                 first{set}(n, <m>^s) = union({{m}}, first{set}(n - 1, s))\n\
                 {set} = first{set}({number}, <{}>)\n",
                names(set, count).join(" | "),
                names(set, count).join(", ")
            ),
            Numbers(_) => format!("{set} = {members}\n"),
            Names(count) => {
                let names = names(set, count).join(" | ");
                format!("datatype NAME{set} = {names}\n{set} = {members}\n")
            }
        }
    }

    /// The value of the constant for `size` identities.
    fn members(self, set: &str, size: usize) -> String {
        match self {
            Numbers(first) => format!("{{{first}..{}}}", (first + size) as i64 - 1),
            // `{}` might be a set of anything.
            Names(_) if size == 0 => format!("diff({{{0}}}, {{{0}}})", self.one(set)),
            Names(count) => format!("{{{}}}", names(set, size.min(count)).join(", ")),
            _ => size.to_string(),
        }
    }

    /// The definition that gives the constant the value of an instance.
    pub(crate) fn definition(self, constant: &str, size: usize) -> Definition {
        Definition {
            name: constant.to_string(),
            text: self.members(constant, size),
        }
    }

    /// The largest number of identities; `None` if there is no bound.
    pub(crate) fn largest(self) -> Option<usize> {
        match self {
            Names(count) | FirstNames(count) => Some(count),
            _ => None,
        }
    }

    /// One of the identities, as a script may name it.
    pub(crate) fn one(self, set: &str) -> String {
        match self {
            Datatype => format!("(P{set}.1)"),
            FromOne => "1".to_string(),
            FromZero => "0".to_string(),
            Numbers(first) => first.to_string(),
            Names(_) | FirstNames(_) => names(set, 1)[0].to_string(),
        }
    }
}

impl Random {
    /// A random way to define identities.
    pub(crate) fn identities(&mut self) -> Identities {
        match self.below(8) {
            0..=2 => Datatype,
            3 => FromOne,
            4 => FromZero,
            5 => FirstNames(3 + self.below(4)),
            _ => self.set_of_identities(),
        }
    }

    /// A random set that is itself the constant.
    pub(crate) fn set_of_identities(&mut self) -> Identities {
        match self.below(2) {
            0 => Numbers(self.below(6)),
            _ => Names(2 + self.below(5)),
        }
    }
}
