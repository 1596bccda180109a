//! Decides whether a process never does an event.

use rustc_hash::FxHashSet;

use base::cancel::Cancellation;
use base::diag::Result;
use machine::leaf::{Behaviour, What};
use machine::rules::Rule;
use machine::successors::Scratch;
use machine::{LeafId, Machine};
use process::event::TAU;

/// At most this many states are visited before the first event.
const MOST_STATES: usize = 1_000;

/// The most rules of a machine that is followed beyond an internal first step. The tables of a
/// larger one would be made twice, once for the warning.
const MOST_RULES: usize = 10_000;

/// True if `machine` certainly never does an event, not even ✓.
pub(super) fn is_idle(machine: &Machine, token: &Cancellation) -> Result<bool> {
    let is_event = |rule: &&Rule| rule.result != TAU;
    if !machine.rules.iter().any(|rule| is_event(&rule)) {
        return Ok(true);
    }
    // It is not known here where a chase goes before the first step.
    if machine.follows_chases() {
        return Ok(false);
    }
    // Priorities may keep a step that is possible from happening, but allow none that is not.
    let mut possible = machine
        .rules
        .iter()
        .filter(|rule| is_possible(machine, rule));
    let mut does_tau = false;
    if possible.any(|rule| {
        does_tau |= rule.result == TAU;
        rule.result != TAU
    }) {
        return Ok(false);
    }
    if !does_tau {
        return Ok(true);
    }
    if machine.rules.len() > MOST_RULES {
        return Ok(false);
    }
    is_quiet(machine, token)
}

/// True if `machine` certainly can do nothing at all, not even τ.
pub(super) fn is_stuck(machine: &Machine) -> bool {
    let mut rules = machine.rules.iter();
    !machine.follows_chases() && !rules.any(|rule| is_possible(machine, rule))
}

/// True if all leaves that take part in `rule` can do so in the initial state.
fn is_possible(machine: &Machine, rule: &Rule) -> bool {
    let mut participants = rule.participants.iter();
    participants.all(|&(leaf, action)| can(machine, leaf, action.what))
}

/// True if a leaf can do this in its initial state, which has number 0.
fn can(machine: &Machine, leaf: LeafId, what: What) -> bool {
    let pairs = match (&machine.leaves[leaf].behaviour, what) {
        (_, What::Nothing) => return true,
        (Behaviour::Process(graph), What::Event(event)) => graph.transitions(event),
        (Behaviour::Controller { moves, .. }, What::Control(number)) => &moves[number as usize],
        _ => return false,
    };
    // The pairs are ascending by the state that they begin in.
    pairs.first().is_some_and(|&(from, _)| from == 0)
}

/// True if all that `machine` reaches by τ are states that do nothing but τ, if they are few.
fn is_quiet(machine: &Machine, token: &Cancellation) -> Result<bool> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, token)?;
    let initial: Vec<u64> = successors.initial(packing.words());
    let mut scratch = Scratch::new(packing.words());
    let mut known = FxHashSet::from_iter([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        token.step()?;
        let mut is_event = false;
        successors.for_each(&state, &mut scratch, &mut |_, event, target: &Vec<u64>| {
            is_event |= event != TAU;
            if event == TAU && known.insert(target.clone()) {
                open.push(target.clone());
            }
        });
        if is_event || known.len() > MOST_STATES {
            return Ok(false);
        }
    }
    Ok(true)
}
