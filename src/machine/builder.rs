//! Builds the operator tree of a process: non-recursive parts down to the parallels and
//! compressions become inner nodes, everything else leaves.

use rustc_hash::FxHashMap;

use super::compile::CompileOptions;
use super::graphs::LeafGraphs;
use super::leaf::Leaf;
use super::skeleton::{Skeleton, unfolded};
use super::text;
use super::tree::{Around, Control, NodeId, NodeKind, OperatorTree, Stage, TreeNode};
use base::diag::Result;
use base::stack::deep;
use base::threads::Threads;
use process::event::{EventId, TAU};
use process::term::{Definitions, Term, TermId};

/// Builds trees: the tree of a process, and those of the operands of its compressions.
pub(super) struct ProcessTreeBuilder<'a> {
    pub(super) definitions: &'a mut dyn Definitions,
    pub(super) skeleton: Skeleton,
    pub(super) options: &'a CompileOptions,
    /// Threads that list the states of components.
    pub(super) listing_threads: Threads,
    pub(super) tree: OperatorTree,
    pub(super) graphs: LeafGraphs,
}

impl<'a> ProcessTreeBuilder<'a> {
    /// A builder that knows all calls that `term` can lead to, and has built nothing yet.
    pub(super) fn of(
        definitions: &'a mut dyn Definitions,
        term: TermId,
        options: &'a CompileOptions,
    ) -> Result<Self> {
        let mut skeleton = Skeleton::new(&options.limits);
        if !options.chases_are_leaves {
            skeleton = skeleton.with_chases();
        }
        skeleton.add(definitions, term)?;
        Ok(Self {
            definitions,
            skeleton,
            options,
            listing_threads: options.threads.apart(),
            tree: OperatorTree::default(),
            graphs: options.graphs.clone().unwrap_or_default(),
        })
    }

    /// Adds the tree of `term`.
    pub(super) fn node(&mut self, term: TermId, around: Around) -> Result<NodeId> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            return self.leaf(term, around);
        }
        let head = unfolded(self.definitions, term)?;
        let expression = text::expression(self.definitions, term);
        // Before a controller is added: it is the first of the leaves below its operator.
        let first_leaf = self.tree.leaves.len() as u32;
        let outermost = self.definitions.terms().get(head).clone();
        let (kind, operands) = match &outermost {
            Term::Over(operator, operands) if operator.is_fixed() => {
                (NodeKind::Fixed(operator.clone()), operands.to_vec())
            }
            _ => self.controlled(head, &expression)?,
        };
        let inside = around.of_operands(&outermost);
        let operands: Vec<NodeId> = operands
            .into_iter()
            .map(|p| deep(|| self.node(p, inside)))
            .collect::<Result<_>>()?;
        let leaves = first_leaf..self.tree.leaves.len() as u32;
        Ok(self.tree.nodes.push(TreeNode {
            term,
            expression,
            kind,
            operands,
            leaves,
            around,
        }))
    }

    /// The operator of `head` that needs a controller, which is added, and its operands.
    fn controlled(&mut self, head: TermId, expression: &str) -> Result<(NodeKind, Vec<TermId>)> {
        let term = self.definitions.terms().get(head).clone();
        let (control, operands) = match term {
            Term::Over(operator, operands) => (Control::Operator(operator), operands.into_vec()),
            _ => {
                let stage = self.stage(head)?;
                let operands = stage.operands().collect();
                (Control::Stage(stage), operands)
            }
        };
        let states = control.states(operands.len());
        let controller = Leaf::controller(expression.to_string(), states);
        let controller = self.tree.leaves.push(controller);
        Ok((NodeKind::Controlled(controller, control), operands))
    }

    /// Follows prefixes and internal choices from `start` down to other operators and leaves, which
    /// are the operands.
    fn stage(&mut self, start: TermId) -> Result<Stage> {
        // Only inner nodes are followed, and those are above all recursion, so this ends. Terms
        // reached in several ways become one state.
        let mut numbers: FxHashMap<TermId, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut open = vec![start];
        let mut transitions = Vec::new();
        let mut exits = Vec::new();
        let mut next = 0;
        while next < open.len() {
            let from = next as u32;
            let steps = self.stage_steps(open[next])?;
            if steps.is_none() {
                exits.push(from);
            }
            for (event, target) in steps.into_iter().flatten() {
                let to = *numbers.entry(target).or_insert_with(|| {
                    open.push(target);
                    open.len() as u32 - 1
                });
                transitions.push((event, from, to));
            }
            next += 1;
        }
        transitions.sort_unstable();
        transitions.dedup();
        Ok(Stage {
            states: open,
            transitions,
            exits,
        })
    }

    /// The steps of `term` if it is a prefix or internal choice that is an inner node.
    fn stage_steps(&mut self, term: TermId) -> Result<Option<Vec<(EventId, TermId)>>> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            return Ok(None);
        }
        let head = unfolded(self.definitions, term)?;
        Ok(match self.definitions.terms().get(head) {
            Term::Prefix(branches) => Some(branches.to_vec()),
            Term::InternalChoice(operands) => Some(operands.iter().map(|&p| (TAU, p)).collect()),
            _ => None,
        })
    }

    /// Adds `term` as a leaf.
    fn leaf(&mut self, term: TermId, around: Around) -> Result<NodeId> {
        let expression = text::expression(self.definitions, term);
        let graph = self.graph(term, around)?;
        let leaf = self
            .tree
            .leaves
            .push(Leaf::process(expression.clone(), graph));
        let leaves = leaf.0..leaf.0 + 1;
        Ok(self.tree.nodes.push(TreeNode {
            term,
            expression,
            kind: NodeKind::Leaf(leaf),
            operands: Vec::new(),
            leaves,
            around,
        }))
    }
}
