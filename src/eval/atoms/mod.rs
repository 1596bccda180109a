//! Atoms: values of which a script asks nothing but if two of them are equal.
//!
//! An evaluator that is told to take the values of some types as atoms refuses whatever looks into
//! one: arithmetic, an order, a literal, a constant by its name. So a step of a process that it
//! evaluates without a refusal would have been the same step with other atoms in their places:
//! `P(v)σ = P(vσ)` for each permutation σ of atoms of one type, as Table 1 of the paper says of
//! definitions. `PROOFS.md` in this folder has the proof.
//!
//! | file | what it does |
//! |---|---|
//! | `table.rs` | the types of atoms, their numbers, and what is known of them |
//! | `types.rs` | which types can be types of atoms |
//! | `refusal.rs` | what is refused |
//! | `image.rs` | values, events, calls and terms with their atoms permuted |
//! | `ends.rs` | at which places of a term its atoms stand, whatever the atoms are |
//! | `colours.rs` | what tells the atoms of some terms apart |
//! | `representative.rs` | one of all images of some terms |
//! | `reached.rs` | all that some processes can become, one of each orbit |

mod colours;
mod ends;
pub(crate) mod image;
mod reached;
pub(crate) mod refusal;
mod representative;
pub(crate) mod table;
mod types;
