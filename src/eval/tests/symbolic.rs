//! Sets in symbols: equality, inclusion, union, intersection and difference, without listing them.

use pretty_assertions::assert_eq;

use super::value;

const DEFINITIONS: &str = "
datatype List = Nil | Cons.{0..1}.List
datatype Boxed = Box.Int
datatype Boxes = One.Int | Two.Int.Int
channel a
channel i : Int
channel j : Int.Bool
channel k : {0..1}.{0..}
nametype Pairs = (Int, Bool)
nametype Dotted = {0..}.{0..1}
nametype NoPairs = (Int, {x | x <- {0}, false})
nametype NoDots = {0..}.{x | x <- {0}, false}
Least = -9223372036854775807 - 1
";

/// Expressions with their values, or with the code of the message.
const SETS: &[(&str, &str)] = &[
    ("{|Cons|} <= List", "true"),
    ("List <= {|Cons|}", "false"),
    ("inter({|Cons|}, List) == {|Cons|}", "true"),
    ("union({|Cons|}, {Nil}) == List", "true"),
    ("Boxed == {|Box|}", "true"),
    ("{|One|} == Boxes", "false"),
    ("{|One, Two|} == Boxes", "true"),
    ("{|i|} <= Events", "true"),
    ("{|j|} <= Events", "true"),
    ("{|i|} <= {|j|}", "false"),
    ("inter({|i|}, {|j|}) == {}", "true"),
    ("inter({|i, a|}, {|j, a|}) == {a}", "true"),
    ("{|i, j|} <= {|j, i, a|}", "true"),
    ("member(k.1.77, {|k|})", "true"),
    ("member(k.1.77, {|k.0|})", "false"),
    ("{|k.0|} <= {|k|}", "true"),
    ("inter({|k.0|}, {|k.1|}) == {}", "true"),
    ("member((3, true), Pairs)", "true"),
    ("Pairs == Pairs", "true"),
    ("member(3.1, Dotted)", "true"),
    ("member((-3).1, Dotted)", "false"),
    ("{0..} == {0..}", "true"),
    ("{0..} == {1..}", "false"),
    ("{0..} < Int", "true"),
    ("Int <= {0..}", "false"),
    ("Int == Int", "true"),
    ("union({0..}, { -1}) == union({ -1}, {0..})", "true"),
    ("member(-1, union({0..}, { -1}))", "true"),
    ("member(-2, union({0..}, { -1}))", "false"),
    ("inter({0..}, { -3..3})", "{0, 1, 2, 3}"),
    ("inter({2..}, {5..}) == {5..}", "true"),
    ("diff({0..}, {5..})", "{0, 1, 2, 3, 4}"),
    ("diff({5..}, {0..})", "{}"),
    ("diff({5..}, {1,2}) == {5..}", "true"),
    ("diff({5..}, {7})", "infinite-set"),
    ("diff({0..}, {100000000000..})", "set-too-large"),
    ("diff({1,-1}, {0..})", "{ -1}"),
    ("Seq({0..}) <= Seq(Int)", "true"),
    ("member(<1,-1>, Seq({0..}))", "false"),
    ("member(<>, Seq({}))", "true"),
    ("Seq({}) == {<>}", "true"),
    ("Set({}) == {{}}", "true"),
    ("member({1,2}, Set(Int))", "true"),
    ("member({0..}, Set(Int))", "true"),
    ("Set({0..}) <= Set(Int)", "true"),
    ("inter(Seq({1,2}), Seq({2,3})) == Seq({2})", "true"),
    ("inter(Seq({1}), {<1>, <2>})", "{<1>}"),
    ("Map({}, Int)", "{(| |)}"),
    ("card(Map({1,2}, {}))", "1"),
    ("card(Map({1,2}, Bool))", "9"),
    ("member((| 1 => 2 |), Map({1}, Int))", "true"),
    ("Map({1}, {0..}) <= Map({1}, Int)", "true"),
    ("empty({0..})", "false"),
    ("empty(Seq({}))", "false"),
    ("empty(Set({}))", "false"),
    ("empty(List)", "false"),
    ("card(Seq({}))", "1"),
    ("card(List)", "infinite-set"),
    ("{{1,2},{2,1},{}}", "{{}, {1, 2}}"),
    ("card(Set(Set({0,1})))", "16"),
    ("Union({{0..},{ -1}}) == union({ -1},{0..})", "true"),
    ("Union({})", "{}"),
    ("Inter({{0..},{ -1,4}})", "{4}"),
    ("Inter({{1,2,3},{2,3},{3,4}})", "{3}"),
    ("{<1,2>,<1>,<>}", "{<>, <1>, <1, 2>}"),
    ("set(<3,1,3>)", "{1, 3}"),
    ("{(1,{2}),(1,{2,2})}", "{(1, {2})}"),
    ("card({Int, {0..}, Int})", "2"),
    ("card({{STOP}})", "1"),
    ("member('a', Char)", "true"),
    ("Bool == {true, false}", "true"),
    ("card(set(<Nil, Cons.0.Nil, Nil>))", "2"),
    ("empty(productions(i))", "false"),
    ("extensions(k.1) == {0..}", "true"),
    ("extensions(i) == Int", "true"),
    ("productions(k.1) == {|k.1|}", "true"),
    ("(\\ {} @ 1)(Seq({}))", "no-matching-clause"),
    ("(\\ {x} @ x)(Seq({}))", "<>"),
    ("{x | {x} <- Set({1,2})}", "{1, 2}"),
    ("{x | x <- {1..3}, y <- {x..2}}", "{1, 2}"),
    ("{1..0}", "{}"),
    ("{x..y | x <- {1}, y <- {2,4}}", "{1, 2, 3, 4}"),
    ("{x.. | x <- {4,2,9}} == {2..}", "true"),
    ("member(3, {x.. | x <- {4,2,9}})", "true"),
    ("{x.. | x <- {}}", "{}"),
    ("inter({x.. | x <- {4,9}}, {1..5})", "{4, 5}"),
    ("{x.. | x <- {4,9}} <= {5..}", "false"),
    ("diff({x.. | x <- {4,9}}, {7..})", "{4, 5, 6}"),
    ("{x.. | x <- {0..}}", "infinite-set"),
    ("card({{x.. | x <- {2,4}}, {2..}})", "1"),
    ("{0..} <= union({0..5}, {6..})", "true"),
    ("union({0..5}, {6..}) == {0..}", "true"),
    ("union({0,2}, {4..}) == union({4..}, {2,0,7})", "true"),
    ("union({0,2}, {4..}) == union({4..}, {2,0,3})", "false"),
    ("union({0,2}, {4..}) <= union({4..}, {2,0,3})", "true"),
    ("union({0,2,3}, {4..}) <= union({4..}, {2,0})", "false"),
    ("card({union({0,2,3}, {4..}), union({0}, {2..})})", "1"),
    ("Int <= union({0,2}, {4..})", "false"),
    ("union({0,2}, {4..}) <= Int", "true"),
    (
        "inter(union({0,2}, {4..}), union({1,2}, {5..})) == union({2}, {5..})",
        "true",
    ),
    ("diff(union({0,2}, {4..}), {3..})", "{0, 2}"),
    ("Union({{x..} | x <- {3,1}}) == {1..}", "true"),
    ("Seq({0,1}) <= union(Seq({0}), Seq({1}))", "infinite-set"),
    ("head(<x.. | x <- <4,5>>)", "4"),
    ("(card(NoPairs), card(NoDots))", "(0, 0)"),
    ("Map({0..}, {}) == {(| |)}", "true"),
    ("Map({}, {0..}) == {(| |)}", "true"),
    ("Map({0..}, {1}) <= Map({0..}, {0..})", "true"),
    ("Map({0..}, {1}) <= Map({0..}, {})", "false"),
    ("card(Map({1..3}, {1..9}))", "1000"),
    ("card(Map({1,2}, {1..20000}))", "set-too-large"),
    ("card(Map({1..25}, {1}))", "set-too-large"),
    ("diff({Least..}, {Least..})", "{}"),
    ("diff({Least..}, {Least + 1..})", "{ -9223372036854775808}"),
    ("diff({0..}, {Least..})", "{}"),
    (
        "diff({9223372036854775807..}, {9223372036854775807})",
        "integer-overflow",
    ),
];

#[test]
fn symbolic_sets() {
    for &(expression, expected) in SETS {
        let found = value(DEFINITIONS, expression).unwrap_or_else(|e| e.code.to_string());
        assert_eq!(found, expected, "{expression}");
    }
}
