//! Timed sections: each operator with time, in all the places a section can stand.

use pretty_assertions::assert_eq;

use super::processes::traces;

const DEFINITIONS: &str = "
channel tock, a, b
channel c : {0..1}
zero(_) = 0
by(a) = 0
by(b) = 1
by(c.x) = x
Timed (zero) {
Z = a -> b -> STOP
Skip = SKIP
Stop = STOP
False = false & a -> STOP
Choice = a -> STOP [] b -> STOP
EmptyChoice = [] x : {} @ a -> STOP
EmptyInterleave = ||| x : {} @ a -> STOP
EmptyInternal = |~| x : {0} @ a -> STOP
Inter = a -> SKIP ||| b -> SKIP
RInter = ||| x : {0..1} @ c.x -> SKIP
Par = a -> STOP [| {} |] b -> STOP
Alph = a -> STOP [{a} || {b}] b -> STOP
Interrupt = a -> STOP /\\ b -> STOP
Seq = a -> SKIP ; b -> STOP
W2 = WAIT(2) ; a -> STOP
W0 = WAIT(0)
SyncC = a -> STOP [+ {a} +] a -> b -> STOP
SyncI = a -> STOP /+ {a} +\\ a -> b -> STOP
Rec = a -> Rec
}
Timed (by) { V = c?x -> a -> STOP }
P(f) = let Timed (f) { T = a -> STOP } within T
module M(n)
exports
Timed (\\ _ @ n) { T = a -> STOP }
channel tick
endmodule
module Own
exports
channel tock
Timed { T = a -> STOP }
endmodule
instance M0 = M(0)
instance M1 = M(1)
";

/// Processes with the traces of three events that no other extends.
const TIMED: &[(&str, &[&str])] = &[
    ("Z [| {tock} |] STOP", &["a b"]),
    (
        "Z [| {tock} |] tock -> STOP",
        &["a b tock", "a tock b", "tock a b"],
    ),
    ("Skip [| {tock} |] tock -> tock -> STOP", &["tock tock"]),
    ("Skip [| {tock} |] tock -> SKIP", &["tock ✓"]),
    ("Stop [| {tock} |] tock -> SKIP", &["tock"]),
    ("False [| {tock} |] tock -> SKIP", &["tock"]),
    (
        "Choice [| {tock} |] tock -> STOP",
        &["a tock", "b tock", "tock a", "tock b"],
    ),
    ("EmptyChoice [| {tock} |] tock -> SKIP", &["tock"]),
    ("EmptyInterleave [| {tock} |] tock -> SKIP", &["tock ✓"]),
    (
        "EmptyInternal [| {tock} |] tock -> SKIP",
        &["a tock", "tock a"],
    ),
    ("Inter [| {tock} |] SKIP", &["a b ✓", "b a ✓"]),
    (
        "Inter [| {tock} |] tock -> STOP",
        &[
            "a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a",
        ],
    ),
    ("RInter [| {tock} |] SKIP", &["c.0 c.1 ✓", "c.1 c.0 ✓"]),
    (
        "Par [| {tock} |] tock -> STOP",
        &[
            "a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a",
        ],
    ),
    (
        "Alph [| {tock} |] tock -> STOP",
        &[
            "a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a",
        ],
    ),
    (
        "Interrupt [| {tock} |] tock -> STOP",
        &["a b tock", "a tock b", "b tock", "tock a b", "tock b"],
    ),
    ("Seq [| {tock} |] STOP", &["a b"]),
    ("W2 [| {tock} |] tock -> STOP", &["tock"]),
    ("W2 [| {tock} |] tock -> tock -> STOP", &["tock tock a"]),
    ("W0 [| {tock} |] SKIP", &["✓"]),
    (
        "SyncC [| {tock} |] tock -> STOP",
        &["a b tock", "a tock b", "tock a b"],
    ),
    ("Rec [| {tock} |] STOP", &["a a a"]),
    ("V [| {tock} |] STOP", &["c.0 a", "c.1"]),
    (
        "V [| {tock} |] tock -> STOP",
        &[
            "c.0 a tock",
            "c.0 tock a",
            "c.1 tock a",
            "tock c.0 a",
            "tock c.1",
        ],
    ),
    (
        "P(\\ _ @ 0) [| {tock} |] tock -> STOP",
        &["a tock", "tock a"],
    ),
    (
        "(M0::T [| {tock} |] STOP) [] (b -> M1::T)",
        &["a", "b a tock", "b tock a", "b tock tock"],
    ),
    (
        "Own::T [| {Own::tock} |] Own::tock -> STOP",
        &["Own::tock a", "a Own::tock"],
    ),
];

#[test]
fn time_passes_where_it_should() {
    for &(process, expected) in TIMED {
        let expected: std::collections::BTreeSet<String> =
            expected.iter().map(|trace| trace.to_string()).collect();
        assert_eq!(traces(DEFINITIONS, process, 3), expected, "{process}");
    }
}
