//! `cspsym refine SPEC IMPL FILE`: one refinement between two process expressions; and what else
//! decides a single assertion.

use std::io;
use std::sync::Arc;

use base::source::SourceMap;
use checker::{Answer, Definition, Error, Options, Script, Task};
use report::text::Detail;

use super::check::{not_begun, not_loaded, rendered_warnings, said, status_of};
use super::cluster::Membership;
use host::arguments::{Format, RefineCall};
use host::console::Console;
use host::files::Files;
use host::load::Loaded;
use host::output::Unsaid;
use host::remaining::{OpenVerdict, RemainingVerdicts};
use host::status::Status;

/// Decides the refinement.
pub(super) fn run(
    call: &RefineCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let folder = match call.storage.open(&call.cluster) {
        Ok(folder) => folder,
        Err(problem) => return not_begun(&call.file, call.format, *problem, console),
    };
    let mut cluster = match Membership::join(&call.cluster, console.monitor()) {
        Ok(cluster) => cluster,
        Err(problem) => return not_begun(&call.file, call.format, *problem, console),
    };
    let options = Options {
        explain: call.explain,
        counterexamples: usize::try_from(call.counterexamples).unwrap_or(usize::MAX),
        storage: folder.as_ref().map(|folder| folder.storage.clone()),
        cluster: cluster.as_ref().map(Membership::exchange),
        for_all: call.for_all.clone(),
        ..call.options(console.monitor().memory())
    };
    let assertion = SingleAssertion {
        file: &call.file,
        definitions: &call.telling.common().definitions,
        options,
        format: call.format,
        detail: call.telling.detail(),
    };
    let title = format!("{} refines {}", call.implementation, call.specification);
    let status = assertion.put(title, files, console, |script, options, task| {
        let asked = (&call.specification[..], &call.implementation[..]);
        if let Some(cluster) = &mut cluster {
            let sources = script.sources();
            let compared = cluster.compare(sources, options, format!("{asked:?}"));
            compared.map_err(|problem| Error::new(vec![*problem], SourceMap::new()))?;
        }
        let refine = || script.refine(asked.0, asked.1, options, task);
        Ok(match &mut cluster {
            Some(cluster) => cluster.ask(refine, |answer| answer.problem.is_some()),
            None => refine(),
        })
    })?;
    if let Some(cluster) = cluster {
        cluster.close();
    }
    Ok(status)
}

/// An assertion that is decided by itself.
pub(super) struct SingleAssertion<'c> {
    /// The script.
    pub(super) file: &'c str,
    /// What of the script is replaced.
    pub(super) definitions: &'c [Definition],
    /// How it is decided.
    pub(super) options: Options,
    /// How the verdict is printed.
    pub(super) format: Format,
    /// How much of it.
    pub(super) detail: Detail,
}

impl SingleAssertion<'_> {
    /// Prints the verdict that `decide` finds, or why there is no such assertion. Progress is shown
    /// under `title`.
    pub(super) fn put(
        self,
        title: String,
        files: &mut Files,
        console: &mut Console<'_>,
        decide: impl FnOnce(&Script, &Options, &Task) -> Result<Answer, Error>,
    ) -> io::Result<Status> {
        let (file, format) = (self.file, self.format);
        console.monitor().begin(file.to_string());
        console.pending(Unsaid::Verdicts(RemainingVerdicts {
            format,
            detail: self.detail,
            heading: None,
            all: [OpenVerdict::file(file)].into(),
            from: 0,
            sources: Arc::default(),
        }));
        let loaded = match Loaded::read(file, files, self.definitions) {
            Ok(loaded) => loaded,
            Err(error) => return not_loaded(file, format, &error, console),
        };
        let (script, options) = (&loaded.script, &self.options);
        let warnings = console.problems(&loaded.warnings(options), script.sources());
        let answer = console
            .monitor()
            .turn_of(title, |task| decide(script, options, task));
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return not_loaded(file, format, &error, console),
        };
        let mut said = said(&answer, format, self.detail);
        let is_quiet = self.detail == Detail::Quiet;
        said.err.extend(rendered_warnings(&answer, is_quiet));
        let status = status_of(&answer);
        console.answer(&said, status, None)?;
        Ok(status.max(warnings))
    }
}
