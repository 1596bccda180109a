//! Random systems whose symmetries have a shape: rings, tori, cubes, trees, families beside each
//! other, labels that move with processes, a process that holds identities, one set of numbers for
//! two roles.
//!
//! A [`shape::Shape`] is a group of permutations of points. A [`world::World`] has events that are
//! tuples of points, and components and specifications whose transitions are closed under the
//! group, so that the group is one of symmetries by construction. A [`product::Product`] is a
//! direct and slow semantics of its own, in which groups, orbits and shortest counterexamples are
//! found by brute force.

pub(crate) mod product;
pub(crate) mod shape;
pub(crate) mod world;
