//! Scripts and values nested deeper than the stack.

use super::value;

const DEEP: usize = 100_000;

/// Scripts and expressions, with `⟨` for many opening brackets and `⟩` for those that close them,
/// and their values.
const NESTED: &[(&str, &str, &str)] = &[
    ("g(⟨<x>^xs⟩) = x", "g(<1, 2>)", "1"),
    ("g(⟨<x>⟩^xs) = x", "g(<1, 2>)", "1"),
    ("g((⟨<x>⟩ @@ y)^xs) = (x, y)", "g(<1, 2>)", "(1, <1>)"),
    ("g(⟨x⟩) = x", "g(1)", "1"),
    ("⟨y⟩ = 1", "y", "1"),
    ("channel a, b\nP = a -> STOP", "a -> ⟨P⟩", "<process>"),
    ("channel c : {0..1}", "c?⟨x⟩ -> STOP", "<process>"),
    ("channel c : ⟨{0..1}⟩", "card({|c|})", "2"),
    ("datatype D = A.⟨{0..1}⟩", "card(D)", "2"),
    ("channel a\nP = a -> P", "P [| ⟨{|a|}⟩ |] P", "<process>"),
];

#[test]
fn brackets_take_no_stack() {
    let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
    let nested = |text: &str| text.replace('⟨', &open).replace('⟩', &close);
    for (script, expression, expected) in NESTED {
        let found = value(&nested(script), &nested(expression));
        assert_eq!(found.as_deref(), Ok(*expected), "{script} | {expression}");
    }
}

#[test]
fn nested_patterns_take_no_stack() {
    let items = "(<_>^".repeat(DEEP) + "xs" + &")".repeat(DEEP);
    let script = format!("g({items}) = 1\ng(_) = 2");
    assert_eq!(value(&script, "g(<1, 2>)").as_deref(), Ok("2"));
    let script = format!("g({}<x>{}^xs) = x", "(_ @@ ".repeat(DEEP), ")".repeat(DEEP));
    assert_eq!(value(&script, "g(<1, 2>)").as_deref(), Ok("1"));
}
