//! Processes over identities as trees of operators: as CSPm, and expanded.

use super::alphabet::{Alphabet, Event, TICK};
use super::lts::Lts;
use super::operators::{Each, Renaming, Two, events};
use super::pattern::{Pattern, Scope, set_text};
use super::template::Family;
use super::tree::{Operator, Tree};

/// A process. If an operator is replicated, its operand has the identity of its position as its
/// own.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A component.
    Component(Start),
    /// `RUN(Events)`, which may also terminate if the flag is set.
    Run(bool),
    /// `RUN` of these alone.
    RunOf(Vec<Pattern>),
    /// `SKIP`
    Skip,
    /// One operand for each identity.
    Each(Each, Box<Node>),
    /// The operand with a given identity as its own.
    At(usize, Box<Node>),
    Two(Two, Box<Node>, Box<Node>),
    Hide(Vec<Pattern>, Box<Node>),
    Rename(Renaming, Box<Node>),
}

/// A component in its initial state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Its template, by position.
    pub(crate) family: usize,
    pub(crate) state: usize,
    /// The state in which the first identity's component starts instead.
    pub(crate) first: Option<usize>,
    pub(crate) held: StartHeld,
}

/// The content of the register at the start, if there is a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StartHeld {
    /// The first identity.
    First,
    /// The own identity.
    Me,
    /// One chosen internally.
    Chosen,
}

impl Node {
    /// The process as CSPm, for a component called `me`.
    pub(crate) fn text(&self, alphabet: &Alphabet, families: &[Family], me: &str) -> String {
        let inner = |node: &Node| node.text(alphabet, families, me);
        let text = match self {
            Node::Component(start) => start.text(alphabet, families, me),
            Node::Run(false) => "RUN(Events)".to_string(),
            Node::Run(true) => r"RUN(Events) /\ SKIP".to_string(),
            Node::RunOf(patterns) => format!("RUN({})", set_text(patterns, me)),
            Node::Skip => "SKIP".to_string(),
            Node::Each(each, body) => {
                let body = body.text(alphabet, families, "i");
                format!("{} {body}", each.text(me))
            }
            Node::At(id, body) => body.text(alphabet, families, &alphabet.id(*id)),
            Node::Two(two, left, right) => {
                format!("{} {} {}", inner(left), two.text(me), inner(right))
            }
            Node::Hide(set, body) => format!(r"{} \ {}", inner(body), set_text(set, me)),
            Node::Rename(renaming, body) => format!("{}[[{}]]", inner(body), renaming.text(me)),
        };
        format!("({text})")
    }

    /// The process as a tree, for a component with this identity.
    pub(crate) fn tree(&self, alphabet: &Alphabet, families: &[Family], me: Option<usize>) -> Tree {
        let inner = |node: &Node| node.tree(alphabet, families, me);
        let set = |patterns: &[Pattern]| events(patterns, alphabet, me);
        match self {
            Node::Component(start) => start.tree(alphabet, families, me),
            Node::Run(terminates) => {
                let mut row: Vec<(Event, usize)> = alphabet
                    .visible()
                    .iter()
                    .map(|&(event, ..)| (event, 0))
                    .collect();
                if *terminates {
                    row.insert(0, (TICK, 1));
                }
                let rows = vec![row, Vec::new()];
                Tree::leaf(Lts { rows }.minimised())
            }
            Node::RunOf(patterns) => {
                let row = set(patterns).into_iter().map(|event| (event, 0)).collect();
                Tree::leaf(Lts { rows: vec![row] })
            }
            Node::Skip => {
                let rows = vec![vec![(TICK, 1)], Vec::new()];
                Tree::leaf(Lts { rows })
            }
            Node::Each(each, body) => {
                let operand = |id| body.tree(alphabet, families, Some(id));
                let operands = (0..alphabet.ids).map(operand).collect();
                Tree::new(each.operator(alphabet), operands, true)
            }
            Node::At(id, body) => body.tree(alphabet, families, Some(*id)),
            Node::Two(two, left, right) => {
                let operands = vec![inner(left), inner(right)];
                Tree::new(two.operator(alphabet, me), operands, false)
            }
            Node::Hide(patterns, body) => {
                Tree::new(Operator::Hide(set(patterns)), vec![inner(body)], false)
            }
            Node::Rename(renaming, body) => {
                let pairs = renaming.pairs(alphabet, me);
                Tree::new(Operator::Rename(pairs), vec![inner(body)], false)
            }
        }
    }

    /// This process over other templates.
    pub(crate) fn over(&self, family: &impl Fn(usize) -> usize) -> Node {
        let inner = |node: &Node| Box::new(node.over(family));
        match self {
            Node::Component(start) => Node::Component(Start {
                family: family(start.family),
                ..*start
            }),
            Node::Each(each, body) => Node::Each(each.clone(), inner(body)),
            Node::At(id, body) => Node::At(*id, inner(body)),
            Node::Two(two, left, right) => Node::Two(two.clone(), inner(left), inner(right)),
            Node::Hide(set, body) => Node::Hide(set.clone(), inner(body)),
            Node::Rename(renaming, body) => Node::Rename(renaming.clone(), inner(body)),
            Node::Run(_) | Node::RunOf(_) | Node::Skip => self.clone(),
        }
    }
}

impl Start {
    fn text(&self, alphabet: &Alphabet, families: &[Family], me: &str) -> String {
        let first = alphabet.id(0);
        let held = match self.held {
            StartHeld::First => first.as_str(),
            StartHeld::Me => me,
            StartHeld::Chosen => "x",
        };
        let call = |state| families[self.family].call(state, me, held);
        let mut text = match self.first {
            Some(state) => format!(
                "if {me} == {first} then {} else {}",
                call(state),
                call(self.state)
            ),
            None => call(self.state),
        };
        if self.held == StartHeld::Chosen && families[self.family].states[self.state].holds {
            text = format!("|~| x : ID @ {text}");
        }
        text
    }

    fn tree(&self, alphabet: &Alphabet, families: &[Family], me: Option<usize>) -> Tree {
        let family = &families[self.family];
        let state = self.first.filter(|_| me == Some(0)).unwrap_or(self.state);
        let lts = |held| family.lts(alphabet, state, Scope { me, held });
        match self.held {
            StartHeld::First => Tree::leaf(lts(Some(0))),
            StartHeld::Me => Tree::leaf(lts(me)),
            StartHeld::Chosen if !family.states[state].holds => Tree::leaf(lts(None)),
            StartHeld::Chosen => {
                let chosen = (0..alphabet.ids).map(|id| Tree::leaf(lts(Some(id))));
                Tree::new(Operator::InternalChoice, chosen.collect(), true)
            }
        }
    }
}
