//! Tests of reading the format of Aldebaran.

use pretty_assertions::assert_eq;

use super::*;

fn read_text(text: &str) -> Result<AutFile> {
    let place = Span::new(FileId(0), 0, 0);
    read(FileId(1), "a.aut", text, place)
}

#[test]
fn a_file_is_read_with_or_without_quotes() {
    let text = "des(1,4, 3)\r\n(1,\"a.1\",0)\n  ( 0 , b , 1 )\n\n(0, \"i\", 0)\n(1, exit, 2)\n";
    let system = read_text(text).unwrap();
    assert_eq!((system.initial, system.states), (1, 3));
    let expected = [
        (1, AutLabel::Event(0), 0),
        (0, AutLabel::Event(1), 1),
        (0, AutLabel::Tau, 0),
        (1, AutLabel::Tick, 2),
    ];
    assert_eq!(system.transitions, expected);
    let events: Vec<&str> = system
        .events
        .iter()
        .map(|span| &text[span.range()])
        .collect();
    assert_eq!(events, ["a.1", "b"]);
}

#[test]
fn labels_stand_where_they_are_in_the_file() {
    for (text, expected) in [
        (
            "des (0, 2, 1)\n(0, \"a.1\", 0)\n(0, b, 0)\n",
            "<            \n    (a.1),   \n    b>   \n",
        ),
        (
            "des (0, 1, 1)\n(0, \"c.\\\"x\\\"\", 0)\n",
            "<            \n    (c.\"x\"  )>   \n",
        ),
        ("des (0, 0, 1)", "<>           "),
    ] {
        let system = read_text(text).unwrap();
        assert_eq!(labels(&system, text), expected);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, place, message) in [
        ("", "", "the file is empty"),
        ("a\n", "a", "should begin"),
        ("des (0, x, 1)\n", "des (0, x, 1)", "should begin"),
        ("des (1, 0, 1)\n", "des (1, 0, 1)", "initial state is 1"),
        (
            "des (0, 0, 9999999999)",
            "des (0, 0, 9999999999)",
            "32 bits",
        ),
        ("des (0, 2, 1)\n(0, a, 0)\n", "(0, a, 0)", "promises 2"),
        ("des (0, 1, 1)\n(0, a, 1)\n", "(0, a, 1)", "no state 1"),
        (
            "des (0, 1, 1)\n(0, a, x)\n",
            "(0, a, x)",
            "`x` is no number",
        ),
        (
            "des (0, 1, 1)\n(0, \"a, 0)\n",
            "(0, \"a, 0)",
            "should look like",
        ),
        ("des (0, 1, 1)\n(0, , 0)\n", "(0, , 0)", "should look like"),
        ("des (0, 1, 1)\n0 a 0\n", "0 a 0", "should look like"),
        (
            "des (0, 2, 2)\n(0, tick, 1)\n(1, a, 0)\n",
            "(0, tick, 1)",
            "after termination",
        ),
    ] {
        let problem = read_text(text).expect_err(text);
        assert_eq!(problem.code, "bad-aut");
        assert!(problem.message.contains(message), "{}", problem.message);
        assert_eq!(&text[problem.labels[0].0.range()], place, "{text:?}");
    }
}
