//! Groups of symmetries of a machine.
