//! The number of cases of random tests: few on each run, and many, from fresh seeds, when asked.

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::OnceLock;

/// The environment variable that asks for a deep run.
const DEEP: &str = "CSPSYM_DEEP";

/// The environment variable with the first seed of a deep run, so that a failure can be seen again.
const SEED: &str = "CSPSYM_SEED";

/// `quick`, or `deep` in a deep run.
pub fn cases<T>(quick: T, deep: T) -> T {
    match is_deep() {
        true => deep,
        false => quick,
    }
}

/// The seeds of `quick` or `deep` cases. They begin at 0; in a deep run at a fresh seed, which is
/// printed so that the output of a failing test shows it.
#[allow(clippy::print_stderr, reason = "only tests call this")]
pub fn seeds(quick: u64, deep: u64) -> Range<u64> {
    let first = first_seed();
    if is_deep() {
        eprintln!("{DEEP}=1 {SEED}={first}");
    }
    first..first + cases(quick, deep)
}

fn is_deep() -> bool {
    env::var_os(DEEP).is_some_and(|value| !value.is_empty())
}

fn first_seed() -> u64 {
    static FIRST: OnceLock<u64> = OnceLock::new();
    let given = || env::var(SEED).ok()?.parse().ok();
    // Seeds above 2^32 are as random as those below, and longer to type.
    let fresh = || RandomState::new().hash_one(0) >> 32;
    match is_deep() {
        true => *FIRST.get_or_init(|| given().unwrap_or_else(fresh)),
        false => 0,
    }
}
