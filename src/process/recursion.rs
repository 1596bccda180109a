//! Which calls are recursive.
