//! The conventions of the repository.

mod imports;
mod tidy;
mod visibility;
