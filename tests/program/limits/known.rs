//! A verdict that is known is given, whatever limit ends the work after it.

use std::sync::{Arc, Mutex};

use base::cancel::{Cancellation, Listener, Phase};
use cspsym::{Answer, Options, Progress, Script, Task};
use pretty_assertions::assert_eq;
use report::assertion::{Counterexample, CounterexampleKind, Verdict};
use report::text::{Detail, render};

/// Assertions that fail in each way, on plain and on compressed processes.
const SCRIPT: &str = "\
transparent normal, wbisim
channel a, b, c, t
TWO = (a -> t -> b -> STOP [| {t} |] t -> c -> STOP) \\ {t}
LOOP = a -> (let L = t -> L within L \\ {t})
PICK = a -> (b -> STOP |~| c -> STOP)
assert STOP [T= TWO
assert a -> STOP [T= normal(TWO)
assert RUN({a, b, c}) [F= wbisim(TWO)
assert STOP |~| (b -> STOP [] c -> STOP) [V= b -> STOP
assert STOP |~| (b -> STOP [] c -> STOP) [R= b -> STOP
assert TWO :[deadlock free [F]]
assert normal(TWO) ||| TWO :[deadlock free [FD]]
assert LOOP :[divergence free]
assert a -> STOP [FD= LOOP
assert PICK :[deterministic]
assert LOOP :[deterministic [FD]]
assert not TWO :[deadlock free]
assert TWO :[has trace]: <a, c>
";

/// Lines in the text of some of them without a replay.
const SPECIAL: [(&str, &str); 3] = [
    (
        "RUN({a, b, c}) [F= wbisim(TWO)",
        "can come to rest offering only {a}, which the specification does not allow.\n",
    ),
    ("LOOP :[divergence free]", "    and then τ for ever\n"),
    (
        "PICK :[deterministic]",
        "    where c is refused, but also\n",
    ),
];

struct Nobody;

impl Listener for Nobody {
    fn steps(&self, _: usize) {}

    fn enter(&self, _: Phase, _: &str) {}
}

/// The answer to an assertion, of which the work is cancelled when a phase begins for the time that
/// `ends` says, counted from 0.
fn answer(
    script: &Script,
    index: usize,
    options: &Options,
    ends: Option<(Phase, usize)>,
) -> Answer {
    // Replays are short: the token has to be asked at each step.
    let ended = Cancellation::new();
    let token = ended.heard_at_each_step(Nobody);
    // The phase and its name change together, when a phase begins; steps come in between.
    let seen = Mutex::new((Phase::default(), 0));
    let progress = Progress::told(move |work| {
        let mut seen = seen.lock().expect("no thread panics");
        let Some((phase, times)) = ends else { return };
        let begins = work.phase == phase && seen.0 != phase;
        seen.0 = work.phase;
        seen.1 += usize::from(begins);
        if seen.1 > times {
            ended.cancel();
        }
    });
    let task = Task {
        cancellation: token,
        progress: Arc::new(progress),
    };
    script.check(index, options, &task)
}

fn counterexample(answer: &Answer) -> &Counterexample {
    answer.report.counterexample.as_ref().expect("it fails")
}

#[test]
fn a_violation_counts_without_its_replay() {
    let script = Script::parse("known.csp", SCRIPT).expect("the script is right");
    let options = Options::default();
    for (index, title) in script.assertions().iter().enumerate() {
        let whole = answer(&script, index, &options, None);
        let cut = answer(&script, index, &options, Some((Phase::Replay, 0)));
        assert_eq!(cut.report.verdict, whole.report.verdict, "{title}");
        let Some(expected) = &whole.report.counterexample else {
            assert!(title.contains("has trace"), "{title}");
            continue;
        };
        let found = counterexample(&cut);
        assert_eq!(found.replayed, Some(false), "{title}");
        assert_eq!(expected.replayed, None, "{title}");
        assert_eq!(found.trace, expected.trace, "{title}");
        assert_eq!(
            (found.kind, &found.event),
            (expected.kind, &expected.event),
            "{title}"
        );
        if found.kind != CounterexampleKind::Nondeterminism {
            assert_eq!(found.offers, expected.offers, "{title}");
        }
        let remark = cut.report.remarks.last().expect("it has one");
        assert!(
            remark.contains("not replayed") && remark.ends_with("was done"),
            "{remark}"
        );
        let text = render(&cut.report, Detail::Normal);
        let special = SPECIAL.iter().find(|(special, _)| *special == *title);
        assert!(
            special.is_none_or(|(_, line)| text.contains(line)),
            "{text}"
        );
    }
}

#[test]
fn several_violations_count_without_their_replay() {
    let text = "channel a, b\nassert STOP [T= a -> STOP [] b -> STOP\n";
    let script = Script::parse("known.csp", text).expect("the script is right");
    let options = Options {
        counterexamples: 2,
        ..Options::default()
    };
    for times in 0..2 {
        let cut = answer(&script, 0, &options, Some((Phase::Replay, times)));
        assert_eq!(cut.report.verdict, Verdict::Fail);
        let found = cut.report.counterexamples.expect("there are two");
        assert_eq!(found.len(), 2);
    }
}
