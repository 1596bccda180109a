//! Laws of the parallel operators.

laws! {
    parallel_commutes: "P [| X |] Q" == "Q [| X |] P";
    parallel_associates: "P [| X |] (Q [| X |] R)" == "(P [| X |] Q) [| X |] R";
    parallel_distributes: "P [| X |] (Q |~| R)" == "(P [| X |] Q) |~| (P [| X |] R)";
    parallel_distributes_over_external: "P [| X |] (Q [] R)" == "(P [| X |] Q) [] (P [| X |] R)" in T;
    parallel_steps_together: "(a -> P) [| {a} |] (a -> Q)" == "a -> (P [| {a} |] Q)";
    parallel_deadlocks: "(a -> P) [| {a, b} |] (b -> Q)" == "STOP";
    parallel_with_run: "P [| Events |] RUN(Events)" == "P ; STOP" in T signal all;
    parallel_with_itself: "P [| Events |] P" == "P" in T;
    parallel_with_div: "P [| X |] DIV" == "DIV" in FD, VD, RD;
    replicated_parallel: "[| X |] i : {1..2} @ P" == "P [| X |] P";
    parallel_terminates_together: "SKIP [| X |] SKIP" == "SKIP";
    parallel_waits_for_termination: "STOP [| X |] SKIP" == "STOP";
    terminated_operand_blocks: "(a -> P) [| {a} |] SKIP" == "STOP";
    terminated_operand_lets_go_on: "(b -> P) [| {a} |] SKIP" == "b -> (P [| {a} |] SKIP)";
    operand_that_can_terminate_may_do_nothing_else: "(a -> P [] SKIP) ||| Q" == "(a -> P [> SKIP) ||| Q" in T signal all;
    termination_waits: "(P [] SKIP) ||| STOP" == "P ||| STOP" signal T;
    termination_waits_while_others_go_on: "(a -> P [] SKIP) [| {a} |] (b -> Q)" == "b -> ((a -> P [] SKIP) [| {a} |] Q)" signal T, F, FD, V, VD;

    parallel_distributes_left: "(P |~| Q) [| X |] R" == "(P [| X |] R) |~| (Q [| X |] R)";
    parallel_steps: "(a -> P [] b -> Q) [| {b} |] (b -> P [] c -> Q)"
        == "a -> (P [| {b} |] (b -> P [] c -> Q)) [] b -> (Q [| {b} |] P) [] c -> ((a -> P [] b -> Q) [| {b} |] Q)";
    parallel_with_skip_of_nothing: "P [| {} |] SKIP" == "P";
    parallel_with_the_run_of_the_interface: "P [| X |] RUN(X)" == "P ; STOP" in T signal all;
    parallel_of_sequences_ends_together: "(a -> SKIP) [| {} |] (b -> SKIP)" == "a -> b -> SKIP [] b -> a -> SKIP";
    parallel_then: "(SKIP [| X |] SKIP) ; P" == "P";
    parallel_on_everything_synchronises_choice: "(a -> P [] b -> Q) [| Events |] (a -> R)" == "a -> (P [| Events |] R)";
    parallel_does_not_distribute_over_external_choice: "(P [] Q) [| X |] R" == "(P [| X |] R) [] (Q [| X |] R)" in T;

    interleaving_commutes: "P ||| Q" == "Q ||| P";
    interleaving_associates: "P ||| (Q ||| R)" == "(P ||| Q) ||| R";
    interleaving_distributes: "P ||| (Q |~| R)" == "(P ||| Q) |~| (P ||| R)";
    interleaving_unit: "P ||| SKIP" == "P";
    interleaving_with_stop: "P ||| STOP" == "P ; STOP" in T signal all;
    interleaving_with_div: "P ||| DIV" == "DIV" in FD, VD, RD;
    interleaving_synchronises_on_nothing: "P ||| Q" == "P [| {} |] Q";
    interleaving_steps: "(a -> P) ||| (b -> Q)" == "a -> (P ||| (b -> Q)) [] b -> ((a -> P) ||| Q)";

    interleaving_of_one_event: "(a -> P) ||| (a -> Q)" == "a -> (P ||| (a -> Q)) [] a -> ((a -> P) ||| Q)";
    interleaving_of_chaos_absorbs_traces: "CHAOS(Events) ||| (P ; STOP)" == "CHAOS(Events)" in T;
    interleaving_distributes_over_external_choice: "P ||| (Q [] R)" == "(P ||| Q) [] (P ||| R)" in T;

    alphabetised_commutes: "P [X || Y] Q" == "Q [Y || X] P";
    alphabetised_distributes: "P [X || Y] (Q |~| R)" == "(P [X || Y] Q) |~| (P [X || Y] R)";
    alphabetised_as_parallel: "P [X || Y] Q"
        == "(P [| diff(Events, X) |] SKIP) [| inter(X, Y) |] (Q [| diff(Events, Y) |] SKIP)";
    replicated_alphabetised: "|| (A, p) : {(X, 1), (Y, 2)} @ [A] (if p == 1 then P else Q)" == "P [X || Y] Q";

    alphabetised_associates: "P [X || union(Y, {b})] (Q [Y || {b}] R)" == "(P [X || Y] Q) [union(X, Y) || {b}] R";
    alphabetised_distributes_left: "(P |~| Q) [X || Y] R" == "(P [X || Y] R) |~| (Q [X || Y] R)";
    alphabetised_steps: "(a -> P) [{a} || {b}] (b -> Q)"
        == "a -> (P [{a} || {b}] (b -> Q)) [] b -> ((a -> P) [{a} || {b}] Q)";
    alphabetised_steps_together: "(a -> P) [{a, b} || {a, c}] (a -> Q)" == "a -> (P [{a, b} || {a, c}] Q)";
    alphabetised_blocks_the_rest: "(a -> P) [{b} || Y] Q" == "STOP [{b} || Y] Q";
    alphabetised_with_skip: "P [Events || {}] SKIP" == "P";
    alphabetised_with_everything: "P [Events || Events] Q" == "P [| Events |] Q";
    alphabetised_terminates_together: "SKIP [X || Y] SKIP" == "SKIP";
    alphabetised_with_itself: "P [Events || Events] P" == "P" in T;
    alphabetised_with_div: "P [X || Y] DIV" == "DIV" in FD, VD, RD;

    linked_swaps: "P [a <-> b] Q" == "Q [b <-> a] P";
    linked_distributes: "P [a <-> b] (Q |~| R)" == "(P [a <-> b] Q) |~| (P [a <-> b] R)";
    linked_steps_are_hidden: "(a -> P) [a <-> b] (b -> Q)" == "P [a <-> b] Q";
    linked_as_parallel: "P [a <-> b] Q" == r"(P[[a <- e]] [| {e} |] Q[[b <- e]]) \ {e}";
    linked_buffers_are_longer: "BUFFER(1, {(a, b)}) [b <-> a] BUFFER(1, {(a, b)})" == "BUFFER(2, {(a, b)})";

    linked_associates: "(P [a <-> b] Q) [a <-> b] R" == "P [a <-> b] (Q [a <-> b] R)";
    linked_distributes_left: "(P |~| Q) [a <-> b] R" == "(P [a <-> b] R) |~| (Q [a <-> b] R)";
    linked_visible_step: "(c -> P) [a <-> b] (b -> Q)" == "c -> (P [a <-> b] (b -> Q))";
    linked_terminates_together: "SKIP [a <-> b] SKIP" == "SKIP";
    linked_waits_for_ever: "(a -> P) [a <-> b] STOP" == "STOP";
    linked_with_div: "P [a <-> b] DIV" == "DIV" in FD, VD, RD;
    linked_livelock: "(let L = a -> L within L) [a <-> b] (let M = b -> M within M)" == "DIV";
}
