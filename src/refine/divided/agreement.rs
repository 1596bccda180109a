//! The check that all processes do the same search, and the problem reported where they do not.

use crate::halt::Halt;
use crate::outcome::CheckOptions;
use crate::shared_search::SharedSearch;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use cluster::agree;

const SAME: &str = "start all processes with the same program, scripts and options";

/// Fails unless all processes are about to do the same search.
pub(super) fn agreed(search: &SharedSearch, options: &CheckOptions) -> Result<(), Halt> {
    let (most, token) = (options.max_states, &options.cancellation);
    let kept = match &options.spill {
        None => "in memory",
        Some(spill) if spill.resumes => "where they were",
        Some(_) => "in a new folder",
    };
    let identity = &search.identity;
    let fact = |name: &str, value: String| (name.to_string(), value);
    let mut facts = vec![
        fact("the script", identity.script.clone()),
        fact("the question", identity.question.clone()),
        fact("the most states", format!("{most:?}")),
        fact("where states are kept", kept.to_string()),
    ];
    let others = identity.facts.iter();
    facts.extend(others.map(|other| fact(&other.name, other.value.clone())));
    match agree(&*search.exchange, &facts, token) {
        None => Err(ended(token)),
        Some(None) => Ok(()),
        Some(Some((process, name))) => Err(Halt::Failed(Box::new(differs(process, name)))),
    }
}

/// The reason for ending a search in which not all processes take part any more.
pub(super) fn ended(token: &Cancellation) -> Halt {
    Halt::check(token).err().unwrap_or_else(|| {
        // This search was not stopped, so another process did not come to it, or has gone on.
        let message = "another process has answered without the search that this one does";
        let problem = Diagnostic::error("cluster-differs", message);
        Halt::Failed(Box::new(problem.hint(SAME)))
    })
}

/// The problem reported where a process does another search than process 0.
fn differs(process: usize, name: &str) -> Diagnostic {
    let message =
        format!("process {process} is about to do another search than process 0: {name} differs");
    Diagnostic::error("cluster-differs", message).hint(SAME)
}
