//! Orbits, representatives and moved walks: against the searches of checks, the theorem of orbit
//! and stabiliser, and walks taken step by step.

use std::fs;
use std::path::Path;

use cspsym::{
    Definition, Error, GraphOptions, Loader, NotIncluded, Options, Script, Symmetries, Task,
    WalkSubject, Walker,
};
use report::assertion::Verdict;
use report::graph::StateGraph;
use report::orbit::OrbitReport;

/// The number of steps of each walk.
const STEPS: usize = 8;

/// Scripts with a process that has symmetries and whose states can be shown.
const SUBJECTS: &[(&str, &str)] = &[
    ("cspm/hanoi/hanoi.csp", "HANOI"),
    ("cspm/dijkstra/dijkstra.csp", "DIJKSTRA"),
    ("cspm/philosophers/philosophers.csp", "PLAIN"),
    ("cspm/milner/milner.csp", "SYSTEM"),
    ("cspm/token-ring/token-ring.csp", "SYSTEM"),
];

/// Scripts with an assertion that holds, by number.
const CHECKS: &[(&str, usize)] = &[
    ("cspm/hanoi/hanoi.csp", 1),
    ("cspm/hanoi/hanoi.csp", 2),
    ("cspm/hanoi/hanoi.csp", 5),
    ("cspm/dijkstra/dijkstra.csp", 1),
    ("cspm/philosophers/philosophers.csp", 1),
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
        let folder = Path::new(including).parent().unwrap_or(Path::new(""));
        let name = folder.join(path);
        let text = fs::read_to_string(&name).map_err(|e| NotIncluded::Missing(e.to_string()))?;
        Ok((name.to_string_lossy().into_owned(), text))
    }
}

fn script_with(file: &str, definitions: &[(&str, &str)]) -> Script {
    let text = fs::read_to_string(file).expect("a shipped script is readable");
    let definitions: Vec<Definition> = definitions
        .iter()
        .map(|(name, text)| Definition {
            name: name.to_string(),
            text: text.to_string(),
        })
        .collect();
    Script::read(file, &text, &mut Folder, &definitions).expect("a shipped script is right")
}

fn script(file: &str) -> Script {
    script_with(file, &[])
}

fn fixing(fix_initial: bool) -> Options {
    Options {
        fix_initial,
        ..Options::default()
    }
}

fn orbits(script: &Script, subject: WalkSubject<'_>, options: &Options) -> StateGraph {
    let graph = script.orbit_graph(subject, &GraphOptions::default(), options, &Task::default());
    graph.unwrap_or_else(|error| panic!("{subject:?}: {error}"))
}

fn count(graph: &StateGraph) -> usize {
    graph.orbits.as_ref().expect("orbits were asked for").count
}

/// A number below `n`, of a sequence that `state` drives.
fn below(state: &mut u64, n: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize % n
}

#[test]
fn towers_of_hanoi_fold() {
    let script = script("cspm/hanoi/hanoi.csp");
    let process = WalkSubject::Process("HANOI");
    for (fix_initial, expected) in [(false, 5), (true, 14)] {
        let graph = orbits(&script, process, &fixing(fix_initial));
        assert_eq!((graph.states.len(), count(&graph)), (27, expected));
        // Each orbit has one representative that can be reached.
        for orbit in 0..expected {
            let members = graph.states.iter().filter(|s| s.orbit == Some(orbit));
            let stored = members.filter(|s| s.representative == Some(true)).count();
            assert_eq!(stored, 1, "orbit {orbit}");
        }
    }
    // A graph of the terms themselves has as many states and transitions.
    let graph = orbits(&script, process, &Options::default());
    let plain = script.graph(
        "HANOI",
        &GraphOptions::default(),
        &Options::default(),
        &Task::default(),
    );
    let plain = plain.expect("it is small");
    assert_eq!(graph.states.len(), plain.states.len());
    assert_eq!(graph.transitions.len(), plain.transitions.len());
    assert!(graph.complete);
}

#[test]
fn searches_store_the_states_that_are_folded_and_one_of_each_orbit() {
    for &(file, number) in CHECKS {
        let script = script(file);
        for fix_initial in [false, true] {
            let graph = orbits(
                &script,
                WalkSubject::Assertion(number - 1),
                &fixing(fix_initial),
            );
            let searched = |symmetries: Symmetries| {
                let options = Options {
                    symmetries,
                    ..fixing(fix_initial)
                };
                let answer = script.check(number - 1, &options, &Task::default());
                assert_eq!(answer.report.verdict, Verdict::Pass, "{file} {number}");
                answer.report.states
            };
            let (all, some) = (graph.states.len() as u64, count(&graph) as u64);
            assert_eq!(searched(Symmetries::Off), Some(all), "{file} {number}");
            assert_eq!(searched(Symmetries::Found), Some(some), "{file} {number}");
        }
    }
}

/// Walks at random, and calls `look` at each place.
fn walks(
    file: &str,
    process: &str,
    options: &Options,
    mut look: impl FnMut(&mut Walker<'_>) -> Result<(), Error>,
) {
    let script = script(file);
    let subject = WalkSubject::Process(process);
    let mut seed = 11;
    let walked = script.walk(subject, false, options, &Task::default(), |walker| {
        for _ in 0..STEPS {
            look(walker)?;
            let choices = walker.report()?.choices;
            if choices.is_empty() {
                break;
            }
            walker.take(&choices[below(&mut seed, choices.len())].name)?;
        }
        look(walker)
    });
    walked.unwrap_or_else(|error| panic!("{process} of {file}: {error}"));
}

fn number(text: &str) -> usize {
    text.parse().expect("the group is small")
}

fn representative(orbit: &OrbitReport) -> (Vec<String>, Vec<String>) {
    let found = orbit.representative.as_ref().expect("a search comes here");
    (found.image.states.clone(), found.image.offers.clone())
}

#[test]
fn orbits_and_stabilisers_fit_the_group() {
    for &(file, process) in SUBJECTS {
        for fix_initial in [false, true] {
            walks(file, process, &fixing(fix_initial), |walker| {
                let orbit = walker.orbit()?;
                let size = orbit.size.expect("the orbit is small");
                let stabiliser = orbit.stabiliser.as_ref().expect("the orbit is small");
                assert_eq!(number(&orbit.order), size * number(&stabiliser.order));
                assert_eq!(size, orbit.images.len());
                let elements = stabiliser.elements.as_ref().expect("the group is small");
                assert_eq!(elements.len(), number(&stabiliser.order), "{elements:?}");
                assert_eq!(orbit.images[0].permutation, "()");
                if fix_initial {
                    assert!(orbit.images.iter().all(|image| !image.moves_start));
                }
                Ok(())
            });
        }
    }
}

#[test]
fn a_walk_that_is_moved_is_a_walk_with_the_same_representative() {
    for &(file, process) in SUBJECTS {
        walks(file, process, &fixing(true), |walker| {
            let (here, orbit) = (walker.path(), walker.orbit()?);
            for image in orbit.images.iter().skip(1).filter(|i| i.plain).take(3) {
                let moved = walker.orbit_moved(&image.permutation)?;
                let applied = moved.applied.expect("it was asked for");
                assert!(!applied.moves_start && applied.moves_state);
                assert_eq!(applied.image.offers, image.offers);
                let path: Vec<String> = applied.steps.iter().map(|s| s.image.clone()).collect();
                walker.follow(&path)?;
                let there = walker.orbit()?;
                assert_eq!(there.size, orbit.size);
                if orbit.representative.as_ref().is_some_and(|r| r.unique) {
                    let (a, b) = (representative(&there), representative(&orbit));
                    assert_eq!(a.1, b.1, "{process}: {}", image.permutation);
                }
                walker.follow(&here)?;
            }
            Ok(())
        });
    }
}

#[test]
fn the_track_of_representatives_goes_beside_a_real_run() {
    for &(file, process) in SUBJECTS {
        let script = script(file);
        let subject = WalkSubject::Process(process);
        let task = Task::default();
        let mut seed = 5;
        let walked = script.walk(subject, false, &Options::default(), &task, |walker| {
            walker.show_representatives()?;
            let mut shown = vec![walker.report()?];
            for step in 1..=STEPS {
                let choices = &shown[step - 1].choices;
                let choice = choices[below(&mut seed, choices.len())].name.clone();
                walker.take(&choice)?;
                let report = walker.report()?;
                assert_eq!(report.steps.last().map(|s| &s.name), Some(&choice));
                let track = report.representatives.as_ref().expect("the track is named");
                assert_eq!(track.real, walker.path());
                let orbit = walker.orbit()?;
                let found = orbit.representative.as_ref().expect("a search comes here");
                assert!(found.itself || !found.unique, "{process}: {choice}");
                shown.push(report);
            }
            // The same track is found from the real run, and by going back and forth again.
            let path = walker.path();
            walker.show_real();
            assert_eq!(walker.report()?.representatives, None);
            walker.follow(&path[..1])?;
            walker.show_representatives()?;
            assert_eq!(walker.report()?, shown[1]);
            walker.follow(&path)?;
            assert_eq!(walker.report()?.choices, shown[STEPS].choices);
            walker.back_to(2);
            assert_eq!(walker.report()?, shown[2]);
            Ok(path)
        });
        let path = walked.unwrap_or_else(|error| panic!("{process} of {file}: {error}"));
        // The real run is one without symmetry, too.
        let plain = Options {
            symmetries: Symmetries::Off,
            ..Options::default()
        };
        let walked = script.walk(subject, false, &plain, &task, |walker| walker.follow(&path));
        walked.unwrap_or_else(|error| panic!("{process} of {file}: {error}"));
    }
}

#[test]
fn large_groups_are_not_listed() {
    let definitions = [("POLES", "8"), ("DISCS", "3")];
    let script = script_with("cspm/hanoi/hanoi.csp", &definitions);
    let subject = WalkSubject::Process("HANOI");
    let orbit = script.walk(
        subject,
        false,
        &Options::default(),
        &Task::default(),
        |walker| {
            walker.take("move.1.A.B")?;
            walker.orbit()
        },
    );
    let orbit = orbit.expect("orbits of large groups are found");
    assert_eq!(orbit.order, "40320");
    assert_eq!(orbit.size, Some(8 * 7));
    let stabiliser = orbit.stabiliser.expect("the orbit is small");
    assert_eq!(
        (stabiliser.order.as_str(), stabiliser.elements),
        ("720", None)
    );
}

#[test]
fn what_is_no_symmetry_moves_no_walk() {
    let script = script("cspm/hanoi/hanoi.csp");
    let moved = |subject, permutation: &str, options: &Options| {
        let orbit = script.walk(subject, false, options, &Task::default(), |walker| {
            walker.orbit_moved(permutation)
        });
        orbit
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let (process, options) = (WalkSubject::Process("HANOI"), Options::default());
    assert_eq!(moved(process, "(A B)", &options), "");
    assert!(moved(process, "(A B)", &fixing(true)).contains("false-symmetry"));
    assert!(moved(process, "(1 2)", &options).contains("false-symmetry"));
    assert!(moved(process, "(A B", &options).contains("bad-permutation"));
    assert!(moved(process, "(A B),(B C)", &options).contains("bad-permutation"));
    // Pole B is the goal of the specification.
    assert!(moved(WalkSubject::Assertion(2), "(B C)", &options).contains("false-symmetry"));
    assert_eq!(moved(WalkSubject::Assertion(2), "(A C)", &options), "");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let script = Script::parse("plain.csp", "transparent wbisim\nchannel a, b, c");
    let script = script.expect("the script is right");
    let cases = [
        (
            "(a -> SKIP ||| b -> SKIP) ; c -> STOP",
            "its operators change as it runs",
        ),
        (
            "wbisim(a -> STOP ||| b -> STOP) ||| c -> STOP",
            "a component is compressed",
        ),
    ];
    for (process, reason) in cases {
        let (options, task) = (Options::default(), Task::default());
        let subject = WalkSubject::Process(process);
        let orbit = script.walk(subject, false, &options, &task, |walker| walker.orbit());
        let error = orbit.expect_err("its states are no terms").to_string();
        assert!(error.contains("error[unsupported]"), "{error}");
        assert!(error.contains("<command line>:1:1"), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}
