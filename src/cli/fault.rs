//! Panics: a fault of this program, told as such.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use crate::diag::Diagnostic;

use super::complain;

thread_local! {
    /// What the last panic of this thread said.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic ends the program, with a message and exit status 2.
pub(super) fn end_on_panic() {
    set_hook(Box::new(|panic| {
        let status = complain(&fault(&panic.to_string()));
        std::process::exit(status.code().into());
    }));
}

/// From now on a panic ends only what [`caught`] is around, for a program that others rely on to go on.
pub(super) fn survive_panics() {
    set_hook(Box::new(|panic| {
        // Editors keep what a server says here.
        complain(&fault(&panic.to_string()));
        LAST.set(Some(panic.to_string()));
    }));
}

/// What `act` gives, or the message that it panicked. What it worked on is not looked at again, or replaced.
pub(super) fn caught<T>(act: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        // The hook, if it is set, knows the place too.
        let words = panic.downcast_ref::<&str>().copied();
        let words = || words.unwrap_or("it panicked").to_string();
        fault(&LAST.take().unwrap_or_else(words))
    })
}

fn fault(panic: &str) -> Diagnostic {
    let message = format!("this is a fault of cspsym, not of the script: {panic}");
    Diagnostic::error("internal-error", message)
        .hint("please report it, with the script and the command line")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(caught(|| 1 + 1), Ok(2));
        let problem = caught(|| -> u32 { panic!("no such thing") }).expect_err("it panicked");
        pretty_assertions::assert_eq!(
            problem.render(&SourceMap::new()),
            "error[internal-error]: this is a fault of cspsym, not of the script: no such thing\n \
             = help: please report it, with the script and the command line\n\n"
        );
    }
}
