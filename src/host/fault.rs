//! Panics, which are reported as faults of this program.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use base::diag::Diagnostic;

use super::allocator;
use super::complaint::complain;

thread_local! {
    /// The message and the place of the last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes a panic end the program from now on, with a message and exit status 2.
pub fn end_on_panic() {
    set_hook(Box::new(|panic| {
        // The crate `stacker` panics if there is no memory for a larger stack.
        let place = panic.location().map_or("", |place| place.file());
        if place.contains("stacker") {
            allocator::give_up();
        }
        let status = complain(&fault(&panic.to_string()));
        std::process::exit(status.code().into());
    }));
}

/// Makes a panic end only the call of [`caught`] around it from now on, for a program that others
/// rely on to go on.
pub fn survive_panics() {
    set_hook(Box::new(|panic| {
        // Editors keep the messages that a server prints on standard error.
        complain(&fault(&panic.to_string()));
        LAST.set(Some(panic.to_string()));
    }));
}

/// Returns the result of `act`, or a message if it panicked. Callers drop or replace what `act`
/// worked on.
pub fn caught<T>(act: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        // The note of the hook has the place too. There is no note if another thread panicked for
        // this one.
        fault(&LAST.take().unwrap_or_else(|| words(&*panic)))
    })
}

fn words(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().copied();
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    literal.or(formatted).unwrap_or("it panicked").to_string()
}

fn fault(panic: &str) -> Diagnostic {
    let message = format!("this is a fault of cspsym, not of the script: {panic}");
    Diagnostic::error("internal-error", message)
        .hint("please report it, with the script and the command line")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use base::source::SourceMap;
    use base::threads::Threads;

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

    #[test]
    fn a_panic_in_one_of_several_threads_does_not_keep_the_others_from_more() {
        let threads = Threads::new(NonZeroUsize::MIN.saturating_add(1));
        let problem = caught(|| {
            threads.each(&mut [1, 2, 3], |number, item| {
                assert!(number != 1, "no such thing as {item}");
            });
        });
        let problem = problem.expect_err("one panicked");
        assert!(problem.message.ends_with(": no such thing as 2"));
        let mut items = [1, 2, 3];
        threads.each(&mut items, |_, item| *item += 1);
        assert_eq!(items, [2, 3, 4]);
    }
}
