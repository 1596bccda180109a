//! The sets of events with which a process comes to rest, if it can do τ.
//!
//! Terms are followed first, as everywhere in a walk. Parallels that do a lot by themselves can
//! become too many terms to follow while somebody waits. So beyond some hundred terms the machine
//! is followed instead. In the machine the process has again the compressions that it was written
//! with, and may be small.

use base::cancel::Cancellation;
use base::diag::{Result, Severity};
use lts::explore::LeafLimits;
use machine::{CompileOptions, Machine, compile};
use process::acceptance::minimal;
use process::event::EventId;
use process::outermost::without_outer_compressions;
use process::term::{Definitions, TermId};
use witness::after::{After, MOST_TERMS};
use witness::listed::Listed;

/// The sets of events with which the process comes to rest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rests {
    /// True if it is at rest: it can do no τ.
    pub is_stable: bool,
    /// The smallest sets with which it can come to rest after more τ, each ascending; at rest, the
    /// set of all that it offers. `None` if it can become too many states by τ for that to be
    /// known.
    pub acceptances: Option<Vec<Vec<EventId>>>,
    /// True if it can do τ for ever; `None` if that is not known.
    pub diverges: Option<bool>,
}

/// The number of terms up to which following them takes less time than compiling a machine.
const FEW_TERMS: usize = 300;

/// The most states of a machine that are followed.
const MOST_STATES: usize = 100_000;

/// The most states of a component, and of an operand of a compression.
const MOST_LEAF_STATES: usize = 10_000;

impl Rests {
    /// The sets with which `term` comes to rest, which can do τ. It has the failures and
    /// divergences of `compressed`.
    pub(super) fn unstable(
        definitions: &mut dyn Definitions,
        term: TermId,
        compressed: TermId,
    ) -> Result<Self> {
        let few = unless_undecided(Self::of_terms(definitions, term, FEW_TERMS))?;
        if let Some(rests) = few {
            return Ok(rests);
        }
        let rests = match machine_of(definitions, compressed) {
            Ok(machine) => Self::of_machine(machine, definitions.cancellation()),
            // A machine has parts that the process may never reach, and a mistake in these does not
            // matter yet.
            Err(_) => Self::of_terms(definitions, term, MOST_TERMS),
        };
        Ok(unless_undecided(rests)?.unwrap_or_default())
    }

    pub(super) fn of_terms(
        definitions: &mut dyn Definitions,
        term: TermId,
        most: usize,
    ) -> Result<Self> {
        let mut after = After::within(definitions, term, most)?;
        let sets = after.acceptances(definitions)?;
        Ok(Self {
            is_stable: false,
            acceptances: Some(minimal(sets, definitions.cancellation())?),
            diverges: Some(after.diverges(definitions)?),
        })
    }

    pub(super) fn of_machine(machine: Machine, token: &Cancellation) -> Result<Self> {
        let listed = Listed::within(machine, MOST_STATES, token)?;
        Ok(Self {
            is_stable: false,
            acceptances: Some(minimal(listed.acceptances(), token)?),
            diverges: Some(listed.diverges(token)?),
        })
    }
}

/// The machine that is followed instead of `compressed`.
pub(super) fn machine_of(definitions: &mut dyn Definitions, compressed: TermId) -> Result<Machine> {
    let options = CompileOptions {
        chases_are_leaves: true,
        ..CompileOptions::new(LeafLimits::all(MOST_LEAF_STATES))
    };
    let compressed = without_outer_compressions(definitions, compressed)?;
    compile(definitions, compressed, &options)
}

fn unless_undecided<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if error.severity == Severity::Undecided => Ok(None),
        result => result.map(Some),
    }
}
