//! The paper's own examples and theorems, as `README.md` beside this folder tells them.

mod hanoi;
mod theorems;
