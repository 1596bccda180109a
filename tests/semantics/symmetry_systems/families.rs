//! Random component templates.

use super::alphabet::{A, B, C, D, P, Q, T};
use super::dice::Dice;
use super::pattern::Field::{Any, Held, Me, Next, Other, Previous, Strange};
use super::pattern::Pattern;
use super::template::{Beside, Family, Register, Target, TemplateState};

/// A required ability of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Nothing in particular.
    Anything,
    /// It can terminate.
    Termination,
}

type Row = Vec<(usize, Pattern)>;

/// Events that a component with an identity may do, each with a weight.
fn component_patterns(holds: bool) -> Row {
    let mut patterns = vec![
        (1, Pattern::all(P)),
        (1, Pattern::all(Q)),
        (1, Pattern::new(D, &[Me, Other])),
        (1, Pattern::new(D, &[Any, Me])),
        (1, Pattern::new(B, &[Any])),
        (1, Pattern::new(C, &[Other])),
    ];
    patterns.extend([A, B, C].map(|channel| (2, Pattern::new(channel, &[Me]))));
    if holds {
        patterns.push((3, Pattern::new(D, &[Me, Held])));
        patterns.push((2, Pattern::new(B, &[Held])));
    }
    patterns
}

/// Events that a shared component may do.
fn shared_patterns(holds: bool) -> Row {
    let mut patterns = vec![
        (1, Pattern::all(P)),
        (1, Pattern::all(Q)),
        (2, Pattern::all(D)),
    ];
    patterns.extend([A, B, C].map(|channel| (3, Pattern::all(channel))));
    if holds {
        patterns.extend([A, B, C].map(|channel| (3, Pattern::new(channel, &[Held]))));
        patterns.push((2, Pattern::new(C, &[Strange])));
        patterns.push((2, Pattern::new(D, &[Any, Held])));
    }
    patterns
}

/// A component with an identity; every state leads on to the next one, and the first does an event
/// of its own.
pub(crate) fn random_component(
    dice: &mut Dice,
    name: String,
    most_states: usize,
    wanted: Wanted,
) -> Family {
    let mut family = blank(dice, name, true, most_states, 20);
    automaton(dice, &mut family, component_patterns, 1);
    let own = dice.pick(&[A, B, C]);
    let target = family.states[0]
        .transitions
        .first()
        .map(|(_, target)| *target);
    let pattern = Pattern::new(own, &[Me]);
    let target = target.unwrap_or_else(|| target_of(dice, &family, 0, 0, Some(&pattern)));
    let first = (pattern, readable(target));
    match family.states[0].transitions.first_mut() {
        Some(transition) => *transition = first,
        None => family.states[0].transitions.push(first),
    }
    if let Beside::Internal(_) | Beside::Termination = family.states[0].beside {
        family.states[0].beside = Beside::Nothing;
    }
    ended(dice, family, wanted)
}

/// A field of the event that was there before may be missing in the one that replaces it.
fn readable(target: Target) -> Target {
    let register = match target.register {
        Register::Field(_) => Register::Me,
        other => other,
    };
    Target { register, ..target }
}

/// A component without an identity.
pub(crate) fn random_shared(dice: &mut Dice, name: String, wanted: Wanted) -> Family {
    let mut family = blank(dice, name, false, 3, 60);
    automaton(dice, &mut family, shared_patterns, 2);
    ended(dice, family, wanted)
}

/// Makes the last state terminate, if that is wanted.
fn ended(dice: &mut Dice, mut family: Family, wanted: Wanted) -> Family {
    if wanted == Wanted::Termination && dice.chance(90) {
        if family.states.len() == 1 {
            let end = family.states[0].clone();
            family.states.push(TemplateState {
                holds: false,
                ..end
            });
            let all = Pattern::all(P);
            let target = target_of(dice, &family, 0, 1, Some(&all));
            family.states[0].transitions.push((all, target));
            family.states[0].beside = Beside::Nothing;
        }
        let last = family.states.last_mut().expect("a state");
        last.transitions.clear();
        last.beside = Beside::Termination;
    }
    family
}

/// States without transitions. The given percentage of them holds an identity.
pub(super) fn blank(
    dice: &mut Dice,
    name: String,
    has_me: bool,
    most: usize,
    holding: usize,
) -> Family {
    let states =
        if has_me { 2 } else { 1 } + dice.below(most.min(if has_me { most - 1 } else { most }));
    let state = |_| TemplateState {
        holds: dice.chance(holding),
        transitions: Vec::new(),
        beside: Beside::Nothing,
    };
    let states = (0..states).map(state).collect();
    Family {
        name,
        has_me,
        states,
    }
}

/// Transitions from every state to the next one, round and round, and some more: `least` at the
/// least.
fn automaton(dice: &mut Dice, family: &mut Family, patterns: fn(bool) -> Row, least: usize) {
    let count = family.states.len();
    for from in 0..count {
        let next = (from + 1) % count;
        if dice.chance(7) {
            family.states[from].beside = internal(dice, family, from, next);
            continue;
        }
        for extra in 0..least + dice.below(3) {
            let to = if extra == 0 { next } else { dice.below(count) };
            add_transition(dice, family, from, to, patterns);
        }
        if dice.chance(10) {
            let to = dice.below(count);
            let target = target_of(dice, family, from, to, None);
            family.states[from].beside = Beside::Slide(target);
        }
    }
}

/// Only τ, to `next` and to some other state. (CSPm has no `|~|` of one operand, nor of equal
/// ones.)
fn internal(dice: &mut Dice, family: &Family, from: usize, next: usize) -> Beside {
    let first = target_of(dice, family, from, next, None);
    let to = dice.below(family.states.len());
    let second = target_of(dice, family, from, to, None);
    if first.state == second.state {
        Beside::Slide(first)
    } else {
        Beside::Internal(vec![first, second])
    }
}

fn add_transition(
    dice: &mut Dice,
    family: &mut Family,
    from: usize,
    to: usize,
    patterns: fn(bool) -> Row,
) {
    let pattern = dice.weighted(&patterns(family.states[from].holds));
    let fillable = family.has_me || family.states[from].holds || !pattern.fields.is_empty();
    let pattern = if family.states[to].holds && !fillable {
        Pattern::all(A)
    } else {
        pattern
    };
    let target = target_of(dice, family, from, to, Some(&pattern));
    family.states[from].transitions.push((pattern, target));
}

/// The state `to` with a value for its register; `from` itself if there is no value.
pub(super) fn target_of(
    dice: &mut Dice,
    family: &Family,
    from: usize,
    to: usize,
    event: Option<&Pattern>,
) -> Target {
    let fields = event.map_or(0, |pattern| pattern.fields.len());
    let mut sources: Vec<Register> = (0..fields).map(Register::Field).collect();
    if family.states[from].holds {
        sources.push(Register::Keep);
    }
    if family.has_me {
        sources.push(Register::Me);
    }
    match (family.states[to].holds, sources.is_empty()) {
        (true, true) => Target {
            state: from,
            register: Register::Keep,
        },
        (true, false) => Target {
            state: to,
            register: dice.pick(&sources),
        },
        (false, _) => Target {
            state: to,
            register: Register::Keep,
        },
    }
}

/// A station of a ring: idle at first, and with the token in its last state.
pub(crate) fn ring_station(dice: &mut Dice, name: String) -> Family {
    let mut family = blank(dice, name, true, 3, 0);
    let last = family.states.len() - 1;
    let go = |state| Target {
        state,
        register: Register::Keep,
    };
    let own = |dice: &mut Dice| Pattern::new(dice.pick(&[A, B, C]), &[Me]);
    for state in 0..last {
        let take = Pattern::new(T, &[Previous, Me]);
        family.states[state].transitions.push((take, go(last)));
        let to = dice.below(last);
        let step = own(dice);
        family.states[state].transitions.push((step, go(to)));
    }
    let give = Pattern::new(T, &[Me, Next]);
    let to = dice.below(last);
    family.states[last].transitions.push((give, go(to)));
    if dice.chance(50) {
        let step = own(dice);
        family.states[last].transitions.push((step, go(last)));
    }
    family
}

/// `family` under another name, with one transition more or less if that is asked for.
pub(crate) fn mutated(
    dice: &mut Dice,
    name: String,
    family: &Family,
    more: Option<bool>,
) -> Family {
    let mut family = Family {
        name,
        ..family.clone()
    };
    let from = dice.below(family.states.len());
    let kind = &family.states[from].beside;
    let has_choice = matches!(kind, Beside::Nothing | Beside::Slide(_));
    match more {
        Some(true) if has_choice => {
            let to = dice.below(family.states.len());
            let patterns = if family.has_me {
                component_patterns
            } else {
                shared_patterns
            };
            add_transition(dice, &mut family, from, to, patterns);
        }
        Some(false) if has_choice => {
            let transitions = &mut family.states[from].transitions;
            if !transitions.is_empty() {
                transitions.remove(dice.below(transitions.len()));
            }
        }
        _ => {}
    }
    family
}
