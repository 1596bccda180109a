//! Instances of a parameterised script, decided in the simplest way.

use std::num::NonZeroUsize;

use cspsym::{Definition, NoIncludes, Options, Script, Symmetries, Task, Threads};
use report::assertion::Verdict;

/// The largest number of states of an instance that is decided.
const MOST_STATES: u64 = 20_000;

/// The options for deciding families and their instances.
pub(crate) fn options() -> Options {
    Options {
        threads: Threads::new(NonZeroUsize::MIN),
        max_states: Some(MOST_STATES),
        max_leaf_states: Some(MOST_STATES),
        ..Options::default()
    }
}

/// The verdict on the first assertion of `text`, in which a constant has another value.
pub(crate) fn instance(text: &str, definition: Definition) -> Verdict {
    let script = Script::read("family.csp", text, &mut NoIncludes, &[definition]);
    let script = script.expect("the script is right");
    // Searches are plain, so that they share as little as possible with the compared ones.
    let options = Options {
        symmetries: Symmetries::Off,
        ..options()
    };
    script.check(0, &options, &Task::default()).report.verdict
}
