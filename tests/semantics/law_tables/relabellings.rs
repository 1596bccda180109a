//! Laws of hiding and renaming.

laws! {
    hiding_nothing: r"P \ {}" == "P";
    hiding_twice: r"(P \ X) \ Y" == r"P \ union(X, Y)";
    hidden_step: r"(a -> P) \ {a}" == r"P \ {a}";
    visible_step: r"(b -> P) \ {a}" == r"b -> (P \ {a})";
    hidden_choice: r"(a -> P [] b -> Q) \ {a}" == r"(P \ {a}) |~| ((P \ {a}) [] b -> (Q \ {a}))" in T, F, FD;
    hidden_choice_slides: r"(a -> P [] b -> Q) \ {a}" == r"(b -> (Q \ {a})) [> (P \ {a})";
    hidden_recursion_diverges: r"(let L = a -> L within L) \ {a}" == "DIV";
    hidden_recursion_with_a_way_out: r"(let L = a -> L [] b -> P within L) \ {a}" == r"DIV [] b -> (P \ {a})";
    hiding_distributes: r"(P |~| Q) \ X" == r"(P \ X) |~| (Q \ X)";
    hiding_distributes_over_external_choice: r"(P [] Q) \ Y" == r"(P \ Y) [] (Q \ Y)" in T;
    hiding_distributes_over_sequence: r"(P ; Q) \ X" == r"(P \ X) ; (Q \ X)";
    hiding_distributes_over_parallel: r"(P [| X |] Q) \ diff(Y, X)"
        == r"(P \ diff(Y, X)) [| X |] (Q \ diff(Y, X))";
    project_hides_the_rest: r"P |\ X" == r"P \ diff(Events, X)";

    hiding_commutes: r"(P \ X) \ Y" == r"(P \ Y) \ X";
    hiding_is_idempotent: r"(P \ X) \ X" == r"P \ X";
    hidden_stop: r"STOP \ X" == "STOP";
    hidden_skip: r"SKIP \ X" == "SKIP";
    hidden_div: r"DIV \ X" == "DIV";
    hidden_choice_of_hidden: r"(a -> P [] b -> Q) \ {a, b}" == r"(P \ {a, b}) |~| (Q \ {a, b})";
    hidden_choice_of_visible: r"(b -> P [] c -> Q) \ {a}" == r"b -> (P \ {a}) [] c -> (Q \ {a})";
    hiding_distributes_over_interleaving: r"(P ||| Q) \ X" == r"(P \ X) ||| (Q \ X)";
    hiding_distributes_over_exception: r"(P [| X |> Q) \ diff(Y, X)" == r"(P \ diff(Y, X)) [| X |> (Q \ diff(Y, X))";
    hiding_distributes_over_sliding_choice: r"(P [> Q) \ Y" == r"(P \ Y) [> (Q \ Y)" in T;
    hiding_distributes_over_interrupt: r"(P /\ (a -> Q)) \ {a}" == r"(P \ {a}) /\ (Q \ {a})" in T;
    hiding_what_was_renamed: r"P[[a <- b]] \ {b}" == r"P \ {a, b}";
    hiding_before_renaming: r"(P \ {c})[[a <- b]]" == r"P[[a <- b]] \ {c}";
    hidden_interleaving_diverges: r"((let L = a -> L within L) ||| P) \ {a}" == "DIV" in FD, VD, RD;
    projecting_twice: r"(P |\ X) |\ Y" == r"P |\ inter(X, Y)";

    renaming_to_itself: "P[[a <- a]]" == "P";
    renaming_twice: "P[[a <- b]][[b <- c]]" == "P[[a <- c, b <- c]]";
    swapping_twice: "P[[a <- b, b <- a]][[a <- b, b <- a]]" == "P";
    renamed_step: "(a -> P)[[a <- b, a <- c]]" == "b -> P[[a <- b, a <- c]] [] c -> P[[a <- b, a <- c]]";
    renaming_distributes: "(P |~| Q)[[a <- b]]" == "P[[a <- b]] |~| Q[[a <- b]]";
    renaming_distributes_over_choice: "(P [] Q)[[a <- b]]" == "P[[a <- b]] [] Q[[a <- b]]";
    renaming_distributes_over_interleaving: "(P ||| Q)[[a <- b]]" == "P[[a <- b]] ||| Q[[a <- b]]";
    swapping_distributes_over_parallel: "(P [| {a, c} |] Q)[[a <- b, b <- a]]"
        == "P[[a <- b, b <- a]] [| {b, c} |] Q[[a <- b, b <- a]]";

    renaming_of_nothing: "P[[d <- d]]" == "P";
    renamed_stop: "STOP[[a <- b]]" == "STOP";
    renamed_skip: "SKIP[[a <- b]]" == "SKIP";
    renamed_div: "DIV[[a <- b]]" == "DIV";
    renamed_run: "RUN({a, c})[[a <- b]]" == "RUN({b, c})";
    renaming_merges_into_internal_choice: "(a -> P [] b -> Q)[[a <- c, b <- c]]"
        == "c -> (P[[a <- c, b <- c]] |~| Q[[a <- c, b <- c]])";
    renaming_distributes_over_sequence: "(P ; Q)[[a <- b]]" == "P[[a <- b]] ; Q[[a <- b]]";
    renaming_distributes_over_interrupt: r"(P /\ Q)[[a <- b]]" == r"P[[a <- b]] /\ Q[[a <- b]]";
    renaming_distributes_over_sliding_choice: "(P [> Q)[[a <- b]]" == "P[[a <- b]] [> Q[[a <- b]]";
    swapping_distributes_over_exception: "(P [| {a, c} |> Q)[[a <- b, b <- a]]"
        == "P[[a <- b, b <- a]] [| {b, c} |> Q[[a <- b, b <- a]]";
    swapping_distributes_over_hiding: r"(P \ {a, c})[[a <- b, b <- a]]" == r"P[[a <- b, b <- a]] \ {b, c}";
    swapping_distributes_over_synchronising_choice: "(P [+ {a, c} +] Q)[[a <- b, b <- a]]"
        == "P[[a <- b, b <- a]] [+ {b, c} +] Q[[a <- b, b <- a]]";
}
