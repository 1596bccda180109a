//! From a process to its operator tree: non-recursive parts down to the parallels and compressions become inner
//! nodes, everything else leaves.

use rustc_hash::FxHashMap;

use super::compile::CompileOptions;
use super::graphs::Graphs;
use super::leaf::Leaf;
use super::skeleton::{Skeleton, unfolded};
use super::text;
use super::tree::{Around, Control, Node, NodeId, Operator, Stage, Tree};
use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::event::{EventId, TAU};
use crate::process::term::{Definitions, Term, TermId};
use crate::process::work::Phase;

/// The tree of `term`, around which nothing stands but what `around` says.
pub(super) fn build(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
    around: Around,
) -> Result<Tree> {
    let mut builder = Builder::new(definitions, options);
    let name = text::expression(builder.definitions, term);
    builder.definitions.enter(Phase::Calls, &name);
    builder.skeleton.add(builder.definitions, term)?;
    builder.make_leaves(term, around)?;
    builder.node(term, around)?;
    Ok(builder.tree)
}

/// Builds trees: that of the process, and those of operands of compressions.
pub(super) struct Builder<'a> {
    pub(super) definitions: &'a mut dyn Definitions,
    pub(super) skeleton: Skeleton,
    pub(super) options: &'a CompileOptions,
    pub(super) tree: Tree,
    pub(super) graphs: Graphs,
}

impl<'a> Builder<'a> {
    /// Has built nothing yet. The skeleton has to be told of a term before that is asked for.
    pub(super) fn new(definitions: &'a mut dyn Definitions, options: &'a CompileOptions) -> Self {
        Self {
            definitions,
            skeleton: Skeleton::new(options.limits.states),
            options,
            tree: Tree::default(),
            graphs: Graphs::default(),
        }
    }

    /// Adds the tree of `term`.
    pub(super) fn node(&mut self, term: TermId, around: Around) -> Result<NodeId> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            return self.leaf(term, around);
        }
        let head = unfolded(self.definitions, term)?;
        let expression = text::expression(self.definitions, term);
        let first_leaf = self.tree.leaves.len() as u32;
        let (operator, operands) = self.operator(head, &expression)?;
        let head = self.definitions.terms().get(head).clone();
        let inside = around.of_operands(&head);
        let operands: Vec<NodeId> = operands
            .into_iter()
            .map(|p| deep(|| self.node(p, inside)))
            .collect::<Result<_>>()?;
        let leaves = first_leaf..self.tree.leaves.len() as u32;
        Ok(self.tree.nodes.push(Node {
            term,
            expression,
            operator,
            operands,
            leaves,
            around,
        }))
    }

    /// The outermost operator of `term`, which is no call, and its operands.
    fn operator(&mut self, term: TermId, expression: &str) -> Result<(Operator, Vec<TermId>)> {
        let (control, states, operands) = match self.definitions.terms().get(term).clone() {
            Term::Parallel(set, operands) => {
                return Ok((Operator::Parallel(set), operands.to_vec()));
            }
            Term::Alphabetised(operands) => {
                let (alphabets, operands) = operands.iter().copied().unzip();
                return Ok((Operator::Alphabetised(alphabets), operands));
            }
            Term::Linked(left, ties, right) => {
                return Ok((Operator::Linked(ties), vec![left, right]));
            }
            Term::Hide(process, set) => return Ok((Operator::Hide(set), vec![process])),
            Term::Project(process, set) => return Ok((Operator::Project(set), vec![process])),
            Term::Rename(process, pairs) => return Ok((Operator::Rename(pairs), vec![process])),
            Term::Prioritise(process, priority) => {
                return Ok((Operator::Prioritise(priority), vec![process]));
            }
            Term::Sequential(first, then) => (Control::Sequential, 2, vec![first, then]),
            Term::ExternalChoice(operands) => (
                Control::ExternalChoice,
                operands.len() + 1,
                operands.to_vec(),
            ),
            Term::SynchronisingChoice(set, operands) => (
                Control::SynchronisingChoice(set),
                operands.len() + 1,
                operands.to_vec(),
            ),
            Term::Interrupt(process, by) => (Control::Interrupt, 2, vec![process, by]),
            Term::SynchronisingInterrupt(process, set, by) => {
                (Control::SynchronisingInterrupt(set), 2, vec![process, by])
            }
            Term::SlidingChoice(first, then) => (Control::SlidingChoice, 3, vec![first, then]),
            Term::Exception(process, set, handler) => {
                (Control::Exception(set), 2, vec![process, handler])
            }
            _ => {
                let (stage, states, operands) = self.stage(term)?;
                (Control::Stage(stage), states, operands)
            }
        };
        let controller = Leaf::controller(expression.to_string(), states as u32);
        let controller = self.tree.leaves.push(controller);
        Ok((Operator::Controlled(controller, control), operands))
    }

    /// Follows prefixes and internal choices from `start` until nothing but other operators,
    /// or leaves, is left: those are the operands.
    fn stage(&mut self, start: TermId) -> Result<(Stage, usize, Vec<TermId>)> {
        let mut numbers: FxHashMap<TermId, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut open = vec![start];
        let mut transitions = Vec::new();
        let mut exits = Vec::new();
        let mut operands = Vec::new();
        let mut next = 0;
        while next < open.len() {
            let from = next as u32;
            let steps = self.stage_steps(open[next])?;
            if steps.is_none() {
                exits.push(from);
                operands.push(open[next]);
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
        let states = open.len();
        let stage = Stage {
            states: open,
            transitions,
            exits,
        };
        Ok((stage, states, operands))
    }

    /// What `term` does if it is a prefix or internal choice that is an inner node.
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
        let operator = Operator::Leaf(leaf);
        Ok(self.tree.nodes.push(Node {
            term,
            expression,
            operator,
            operands: Vec::new(),
            leaves,
            around,
        }))
    }
}
