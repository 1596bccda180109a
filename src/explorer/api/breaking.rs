//! Of `symmetry_diff`: which changes of a script break the symmetries of a check.

use checker::{ChangedScript, Definition, Error, Mutation, Script, Subject, SymmetryComparison};
use report::breaking::{MutationKind, SymmetryDiff};

use super::ApiQuestion;
use super::request::ApiRequest;
use host::files::{Files, Readable};
use host::load::Loaded;

/// Of each kind so many changes are tried until one breaks a symmetry.
const TRIED: usize = 6;

/// Of a kind that is asked for, no more changes are looked at.
const MOST: usize = 20;

/// The answer to `question` about `script`, which was read with `definitions`.
pub(super) fn symmetry_diff(
    question: &ApiQuestion,
    (script, definitions): (&Script, &[Definition]),
    readable: &Readable,
) -> Result<SymmetryDiff, Error> {
    let (request, options, task) = (&question.request, &question.options, &question.task);
    let asked = request.subject(script)?;
    let mut comparison = SymmetryComparison::new(script, asked, options, task)?;
    let reading = ChangedReading {
        request,
        definitions,
        readable,
    };
    if let Some(files) = &request.files_after {
        let changed = reading.read(files.iter())?;
        comparison.add(&ChangedScript {
            script: &changed,
            subject: request.subject(&changed)?,
            mutation: None,
            what: "the edited script",
        })?;
        return Ok(comparison.finish());
    }
    let all = script.mutations(asked, options, task)?;
    for kind in KINDS {
        let mut mutations = all.iter().filter(|mutation| mutation.kind == kind);
        match request.mutation {
            None => first_that_breaks(&mut comparison, &reading, mutations, asked)?,
            Some(wanted) if wanted == kind => {
                let mut left = MOST;
                while let (true, Some(mutation)) = (left > 0, mutations.next()) {
                    let is_added = add(&mut comparison, &reading, mutation, asked)?;
                    left -= usize::from(is_added.is_some());
                }
            }
            Some(_) => {}
        }
    }
    Ok(comparison.finish())
}

/// In the order in which they are shown.
const KINDS: [MutationKind; 4] = [
    MutationKind::FixedChoice,
    MutationKind::OrderedChoice,
    MutationKind::GuardedMember,
    MutationKind::OtherStart,
];

/// Adds the first of `mutations` that breaks a symmetry; if none does, the first.
fn first_that_breaks<'m>(
    comparison: &mut SymmetryComparison<'_>,
    reading: &ChangedReading<'_>,
    mutations: impl Iterator<Item = &'m Mutation>,
    asked: Subject<'_>,
) -> Result<(), Error> {
    let mut count = 0;
    for mutation in mutations {
        let Some(is_broken) = add(comparison, reading, mutation, asked)? else {
            continue;
        };
        count += 1;
        if is_broken || count == TRIED {
            comparison.keep_one_of(count, is_broken);
            return Ok(());
        }
    }
    if count > 0 {
        comparison.keep_one_of(count, false);
    }
    Ok(())
}

/// Adds what `mutation` does, and returns whether it breaks a symmetry. Returns `None` if it makes
/// a script that cannot be read or compiled.
fn add(
    comparison: &mut SymmetryComparison<'_>,
    reading: &ChangedReading<'_>,
    mutation: &Mutation,
    asked: Subject<'_>,
) -> Result<Option<bool>, Error> {
    let Ok(changed) = reading.read([(&mutation.file, &mutation.text)]) else {
        return Ok(None);
    };
    let added = comparison.add(&ChangedScript {
        script: &changed,
        subject: asked,
        mutation: Some(mutation.kind),
        what: &mutation.what,
    });
    match added {
        Ok(is_broken) => Ok(Some(is_broken)),
        Err(error) => {
            // A limit ends the whole request, but a changed process may have no answer of its own.
            let is_over = ["timeout", "interrupted", "memory-limit"].contains(&error.code());
            if is_over { Err(error) } else { Ok(None) }
        }
    }
}

/// Reads changed scripts as the request reads its own.
struct ChangedReading<'r> {
    request: &'r ApiRequest,
    definitions: &'r [Definition],
    readable: &'r Readable,
}

impl ChangedReading<'_> {
    /// The script with these files changed.
    fn read<'t>(
        &self,
        changed: impl IntoIterator<Item = (&'t String, &'t String)>,
    ) -> Result<Script, Error> {
        let mut open = self.request.files.clone();
        let changed = changed.into_iter();
        open.extend(changed.map(|(name, text)| (name.clone(), text.clone())));
        let mut files = Files::with_open(open).within(self.readable.clone());
        Ok(Loaded::read(&self.request.file, &mut files, self.definitions)?.script)
    }
}
