//! The room that the rules of a machine may take while they are made.
//!
//! Each operator makes the rules of a part from those of its operands, and several ways to do one
//! event multiply at each parallel. So rules are counted before they are made, while this is not
//! yet too late. Making them takes time as well, so the token is asked for each rule.

use super::rules::Rule;
use base::cancel::Cancellation;
use base::diag::Diagnostic;

/// The room that a rule takes beside its participants, counted in participants.
const RULE: usize = 6;

/// The room for all rules at one time, counted in participants of 16 bytes each.
const ROOM: usize = 50_000_000;

/// The room that is taken, and the token of the work.
pub(super) struct Budget<'a> {
    taken: usize,
    token: &'a Cancellation,
}

/// The reason why rules are not made.
pub(super) enum Unmade {
    /// The rules would take too much room.
    TooMany(TooMany),
    /// The work is to end.
    Stopped(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Unmade {
    fn from(problem: Box<Diagnostic>) -> Self {
        Self::Stopped(problem)
    }
}

/// The thing that would take too much room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TooMany {
    /// The number of ways to do one event together.
    Ways(usize),
    /// The rules of one operator.
    Rules,
}

/// A value that was made within the budget.
pub(super) type Made<T> = std::result::Result<T, Unmade>;

impl<'a> Budget<'a> {
    /// A budget with nothing taken.
    pub(super) fn new(token: &'a Cancellation) -> Self {
        Self { taken: 0, token }
    }

    /// Takes room for `rules`.
    pub(super) fn take<'r>(&mut self, rules: impl IntoIterator<Item = &'r Rule>) -> Made<()> {
        self.take_room(room(rules), TooMany::Rules)
    }

    /// Notes that `count` rules are looked at, or as much work of another kind.
    pub(super) fn look(&mut self, count: usize) -> Made<()> {
        Ok(self.token.look(count)?)
    }

    /// Takes room for all ways in which one rule of each of `rows` happens together.
    pub(super) fn take_joint(&mut self, rows: &[Vec<Rule>]) -> Made<()> {
        let ways = rows
            .iter()
            .fold(1_usize, |n, row| n.saturating_mul(row.len()));
        // All ways count as if they were as wide as the widest, so that none has to be made to be
        // counted.
        let widest = |row: &Vec<Rule>| row.iter().map(|rule| rule.participants.len()).max();
        let participants: usize = rows.iter().filter_map(widest).sum();
        let room = ways.saturating_mul(participants + RULE);
        self.take_room(room, TooMany::Ways(ways))
    }

    fn take_room(&mut self, room: usize, too_many: TooMany) -> Made<()> {
        self.taken = self.taken.saturating_add(room);
        if self.taken > ROOM {
            return Err(Unmade::TooMany(too_many));
        }
        Ok(self.token.look(room / RULE)?)
    }

    /// Gives back the room of `rules`, which are used up.
    pub(super) fn give_back<'r>(&mut self, rules: impl IntoIterator<Item = &'r Rule>) {
        self.taken = self.taken.saturating_sub(room(rules));
    }
}

fn room<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> usize {
    let of_one = |rule: &Rule| rule.participants.len() + RULE;
    rules.into_iter().map(of_one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::testing::asked;
    use process::event::TAU;

    fn rules(count: usize) -> Vec<Rule> {
        vec![Rule::of([], TAU); count]
    }

    fn too_many(made: Made<()>) -> Option<TooMany> {
        match made {
            Err(Unmade::TooMany(too_many)) => Some(too_many),
            _ => None,
        }
    }

    #[test]
    fn ways_are_refused_before_they_are_made() {
        let mut budget = Budget::new(Cancellation::never());
        let rows = vec![rules(1000), rules(1000), rules(1000)];
        let many = too_many(budget.take_joint(&rows));
        assert_eq!(many, Some(TooMany::Ways(1_000_000_000)));
        let endless = too_many(budget.take_joint(&vec![rules(4); 64]));
        assert_eq!(endless, Some(TooMany::Ways(usize::MAX)));
    }

    #[test]
    fn who_waits_is_asked_of_what_is_taken() {
        let (rows, many) = ([rules(100), rules(100)], rules(10_000));
        let take = |token: &Cancellation| {
            let mut budget = Budget::new(token);
            let taken = budget.take(&many).and_then(|()| budget.take_joint(&rows));
            taken.map_err(|unmade| match unmade {
                Unmade::Stopped(problem) => problem,
                Unmade::TooMany(_) => panic!("there is room"),
            })
        };
        assert_eq!(asked(take), 20_000 / 64);
    }

    #[test]
    fn what_is_used_up_makes_room() {
        let mut budget = Budget::new(Cancellation::never());
        let many = rules(1_000_000);
        for _ in 0..100 {
            assert!(budget.take(&many).is_ok());
            budget.give_back(&many);
        }
        let times = (0..100).take_while(|_| budget.take(&many).is_ok()).count();
        assert_eq!(times, ROOM / (RULE * many.len()));
    }
}
