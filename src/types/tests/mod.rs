//! Tests of name resolution as a whole.

mod build;
mod extremes;
