//! Values: every form of expression and every built-in that is no process.

use pretty_assertions::assert_eq;

use super::value;

const DEFINITIONS: &str = r#"
N = 3
datatype Colour = Red | Green | Blue
datatype Tree = Leaf | Node.Tree.{0..9}.Tree
datatype Pair = Both.Colour.Bool | One.Colour
subtype Warm = Red | Green
subtype RedPair = Both.{Red} | One.{Blue}
nametype Byte = {0..3}
nametype Point = Byte.Byte
nametype Couple = (Bool, Byte)
channel a, b
channel c : {0..2}.Bool
channel d : Pair.{0..1}
channel e : Int
channel p : Point
id(x) = x
fact(n) = if n == 0 then 1 else n * fact(n - 1)
count(n, sum) = if n == 0 then sum else count(n - 1, sum + n)
even(0) = true
even(n) = odd(n - 1)
odd(0) = false
odd(n) = even(n - 1)
add(x)(y) = x + y
size(Leaf) = 0
size(Node.l._.r) = size(l) + 1 + size(r)
last(<x>) = x
last(_^<x>) = x
ends(<x>^xs^<y>) = (x, xs, y)
kind({}) = "none"
kind({x}) = "one"
kind(_) = "many"
(u, v) = (1, u + 1)
nats = <0..>
primes = sieve(<2..>)
sieve(<q>^xs) = <q>^sieve(<x | x <- xs, x % q != 0>)
loopy = if true then 1 else loopy
f0() = 7
rest(c.x) = x
inner(Both.x.y) = (x, y)
inner(One.x) = x
fields(d.Both.x.y) = (x, y)
"#;

macro_rules! values {
    ($($name:ident: $($expression:literal => $expected:literal),+ $(,)?;)+) => {$(
        #[test]
        fn $name() {
            for (expression, expected) in [$(($expression, $expected)),+] {
                let found = value(DEFINITIONS, expression).unwrap_or_else(|e| panic!("{expression}: {e:?}"));
                assert_eq!(found, expected, "{expression}");
            }
        }
    )+};
}

values! {
    arithmetic:
        "1 + 2 * 3" => "7", "(-7) / 2" => "-4", "-7 / 2" => "-3", "(-7) % 2" => "1", "7 % (-2)" => "-1",
        "(-9223372036854775807 - 1) % (-1)" => "0", "(-9223372036854775807 - 1) % 7" => "6",
        "7 / (-2)" => "-4", "-3 * 2" => "-6", "10 - 3 - 2" => "5", "fact(20)" => "2432902008176640000";
    truth:
        "true and not false" => "true", "false and error(\"no\")" => "false", "true or error(\"no\")" => "true",
        "not 1 == 2" => "true", "True" => "true", "False" => "false", "if 1 < 2 then 'a' else 'b'" => "'a'";
    order:
        "<1> < <1,2>" => "true", "<2> <= <1,2>" => "false", "<2> >= <1,2>" => "false", "{1} < {1,2}" => "true",
        "{1,3} <= {1,2}" => "false", "(1,5) < (2,0)" => "true", "'a' < 'b'" => "true", "<> <= <>" => "true",
        "(| 1 => 1 |) <= (| 1 => 2, 2 => 0 |)" => "true", "{1,2} == {2,1,1}" => "true", "\"ab\" == <'a','b'>" => "true";
    functions:
        "id(3)" => "3", "even(10)" => "true", "add(1)(2)" => "3", "(\\ x, y @ x * y)(3, 4)" => "12", "f0()" => "7",
        "let g(0) = 1\ng(n) = 2 * g(n - 1) within g(10)" => "1024", "count(100000, 0)" => "5000050000",
        "let y = x + 1\nx = 1 within y" => "2", "(let h(x) = add(x) within h(1))(2)" => "3";
    patterns:
        "size(Node.(Node.Leaf.1.Leaf).2.Leaf)" => "2", "last(<1,2,3>)" => "3", "ends(<1,2,3,4>)" => "(1, <2, 3>, 4)",
        "kind({})" => "\"none\"", "kind({3})" => "\"one\"", "kind({1,2})" => "\"many\"", "v" => "2",
        "rest(c.1.true)" => "1.true", "inner(Both.Red.true)" => "(Red, true)", "inner(One.Blue)" => "Blue",
        "fields(d.Both.Red.true)" => "(Red, true)",
        "let g(x@@<y>^_) = (x, y) within g(<1,2>)" => "(<1, 2>, 1)", "let g(\"ab\") = 1\ng(_) = 2 within (g(\"ab\"), g(\"b\"))" => "(1, 2)",
        "let g(-1) = 0\ng(n) = n within g(-1)" => "0";
    sequences:
        "<1..4>" => "<1, 2, 3, 4>", "<3..1>" => "<>", "<1,2>^<3>" => "<1, 2, 3>", "#<1,2,3>" => "3",
        "head(<1..>)" => "1", "head(tail(nats))" => "1", "null(<>)" => "true", "elem(5, nats)" => "true",
        "concat(<<1>,<>,<2,3>>)" => "<1, 2, 3>", "head(tail(tail(primes)))" => "5",
        "<x * y | x <- <1..3>, y <- <x..3>, x != y>" => "<2, 3, 6>", "<x, x | x <- <1,2>>" => "<1, 1, 2, 2>",
        "<0..x | x <- <1,2>>" => "<0, 1, 0, 1, 2>", "\"hi\"^\"!\"" => "\"hi!\"", "length(<error(\"a\"), 1>)" => "2",
        "head(<x | x <- nats, (x > 10)>)" => "11", "<x | (x, 1) <- <(1,1),(2,2),(3,1)>>" => "<1, 3>";
    sets:
        "{3,1,2,1}" => "{1, 2, 3}", "{1..3}" => "{1, 2, 3}", "union({1},{2})" => "{1, 2}", "inter({1,2},{2,3})" => "{2}",
        "diff({1,2},{2})" => "{1}", "Union({{1},{2,3}})" => "{1, 2, 3}", "Inter({{1,2},{2,3}})" => "{2}", "Inter({})" => "{}",
        "card({1,1,2})" => "2", "empty({})" => "true", "member(5, {0..})" => "true", "member(2, Int)" => "true",
        "set(<1,1,2>)" => "{1, 2}", "seq({2,1})" => "<1, 2>", "Set({1,2})" => "{{}, {1}, {1, 2}, {2}}",
        "card(Set({1..10}))" => "1024", "{x * 2 | x <- {1..3}, x != 2}" => "{2, 6}", "{1..} <= {0..}" => "true",
        "member(<1,2>, Seq({1,2}))" => "true", "member(<1,3>, Seq({1,2}))" => "false", "diff({1..},{1}) == {2..}" => "true",
        "diff({1,2}, Int) == {}" => "true", "union({0..},{1,2}) == {0..}" => "true", "{(x,y) | x <- {0,1}, y <- {x..1}}" => "{(0, 0), (0, 1), (1, 1)}",
        "Bool" => "{false, true}", "card(Map({1,2},{0}))" => "4", "{0..x | x <- {1,2}}" => "{0, 1, 2}", "Seq({}) == {<>}" => "true";
    maps:
        "(| 1 => 2, 3 => 4 |)" => "(| 1 => 2, 3 => 4 |)", "(| |)" => "(| |)", "emptyMap" => "(| |)",
        "mapLookup((| 1 => 2 |), 1)" => "2", "mapMember((| 1 => 2 |), 2)" => "false", "mapDelete((| 1 => 2 |), 1)" => "(| |)",
        "mapToList((| 2 => 'b', 1 => 'a' |))" => "<(1, 'a'), (2, 'b')>", "mapUpdate((| |), 1, 2)" => "(| 1 => 2 |)",
        "mapFromList(<(1,2),(1,3)>)" => "(| 1 => 3 |)", "mapUpdateMultiple((| 1 => 1 |), <(1,2),(2,2)>)" => "(| 1 => 2, 2 => 2 |)";
    dots:
        "c.1.true" => "c.1.true", "d.Both.Red.true.1" => "d.Both.Red.true.1", "d.(One.Red).0" => "d.One.Red.0", "Colour" => "{Red, Green, Blue}",
        "Warm" => "{Red, Green}", "RedPair" => "{Both.Red.false, Both.Red.true, One.Blue}", "card(Pair)" => "9",
        "{|c.0|}" => "{c.0.false, c.0.true}", "card({|d|})" => "18", "{|a, b|}" => "{a, b}",
        "extensions(c.1)" => "{false, true}", "productions(c.1)" => "{c.1.false, c.1.true}", "card(extensions(c))" => "6",
        "{|c.x | x <- {0,1}|} == union({|c.0|},{|c.1|})" => "true", "card(Couple)" => "8", "card(Point)" => "16",
        "member(e.5, {|e|})" => "true", "(c.1.true) == (c.1.true)" => "true", "card({|p|})" => "16", "p.1.2" => "p.1.2", "card(productions(d.Both.Red))" => "4";
    text:
        "show((1, <2>, {'x'}))" => "\"(1, <2>, {'x'})\"", "show(Node.Leaf.1.Leaf)" => "\"Node.Leaf.1.Leaf\"", "show(c)" => "\"c\"";
    deep:
        "count(1000000, 0)" => "500000500000", "let s(n) = if n == 0 then 0 else 1 + s(n - 1) within s(100000)" => "100000",
        "#<1..300000>" => "300000", "loopy" => "1";
}

#[test]
fn external_functions() {
    let script = "external mtransclose, relational_image, relational_inverse_image, transpose\n";
    for (expression, expected) in [
        ("relational_image({(1,2),(1,3),(2,4)})(1)", "{2, 3}"),
        ("relational_inverse_image({(1,2),(3,2)})(2)", "{1, 3}"),
        ("transpose({(1,2)})", "{(2, 1)}"),
        ("mtransclose({(1,2),(3,2)}, {1..4})", "{(1, 2), (1, 3)}"),
    ] {
        assert_eq!(
            value(script, expression).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
}

#[test]
fn modules_and_instances() {
    let script = "
module M(n)
channel c : {0..n}
datatype D = A | B.{0..n}
secret = n * 2
exports
twice(x) = x + secret
top = card(D)
events = {|c|}
is(A) = true
is(_) = false
endmodule
module Plain
hidden = 4
exports
shown = hidden + 1
module Inside(k)
exports
sum = k + shown
endmodule
endmodule
instance I = M(1)
instance J = M(2)
instance K = Plain
instance L = K::Inside(10)
";
    for (expression, expected) in [
        ("I::twice(1)", "3"),
        ("J::twice(1)", "5"),
        ("(I::top, J::top)", "(3, 4)"),
        ("I::events", "{I::c.0, I::c.1}"),
        ("inter(I::events, J::events)", "{}"),
        ("card(Events)", "5"),
        ("Plain::shown", "5"),
        ("L::sum", "15"),
    ] {
        assert_eq!(
            value(script, expression).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
}
