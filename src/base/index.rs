//! Typed indices, so that a state number is never used to look up an event.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A `u32` that indexes one kind of thing only. Made by [`define_index!`](crate::define_index).
pub trait TypedIndex: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The index with the number `index`. Panics above `u32::MAX`, which the limits of each stage
    /// exclude.
    fn from_usize(index: usize) -> Self;
    /// The number as a `usize`.
    fn index(self) -> usize;
}

/// Declares newtypes over `u32` that implement [`TypedIndex`].
#[macro_export]
macro_rules! define_index {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $crate::index::TypedIndex for $name {
            fn from_usize(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

/// A vector indexed by `I` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I) -> I>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            index: PhantomData,
        }
    }
}

impl<I: TypedIndex, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends `item` and returns its index.
    pub fn push(&mut self, item: T) -> I {
        let index = I::from_usize(self.items.len());
        self.items.push(item);
        index
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item at `index`, if there is one.
    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.index())
    }

    /// The items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items in order, each with its index.
    pub fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items
            .iter()
            .enumerate()
            .map(|(i, item)| (I::from_usize(i), item))
    }

    /// All indices in order.
    pub fn indices(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_usize)
    }
}

impl<I: TypedIndex, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        &self.items[index.index()]
    }
}

impl<I: TypedIndex, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.index()]
    }
}

impl<I: TypedIndex, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self {
            items: items.into_iter().collect(),
            index: PhantomData,
        }
    }
}
