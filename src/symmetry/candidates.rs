//! Which permutations of a type are worth trying, and in what order.
