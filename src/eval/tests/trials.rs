//! Choices that are larger than a trial allows, and are made in full after it.

use super::with_script;
use process::semantics::steps;
use process::term::Definitions;
use process::trial::LARGER;

const SCRIPT: &str = "
channel c : {0..9}.{0..9}
P = c?x?y -> P
Q = c?both -> Q
(R, S) = (c?x?y -> R, STOP)
";

#[test]
fn a_choice_that_ends_a_trial_can_be_made_later() {
    for process in [
        "P",
        "Q",
        "R",
        "c$x?y -> STOP",
        "head(<c?x?y -> STOP>)",
        "let (A, B) = (c?both -> STOP, STOP) within A",
        "let A = if true then P else STOP within A",
    ] {
        with_script(SCRIPT, process, |evaluator, id| {
            for most in [0, 9] {
                evaluator.limit_choices(most);
                let ended = evaluator
                    .process_of(id)
                    .and_then(|term| steps(evaluator, term));
                let problem = ended.expect_err("there are more events");
                assert_eq!(problem.code, LARGER, "{process}: {most}");
            }
            evaluator.limit_choices(usize::MAX);
            let term = evaluator.process_of(id).expect("it is a process");
            let mut offers = 0;
            let mut open = vec![term];
            while let Some(term) = open.pop() {
                for step in steps(evaluator, term).expect("it has steps") {
                    match step.label.is_visible() {
                        true => offers += 1,
                        false => open.push(step.target),
                    }
                }
            }
            assert_eq!(offers, 100, "{process}");
        });
    }
}
