//! The structured machine and the transition system of a process expression as plain data.

use base::cancel::Phase;
use base::excerpt::first_of;
use base::index::TypedIndex;
use base::order::ascending;
use machine::explicit::explicit_process;
use machine::tree::{NodeId, NodeKind, TreeNode};
use machine::{CompileOptions, Machine, ProcessView, compile, compile_slim};
use process::event::{EventId, EventSetId, EventTable};
use process::operator::Operator;
use process::priority::Priority;
use process::term::Definitions;
use report::machine::{MachineDescription, MachineNode};
use report::transitions::TransitionSystem;
use syntax::print::expression_text;

use super::error::Error;
use super::leaf_transitions::leaf_description;
use super::options::Options;
use super::parts::name;
use super::script::Script;
use super::task::Task;

impl Script {
    /// The structured machine that `process` is compiled to.
    pub fn machine(
        &self,
        process: &str,
        options: &Options,
        task: &Task,
    ) -> Result<MachineDescription, Error> {
        self.ask_of(process, options, task, |scope, evaluator, process| {
            let term = evaluator.process_of(process)?;
            let options = options.compile_options();
            let (_, machine) = compile_slim(evaluator, term, ProcessView::Failures, &options)?;
            // A field of one value takes no bits, so only the leaves are counted.
            let packing = machine.packing(1);
            let fields = packing.fields().iter();
            let bits = fields.map(|field| u64::from(field.mask.count_ones()));
            let leaves = machine.leaves.iter();
            Ok(MachineDescription {
                file: scope.name().to_string(),
                expression: expression_text(&scope.script.ast, process),
                nodes: nodes(&machine, &evaluator.terms().events),
                leaves: leaves.map(leaf_description).collect(),
                rules: machine.rules.len() as u64,
                bits_per_state: bits.sum(),
            })
        })
    }

    /// The transition system of `process`: all states that it can reach. Fails if there are more
    /// than the options allow.
    pub fn transitions(
        &self,
        process: &str,
        options: &Options,
        task: &Task,
    ) -> Result<TransitionSystem, Error> {
        self.ask_of(process, options, task, |_, evaluator, process| {
            let term = evaluator.process_of(process)?;
            let options = CompileOptions {
                chases_are_leaves: true,
                ..options.compile_options()
            };
            let machine = compile(evaluator, term, &options)?;
            evaluator.enter(Phase::Listing, name(&machine));
            let token = &evaluator.cancellation().clone();
            let lts = explicit_process(&machine, options.limits.states, token)?;
            let steps = lts.states().flat_map(|state| lts.row(state));
            let used = ascending(steps.map(|&(event, _)| event));
            // `used` has every event of a row, so this is the place of `event` in it.
            let position = |event: EventId| used.partition_point(|&other| other < event);
            let rows = lts.states().map(|state| {
                let steps = lts.row(state).iter();
                let steps = steps.map(|&(event, to)| (position(event), to.index()));
                steps.collect()
            });
            Ok(TransitionSystem {
                labels: evaluator.terms().events.names(&used),
                transitions: rows.collect(),
            })
        })
    }
}

/// The nodes of the operator tree, every node before its operands.
fn nodes(machine: &Machine, events: &EventTable) -> Vec<MachineNode> {
    let mut all = Vec::with_capacity(machine.nodes.len());
    let mut open: Vec<(NodeId, Option<usize>)> = vec![(machine.root(), None)];
    while let Some((id, parent)) = open.pop() {
        let node = &machine.nodes[id];
        let (operator, argument, leaf) = parts(node, events);
        let position = all.len();
        all.push(MachineNode {
            parent,
            operator: operator.to_string(),
            argument,
            leaf,
        });
        // The last one pushed is the next one taken, so the operands go in backwards.
        open.extend(
            node.operands
                .iter()
                .rev()
                .map(|&operand| (operand, Some(position))),
        );
    }
    all
}

/// The name of the operator at a node, its argument such as a set, and the leaf that the node is or
/// that controls it.
fn parts(node: &TreeNode, events: &EventTable) -> (&'static str, Option<String>, Option<usize>) {
    let leaf = match &node.kind {
        NodeKind::Leaf(leaf) | NodeKind::Controlled(leaf, _) => Some(leaf.index()),
        NodeKind::Fixed(_) => None,
    };
    let Some(operator) = node.operator() else {
        let is_leaf = matches!(node.kind, NodeKind::Leaf(_));
        return (if is_leaf { "leaf" } else { "prefix" }, None, leaf);
    };
    let argument = match operator {
        Operator::Parallel(set) if events.is_empty_set(*set) => {
            return ("interleaving", None, leaf);
        }
        Operator::Linked(ties) => Some(pairs_text(ties, " <-> ", events)),
        Operator::Rename(pairs) => Some(pairs_text(pairs, " <- ", events)),
        Operator::Prioritise(priority) => Some(priority_text(priority, events)),
        _ => operator.set().map(|set| set_text(set, events)),
    };
    (operator.name()[0], argument, leaf)
}

/// A priority as text: if each class is above the next, the classes from the top; else which class
/// is directly above which.
fn priority_text(priority: &Priority, events: &EventTable) -> String {
    let name = |class: u32| {
        let members = priority.events().iter().filter(|&&(_, c)| c == class);
        let names = events.names(members.map(|(event, _)| event));
        list_text(names.into_iter(), "{", "}")
    };
    let classes = 0..priority.class_count() as u32;
    // A class has a greater number than those above it. So it has `class` classes above it exactly
    // if all classes with lower numbers are above it.
    let is_chain = |class: u32| priority.above(class).len() == class as usize;
    if classes.clone().all(is_chain) {
        let levels: Vec<String> = classes.map(name).collect();
        return list_text(levels.into_iter(), "<", ">");
    }
    let pairs: Vec<String> = classes
        .flat_map(|class| {
            let above = directly_above(priority, class).into_iter();
            above.map(move |higher| format!("{} > {}", name(higher), name(class)))
        })
        .collect();
    list_text(pairs.into_iter(), "", "")
}

/// The classes that are above `class` with no class in between.
fn directly_above(priority: &Priority, class: u32) -> Vec<u32> {
    let above = priority.above(class);
    let is_above_another = |higher: &u32| {
        above
            .iter()
            .any(|&other| priority.above(other).contains(higher))
    };
    let direct = above.iter().filter(|higher| !is_above_another(higher));
    direct.copied().collect()
}

/// The most members of a set that are shown: an alphabet can have thousands of events.
const SHOWN: usize = 12;

fn set_text(set: EventSetId, events: &EventTable) -> String {
    list_text(events.names(events.set(set)).into_iter(), "{", "}")
}

fn pairs_text(pairs: &[(EventId, EventId)], arrow: &str, events: &EventTable) -> String {
    let pairs = pairs
        .iter()
        .map(|&(a, b)| format!("{}{arrow}{}", events.name(a), events.name(b)));
    list_text(pairs, "[", "]")
}

fn list_text(items: impl ExactSizeIterator<Item = String>, open: &str, close: &str) -> String {
    format!("{open}{}{close}", first_of(items, SHOWN).join(", "))
}
