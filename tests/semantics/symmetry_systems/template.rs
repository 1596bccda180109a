//! Component templates: automata with a parameter for the own identity and, in some states, a
//! register for another one.

use super::alphabet::{Alphabet, Event, TAU, TICK};
use super::lts::{Lts, explore};
use super::pattern::{Pattern, Scope};

/// The value that a step puts into the register of its target, if that has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Register {
    /// The present content.
    Keep,
    /// The component's own identity.
    Me,
    /// This field of the event.
    Field(usize),
}

/// The target of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) state: usize,
    pub(crate) register: Register,
}

/// The behaviour of a state besides its transitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Beside {
    /// Nothing more.
    Nothing,
    /// It terminates, and has no transitions.
    Termination,
    /// A τ that gives up the transitions.
    Slide(Target),
    /// Only these τ, no transitions.
    Internal(Vec<Target>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TemplateState {
    /// True if there is a register.
    pub(crate) holds: bool,
    pub(crate) transitions: Vec<(Pattern, Target)>,
    pub(crate) beside: Beside,
}

/// A template. Its states are processes of their own: `F_0(i)`, `F_1(i, x)`...
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    /// True if it has an identity of its own.
    pub(crate) has_me: bool,
    pub(crate) states: Vec<TemplateState>,
}

impl Family {
    /// The process of `state`, as CSPm.
    pub(crate) fn call(&self, state: usize, me: &str, held: &str) -> String {
        let me = self.has_me.then_some(me);
        let held = self.states[state].holds.then_some(held);
        let arguments: Vec<&str> = me.into_iter().chain(held).collect();
        if arguments.is_empty() {
            format!("{}_{state}", self.name)
        } else {
            format!("{}_{state}({})", self.name, arguments.join(", "))
        }
    }

    fn target_text(&self, target: Target, pattern: Option<&Pattern>) -> String {
        let held = match (target.register, pattern) {
            (Register::Field(place), Some(pattern)) => pattern.field_text(place, "i"),
            (Register::Me, _) => "i".to_string(),
            _ => "x".to_string(),
        };
        self.call(target.state, "i", &held)
    }

    /// The definitions of all states.
    pub(crate) fn text(&self) -> String {
        let define = |state: usize| {
            let left = self.call(state, "i", "x");
            format!("{left} = {}\n", self.body_text(&self.states[state]))
        };
        (0..self.states.len()).map(define).collect()
    }

    fn body_text(&self, state: &TemplateState) -> String {
        let prefix = |(pattern, target): &(Pattern, Target)| {
            pattern.prefix_text(&self.target_text(*target, Some(pattern)))
        };
        let prefixes: Vec<String> = state.transitions.iter().map(prefix).collect();
        let choice = if prefixes.is_empty() {
            "STOP".to_string()
        } else {
            prefixes.join(" [] ")
        };
        match &state.beside {
            Beside::Nothing => choice,
            Beside::Termination => "SKIP".to_string(),
            Beside::Slide(target) => format!("({choice}) [> {}", self.target_text(*target, None)),
            Beside::Internal(targets) => {
                let targets = targets.iter().map(|&target| self.target_text(target, None));
                targets.collect::<Vec<_>>().join(" |~| ")
            }
        }
    }

    /// The transition system of the process of `state`, minimised.
    pub(crate) fn lts(&self, alphabet: &Alphabet, state: usize, scope: Scope) -> Lts {
        let start = self.at(state, scope.held);
        let me = scope.me;
        let steps = |at: &Option<(usize, Option<usize>)>| match *at {
            None => Vec::new(),
            Some((state, held)) => self.steps(alphabet, state, Scope { me, held }),
        };
        let (lts, _) = explore(start, usize::MAX, steps).expect("no limit");
        lts.minimised()
    }

    /// A state with the content of its register; `None` is the state after ✓.
    fn at(&self, state: usize, held: Option<usize>) -> Option<(usize, Option<usize>)> {
        let holds = self.states[state].holds;
        Some((
            state,
            if holds {
                Some(held.expect("something to hold"))
            } else {
                None
            },
        ))
    }

    #[allow(
        clippy::type_complexity,
        reason = "a state is a pair, and it may be over"
    )]
    fn steps(
        &self,
        alphabet: &Alphabet,
        state: usize,
        scope: Scope,
    ) -> Vec<(Event, Option<(usize, Option<usize>)>)> {
        let go = |target: Target, fields: &[usize]| {
            let held = match target.register {
                Register::Keep => scope.held,
                Register::Me => scope.me,
                Register::Field(place) => Some(fields[place]),
            };
            self.at(target.state, held)
        };
        let state = &self.states[state];
        let mut steps = Vec::new();
        for (pattern, target) in &state.transitions {
            for (event, fields) in pattern.events(alphabet, scope) {
                steps.push((event, go(*target, &fields)));
            }
        }
        match &state.beside {
            Beside::Nothing => {}
            Beside::Termination => return vec![(TICK, None)],
            Beside::Slide(target) => steps.push((TAU, go(*target, &[]))),
            Beside::Internal(targets) => {
                return targets
                    .iter()
                    .map(|&target| (TAU, go(target, &[])))
                    .collect();
            }
        }
        steps
    }
}
