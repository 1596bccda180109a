//! Laws of constants, guards, prefixes, inputs and choices.

laws! {
    div_is_stop: "DIV" == "STOP" in T;
    run_offers_each_event: "RUN(X)" == "[] x : X @ x -> RUN(X)";
    chaos_has_the_traces_of_run: "CHAOS(Y)" == "RUN(Y)" in T;
    chaos_may_refuse_each_event: "CHAOS(X)" == "STOP |~| ([] x : X @ x -> CHAOS(X))";
    chaos_is_the_least_that_neither_ends_nor_diverges: "CHAOS(Events) |~| (P ; STOP)" == "CHAOS(Events)" in T, F;
    guard_true: "true & P" == "P";
    guard_false: "false & P" == "STOP";

    run_of_nothing: "RUN({})" == "STOP";
    chaos_of_nothing: "CHAOS({})" == "STOP";
    chaos_is_defined: "CHAOS(X)" == "STOP |~| (|~| x : union(X, {a}) @ if member(x, X) then x -> CHAOS(X) else STOP)" in T, F, FD;
    runs_interleave: "RUN(X) ||| RUN(Y)" == "RUN(union(X, Y))";
    chaos_interleaves: "CHAOS(X) ||| CHAOS(Y)" == "CHAOS(union(X, Y))" in T, F, FD;
    runs_synchronise: "RUN(X) [X || Y] RUN(Y)" == "RUN(union(X, Y))";
    chaos_synchronises: "CHAOS(X) [| Events |] CHAOS(Y)" == "CHAOS(inter(X, Y))";
    chaos_may_refuse_what_run_offers: "CHAOS(X) [| Events |] RUN(Y)" == "CHAOS(inter(X, Y))";
    hidden_run: r"RUN(union(X, {a})) \ union(X, {a})" == "DIV";
    hidden_chaos: r"CHAOS(union(X, {a})) \ union(X, {a})" == "DIV |~| STOP";

    guards_join: "member(a, X) & (member(b, Y) & P)" == "(member(a, X) and member(b, Y)) & P";
    guards_choose: "(member(a, X) & P) [] (member(b, Y) & P)" == "(member(a, X) or member(b, Y)) & P";
    guard_distributes: "member(a, X) & (P |~| Q)" == "(member(a, X) & P) |~| (member(a, X) & Q)";
    guard_distributes_over_external_choice: "member(a, X) & (P [] Q)" == "(member(a, X) & P) [] (member(a, X) & Q)";
    guards_decide: "if member(a, X) then P else Q" == "(member(a, X) & P) [] (not member(a, X) & Q)";
    recursion_unwinds: "let L = (a -> P) ; (L [] b -> Q) within L"
        == "(a -> P) ; ((let L = (a -> P) ; (L [] b -> Q) within L) [] b -> Q)";

    input_is_external_choice: "f?x -> (if x == 0 then P else Q)" == "f.0 -> P [] f.1 -> Q";
    input_of_some: "f?x:{1} -> P" == "f.1 -> P";
    input_of_none: "f?x:{} -> P" == "STOP";
    output_is_a_prefix: "f!1 -> P" == "f.1 -> P";
    nondeterministic_input_is_internal_choice: "f$x -> (if x == 0 then P else Q)" == "f.0 -> P |~| f.1 -> Q";
    nondeterministic_input_of_one: "f$x:{0} -> P" == "f?x:{0} -> P";
    nondeterministic_input_refines_to_input: "f$x -> P" == "f?x -> P" in T;
    internal_choice_comes_first: "g$x?y -> (if x == y then P else Q)"
        == "(g.0.0 -> P [] g.0.1 -> Q) |~| (g.1.0 -> Q [] g.1.1 -> P)";
    later_fields_know_earlier_ones: "g?x!x -> P" == "g.0.0 -> P [] g.1.1 -> P";
    two_inputs_are_one_choice: "g?x?y -> (if x == y then P else Q)" == "[] x : {0, 1}, y : {0, 1} @ g.x.y -> (if x == y then P else Q)";

    external_choice_commutes: "P [] Q" == "Q [] P";
    external_choice_associates: "P [] (Q [] R)" == "(P [] Q) [] R";
    external_choice_is_idempotent: "P [] P" == "P";
    external_choice_unit: "P [] STOP" == "P";
    external_choice_distributes: "P [] (Q |~| R)" == "(P [] Q) |~| (P [] R)";
    external_choice_of_one_event_is_internal: "a -> P [] a -> Q" == "a -> (P |~| Q)";
    external_choice_with_div: "P [] DIV" == "DIV" in FD, VD, RD;
    internal_choice_has_the_traces_of_external: "P |~| Q" == "P [] Q" in T;
    internal_choice_commutes: "P |~| Q" == "Q |~| P";
    internal_choice_associates: "P |~| (Q |~| R)" == "(P |~| Q) |~| R";
    internal_choice_is_idempotent: "P |~| P" == "P";
    internal_choice_distributes_over_external: "P |~| (Q [] R)" == "(P |~| Q) [] (P |~| R)" in T, F, FD;
    internal_choice_zero: "P |~| DIV" == "DIV" in FD, VD, RD;
    internal_choice_unit: "P |~| DIV" == "P" in T, F, V, R;
    prefix_distributes: "a -> (P |~| Q)" == "(a -> P) |~| (a -> Q)";

    external_choice_with_skip_distributes: "(P |~| Q) [] SKIP" == "(P [] SKIP) |~| (Q [] SKIP)";
    stop_and_external_choice: "STOP |~| (P [] Q)" == "(STOP |~| P) [] (STOP |~| Q)" in T, F, FD;
    prefix_does_not_distribute_over_external_choice: "(a -> P) [] (a -> Q)" == "a -> (P [] Q)" in T;
    external_choice_with_div_has_no_stable_start: "P [] DIV" == r"DIV /\ P";

    sliding_choice_has_the_traces_of_external: "P [> Q" == "P [] Q" in T;
    sliding_choice_is_defined: "P [> Q" == "(P |~| STOP) [] Q" in T, F, FD;
    sliding_choice_is_idempotent: "P [> P" == "P";
    sliding_choice_associates: "P [> (Q [> R)" == "(P [> Q) [> R";
    sliding_choice_of_external: "P [> (Q [> R)" == "(P [] Q) [> R";
    sliding_choice_left_unit: "STOP [> P" == "P";
    sliding_choice_distributes_left: "(P |~| Q) [> R" == "(P [> R) |~| (Q [> R)";
    sliding_choice_distributes_right: "P [> (Q |~| R)" == "(P [> Q) |~| (P [> R)";
    sliding_choice_of_one_event: "(a -> P) [> (a -> Q)" == "a -> (P |~| Q)" in T, F, FD, V, VD;
    sliding_choice_to_div: "P [> DIV" == "DIV" in FD, VD, RD;
    termination_is_a_signal: "P [] SKIP" == "P [> SKIP" in T signal all;
    termination_that_is_decided: "(P [] SKIP) ; SKIP" == "(P ; SKIP) [> SKIP";

    sliding_choice_right_unit: "P [> STOP" == "P |~| STOP" in T, F, FD;
    sliding_choice_from_div: "DIV [> P" == "DIV" in FD, VD, RD;
    sliding_choice_from_div_is_lost: "DIV [> P" == "P" in T, F, V, R;
    sliding_choice_is_internal_choice_of: "P [> Q" == "(P [] Q) |~| Q" in T, F, FD;
    sliding_choice_from_skip: "SKIP [> P" == "SKIP [] P" in T;
    sliding_choice_in_external_choice: "P [] (Q [> R)" == "(P [] Q) [> (P [] R)";
    sliding_choice_commutes_in_traces: "P [> Q" == "Q [> P" in T;
}
