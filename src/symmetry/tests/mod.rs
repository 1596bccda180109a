//! The paper's own examples and theorems, as `PROOFS.md` in the folder above reports them.

mod hanoi;
mod theorems;
