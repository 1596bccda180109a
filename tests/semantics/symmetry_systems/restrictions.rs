//! Random templates of specifications.

use super::alphabet::{A, B, C, CHANNELS, Channel, D, P};
use super::dice::Dice;
use super::families::{blank, target_of};
use super::pattern::Field::{self, Held, Me, Strange};
use super::pattern::Pattern;
use super::template::{Beside, Family, Register, Target, TemplateState};

/// A protocol: each identity may do its events of three channels in one order.
pub(crate) fn protocol(dice: &mut Dice, name: String) -> Family {
    let mut family = blank(dice, name, true, 3, 0);
    let count = family.states.len();
    for from in 0..count {
        for channel in [A, B, C] {
            if from == 0 || dice.chance(70) {
                let to = dice.below(count);
                let target = target_of(dice, &family, from, to, None);
                let step = (Pattern::new(channel, &[Me]), target);
                family.states[from].transitions.push(step);
            }
        }
    }
    family
}

/// A component that does an event of one channel must do one of another before the next one may;
/// all else is free.
pub(crate) fn exclusion(dice: &mut Dice, name: String) -> Family {
    let enter: Channel = dice.pick(&[A, B, C]);
    let leave: Channel = dice.pick(&[A, B, C]);
    let free = |holds: bool, state: usize| {
        let others = (0..CHANNELS.len()).filter(move |&c| c != enter && c != leave);
        let stay = Target {
            state,
            register: Register::Keep,
        };
        let transitions = others
            .map(|channel| (Pattern::all(channel), stay))
            .collect();
        TemplateState {
            holds,
            transitions,
            beside: Beside::Nothing,
        }
    };
    let mut states = vec![free(false, 0), free(true, 1)];
    if enter != leave && dice.chance(70) {
        // A component that is not inside may leave as well, without effect.
        let stay = |state| Target {
            state,
            register: Register::Keep,
        };
        let strange = Pattern::new(leave, &[Strange]);
        states[0].transitions.push((Pattern::all(leave), stay(0)));
        states[1].transitions.push((strange, stay(1)));
    }
    let enter = Pattern::all(enter);
    let inside = Target {
        state: 1,
        register: Register::Field(0),
    };
    states[0].transitions.push((enter, inside));
    let leave = Pattern::new(leave, &[Held]);
    let outside = Target {
        state: 0,
        register: Register::Keep,
    };
    states[1].transitions.push((leave, outside));
    Family {
        name,
        has_me: false,
        states,
    }
}

/// Events of one channel, perhaps with one identity, do not follow each other too often; all else
/// is free.
pub(crate) fn counting(dice: &mut Dice, name: String) -> Family {
    let most = 2 + dice.below(3);
    let channel: Channel = dice.pick(&[P, A, B, C, A, B, C, D]);
    let same = CHANNELS[channel].1 == 1 && dice.chance(60);
    let to = |state| Target {
        state,
        register: Register::Field(0),
    };
    let stay = |state| Target {
        state,
        register: Register::Keep,
    };
    let state = |count: usize| {
        let others = (0..CHANNELS.len()).filter(|&other| other != channel);
        let mut transitions: Vec<_> = others.map(|c| (Pattern::all(c), stay(count))).collect();
        let holds = same && count > 0;
        if holds {
            transitions.push((Pattern::new(channel, &[Strange]), to(1)));
        }
        if count < most {
            let again = if holds {
                Pattern::new(channel, &[Held])
            } else {
                Pattern::all(channel)
            };
            transitions.push((again, if same { to(count + 1) } else { stay(count + 1) }));
        }
        TemplateState {
            holds,
            transitions,
            beside: Beside::Nothing,
        }
    };
    Family {
        name,
        has_me: false,
        states: (0..=most).map(state).collect(),
    }
}

/// A specification that allows most events in every state: without a register if it forgets
/// identities, with one that never changes if the first identity is to differ.
pub(crate) fn random_specification(dice: &mut Dice, name: String, sort: &str) -> Family {
    let holding = match sort {
        "forgets identities" => 0,
        "the first one differs" => 100,
        _ => 70,
    };
    let mut family = blank(dice, name, false, 3, holding);
    for from in 0..family.states.len() {
        for channel in 0..CHANNELS.len() {
            let holds = family.states[from].holds;
            let patterns = match from {
                // A system that fails at once is of little use.
                0 if !holds => vec![Pattern::all(channel)],
                _ => allowed(dice, channel, holds),
            };
            for pattern in patterns {
                let to = dice.below(family.states.len());
                let mut target = target_of(dice, &family, from, to, Some(&pattern));
                if holding == 100 {
                    target.register = Register::Keep;
                }
                family.states[from].transitions.push((pattern, target));
            }
        }
    }
    family
}

/// All events of a channel, those with the held identity apart, or not all of them.
fn allowed(dice: &mut Dice, channel: Channel, holds: bool) -> Vec<Pattern> {
    let all = Pattern::all(channel);
    let Some(place) = (!all.fields.is_empty()).then(|| dice.below(all.fields.len())) else {
        return vec![all].into_iter().filter(|_| dice.chance(95)).collect();
    };
    let with = |field: Field| {
        let mut fields = all.fields.clone();
        fields[place] = field;
        Pattern::new(channel, &fields)
    };
    match dice.below(100) {
        0..30 if holds => vec![with(Held), with(Strange)],
        30..40 if holds => vec![with(Held)],
        40..50 if holds => vec![with(Strange)],
        0..93 => vec![all],
        _ => Vec::new(),
    }
}
