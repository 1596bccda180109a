//! The method `symmetry_diff`: the changes of a script that break the symmetries of a check.

use std::sync::Arc;

use checker::{ChangedScript, Definition, Error, Mutation, Script, Subject, SymmetryComparison};
use report::breaking::{MutationKind, SymmetryDiff};

use super::request::ApiRequest;
use super::work::ApiWork;
use host::files::{Files, Readable};
use host::load::Loaded;

/// The most changes of each kind that are tried until one breaks a symmetry.
const TRIED: usize = 6;

/// The most changes that are looked at if one kind is asked for.
const MOST: usize = 20;

/// The kinds of changes, in the order in which they are shown.
const KINDS: [MutationKind; 4] = [
    MutationKind::FixedChoice,
    MutationKind::OrderedChoice,
    MutationKind::GuardedMember,
    MutationKind::OtherStart,
];

/// The answer to `question` about `script`, which was read with `definitions`.
pub(super) fn symmetry_diff<'r>(
    question: &'r ApiWork,
    (script, definitions): (&'r Script, &'r [Definition]),
    readable: &'r Readable,
) -> Result<SymmetryDiff, Error> {
    let (request, options, task) = (question.request(), question.options(), &question.task);
    let asked = request.subject(script)?;
    let mut tried = TriedChanges {
        request,
        definitions,
        readable,
        asked,
        comparison: SymmetryComparison::new(script, asked, options, task)?,
    };
    if let Some(files) = &request.files_after {
        let changed = tried.read(files)?;
        tried.comparison.add(&ChangedScript {
            script: &changed,
            subject: request.subject(&changed)?,
            mutation: None,
            what: "the edited script",
        })?;
        return Ok(tried.comparison.finish());
    }
    let all = script.mutations(asked, options, task)?;
    for kind in KINDS {
        let mut mutations = all.iter().filter(|mutation| mutation.kind == kind);
        match request.mutation {
            None => tried.add_first_that_breaks(mutations)?,
            Some(wanted) if wanted == kind => {
                let mut left = MOST;
                while let (true, Some(mutation)) = (left > 0, mutations.next()) {
                    left -= usize::from(tried.add(mutation)?.is_some());
                }
            }
            Some(_) => {}
        }
    }
    Ok(tried.comparison.finish())
}

/// Changes of a script that were tried.
struct TriedChanges<'r> {
    request: &'r ApiRequest,
    definitions: &'r [Definition],
    readable: &'r Readable,
    asked: Subject<'r>,
    comparison: SymmetryComparison<'r>,
}

impl TriedChanges<'_> {
    /// Adds the first of `mutations` that breaks a symmetry, or the first of all if none does.
    fn add_first_that_breaks<'m>(
        &mut self,
        mutations: impl Iterator<Item = &'m Mutation>,
    ) -> Result<(), Error> {
        let mut count = 0;
        for mutation in mutations {
            let Some(is_broken) = self.add(mutation)? else {
                continue;
            };
            count += 1;
            if is_broken || count == TRIED {
                self.comparison.keep_one_of(count, is_broken);
                return Ok(());
            }
        }
        if count > 0 {
            self.comparison.keep_one_of(count, false);
        }
        Ok(())
    }

    /// Adds the effect of `mutation`. Returns true if it breaks a symmetry, and `None` if it makes
    /// a script that cannot be read or compiled.
    fn add(&mut self, mutation: &Mutation) -> Result<Option<bool>, Error> {
        let Ok(changed) = self.read([(&mutation.file, &mutation.text)]) else {
            return Ok(None);
        };
        let added = self.comparison.add(&ChangedScript {
            script: &changed,
            subject: self.asked,
            mutation: Some(mutation.kind),
            what: &mutation.what,
        });
        match added {
            // A limit ends the whole request. Any other error only means that the changed process
            // has no answer.
            Err(error) if !["timeout", "interrupted", "memory-limit"].contains(&error.code()) => {
                Ok(None)
            }
            added => added.map(Some),
        }
    }

    /// The script with these files changed, read like the request's own script.
    fn read<'t>(
        &self,
        changed: impl IntoIterator<Item = (&'t String, &'t String)>,
    ) -> Result<Arc<Script>, Error> {
        let mut open = self.request.files.clone();
        let changed = changed.into_iter();
        open.extend(changed.map(|(name, text)| (name.clone(), text.clone())));
        let mut files = Files::with_open(open).within(self.readable.clone());
        Ok(Loaded::read(&self.request.file, &mut files, self.definitions)?.script)
    }
}
