//! Rules of the operators whose shape changes as they run, when they stand above parallels.
//!
//! Each such operator has a controller leaf that records which operand is live. An operand that is
//! not yet live stays in its initial state, because its rules ask the controller. An operand that
//! will never be live again is switched off if it could still move: otherwise its last state would
//! multiply the states of the machine. After ✓ everything below a controller is switched off for
//! this reason.

use std::ops::Range;

use super::budget::{Budget, Made};
use super::joint::joint;
use super::leaf::{Action, Leaf, What};
use super::rules::{Offers, Rule};
use super::structure::LeafId;
use super::tree::Control;
use base::index::{IndexVec, TypedIndex};
use process::event::{EventId, EventSetId, EventTable, TAU, TICK};
use process::operator::Operator;

/// One operand: its leaves and its rules.
pub(super) struct Operand {
    pub(super) leaves: Range<u32>,
    pub(super) offers: Offers,
}

impl Operand {
    /// True if the operand can move without becoming live.
    fn is_restless(&self) -> bool {
        self.offers.contains_key(&TAU)
    }
}

/// One operator with its controller, and its rules so far.
pub(super) struct Controlled<'a, 'b> {
    pub(super) events: &'a EventTable,
    pub(super) leaves: &'a mut IndexVec<LeafId, Leaf>,
    pub(super) controller: LeafId,
    /// All leaves below the operator, the controller included.
    pub(super) below: Range<u32>,
    pub(super) offers: Offers,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Controlled<'_, '_> {
    /// The rules of the operator over `operands`.
    pub(super) fn rules(mut self, control: &Control, operands: Vec<Operand>) -> Made<Offers> {
        // Each rule of an operand is used up; the rules made from it are counted anew.
        for operand in &operands {
            self.budget.give_back(operand.offers.values().flatten());
        }
        match control {
            Control::Stage(stage) => self.stage(&stage.transitions, &stage.exits, operands)?,
            Control::Operator(operator) => match operator {
                Operator::Sequential => self.sequential(operands)?,
                Operator::Choice(shared) => self.choice(*shared, operands)?,
                Operator::SlidingChoice => self.sliding_choice(operands)?,
                Operator::Exception(set) => self.exception(*set, operands)?,
                Operator::Interrupt(shared) => self.interrupt(*shared, operands)?,
                _ => unreachable!("fixed operators have no controller"),
            },
        }
        Ok(self.offers)
    }

    /// The rules of prefixes and internal choices: the controller runs alone up to an exit.
    fn stage(
        &mut self,
        transitions: &[(EventId, u32, u32)],
        exits: &[u32],
        operands: Vec<Operand>,
    ) -> Made<()> {
        for group in transitions.chunk_by(|a, b| a.0 == b.0) {
            let event = group[0].0;
            let pairs = group.iter().map(|&(_, from, to)| (from, to)).collect();
            let action = self.action(pairs);
            self.add(Rule::of([(self.controller, action)], event))?;
        }
        // Operands that were never live are in their initial states, so after a ✓ of the only
        // operand that can do ✓ there is one state. With several, switching all off makes it one.
        let finishing: Vec<Range<u32>> = operands
            .iter()
            .filter(|operand| operand.offers.contains_key(&TICK))
            .map(|operand| operand.leaves.clone())
            .collect();
        for (operand, &exit) in operands.into_iter().zip(exits) {
            for rule in rules(operand) {
                // No transition leads out of an exit, so at most one operand is ever live.
                let mut rule = self.with(rule, &[(exit, exit)]);
                if rule.result == TICK && finishing.len() > 1 {
                    let controller = self.controller.0..self.controller.0 + 1;
                    for leaves in finishing.iter().cloned().chain([controller]) {
                        self.kill(&mut rule, leaves);
                    }
                }
                self.add(rule)?;
            }
        }
        Ok(())
    }

    /// The rules of `;`. The controller is in 0 while the first operand is live, then in 1.
    fn sequential(&mut self, operands: Vec<Operand>) -> Made<()> {
        let [first, then] = pair(operands);
        for rule in rules(first) {
            let rule = match rule.result {
                TICK => Rule {
                    result: TAU,
                    ..self.with(rule, &[(0, 1)])
                },
                // These rules need not ask the controller: after its ✓ the first operand can do
                // nothing more.
                _ => rule,
            };
            self.add(rule)?;
        }
        // After a ✓ of the second operand there is one state only: nothing need be switched off.
        for rule in rules(then) {
            let rule = self.with(rule, &[(1, 1)]);
            self.add(rule)?;
        }
        Ok(())
    }

    /// The rules of external choice. Events that are `shared` are done by all together without
    /// resolving it. The controller is in 0 while unresolved, then in i + 1 for operand i.
    fn choice(&mut self, shared: Option<EventSetId>, operands: Vec<Operand>) -> Made<()> {
        let ranges: Vec<(Range<u32>, bool)> = operands
            .iter()
            .map(|o| (o.leaves.clone(), o.is_restless()))
            .collect();
        let common: Vec<EventId> = operands[0]
            .offers
            .keys()
            .copied()
            .filter(|&event| self.is_in(shared, event))
            .collect();
        for &event in &common {
            let rows: Option<Vec<Vec<Rule>>> = operands
                .iter()
                .map(|o| o.offers.get(&event).cloned())
                .collect();
            for rule in self.joint(rows.unwrap_or_default())? {
                let rule = self.with(rule, &[(0, 0)]);
                self.add(Rule {
                    result: event,
                    ..rule
                })?;
            }
        }
        for (i, operand) in operands.into_iter().enumerate() {
            let live = i as u32 + 1;
            for rule in rules(operand) {
                match rule.result {
                    // A τ need not ask the controller: losers that can do τ are switched off when
                    // the choice is resolved.
                    TAU => self.add(rule)?,
                    TICK => self.finish(rule, &[0, live])?,
                    event => {
                        // Two rules for one, because only the rule that resolves the choice
                        // switches losers off.
                        let resolved = self.with(rule.clone(), &[(live, live)]);
                        self.add(resolved)?;
                        if self.is_in(shared, event) {
                            continue;
                        }
                        // The losers are switched off if they may have left their initial states.
                        let mut resolving = self.with(rule, &[(0, live)]);
                        for (j, (range, restless)) in ranges.iter().enumerate() {
                            if j != i && (*restless || !common.is_empty()) {
                                self.kill(&mut resolving, range.clone());
                            }
                        }
                        self.add(resolving)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The rules of `[>`. The controller is in 0 while unresolved, then in 1 for the first operand
    /// or 2 for the second.
    fn sliding_choice(&mut self, operands: Vec<Operand>) -> Made<()> {
        let [first, then] = pair(operands);
        let mut slide = self.with(Rule::of([], TAU), &[(0, 2)]);
        if first.is_restless() {
            self.kill(&mut slide, first.leaves.clone());
        }
        self.add(slide)?;
        for rule in rules(first) {
            match rule.result {
                // After the slide this τ is impossible, because the slide has switched the operand
                // off.
                TAU => self.add(rule)?,
                TICK => self.finish(rule, &[0, 1])?,
                _ => {
                    let rule = self.with(rule, &[(0, 1), (1, 1)]);
                    self.add(rule)?;
                }
            }
        }
        self.all_while(2, then)
    }

    /// The rules of `[| A |>`. The controller is in 0 while the process is live, then in 1.
    fn exception(&mut self, set: EventSetId, operands: Vec<Operand>) -> Made<()> {
        let [process, handler] = pair(operands);
        // The exception switches the process off, so only the rules that move the controller ask
        // it.
        let leaves = process.leaves.clone();
        for rule in rules(process) {
            if rule.result == TICK {
                self.finish(rule, &[0])?;
            } else if self.is_in(Some(set), rule.result) {
                let mut rule = self.with(rule, &[(0, 1)]);
                self.kill(&mut rule, leaves.clone());
                self.add(rule)?;
            } else {
                self.add(rule)?;
            }
        }
        self.all_while(1, handler)
    }

    /// The rules of `P /\ Q` and `P /+ A +\ Q`. Events that are `shared` are done by both together
    /// without interrupting. The controller is in 0 until the interrupter takes over, then in 1.
    fn interrupt(&mut self, shared: Option<EventSetId>, operands: Vec<Operand>) -> Made<()> {
        let [process, interrupter] = pair(operands);
        // Taking over switches the process off, so its own rules and the joint ones need not ask
        // the controller.
        let leaves = process.leaves.clone();
        for (event, left) in process.offers {
            if self.is_in(shared, event) {
                let right = interrupter.offers.get(&event).cloned().unwrap_or_default();
                // The rules of the interrupter are copied, because once it has taken over it does
                // shared events alone.
                for rule in self.joint(vec![left, right])? {
                    self.add(Rule {
                        result: event,
                        ..rule
                    })?;
                }
            } else if event == TICK {
                for rule in left {
                    self.finish(rule, &[0])?;
                }
            } else {
                for rule in left {
                    self.add(rule)?;
                }
            }
        }
        for rule in rules(interrupter) {
            match rule.result {
                TAU => self.add(rule)?,
                TICK => self.finish(rule, &[0, 1])?,
                event => {
                    let after = self.with(rule.clone(), &[(1, 1)]);
                    self.add(after)?;
                    if !self.is_in(shared, event) {
                        let mut taking_over = self.with(rule, &[(0, 1)]);
                        self.kill(&mut taking_over, leaves.clone());
                        self.add(taking_over)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds all rules of an operand that is live only while the controller is in `state`.
    fn all_while(&mut self, state: u32, operand: Operand) -> Made<()> {
        for rule in rules(operand) {
            if rule.result == TICK {
                self.finish(rule, &[state])?;
            } else {
                let rule = self.with(rule, &[(state, state)]);
                self.add(rule)?;
            }
        }
        Ok(())
    }

    /// All combinations of one rule from each row as joint rules. Their room is counted when the
    /// caller adds them.
    fn joint(&mut self, rows: Vec<Vec<Rule>>) -> Made<Vec<Rule>> {
        self.budget.take(rows.iter().flatten())?;
        let rules = joint(rows, self.budget)?;
        self.budget.give_back(&rules);
        Ok(rules)
    }

    /// Adds one rule to those of the operator.
    fn add(&mut self, rule: Rule) -> Made<()> {
        self.budget.take([&rule])?;
        self.offers.entry(rule.result).or_default().push(rule);
        Ok(())
    }

    /// Adds a ✓ that is possible with the controller in one of `states`, and ends all leaves.
    fn finish(&mut self, rule: Rule, states: &[u32]) -> Made<()> {
        let pairs: Vec<(u32, u32)> = states.iter().map(|&s| (s, s)).collect();
        let mut rule = self.with(rule, &pairs);
        self.kill(&mut rule, self.below.clone());
        self.add(rule)
    }

    /// `rule` with the controller moving along one of `pairs`.
    fn with(&mut self, mut rule: Rule, pairs: &[(u32, u32)]) -> Rule {
        let action = self.action(pairs.to_vec());
        rule.participants.push((self.controller, action));
        rule
    }

    fn action(&mut self, pairs: Vec<(u32, u32)>) -> Action {
        self.leaves[self.controller].control(pairs)
    }

    fn is_in(&self, set: Option<EventSetId>, event: EventId) -> bool {
        event.is_visible() && set.is_some_and(|set| self.events.contains(set, event))
    }

    /// Lets `rule` switch off all of these leaves.
    fn kill(&mut self, rule: &mut Rule, leaves: Range<u32>) {
        let mut alive: Vec<bool> = vec![true; leaves.len()];
        for (leaf, action) in &mut rule.participants {
            if leaves.contains(&leaf.0) {
                action.then_off = true;
                alive[(leaf.0 - leaves.start) as usize] = false;
            }
        }
        for leaf in leaves.clone() {
            // A leaf that does nothing in the rule is switched off from whatever state it is in.
            self.leaves[LeafId::from_usize(leaf as usize)].can_be_off = true;
            if alive[(leaf - leaves.start) as usize] {
                rule.participants.push((
                    LeafId(leaf),
                    Action {
                        what: What::Nothing,
                        then_off: true,
                    },
                ));
            }
        }
    }
}

fn rules(operand: Operand) -> impl Iterator<Item = Rule> {
    operand.offers.into_values().flatten()
}

fn pair(operands: Vec<Operand>) -> [Operand; 2] {
    let Ok(pair) = <[Operand; 2]>::try_from(operands) else {
        unreachable!("the tree gives binary operators two operands");
    };
    pair
}
