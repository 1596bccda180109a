//! The components that can do the last step of a counterexample.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::derive::Follower;
use super::tree::{Cast, RunningNode};
use crate::WitnessStep;
use base::diag::Result;
use process::semantics::Step;
use process::semantics::focus::Focused;
use process::term::{Definitions, TermId};

/// The largest number of processes that are kept after each step.
const MOST_KEPT: usize = 10_000;

/// One way to do the steps of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastStep {
    /// The components that do the last step, as text as they started, from left to right.
    /// Components with equal texts have numbers.
    pub by: Vec<LastParty>,
    /// All steps.
    pub run: Vec<Step>,
}

/// A component that takes part in a last step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LastParty {
    /// Its position among the components.
    pub component: usize,
    /// The text of the component as it started.
    pub name: String,
    /// The compressions around it, the outermost first.
    pub within: Vec<String>,
}

/// A process that is possible after some of the steps.
struct Possible {
    node: Arc<RunningNode>,
    /// The step that led here, and the index of the process before it.
    from: Option<(usize, Step)>,
}

/// The runs of `process` with the given `steps`, one for each set of components that can do the
/// last step, in the order of the rules. `limit` is the limit with which its machine was built.
///
/// All processes that are possible after each step are kept, but each only once: equal processes
/// can do equal steps, by components at the same places.
pub fn last_steps(
    definitions: &mut dyn Definitions,
    process: TermId,
    steps: &[WitnessStep],
    limit: usize,
) -> Result<Vec<LastStep>> {
    let mut cast = Cast::default();
    let start = cast.play(definitions, process, limit)?;
    let mut semantics = Focused::new();
    let mut layers = vec![vec![Possible {
        node: start,
        from: None,
    }]];
    let mut found = Vec::new();
    let mut parties_before = FxHashSet::default();
    for (index, wanted) in steps.iter().enumerate() {
        let is_last = index + 1 == steps.len();
        let mut next: Vec<Possible> = Vec::new();
        let mut reached: FxHashSet<TermId> = FxHashSet::default();
        for before in 0..layers[index].len() {
            definitions.cancellation().step()?;
            let node = Arc::clone(&layers[index][before].node);
            let (label, origin) = (Some(wanted.label), Some(wanted.origin));
            for step in semantics.steps(definitions, node.term, label, origin)? {
                if !is_last && (next.len() >= MOST_KEPT || !reached.insert(step.target)) {
                    continue;
                }
                let mut follower = Follower::new(definitions, &mut cast, &mut semantics);
                let after = follower.follow(&node, step)?;
                let parts = follower.take_participations();
                let from = Some((before, step));
                if !is_last {
                    next.push(Possible { node: after, from });
                    continue;
                }
                let mut parties: Vec<usize> = parts.iter().map(|part| part.component).collect();
                parties.dedup();
                if parties_before.insert(parties.clone()) {
                    let party = |component| LastParty {
                        component,
                        name: cast.name(component).to_string(),
                        within: cast.within(component),
                    };
                    found.push(LastStep {
                        by: parties.into_iter().map(party).collect(),
                        run: run_to(&layers, before, step),
                    });
                }
            }
        }
        layers.push(next);
    }
    Ok(found)
}

/// The steps to the process at `position` of the last layer, and then `last`.
fn run_to(layers: &[Vec<Possible>], mut position: usize, last: Step) -> Vec<Step> {
    let mut run = vec![last];
    for layer in layers.iter().rev() {
        if let Some((before, step)) = layer[position].from {
            run.push(step);
            position = before;
        }
    }
    run.reverse();
    run
}
