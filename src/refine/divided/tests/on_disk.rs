//! Searches of several processes with their states on disk, against searches of several processes
//! in memory: whole; resumed after each level by as many processes or another number; resumed with
//! the files of a process that was killed at any place; and with files that do not fit together.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::check::{ProgressSink, SearchProgress};
use crate::external::share_folder;
use crate::external::tests::Directory;
use crate::spill::Fact;

impl Directory {
    /// A copy of the folder.
    fn copy(&self) -> Self {
        let copy = Self::new();
        copy_all(&self.0, &copy.0);
        copy
    }

    /// The folder in which a process has its only share.
    fn share(&self, process: usize) -> PathBuf {
        let home = share_folder(&self.0, process);
        let shares = fs::read_dir(home).unwrap();
        let shares: Vec<PathBuf> = shares.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(shares.len(), 1, "{shares:?}");
        shares.into_iter().next().unwrap()
    }

    /// Keeps `levels` lines on levels of a share, as if its process had been killed before the
    /// next.
    fn cut(&self, process: usize, levels: usize) {
        let journal = self.share(process).join("journal");
        let text = fs::read_to_string(&journal).unwrap();
        let lines = text.split_inclusive('\n').take(1 + levels);
        fs::write(journal, lines.collect::<String>()).unwrap();
    }

    /// The names of the files of all searches.
    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        visit(&self.0, &mut |path| {
            files.insert(path.strip_prefix(&self.0).unwrap().to_path_buf());
        });
        files
    }
}

fn visit(directory: &Path, found: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => visit(&path, found),
            false => found(&path),
        }
    }
}

fn copy_all(from: &Path, to: &Path) {
    visit(from, &mut |path| {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(path, target).unwrap();
    });
}

fn spill(directory: &Directory, resumes: bool) -> Spill {
    Spill {
        directory: directory.0.clone(),
        resumes,
        identity: identity("T"),
        // So little memory that all states are in files.
        budget: 500,
    }
}

fn identity(model: &str) -> Identity {
    Identity {
        script: "script.csp".to_string(),
        question: "P [T= Q".to_string(),
        facts: vec![Fact {
            name: "the model".to_string(),
            value: model.to_string(),
        }],
    }
}

type Question<'q> = (&'q CopiesCheck, &'q NormalForm, Option<&'q Method>);

/// The answer of each of several processes, which keep their states where `spills` say.
fn answers(
    (model, form, method): Question<'_>,
    spills: Vec<Spill>,
    seed: u64,
    most: Option<u64>,
    stops: fn(&SearchProgress, u64) -> bool,
) -> Vec<base::diag::Result<CheckResult>> {
    let token = Cancellation::new();
    let one = |exchange: Arc<dyn Exchange>, spill: Spill| {
        let (token, ended) = (token.clone(), token.clone());
        let options = CheckOptions {
            shared: Some(SharedSearch {
                exchange,
                identity: Identity::default(),
            }),
            max_states: most,
            spill: Some(spill),
            threads: Threads::new(NonZeroUsize::new(1 + seed as usize % 2).unwrap()),
            progress: ProgressSink::new(move |progress| {
                if stops(progress, seed) {
                    ended.cancel();
                }
            }),
            cancellation: token,
            ..CheckOptions::default()
        };
        match method {
            None => check(form, &model.machine, &options),
            Some(method) => twisted_check(form, &model.machine, method, None, &options),
        }
    };
    thread::scope(|scope| {
        let seats = seats(spills.len(), seed, None).into_iter().zip(spills);
        let one = &one;
        let threads: Vec<_> = seats
            .map(|(seat, spill)| scope.spawn(move || one(seat, spill)))
            .collect();
        threads.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

fn never(_: &SearchProgress, _: u64) -> bool {
    false
}

/// The result of this many processes, with the numbers of what was on disk before.
fn found(
    question: Question<'_>,
    directory: &Directory,
    (processes, resumes): (usize, bool),
    seed: u64,
) -> (CheckResult, Spilled) {
    let spills = vec![spill(directory, resumes); processes];
    all_agree(answers(question, spills, seed, None, never))
}

/// The result of all processes, which must be the same.
fn all_agree(answers: Vec<base::diag::Result<CheckResult>>) -> (CheckResult, Spilled) {
    let mut results = answers.into_iter().map(|answer| {
        let result = answer.unwrap();
        let spilled = result.statistics.spilled.unwrap();
        (essence(result), spilled)
    });
    let (first, spilled) = results.next().unwrap();
    for (other, on_disk) in results {
        assert_eq!(other.outcome, first.outcome);
        assert_eq!(other.statistics, first.statistics);
        assert_eq!(on_disk, spilled);
    }
    (first, spilled)
}

/// Calls `work` for random systems, without symmetry and with it: those whose number is a multiple
/// of `every`.
fn with_systems(seeds: u64, every: u64, mut work: impl FnMut(Question<'_>, u64)) {
    for seed in (0..seeds).filter(|seed| seed % every == 0) {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        let forms = specifications(&mut model);
        for (number, form) in forms.iter().enumerate() {
            if form.is_divergent(NormalForm::INITIAL) {
                // Everything is allowed, so nothing is searched.
                continue;
            }
            // The group is that of the model's own specification.
            let method = Some(&general).filter(|_| number == 0 && seed % 2 == 0);
            work((&model, form, method), seed + number as u64);
        }
    }
}

/// The result of several processes in memory.
fn expected(question: Question<'_>, seed: u64) -> CheckResult {
    let (model, form, method) = question;
    found_by(2, (model, form), method, seed, None)
}

fn assert_same(found: &CheckResult, expected: &CheckResult, what: &str) {
    assert_eq!(found.outcome, expected.outcome, "{what}");
    let numbers = |result: &CheckResult| Statistics {
        // Nothing counts orbits here.
        extra_states: None,
        ..result.statistics
    };
    assert_eq!(numbers(found), numbers(expected), "{what}");
}

#[test]
fn several_processes_find_on_disk_what_they_find_in_memory() {
    let (mut held, mut violated) = (0, 0);
    with_systems(90, 1, |question, seed| {
        let expected = expected(question, seed);
        for processes in 1..=4 {
            let directory = Directory::new();
            let (found, spilled) = found(question, &directory, (processes, false), seed);
            assert_same(&found, &expected, &format!("{seed}, {processes} processes"));
            assert_eq!((spilled.resumed, spilled.resumed_states), (None, 0));
            assert!(spilled.disk_bytes > 0);
        }
        match expected.outcome {
            Outcome::Holds => held += 1,
            _ => violated += 1,
        }
    });
    assert!(held > 50 && violated > 20, "{held} {violated}");
}

#[test]
fn what_a_process_lost_is_found_again_by_any_number_of_processes() {
    let mut pairs = BTreeSet::new();
    let mut number = 0;
    with_systems(60, 5, |question, seed| {
        let expected = expected(question, seed);
        let levels = expected.statistics.levels as usize;
        for level in 1..=levels {
            // Each number of processes follows each other number.
            let (before, after) = (1 + number / 4 % 4, 1 + number % 4);
            number += 1;
            pairs.insert((before, after));
            let directory = Directory::new();
            found(question, &directory, (before, false), seed);
            directory.cut(seed as usize % before, level);
            let what = format!("{seed}, {before} to {after} processes after {level}");
            let (resumed, spilled) = found(question, &directory, (after, true), seed);
            assert_same(&resumed, &expected, &what);
            assert_eq!(spilled.resumed, Some(level as u64), "{what}");
            assert!(spilled.resumed_states >= level as u64, "{what}");
            assert!((0..after).all(|process| directory.share(process).is_dir()));
            // The search is resumed once more, when all of it is there.
            let (again, whole) = found(question, &directory, (before, true), seed);
            assert_same(&again, &expected, &what);
            assert!(whole.resumed >= spilled.resumed, "{what}");
            assert!(whole.resumed_states <= expected.statistics.states, "{what}");
        }
    });
    assert_eq!(pairs.len(), 16, "{number}");
}

#[test]
fn what_was_stopped_at_any_place_goes_on() {
    let mut stopped = 0;
    with_systems(80, 2, |question, seed| {
        let expected = expected(question, seed);
        let directory = Directory::new();
        let processes = 1 + seed as usize % 4;
        let stops = |progress: &SearchProgress, seed| {
            progress.statistics.levels > 1 + seed % 5 && progress.expanded > seed % 7
        };
        let spills = vec![spill(&directory, false); processes];
        let first = answers(question, spills, seed, None, stops);
        let is_stopped = |answer: &base::diag::Result<CheckResult>| {
            let outcome = &answer.as_ref().unwrap().outcome;
            matches!(outcome, Outcome::Stopped(_))
        };
        stopped += u64::from(first.iter().any(is_stopped));
        let after = 1 + (seed as usize / 4) % 4;
        let (resumed, _) = found(question, &directory, (after, true), seed);
        assert_same(&resumed, &expected, &format!("{seed}, {after} processes"));
    });
    assert!(stopped > 20, "{stopped}");
}

#[test]
fn a_limit_of_states_leaves_what_one_process_leaves() {
    let mut limited = 0;
    with_systems(60, 2, |question, seed| {
        let most = 1 + mix(seed) % 40;
        let alone = Directory::new();
        let options = CheckOptions {
            max_states: Some(most),
            spill: Some(spill(&alone, false)),
            ..CheckOptions::default()
        };
        let (model, form, method) = question;
        let plain = match method {
            None => check(form, &model.machine, &options),
            Some(method) => twisted_check(form, &model.machine, method, None, &options),
        };
        let plain = essence(plain.unwrap());
        for processes in 1..=3 {
            let directory = Directory::new();
            let spills = vec![spill(&directory, false); processes];
            let (found, _) = all_agree(answers(question, spills, seed, Some(most), never));
            let of = |result: &CheckResult| (result.statistics.states, result.statistics.levels);
            // States known along τ are limited in another way, and counted at another time.
            let is_limited =
                |result: &CheckResult| result.outcome == Outcome::Stopped(StopReason::StateLimit);
            if is_limited(&plain) && is_limited(&found) && !form.model().has_divergences() {
                assert_eq!(of(&found), of(&plain), "{seed}");
                limited += 1;
            }
            let (resumed, _) = super::on_disk::found(question, &directory, (1, true), seed);
            assert_same(&resumed, &expected(question, seed), &format!("{seed}"));
        }
    });
    assert!(limited > 30, "{limited}");
}

/// A system of some levels that holds.
fn with_one(work: impl Fn(Question<'_>, &CheckResult)) {
    let mut is_done = false;
    with_systems(100, 1, |question, seed| {
        let expected = expected(question, seed);
        if !is_done && expected.outcome == Outcome::Holds && expected.statistics.levels > 5 {
            is_done = true;
            work(question, &expected);
        }
    });
    assert!(is_done);
}

/// Renames the journals of the shares of these processes, as if the shares had not been published.
fn take_back(directory: &Directory, processes: impl IntoIterator<Item = usize>) {
    for process in processes {
        let share = directory.share(process);
        fs::rename(share.join("journal"), share.join("prepared")).unwrap();
    }
}

#[test]
fn shares_count_once_one_of_them_is_published() {
    with_one(|question, expected| {
        let whole = Directory::new();
        found(question, &whole, (3, false), 1);
        // All processes were killed before any share was published: nothing counts as begun.
        let directory = whole.copy();
        take_back(&directory, 0..3);
        let (anew, spilled) = found(question, &directory, (3, true), 1);
        assert_same(&anew, expected, "nobody");
        assert_eq!(spilled.resumed, Some(0));
        // One share was published.
        for published in 0..3 {
            let directory = whole.copy();
            take_back(&directory, (0..3).filter(|&process| process != published));
            for processes in [3, 2] {
                let (resumed, spilled) = found(question, &directory, (processes, true), 1);
                assert_same(&resumed, expected, "some");
                assert!(spilled.resumed >= Some(expected.statistics.levels));
            }
        }
    });
}

#[test]
fn a_move_that_was_killed_is_begun_again_or_ended() {
    with_one(|question, expected| {
        let old = Directory::new();
        found(question, &old, (3, false), 1);
        old.cut(2, 4);
        let new = old.copy();
        found(question, &new, (2, true), 1);
        let left = new.files();
        assert!(left.iter().all(|file| !file.starts_with("process-2")));
        // The new shares are in other folders than the old ones, so that copies of both fit
        // together.
        assert!(left.iter().all(|file| file.iter().nth(1).unwrap() == "2"));
        let resumed = |directory: &Directory, levels: Option<u64>| {
            let (found, spilled) = found(question, directory, (2, true), 1);
            assert_same(&found, expected, "moved");
            assert_eq!(spilled.resumed, levels);
            // Shares that do not count are removed.
            for process in 0..2 {
                directory.share(process);
            }
        };
        let whole = Some(expected.statistics.levels + 1);
        // The old shares count before any new one is published.
        let both = new.copy();
        take_back(&both, 0..2);
        copy_all(&old.0, &both.0);
        resumed(&both, Some(4));
        // The new shares count once one of them is published.
        let both = new.copy();
        take_back(&both, [1]);
        copy_all(&old.0, &both.0);
        resumed(&both, whole);
        // The new shares count even where the old ones are removed in part.
        let both = new.copy();
        copy_all(&old.0, &both.0);
        fs::remove_file(share_folder(&both.0, 2).join("1").join("levels")).unwrap();
        fs::remove_dir_all(share_folder(&both.0, 1).join("1")).unwrap();
        resumed(&both, whole);
    });
}

#[test]
fn processes_with_disks_of_their_own_exchange_what_they_have() {
    with_one(|question, expected| {
        // Four machines; each process is on one of them.
        let begun = |machines: &[Directory]| {
            let spills = machines.iter().map(|machine| spill(machine, false));
            all_agree(answers(question, spills.collect(), 1, None, never));
            machines[1].cut(1, 3);
        };
        for order in [[1, 0, 2, 3], [2, 0, 1, 3], [3, 2, 1, 0]] {
            for processes in 2..=4 {
                let machines: Vec<Directory> = (0..4).map(|_| Directory::new()).collect();
                begun(&machines[..2]);
                let spills = order.iter().map(|&machine| spill(&machines[machine], true));
                let spills: Vec<Spill> = spills.take(processes).collect();
                let seen = order[..processes].iter().filter(|&&machine| machine < 2);
                let seen = seen.count();
                let answers = answers(question, spills, 1, None, never);
                if seen == 1 {
                    for answer in answers {
                        assert_eq!(answer.unwrap_err().code, "missing-share");
                    }
                    continue;
                }
                let (found, spilled) = all_agree(answers);
                assert_same(&found, expected, "machines");
                // If no share is seen, the search counts as not begun.
                assert_eq!(spilled.resumed, Some(if seen == 2 { 3 } else { 0 }));
            }
        }
    });
}

#[test]
fn a_search_of_one_process_is_divided() {
    with_one(|question, expected| {
        for processes in 1..=3 {
            let directory = Directory::new();
            let (model, form, method) = question;
            found_alone((model, form), method, Some(spill(&directory, false)));
            let (found, spilled) = found(question, &directory, (processes, true), 1);
            assert_same(&found, expected, "divided");
            assert!(spilled.resumed > Some(expected.statistics.levels));
            assert!(!directory.0.join("1").exists());
        }
    });
}

#[test]
fn what_does_not_fit_is_no_verdict() {
    let codes = |answers: Vec<base::diag::Result<CheckResult>>| -> Vec<&str> {
        answers.into_iter().map(|a| a.unwrap_err().code).collect()
    };
    with_one(|question, _| {
        let whole = Directory::new();
        found(question, &whole, (3, false), 1);
        let ask = |directory: &Directory, processes: usize| {
            let spills = vec![spill(directory, true); processes];
            codes(answers(question, spills, 1, None, never))
        };
        let lost = whole.copy();
        fs::remove_dir_all(share_folder(&lost.0, 1)).unwrap();
        for processes in 1..=4 {
            assert_eq!(ask(&lost, processes), vec!["missing-share"; processes]);
        }
        // A process that finds a problem by itself tells the others, which stop too.
        let damaged = whole.copy();
        fs::write(damaged.share(1).join("levels"), "").unwrap();
        assert_eq!(ask(&damaged, 3)[1], "damaged-spill");
        assert_eq!(ask(&damaged, 2)[1], "damaged-spill");
        let mut other = spill(&whole, true);
        other.identity = identity("F");
        let answers = answers(question, vec![other; 2], 1, None, never);
        assert!(codes(answers).contains(&"other-spill"));
        // All processes must keep their states in the same way.
        let spills = vec![spill(&whole, true), spill(&Directory::new(), false)];
        let answers = super::on_disk::answers(question, spills, 1, None, never);
        assert_eq!(codes(answers), vec!["cluster-differs"; 2]);
    });
}
