//! Rules of several operands that happen together.

use super::budget::{Budget, Made};
use super::rules::Rule;

/// All combinations of one rule from each row as joint rules, with the result of the rule of the
/// first row.
pub(super) fn joint(rows: Vec<Vec<Rule>>, budget: &mut Budget<'_>) -> Made<Vec<Rule>> {
    budget.take_joint(&rows)?;
    budget.give_back(rows.iter().flatten());
    let mut rows = rows.into_iter();
    let mut all = rows.next().unwrap_or_default();
    for row in rows {
        all = pairwise(all, row, budget)?;
    }
    Ok(all)
}

/// Each rule of `some` joined with each rule of `row`.
fn pairwise(mut some: Vec<Rule>, row: Vec<Rule>, budget: &mut Budget<'_>) -> Made<Vec<Rule>> {
    // The common case, in which nothing is copied.
    if some.len() == 1 && row.len() == 1 {
        return Ok(some
            .drain(..)
            .zip(row)
            .map(|(l, r)| together(l, r))
            .collect());
    }
    let mut pairs = Vec::with_capacity(some.len() * row.len());
    for left in &some {
        budget.look(row.len())?;
        pairs.extend(
            row.iter()
                .map(|right| together(left.clone(), right.clone())),
        );
    }
    Ok(pairs)
}

fn together(mut left: Rule, mut right: Rule) -> Rule {
    // The shorter list is copied. The order of participants is of no account until `flatten` sorts
    // them.
    if left.participants.len() < right.participants.len() {
        std::mem::swap(&mut left.participants, &mut right.participants);
    }
    left.participants.extend(right.participants);
    left.passes = left.passes.joined(right.passes);
    left
}

/// All combinations of one rule from each row as joint rules; empty if a row is missing.
pub(super) fn joint_if_all(
    rows: Vec<Option<Vec<Rule>>>,
    budget: &mut Budget<'_>,
) -> Made<Vec<Rule>> {
    if rows.iter().any(Option::is_none) {
        budget.give_back(rows.iter().flatten().flatten());
        return Ok(Vec::new());
    }
    joint(rows.into_iter().flatten().collect(), budget)
}
