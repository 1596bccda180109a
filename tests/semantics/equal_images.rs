//! `P :[symmetric [M]]: T` on random processes, of which some are equal to their images and not
//! bisimilar, against refinements of P and renamed copies of it.

use std::sync::LazyLock;

use cspsym::{Script, Task};
use proptest::strategy::{Strategy as _, ValueTree};
use report::assertion::Verdict;
use testkit::depth::cases;

use crate::generate;
use crate::instances::options;
use crate::oracle::P;
use crate::program::runner;
use crate::random::Random;
use crate::text::text;

/// The number of random processes.
static PROCESSES: LazyLock<usize> = LazyLock::new(|| cases(60, 1500));

const MODELS: [&str; 7] = ["T", "F", "FD", "V", "VD", "R", "RD"];

/// Processes made of a random one, D0 and D1, which it calls: left as it is, beside its image, and
/// beside an image of something with the same failures.
const MADE: [&str; 6] = [
    "X",
    "(e.A -> X) [] (e.B -> D0) [] D1",
    "X |~| SWAPPED(X)",
    "X [] SWAPPED(X |~| X)",
    "(e.A -> D0 |~| e.A -> D1) |~| SWAPPED(e.A -> (D0 |~| D1))",
    "((e.A -> X) [] (e.A -> D0)) [| {e.C} |] SWAPPED(e.A -> (X |~| D0))",
];

/// The process as CSPm, with the events of one channel in the place of a, b and c.
fn with_values(process: &P) -> String {
    let mut written = String::new();
    let mut word = String::new();
    for c in text(process).chars().chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        written += match word.as_str() {
            "a" => "e.A",
            "b" => "e.B",
            "c" => "e.C",
            word => word,
        };
        word.clear();
        written.push(c);
    }
    written
}

/// A script whose assertions are, for each model: that the process is symmetric in two values, and
/// in all; and that it refines its images under a swap of two values and a turn of all.
fn script(seed: usize) -> String {
    let mut runner = runner(seed);
    let system = generate::system().new_tree(&mut runner);
    let (definitions, process) = system.expect("it is random").current();
    let made = Random(seed as u64 + 1).one(&MADE);
    let mut script = "datatype T = A | B | C\nchannel e : T\nchannel d\nAB = {A, B}\n\
                      SWAPPED(P) = P[[ e.A <- e.B, e.B <- e.A ]]\n\
                      TURNED(P) = P[[ e.A <- e.B, e.B <- e.C, e.C <- e.A ]]\n"
        .to_string();
    for (number, body) in definitions.iter().enumerate() {
        script += &format!("D{number} = {}\n", with_values(body));
    }
    script += &format!("X = {}\nP = {made}\n", with_values(&process));
    for model in MODELS {
        script += &format!(
            "assert P :[symmetric [{model}]]: AB\nassert P :[symmetric [{model}]]: T\n\
             assert SWAPPED(P) [{model}= P\nassert P [{model}= SWAPPED(P)\n\
             assert TURNED(P) [{model}= P\nassert P [{model}= TURNED(P)\n"
        );
    }
    script + "assert P :[symmetric]: AB\n"
}

#[test]
fn a_process_is_symmetric_in_a_model_if_it_equals_its_images_there() {
    // The processes that are equal to their images, that are not, and the first ones that are not
    // bisimilar to them.
    let (mut equal, mut different, mut only_equal) = (0, 0, 0);
    for seed in 0..*PROCESSES {
        let text = script(seed);
        let parsed = Script::parse("images.csp", &text).expect("the script is right");
        let verdict = |assertion: usize| {
            let report = parsed.check(assertion, &options(), &Task::default()).report;
            (report.verdict != Verdict::Unknown).then_some(report.verdict == Verdict::Pass)
        };
        let bisimilar = verdict(MODELS.len() * 6);
        for (number, model) in MODELS.iter().enumerate() {
            let found: Vec<Option<bool>> = (0..6).map(|i| verdict(number * 6 + i)).collect();
            let Some(found) = found.into_iter().collect::<Option<Vec<bool>>>() else {
                continue;
            };
            let [two, all, swapped, swapped_back, turned, turned_back] = found[..] else {
                unreachable!("there are six");
            };
            // Renaming by a permutation respects refinement, so that one direction is enough.
            assert_eq!(
                (swapped, turned),
                (swapped_back, turned_back),
                "{model}\n{text}"
            );
            assert_eq!(two, swapped, "{model}, seed {seed}:\n{text}");
            assert_eq!(all, swapped && turned, "{model}, seed {seed}:\n{text}");
            equal += usize::from(two);
            different += usize::from(!two);
            only_equal += usize::from(two && bisimilar == Some(false));
            assert!(
                two || bisimilar != Some(true),
                "{model}, seed {seed}:\n{text}"
            );
        }
    }
    // There are seven models.
    let some = *PROCESSES;
    assert!(equal > some, "{equal} are equal");
    assert!(different > some, "{different} are not equal");
    assert!(
        only_equal > some / 2,
        "{only_equal} are equal and not bisimilar"
    );
}
