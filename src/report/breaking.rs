//! The symmetries of a check before and after changes of a script, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::message::PlaceReport;

/// The symmetries of a check, and what is left of them after changes of the script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryDiff {
    /// The script, as it was named.
    pub file: String,
    /// The assertion, options and all, as CSPm.
    pub assertion: String,
    /// True if only symmetries count that fix the initial states.
    pub start_fixed: bool,
    /// The symmetries of the script as it is.
    pub before: GroupReport,
    /// The changes, each by itself, and what they do to the symmetries.
    pub changes: Vec<SymmetryChange>,
}

/// The group of the symmetries of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GroupReport {
    /// The number of symmetries, the one that moves nothing included; decimal, of any size.
    pub order: String,
    /// The structure of the group: `S4`, `S3 × S2`, `trivial`...
    pub structure: String,
    /// Generators of the group, in cycles.
    pub generators: Vec<String>,
}

/// A change of the script, and what it does to the symmetries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SymmetryChange {
    /// The kind of change; absent of an edit of the user's own.
    pub mutation: Option<MutationKind>,
    /// The change, as a sentence without a full stop.
    pub what: String,
    /// The lines that are changed, file by file.
    pub edits: Vec<EditReport>,
    /// By name, the files that are changed, as they are after the change.
    pub files_after: BTreeMap<String, String>,
    /// The symmetries after the change.
    pub after: GroupReport,
    /// The generators from before that are no symmetries any more.
    pub lost: Vec<LostSymmetry>,
    /// Generators from before that may be lost or not, because their names do not write a
    /// permutation.
    pub undecided: Vec<String>,
}

/// The kinds of small changes that may break a symmetry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MutationKind {
    /// An internal choice has one branch instead of all.
    FixedChoice,
    /// A replicated choice is made of the lowest member first.
    OrderedChoice,
    /// One member of a replicated operator is guarded away.
    GuardedMember,
    /// One member of a replicated parallel starts in another way.
    OtherStart,
}

/// Lines of a file that are changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct EditReport {
    /// The file, as it was named.
    pub file: String,
    /// The first line that is changed, counted from 1.
    pub line: usize,
    /// The lines as they were; empty if lines are only added.
    pub before: String,
    /// The lines after the change; empty if lines are only taken away.
    pub after: String,
}

/// A symmetry that a change has broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LostSymmetry {
    /// The symmetry in cycles.
    pub name: String,
    /// The reason: what is not preserved after the change.
    pub reason: String,
    /// The place of the reason in the changed script, if it has one.
    pub place: Option<PlaceReport>,
}

impl EditReport {
    /// The edit from `before` to `after`, texts of `file`: all lines from the first that differs to
    /// the last; `None` if they are the same.
    pub fn between(file: &str, before: &str, after: &str) -> Option<Self> {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (before.lines().collect(), after.lines().collect());
        let pairs = old.iter().zip(&new);
        let same = pairs.take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[same..], &new[same..]);
        let pairs = old.iter().rev().zip(new.iter().rev());
        let same_end = pairs.take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[..old.len() - same_end], &new[..new.len() - same_end]);
        (!old.is_empty() || !new.is_empty()).then(|| Self {
            file: file.to_string(),
            line: same + 1,
            before: old.join("\n"),
            after: new.join("\n"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(before: &str, after: &str) -> Option<(usize, String, String)> {
        let edit = EditReport::between("a.csp", before, after)?;
        Some((edit.line, edit.before, edit.after))
    }

    #[test]
    fn an_edit_is_the_lines_from_the_first_to_the_last_that_differ() {
        let text = |line, before: &str, after: &str| Some((line, before.into(), after.into()));
        assert_eq!(between("a\nb\nc\n", "a\nb\nc\n"), None);
        assert_eq!(between("a\nb\nc\n", "a\nx\nc\n"), text(2, "b", "x"));
        assert_eq!(between("a\nb\n", "a\nb\nb\n"), text(3, "", "b"));
        assert_eq!(between("a\na\nb\n", "a\nb\n"), text(2, "a", ""));
        assert_eq!(
            between("a\nb\nc\nd", "x\nb\nc\ny"),
            text(1, "a\nb\nc\nd", "x\nb\nc\ny")
        );
        assert_eq!(between("", "a"), text(1, "", "a"));
    }
}
