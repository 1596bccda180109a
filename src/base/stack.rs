//! Recursion over structure that users nest, without stack overflow.

/// Runs `f`, on a new piece of stack if little of the present one is left.
pub fn deep<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, f)
}
