//! The longest prefix of a trace that a process can do, and the events that it can do then instead.

use rustc_hash::FxHashSet;

use base::cancel::Cancellation;
use base::diag::Result;
use machine::Machine;
use machine::successors::Scratch;
use process::event::{EventId, TAU};

/// The part of a trace that a process can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongestPrefix {
    /// The number of events of the trace that the process can do, one after the other.
    pub length: usize,
    /// All events that the process can do next, after one run or another, ascending.
    pub next: Vec<EventId>,
}

/// The longest prefix of `trace` that `machine` has as a trace. All states in which it can be after
/// each event are followed, without symmetry; returns `None` if these are more than `limit` in all.
pub fn longest_prefix(
    machine: &Machine,
    trace: &[EventId],
    limit: usize,
    token: &Cancellation,
) -> Result<Option<LongestPrefix>> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, token)?;
    let mut states: Vec<Vec<u64>> = vec![successors.initial(packing.words())];
    let mut scratch = Scratch::new(packing.words());
    let mut visited = 0;
    for length in 0..=trace.len() {
        let wanted = trace.get(length);
        let mut known: FxHashSet<Vec<u64>> = states.iter().cloned().collect();
        let mut after: FxHashSet<Vec<u64>> = FxHashSet::default();
        let mut next: FxHashSet<EventId> = FxHashSet::default();
        while let Some(state) = states.pop() {
            visited += 1;
            if visited > limit {
                return Ok(None);
            }
            token.step()?;
            successors.for_each(&state, &mut scratch, &mut |_, event, target| {
                if event == TAU {
                    if known.insert(target.clone()) {
                        states.push(target.clone());
                    }
                    return;
                }
                next.insert(event);
                if wanted == Some(&event) {
                    after.insert(target.clone());
                }
            });
        }
        if after.is_empty() {
            let mut next: Vec<EventId> = next.into_iter().collect();
            next.sort_unstable();
            return Ok(Some(LongestPrefix { length, next }));
        }
        states = after.into_iter().collect();
    }
    // Not reached: after the whole trace no event is wanted, so `after` is empty.
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::testing::within;
    use lts::explore::LeafLimits;
    use lts::model::Model;
    use lts::normal_form::NormalForm;
    use machine::explicit::explicit;
    use machine::{CompileOptions, compile};
    use process::term::Definitions;
    use testkit::terms::Generator;

    const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

    /// The longest prefix, found by walking through the normal form, which has one state after each
    /// trace.
    fn in_normal_form(process: &NormalForm, trace: &[EventId]) -> LongestPrefix {
        let mut at = NormalForm::INITIAL;
        let mut length = 0;
        while let Some(after) = trace.get(length).and_then(|&e| process.successor(at, e)) {
            (at, length) = (after, length + 1);
        }
        let mut next: Vec<EventId> = process.row(at).iter().map(|&(event, _)| event).collect();
        next.sort_unstable();
        LongestPrefix { length, next }
    }

    #[test]
    fn prefixes_are_those_of_the_normal_form() {
        let (mut compared, mut long) = (0, 0);
        for seed in 0..1500 {
            let mut generator = Generator::new(seed);
            let term = generator.term(3, true);
            let events = &mut generator.table.terms_mut().events;
            let events = ["a", "b", "c"].map(|name| events.intern(name));
            let Ok(machine) = compile(&mut generator.table, term, &OPTIONS) else {
                continue;
            };
            let Ok(states) = explicit(&machine, 1000, Cancellation::never()) else {
                continue;
            };
            let Ok(normal) = NormalForm::of(&states, Model::Traces, 1000, Cancellation::never())
            else {
                continue;
            };
            // All traces of four events, so that some lead on and most do not.
            for code in 0..81_usize {
                let digit = |place| events[code / 3_usize.pow(place) % 3];
                let trace: Vec<EventId> = (0..4).map(digit).collect();
                let expected = in_normal_form(&normal, &trace);
                let found =
                    longest_prefix(&machine, &trace, 100_000, Cancellation::never()).unwrap();
                let expected_if_short = (expected.length < trace.len()).then_some(expected);
                long += usize::from(expected_if_short.as_ref().is_some_and(|p| p.length > 1));
                let found = found.filter(|found| found.length < trace.len());
                assert_eq!(found, expected_if_short, "seed {seed}");
                compared += 1;
            }
        }
        assert!(compared > 80_000, "only {compared} were small enough");
        assert!(long > 1000, "only {long} went beyond an event");
    }

    #[test]
    fn too_many_states_are_not_followed() {
        let mut generator = Generator::new(1);
        let call = generator.table.call("P");
        let event = generator.table.terms_mut().events.intern("a");
        let machine = compile(&mut generator.table, call, &OPTIONS).unwrap();
        let followed =
            |limit, token: &Cancellation| longest_prefix(&machine, &[event], limit, token);
        assert_eq!(followed(0, &Cancellation::new()).unwrap(), None);
        let (ended, steps) = within(0, |token| followed(1, token));
        assert_eq!((ended.unwrap_err().code, steps), ("interrupted", 1));
    }
}
