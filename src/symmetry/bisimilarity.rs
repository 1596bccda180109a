//! Permutation bisimulations between two explicit transition systems.
