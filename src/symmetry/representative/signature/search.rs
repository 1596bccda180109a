//! Ties of equal keys: ids are told apart by their relations to each other, and where these do not
//! help, by trying.
//!
//! The search is like that of programs for canonical forms of graphs. Keys are refined; a member of
//! a tied group is made different from the others, and so on until all ties that are left are
//! harmless. The least image found wins.

use machine::packing::{PackedState, Packing};

use super::sorter::{Signed, Sorter};
use super::tables::{SignatureTables, mix};
use super::ties::{TieFinder, TiedGroup};

/// The most images that are compared for one state; then the least so far is accepted. Groups of at
/// most this order never need more.
pub(super) const MOST_IMAGES: u32 = 1024;

/// Scratch for the search.
#[derive(Clone, Debug)]
pub(super) struct TieSearch<S> {
    /// A state without components.
    zero: S,
    /// By depth, the node.
    nodes: Vec<TieNode<S>>,
    best: LeastLeaf<S>,
    /// The most images that may be compared for one state, and the number that are left.
    most: u32,
    left: u32,
    /// True if something was left out because there were too many.
    is_cut: bool,
    ties: TieFinder,
}

/// A state whose ids are sorted by their keys, and the group of tied ids that is tried.
#[derive(Clone, Debug)]
struct TieNode<S> {
    state: S,
    signed: Signed,
    group: TiedGroup,
    /// The member of the group that is being tried.
    tried: usize,
    /// The number of exchanges that led here.
    steps: usize,
}

/// The least image so far.
#[derive(Clone, Debug)]
struct LeastLeaf<S> {
    is_found: bool,
    state: S,
    /// The exchanges that lead to it.
    steps: Vec<u32>,
    /// The members that were tried on the way.
    path: Vec<usize>,
    /// The signature of the keys, in the order of the ids.
    signature: u64,
}

/// The depth that is returned if no part of the search is skipped.
const GO_ON: usize = usize::MAX;

impl<S: PackedState> TieSearch<S> {
    pub(super) fn new(tables: &SignatureTables, packing: &Packing, most: u32) -> Self {
        let zero = S::zero(packing.words());
        Self {
            nodes: Vec::new(),
            best: LeastLeaf {
                is_found: false,
                state: zero.clone(),
                steps: Vec::new(),
                path: Vec::new(),
                signature: 0,
            },
            most,
            left: 0,
            is_cut: false,
            ties: TieFinder::new(tables.ids.count()),
            zero,
        }
    }

    /// Resolves the ties of `state`, which is sorted by the keys of `signed`; `steps` have led to
    /// it. Returns true if all states of the orbit have this outcome.
    #[inline(never)]
    pub(super) fn settle(
        &mut self,
        sorter: &mut Sorter,
        signed: &mut Signed,
        steps: &mut Vec<u32>,
        state: &mut S,
    ) -> bool {
        // Most ties are harmless, so this is tested before keys are refined.
        if self.ties.harmful(sorter, signed).is_none() {
            return true;
        }
        let distinct = self.ties.distinct(sorter, &signed.keys);
        self.ties.refine(sorter, signed, distinct);
        arrange(sorter, signed, steps, state);
        let Some(group) = self.ties.harmful(sorter, signed) else {
            return true;
        };
        self.best.is_found = false;
        (self.left, self.is_cut) = (self.most, false);
        self.room(0);
        let node = &mut self.nodes[0];
        node.state.clone_from(state);
        node.signed.clone_from(signed);
        (node.group, node.steps) = (group, steps.len());
        self.branch(sorter, 0, steps);
        state.clone_from(&self.best.state);
        steps.clone_from(&self.best.steps);
        !self.is_cut
    }

    fn room(&mut self, depth: usize) {
        if self.nodes.len() == depth {
            self.nodes.push(TieNode {
                state: self.zero.clone(),
                signed: Signed::default(),
                group: TiedGroup::default(),
                tried: 0,
                steps: 0,
            });
        }
    }

    /// Tries the members of the group of the node at `depth`. Returns the depth at which to go on:
    /// [`GO_ON`], or less than `depth` if the rest would only repeat images, moved by a symmetry of
    /// the state there.
    ///
    /// The recursion is no deeper than the number of ids: each level separates an id from its
    /// siblings.
    fn branch(&mut self, sorter: &mut Sorter, depth: usize, steps: &mut Vec<u32>) -> usize {
        self.room(depth + 1);
        let group = self.nodes[depth].group;
        for tried in group.from..group.to {
            if self.is_repeated(sorter, depth, tried) {
                continue;
            }
            if self.left == 0 {
                self.is_cut = true;
                return GO_ON;
            }
            self.nodes[depth].tried = tried;
            // The previous attempt has added its exchanges.
            steps.truncate(self.nodes[depth].steps);
            // A state without harmful ties is an image; otherwise the next group is tried below it.
            let back = match self.descend(sorter, depth, tried, steps) {
                Some(_) => self.branch(sorter, depth + 1, steps),
                None => self.compare(depth + 1, steps),
            };
            if back < depth {
                return back;
            }
        }
        GO_ON
    }

    /// True if an exchange that leaves the state takes the member to a member that has been tried.
    fn is_repeated(&mut self, sorter: &Sorter, depth: usize, tried: usize) -> bool {
        let node = &self.nodes[depth];
        let exchanges = &sorter.tables.exchanges;
        (node.group.from..tried).any(|other| {
            let exchange = exchanges.number(node.group.family, other as u32, tried as u32);
            sorter.is_fixed(&node.signed, exchange)
        })
    }

    /// Makes the next node, in which the member differs from its siblings, and finds its harmful
    /// group.
    fn descend(
        &mut self,
        sorter: &mut Sorter,
        depth: usize,
        member: usize,
        steps: &mut Vec<u32>,
    ) -> Option<TiedGroup> {
        let (above, below) = self.nodes.split_at_mut(depth + 1);
        let (parent, node) = (&above[depth], &mut below[0]);
        node.state.clone_from(&parent.state);
        node.signed.clone_from(&parent.signed);
        let keys = &mut node.signed.keys;
        let distinct = self.ties.distinct(sorter, keys);
        let id = sorter.tables.ids.families[parent.group.family].first + member;
        // The member that is singled out gets the same new key whichever it is, because all had the
        // same key before: so images under the group stay comparable.
        keys[id] = mix(keys[id].wrapping_add(1));
        self.ties.refine(sorter, &mut node.signed, distinct);
        arrange(sorter, &mut node.signed, steps, &mut node.state);
        let harmful = self.ties.harmful(sorter, &node.signed);
        (node.group, node.steps) = (harmful.unwrap_or_default(), steps.len());
        harmful
    }

    /// Takes the image at `depth` if it is the least. If the same image with the same signature was
    /// found before, a symmetry of the state where the two paths part takes one path to the other:
    /// then the rest of that branch is skipped.
    fn compare(&mut self, depth: usize, steps: &[u32]) -> usize {
        self.left -= 1;
        let node = &self.nodes[depth];
        let keys = node.signed.keys.iter();
        let signature = keys.fold(0, |sum, &key| mix(sum ^ key));
        let path = || self.nodes[..depth].iter().map(|node| node.tried);
        let best = &mut self.best;
        let order = if best.is_found {
            node.state.words().cmp(best.state.words())
        } else {
            std::cmp::Ordering::Less
        };
        if order.is_eq() && signature == best.signature {
            let differ = path()
                .zip(&best.path)
                .position(|(here, &there)| here != there);
            return differ.unwrap_or(GO_ON);
        }
        if order.is_lt() {
            best.is_found = true;
            best.state.clone_from(&node.state);
            best.steps.clear();
            best.steps.extend_from_slice(steps);
            best.signature = signature;
            best.path.clear();
            best.path.extend(path());
        }
        GO_ON
    }
}

/// Sorts by keys and moves the state, and all that is known of it, accordingly.
fn arrange<S: PackedState>(
    sorter: &mut Sorter,
    signed: &mut Signed,
    steps: &mut Vec<u32>,
    state: &mut S,
) {
    let before = steps.len();
    if sorter.sort(&signed.keys, steps).has_moved {
        sorter.move_signed(signed, &steps[before..], state);
    }
}
