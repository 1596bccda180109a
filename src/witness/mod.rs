//! Counterexamples: from a path of the search to traces, replayed before they are believed.
