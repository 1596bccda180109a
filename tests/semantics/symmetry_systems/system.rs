//! Random systems: components composed by every operator.

use std::collections::BTreeSet;

use super::alphabet::{A, Alphabet, B, C, Channel, D, P, Q, T};
use super::dice::Dice;
use super::families::{Wanted, random_component, random_shared, ring_station};
use super::node::{Node, Start, StartHeld};
use super::operators::{Each, Renaming, Two};
use super::pattern::{Field, Pattern};
use super::template::Family;

/// A system with its specifications.
pub(crate) struct System {
    pub(crate) alphabet: Alphabet,
    pub(crate) families: Vec<Family>,
    pub(crate) implementation: Node,
    /// The specifications, each with its sort.
    pub(crate) specifications: Vec<(&'static str, Node)>,
}

impl System {
    /// The system number `seed`.
    pub(crate) fn random(seed: usize) -> Self {
        let mut dice = Dice::new(seed);
        let alphabet = Alphabet {
            ids: dice.weighted(&[(2, 2), (5, 3), (3, 4)]),
            integers: dice.chance(30),
        };
        let mut builder = Builder {
            dice,
            alphabet,
            families: Vec::new(),
        };
        let implementation = builder.implementation();
        let specifications = builder.specifications(&implementation);
        Self {
            alphabet,
            families: builder.families,
            implementation,
            specifications,
        }
    }

    /// The script without assertions: `IMPL` and `SPEC0`, `SPEC1`...
    pub(crate) fn text(&self) -> String {
        let mut text = self.alphabet.declarations();
        text.extend(self.families.iter().map(Family::text));
        let process = |node: &Node| node.text(&self.alphabet, &self.families, "i");
        text += &format!("IMPL = {}\n", process(&self.implementation));
        for (number, (kind, node)) in self.specifications.iter().enumerate() {
            text += &format!("-- {kind}\nSPEC{number} = {}\n", process(node));
        }
        text
    }
}

/// Makes one system.
pub(super) struct Builder {
    pub(super) dice: Dice,
    alphabet: Alphabet,
    /// The templates so far.
    pub(super) families: Vec<Family>,
}

/// The channels with one identity.
const SINGLE: [Channel; 3] = [A, B, C];

impl Builder {
    /// Adds a template. Returns its number.
    pub(super) fn add(&mut self, make: impl FnOnce(&mut Dice, String) -> Family) -> usize {
        let name = format!("F{}", self.families.len());
        let family = make(&mut self.dice, name);
        self.families.push(family);
        self.families.len() - 1
    }

    fn implementation(&mut self) -> Node {
        match self.dice.below(100) {
            0..45 => self.part(Wanted::Anything),
            45..70 => self.controlled(),
            70..80 => self.linked(),
            80..90 => self.ring(),
            _ => {
                let part = self.part(Wanted::Anything);
                self.relabelled(part)
            }
        }
    }

    /// Components in parallel, perhaps with a shared one.
    fn part(&mut self, wanted: Wanted) -> Node {
        let each = self.each(wanted);
        let mut node = match self.dice.below(100) {
            0..50 => {
                let shared = self.shared(wanted);
                let set = self.channels_of_the_last_family();
                Node::Two(Two::Parallel(set), Box::new(each), Box::new(shared))
            }
            _ => each,
        };
        if self.dice.chance(15) {
            node = self.relabelled(node);
        }
        node
    }

    /// Events for all components to do together, now and then with their own ones, which then block
    /// them.
    fn common_events(&mut self) -> Vec<Pattern> {
        let all = [(50, P), (50, Q), (10, A), (20, B), (10, C)].into_iter();
        let chosen = all.filter(|&(percent, _)| self.dice.chance(percent));
        chosen.map(|(_, channel)| Pattern::all(channel)).collect()
    }

    /// Most of the channels of the template made last.
    fn channels_of_the_last_family(&mut self) -> Vec<Pattern> {
        let states = self
            .families
            .last()
            .into_iter()
            .flat_map(|family| &family.states);
        let transitions = states.flat_map(|state| &state.transitions);
        let channels: BTreeSet<Channel> = transitions.map(|(event, _)| event.channel).collect();
        let chosen = channels.into_iter().filter(|_| self.dice.chance(80));
        chosen.map(Pattern::all).collect()
    }

    /// One component for each identity.
    fn each(&mut self, wanted: Wanted) -> Node {
        let operator = match self.dice.below(100) {
            0..45 => Each::Interleave,
            45..65 => Each::Parallel(self.common_events()),
            _ => Each::Alphabetised(self.own_events()),
        };
        let body = self.body(wanted);
        Node::Each(operator, Box::new(body))
    }

    fn own_events(&mut self) -> Vec<Pattern> {
        let single = SINGLE.map(|channel| Pattern::new(channel, &[Field::Me]));
        let double = [[Field::Me, Field::Any], [Field::Any, Field::Me]];
        let double = double.map(|fields| Pattern::new(D, &fields));
        let plain = [P, Q].map(Pattern::all);
        let all = single.into_iter().chain(double).chain(plain);
        all.filter(|_| self.dice.chance(93)).collect()
    }

    /// A process that exists once for each identity.
    fn body(&mut self, wanted: Wanted) -> Node {
        let is_small = self.alphabet.ids < 4;
        match self.dice.below(100) {
            0..25 if is_small => self.pair(wanted),
            25..35 => {
                let component = self.component(wanted, 3);
                let mine = vec![Pattern::new(self.dice.pick(&SINGLE), &[Field::Me])];
                Node::Hide(mine, Box::new(component))
            }
            35..45 => {
                let component = self.component(wanted, 3);
                let renaming = Renaming::Mine(A, self.dice.pick(&[B, C]));
                Node::Rename(renaming, Box::new(component))
            }
            _ => self.component(wanted, if is_small { 4 } else { 3 }),
        }
    }

    /// Two components for each identity, side by side.
    fn pair(&mut self, wanted: Wanted) -> Node {
        let left = self.component(wanted, 2);
        let right = self.component(wanted, 2);
        let channel = self.dice.pick(&SINGLE);
        let set = if self.dice.chance(60) {
            vec![Pattern::new(channel, &[Field::Me])]
        } else {
            Vec::new()
        };
        let both = Node::Two(Two::Parallel(set.clone()), Box::new(left), Box::new(right));
        if self.dice.chance(50) && !set.is_empty() {
            Node::Hide(set, Box::new(both))
        } else {
            both
        }
    }

    fn component(&mut self, wanted: Wanted, most_states: usize) -> Node {
        let family = self.add(|dice, name| random_component(dice, name, most_states, wanted));
        self.start(family)
    }

    fn shared(&mut self, wanted: Wanted) -> Node {
        let family = self.add(|dice, name| random_shared(dice, name, wanted));
        self.start(family)
    }

    fn start(&mut self, family: usize) -> Node {
        let Family { has_me, states, .. } = &self.families[family];
        let (has_me, states) = (*has_me, states.len());
        let moved = has_me && self.dice.chance(25);
        let held = match (has_me, self.dice.chance(50)) {
            (_, true) => StartHeld::First,
            (true, false) => StartHeld::Me,
            (false, false) => StartHeld::Chosen,
        };
        Node::Component(Start {
            family,
            state: 0,
            first: moved.then(|| self.dice.below(states)),
            held,
        })
    }

    fn relabelled(&mut self, node: Node) -> Node {
        let node = Box::new(node);
        let single = self.dice.pick(&SINGLE);
        match self.dice.below(6) {
            0 | 1 => {
                let channel = self.dice.pick(&[P, A, B, C, D]);
                Node::Hide(vec![Pattern::all(channel)], node)
            }
            2 => Node::Rename(Renaming::Channel(single, A), node),
            3 => Node::Rename(Renaming::Forget(single, Q), node),
            4 => Node::Rename(Renaming::Spread(P, single), node),
            _ => Node::Rename(Renaming::Flip(D), node),
        }
    }

    /// An operator whose shape changes, over parallels.
    fn controlled(&mut self) -> Node {
        let two = match self.dice.below(8) {
            0 => Two::Sequential,
            1 => Two::ExternalChoice,
            2 => Two::Interrupt,
            3 => Two::SlidingChoice,
            4 => Two::Exception(vec![Pattern::all(self.dice.pick(&[P, A, B, D]))]),
            choice => {
                let body = self.pair(Wanted::Anything);
                let each = match choice {
                    5 => Each::ExternalChoice,
                    6 => Each::InternalChoice,
                    _ => Each::Input(self.dice.pick(&SINGLE)),
                };
                return Node::Each(each, Box::new(body));
            }
        };
        let ends = matches!(two, Two::Sequential) || self.dice.chance(30);
        let first = self.part(if ends {
            Wanted::Termination
        } else {
            Wanted::Anything
        });
        let then = match self.dice.below(3) {
            0 => self.shared(Wanted::Anything),
            _ => self.part(Wanted::Anything),
        };
        Node::Two(two, Box::new(first), Box::new(then))
    }

    /// Two sides tied together: whole families of components, or two components alone.
    fn linked(&mut self) -> Node {
        let single = self.dice.pick(&SINGLE);
        let other = self.dice.pick(&SINGLE);
        if self.dice.chance(50) {
            let left = self.each(Wanted::Anything);
            let right = if self.dice.chance(50) {
                self.each(Wanted::Anything)
            } else {
                self.shared(Wanted::Anything)
            };
            return Node::Two(
                Two::Linked(vec![(single, other)]),
                Box::new(left),
                Box::new(right),
            );
        }
        // A chain of components, closed to a ring: each hands on by p what the next takes by q.
        let station = self.component(Wanted::Anything, 3);
        let at = |id| Box::new(Node::At(id, Box::new(station.clone())));
        let last = self.alphabet.ids - 1;
        let chain = (1..last).fold(at(0), |chain, id| {
            Box::new(Node::Two(Two::Linked(vec![(P, Q)]), chain, at(id)))
        });
        Node::Two(Two::Linked(vec![(P, Q), (Q, P)]), chain, at(last))
    }

    /// Stations that pass something round; the first one has it at the start.
    fn ring(&mut self) -> Node {
        let family = self.add(ring_station);
        let first = Some(self.families[family].states.len() - 1);
        let station = Node::Component(Start {
            family,
            state: 0,
            first: first.filter(|_| self.dice.chance(85)),
            held: StartHeld::Me,
        });
        let mut alphabet = self.own_events();
        alphabet.push(Pattern::new(T, &[Field::Me, Field::Next]));
        alphabet.push(Pattern::new(T, &[Field::Previous, Field::Me]));
        let ring = Node::Each(Each::Alphabetised(alphabet), Box::new(station));
        if self.dice.chance(50) {
            Node::Hide(vec![Pattern::all(T)], Box::new(ring))
        } else {
            ring
        }
    }
}
