//! Random walks through the processes of shipped scripts: every path, walked again, leads to its
//! place; components that take part offer to; and counterexamples are walked to their ends.

use std::fs;
use std::path::Path;

use cspsym::{Error, Loader, NotIncluded, Options, Script, Task, WalkSubject, Walker};
use report::assertion::Verdict;
use report::walk::WalkReport;

/// The number of steps of each walk.
const STEPS: usize = 25;

/// Scripts, with a process that is worth walking.
const SUBJECTS: &[(&str, &str)] = &[
    ("cspm/vending/vending.csp", "MOOD ||| FRAGILE"),
    ("cspm/philosophers/philosophers.csp", "PLAIN"),
    ("cspm/philosophers/philosophers.csp", "BUTLED \\ forks"),
    ("cspm/dijkstra/dijkstra.csp", "DIJKSTRA"),
    ("cspm/hanoi/hanoi.csp", "HANOI"),
    ("cspm/milner/milner.csp", "SYSTEM"),
    ("cspm/abp/abp.csp", "SYSTEM"),
    ("cspm/token-ring/token-ring.csp", "SYSTEM"),
    ("cspm/timeout/timeout.csp", "PUNCTUAL"),
    ("cspm/queue/queue.csp", "SYSTEM"),
];

/// Included files, beside the script.
struct Folder;

impl Loader for Folder {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        _: &str,
    ) -> Result<(String, String), NotIncluded> {
        let name = Path::new(including)
            .parent()
            .unwrap_or(Path::new(""))
            .join(path);
        let text = fs::read_to_string(&name).map_err(|e| NotIncluded::Missing(e.to_string()))?;
        Ok((name.to_string_lossy().into_owned(), text))
    }
}

fn script(file: &str) -> Script {
    let text = fs::read_to_string(file).expect("a shipped script is readable");
    Script::read(file, &text, &mut Folder, &[]).expect("a shipped script is right")
}

/// A number below `n`, of a sequence that `state` drives.
fn below(state: &mut u64, n: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize % n
}

/// The reports of a random walk; the first one is about the start.
fn random_walk(walker: &mut Walker<'_>, seed: u64) -> Result<Vec<WalkReport>, Error> {
    let mut state = seed;
    let mut reports = vec![walker.report()?];
    for _ in 0..STEPS {
        let choices = &reports[reports.len() - 1].choices;
        if choices.is_empty() {
            break;
        }
        let name = choices[below(&mut state, choices.len())].name.clone();
        walker.take(&name)?;
        reports.push(walker.report()?);
    }
    Ok(reports)
}

#[test]
fn a_path_leads_to_the_same_place_whatever_was_looked_at_before() {
    let (options, task) = (Options::default(), Task::default());
    for (number, &(file, process)) in SUBJECTS.iter().enumerate() {
        let script = script(file);
        let subject = WalkSubject::Process(process);
        let walk = |explore: &mut dyn FnMut(&mut Walker<'_>) -> Result<(), Error>| {
            let walked = script.walk(subject, false, &options, &task, |walker| explore(walker));
            walked.unwrap_or_else(|error| panic!("{file}: {process}: {error}"));
        };
        let mut reports = Vec::new();
        walk(&mut |walker| {
            reports = random_walk(walker, number as u64)?;
            // The walk goes backwards, so that every place is reached from another side.
            for report in reports.iter().rev() {
                walker.back_to(report.steps.len());
                assert_eq!(walker.report()?, *report, "{file}: {process}");
            }
            Ok(())
        });
        assert!(reports.len() > 2, "{file}: {process} does something");
        // The evaluator has seen nothing but another walk.
        walk(&mut |walker| {
            random_walk(walker, 77)?;
            let last = &reports[reports.len() - 1];
            let path: Vec<String> = last.steps.iter().map(|step| step.name.clone()).collect();
            walker.follow(&path)?;
            assert_eq!(walker.report()?, *last, "{file}: {process}");
            Ok(())
        });
    }
}

#[test]
fn what_is_offered_has_those_parts_that_offer_it() {
    let (options, task) = (Options::default(), Task::default());
    for &(file, process) in SUBJECTS {
        let walked = script(file).walk(
            WalkSubject::Process(process),
            false,
            &options,
            &task,
            |walker| {
                for report in random_walk(walker, 5)? {
                    for choice in &report.choices {
                        for part in &choice.parts {
                            let mut components = report.components.iter();
                            let component = components.find(|c| c.name == part.component);
                            // A component that hides an event itself shows it in its step alone.
                            let own = if part.event.starts_with('τ') {
                                "τ"
                            } else {
                                &part.event
                            };
                            let offers = component.map(|component| &component.offers);
                            assert!(
                                offers.is_none_or(|offers| offers.iter().any(|o| o == own)),
                                "{file}: {process}: {part:?} of {component:?}"
                            );
                        }
                    }
                    let mut names: Vec<&String> = report.choices.iter().map(|c| &c.name).collect();
                    names.sort_unstable();
                    names.dedup();
                    assert_eq!(names.len(), report.choices.len(), "names are unique");
                }
                Ok(())
            },
        );
        walked.unwrap_or_else(|error| panic!("{file}: {process}: {error}"));
    }
}

#[test]
fn counterexamples_are_walked_to_their_ends() {
    let (options, task) = (Options::default(), Task::default());
    let files = [
        "cspm/vending/vending.csp",
        "cspm/philosophers/philosophers.csp",
        "cspm/dijkstra/dijkstra.csp",
        "cspm/hanoi/hanoi.csp",
        "cspm/peterson/peterson.csp",
        "cspm/abp/abp.csp",
    ];
    let mut walked = 0;
    for file in files {
        let script = script(file);
        for index in 0..script.assertions().len() {
            let answer = script.check(index, &options, &task);
            let Some(found) = answer.report.counterexample else {
                continue;
            };
            let subject = WalkSubject::Assertion(index);
            let end = script.walk(subject, true, &options, &task, |walker| walker.report());
            let end = end.unwrap_or_else(|error| panic!("{file}: {index}: {error}"));
            let steps: Vec<String> = end.steps.iter().map(|step| step.event.clone()).collect();
            let told: Vec<String> = found
                .trace_with_taus
                .iter()
                .map(|step| step.text())
                .collect();
            assert!(
                steps.starts_with(&told),
                "{file}: {index}: {steps:?}, {told:?}"
            );
            let cycle = found.cycle.map_or(0, |cycle| cycle.len());
            let event = usize::from(
                answer.report.verdict == Verdict::Fail && steps.len() == told.len() + 1,
            );
            assert_eq!(
                steps.len(),
                told.len() + cycle.max(event),
                "{file}: {index}"
            );
            walked += 1;
        }
    }
    assert!(walked > 10, "{walked}");
}
