//! Random specifications for a system: symmetric at every moment, symmetric from the start, or not
//! at all.

use super::alphabet::{CHANNELS, Channel};
use super::families::mutated;
use super::node::{Node, Start, StartHeld};
use super::operators::{Each, Two};
use super::pattern::Pattern;
use super::restrictions::{counting, exclusion, protocol, random_specification};
use super::system::Builder;
use super::template::{Beside, Family};

impl Builder {
    /// Some specifications, each with its sort.
    pub(super) fn specifications(&mut self, implementation: &Node) -> Vec<(&'static str, Node)> {
        let terminates = |family: &Family| {
            let mut states = family.states.iter();
            states.any(|state| state.beside == Beside::Termination)
        };
        let terminates = self.families.iter().any(terminates);
        let own: Vec<Family> = self.families.clone();
        let mut found = vec![("everything", Node::Run(terminates))];
        let sorts = [
            "forgets identities",
            "remembers an identity",
            "mutual exclusion",
            "not too often",
            "one protocol for each",
            "less than the system",
            "more than the system",
            "the system",
            "the first one differs",
        ];
        for sort in sorts {
            let percent = if sort == "not too often" { 95 } else { 60 };
            if !self.dice.chance(percent) {
                continue;
            }
            let mut node = match sort {
                "one protocol for each" => self.protocols(),
                "less than the system" => self.variant(implementation, &own, Some(false)),
                "more than the system" => self.variant(implementation, &own, Some(true)),
                "the system" => implementation.clone(),
                _ => {
                    let family = self.add(|dice, name| match sort {
                        "mutual exclusion" => exclusion(dice, name),
                        "not too often" => counting(dice, name),
                        _ => random_specification(dice, name, sort),
                    });
                    Node::Component(Start {
                        family,
                        state: 0,
                        first: None,
                        held: StartHeld::First,
                    })
                }
            };
            if terminates && !sort.contains("the system") && self.dice.chance(80) {
                node = Node::Two(Two::Interrupt, Box::new(node), Box::new(Node::Skip));
            }
            found.push((sort, node));
        }
        found
    }

    /// A specification in which each identity's own events follow a protocol, and all else is free.
    fn protocols(&mut self) -> Node {
        let family = self.add(protocol);
        let component = Node::Component(Start {
            family,
            state: 0,
            first: None,
            held: StartHeld::Me,
        });
        let each = Node::Each(Each::Interleave, Box::new(component));
        let single = |channel: &Channel| CHANNELS[*channel].1 == 1;
        let rest = (0..CHANNELS.len()).filter(|channel| !single(channel));
        let rest = Node::RunOf(rest.map(Pattern::all).collect());
        Node::Two(Two::Parallel(Vec::new()), Box::new(each), Box::new(rest))
    }

    /// The implementation with one more or one less transition in one of its templates.
    fn variant(&mut self, implementation: &Node, own: &[Family], more: Option<bool>) -> Node {
        let changed = self.dice.below(own.len());
        let start = self.families.len();
        for (number, family) in own.iter().enumerate() {
            let more = more.filter(|_| number == changed);
            self.add(|dice, name| mutated(dice, name, family, more));
        }
        implementation.over(&|family| start + family)
    }
}
