//! Fields that have some values of a constructor only: incomplete values go on as the field allows,
//! and not otherwise.

use pretty_assertions::assert_eq;

use super::processes::traces;
use super::value;

const DEFINITIONS: &str = "
datatype N = Node.{0..2} | Leaf | Y.{0..2}.{0..2}
datatype X = A.{Y.0.1, Y.1.0} | B.{Node.1, Leaf}
datatype L = Nil | Cons.{0..1}.L
subtype S = Node.{0,1} | Y.{0}
nametype Deep = {A.(Y.1.0), B.Leaf}
channel out : {0..2}
channel c : {Node.0, Node.2}
channel d : {Y.0.1, Y.1.0, Leaf}.{0,1}
channel e : X
channel f : Deep
channel g : S
channel h : {0..1}.Deep.Bool
channel l : {Nil, Cons.0.Nil, Cons.0.Cons.1.Nil, Cons.1.Nil}
channel u : union({|Y.1|}, {Y.0.2})
channel i : Open
channel w : {|O|}
channel v : union({|O|}, {Q.O.3.0})
datatype Open = O.Int.{0..1} | Q.{O.3.0, O.4.1}
";

#[test]
fn what_completes_a_value() {
    for (expression, expected) in [
        ("{|c|}", "{c.Node.0, c.Node.2}"),
        ("{|c.Node|}", "{c.Node.0, c.Node.2}"),
        ("extensions(c.Node)", "{0, 2}"),
        ("productions(c.Node)", "{c.Node.0, c.Node.2}"),
        ("{|d.Y|}", "{d.Y.0.1.0, d.Y.0.1.1, d.Y.1.0.0, d.Y.1.0.1}"),
        ("{|d.Y.1|}", "{d.Y.1.0.0, d.Y.1.0.1}"),
        ("{|d.Y.2|}", "{}"),
        ("{|d.Node|}", "{}"),
        ("extensions(d.Y)", "{0.1.0, 0.1.1, 1.0.0, 1.0.1}"),
        ("extensions(d.Y.1)", "{0.0, 0.1}"),
        ("productions(d.Y.0)", "{d.Y.0.1.0, d.Y.0.1.1}"),
        ("X", "{A.Y.0.1, A.Y.1.0, B.Node.1, B.Leaf}"),
        ("productions(A.Y)", "{A.Y.0.1, A.Y.1.0}"),
        ("extensions(A.Y.0)", "{1}"),
        ("extensions(B.Node)", "{1}"),
        ("{|e.A.Y.1|}", "{e.A.Y.1.0}"),
        ("{|e.B.Y|}", "{}"),
        ("{|f|}", "{f.A.Y.1.0, f.B.Leaf}"),
        ("{|f.A|}", "{f.A.Y.1.0}"),
        ("{|f.A.Y.0|}", "{}"),
        ("{|f.B.Node|}", "{}"),
        ("card({|h.0.A|})", "2"),
        ("{|h.0.A.Y|} == {h.0.A.Y.1.0.x | x <- Bool}", "true"),
        ("{|g.Y|}", "{g.Y.0.0, g.Y.0.1, g.Y.0.2}"),
        ("{|g.Node|}", "{g.Node.0, g.Node.1}"),
        ("extensions(g.Y)", "{0.0, 0.1, 0.2}"),
        ("{|l.Cons.0|}", "{l.Cons.0.Nil, l.Cons.0.Cons.1.Nil}"),
        ("{|l.Cons.0.Cons|}", "{l.Cons.0.Cons.1.Nil}"),
        ("extensions(l.Cons.0.Cons.1)", "{Nil}"),
        ("{|u.Y|}", "{u.Y.0.2, u.Y.1.0, u.Y.1.1, u.Y.1.2}"),
        ("extensions(u.Y.0)", "{2}"),
        ("{|i.Q|}", "{i.Q.O.3.0, i.Q.O.4.1}"),
        ("{|i.Q.O.4|}", "{i.Q.O.4.1}"),
        ("{|w.O.3|}", "{w.O.3.0, w.O.3.1}"),
        ("{|w.Q|}", "{}"),
        ("{|v.Q|}", "{v.Q.O.3.0}"),
        ("extensions(v.Q.O)", "{3.0}"),
        ("{|v.O.5|}", "{v.O.5.0, v.O.5.1}"),
        ("member(v.O.9.1, {|v.O|})", "true"),
        ("v.Q.O.4.1", "field-value"),
        ("member(i.O.7.1, {|i.O.7|})", "true"),
        ("{x | A.Y.x.y <- X}", "{0, 1}"),
        ("{x | f.A.x <- {|f|}}", "{Y.1.0}"),
        ("c.Node.1", "field-value"),
        ("d.Y.0.0", "field-value"),
        ("f.A.Y.0.1", "field-value"),
        ("e.A.Y.2.2", "field-value"),
        ("(\\ x @ c.x)(Node.2)", "c.Node.2"),
    ] {
        let found = value(DEFINITIONS, expression).unwrap_or_else(|e| e.code.to_string());
        assert_eq!(found, expected, "{expression}");
    }
}

#[test]
fn what_is_offered() {
    for (process, expected) in [
        (
            "c.Node?x -> out.x -> STOP",
            vec!["c.Node.0 out.0", "c.Node.2 out.2"],
        ),
        (
            "c?Node.x -> out.x -> STOP",
            vec!["c.Node.0 out.0", "c.Node.2 out.2"],
        ),
        ("c.Node?x:{0,2} -> STOP", vec!["c.Node.0", "c.Node.2"]),
        (
            "d.Y?x?y!0 -> out.x -> out.y -> STOP",
            vec!["d.Y.0.1.0 out.0 out.1", "d.Y.1.0.0 out.1 out.0"],
        ),
        ("d.Y.1?y!1 -> STOP", vec!["d.Y.1.0.1"]),
        ("d.Y$x?y!1 -> STOP", vec!["d.Y.0.1.1", "d.Y.1.0.1"]),
        (
            "d?Y.x.y!1 -> out.x -> STOP",
            vec!["d.Y.0.1.1 out.0", "d.Y.1.0.1 out.1"],
        ),
        ("e.A.Y?x.y -> STOP", vec!["e.A.Y.0.1", "e.A.Y.1.0"]),
        ("e.A.Y?x -> STOP", vec!["e.A.Y.0.1", "e.A.Y.1.0"]),
        ("e?A.x -> STOP", vec!["e.A.Y.0.1", "e.A.Y.1.0"]),
        ("f.A?x -> STOP", vec!["f.A.Y.1.0"]),
        ("f.A.Y?x?y -> out.x -> STOP", vec!["f.A.Y.1.0 out.1"]),
        (
            "h?b?A.Y.x.y!true -> STOP",
            vec!["h.0.A.Y.1.0.true", "h.1.A.Y.1.0.true"],
        ),
        ("g.Y?x?y -> STOP", vec!["g.Y.0.0", "g.Y.0.1", "g.Y.0.2"]),
        (
            "l.Cons.0?x -> STOP",
            vec!["l.Cons.0.Cons.1.Nil", "l.Cons.0.Nil"],
        ),
        (
            "(c.Node?x -> STOP)[[c.Node <- out]]",
            vec!["out.0", "out.2"],
        ),
        (
            "(d.Y?x?y?z -> STOP)[[d.Y.1.0 <- out]]",
            vec!["d.Y.0.1.0", "d.Y.0.1.1", "out.0", "out.1"],
        ),
        ("(c.Node.0 -> c.Node.2 -> STOP) \\ {|c.Node|}", vec![""]),
    ] {
        let expected: std::collections::BTreeSet<String> =
            expected.into_iter().map(str::to_string).collect();
        assert_eq!(traces(DEFINITIONS, process, 3), expected, "{process}");
    }
}
