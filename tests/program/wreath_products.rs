//! Representatives of large wreath products: many components that may be exchanged, each with
//! symmetries of its own.

use serde_json::Value;

use crate::harness::{Outcome, cspsym};

/// The verdict of `SPEC [T= SYSTEM` in `script`.
fn verdict(script: &str, options: &[&str]) -> Value {
    let arguments = ["refine", "SPEC", "SYSTEM", "-", "--format", "json"];
    let arguments = arguments.iter().chain(options);
    let arguments: Vec<String> = arguments.map(|&argument| argument.to_string()).collect();
    let Outcome { out, err, .. } = cspsym(&arguments, script.as_bytes());
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"))
}

/// `n` components of three states: two that take turns, and in both the component may stop for
/// good. So after a, a component is as at first with a and b exchanged.
///
/// A state is a list of `n` letters from {0, 1, stopped}, and all 3^n can be reached. S2 wr S_n
/// exchanges 0 and 1 in each place independently, and permutes places: two states are in one orbit
/// if equally many components have stopped. That gives n + 1 orbits. Symmetries that fix the
/// initial state only permute places. Then the number of components in state 1 counts as well,
/// which gives (n + 1)(n + 2)/2.
fn stopping(n: usize) -> String {
    format!(
        "channel a, b, stop : {{0..{last}}}
         P(i) = a.i -> Q(i) [] stop.i -> STOP
         Q(i) = b.i -> P(i) [] stop.i -> STOP
         SYSTEM = ||| i : {{0..{last}}} @ P(i)
         SPEC = RUN({{|a, b, stop|}})",
        last = n - 1
    )
}

#[test]
fn one_representative_of_each_orbit() {
    // Three components have 27 states, which were listed: 4 orbits, and 10.
    for n in [3u64, 6, 60] {
        let found = verdict(&stopping(n as usize), &[]);
        assert_eq!(found["verdict"], "pass", "{found}");
        assert_eq!(found["states"], n + 1, "{found}");
        if n == 60 {
            assert_eq!(found["representative"], "signature sort", "{found}");
        }
    }
    for n in [3u64, 6, 12] {
        let found = verdict(&stopping(n as usize), &["--fix-initial"]);
        assert_eq!(found["states"], (n + 1) * (n + 2) / 2, "{found}");
    }
}

/// Components with two states that are alike: all states are in one orbit. If the initial state has
/// to stay, the orbit of a state is the number of components that have left it: 61 orbits for 60
/// components.
#[test]
fn components_that_take_turns() {
    let script = "channel a, b : {0..59}
         P(i) = a.i -> b.i -> P(i)
         SYSTEM = ||| i : {0..59} @ P(i)
         SPEC = RUN({|a, b|})";
    let moving = verdict(script, &[]);
    assert_eq!(moving["representative"], "signature sort", "{moving}");
    assert_eq!(moving["states"], 1, "{moving}");
    let fixed = verdict(script, &["--fix-initial"]);
    assert_eq!(fixed["states"], 61, "{fixed}");
}

/// Pairs of components that meet only each other, S2 wr S2 wr S40 with the states of a component.
/// The orbit of a pair is the number of its stopped components, 0, 1 or 2, and that of a state is
/// the number of pairs of each kind: 42 · 41 / 2.
#[test]
fn towers() {
    let script = "channel a, b, stop : {0..39}.{0..1}
         channel meet : {0..39}
         P(i, j) = a.i.j -> Q(i, j) [] stop.i.j -> STOP [] meet.i -> P(i, j)
         Q(i, j) = b.i.j -> P(i, j) [] stop.i.j -> STOP [] meet.i -> Q(i, j)
         PAIR(i) = P(i, 0) [| {meet.i} |] P(i, 1)
         SYSTEM = ||| i : {0..39} @ PAIR(i)
         SPEC = RUN({|a, b, stop, meet|})";
    let found = verdict(script, &[]);
    assert_eq!(found["verdict"], "pass", "{found}");
    assert_eq!(found["representative"], "signature sort", "{found}");
    assert_eq!(found["states"], 42 * 41 / 2, "{found}");
}
