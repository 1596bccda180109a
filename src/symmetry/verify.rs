//! Checks a symmetry against the transitions and rules of a machine and its specification.
