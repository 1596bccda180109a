//! Recursion over structures as deep as the user nests them.

/// Runs `f` with enough stack: if little is left, on a new piece of stack.
pub fn deep<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, f)
}
