//! Flattens the operator tree into synchronisation rules.

use std::collections::BTreeMap;
use std::mem::take;

use super::budget::{Budget, Made, TooMany, Unmade};
use super::controller::{Controlled, Operand};
use super::gates::through_gate;
use super::joint::joint_if_all;
use super::leaf::{Action, Behaviour, Leaf, What};
use super::priority::{Gate, GateId};
use super::rules::{Offers, Rule};
use super::structure::{LeafId, RuleId};
use super::tree::{NodeId, NodeKind, TreeNode};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::{IndexVec, TypedIndex};
use process::event::{EventId, EventSetId, EventTable, TAU, TICK};
use process::operator::Operator;

/// The cost of finding an event among many, in rules looked at.
const SEARCH: usize = 4;

/// The tree without its operators.
pub(super) struct Flat {
    /// The rules, in ascending order.
    pub(super) rules: IndexVec<RuleId, Rule>,
    pub(super) gates: IndexVec<GateId, Gate>,
    /// The τ below chases, which are no rules of the machine: no state that is met can do one.
    pub(super) chased: Vec<Rule>,
}

/// The rules of the tree `nodes`. Gives controllers their actions. Fails if the work is to end.
pub(super) fn flatten(
    events: &EventTable,
    nodes: &IndexVec<NodeId, TreeNode>,
    leaves: &mut IndexVec<LeafId, Leaf>,
    token: &Cancellation,
) -> Result<Flat> {
    let mut flattening = Flattening {
        events,
        nodes,
        leaves,
        gates: IndexVec::new(),
        chased: Vec::new(),
        budget: Budget::new(token),
    };
    let mut offers: IndexVec<NodeId, Offers> = IndexVec::new();
    for node in nodes.iter() {
        let operands = node
            .operands
            .iter()
            // A node is the operand of one operator only, so its rules are moved and not copied.
            .map(|&operand| take(&mut offers[operand]))
            .collect();
        match flattening.node(node, operands) {
            Ok(node_offers) => offers.push(node_offers),
            Err(Unmade::TooMany(too_many)) => return too_many_rules(too_many, node).into(),
            Err(Unmade::Stopped(problem)) => return Err(problem),
        };
    }
    let Flattening { gates, chased, .. } = flattening;
    let root = NodeId::from_usize(nodes.len() - 1);
    let mut rules: Vec<Rule> = take(&mut offers[root]).into_values().flatten().collect();
    for rule in &mut rules {
        token.look(rule.participants.len())?;
        rule.participants.sort_unstable();
    }
    // One rule may have been made twice, as the τ of `P[[a <- b, a <- c]] \ {b, c}` is.
    token.sort(&mut rules)?;
    rules.dedup();
    Ok(Flat {
        rules: rules.into_iter().collect(),
        gates,
        chased,
    })
}

struct Flattening<'a> {
    events: &'a EventTable,
    nodes: &'a IndexVec<NodeId, TreeNode>,
    leaves: &'a mut IndexVec<LeafId, Leaf>,
    gates: IndexVec<GateId, Gate>,
    chased: Vec<Rule>,
    budget: Budget<'a>,
}

impl Flattening<'_> {
    /// The rules of `node`, made of those of its operands.
    fn node(&mut self, node: &TreeNode, operands: Vec<Offers>) -> Made<Offers> {
        let offered = operands.iter().map(Offers::len);
        self.budget.look(1 + offered.sum::<usize>())?;
        match &node.kind {
            NodeKind::Leaf(leaf) => self.leaf(*leaf),
            NodeKind::Fixed(operator) => self.fixed(operator, operands),
            NodeKind::Controlled(controller, control) => {
                let operands = node
                    .operands
                    .iter()
                    .zip(operands)
                    .map(|(&operand, offers)| Operand {
                        leaves: self.nodes[operand].leaves.clone(),
                        offers,
                    });
                let controlled = Controlled {
                    events: self.events,
                    leaves: self.leaves,
                    controller: *controller,
                    below: node.leaves.clone(),
                    offers: Offers::new(),
                    budget: &mut self.budget,
                };
                controlled.rules(control, operands.collect())
            }
        }
    }

    /// The rules of an operator that stays as it is.
    fn fixed(&mut self, operator: &Operator, mut operands: Vec<Offers>) -> Made<Offers> {
        let budget = &mut self.budget;
        match operator {
            Operator::Parallel(set) => return self.parallel(*set, operands),
            Operator::Alphabetised(alphabets) => return self.alphabetised(alphabets, operands),
            Operator::Linked(ties) => return linked(ties, operands, budget),
            _ => {}
        }
        let mut below = take(&mut operands[0]);
        match operator {
            Operator::Hide(set) => {
                let hidden = |event| self.events.contains(*set, event);
                hide(below, hidden, budget)
            }
            Operator::Project(set) => {
                let hidden = |event| !self.events.contains(*set, event);
                hide(below, hidden, budget)
            }
            Operator::Rename(pairs) => rename(below, pairs, budget),
            Operator::Prioritise(priority) => {
                let known = self.gates.len();
                let offers = through_gate(below, priority, &mut self.gates, budget)?;
                for gate in self.gates.iter().skip(known) {
                    budget.take(gate.rules.iter().map(|(_, rule)| rule))?;
                }
                Ok(offers)
            }
            Operator::Compress(_) => {
                self.chased.extend(below.remove(&TAU).unwrap_or_default());
                Ok(below)
            }
            _ => unreachable!("other operators have a controller"),
        }
    }

    fn leaf(&mut self, leaf: LeafId) -> Made<Offers> {
        // Controllers are no nodes: their rules come with those of their operators.
        let Behaviour::Process(graph) = &self.leaves[leaf].behaviour else {
            return Ok(Offers::new());
        };
        let rule = |event| {
            let action = Action {
                what: What::Event(event),
                then_off: false,
            };
            (event, vec![Rule::of([(leaf, action)], event)])
        };
        let offers: Offers = graph.events().map(rule).collect();
        self.budget.take(offers.values().flatten())?;
        Ok(offers)
    }

    /// The rules of `[| set |]`: events of `set` and ✓ are done by all operands together, the
    /// others by one operand alone.
    fn parallel(&mut self, set: EventSetId, mut operands: Vec<Offers>) -> Made<Offers> {
        let set = self.events.set(set);
        // The shorter list is gone through: sets may have thousands of events, and so may operands.
        let together: Vec<EventId> = if set.len() < operands[0].len() {
            set.iter()
                .copied()
                .filter(|event| operands[0].contains_key(event))
                .collect()
        } else {
            let shared = |event: &EventId| set.binary_search(event).is_ok();
            operands[0].keys().copied().filter(shared).collect()
        };
        let mut joined = Vec::new();
        for event in together.into_iter().chain([TICK]) {
            let rows = operands.iter_mut().map(|o| o.remove(&event)).collect();
            joined.push((event, joint_if_all(rows, &mut self.budget)?));
        }
        // The first operand has none left: all its events of the set are in `together`.
        for operand in &mut operands[1..] {
            remove_all(operand, set);
        }
        let mut offers = merge(operands, &mut self.budget)?;
        for (event, rules) in joined {
            extend(&mut offers, event, rules);
        }
        Ok(offers)
    }

    /// The rules of `||`: an event is done by all operands whose alphabet has it.
    fn alphabetised(
        &mut self,
        alphabets: &[EventSetId],
        mut operands: Vec<Offers>,
    ) -> Made<Offers> {
        let mut members: BTreeMap<EventId, Vec<usize>> = BTreeMap::new();
        members.insert(TICK, (0..operands.len()).collect());
        for (i, &alphabet) in alphabets.iter().enumerate() {
            for &event in self.events.set(alphabet) {
                members.entry(event).or_default().push(i);
            }
        }
        let mut offers = Offers::new();
        for operand in &mut operands {
            extend(&mut offers, TAU, operand.remove(&TAU).unwrap_or_default());
        }
        for (event, members) in members {
            // Events of an operand outside its alphabet stay behind and never happen.
            let rows = members
                .iter()
                .map(|&i| operands[i].remove(&event))
                .collect();
            extend(&mut offers, event, joint_if_all(rows, &mut self.budget)?);
        }
        Ok(offers)
    }
}

/// The rules of a linked parallel: tied events are done together and hidden, the others by one side
/// alone.
fn linked(
    ties: &[(EventId, EventId)],
    operands: Vec<Offers>,
    budget: &mut Budget<'_>,
) -> Made<Offers> {
    let mut operands = operands.into_iter();
    let mut left = operands.next().unwrap_or_default();
    let mut right = operands.next().unwrap_or_default();
    let mut hidden = Vec::new();
    for (from, to) in ties {
        // The rows are copied, and removed only after all ties, because one event may be tied to
        // several.
        let rows = [left.get(from), right.get(to)];
        budget.take(rows.into_iter().flatten().flatten())?;
        let rules = joint_if_all(rows.map(|row| row.cloned()).to_vec(), budget)?;
        hidden.extend(rules.into_iter().map(|rule| Rule {
            result: TAU,
            ..rule
        }));
    }
    let termination = joint_if_all(vec![left.remove(&TICK), right.remove(&TICK)], budget)?;
    for (from, to) in ties {
        left.remove(from);
        right.remove(to);
    }
    let mut offers = merge(vec![left, right], budget)?;
    extend(&mut offers, TAU, hidden);
    extend(&mut offers, TICK, termination);
    Ok(offers)
}

fn hide(
    mut offers: Offers,
    hidden: impl Fn(EventId) -> bool,
    budget: &mut Budget<'_>,
) -> Made<Offers> {
    let hidden: Vec<EventId> = offers
        .keys()
        .copied()
        .filter(|&event| event.is_visible() && hidden(event))
        .collect();
    for event in hidden {
        let mut rules = offers.remove(&event).unwrap_or_default();
        budget.look(rules.len())?;
        rules.iter_mut().for_each(|rule| rule.result = TAU);
        extend(&mut offers, TAU, rules);
    }
    Ok(offers)
}

/// The rules of a renaming: an event becomes each of its images; an event without images stays.
fn rename(offers: Offers, pairs: &[(EventId, EventId)], budget: &mut Budget<'_>) -> Made<Offers> {
    let mut renamed = Offers::new();
    for (event, rules) in offers {
        let start = pairs.partition_point(|&(from, _)| from < event);
        let end = pairs.partition_point(|&(from, _)| from <= event);
        let images = &pairs[start..end];
        if event == TICK || images.is_empty() {
            extend(&mut renamed, event, rules);
            continue;
        }
        for (nth, &(_, to)) in images.iter().enumerate() {
            budget.look(rules.len())?;
            // The rules themselves become those of the first image; only further images need more
            // room.
            if nth > 0 {
                budget.take(&rules)?;
            }
            let rules = rules.iter().map(|rule| Rule {
                result: to,
                ..rule.clone()
            });
            extend(&mut renamed, to, rules.collect());
        }
    }
    Ok(renamed)
}

fn extend(offers: &mut Offers, event: EventId, mut rules: Vec<Rule>) {
    if rules.is_empty() {
        return;
    }
    let present = offers.entry(event).or_default();
    // The longer list stays where it is: otherwise deeply nested operators would copy it at each
    // level.
    if present.len() < rules.len() {
        std::mem::swap(present, &mut rules);
    }
    present.append(&mut rules);
}

/// The rules of all operands side by side.
fn merge(operands: Vec<Offers>, budget: &mut Budget<'_>) -> Made<Offers> {
    // The largest map stays where it is: otherwise a chain of operators would copy it at each
    // level.
    let largest = operands
        .iter()
        .enumerate()
        .max_by_key(|(_, o)| o.len())
        .map_or(0, |(i, _)| i);
    let mut operands = operands;
    let mut merged = take(&mut operands[largest]);
    for (event, rules) in operands.into_iter().flatten() {
        budget.look(SEARCH + rules.len())?;
        extend(&mut merged, event, rules);
    }
    Ok(merged)
}

fn remove_all(offers: &mut Offers, set: &[EventId]) {
    if set.len() < offers.len() {
        set.iter().for_each(|event| drop(offers.remove(event)));
    } else {
        offers.retain(|event, _| set.binary_search(event).is_err());
    }
    offers.remove(&TICK);
}

fn too_many_rules(too_many: TooMany, node: &TreeNode) -> Diagnostic {
    let expression = &node.expression;
    let message = match too_many {
        TooMany::Ways(ways) => format!(
            "the components of `{expression}` can do one event together in {ways} ways, which is too many"
        ),
        TooMany::Rules => {
            format!("the components of `{expression}` can act together in too many ways")
        }
    };
    let diagnostic = Diagnostic::undecided("too-many-rules", message);
    match too_many {
        TooMany::Ways(_) => diagnostic
            .note("renaming several events to one, or hiding, below a parallel makes such ways"),
        TooMany::Rules => diagnostic.note(
            "a choice or an interrupt above a parallel has ways of its own for each way of its operands, so that nested ones multiply",
        ),
    }
}
