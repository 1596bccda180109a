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

#[test]
fn time_passes_where_it_should() {
    for (process, expected) in [
        ("Z [| {tock} |] STOP", vec!["a b"]),
        ("Z [| {tock} |] tock -> STOP", vec!["a b tock", "a tock b", "tock a b"]),
        ("Skip [| {tock} |] tock -> tock -> STOP", vec!["tock tock ✓?"]),
        ("Skip [| {tock} |] tock -> SKIP", vec!["tock ✓"]),
        ("Stop [| {tock} |] tock -> SKIP", vec!["tock"]),
        ("False [| {tock} |] tock -> SKIP", vec!["tock"]),
        ("Choice [| {tock} |] tock -> STOP", vec!["a tock", "b tock", "tock a", "tock b"]),
        ("EmptyChoice [| {tock} |] tock -> SKIP", vec!["tock"]),
        ("EmptyInterleave [| {tock} |] tock -> SKIP", vec!["tock ✓"]),
        ("EmptyInternal [| {tock} |] tock -> SKIP", vec!["a tock", "tock a"]),
        ("Inter [| {tock} |] SKIP", vec!["a b ✓", "b a ✓"]),
        ("Inter [| {tock} |] tock -> STOP", vec!["a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a"]),
        ("RInter [| {tock} |] SKIP", vec!["c.0 c.1 ✓", "c.1 c.0 ✓"]),
        ("Par [| {tock} |] tock -> STOP", vec!["a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a"]),
        ("Alph [| {tock} |] tock -> STOP", vec!["a b tock", "a tock b", "b a tock", "b tock a", "tock a b", "tock b a"]),
        ("Interrupt [| {tock} |] tock -> STOP", vec!["a b tock", "a tock b", "b tock", "tock a b", "tock b"]),
        ("Seq [| {tock} |] STOP", vec!["a b"]),
        ("W2 [| {tock} |] tock -> STOP", vec!["tock"]),
        ("W2 [| {tock} |] tock -> tock -> STOP", vec!["tock tock a"]),
        ("W0 [| {tock} |] SKIP", vec!["✓"]),
        ("SyncC [| {tock} |] tock -> STOP", vec!["a tock b?"]),
        ("Rec [| {tock} |] STOP", vec!["a a a"]),
        ("V [| {tock} |] STOP", vec!["c.0 a", "c.1"]),
        ("V [| {tock} |] tock -> STOP", vec!["c.0 a tock", "c.0 tock a", "c.1 tock a", "tock c.0 a", "tock c.1"]),
        ("P(\\ _ @ 0) [| {tock} |] tock -> STOP", vec!["a tock", "tock a"]),
        ("M0::T [| {tock} |] STOP [] b -> M1::T", vec!["a", "b a tock", "b tock a", "b tock tock"]),
        ("Own::T [| {Own::tock} |] Own::tock -> STOP", vec!["Own::tock a", "a Own::tock"]),
    ] {
        let expected: std::collections::BTreeSet<String> = expected.into_iter().map(str::to_string).collect();
        let r = std::panic::catch_unwind(|| traces(DEFINITIONS, process, 3));
        match r { Ok(v) if v == expected => {}, Ok(v) => eprintln!("BAD {process} => {v:?} wanted {expected:?}"), Err(e) => eprintln!("BAD {process} => panic {:?}", e.downcast_ref::<String>()) }
    }
}
