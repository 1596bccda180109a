//! The paper's theorems, as `PROOFS.md` in the folder above reports them.

mod theorems;
