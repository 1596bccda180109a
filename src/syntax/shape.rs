//! Trees without their places.
