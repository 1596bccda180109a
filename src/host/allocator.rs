//! The allocator of the program: the system's, but where that has no more memory the run ends with
//! what is known, instead of being aborted.
//!
//! Rust aborts where memory cannot be had. So a thread that asks for it in vain waits here. The
//! thread that waits for the work then prints what is known and ends the program; for that it has a
//! reserve. This is the only file with unsafe code: it hands every call on to [`System`] with the
//! arguments that it got, and returns what that returned, so that the contract of [`GlobalAlloc`]
//! is kept by whoever keeps it there. Waiting here breaks no rule, as an allocator may diverge;
//! nothing here allocates.

#![allow(
    unsafe_code,
    reason = "stable Rust has no other way to survive a failed allocation"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::status::Status;

/// The program's allocator.
#[derive(Debug)]
pub struct Allocator;

/// True once memory was asked for in vain.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// The reserve, which is given back before the last results are printed.
static RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Enough to print what is known of a few thousand assertions. Its pages are never touched.
const RESERVE_BYTES: usize = 8 << 20;

/// The time that a thread which asks in vain waits for the program to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The text that is printed where no thread is left to print more. It is a constant, because
/// nothing can be allocated then.
const LAST_WORDS: &[u8] = b"error[memory-limit]: the operating system gives no more memory\n";

thread_local! {
    /// True for the thread that ends the program.
    static IS_LAST: Cell<bool> = const { Cell::new(false) };
}

/// Lays a reserve by for this thread, which ends the program where memory is exhausted.
pub fn lay_by() {
    IS_LAST.set(true);
    *reserve() = vec![0; RESERVE_BYTES];
}

/// True if memory was asked for in vain.
pub(super) fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

/// Makes the reserve available.
pub fn give_way() {
    drop(std::mem::take(&mut *reserve()));
}

/// Waits for the end of the program, for a thread that cannot go on without more memory.
pub(super) fn give_up() -> ! {
    EXHAUSTED.store(true, Ordering::Relaxed);
    if !IS_LAST.get() {
        // The thread that ends the program does so meanwhile, after printing what is known: this
        // thread is not expected to wake up.
        thread::sleep(PATIENCE);
    }
    let _ = io::stderr().write_all(LAST_WORDS);
    std::process::exit(Status::Undecided.code().into())
}

fn reserve() -> std::sync::MutexGuard<'static, Vec<u8>> {
    RESERVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns memory that `ask` gets. Where there is no more (`ask` returns null), the thread that
/// ends the program gets it from the reserve, and any other waits for the end of the program.
#[inline]
fn insist(ask: impl Fn() -> *mut u8) -> *mut u8 {
    // The reserve is not for threads that still work.
    if !is_exhausted() || IS_LAST.get() {
        let given = ask();
        if !given.is_null() {
            return given;
        }
    }
    ask_at_last(&ask)
}

#[cold]
fn ask_at_last(ask: &dyn Fn() -> *mut u8) -> *mut u8 {
    if IS_LAST.get() {
        // Stored before the reserve is given back, so that no other thread takes from it.
        EXHAUSTED.store(true, Ordering::Relaxed);
        give_way();
        let given = ask();
        if !given.is_null() {
            return given;
        }
    }
    give_up()
}

// SAFETY: see the head of the file.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        insist(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        insist(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract; a request in vain leaves the old block as it was.
        insist(|| unsafe { System.realloc(pointer, layout, size) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_had_moved_and_given_back() {
        let layout = Layout::from_size_align(64, 8).expect("it is small");
        // SAFETY: the block is used within its bounds, and given back once with the layout it has
        // by then.
        unsafe {
            let block = Allocator.alloc_zeroed(layout);
            assert_eq!(*block, 0);
            *block = 7;
            let moved = Allocator.realloc(block, layout, 1 << 20);
            assert_eq!(*moved, 7);
            let layout = Layout::from_size_align(1 << 20, 8).expect("it is small");
            Allocator.dealloc(moved, layout);
            let block = Allocator.alloc(layout);
            assert!(!block.is_null());
            Allocator.dealloc(block, layout);
        }
        assert!(!is_exhausted());
    }
}
