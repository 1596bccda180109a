//! Nesting a hundred thousand deep, ten megabytes, random tokens.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{assert_round_trip, script};
use crate::parser::{NoIncludes, parse_script};
use crate::print::script_text;
use crate::tests::shape::script_shape;
use base::source::SourceMap;

const DEEP: usize = 100_000;

fn parses(text: &str) {
    match script(text) {
        // Printing and comparing walk the whole tree: they must not overflow either.
        Ok(ast) => {
            let printed = script(&script_text(&ast)).expect("prints as CSPm");
            assert_eq!(script_shape(&ast), script_shape(&printed));
        }
        Err(message) => panic!("{}", &message[..message.len().min(500)]),
    }
}

#[test]
fn deep_nesting() {
    let wrapped = |open: &str, middle: &str, close: &str| {
        parses(&format!(
            "x = {}{middle}{}",
            open.repeat(DEEP),
            close.repeat(DEEP)
        ));
    };
    wrapped("(", "1", ")");
    wrapped("{", "1", "}");
    wrapped("<", "1", ">");
    wrapped("f(", "1", ")");
    wrapped("a -> ", "STOP", "");
    wrapped("if b then P else ", "Q", "");
    wrapped("if ", "b", " then P else Q");
    wrapped("let y = 1 within ", "y", "");
    wrapped("let y = ", "1", " within y");
    wrapped("\\ y @ ", "y", "");
    wrapped("[] y:S @ ", "P", "");
    wrapped("- ", "1", "");
    wrapped("not ", "b", "");
    wrapped("b & ", "P", "");
    wrapped("", "1", " + 1");
    wrapped("", "P", " [] P");
    wrapped("", "P", " \\ A");
    wrapped("", "P", " \\ A ||| P");
    wrapped("", "P \\ A", " ||| P");
    wrapped("", "c", ".1");
    wrapped("", "f", "(1)");
    wrapped("", "P", "[[a <- b]]");
    parses(&format!(
        "{}x = 1{}",
        "Timed { ".repeat(DEEP),
        " }".repeat(DEEP)
    ));
    parses(&format!("f({}y{}) = 1", "(".repeat(DEEP), ")".repeat(DEEP)));
    parses(&format!("x{} = 1", " ^ <y>".repeat(DEEP)));
    parses(&format!("x = c{} -> P", "?y".repeat(DEEP)));
    parses(&format!("x :: {}Int{}", "{".repeat(DEEP), "}".repeat(DEEP)));
}

#[test]
fn deep_regrouping() {
    parses(&format!(
        "x = {}c.1{}",
        "(".repeat(DEEP),
        ").1".repeat(DEEP)
    ));
    let concatenations = format!("f({}<x>{}) = 1", "(".repeat(DEEP), "^<y>)".repeat(DEEP));
    parses(&concatenations);
}

#[test]
fn deep_and_broken() {
    for text in [
        "(", "{", "<", "let x = ", "f(", "if ", "{-", "[|", "a -> ", "1 + ", "x.",
    ] {
        assert!(
            script(&format!("x = {}", text.repeat(DEEP))).is_err(),
            "{text}"
        );
    }
}

#[test]
fn ten_megabytes() {
    let line = "P(x, y) = c.x?z:{0..3}!y+1 -> (if x < 3 then P(x + 1, y) else STOP) [] d -> P(0, y) \\ {| c |}\n";
    let text: String = (0..10_000_000 / line.len())
        .map(|i| format!("Q{i}{}", &line[1..]))
        .collect();
    let mut sources = SourceMap::new();
    let root = sources.add("big.csp", text);
    let start = Instant::now();
    let (ast, diagnostics) = parse_script(&mut sources, root, &mut NoIncludes);
    let elapsed = start.elapsed();
    assert!(diagnostics.is_empty());
    assert!(ast.script.len() > 90_000);
    // Generous: tests run unoptimised, on busy machines.
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}

const TOKENS: &[&str] = &[
    "x",
    "P",
    "1",
    "'c'",
    "\"s\"",
    "_",
    "true",
    "and",
    "or",
    "not",
    "if",
    "then",
    "else",
    "let",
    "within",
    "channel",
    "assert",
    "datatype",
    "subtype",
    "external",
    "transparent",
    "nametype",
    "module",
    "exports",
    "endmodule",
    "instance",
    "Timed",
    "print ",
    "include \"f\"",
    "(",
    ")",
    "{",
    "}",
    "{|",
    "|}",
    "(| ",
    "|)",
    "[[",
    "]]",
    "[|",
    "|]",
    "|>",
    "[+",
    "+]",
    "/+",
    "+\\",
    "[",
    "]",
    "<",
    ">",
    "<>",
    "<=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "#",
    "^",
    "[]",
    "|~|",
    "|||",
    "||",
    "/\\",
    "[>",
    ";",
    "\\",
    "|\\",
    "->",
    "&",
    "?",
    "!",
    "$",
    ".",
    "..",
    ",",
    "|",
    "@",
    "@@",
    "=",
    "<-",
    "<->",
    "=>",
    "=>*",
    ":",
    "::",
    " :: ",
    "[T=",
    ":[deadlock free]",
    ":[tau priority]:",
    ":[for all]:",
    ":[x",
    "\n",
    "\n\n",
    "{-",
    "-}",
    "--",
    "é",
    "\"",
    "'",
];

/// Most rows have no operator before an operand.
const PREFIXES: &[&str] = &[
    "",
    "",
    "",
    "",
    "-",
    "not",
    "#",
    "if b then P else",
    "let y = 1 within",
    "\\ y @",
    "[] y:S @",
    "|| y:S @ [A]",
    "; y:s @",
    "[a <-> b] y:s @",
    "[| -1 |] y:S, b @",
];

const OPERANDS: &[&str] = &[
    "x",
    "1",
    "f(x)(-1)",
    "{ -1}",
    "<x | x <- s>",
    "< -1..>",
    "<>",
    "{}",
    "(x)",
    "(c.x)",
    "P[[a <- -1]]",
    "{|c|}",
    "(| 1 => -1 |)",
    "'c'",
    "\"s\"",
    "true",
    "M::x",
    "<<1>,{1}>",
];

const INFIXES: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "<",
    ">",
    ">=",
    "and",
    "or",
    "^",
    "[]",
    "|~|",
    ";",
    "|||",
    "/\\",
    "[>",
    "[| A |]",
    "[| -1 |> ",
    "[A || -1]",
    "[a <-> b]",
    "[+ -1 +]",
    "/+ A +\\",
    "\\",
    "|\\",
    "->",
    "&",
    ".",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_never_panic(picks in prop::collection::vec(0..TOKENS.len(), 0..40), spaced in any::<bool>()) {
        let gap = if spaced { " " } else { "" };
        let text: Vec<&str> = picks.iter().map(|&i| TOKENS[i]).collect();
        let _ = script(&text.join(gap));
    }

    #[test]
    fn random_rows_print_and_parse_again(
        picks in prop::collection::vec((0..PREFIXES.len(), 0..OPERANDS.len(), 0..INFIXES.len()), 1..8),
    ) {
        let mut text = "x =".to_string();
        for (i, &(prefix, operand, infix)) in picks.iter().enumerate() {
            let infix = if i > 0 { INFIXES[infix] } else { "" };
            text.push_str(&format!(" {infix} {} {}", PREFIXES[prefix], OPERANDS[operand]));
        }
        // Comparisons and parallels in a row are errors; everything else has a tree.
        match script(&text) {
            Ok(_) => assert_round_trip(&text),
            Err(message) => prop_assert!(
                message.contains("[chained-comparison]") || message.contains("[ambiguous-parallel]"),
                "{}\n{}", text, message
            ),
        }
    }

    #[test]
    fn random_text_never_panics(text in "(?s).{0,60}") {
        let _ = script(&text);
    }
}
