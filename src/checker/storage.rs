//! Searches on disk: what identifies a search, and how much memory it may take.

use std::path::Path;

use crate::base::digest::fingerprint;
use crate::lts::normal_form::NormalForm;
use crate::refine::check::StopReason;
use crate::refine::external::{Fact, Identity, Spill};
use crate::source::SourceMap;

use super::compiled::Compiled;
use super::decision::Decision;
use super::options::Storage;
use super::question::Asked;
use super::reduction::Reduction;
use super::task::Task;

/// How much memory a search on disk takes, beside the tables of its machine, if the user asked for
/// no bound.
const BUDGET: usize = 256 << 20;

/// How many bytes a search takes beside its budget, however large the budget is.
const BESIDE: usize = 2 << 20;

/// The smallest budget: with less, a search would make no progress.
const LEAST_BUDGET: usize = 1 << 20;

impl Storage {
    /// Where the search of `compiled` beside `form` keeps its states.
    pub(super) fn spill(
        &self,
        run: &Decision<'_, '_>,
        compiled: &Compiled,
        form: &NormalForm,
        reduction: &Reduction,
    ) -> Spill {
        Spill {
            directory: self.directory.clone(),
            resumes: self.resumes,
            identity: identity(run, compiled, form, reduction),
            budget: self.budget(run.task),
        }
    }

    /// How much memory a search may take: most of what there is, because a little is kept beside
    /// its states.
    fn budget(&self, task: &Task) -> usize {
        let allowed = task.room().map(|room| {
            let room = usize::try_from(room).unwrap_or(usize::MAX);
            // Divided first: there may be `usize::MAX` bytes of room.
            (room.saturating_sub(BESIDE) / 4 * 3).max(LEAST_BUDGET)
        });
        let is_wanted = task.cancellation.memory().is_some_and(|m| m.is_wanted());
        // The bounds of a machine are shared with other programs, so they are no reason to take
        // more than `BUDGET`.
        let allowed = match is_wanted {
            true => allowed,
            false => allowed.map(|bytes| bytes.min(BUDGET)),
        };
        self.budget.or(allowed).unwrap_or(BUDGET)
    }

    /// How to go on with a search that was stopped.
    pub(super) fn hint(&self, reason: StopReason) -> String {
        let directory = self.directory.display();
        match reason {
            StopReason::StateLimit => {
                format!("allow more states, and go on with --resume {directory}")
            }
            StopReason::Numbers | StopReason::Cancelled => {
                format!("go on with --resume {directory}: all but the level under way is kept")
            }
        }
    }
}

/// All that the search of `compiled` beside `form` depends on.
fn identity(
    run: &Decision<'_, '_>,
    compiled: &Compiled,
    form: &NormalForm,
    reduction: &Reduction,
) -> Identity {
    let Decision {
        options, report, ..
    } = run;
    let (choice, machine) = (&reduction.choice, &*compiled.machine);
    // What is used, whatever is asked for.
    let partial_order = report.partial_order.unwrap_or("none");
    let method = choice.method.as_ref();
    let representative = method.map_or("none", |method| method.name());
    // A value that begins with `#` says nothing to people: messages say only that it differs.
    let printed = |value: String| format!("#{value}");
    // What is on disk are packed pairs, so the packing has a field for the specification.
    let packing = machine.packing(form.state_count() as u32);
    let mut facts = texts(&run.script.sources);
    facts.extend([
        fact("the version of cspsym", env!("CARGO_PKG_VERSION")),
        fact("the model", report.model.unwrap_or("none")),
        fact("what termination is", options.termination.name()),
        fact("whether leaves are minimised", yes(options.minimise)),
        fact(
            "whether symmetries fix the initial states",
            yes(options.fix_initial),
        ),
        fact("the algorithm", choice.algorithm.name()),
        fact("the representative function", representative),
        fact("the partial order reduction", partial_order),
        fact("the machine", &printed(fingerprint(machine))),
        fact("the packing of states", &printed(fingerprint(&packing))),
        fact("the normal form", &printed(fingerprint(form))),
        fact(
            "the group of symmetries",
            &printed(fingerprint(&reduction.group.generators())),
        ),
    ]);
    Identity {
        script: report.file.clone(),
        question: report.assertion.clone().unwrap_or_default(),
        facts,
    }
}

/// The texts of a script.
fn texts(sources: &SourceMap) -> Vec<Fact> {
    let texts = sources.iter().map(|(_, file)| match &file.name[..] {
        // `<-D N>` and `<command line>`: such texts are short, so messages may show them.
        name if name.starts_with('<') => fact(name.trim_matches(['<', '>']), &file.text),
        name => {
            // A script may be moved between two calls, so its folder does not count.
            let name = Path::new(name).file_name().unwrap_or_default();
            let name = format!("the text of {}", name.to_string_lossy());
            fact(&name, &format!("#{}", fingerprint(&file.text)))
        }
    });
    texts.collect()
}

/// The remark on a question that only a search in memory can decide.
pub(super) fn kept_in_memory(asked: &Asked) -> Option<String> {
    let what = match asked {
        Asked::Deterministic(_) => "determinism",
        Asked::RefinesObserved(..) => "refinement in the models V, VD, R and RD",
        _ => return None,
    };
    Some(format!(
        "its states were kept in memory: {what} is not decided on disk"
    ))
}

fn fact(name: &str, value: &str) -> Fact {
    Fact {
        name: name.to_string(),
        value: value.to_string(),
    }
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
