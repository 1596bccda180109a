//! Siblings with equal keys: if their order matters, and how keys are refined to tell them apart.

use super::sorter::{Signed, Sorter};
use super::tables::mix;

/// Scratch for looking at ties.
#[derive(Clone, Debug)]
pub(super) struct TieFinder {
    /// By id, true if exchanging siblings with equal keys in the families below it moves the state.
    is_harmful_below: Vec<bool>,
    /// By id, the key of the next round; and the key with those of the ancestors.
    next: Vec<u64>,
    full: Vec<u64>,
    sorted: Vec<u64>,
}

/// Members of a family with equal keys.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TiedGroup {
    pub(super) family: usize,
    /// Members `from..to`.
    pub(super) from: usize,
    pub(super) to: usize,
}

impl TieFinder {
    pub(super) fn new(ids: usize) -> Self {
        Self {
            is_harmful_below: vec![false; ids],
            next: vec![0; ids],
            full: vec![0; ids],
            sorted: Vec::with_capacity(ids),
        }
    }

    /// The first group of siblings with equal keys that cannot be permuted without changing the
    /// state. A group also counts as harmful if there is a harmful group below it: the order there
    /// decides which exchanges of whole subtrees change the state, but not if any does.
    pub(super) fn harmful(&mut self, sorter: &Sorter, signed: &Signed) -> Option<TiedGroup> {
        let tables = &*sorter.tables;
        let mut first = None;
        if tables.ids.families.iter().any(|f| f.parent.is_some()) {
            self.is_harmful_below.fill(false);
        }
        for (number, family) in tables.ids.families.iter().enumerate().rev() {
            let keys = &signed.keys[family.ids()];
            let mut in_family = None;
            let mut from = 0;
            for to in 1..=family.size {
                if to < family.size && keys[to] == keys[from] {
                    continue;
                }
                let group = TiedGroup {
                    family: number,
                    from,
                    to,
                };
                if in_family.is_none() && self.is_harmful(sorter, signed, group) {
                    in_family = Some(group);
                }
                from = to;
            }
            let below = &self.is_harmful_below[family.ids()];
            let is_harmful = in_family.is_some() || below.contains(&true);
            if let Some(parent) = family.parent {
                self.is_harmful_below[parent] |= is_harmful;
            }
            // Families come in reverse, so the last such group that is met is in the first family.
            first = in_family.or(first);
        }
        first
    }

    fn is_harmful(&mut self, sorter: &Sorter, signed: &Signed, group: TiedGroup) -> bool {
        let TiedGroup { family, from, to } = group;
        if to - from < 2 {
            return false;
        }
        let first = sorter.tables.ids.families[family].first;
        self.is_harmful_below[first + from..first + to].contains(&true)
            || (from + 1..to).any(|k| {
                let exchange = sorter
                    .tables
                    .exchanges
                    .number(family, k as u32 - 1, k as u32);
                !sorter.is_fixed(signed, exchange)
            })
    }

    /// Refines the keys by the relations of two ids in linking points, until no more siblings are
    /// told apart. So far there are `distinct` different keys.
    pub(super) fn refine(&mut self, sorter: &Sorter, signed: &mut Signed, mut distinct: usize) {
        loop {
            self.round(sorter, signed);
            let now = self.distinct(sorter, &signed.keys);
            // After a round that separates no ids, no later round does.
            if now <= distinct || now == signed.keys.len() {
                return;
            }
            distinct = now;
        }
    }

    fn round(&mut self, sorter: &Sorter, signed: &mut Signed) {
        let tables = &*sorter.tables;
        for family in &tables.ids.families {
            let above = family.parent.map_or(0, |parent| mix(self.full[parent]));
            for id in family.ids() {
                self.full[id] = signed.keys[id].wrapping_add(above);
                self.next[id] = mix(signed.keys[id]);
            }
        }
        for &number in &signed.linking {
            let point = &tables.linking[number as usize];
            let links = &tables.links[point.links.0 as usize..point.links.1 as usize];
            let mut pairs = tables.pairs[point.pairs as usize..].iter();
            for &id in links {
                let of = links.iter().zip(&mut pairs);
                let of = of.map(|(&other, &pair)| mix(pair ^ self.full[other as usize]));
                let of = of.fold(0u64, u64::wrapping_add);
                let next = &mut self.next[id as usize];
                *next = next.wrapping_add(mix(of));
            }
        }
        sorter.tell_parents(&mut self.next);
        signed.keys.copy_from_slice(&self.next);
    }

    /// The number of different keys, summed over the families.
    pub(super) fn distinct(&mut self, sorter: &Sorter, keys: &[u64]) -> usize {
        let families = sorter.tables.ids.families.iter();
        let count = families.map(|family| {
            self.sorted.clear();
            self.sorted.extend_from_slice(&keys[family.ids()]);
            self.sorted.sort_unstable();
            1 + self
                .sorted
                .windows(2)
                .filter(|pair| pair[0] != pair[1])
                .count()
        });
        count.sum()
    }
}
