//! Searches on disk that were ended, damaged or refused, and go on.

use super::*;

/// A system that holds, with some levels and hundreds of states.
fn system() -> CopiesCheck {
    let models = (0..).filter_map(|seed| CopiesCheck::of(&Shape::random(seed)));
    let mut large = models.filter(|model| {
        let product =
            Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
        let itself = Itself::new(&model.machine, model.normal_form.state_count());
        if product.packing.words() > 1 {
            return false;
        }
        let result = run_in_memory::<u64, _>(&product, &itself, None);
        result.outcome == Outcome::Holds
            && result.statistics.states > 500
            && result.statistics.levels > 8
    });
    large.next().unwrap()
}

/// Runs the search of [`system`] in a folder, until `stops` says so.
fn run_system(
    model: &CopiesCheck,
    way: Way,
    spill: &Spill,
    most: Option<u64>,
    stops: impl Fn(&SearchProgress) -> bool + Send + Sync + 'static,
) -> Result<CheckResult> {
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
    let itself = Itself::new(&model.machine, model.normal_form.state_count());
    run::<u64, _>(&product, &itself, way, spill, most, stops)
}

fn append(path: &Path, bytes: &[u8]) {
    let mut text = fs::read(path).unwrap();
    text.extend_from_slice(bytes);
    fs::write(path, text).unwrap();
}

#[test]
fn a_search_goes_on_after_any_level() {
    let model = system();
    let whole = Directory::new();
    let expected = run_system(&model, WAYS[0], &whole.spill(false, 0), None, |_| false);
    let expected = essence(expected.unwrap());
    for level in 1..=expected.1.levels {
        for (first, second) in [(WAYS[1], WAYS[2]), (WAYS[2], WAYS[0]), (WAYS[3], WAYS[1])] {
            let directory = Directory::new();
            let spill = directory.spill(false, first.budget);
            let stops = move |progress: &SearchProgress| progress.statistics.levels == level;
            let stopped = run_system(&model, first, &spill, None, stops).unwrap();
            assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Cancelled));
            // The remains of a search that was killed in the middle of the next level.
            append(&directory.file("levels"), &[1, 2, 3, 4, 5]);
            append(&directory.file("journal"), b"[{\"states\":7");
            fs::write(directory.file("run-1000"), "x").unwrap();
            fs::write(directory.file("candidates-0-0"), "").unwrap();
            let spill = directory.spill(true, second.budget);
            let result = run_system(&model, second, &spill, None, |_| false).unwrap();
            let before = result.statistics.spilled.unwrap();
            assert_eq!(before.resumed, Some(level));
            assert_eq!(before.resumed_states, stopped.statistics.states);
            assert_eq!(essence(result), expected);
            // The search is resumed once more, when there is nothing left to do.
            let result = run_system(&model, first, &spill, None, |_| false).unwrap();
            assert_eq!(essence(result), expected);
        }
    }
}

#[test]
fn a_violation_is_found_again() {
    let mut found = 0;
    for seed in 0..100 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let specification = &specifications(&model)[1];
        let product = Product::new(specification, &model.machine, Cancellation::never()).unwrap();
        let itself = Itself::new(&model.machine, specification.state_count());
        let directory = Directory::new();
        let run = |resumes| {
            let spill = directory.spill(resumes, 0);
            essence(
                run::<Vec<u64>, _>(&product, &itself, WAYS[2], &spill, None, |_| false).unwrap(),
            )
        };
        let first = run(false);
        assert_eq!(run(true), first);
        found += u32::from(matches!(first.0, Outcome::Violated(_)));
    }
    assert!(found > 3, "{found}");
}

#[test]
fn a_limit_of_states_can_be_lifted() {
    let model = system();
    let whole = Directory::new();
    let expected = run_system(&model, WAYS[0], &whole.spill(false, 0), None, |_| false);
    let expected = essence(expected.unwrap());
    let directory = Directory::new();
    let mut resumes = false;
    for most in [1, 7, 100, 101, expected.1.states - 1] {
        let spill = directory.spill(resumes, 300);
        let stopped = run_system(&model, WAYS[2], &spill, Some(most), |_| false).unwrap();
        assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::StateLimit));
        assert!(stopped.statistics.states <= most);
        resumes = true;
    }
    let spill = directory.spill(true, 300);
    let most = Some(expected.1.states);
    let result = run_system(&model, WAYS[1], &spill, most, |_| false).unwrap();
    assert_eq!(essence(result), expected);
}

/// The code of the problem if a search goes on in a folder after `harm` was done to it; else
/// "before" if it goes on from a level before, and "none" otherwise.
fn code_after(model: &CopiesCheck, harm: impl FnOnce(&Directory)) -> &'static str {
    let directory = Directory::new();
    let spill = directory.spill(false, 0);
    let stops = move |progress: &SearchProgress| progress.statistics.levels == 8;
    let way = Way {
        syncs: true,
        ..WAYS[1]
    };
    run_system(model, way, &spill, None, stops).unwrap();
    harm(&directory);
    let spill = directory.spill(true, 0);
    match run_system(model, WAYS[1], &spill, None, |_| false) {
        Ok(result) => {
            assert_eq!(result.outcome, Outcome::Holds);
            let resumed = result.statistics.spilled.unwrap().resumed;
            if matches!(resumed, Some(1..8)) {
                "before"
            } else {
                "none"
            }
        }
        Err(problem) => problem.code,
    }
}

/// Changes the bytes of a file by `how`.
fn change(path: &Path, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    how(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn damage_of_states_is_found() {
    let model = system();
    assert_eq!(code_after(&model, |_| {}), "none");
    let run = |directory: &Directory| {
        let mut names = fs::read_dir(directory.0.join("1")).unwrap();
        let name = names.find_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.starts_with("run-").then_some(name)
        });
        directory.file(&name.unwrap())
    };
    type File<'a> = &'a dyn Fn(&Directory) -> PathBuf;
    let files: [(&str, File<'_>); 2] = [("levels", &|d| d.file("levels")), ("run", &run)];
    for (name, file) in files {
        let harms: [&dyn Fn(&Path); 3] = [
            &|path| change(path, |bytes| bytes.truncate(bytes.len() / 2)),
            &|path| {
                change(path, |bytes| {
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                });
            },
            &|path| fs::remove_file(path).unwrap(),
        ];
        for (number, harm) in harms.iter().enumerate() {
            let code = code_after(&model, |directory| harm(&file(directory)));
            // Of the last level it is not known yet that it was on the disk itself.
            assert!(
                ["damaged-spill", "before"].contains(&code),
                "{name} {number}: {code}"
            );
        }
    }
}

#[test]
fn damage_of_the_journal_is_found() {
    let model = system();
    // Each line of the journal counts, and each digit of it; but if the last lines cannot be used,
    // the search goes on before them.
    for part in 1..20 {
        let code = code_after(&model, |directory| {
            change(&directory.file("journal"), |bytes| {
                let digits = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit());
                let digits: Vec<usize> = digits.collect();
                let digit = &mut bytes[digits[digits.len() * part / 20]];
                *digit = if *digit == b'1' { b'2' } else { b'1' };
            });
        });
        assert!(
            ["damaged-spill", "before"].contains(&code),
            "{part}: {code}"
        );
    }
    let code = code_after(&model, |directory| {
        change(&directory.file("journal"), |bytes| {
            let text = String::from_utf8(bytes.clone()).unwrap();
            *bytes = text
                .replacen("\"format\":2", "\"format\":3", 1)
                .into_bytes();
        });
    });
    assert_eq!(code, "other-spill");
    // Only the journal tells which search it was.
    let code = code_after(&model, |directory| {
        fs::remove_file(directory.file("journal")).unwrap();
    });
    assert_eq!(code, "damaged-spill");
    let code = code_after(&model, |directory| {
        fs::remove_dir_all(directory.0.join("1")).unwrap();
        fs::create_dir(directory.0.join("1")).unwrap();
    });
    assert_eq!(code, "none");
    // A journal of less than a line says nothing yet.
    let code = code_after(&model, |directory| {
        change(&directory.file("journal"), |bytes| bytes.truncate(10));
    });
    assert_eq!(code, "none");
}

/// The files of a folder.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[test]
fn after_a_power_cut_a_search_goes_on_from_what_is_there() {
    let model = system();
    let whole = Directory::new();
    let spill = whole.spill(false, 0);
    let expected = essence(run_system(&model, WAYS[0], &spill, None, |_| false).unwrap());
    let mut runs_lost = 0;
    for level in (2..=expected.1.levels).step_by(cases(4, 1)) {
        let directory = Directory::new();
        let stops = move |progress: &SearchProgress| progress.statistics.levels == level;
        let spill = directory.spill(false, 0);
        let stopped = run_system(&model, WAYS[1], &spill, None, stops).unwrap();
        let states = stopped.statistics.states as usize;
        let found = contents(&directory.0.join("1"));
        // The number of levels from which a search goes on after `harm` was done to its files.
        let resumed = |harm: &dyn Fn()| {
            let _ = fs::remove_dir_all(directory.0.join("1"));
            fs::create_dir(directory.0.join("1")).unwrap();
            for (path, bytes) in &found {
                fs::write(path, bytes).unwrap();
            }
            harm();
            let spill = directory.spill(true, 0);
            let result = run_system(&model, WAYS[2], &spill, None, |_| false).unwrap();
            let resumed = result.statistics.spilled.unwrap().resumed;
            assert_eq!(essence(result), expected);
            resumed.unwrap()
        };
        // The end of the journal was not written, or other bytes are in its place.
        for kept in 1..=level {
            for rest in [&b""[..], &[0; 100], b"[{\"states\":7", b"\0\0\n"] {
                let journal = directory.file("journal");
                let harm = |bytes: &mut Vec<u8>| end_after(bytes, kept as usize, rest);
                assert_eq!(resumed(&|| change(&journal, harm)), kept);
            }
        }
        // The last states were not written.
        let levels = directory.file("levels");
        let shortened = resumed(&|| change(&levels, |bytes| _ = bytes.pop()));
        let flipped = resumed(&|| change(&levels, |bytes| *bytes.last_mut().unwrap() ^= 1));
        assert_eq!([shortened, flipped], [level - 1; 2]);
        let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / states);
        assert_eq!(resumed(&|| change(&levels, cut)), 1);
        // The last run was not written.
        if let Some(last) = last_run(&found) {
            let harms: [&dyn Fn(); 3] = [
                &|| fs::remove_file(last).unwrap(),
                &|| change(last, Vec::clear),
                &|| change(last, |bytes| bytes.fill(0)),
            ];
            for harm in harms {
                assert!(resumed(harm) < level);
            }
            runs_lost += 1;
        }
    }
    assert!(runs_lost > cases(0, 3), "{runs_lost}");
}

/// Keeps the header and `lines` lines of a journal, and puts `rest` after them.
fn end_after(journal: &mut Vec<u8>, lines: usize, rest: &[u8]) {
    let mut ends = (0..journal.len()).filter(|&at| journal[at] == b'\n');
    let end = ends.nth(lines).unwrap();
    journal.truncate(end + 1);
    journal.extend_from_slice(rest);
}

/// The run that was made last, of these files.
fn last_run(files: &[(PathBuf, Vec<u8>)]) -> Option<&Path> {
    let number = |path: &Path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.strip_prefix("run-")?.parse::<u64>().ok()
    };
    let files = files.iter().map(|(path, _)| path.as_path());
    let runs = files.filter_map(|path| Some((number(path)?, path)));
    runs.max().map(|(_, path)| path)
}

#[test]
fn runs_are_removed_when_the_journal_without_them_is_on_the_disk() {
    let model = system();
    for syncs in [false, true] {
        let directory = Directory::new();
        let way = Way { syncs, ..WAYS[1] };
        run_system(&model, way, &directory.spill(false, 0), None, |_| false).unwrap();
        let journal = fs::read_to_string(directory.file("journal")).unwrap();
        let last = journal
            .lines()
            .rfind(|line| line.contains("\"runs\""))
            .unwrap();
        let files = contents(&directory.0.join("1"));
        let runs = files
            .iter()
            .filter_map(|(path, _)| path.file_name()?.to_str());
        let runs: Vec<&str> = runs.filter(|name| name.starts_with("run-")).collect();
        let named = runs
            .iter()
            .filter(|run| last.contains(&format!("\"{run}\"")));
        assert_eq!(named.count() == runs.len(), syncs, "{runs:?} {last}");
    }
}

#[test]
fn another_search_is_refused_and_told_apart() {
    let model = system();
    let directory = Directory::new();
    let spill = directory.spill(false, 0);
    let stops = move |progress: &SearchProgress| progress.statistics.levels == 3;
    run_system(&model, WAYS[1], &spill, None, stops).unwrap();
    let mut other = Spill {
        identity: identity("F"),
        ..directory.spill(true, 0)
    };
    let problem = run_system(&model, WAYS[1], &other, None, |_| false).unwrap_err();
    assert_eq!(problem.code, "other-spill");
    assert_eq!(problem.notes, ["the model was T, and is F now"]);
    // A search with another question begins beside the one that is there, and goes on the next
    // time.
    other.identity.question = "P [F= R".to_string();
    for resumed in [0, 3] {
        let result = run_system(&model, WAYS[1], &other, None, stops).unwrap();
        assert_eq!(result.statistics.spilled.unwrap().resumed, Some(resumed));
    }
    // The first one is still there, also if its script was moved.
    let mut moved = directory.spill(true, 0);
    moved.identity.script = "elsewhere.csp".to_string();
    let result = run_system(&model, WAYS[1], &moved, None, |_| false).unwrap();
    assert_eq!(result.statistics.spilled.unwrap().resumed, Some(3));
}

#[test]
fn a_folder_that_cannot_be_used_is_a_message() {
    let model = system();
    let directory = Directory::new();
    let file = directory.0.join("file");
    fs::write(&file, "").unwrap();
    for resumes in [false, true] {
        let mut spill = directory.spill(resumes, 0);
        spill.directory = file.clone();
        let problem = run_system(&model, WAYS[1], &spill, None, |_| false).unwrap_err();
        assert_eq!(problem.code, "unwritable-spill");
    }
}
