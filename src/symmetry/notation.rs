//! Cycles as text.
