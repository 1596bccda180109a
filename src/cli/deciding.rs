//! The options on which verdicts depend, by their names: what the processes of a cluster have to
//! agree on, and what verdicts are kept by.

use checker::Options;

/// The options on which a verdict or its numbers may depend, by their names.
pub(super) fn deciding(options: &Options) -> Vec<(String, String)> {
    let Options {
        model,
        termination,
        max_states,
        max_leaf_states,
        minimise,
        algorithm,
        representative,
        symmetries,
        partial_order,
        strategy,
        shortest,
        fix_initial,
        count_orbits,
        profile,
        explain,
        counterexamples,
        for_all,
        // Two processes may differ in these options, and so may two runs.
        threads: _,
        storage: _,
        cluster: _,
        memory_limit: _,
        lists_views: _,
    } = options;
    let facts: [(&str, String); 17] = [
        ("--model", format!("{model:?}")),
        ("--termination", format!("{termination:?}")),
        ("--max-states", format!("{max_states:?}")),
        ("--max-leaf-states", format!("{max_leaf_states:?}")),
        ("--no-minimise", format!("{minimise:?}")),
        ("--algorithm", format!("{algorithm:?}")),
        ("--representative", format!("{representative:?}")),
        ("--symmetry", format!("{symmetries:?}")),
        ("--reduce", format!("{partial_order:?}")),
        ("--strategy", format!("{strategy:?}")),
        ("--shortest", format!("{shortest:?}")),
        ("--fix-initial", format!("{fix_initial:?}")),
        ("--stats", format!("{count_orbits:?}")),
        ("--profile", format!("{profile:?}")),
        ("--explain or --report", format!("{explain:?}")),
        ("--counterexamples", format!("{counterexamples:?}")),
        ("--for-all", format!("{for_all:?}")),
    ];
    let facts = facts.into_iter();
    facts
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}
