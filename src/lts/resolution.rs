//! Resolutions: what a process refines exactly if it is deterministic.
//!
//! A resolution follows one run of the process for each trace, and always on to a state at rest: so it is deterministic, and
//! what it can do and refuse after a trace, the process can do and refuse then too. Let it offer A after the trace s, and let the process
//! agree with it before that. If the process can do an event that is not in A, it can also refuse that, as the resolution does;
//! if it comes to rest without some event of A, it can refuse what the resolution does. Either way it is not
//! deterministic, and otherwise it is, as far as s goes. So *a process is deterministic if and only if it refines its
//! resolution*, and a shortest counterexample to the one is one to the other (Roscoe, *Understanding Concurrent Systems*,
//! section 10.5, has the refinement checks that this goes back to).
//!
//! `refine::determinism` follows process and resolution together instead, and comes here only where that does not suffice.
//!
//! There are at most as many states as the process has, where its normal form could have exponentially many. What never
//! comes to rest has no resolution: in the failures–divergences model that is no determinism either; in the failures model such
//! a process is compared with its own normal form, made to offer everything.

use rustc_hash::FxHashMap;

use super::graph::{Lts, StateId};
use super::model::Model;
use super::normal_form::{NormalForm, NormalState};
use super::tau::{components, internal, targets_first, visible};
use crate::base::index::TypedIndex;
use crate::base::number::plain;
use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::process::acceptance::acceptance;
use crate::process::event::EventId;

/// What `process` refines in `model`, of failures or of failures and divergences, exactly if it is deterministic in that model. A
/// state with the acceptances `Some([])` is one in which whatever the process does is wrong, because it can diverge.
///
/// Linear, but for a process that diverges in the failures model: that fails if its normal form takes more than `limit` sets of states.
pub fn resolution(
    process: &Lts,
    model: Model,
    limit: usize,
    token: &Cancellation,
) -> Result<NormalForm> {
    let states = resolved(process, token)?;
    let rests = states.iter().all(|state| !state.acceptances.is_empty());
    if rests || model.has_divergences() {
        return NormalForm::with_states(model, states, token);
    }
    let normal = NormalForm::of(process, model, limit, token);
    let normal = normal.map_err(|error| match error.code {
        "large-specification" => Box::new(too_large(limit)),
        _ => error,
    });
    offering_all(&normal?, token)
}

/// What is said of a process whose normal form, which is needed, can be in more than `limit` sets of states.
fn too_large(limit: usize) -> Diagnostic {
    let message = format!(
        "the normal form of the process has more than {}",
        plain(limit, "state")
    );
    Diagnostic::undecided("large-process", message)
        .note("where a process never comes to rest, determinism in failures is decided on its normal form, which can take exponentially many states")
        .hint("ask for `:[deterministic [FD]]`, which needs none, check a smaller instance with -D, or allow more with --max-leaf-states")
}

/// The states of a resolution; those of no acceptance and no events stand for processes that never come to rest.
fn resolved(process: &Lts, token: &Cancellation) -> Result<Vec<NormalState>> {
    let rests = rests(process, token)?;
    // By state of the process at rest, or by nothing, its number.
    let mut numbers: FxHashMap<Option<StateId>, StateId> = FxHashMap::default();
    let mut found = vec![rests[Lts::INITIAL.index()]];
    numbers.insert(found[0], StateId(0));
    let mut states = Vec::new();
    while let Some(&state) = found.get(states.len()) {
        token.step()?;
        let offers = state.and_then(|state| offers(process, state));
        let mut row: Vec<(EventId, StateId)> = Vec::new();
        for &(event, target) in state.map_or(&[][..], |state| visible(process, state)) {
            let is_offered = offers.as_ref().is_some_and(|o| o.contains(&event));
            let is_first = row.last().is_none_or(|&(last, _)| last != event);
            if is_offered && is_first {
                let rest = rests[target.index()];
                let number = *numbers.entry(rest).or_insert_with(|| {
                    found.push(rest);
                    StateId::from_usize(found.len() - 1)
                });
                row.push((event, number));
            }
        }
        states.push(NormalState {
            row,
            acceptances: offers.into_iter().collect(),
            is_divergent: false,
        });
    }
    Ok(states)
}

/// By state, one at rest that τ leads to, perhaps itself; nothing if there is none.
fn rests(process: &Lts, token: &Cancellation) -> Result<Vec<Option<StateId>>> {
    let components = components(process, token)?;
    let component = |state: StateId| components[state.index()] as usize;
    // By component along τ: all its states lead to the same.
    let mut rests: Vec<Option<StateId>> = vec![None; process.state_count()];
    for state in targets_first(process, token)? {
        token.look(1 + process.row(state).len())?;
        let mut targets = internal(process, state).map(|target| rests[component(target)]);
        let rest = match offers(process, state) {
            Some(_) => Some(state),
            None => targets.find_map(|rest| rest),
        };
        let known = &mut rests[component(state)];
        *known = known.or(rest);
    }
    let states = process.states();
    Ok(states.map(|state| rests[component(state)]).collect())
}

/// What `state` offers, ascending, if it is at rest.
fn offers(process: &Lts, state: StateId) -> Option<Vec<EventId>> {
    acceptance(process.row(state).iter().map(|&(event, _)| event))
}

/// `process` where each state that can come to rest has to offer all its events.
fn offering_all(process: &NormalForm, token: &Cancellation) -> Result<NormalForm> {
    let states = (0..process.state_count()).map(StateId::from_usize);
    let state = |state| {
        let row = process.row(state).to_vec();
        let events = row.iter().map(|&(event, _)| event).collect();
        let rests = process
            .acceptances(state)
            .is_none_or(|sets| !sets.is_empty());
        NormalState {
            row,
            acceptances: if rests { vec![events] } else { Vec::new() },
            is_divergent: false,
        }
    };
    NormalForm::with_states(process.model(), states.map(state).collect(), token)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::cancel::at_leisure;
    use crate::lts::compress::tests::random_systems;
    use crate::lts::graph::tests::lts;
    use crate::lts::tau::divergent_states;
    use crate::process::acceptance::is_subset;
    use crate::process::event::{TAU, TICK};

    const A: EventId = EventId(2);
    const B: EventId = EventId(3);

    fn of(rows: &[&[(EventId, u32)]], model: Model) -> NormalForm {
        resolution(&lts(rows), model, 100, &Cancellation::new()).expect("it is small")
    }

    #[test]
    fn of_several_branches_one_is_followed() {
        // a -> b -> STOP [] a -> STOP, its first a after two internal choices.
        let process = of(
            &[&[(A, 1), (A, 4)], &[(TAU, 2)], &[(TAU, 3)], &[(B, 4)], &[]],
            Model::FailuresDivergences,
        );
        let expected = of(&[&[(A, 1)], &[(B, 2)], &[]], Model::FailuresDivergences);
        assert_eq!(process, expected);
    }

    #[test]
    fn a_normal_form_that_is_too_large_is_that_of_the_process() {
        let rows: &[&[(EventId, u32)]] = &[&[(TAU, 0), (A, 1)], &[(A, 2)], &[(B, 3)], &[]];
        let of = |model| resolution(&lts(rows), model, 2, &Cancellation::new());
        let error = of(Model::Failures).expect_err("two are too few");
        assert_eq!(error.code, "large-process");
        assert!(of(Model::FailuresDivergences).is_ok());
    }

    #[test]
    fn termination_is_offered_beside_other_events() {
        let process = of(&[&[(TAU, 1)], &[(TICK, 2), (A, 2)], &[]], Model::Failures);
        assert_eq!(process, of(&[&[(TICK, 1), (A, 1)], &[]], Model::Failures));
    }

    #[test]
    fn a_cycle_that_can_be_left_is_left() {
        let process = of(
            &[&[(TAU, 1)], &[(TAU, 0), (TAU, 2), (B, 2)], &[(A, 0)]],
            Model::Failures,
        );
        assert_eq!(process, of(&[&[(A, 0)]], Model::Failures));
    }

    #[test]
    fn what_never_rests_allows_nothing_or_only_itself() {
        let rows: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 1), (B, 0)]];
        let process = of(rows, Model::FailuresDivergences);
        let after = process.successor(NormalForm::INITIAL, A);
        let after = after.expect("a is possible");
        assert_eq!(process.acceptances(after), Some(Vec::new()));
        assert!(process.row(after).is_empty());
        let process = of(rows, Model::Failures);
        let after = process.successor(NormalForm::INITIAL, A);
        let after = after.expect("a is possible");
        assert_eq!(process.acceptances(after), Some(Vec::new()));
        assert_eq!(process.row(after), [(B, NormalForm::INITIAL)]);
    }

    /// By the definition, on the normal form, which has all that the process can do and refuse after each trace.
    fn is_deterministic(process: &Lts, model: Model) -> bool {
        let normal =
            NormalForm::of(process, model, 10_000, Cancellation::never()).expect("it is small");
        let states = (0..normal.state_count()).map(StateId::from_usize);
        states.into_iter().all(|state| {
            let mut events = normal.row(state).iter().map(|&(event, _)| event);
            !normal.is_divergent(state)
                && match normal.acceptances(state) {
                    None => events.next().is_none(),
                    Some(sets) => events.all(|event| sets.iter().all(|set| set.contains(&event))),
                }
        })
    }

    /// Whether `process` does nothing, state by state, that `resolution` forbids.
    fn refines(process: &Lts, resolution: &NormalForm) -> bool {
        let mut found = vec![(Lts::INITIAL, NormalForm::INITIAL)];
        let mut next = 0;
        let divergent = at_leisure(|token| divergent_states(process, token));
        while let Some(&(state, allowed)) = found.get(next) {
            next += 1;
            let sets = resolution.acceptances(allowed);
            let offers = acceptance(process.row(state).iter().map(|&(event, _)| event));
            let may_refuse = match (&offers, sets) {
                (Some(offers), Some(sets)) => sets.iter().any(|set| is_subset(set, offers)),
                _ => true,
            };
            let diverges = resolution.model().has_divergences() && divergent[state.index()];
            if !may_refuse || diverges {
                return false;
            }
            for &(event, target) in process.row(state) {
                let after = match event {
                    TAU => Some(allowed),
                    _ => resolution.successor(allowed, event),
                };
                let Some(after) = after else { return false };
                if !found.contains(&(target, after)) {
                    found.push((target, after));
                }
            }
        }
        true
    }

    #[test]
    fn a_process_is_deterministic_exactly_if_it_refines_its_resolution() {
        const MODELS: [Model; 2] = [Model::Failures, Model::FailuresDivergences];
        const CASES: u32 = 20_000;
        let deterministic = MODELS.map(|_| Cell::new(0));
        random_systems(CASES, |process| {
            for (model, count) in MODELS.into_iter().zip(&deterministic) {
                let expected = is_deterministic(process, model);
                let resolution = resolution(process, model, 10_000, &Cancellation::new());
                let resolution = resolution.expect("it is small");
                assert_eq!(refines(process, &resolution), expected, "{model:?}");
                count.set(count.get() + u32::from(expected));
            }
        });
        for count in deterministic {
            assert!((CASES / 20..CASES - CASES / 20).contains(&count.get()));
        }
    }
}
