//! Instances of a parameterised script, decided as plainly as can be.

use std::num::NonZeroUsize;

use cspsym::{Definition, NoIncludes, Options, Script, Symmetries, Task, Threads};
use report::assertion::Verdict;

/// Larger instances are left out.
const MOST_STATES: u64 = 20_000;

/// How families and their instances are decided.
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
    // Plain searches: what is compared with shares as little as can be.
    let options = Options {
        symmetries: Symmetries::Off,
        ..options()
    };
    script.check(0, &options, &Task::default()).report.verdict
}
