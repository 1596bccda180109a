//! Interning: equal items get one number, so that comparing them is comparing integers.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::index::{IndexVec, TypedIndex};

/// A set of items numbered in order of first appearance. The table holds numbers only;
/// each item is stored once, in `items`.
#[derive(Clone, Debug)]
pub struct Interner<I, T> {
    items: IndexVec<I, T>,
    table: HashTable<u32>,
}

impl<I: TypedIndex, T> Default for Interner<I, T> {
    fn default() -> Self {
        Self {
            items: IndexVec::new(),
            table: HashTable::new(),
        }
    }
}

impl<I: TypedIndex, T: Hash + Eq> Interner<I, T> {
    /// An empty interner.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of `item`, which is stored if it is new.
    pub fn intern<Q>(&mut self, item: Q) -> I
    where
        Q: Hash + Eq + Into<T>,
        T: Borrow<Q>,
    {
        if let Some(index) = self.find(&item) {
            return index;
        }
        self.insert_new(item.into())
    }

    /// The number of the item that equals `key`; `make` stores it if it is new.
    pub fn intern_with<Q>(&mut self, key: &Q, make: impl FnOnce(&Q) -> T) -> I
    where
        Q: Hash + Eq + ?Sized,
        T: Borrow<Q>,
    {
        if let Some(index) = self.find(key) {
            return index;
        }
        self.insert_new(make(key))
    }

    /// The number of the item that equals `key`, if it was interned.
    pub fn find<Q>(&self, key: &Q) -> Option<I>
    where
        Q: Hash + Eq + ?Sized,
        T: Borrow<Q>,
    {
        // `Borrow` promises that an item has the hash of what it is borrowed as.
        let hash = FxBuildHasher.hash_one(key);
        self.table
            .find(hash, |&i| {
                self.items[I::from_usize(i as usize)].borrow() == key
            })
            .map(|&i| I::from_usize(i as usize))
    }

    fn insert_new(&mut self, item: T) -> I {
        let hash = FxBuildHasher.hash_one(&item);
        let index = self.items.push(item);
        let items = &self.items;
        // Callers have looked the item up in vain, so nothing has to be compared.
        self.table.insert_unique(hash, index.index() as u32, |&i| {
            FxBuildHasher.hash_one(&items[I::from_usize(i as usize)])
        });
        index
    }

    /// The number of different items that were interned.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items in order of first appearance.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
}

impl<I: TypedIndex, T> std::ops::Index<I> for Interner<I, T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        &self.items[index]
    }
}
