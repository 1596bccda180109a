//! The report on an assertion for every value of a constant.

use serde::{Deserialize, Serialize};

use super::views::ViewTable;
use base::number::thousands;

/// The way in which an assertion was decided for every value of a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ForAllReport {
    /// The constant.
    pub constant: String,
    /// The quantity that is counted, as CSPm: the constant, or `card(CONSTANT)` if it is a set of
    /// identities. The values in other fields are of this.
    pub counted: String,
    /// The least value that is asked for.
    pub least: usize,
    /// The greatest value up to which, from the least on, the assertion was decided and holds; 0 if
    /// there is none.
    pub instances: usize,
    /// The number of values for which the assertion was decided and holds.
    pub decided: usize,
    /// The least value for which the assertion fails; absent if none was found.
    pub fails_with: Option<usize>,
    /// The value at which deciding stopped without a verdict; absent if there is none.
    pub undecided_with: Option<usize>,
    /// The instance that fails or was not decided, as `-D` takes it: `N=4`.
    pub instance: Option<String>,
    /// The greatest value that the script has names for; absent if there is none.
    pub largest: Option<usize>,
    /// The number of identities in sight of a view; absent unless views decided.
    pub in_sight: Option<usize>,
    /// The number of views, up to the names of identities.
    pub views: Option<usize>,
    /// The number of identities in sight of a step.
    pub joined: Option<usize>,
    /// The number of states that were put together of views, and stepped.
    pub joins: Option<usize>,
    /// The greatest value whose instance was walked through, state by state, to see that each of
    /// its views is among those that were found; absent if all are too large.
    pub walked: Option<usize>,
    /// The number of views that this instance has, of those that were found.
    pub met: Option<usize>,
    /// The least value whose instance has all views, if that was found: larger instances look no
    /// different.
    pub cutoff: Option<usize>,
    /// The part of a chain with which an induction over its links began; absent unless that
    /// decided.
    pub chain: Option<String>,
    /// The whole report in a sentence.
    pub sentence: String,
    /// The views themselves; left out unless they are wanted, and where views did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view_table: Option<ViewTable>,
}

impl ForAllReport {
    /// A report of which nothing is known yet.
    pub fn new(constant: &str, least: usize) -> Self {
        Self {
            constant: constant.to_string(),
            counted: constant.to_string(),
            least,
            ..Self::default()
        }
    }

    /// Notes that the least value that was not decided before is decided, and holds.
    pub fn count_instance(&mut self) {
        self.instances = self.next();
        self.decided += 1;
    }

    /// The least value that is not decided.
    pub fn next(&self) -> usize {
        self.least + self.decided
    }

    /// True if each value was decided that has names.
    pub fn has_no_more(&self) -> bool {
        self.largest.is_some_and(|largest| self.next() > largest)
    }

    /// The values for which the assertion was decided, and holds: `1 to 3`.
    fn values(&self) -> Option<String> {
        match self.decided {
            0 => None,
            1 => Some(self.least.to_string()),
            _ => Some(format!("{} to {}", self.least, self.instances)),
        }
    }

    /// The sentence that the assertion holds for some values, if it was decided for any.
    pub fn holds(&self) -> Option<String> {
        let values = self.values()?;
        Some(format!("it holds for {} = {values}", self.counted))
    }

    /// The whole report in a sentence, for people.
    pub fn said(&self) -> String {
        let name = &self.counted;
        if let Some(size) = self.fails_with {
            return format!("it fails with {name} = {size}");
        }
        let Some(values) = self.values() else {
            return format!("nothing is known for any {name}");
        };
        let decided = format!("{name} = {values} decided");
        if self.has_no_more() {
            return format!("{decided}: there are names for no more");
        }
        if let Some(part) = &self.chain {
            let from = self.next();
            return format!("{decided}; from {from} on by induction over the links after {part}");
        }
        let (Some(size), Some(views), Some(joined), Some(joins)) =
            (self.in_sight, self.views, self.joined, self.joins)
        else {
            return decided;
        };
        let met = match (self.cutoff, self.met, self.walked) {
            (Some(cutoff), ..) => format!("; all met with {name} = {cutoff}"),
            (None, Some(met), Some(walked)) => {
                format!("; {} met with {name} = {walked}", thousands(met as u64))
            }
            _ => String::new(),
        };
        format!(
            "{decided}; {} {} {} of {size} {}, closed under steps of {joined} ({} joins){met}",
            self.beyond(),
            thousands(views as u64),
            if views == 1 { "view" } else { "views" },
            if size == 1 { "identity" } else { "identities" },
            thousands(joins as u64),
        )
    }

    /// The values that were not decided one by one.
    fn beyond(&self) -> String {
        let from = self.next();
        match self.largest {
            None => format!("from {from} on"),
            Some(largest) if largest == from => format!("for {from}, the last that has a name,"),
            Some(largest) => format!("from {from} to {largest}, the last that has a name,"),
        }
    }
}
