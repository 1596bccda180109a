//! Laws of the synchronising choice and interrupt, of buffers and of replicated operators.

laws! {
    synchronising_choice_commutes: "P [+ X +] Q" == "Q [+ X +] P";
    synchronising_choice_is_idempotent: "let C = a -> a -> P |~| a -> b -> P within C [+ {a, b} +] C"
        == "a -> a -> P |~| a -> b -> P" in T;
    synchronising_choice_distributes: "P [+ X +] (Q |~| R)" == "(P [+ X +] Q) |~| (P [+ X +] R)";
    synchronising_choice_on_nothing: "P [+ {} +] Q" == "P [] Q";
    synchronising_choice_steps: "(a -> P) [+ {a} +] (a -> Q)" == "a -> (P [+ {a} +] Q)";
    synchronising_choice_is_made: "(a -> P) [+ {b} +] (b -> Q)" == "a -> P";
    synchronising_choice_deadlocks: "(a -> P) [+ {a, b} +] (b -> Q)" == "STOP";

    synchronising_choice_associates: "P [+ X +] (Q [+ X +] R)" == "(P [+ X +] Q) [+ X +] R";
    synchronising_choice_unit: "P [+ X +] RUN(X)" == "P";
    synchronising_choice_on_everything: "(P ; STOP) [+ Events +] (Q ; STOP)" == "(P ; STOP) [| Events |] (Q ; STOP)";
    synchronising_choice_with_stop: "(a -> P [] b -> Q) [+ {a} +] STOP" == "b -> Q";
    synchronising_choice_with_div: "P [+ X +] DIV" == "DIV" in FD, VD, RD;
    synchronising_choice_with_skip: "(a -> P) [+ {} +] SKIP" == "(a -> P) [> SKIP" in T signal all;

    synchronising_interrupt_on_nothing: r"P /+ {} +\ Q" == r"P /\ Q";
    synchronising_interrupt_distributes: r"P /+ X +\ (Q |~| R)" == r"(P /+ X +\ Q) |~| (P /+ X +\ R)";
    synchronising_interrupt_steps: r"(a -> P) /+ {a} +\ (a -> Q)" == r"a -> (P /+ {a} +\ Q)";
    synchronising_interrupt_waits: r"(b -> P) /+ {a} +\ (a -> Q)" == r"b -> (P /+ {a} +\ (a -> Q))";

    synchronising_interrupt_associates: r"P /+ X +\ (Q /+ X +\ R)" == r"(P /+ X +\ Q) /+ X +\ R";
    synchronising_interrupt_distributes_left: r"(P |~| Q) /+ X +\ R" == r"(P /+ X +\ R) |~| (Q /+ X +\ R)";
    synchronising_interrupt_unit: r"P /+ X +\ RUN(X)" == "P";
    synchronising_interrupt_interrupts: r"(b -> P) /+ {a} +\ (c -> Q)" == r"c -> Q [] b -> (P /+ {a} +\ (c -> Q))";
    synchronising_interrupt_deadlocks: r"(a -> P) /+ {a} +\ STOP" == "STOP";
    synchronising_interrupt_of_skip: r"SKIP /+ X +\ STOP" == "SKIP";
    synchronising_interrupt_by_div: r"P /+ X +\ DIV" == "DIV" in FD, VD, RD;

    buffer_of_one: "BUFFER(1, {(a, b)})" == "a -> b -> BUFFER(1, {(a, b)})";

    buffer_of_two: "BUFFER(2, {(a, b)})" == "let L0 = a -> L1 \n L1 = a -> L2 [] b -> L0 \n L2 = b -> L1 within L0";
    buffer_of_two_kinds: "BUFFER(1, {(a, b), (c, d)})" == "let L = a -> b -> L [] c -> d -> L within L";
    weak_buffer_is_defined: "WEAK_BUFFER(1, e, {(a, b)})"
        == "let L0 = a -> L1 \n L1 = b -> L0 [] a -> e -> L1 within L0";
    signal_buffer_is_defined: "SIGNAL_BUFFER(1, d, e, {(a, b)})"
        == "let L0 = a -> L1 [] e -> L0 \n L1 = b -> L0 [] d -> L1 within L0";

    replicated_external_choice: "[] i : {1, 2} @ (if i == 1 then P else Q)" == "P [] Q";
    replicated_internal_choice: "|~| i : {1, 2} @ (if i == 1 then P else Q)" == "P |~| Q";
    replicated_interleaving: "||| i : {1, 2} @ (if i == 1 then P else Q)" == "P ||| Q";
    replicated_sequence: "; i : <1, 2> @ (if i == 1 then P else Q)" == "P ; Q";
    replicated_interface_parallel: "[| X |] i : {1, 2} @ (if i == 1 then P else Q)" == "P [| X |] Q";
    replicated_synchronising_choice: "[+ X +] i : {1, 2} @ (if i == 1 then P else Q)" == "P [+ X +] Q";
    replicated_linked_parallel: "[a <-> b] i : <1, 2> @ (if i == 1 then P else Q)" == "P [a <-> b] Q";
    replicated_linked_parallel_of_three: "[a <-> b] i : <1, 2, 3> @ (if i == 1 then P else (if i == 2 then Q else R))"
        == "P [a <-> b] (Q [a <-> b] R)";
    replicated_alphabetised_of_three: "|| (A, i) : {(X, 1), (Y, 2), ({b}, 3)} @ [A] (if i == 1 then P else (if i == 2 then Q else R))"
        == "P [X || union(Y, {b})] (Q [Y || {b}] R)";
    replicated_interleaving_of_three: "||| i : {1, 2, 3} @ (if i == 1 then P else (if i == 2 then Q else R))" == "P ||| (Q ||| R)";
    replicated_external_choice_of_three: "[] i : {1, 2, 3} @ (if i == 1 then P else (if i == 2 then Q else R))" == "P [] (Q [] R)";
    replicated_sequence_of_three: "; i : <1, 2, 3> @ (if i == 1 then P else (if i == 2 then Q else R))" == "P ; (Q ; R)";
    replicated_choice_of_prefixes: "[] x : X @ x -> P" == r"(RUN(X) [| Events |> P)";
    replicated_internal_choice_of_one: "|~| i : {1} @ P" == "P";
    no_external_choice: "[] i : {} @ P" == "STOP";
    no_interleaving: "||| i : {} @ P" == "SKIP";
    no_sequence: "; i : <> @ P" == "SKIP";
    no_interface_parallel: "[| X |] i : {} @ P" == "SKIP";
    no_alphabetised_parallel: "|| i : {} @ [X] P" == "SKIP";
    no_synchronising_choice: "[+ X +] i : {} @ P" == "STOP";
}
