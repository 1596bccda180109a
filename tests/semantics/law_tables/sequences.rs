//! Laws of the operators by which one process takes over from another.

laws! {
    sequence_associates: "P ; (Q ; R)" == "(P ; Q) ; R";
    sequence_left_unit: "SKIP ; P" == "P";
    sequence_right_unit: "P ; SKIP" == "P" in T signal all;
    sequence_right_unit_again: "P ; SKIP ; SKIP" == "P ; SKIP";
    sequence_left_zero: "STOP ; P" == "STOP";
    sequence_after_div: "DIV ; P" == "DIV";
    sequence_steps: "(a -> P) ; Q" == "a -> (P ; Q)";
    sequence_distributes_left: "(P |~| Q) ; R" == "(P ; R) |~| (Q ; R)";
    sequence_distributes_right: "P ; (Q |~| R)" == "(P ; Q) |~| (P ; R)";
    sequence_distributes_over_external_choice: "(P [] SKIP) ; R" == "(P ; R) [] R" in T;
    sequence_after_a_signal: "(P [] SKIP) ; R" == "(P ; R) [> R";

    sequence_distributes_over_any_external_choice: "(P [] Q) ; R" == "(P ; R) [] (Q ; R)" in T;
    sequence_distributes_over_sliding_choice: "(P [> Q) ; R" == "(P ; R) [> (Q ; R)" in T;
    sequence_does_not_distribute_over_choice_after_it: "P ; (Q [] R)" == "(P ; Q) [] (P ; R)" in T;
    sequence_of_choice: "(a -> SKIP [] b -> SKIP) ; P" == "a -> P [] b -> P";
    sequence_of_internal_termination: "(SKIP |~| STOP) ; P" == "P |~| STOP";
    sequence_of_termination_or_a_step: "(SKIP [] a -> P) ; Q" == "(a -> (P ; Q)) [> Q";
    sequence_never_reached: "(P ; STOP) ; Q" == "P ; STOP";

    interrupt_associates: r"P /\ (Q /\ R)" == r"(P /\ Q) /\ R";
    interrupt_right_unit: r"P /\ STOP" == "P";
    interrupt_left_unit: r"STOP /\ P" == "P";
    interrupt_steps: r"(a -> P) /\ Q" == r"Q [] a -> (P /\ Q)" in T, F, FD, V, VD;
    interrupt_of_skip: r"SKIP /\ P" == "SKIP [] P";
    interrupt_by_div: r"P /\ DIV" == "DIV" in FD, VD, RD;
    interrupt_distributes_left: r"(P |~| Q) /\ R" == r"(P /\ R) |~| (Q /\ R)";
    interrupt_distributes_right: r"P /\ (Q |~| R)" == r"(P /\ Q) |~| (P /\ R)";
    interrupt_distributes_over_choice: r"(P [] Q) /\ R" == r"(P /\ R) [] (Q /\ R)";

    interrupt_of_div: r"DIV /\ P" == "DIV" in FD, VD, RD;
    interrupt_by_skip: r"(a -> P) /\ SKIP" == r"SKIP [] a -> (P /\ SKIP)";
    interrupt_distributes_over_choice_right: r"P /\ (Q [] R)" == r"(P /\ Q) [] (P /\ R)" in T;
    interrupt_of_run: r"RUN({a}) /\ (a -> P)" == r"let L = a -> (L |~| P) within L";
    interrupt_of_steps: r"(a -> P [] b -> Q) /\ R" == r"R [] a -> (P /\ R) [] b -> (Q /\ R)" in T, F, FD, V, VD;

    exception_of_nothing: "P [| {} |> Q" == "P";
    exception_is_thrown: "(a -> P) [| {a} |> Q" == "a -> Q";
    exception_waits: "(b -> P) [| {a} |> Q" == "b -> (P [| {a} |> Q)";
    exception_of_stop: "STOP [| X |> P" == "STOP";
    exception_of_skip: "SKIP [| X |> P" == "SKIP";
    exception_of_div: "DIV [| X |> P" == "DIV";
    exception_distributes_left: "(P |~| Q) [| X |> R" == "(P [| X |> R) |~| (Q [| X |> R)";
    exception_distributes_right: "P [| X |> (Q |~| R)" == "(P [| X |> Q) |~| (P [| X |> R)";
    exception_distributes_over_choice: "(P [] Q) [| X |> R" == "(P [| X |> R) [] (Q [| X |> R)";

    exception_again: "(P [| X |> Q) [| X |> R" == "P [| X |> R";
    exception_of_everything: "(a -> P [] b -> Q) [| Events |> R" == "a -> R [] b -> R";
    exception_of_some: "(a -> P [] b -> Q) [| {a} |> R" == "a -> R [] b -> (Q [| {a} |> R)";
    exception_distributes_over_sliding_choice: "(P [> Q) [| X |> R" == "(P [| X |> R) [> (Q [| X |> R)";
    exception_after_a_sequence: "((b -> SKIP) ; P) [| {a} |> Q" == "b -> (P [| {a} |> Q)";
}
