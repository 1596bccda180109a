//! What names mean: scopes, modules, arities, duplicate definitions.

pub mod builtin;
pub mod resolved;
