//! The table of what is known about renaming.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::proof::{Proof, Skeleton};
use super::renaming::{Bijection, Support};
use crate::eval::call_table::Callee;
use crate::process::event::EventId;
use crate::process::term::CallId;

/// What is known about renaming.
#[derive(Default)]
pub(in crate::eval) struct Equivariance {
    /// By what is called: the first such call, and how many there were.
    pub(super) calls: FxHashMap<Callee, (CallId, u32)>,
    /// What was proven, by what is called; nothing where it is of no use.
    pub(super) proofs: FxHashMap<Callee, Option<Rc<Proof>>>,
    /// By what is called, and what its values are but for their names: such calls that were evaluated.
    pub(super) evaluated: FxHashMap<Skeleton, Vec<(CallId, Support)>>,
    /// What was renamed so far, by what is called.
    pub(super) renamings: FxHashMap<Callee, Renamings>,
    /// Whether what is renamed is evaluated too, to compare.
    pub(super) is_checked: bool,
    /// The calls of which that was not the same.
    pub(super) wrong: Vec<String>,
    /// How many bodies were renamed.
    pub(super) renamed: u64,
    /// How many images of events are in `renamings`.
    pub(super) images: usize,
}

/// By bijection what it makes of events; nothing where it does not keep what it must.
#[derive(Default)]
pub(super) struct Renamings(pub(super) FxHashMap<Bijection, Option<Images>>);

/// What a bijection makes of events.
pub(super) type Images = FxHashMap<EventId, EventId>;

/// More images of events are not kept, and more calls: what is known about renaming stays in tens of megabytes.
pub(super) const MOST_KEPT: usize = 1 << 16;
