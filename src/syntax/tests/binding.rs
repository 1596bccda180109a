//! Binding strengths of operators.

use super::{check_expressions, check_scripts};

#[test]
fn arithmetic_and_comparison() {
    check_expressions(&[
        ("1 + 2 * 3", "(+ 1 (* 2 3))"),
        ("1 * 2 + 3", "(+ (* 1 2) 3)"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("7 / 2 % 3", "(% (/ 7 2) 3)"),
        ("-x * y", "(neg (* x y))"),
        ("-x + y", "(+ (neg x) y)"),
        ("-7/2", "(neg (/ 7 2))"),
        ("(-7)/2", "(/ (paren (neg 7)) 2)"),
        ("1 * -2 + 3", "(+ (* 1 (neg 2)) 3)"),
        ("1 * -2 * 3", "(* 1 (neg (* 2 3)))"),
        ("1 - -2", "(- 1 (neg 2))"),
        ("- -x", "(neg (neg x))"),
        ("#s^t", "(# (^ s t))"),
        ("#s+1", "(+ (# s) 1)"),
        ("#s == 3", "(== (# s) 3)"),
        ("x^y^z", "(^ (^ x y) z)"),
        ("not x == y", "(not (== x y))"),
        ("x == not y", "(== x (not y))"),
        ("not a and b", "(and (not a) b)"),
        ("a and not b or c", "(or (and a (not b)) c)"),
        ("a or b and c", "(or a (and b c))"),
        ("a < b + 1", "(< a (+ b 1))"),
        ("a < b and b < c", "(and (< a b) (< b c))"),
        ("a < b < c", "!chained-comparison"),
        ("a == b != c", "!chained-comparison"),
        ("f(x) + g(y)(z)", "(+ (apply f x) (apply (apply g y) z))"),
        ("f()", "(apply f)"),
        ("M::N::x + 1", "(+ M::N::x 1)"),
    ]);
}

#[test]
fn dots() {
    check_expressions(&[
        ("a.b.c", "(. a b c)"),
        ("(a.b).c", "(. a b c)"),
        ("((a.b)).c", "(. a b c)"),
        ("(a.(b.c)).d", "(. a b c d)"),
        ("a.(b.c)", "(. a (paren (. b c)))"),
        ("a.(b.c).d", "(. a b c d)"),
        ("(f(x)).c", "(. (paren (apply f x)) c)"),
        ("c.x+1", "(. c (+ x 1))"),
        ("c.x == d.y", "(. c (== x d) y)"),
        ("(c.x) == (d.y)", "(== (paren (. c x)) (paren (. d y)))"),
        ("c.-1", "(. c (neg 1))"),
        ("c.f(1).2", "(. c (apply f 1) 2)"),
    ]);
}

#[test]
fn prefixes() {
    check_expressions(&[
        ("a -> b -> STOP", "(-> a (-> b STOP))"),
        ("c.1.x -> P", "(-> (. c 1 x) P)"),
        ("c.1?x!y+1 -> P", "(-> (. c 1) (? x) (! (+ y 1)) P)"),
        ("c?x:S -> P", "(-> c (? x S) P)"),
        (
            "c?x:union(S,T)?y -> P",
            "(-> c (? x (apply union S T)) (? y) P)",
        ),
        ("c?x.y:S!z -> P", "(-> c (? (. x y) S) (! z) P)"),
        ("c$x:S$y -> P", "(-> c ($ x S) ($ y) P)"),
        ("c?_ -> P", "(-> c (? _) P)"),
        (
            "c?(x,y)?<z>^s?true -> P",
            "(-> c (? (tuple x y)) (? (^ (seq z) s)) (? true) P)",
        ),
        ("c!x.y -> P", "(-> c (! (. x y)) P)"),
        ("c!x", "!missing-arrow"),
        ("c?x:S.T -> P", "!dot-after-set"),
        ("c?x@@y -> P", "!double-pattern-in-field"),
        ("c?(x@@y) -> P", "!double-pattern-in-field"),
        ("b & c -> P [] d -> Q", "([] (& b (-> c P)) (-> d Q))"),
        ("x > 1 and y & a -> P", "(& (and (> x 1) y) (-> a P))"),
        ("a -> P ; Q", "(; (-> a P) Q)"),
        ("a -> if b then P else Q [] R", "(-> a (if b P ([] Q R)))"),
        ("a -> (P [] Q)", "(-> a (paren ([] P Q)))"),
    ]);
}

#[test]
fn processes() {
    check_expressions(&[
        ("P [] Q |~| R", "(|~| ([] P Q) R)"),
        ("P |~| Q [] R", "(|~| P ([] Q R))"),
        ("P ||| Q |~| R", "(||| P (|~| Q R))"),
        ("P ; Q [> R", "([> (; P Q) R)"),
        ("P [> Q /\\ R [] S", "([] (/\\ ([> P Q) R) S)"),
        ("P [] Q [] R", "([] ([] P Q) R)"),
        ("P [|A|] Q ||| R", "(||| ([| P A Q) R)"),
        ("P ||| Q [|A|] R", "(||| P ([| Q A R))"),
        ("P [] Q [|A|] R |~| S", "([| ([] P Q) A (|~| R S))"),
        ("P [|A|] Q [|B|] R", "!ambiguous-parallel"),
        ("P [A||B] Q [|B|] R", "!ambiguous-parallel"),
        ("P [A || B] Q", "([||] P A B Q)"),
        ("P [|A|> Q", "([|> P A Q)"),
        ("P [+A+] Q [] R", "([] ([+ P A Q) R)"),
        ("P /+A+\\ Q", "(/+ P A Q)"),
        (
            "P [a <-> b, c.x <-> d | x <- S] Q",
            "([<->] P (a b) ((. c x) d) (<- x S) Q)",
        ),
        (
            "P[[a <- b, c.x <- d | x <- S]]",
            "(rename P (a b) ((. c x) d) (<- x S))",
        ),
        ("P[[]]", "(rename P)"),
        ("a -> P[[a <- b]]", "(-> a (rename P (a b)))"),
        (
            "f(x)[[a <- b]][[c <- d]]",
            "(rename (rename (apply f x) (a b)) (c d))",
        ),
    ]);
}

#[test]
fn hiding() {
    check_expressions(&[
        ("P ||| Q \\ A", "(\\ (||| P Q) A)"),
        ("P \\ A ||| Q", "(||| (\\ P A) Q)"),
        ("P \\ A [|B|] Q", "([| (\\ P A) B Q)"),
        ("P \\ A [B||C] Q", "([||] (\\ P A) B C Q)"),
        ("P \\ A [|B|> Q", "([|> (\\ P A) B Q)"),
        ("P \\ A |~| Q", "(|~| (\\ P A) Q)"),
        ("P \\ A [] Q", "([] (\\ P A) Q)"),
        ("P \\ A /\\ Q", "(/\\ (\\ P A) Q)"),
        ("P \\ A [> Q", "([> (\\ P A) Q)"),
        ("P \\ A ; Q", "(; (\\ P A) Q)"),
        ("P \\ A [+B+] Q", "([+ (\\ P A) B Q)"),
        ("P \\ A /+B+\\ Q", "(/+ (\\ P A) B Q)"),
        ("P \\ A [a<->b] Q", "(\\ P ([<->] A (a b) Q))"),
        ("P \\ A [] Q ||| R", "(||| ([] (\\ P A) Q) R)"),
        ("P \\ A \\ B", "(\\ (\\ P A) B)"),
        ("P \\ A ||| Q \\ B ||| R", "(||| (\\ (||| (\\ P A) Q) B) R)"),
        ("P |\\ A ||| Q", "(||| (|\\ P A) Q)"),
        ("P |\\ A \\ B", "(\\ (|\\ P A) B)"),
        ("P \\ (A ||| Q)", "(\\ P (paren (||| A Q)))"),
        ("\\ x, (y, _) @ x + y", "(lambda (x (tuple y _)) (+ x y))"),
        ("P \\ f(\\ x @ x)", "(\\ P (apply f (lambda (x) x)))"),
    ]);
}

#[test]
fn replication() {
    check_expressions(&[
        ("[] x:S @ P [] Q", "(each[] (<- x S) ([] P Q))"),
        (
            "Q [] [] x <- S, x > 1 @ P \\ A",
            "([] Q (each[] (<- x S) (| (> x 1)) (\\ P A)))",
        ),
        ("|~| x:S @ P", "(each|~| (<- x S) P)"),
        ("; x:<1..3> @ P", "(each; (<- x (seq 1 .. 3)) P)"),
        (
            "||| x:S, y:T @ P ||| Q",
            "(each||| (<- x S) (<- y T) (||| P Q))",
        ),
        ("[|A|] x:S @ P", "(each[| A (<- x S) P)"),
        ("[+A+] x:S @ P", "(each[+ A (<- x S) P)"),
        (
            "[a <-> b | a.b <- T] x:s @ P",
            "(each[<->] (a b) (<- (. a b) T) (<- x s) P)",
        ),
        ("|| x:S @ [A(x)] P", "(each|| (apply A x) (<- x S) P)"),
        ("|| x:S @ [A] P ||| Q", "(||| (each|| A (<- x S) P) Q)"),
        (
            "|| x:S @ [A] P [] Q |~| R ; T",
            "(each|| A (<- x S) (|~| ([] P Q) (; R T)))",
        ),
        ("|| x:S @ [A] P \\ B", "(\\ (each|| A (<- x S) P) B)"),
        ("|| x:S @ [A] P [|B|] Q", "!ambiguous-parallel"),
        ("let x = 1 within x + y", "(let (= x 1) (+ x y))"),
        ("if a then b else c + 1", "(if a b (+ c 1))"),
        ("1 + if a then b else c + 1", "(+ 1 (if a b (+ c 1)))"),
    ]);
}

#[test]
fn displays() {
    check_expressions(&[
        ("{}", "(set)"),
        ("{ }", "(set)"),
        ("{1..}", "(set 1 ..)"),
        ("{1..n | n <- S}", "(set 1 .. n (<- n S))"),
        (
            "{x, y | (x,y) <- S, x != y}",
            "(set x y (<- (tuple x y) S) (| (!= x y)))",
        ),
        ("<>", "(seq)"),
        ("<0..>", "(seq 0 ..)"),
        ("<x | x <- s>", "(seq x (<- x s))"),
        ("{| |}", "(productions)"),
        ("{| c, d.x | x <- S |}", "(productions c (. d x) (<- x S))"),
        (
            "(| 0 => 1, x.y => f(x) |)",
            "(map (0 1) ((. x y) (apply f x)))",
        ),
        ("(| |)", "(map)"),
        ("(1, 2, 3)", "(tuple 1 2 3)"),
        ("_", "!misplaced-wildcard"),
        ("{_ | x <- S}", "!misplaced-wildcard"),
        ("x : S", "!misplaced-colon"),
        ("(||| x:S @ P)", "(paren (each||| (<- x S) P))"),
        ("(|| x:S @ [A] P)", "(paren (each|| A (<- x S) P))"),
        ("(|~| x:S @ P)", "(paren (each|~| (<- x S) P))"),
    ]);
}

#[test]
fn definitions() {
    check_scripts(&[
        (
            "f(0) = 1\nf(n) = n * f(n - 1)\ng = 2",
            "(function f (clause (0) 1) (clause (n) (* n (apply f (- n 1)))))\n(= g 2)",
        ),
        ("f()(x) = 1", "(function f (clause () (x) 1))"),
        ("(x, y) = p", "(= (tuple x y) p)"),
        ("<a>^s^<b, -1> = t", "(= (^ (seq a) s (seq b -1)) t)"),
        (
            "f(x@@(A.y.z)) = 1",
            "(function f (clause ((@@ x (paren (. A y z)))) 1))",
        ),
        (
            "f({}) = 0\nf({x}) = 1",
            "(function f (clause ((set)) 0) (clause ((set x)) 1))",
        ),
        ("xs^ys = t", "!ambiguous-pattern"),
        ("f({x, y}) = 1", "!not-a-pattern"),
        ("f(x + 1) = 1", "!not-a-pattern"),
        ("M::f(x) = 1", "!bad-definition"),
    ]);
}
