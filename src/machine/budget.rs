//! How much room the rules of a machine may take while they are made.
//!
//! Each operator makes the rules of a part from those of its operands, and several ways to do one event multiply at each
//! parallel. So what there is at a time is counted as it is made, not when it is there.

use super::rules::Rule;

/// What a rule takes beside its participants, counted in participants.
const RULE: usize = 6;

/// The rules that there are at one time may take the room of this many participants, at 16 bytes each.
const ROOM: usize = 50_000_000;

/// The room that is taken.
#[derive(Default)]
pub(super) struct Budget {
    taken: usize,
}

/// There is not enough room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TooMany {
    /// For so many ways to do one event together.
    Ways(usize),
    /// For the rules of one operator.
    Rules,
}

/// What was made within the budget.
pub(super) type Made<T> = std::result::Result<T, TooMany>;

impl Budget {
    /// Takes room for `rules`.
    pub(super) fn take<'a>(&mut self, rules: impl IntoIterator<Item = &'a Rule>) -> Made<()> {
        self.taken = self.taken.saturating_add(room(rules));
        if self.taken > ROOM {
            return Err(TooMany::Rules);
        }
        Ok(())
    }

    /// Takes room for everything that `rows` can do together, which will be made of them.
    pub(super) fn take_joint(&mut self, rows: &[Vec<Rule>]) -> Made<()> {
        let ways = rows
            .iter()
            .fold(1_usize, |n, row| n.saturating_mul(row.len()));
        let widest = |row: &Vec<Rule>| row.iter().map(|rule| rule.participants.len()).max();
        let participants: usize = rows.iter().filter_map(widest).sum();
        let room = ways.saturating_mul(participants + RULE);
        self.taken = self.taken.saturating_add(room);
        if self.taken > ROOM {
            return Err(TooMany::Ways(ways));
        }
        Ok(())
    }

    /// Gives back the room of `rules`, which are used up.
    pub(super) fn give_back<'a>(&mut self, rules: impl IntoIterator<Item = &'a Rule>) {
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
    use crate::process::event::TAU;

    fn rules(count: usize) -> Vec<Rule> {
        let rule = Rule {
            participants: Default::default(),
            result: TAU,
            origin: TAU,
            passes: Default::default(),
        };
        vec![rule; count]
    }

    #[test]
    fn ways_are_refused_before_they_are_made() {
        let mut budget = Budget::default();
        let rows = vec![rules(1000), rules(1000), rules(1000)];
        assert_eq!(budget.take_joint(&rows), Err(TooMany::Ways(1_000_000_000)));
        let endless = vec![rules(4); 64];
        assert_eq!(budget.take_joint(&endless), Err(TooMany::Ways(usize::MAX)));
    }

    #[test]
    fn what_is_used_up_makes_room() {
        let mut budget = Budget::default();
        let many = rules(1_000_000);
        for _ in 0..100 {
            assert_eq!(budget.take(&many), Ok(()));
            budget.give_back(&many);
        }
        let times = (0..100).take_while(|_| budget.take(&many).is_ok()).count();
        assert_eq!(times, ROOM / (RULE * many.len()));
    }
}
