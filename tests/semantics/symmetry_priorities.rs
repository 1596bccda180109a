//! Priorities under symmetry: on random symmetric systems with random priorities, symmetric or not,
//! every algorithm agrees with plain search, and plain search agrees with a direct computation over
//! transition systems.

use crate::symmetry_systems;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use testkit::depth::cases;

use serde_json::Value;

use crate::harness::in_parallel;
use crate::symmetry_systems::alphabet::{
    A, Alphabet, B, C, CHANNELS, Channel, D, Event, P, Q, TAU, TICK,
};
use crate::symmetry_systems::case::run;
use crate::symmetry_systems::dice::Dice;
use crate::symmetry_systems::expectation::expectation;
use crate::symmetry_systems::lts::{Lts, explore};
use crate::symmetry_systems::system::System;
use crate::symmetry_systems::tree::Tree;

/// The number of systems, each with several specifications.
static SYSTEMS: LazyLock<usize> = LazyLock::new(|| cases(20, 200));

/// The largest number of states of a system.
const STATES: usize = 1500;
const NORMAL_FORM_STATES: usize = 200;

const CONFIGURATIONS: [&[&str]; 4] = [
    &[],
    &["--algorithm", "symcheck2"],
    &["--algorithm", "symcheck3"],
    &["--fix-initial"],
];

/// The channels in priorities.
const RANKED: [Channel; 6] = [P, Q, A, B, C, D];

/// A priority: its text, and the pairs of events of which one blocks the other.
struct Order {
    /// The process in CSPm, with `IMPL` for its operand.
    text: String,
    above: BTreeSet<(Event, Event)>,
    /// True if `p` is called `tock` in it.
    is_timed: bool,
}

impl Order {
    fn random(dice: &mut Dice, alphabet: &Alphabet) -> Self {
        match dice.below(100) {
            0..30 => Self::levels(dice, alphabet, false),
            30..50 => Self::levels(dice, alphabet, true),
            50..65 => Self::pairs(dice, alphabet, true),
            65..80 => Self::pairs(dice, alphabet, false),
            _ => Self::timed(alphabet),
        }
    }

    /// `prioritise` by channels; if `singled_out`, only one of the events of the first channel is
    /// high.
    fn levels(dice: &mut Dice, alphabet: &Alphabet, singled_out: bool) -> Self {
        let first_is_empty = !singled_out && dice.chance(40);
        let count = 2 + usize::from(dice.chance(50));
        let channels = different(dice, count);
        let mut sets: Vec<Vec<Event>> = channels.iter().map(|&c| all(alphabet, c)).collect();
        if singled_out {
            let chosen = sets[0].remove(0);
            let others = std::mem::replace(&mut sets[0], vec![chosen]);
            sets[1].extend(others);
        }
        if first_is_empty {
            sets.insert(0, Vec::new());
        }
        let texts: Vec<String> = sets.iter().map(|set| set_text(alphabet, set)).collect();
        sets[0].extend([TAU, TICK]);
        let mut above = BTreeSet::new();
        for (level, highs) in sets.iter().enumerate() {
            let lows = sets[level + 1..].iter().flatten();
            above.extend(lows.flat_map(|&low| highs.iter().map(move |&high| (high, low))));
        }
        Self {
            text: format!("prioritise(IMPL, <{}>)", texts.join(", ")),
            above,
            is_timed: false,
        }
    }

    /// `prioritisepo` by two channels or three in a row, each event over those of its own identity
    /// or over all.
    fn pairs(dice: &mut Dice, alphabet: &Alphabet, of_the_same: bool) -> Self {
        let channels = match of_the_same {
            true => vec![A, B, C],
            false => different(dice, 3),
        };
        let count = 2 + usize::from(dice.chance(50));
        let mut pairs = BTreeSet::new();
        for (&high, &low) in channels[..count].iter().zip(&channels[1..count]) {
            for (high, ids) in alphabet.events_of(high) {
                let lows = alphabet.events_of(low).into_iter();
                let lows = lows.filter(|(_, others)| !of_the_same || *others == ids);
                pairs.extend(lows.map(|(low, _)| (high, low)));
            }
        }
        let ranked: Vec<Event> = channels.iter().flat_map(|&c| all(alphabet, c)).collect();
        let is_maximal = dice.chance(50);
        let maximal = match is_maximal {
            true => all(alphabet, channels[0]),
            false => Vec::new(),
        };
        let pair = |&(high, low): &(Event, Event)| {
            format!("({}, {})", name(alphabet, high), name(alphabet, low))
        };
        let text = format!(
            "prioritisepo(IMPL, {}, {{{}}}, {})",
            set_text(alphabet, &ranked),
            pairs.iter().map(pair).collect::<Vec<_>>().join(", "),
            set_text(alphabet, &maximal),
        );
        let mut above = pairs.clone();
        for &(high, middle) in &pairs {
            let lower = pairs.iter().filter(|pair| pair.0 == middle);
            above.extend(lower.map(|&(_, low)| (high, low)));
        }
        for &low in ranked.iter().filter(|event| !maximal.contains(event)) {
            above.extend([(TAU, low), (TICK, low)]);
        }
        Self {
            text,
            above,
            is_timed: false,
        }
    }

    /// `timed_priority`, with `p` for the clock.
    fn timed(alphabet: &Alphabet) -> Self {
        let clock = alphabet.event(P, &[]);
        Self {
            text: "timed_priority(IMPL[[p <- tock]])".to_string(),
            above: BTreeSet::from([(TAU, clock), (TICK, clock)]),
            is_timed: true,
        }
    }

    /// A process without the steps that are blocked in each state.
    fn applied(&self, lts: &Lts) -> Lts {
        let rows = lts.rows.iter().map(|row| {
            let is_free = |low| {
                !row.iter()
                    .any(|&(high, _)| self.above.contains(&(high, low)))
            };
            row.iter().copied().filter(|step| is_free(step.0)).collect()
        });
        Lts {
            rows: rows.collect(),
        }
    }
}

fn different(dice: &mut Dice, count: usize) -> Vec<Channel> {
    let mut found = Vec::new();
    while found.len() < count {
        let channel = dice.pick(&RANKED);
        if !found.contains(&channel) {
            found.push(channel);
        }
    }
    found
}

fn all(alphabet: &Alphabet, channel: Channel) -> Vec<Event> {
    let events = alphabet.events_of(channel).into_iter();
    events.map(|(event, _)| event).collect()
}

fn name(alphabet: &Alphabet, event: Event) -> String {
    let visible = alphabet.visible();
    let (_, channel, fields) = visible.iter().find(|(e, ..)| *e == event).unwrap();
    let fields = fields.iter().map(|&id| format!(".{}", alphabet.id(id)));
    fields.fold(CHANNELS[*channel].0.to_string(), |name, field| {
        name + &field
    })
}

fn set_text(alphabet: &Alphabet, events: &[Event]) -> String {
    let names: Vec<String> = events.iter().map(|&e| name(alphabet, e)).collect();
    format!("{{{}}}", names.join(", "))
}

/// A system under an order, with the expected result of trace refinement for each specification:
/// the number of steps to the violation.
struct Case {
    script: String,
    expected: Vec<Option<usize>>,
    /// True if the priority blocks any event.
    matters: bool,
}

impl Case {
    fn random(seed: usize) -> Option<Self> {
        let system = System::random(seed);
        let mut dice = Dice::new(seed + 1_000_000);
        let order = Order::random(&mut dice, &system.alphabet);
        let lts = |tree: Tree| Some(explore(tree.initial(), STATES, |s| tree.steps(s))?.0);
        let tree = |node: &symmetry_systems::node::Node| {
            node.tree(&system.alphabet, &system.families, None)
        };
        let plain = lts(tree(&system.implementation))?;
        let kept = order.applied(&plain);
        let matters = kept != plain;
        let reached = |state: &usize| kept.rows[*state].clone();
        let implementation = Tree::leaf(explore(0, STATES, reached)?.0.minimised());
        let mut script = format!(
            "external prioritise, prioritisepo\nchannel tock\n{}",
            system.text()
        );
        script += &match order.is_timed {
            true => format!("Timed {{\n  PRIO = {}\n}}\n", order.text),
            false => format!("PRIO = {}\n", order.text),
        };
        let (mut expected, mut small) = (Vec::new(), Vec::new());
        for (number, (_, node)) in system.specifications.iter().enumerate() {
            let find = || {
                let normal_form = lts(tree(node))?.normal_form(NORMAL_FORM_STATES)?;
                expectation(&system.alphabet, &normal_form, &implementation, STATES)
            };
            let Some(found) = find() else { continue };
            expected.push(found.steps_to_violation);
            small.push(number);
            let renaming = if order.is_timed { "[[p <- tock]]" } else { "" };
            script += &format!("assert SPEC{number}{renaming} [T= PRIO\n");
        }
        for number in small {
            script +=
                &format!("assert SPEC{number} [F= PRIO\nassert SPEC{number} |~| DIV [FD= PRIO\n");
        }
        script += "assert PRIO :[deadlock free [F]]\nassert PRIO \\ Events :[divergence free]\n";
        Some(Self {
            script,
            expected,
            matters,
        })
    }
}

/// The part of a report that symmetry leaves: the verdict, and the levels to a violation.
fn essence(report: &Value) -> (&str, Option<u64>) {
    let verdict = report["verdict"].as_str().unwrap_or("none");
    let levels = report["levels"].as_u64().filter(|_| verdict == "fail");
    (verdict, levels)
}

/// The number of times that each algorithm gave each verdict.
type Tally = BTreeMap<(String, String), usize>;

/// The number of times that each algorithm gave each verdict for this system, and true if its
/// priority matters.
fn compared(seed: usize) -> Option<(Tally, bool)> {
    let case = Case::random(seed)?;
    let script = &case.script;
    let plain = run(script, &["--symmetry", "off"]);
    for (report, expected) in plain.iter().zip(&case.expected) {
        let steps = report["counterexample"]["trace_with_taus"].as_array();
        let verdict = if expected.is_none() { "pass" } else { "fail" };
        assert_eq!(
            report["verdict"], verdict,
            "system {seed}: {report}\n{script}"
        );
        assert_eq!(
            steps.map(Vec::len),
            *expected,
            "system {seed}: {report}\n{script}"
        );
    }
    let mut tally = Tally::new();
    for arguments in CONFIGURATIONS {
        for (report, plain) in run(script, arguments).iter().zip(&plain) {
            let message = report["message"].as_str().unwrap_or("");
            if message.starts_with("algorithm-inapplicable:") {
                continue;
            }
            let found = essence(report);
            assert_eq!(
                found,
                essence(plain),
                "system {seed}: {report}\n{plain}\n{script}"
            );
            assert!(["pass", "fail"].contains(&found.0), "{report}\n{script}");
            let algorithm = report["algorithm"].as_str().unwrap_or("none");
            let key = (algorithm.to_string(), found.0.to_string());
            *tally.entry(key).or_default() += 1;
        }
    }
    Some((tally, case.matters))
}

#[test]
fn verdicts_with_priorities_do_not_depend_on_symmetry() {
    let seeds: Vec<usize> = (0..*SYSTEMS).collect();
    let found: Vec<_> = in_parallel(&seeds, |&seed| compared(seed));
    let (mut tally, mut matters, mut systems) = (Tally::new(), 0, 0);
    for (counts, one_matters) in found.into_iter().flatten() {
        systems += 1;
        matters += usize::from(one_matters);
        for (key, count) in counts {
            *tally.entry(key).or_default() += count;
        }
    }
    println!("{systems} systems, in {matters} of them the priority matters: {tally:?}");
    assert!(systems * 2 > *SYSTEMS && matters * 4 > systems);
    for algorithm in ["Check", "SymCheck1", "SymCheck2", "SymCheck3"] {
        for verdict in ["pass", "fail"] {
            let count = tally.get(&(algorithm.to_string(), verdict.to_string()));
            assert!(count >= Some(&10), "{algorithm} {verdict}: {count:?}");
        }
    }
}
