//! The laws of CSP by operator. Each line is a test, and each file has a table of its laws.

mod choices;
mod others;
mod parallels;
mod relabellings;
mod sequences;

use super::Law;

/// All laws.
pub(crate) fn all() -> impl Iterator<Item = &'static Law> {
    [
        choices::LAWS,
        others::LAWS,
        parallels::LAWS,
        relabellings::LAWS,
        sequences::LAWS,
    ]
    .into_iter()
    .flatten()
}
