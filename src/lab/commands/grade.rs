//! `cspsym lab grade DIR`: grades all submissions of a folder, each in a program of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::sheet::{Sheet, Size};
use base::diag::Diagnostic;
use checker::{Definition, Error};
use host::arguments::Format;
use host::arguments::lab::{LabGradeCall, LabPlace};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use lab_texts::ShelvedLab;
use report::lab::{GradeReport, TaskOutcome};

use super::folder::{LabFolder, only, script_at};
use super::shelf::{self, START};
use super::submission::{Marks, marks};

/// Grades all, one after the other.
pub(super) fn run(call: &LabGradeCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let all = submissions(&call.folder)?;
    let lab = lab_of(call, &all, files)?;
    let sheet = shelf::sheet(lab)?;
    let sizes = drawn_sizes(&call.definitions, call.seed, &sheet);
    if call.csv {
        console.result(&GradeReport::csv_head(sheet.tasks.len()))?;
    }
    for submission in &all {
        let report = grade(call, lab, &sheet, &sizes, submission);
        console.result(&match call.format {
            _ if call.csv => report.csv(),
            Format::Text => report.text(),
            Format::Json => report.json() + "\n",
        })?;
    }
    // A student's mistakes are no failure of the call.
    Ok(())
}

/// The submissions: folders and scripts, by name. A folder with a student's script in it is one
/// submission.
fn submissions(folder: &str) -> Result<Vec<PathBuf>, Error> {
    if Path::new(folder).join(START).is_file() {
        return Ok(vec![PathBuf::from(folder)]);
    }
    let unreadable = |error: &io::Error| {
        let message = format!("`{folder}` cannot be read: {error}");
        only(Diagnostic::error("no-submissions", message))
    };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(&error))?;
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|error| unreadable(&error))?;
    paths.retain(|path| {
        let is_script = path.extension().is_some_and(|extension| extension == "csp");
        !name(path).starts_with('.') && (path.is_dir() || is_script)
    });
    paths.sort();
    if paths.is_empty() {
        let message = format!("nothing was handed in to `{folder}`");
        let hint = "there should be a folder with a start.csp, or a script, for each student";
        return Err(only(
            Diagnostic::error("no-submissions", message).hint(hint),
        ));
    }
    Ok(paths)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The lab that is named, or the one in the first readable script.
fn lab_of(
    call: &LabGradeCall,
    all: &[PathBuf],
    files: &mut Files,
) -> Result<&'static ShelvedLab, Error> {
    if let Some(name) = &call.lab {
        return shelf::lab(name);
    }
    let mut opened = all.iter().filter_map(|path| {
        let path = path.to_string_lossy().into_owned();
        LabFolder::open(&LabPlace { path, lab: None }, files).ok()
    });
    opened.next().map(|folder| folder.lab).ok_or_else(|| {
        let message = "no submission says to which lab it belongs";
        only(Diagnostic::error("no-submissions", message).hint("say --lab NAME"))
    })
}

/// The sizes for a second check of everything: those of the call, and for each other one a value of
/// the lab, chosen by the seed.
fn drawn_sizes(given: &[Definition], seed: u64, sheet: &Sheet) -> Vec<Definition> {
    let mut sizes = given.to_vec();
    for (index, size) in sheet.sizes.iter().enumerate() {
        if given.iter().all(|given| given.name != size.name) {
            sizes.extend(drawn(size, seed, index));
        }
    }
    sizes
}

/// One of the values of a size.
fn drawn(size: &Size, seed: u64, index: usize) -> Option<Definition> {
    // The mixing function of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    // Generators, 2014): seeds that are next to each other choose as if by chance, so that students
    // cannot foresee the value, and the lecturer gets it again.
    let mut mixed = (seed ^ ((index as u64) << 32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let at = mixed % (size.values.len().max(1) as u64);
    let text = size.values.get(at as usize)?.clone();
    let name = size.name.clone();
    Some(Definition { name, text })
}

/// Grades one submission: at the lab's own size, and at the others.
fn grade(
    call: &LabGradeCall,
    lab: &ShelvedLab,
    sheet: &Sheet,
    sizes: &[Definition],
    submission: &Path,
) -> GradeReport {
    let count = sheet.tasks.len();
    let mut first = match Path::new(&script_at(&submission.to_string_lossy())).is_file() {
        true => marks(call, lab.name, &[], submission, count),
        false => Marks::none(count, "no-lab-here: there is no start.csp".to_string()),
    };
    let is_readable = first.tasks.iter().any(|task| *task != TaskOutcome::Error);
    if is_readable && !sizes.is_empty() {
        let second = marks(call, lab.name, sizes, submission, count);
        for (task, other) in first.tasks.iter_mut().zip(second.tasks) {
            // Tasks that are not done at the lab's own size stay as they are.
            if *task == TaskOutcome::Passed && other != TaskOutcome::Skipped {
                *task = other;
            }
        }
        first.message = first.message.or(second.message);
    }
    let done = |task: &&TaskOutcome| **task == TaskOutcome::Passed;
    GradeReport {
        lab: lab.name.to_string(),
        submission: name(submission),
        passed: first.tasks.iter().filter(done).count() as u64,
        tasks: first.tasks,
        right: first.right,
        predicted: first.predicted,
        sizes: sizes.iter().map(Definition::to_string).collect(),
        message: first.message,
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::shelf::GIVEN;
    use checker::{Options, Script, Task};
    use lab_texts::LABS;

    use super::*;

    #[test]
    fn seeds_choose_every_value_and_the_same_one_again() {
        let values = ["2", "3", "4"].map(str::to_string).to_vec();
        let size = Size {
            name: "N".to_string(),
            values,
        };
        let chosen = |seed| drawn(&size, seed, 0).expect("there are values").text;
        let all: std::collections::BTreeSet<String> = (0..20).map(chosen).collect();
        assert_eq!(all.len(), 3);
        assert_eq!(chosen(7), chosen(7));
    }

    /// The sizes are drawn so that work that fits only the lab's own sizes fails at the others.
    #[test]
    fn no_seed_draws_the_sizes_of_the_lab_itself() {
        for lab in &LABS {
            let sheet = shelf::sheet(lab).expect("its directives are right");
            let given = Script::parse(GIVEN, lab.given).expect("it is right");
            let seeds = 0..50;
            for size in seeds.flat_map(|seed| drawn_sizes(&[], seed, &sheet)) {
                let is_same = format!("{} == {}", size.name, size.text);
                let is_same = given.evaluate(&is_same, &Options::default(), &Task::default());
                assert_eq!(
                    is_same.expect("both are values").text,
                    "false",
                    "{}",
                    lab.name
                );
            }
        }
    }
}
