//! The symmetries of a check that are left when the script is changed.

use std::collections::BTreeMap;

use report::breaking::{
    EditReport, GroupReport, LostSymmetry, MutationKind, SymmetryChange, SymmetryDiff,
};
use report::message::PlaceReport;
use report::symmetry::SymmetryDescription;

use super::error::Error;
use super::options::{Options, Strategy, Symmetries};
use super::script::{Script, Subject};
use super::task::Task;

/// The symmetries of a check of a script, with which those of changed scripts are compared.
pub struct SymmetryComparison<'s> {
    script: &'s Script,
    options: Options,
    task: &'s Task,
    before: SymmetryDescription,
    changes: Vec<SymmetryChange>,
}

/// A changed script, and what was changed.
#[derive(Clone, Copy, Debug)]
pub struct ChangedScript<'s> {
    /// The changed script.
    pub script: &'s Script,
    /// The check whose symmetries are asked for, in the changed script.
    pub subject: Subject<'s>,
    /// The kind of change, unless it is one of the user's own.
    pub mutation: Option<MutationKind>,
    /// The change, as a sentence without a full stop.
    pub what: &'s str,
}

impl<'s> SymmetryComparison<'s> {
    /// Finds the symmetries of `subject`, which is a check of `script`. What is compared is all
    /// that is known of listed components.
    pub fn new(
        script: &'s Script,
        subject: Subject<'_>,
        options: &Options,
        task: &'s Task,
    ) -> Result<Self, Error> {
        let options = Options {
            strategy: Some(Strategy::Machine),
            ..options.clone()
        };
        Ok(Self {
            script,
            before: script.symmetry(subject, &options, task)?,
            options,
            task,
            changes: Vec::new(),
        })
    }

    /// Adds what is left of the symmetries in a changed script. Returns true if there are fewer: a
    /// symmetry that is lost may have another one in its place.
    pub fn add(&mut self, changed: &ChangedScript<'_>) -> Result<bool, Error> {
        let after = changed
            .script
            .symmetry(changed.subject, &self.options, self.task)?;
        let (mut lost, mut undecided) = (Vec::new(), Vec::new());
        for generator in &self.before.generators {
            // A generator that is found again needs no claim.
            if after
                .generators
                .iter()
                .any(|found| found.name == generator.name)
            {
                continue;
            }
            match self.claimed(changed, &after, &generator.name)? {
                Claimed::Holds => {}
                Claimed::Lost(found) => lost.push(found),
                Claimed::Unknown => undecided.push(generator.name.clone()),
            }
        }
        // Orders are decimal, without zeros in front, and of any size.
        let size = |order: &str| (order.len(), order.to_string());
        let is_broken = size(&after.order) < size(&self.before.order);
        let (edits, files_after) = edits(self.script, changed.script);
        self.changes.push(SymmetryChange {
            mutation: changed.mutation,
            what: changed.what.to_string(),
            edits,
            files_after,
            after: group(&after),
            lost,
            undecided,
        });
        Ok(is_broken)
    }

    /// Keeps of the last `count` changes only the last if it is `broken`, else only the first.
    pub fn keep_one_of(&mut self, count: usize, broken: bool) {
        let first = self.changes.len() - count;
        let kept = if broken {
            self.changes.len() - 1
        } else {
            first
        };
        self.changes.swap(first, kept);
        self.changes.truncate(first + 1);
    }

    /// The comparison, with all changes that were added.
    pub fn finish(self) -> SymmetryDiff {
        SymmetryDiff {
            before: group(&self.before),
            file: self.before.file,
            assertion: self.before.assertion,
            start_fixed: self.before.start_fixed,
            changes: self.changes,
        }
    }

    /// The outcome of a claim that the permutation called `name` is a symmetry of the changed
    /// script. A refuted claim comes with what breaks it.
    fn claimed(
        &self,
        changed: &ChangedScript<'_>,
        after: &SymmetryDescription,
        name: &str,
    ) -> Result<Claimed, Error> {
        let options = Options {
            symmetries: Symmetries::Permutations(name.to_string()),
            ..self.options.clone()
        };
        let error = match changed
            .script
            .symmetry(changed.subject, &options, self.task)
        {
            Ok(found) if found.generators.is_empty() => return Ok(unfollowed(after, name)),
            Ok(_) => return Ok(Claimed::Holds),
            Err(error) => error,
        };
        self.task
            .cancellation
            .check()
            .map_err(|problem| self.script.error(self.task.explained(*problem)))?;
        let messages = error.messages();
        let refuted = messages
            .iter()
            .find(|message| message.code == "false-symmetry");
        Ok(match refuted {
            Some(message) => Claimed::Lost(LostSymmetry {
                name: name.to_string(),
                reason: message.notes.first().cloned().unwrap_or_default(),
                // The first place is that of the claim.
                place: message
                    .labels
                    .get(1)
                    .map(|(span, text)| PlaceReport::of(*span, text, error.sources())),
            }),
            // Some symmetries have names that do not write a permutation of values or events.
            None => Claimed::Unknown,
        })
    }
}

/// The outcome of a claim.
enum Claimed {
    Holds,
    Lost(LostSymmetry),
    Unknown,
}

/// A claim that holds of the process as a whole, but moves no state: the components do not follow
/// it.
fn unfollowed(after: &SymmetryDescription, name: &str) -> Claimed {
    let mut rejected = after.rejected.iter();
    let rejected = rejected.find(|rejection| rejection.name == name);
    let reason = rejected.map(|rejection| rejection.reason.clone());
    Claimed::Lost(LostSymmetry {
        name: name.to_string(),
        reason: reason.unwrap_or_else(|| "it moves no state of any component".to_string()),
        place: None,
    })
}

fn group(found: &SymmetryDescription) -> GroupReport {
    let generators = found.generators.iter();
    GroupReport {
        order: found.order.clone(),
        structure: found.structure.clone(),
        generators: generators.map(|generator| generator.name.clone()).collect(),
    }
}

/// The changes from the files of `before` to those of `after`, and by name the new text of each
/// file that differs.
fn edits(before: &Script, after: &Script) -> (Vec<EditReport>, BTreeMap<String, String>) {
    let (mut edits, mut files) = (Vec::new(), BTreeMap::new());
    for (_, file) in after.sources().iter() {
        let mut old = before.sources().iter().map(|(_, file)| file);
        let old = old.find(|old| old.name == file.name);
        let old = old.map_or("", |old| old.text.as_str());
        if let Some(edit) = EditReport::between(&file.name, old, &file.text) {
            // A file that is included twice is one file.
            if files.insert(file.name.clone(), file.text.clone()).is_none() {
                edits.push(edit);
            }
        }
    }
    (edits, files)
}
