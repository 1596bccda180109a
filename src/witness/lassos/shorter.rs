//! The shortest way for a term to diverge, its stem and cycle together.
//!
//! A lasso with at most n steps visits only terms to which fewer than n τ lead, so these are listed
//! breadth first, and n falls as lassos close on the way. Then, for each term, the nearest first,
//! the shortest cycle through it is found. That takes time quadratic in the number of terms, and no
//! way that is much better is known (V. Schuppan and A. Biere, *Shortest counterexamples for
//! symbolic model checking of LTL with past*, TACAS 2005, take that time too). Both steps have a
//! limit. Beyond it the result is the shortest lasso that was found.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::counterexample::WitnessStep;
use crate::lasso::Lasso;
use crate::replay::witness_step;
use base::diag::Result;
use process::event::TAU;
use process::runs::way_to;
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// The largest number of terms that are listed.
const MOST_TERMS: usize = 20_000;

/// The approximate limit on listed steps: a term of a large system can have very many.
const MOST_LISTED: usize = 200_000;

/// The approximate limit on steps that are looked at again, to close cycles.
const MOST_STEPS: usize = 10_000_000;

/// A lasso from `start` that is shorter than `known`, as short as possible within the limits;
/// `None` if there is none. Terms in `left` do not diverge.
pub(super) fn shortest(
    semantics: &mut Semantics,
    definitions: &mut dyn Definitions,
    start: TermId,
    known: &Lasso,
    left: &FxHashSet<TermId>,
) -> Result<Option<Lasso>> {
    let mut graph = Graph::new(start, known.length());
    let mut next = 0;
    let mut listed = 0;
    while next < graph.nodes.len().min(MOST_TERMS) {
        // A lasso through this node has more steps than lead to it, so it is not shorter. All nodes
        // after it are at least as far away.
        if listed > MOST_LISTED || graph.nodes[next].depth + 1 >= graph.length {
            break;
        }
        definitions.cancellation().step()?;
        let mut steps = semantics.steps(definitions, graph.nodes[next].term)?;
        steps.retain(|step| step.label == TAU);
        listed += steps.len();
        for step in steps {
            let target = semantics.head(definitions, step.target)?;
            if !left.contains(&target) {
                graph.add(next, witness_step(&step), target);
            }
        }
        next += 1;
    }
    graph.close_cycles(MOST_STEPS);
    Ok(graph.found)
}

/// The listed terms and steps.
struct Graph {
    nodes: Vec<Visited>,
    numbers: FxHashMap<TermId, usize>,
    /// The τ of each node and their targets, as far as they were listed.
    steps: Vec<Vec<(usize, WitnessStep)>>,
    /// The length of the shortest lasso that is known.
    length: usize,
    /// The shortest lasso, if it is not the one that was known from the start.
    found: Option<Lasso>,
}

struct Visited {
    term: TermId,
    /// The least number of steps that lead to it.
    depth: usize,
    /// The node before it on a shortest way, and the step from there.
    from: Option<(usize, WitnessStep)>,
}

impl Graph {
    /// The graph of `start` alone, with a known lasso of `length` steps.
    fn new(start: TermId, length: usize) -> Self {
        Self {
            nodes: vec![Visited {
                term: start,
                depth: 0,
                from: None,
            }],
            numbers: FxHashMap::from_iter([(start, 0)]),
            steps: Vec::new(),
            length,
            found: None,
        }
    }

    /// Adds a step of the node `from`, which is the last node with listed steps, or the next one.
    fn add(&mut self, from: usize, step: WitnessStep, term: TermId) {
        let new = self.nodes.len();
        let target = *self.numbers.entry(term).or_insert(new);
        self.steps
            .resize(self.steps.len().max(from + 1), Vec::new());
        self.steps[from].push((target, step));
        if target == new {
            self.nodes.push(Visited {
                term,
                depth: self.nodes[from].depth + 1,
                from: Some((from, step)),
            });
        } else if self.nodes[from].depth + 1 < self.length && self.leads_to(target, from) {
            let mut stem = self.way(from);
            stem.push(step);
            let cycle = stem.split_off(self.nodes[target].depth);
            self.take(Lasso { stem, cycle });
        }
    }

    /// True if the way to `node` leads through `earlier`, or ends there.
    fn leads_to(&self, earlier: usize, node: usize) -> bool {
        let mut at = node;
        while self.nodes[at].depth > self.nodes[earlier].depth
            && let Some((before, _)) = self.nodes[at].from
        {
            at = before;
        }
        at == earlier
    }

    /// The steps on the way to `node`.
    fn way(&self, node: usize) -> Vec<WitnessStep> {
        way_to(node, |at| self.nodes[at].from)
    }

    fn take(&mut self, lasso: Lasso) {
        self.length = lasso.length();
        self.found = Some(lasso);
    }

    /// Looks for lassos that are shorter than the known one and whose cycles do not lie on one way.
    /// Looks at no more than `most` steps.
    fn close_cycles(&mut self, most: usize) {
        let mut work = 0;
        // By node, the start of the last search that reached it, the node before it, and the step
        // from there. The start tells searches apart, so that nothing is cleared between them.
        let mut reached = vec![(usize::MAX, 0, 0); self.nodes.len()];
        for start in 0..self.steps.len() {
            // A cycle of fewer steps than this makes a shorter lasso.
            let below = self.length.saturating_sub(self.nodes[start].depth);
            let mut level = vec![start];
            let mut length = 1;
            let mut closed = None;
            while length < below && !level.is_empty() && closed.is_none() {
                let mut next = Vec::new();
                for &node in &level {
                    // Nodes beyond the limits have no steps here.
                    let steps = self.steps.get(node).map_or(&[][..], Vec::as_slice);
                    work += steps.len();
                    for (index, &(target, _)) in steps.iter().enumerate() {
                        if target == start {
                            closed = closed.or(Some((node, index)));
                        } else if reached[target].0 != start {
                            reached[target] = (start, node, index);
                            next.push(target);
                        }
                    }
                }
                if work > most {
                    return;
                }
                level = next;
                length += 1;
            }
            if let Some((mut node, mut index)) = closed {
                let mut cycle = vec![self.steps[node][index].1];
                while node != start {
                    (_, node, index) = reached[node];
                    cycle.push(self.steps[node][index].1);
                }
                cycle.reverse();
                let stem = self.way(start);
                self.take(Lasso { stem, cycle });
            }
        }
    }
}

#[cfg(test)]
mod tests;
