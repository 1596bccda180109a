//! The frontier of a search on disk: for checks that need more memory than there is, and
//! that can be stopped and go on.
//!
//! A hash table on disk would cost a seek for each candidate. Here duplicates are found late and
//! all at once, by sorting (Korf, *Delayed Duplicate Detection*, IJCAI 2003; before him Roscoe's
//! FDR and Stern and Dill's Murphi did so): the successors of a level are collected, sorted in
//! pieces as large as memory allows, merged, and compared in one pass with all states before. The
//! new ones are the next level, in sorted order. So the search depends on nothing but the states,
//! however many threads and however much memory there are, and **it is as exact as the search in
//! memory**: whole states are compared. States, transitions and levels of a check that holds are
//! the same; a counterexample has the same length, but may be another, because the states of a
//! level come in another order.
//!
//! The state of the search after each level is on disk, so that a search that was stopped or killed
//! loses no more than the level under way. It takes the same memory from the first level to the
//! last, resumed or not (`memory`). Only the search for divergence, which is depth first, keeps in
//! memory the states that one state leads to along τ.

mod candidates;
mod cursor;
mod disk;
mod division;
pub(crate) mod failure;
mod filter;
mod folder;
mod history;
mod journal;
mod list;
mod memory;
mod merge;
mod on_disk;
mod positional;
mod ranges;
mod records;
mod resume;
mod runs;
mod shares;
#[cfg(test)]
pub(super) mod tests;

pub(super) use self::division::{Division, ShareStamp};
pub use self::division::{is_share_folder, share_folder};
pub use self::failure::failed;
pub(super) use self::on_disk::{DiskPlan, OnDisk};
pub(super) use self::shares::{OldShare, SeenShare, SeenShares};
