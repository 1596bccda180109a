//! `--spill` and `--resume`: the folder in which searches keep their states.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::base::digest::fingerprint;
use crate::diag::{Diagnostic, Result};
use crate::refine::check::StopReason;
use crate::refine::external::{Fact, Identity, Spill, failed};
use crate::report::assertion::AssertionReport;
use crate::source::SourceMap;

use super::decide::Prepared;
use super::monitor::Monitor;
use super::question::Asked;
use super::reduce::Reduction;
use super::request::Options;

/// Options of the subcommands that search.
#[derive(Args, Debug)]
pub(crate) struct Storage {
    /// Keep the states of searches in the folder DIR, which has to be new or empty, and little in memory: for checks that need more memory
    /// than there is; in FD what a state leads to along τ stays in memory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    spill: Option<PathBuf>,
    /// Go on with the searches that were begun with --spill DIR, by a call that was stopped or killed
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// How much memory such a search may take, for tests
    #[arg(long, value_name = "BYTES", hide = true)]
    spill_budget: Option<usize>,
}

/// The folder, locked for as long as this is there.
#[derive(Clone, Debug)]
pub(crate) struct SpillFolder {
    directory: PathBuf,
    resumes: bool,
    /// What the call says, for tests.
    budget: Option<usize>,
    /// The texts of the script, as facts on its searches.
    texts: Vec<Fact>,
    _lock: Arc<File>,
}

/// What is locked while a call uses the folder. It stays there: the lock of a call that was killed is gone with it.
const LOCK: &str = "lock";

/// About as much memory as a search on disk takes where there is no `--memory-limit`, beside the tables of its machine.
const BUDGET: usize = 256 << 20;

/// So many bytes a search takes beside its budget, whatever that is.
const BESIDE: usize = 2 << 20;

/// Less would keep it from getting anywhere.
const LEAST_BUDGET: usize = 1 << 20;

impl Storage {
    /// The folder, if one was given.
    pub(super) fn open(&self) -> Result<Option<SpillFolder>> {
        let (directory, resumes) = match (&self.spill, &self.resume) {
            (None, None) => return Ok(None),
            (Some(directory), _) => (directory, false),
            (None, Some(directory)) => (directory, true),
        };
        let unusable = |error: io::Error| failed(directory, &error);
        if resumes {
            if !directory.join(LOCK).is_file() {
                return no_search(directory).into();
            }
        } else {
            fs::create_dir_all(directory).map_err(unusable)?;
            refuse_used(directory)?;
        }
        let lock = lock(directory)?;
        if !resumes {
            // Another call may have used it since.
            refuse_used(directory)?;
        }
        Ok(Some(SpillFolder {
            directory: directory.clone(),
            resumes,
            budget: self.spill_budget,
            texts: Vec::new(),
            _lock: Arc::new(lock),
        }))
    }
}

/// Says so if a folder has anything in it but a lock.
fn refuse_used(directory: &Path) -> Result<()> {
    let entries = fs::read_dir(directory).map_err(|error| failed(directory, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(directory, &error))?;
        if entry.file_name() != LOCK {
            let message = format!("the folder `{}` is not empty", directory.display());
            return Diagnostic::error("spill-directory", message)
                .hint("go on with what is in it by --resume instead of --spill, or give a folder that is new")
                .into();
        }
    }
    Ok(())
}

fn no_search(directory: &Path) -> Diagnostic {
    let message = format!(
        "there is no search to go on with in `{}`",
        directory.display()
    );
    Diagnostic::error("spill-directory", message)
        .hint("give the folder of --spill; a search that is not begun yet begins with --spill DIR")
}

fn lock(directory: &Path) -> Result<File> {
    let mut options = File::options();
    let options = options.create(true).truncate(false).write(true);
    let opened = options.open(directory.join(LOCK));
    let file = opened.map_err(|error| failed(directory, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => failed(directory, &error).into(),
        Err(TryLockError::WouldBlock) => {
            let message = format!("the folder `{}` is in use", directory.display());
            Diagnostic::undecided("spill-in-use", message)
                .note("another call of cspsym keeps the states of its searches there")
                .hint("wait for its end, or give another folder with --spill")
                .into()
        }
    }
}

impl SpillFolder {
    /// The same, for searches of a script with these texts.
    pub(super) fn of_script(&self, sources: &SourceMap) -> Self {
        let texts = sources.iter().map(|(_, file)| match &file.name[..] {
            // `<-D N>`
            name if name.starts_with('<') => fact(name.trim_matches(['<', '>']), &file.text),
            name => {
                let name = Path::new(name).file_name().unwrap_or_default();
                let name = format!("the text of {}", name.to_string_lossy());
                fact(&name, &format!("#{}", fingerprint(&file.text)))
            }
        });
        Self {
            texts: texts.collect(),
            ..self.clone()
        }
    }

    /// Where the search for `check` keeps its states.
    pub(super) fn search(
        &self,
        check: &Prepared,
        reduction: &Reduction,
        options: &Options,
        report: &AssertionReport,
    ) -> Spill {
        let choice = &reduction.choice;
        let representative = choice
            .method
            .as_ref()
            .map_or("none", |method| method.name());
        let printed = |value: String| format!("#{value}");
        let packing = check
            .machine
            .packing(check.normal_form.state_count() as u32);
        let mut facts = self.texts.clone();
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
            fact("the machine", &printed(fingerprint(&check.machine))),
            fact("the packing of states", &printed(fingerprint(&packing))),
            fact("the normal form", &printed(fingerprint(&check.normal_form))),
            fact(
                "the group of symmetries",
                &printed(fingerprint(&reduction.group.generators())),
            ),
        ]);
        Spill {
            directory: self.directory.clone(),
            resumes: self.resumes,
            identity: Identity {
                script: report.file.clone(),
                question: report.assertion.clone().unwrap_or_default(),
                facts,
            },
            budget: self.budget(&options.limits.monitor),
        }
    }

    /// How much memory a search may take: most of what there is, because a little is kept beside its states.
    fn budget(&self, monitor: &Monitor) -> usize {
        let allowed = monitor.room().map(|room| {
            let room = usize::try_from(room).unwrap_or(usize::MAX);
            (room.saturating_sub(BESIDE) / 4 * 3).max(LEAST_BUDGET)
        });
        let allowed = match monitor.memory().is_told() {
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
            StopReason::Numbers | StopReason::Observer => {
                format!("go on with --resume {directory}: all but the level under way is kept")
            }
        }
    }
}

/// What is said of a question that only searches in memory decide.
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
