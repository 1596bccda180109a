//! Scripts and questions about them: the one place where the stages are called in order.

mod additions;
mod apart;
mod asking;
mod checks;
mod compiled;
mod counterexample;
mod decide;
mod decision;
mod describe_machine;
mod describe_symmetry;
mod determinism;
mod error;
mod mistakes;
mod observations;
mod options;
mod parts;
mod printing;
mod product;
mod profile;
mod progress;
mod question;
mod read;
mod reduce;
mod reduction;
mod remarks;
mod script;
mod storage;
mod symmetric;
mod symmetries;
mod task;
mod trial;

pub use checks::Checks;
pub use error::Error;
pub use options::{Definition, Options, Storage, Symmetries};
pub use printing::Printing;
pub use progress::{Progress, Work};
pub use script::{Answer, Script, Subject};
pub use task::Task;

pub use apart::apart_from_unread;
pub use mistakes::{Separate, of_all, of_the_rest};
pub use read::joined;
