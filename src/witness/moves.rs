//! The leaves that a step of a term moves, by which steps that look alike are told apart.
//!
//! Where two philosophers may take the same fork, both steps have one label and one origin, but
//! only one of them is a step of the run that the machine has found. To try the other first leads
//! to a dead end that may be seen only at the end of the run: with 50 philosophers a replay that
//! guesses does not end. A wrong guess is no harm to what is believed, because a replay walks by
//! the rules of terms alone.

use base::diag::Result;
use base::index::TypedIndex;
use machine::tree::{NodeId, NodeKind};
use machine::{LeafId, Machine};
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};
use refine::path::PathRun;

/// The run of a machine of which each leaf is a part of the process as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafMoves<'a> {
    pub(super) machine: &'a Machine,
    pub(super) run: &'a PathRun,
}

impl LeafMoves<'_> {
    /// Puts those of `steps` last that move the same leaves as step `place` of the run. `term` is
    /// the process before the step.
    pub(super) fn put_last(
        &self,
        semantics: &mut Semantics,
        definitions: &mut dyn Definitions,
        (place, term): (usize, TermId),
        steps: &mut [Step],
    ) -> Result<()> {
        let [Some(before), Some(after)] = [place, place + 1].map(|at| self.run.states.get(at))
        else {
            return Ok(());
        };
        if steps.len() < 2 {
            return Ok(());
        }
        let leaves = self.machine.leaves.indices();
        let moved = leaves.filter(|leaf| before[leaf.index()] != after[leaf.index()]);
        let moved: Vec<LeafId> = moved.collect();
        let rule = &self.machine.rules[self.run.rules[place]];
        let takes_part = |leaf: &LeafId| rule.participants.iter().any(|(other, _)| other == leaf);
        let mut ranked: Vec<(bool, Step)> = Vec::with_capacity(steps.len());
        for &step in &*steps {
            let mut changed = Vec::new();
            let root = self.machine.root();
            let pair = (term, step.target);
            let is_known = self.changed(semantics, definitions, root, pair, &mut changed)?;
            let is_it = is_known
                && changed.iter().all(takes_part)
                && moved.iter().all(|leaf| changed.contains(leaf));
            ranked.push((is_it, step));
        }
        ranked.sort_by_key(|&(is_it, _)| is_it);
        for (place, (_, step)) in steps.iter_mut().zip(ranked) {
            *place = step;
        }
        Ok(())
    }

    /// Puts the leaves below `node` whose terms differ in `before` and `after` into `changed`.
    /// Returns false if the terms have another shape than the machine. It goes down only where the
    /// terms differ.
    fn changed(
        &self,
        semantics: &mut Semantics,
        definitions: &mut dyn Definitions,
        node: NodeId,
        (before, after): (TermId, TermId),
        changed: &mut Vec<LeafId>,
    ) -> Result<bool> {
        let mut open = vec![(node, before, after)];
        while let Some((node, before, after)) = open.pop() {
            if before == after {
                continue;
            }
            let node = &self.machine.nodes[node];
            if let NodeKind::Leaf(leaf) = node.kind {
                changed.push(leaf);
                continue;
            }
            let mut operands = |term| -> Result<Vec<TermId>> {
                let head = semantics.head(definitions, term)?;
                Ok(definitions.terms().get(head).started_operands().to_vec())
            };
            let (before, after) = (operands(before)?, operands(after)?);
            let counts = [before.len(), after.len(), node.operands.len()];
            if !matches!(node.kind, NodeKind::Fixed(_)) || counts != [before.len(); 3] {
                return Ok(false);
            }
            let pairs = before.into_iter().zip(after);
            let operands = node.operands.iter().zip(pairs);
            open.extend(operands.map(|(&node, (before, after))| (node, before, after)));
        }
        Ok(true)
    }
}
