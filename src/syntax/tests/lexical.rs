//! Every lexical rule and trap.

use super::{check_expressions, check_scripts};

#[test]
fn comments() {
    check_scripts(&[
        ("x = 1 -- c\n-----\ny = 2", "(= x 1)\n(= y 2)"),
        ("{- a {- b -} c -} x = 1", "(= x 1)"),
        ("{- --} -} x = 1", "(= x 1)"),
        ("{- {{- -} x = 1", "(= x 1)"),
        ("x = {-1}", "!unclosed-comment"),
        ("x = { -1}", "(= x (set (neg 1)))"),
        ("x = 1 {- never", "!unclosed-comment"),
        ("x = {- a\nb -} 1", "(= x 1)"),
        ("x = 1--", "(= x 1)"),
        ("x = 1 -", "!syntax"),
    ]);
}

#[test]
fn literals() {
    check_expressions(&[
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "!integer-too-large"),
        ("'c'", "'c'"),
        (r"'\n'", r"'\n'"),
        (r"'\''", r"'\''"),
        (r"'\\'", r"'\\'"),
        (r"'\x'", "'x'"),
        ("'ab'", "!bad-character"),
        ("''", "!bad-character"),
        (r#""a\tb""#, r#""a\tb""#),
        (r#""a\\b""#, r#""a\"b""#),
        (r#""a\qb""#, r#""a\"b""#),
        (r#""é""#, r#""é""#),
        ("\"abc", "!unclosed-string"),
        ("\"abc\\\"", "!unclosed-string"),
        ("é", "!unknown-character"),
    ]);
}

#[test]
fn names() {
    check_expressions(&[
        ("P'", "P'"),
        ("myTop''", "myTop''"),
        ("endmodule'", "endmodule'"),
        (
            "endmoduleX + includes + printx",
            "(+ (+ endmoduleX includes) printx)",
        ),
        ("(include)", "(paren include)"),
        ("f(print)", "(apply f print)"),
        ("f(STOP, union)", "(apply f STOP union)"),
        ("a_b1", "a_b1"),
        ("P'x", "!syntax"),
        ("_x", "!syntax"),
    ]);
}

#[test]
fn angle_brackets() {
    check_expressions(&[
        (
            "<x | x <- <0..1>, (x>2)>",
            "(seq x (<- x (seq 0 .. 1)) (| (paren (> x 2))))",
        ),
        (
            "<x | x <- <0..1>, x<2>",
            "(seq x (<- x (seq 0 .. 1)) (| (< x 2)))",
        ),
        ("<2,1> > <1,2>", "(> (seq 2 1) (seq 1 2))"),
        ("<> > <>", "(> (seq) (seq))"),
        ("< > < <>", "(< (seq) (seq))"),
        (
            "<{x | x <- S, x > 2}>",
            "(seq (set x (<- x S) (| (> x 2))))",
        ),
        ("<P [| {x > 1} |] Q>", "(seq ([| P (set (> x 1)) Q))"),
        ("<<1>,<2>>", "(seq (seq 1) (seq 2))"),
        ("a < b", "(< a b)"),
        ("f(x) > 1", "(> (apply f x) 1)"),
        ("<1>^<2> < s", "(< (^ (seq 1) (seq 2)) s)"),
        ("< -1>", "(seq (neg 1))"),
    ]);
}

#[test]
fn line_breaks() {
    check_scripts(&[
        (
            "P = a -> STOP\n [] b\n -> STOP",
            "(= P ([] (-> a STOP) (-> b STOP)))",
        ),
        ("x =\n 1\ny = 2", "(= x 1)\n(= y 2)"),
        (
            "x = f(\n1,\n2\n)\ny = {\n1}",
            "(= x (apply f 1 2))\n(= y (set 1))",
        ),
        ("x = a\n+ b\n\n\ny = 2", "(= x (+ a b))\n(= y 2)"),
        ("x = a -\nb", "(= x (- a b))"),
        ("x = a\n-b", "!syntax"),
        ("x = f\n(y)", "!syntax"),
        ("x = if a\n then b\n else c", "(= x (if a b c))"),
        ("x = (a\n b)", "!unclosed-bracket"),
        ("x = (a\ny = 1", "!unclosed-bracket"),
        ("x = <a\ny = 1", "!unclosed-bracket"),
        ("x = (a]", "!mismatched-bracket"),
        ("x = a)", "!mismatched-bracket"),
        ("x = let y = 1\n", "!unclosed-let"),
        (
            "x = let\n y = 1\n z = 2\n within\n y",
            "(= x (let (= y 1) (= z 2) y))",
        ),
        (
            "x = let f(0) = 1\n f(n) = 2 within f",
            "(= x (let (function f (clause (0) 1) (clause (n) 2)) f))",
        ),
        (
            "x = let y = let z = 1\n w = 2 within z\n v = 3 within v",
            "(= x (let (= y (let (= z 1) (= w 2) z)) (= v 3) v))",
        ),
        ("x = 1\r\ny = 2\r\n", "(= x 1)\n(= y 2)"),
        ("x = a >\nb", "!syntax"),
        ("x = a\n> b", "(= x (> a b))"),
        ("channel\n a,\n b\n: T", "(channel a b : T)"),
        ("channel a:\n T\nchannel b", "(channel a : T)\n(channel b)"),
        ("{\\rtf1 hello}", "!rich-text-file"),
        ("\u{feff}x = 1", "(= x 1)"),
        ("", ""),
        ("-- only a comment", ""),
    ]);
}

#[test]
fn colons_and_brackets() {
    check_scripts(&[
        ("x = M::y", "(= x M::y)"),
        ("f :: Int", "(:: f : Int)"),
        ("f ::Int", "(:: f : Int)"),
        ("f:: Int", "(:: f : Int)"),
        ("x = (|0 => 1 |)", "!mismatched-bracket"),
        ("x = (| 0 => 1 |)", "(= x (map (0 1)))"),
        ("x = P[ [x] y]", "!syntax"),
        ("include foo", "!syntax"),
        ("include \"a\" x = 1", "!include-not-found"),
    ]);
}
