//! Every compression against traces, failures and divergences computed state set by state set.

// The file stands in a folder of the integration tests, which use it too.
#[path = "../../../tests/semantics/meaning.rs"]
mod meaning;

use pretty_assertions::assert_eq;

use self::meaning::meaning;
use crate::graph::{Lts, StateId};
use crate::testing::lts;
use base::cancel::Cancellation;
use base::cancel::testing::within;
use base::diag::Result;
use process::compression::Compression;
use process::event::{EventId, TAU};

const ALL: [Compression; 9] = [
    Compression::Explicate,
    Compression::Sbisim,
    Compression::Dbisim,
    Compression::Wbisim,
    Compression::TauLoopFactor,
    Compression::Diamond,
    Compression::Normal,
    Compression::LazyNorm,
    Compression::ModelCompress,
];

/// `lts` compressed; `None` if it would be a normal form of more than `limit` states.
fn compress(compression: Compression, lts: &Lts, limit: usize) -> Option<Lts> {
    let compressed = super::compress(compression, lts, limit, &Cancellation::new());
    compressed.expect("there is always time")
}

/// (a -> S [] b -> S) [] a -> L(length), where L(n) does n more of these events. The process can be
/// in any set of its last states, so each doubles the normal form.
pub(crate) fn exponential(length: u32) -> Lts {
    let both = |to| [2, 3].map(|event| (EventId(event), StateId(to)));
    let mut rows = vec![both(0).to_vec()];
    rows[0].push((EventId(2), StateId(1)));
    rows.extend((1..=length).map(|state| both(state + 1).to_vec()));
    rows.push(Vec::new());
    Lts::from_rows(rows)
}

/// Runs `test` on `cases` random systems.
pub(crate) fn random_systems(cases: u32, test: impl Fn(&Lts)) {
    testkit::systems::random_systems(cases, |rows| test(&lts(rows)));
}

/// Both systems in one, and the initial state of the second; the initial state of the first is 0.
pub(crate) fn side_by_side(left: &Lts, right: &Lts) -> (Lts, usize) {
    let shift = left.state_count() as u32;
    let rows = left.states().map(|s| left.row(s).to_vec());
    let shifted = right.states().map(|s| {
        let row = right.row(s).iter();
        row.map(|&(e, t)| (e, StateId(t.0 + shift))).collect()
    });
    (
        Lts::from_rows(rows.chain(shifted).collect()),
        shift as usize,
    )
}

#[test]
fn traces_failures_and_divergences_are_kept() {
    random_systems(3000, |lts| {
        let expected = meaning(lts, 4);
        for compression in ALL {
            let compressed = compress(compression, lts, 10_000).expect("it is small");
            assert_eq!(
                meaning(&compressed, 4),
                expected,
                "{compression:?} {lts:?} {compressed:?}"
            );
        }
    });
}

#[test]
fn nothing_changes_the_second_time() {
    random_systems(1500, |lts| {
        for compression in ALL {
            let once = compress(compression, lts, 10_000).expect("it is small");
            let twice = compress(compression, &once, 10_000).expect("it is small");
            let size = |lts: &Lts| (lts.state_count(), lts.transition_count());
            assert_eq!(size(&twice), size(&once), "{compression:?} {lts:?}");
        }
    });
}

#[test]
fn only_normal_forms_have_more_states() {
    random_systems(1500, |lts| {
        for compression in ALL.into_iter().filter(|&c| c != Compression::Normal) {
            let compressed = compress(compression, lts, 10_000).expect("it is small");
            assert!(
                compressed.state_count() <= lts.state_count(),
                "{compression:?} {lts:?}"
            );
        }
    });
}

#[test]
fn the_limit_is_one_of_normal_forms() {
    // a -> a -> STOP, four states after normalisation at most.
    let row = |event, to| vec![(EventId(event), StateId(to))];
    let lts = Lts::from_rows(vec![row(2, 1), row(2, 2), vec![]]);
    assert!(compress(Compression::Normal, &lts, 3).is_some());
    assert!(compress(Compression::Normal, &lts, 2).is_none());
    assert!(compress(Compression::LazyNorm, &lts, 2).is_some());
}

#[test]
fn internal_choice_and_divergence_are_seen() {
    // ((a -> STOP) |~| (b -> STOP)) [> DIV: nothing of this is the same as something simpler.
    let choice = Lts::from_rows(vec![
        vec![(TAU, StateId(1)), (TAU, StateId(2)), (TAU, StateId(3))],
        vec![(EventId(2), StateId(4))],
        vec![(EventId(3), StateId(4))],
        vec![(TAU, StateId(3))],
        vec![],
    ]);
    for compression in ALL {
        let compressed = compress(compression, &choice, 100).expect("it is small");
        let first = &meaning(&compressed, 0)[&Vec::new()];
        assert!(first.diverges, "{compression:?}");
        assert_eq!(first.offers.len(), 2, "{compression:?}");
    }
}

/// The result of compressing `lts` in at most `times` steps, and the number of steps begun.
fn allowed(compression: Compression, lts: &Lts, times: usize) -> (Result<Option<Lts>>, usize) {
    within(times, |token| {
        super::compress(compression, lts, 1 << 30, token)
    })
}

/// Three rings of counters side by side, with an event that all do together. Every algorithm needs
/// several passes for them.
fn counters() -> Lts {
    const SIDE: u32 = 12;
    let state = |at: [u32; 3]| StateId((at[0] * SIDE + at[1]) * SIDE + at[2]);
    let mut rows = Vec::new();
    for number in 0..SIDE.pow(3) {
        let at = [number / (SIDE * SIDE), number / SIDE % SIDE, number % SIDE];
        let moved = |counter: usize, by: u32| {
            let mut to = at;
            to[counter] = (to[counter] + by) % SIDE;
            state(to)
        };
        let mut row = vec![
            (TAU, moved(0, 1)),
            (EventId(2), moved(1, 1)),
            (EventId(3), moved(2, 1)),
            (EventId(3), moved(2, SIDE - 1)),
        ];
        if at == [0; 3] {
            row.push((EventId(4), Lts::INITIAL));
        }
        if at[1] == 0 {
            row.push((TAU, moved(2, 1)));
        }
        rows.push(row);
    }
    Lts::from_rows(rows)
}

/// The most steps in one piece of work: a state of the saturated counters does fewer than 4,096
/// transitions, which are looked at together, 64 of them in a step.
const PIECE: usize = 64;

#[test]
fn passes_end_where_they_may_not_go_on() {
    for lts in [counters(), exponential(2000)] {
        for compression in ALL {
            // A normal form of the second system would take for ever.
            let (outcome, all) = allowed(compression, &lts, 100_000);
            assert!(outcome.is_ok() || compression == Compression::Normal);
            // The least work is to see that there is no τ, at 64 states a step.
            assert!(all > 30, "{compression:?}: {all}");
            for times in [0, 1, all / 7, all / 2, all * 9 / 10, all - 1] {
                let (outcome, asked) = allowed(compression, &lts, times);
                let problem = outcome.expect_err("it may not go on");
                assert_eq!(problem.code, "interrupted");
                let soon = (times + 1..=times + PIECE).contains(&asked);
                assert!(soon, "{compression:?} after {times}: {asked}");
            }
        }
    }
}
