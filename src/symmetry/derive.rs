//! From a proof to the pbisim of the machine's leaves.
