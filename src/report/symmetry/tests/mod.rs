//! The JSON object of symmetries.

pub(super) mod example;

use pretty_assertions::assert_eq;

use self::example::hanoi;
use super::*;

#[test]
fn json_has_the_documented_keys_in_the_documented_order() {
    let mut hanoi = hanoi();
    hanoi.leaves.truncate(2);
    hanoi.event_orbits.truncate(1);
    let pbisims = hanoi.pbisims.as_mut().expect("it has them");
    pbisims.events.truncate(1);
    pbisims.graphs.truncate(1);
    pbisims.graphs[0].transitions.truncate(2);
    pbisims.relations[0].events.truncate(1);
    let expected = concat!(
        r#"{"schema":1,"file":"hanoi.csp","assertion":"assert RUN(Events) [T= HANOI","specification":"RUN(Events)","implementation":"HANOI","start_fixed":true,"#,
        r#""listed":true,"normal_components":false,"order":"2","structure":"S2","universal":true,"algorithm":"SymCheck1","representative":"sortRep","#,
        r#""unique":true,"detection":{"complete":true,"steps":17},"#,
        r#""refused":[{"algorithm":"SymCheck2","reason":"SymCheck1 applies and is cheaper"},"#,
        r#"{"algorithm":"SymCheck3","reason":"no symmetry moves the specification"}],"#,
        r#""types":[{"name":"PEG","free":[["B","C"]],"turning":[],"fixed":["A"],"complete":true}],"#,
        r#""looked_into":[],"generators":[{"name":"(B C)","source":"type PEG","moves_initial":false,"#,
        r#""moves_specification":false,"leaves":[[1,2],[2,1]]}],"#,
        r#""leaves":[{"expression":"POLE(A)","states":4,"transitions":12},"#,
        r#"{"expression":"POLE(B)","states":4,"transitions":12}],"leaf_orbits":[[1,2]],"#,
        r#""event_orbits":[["move.1.A.B","move.1.A.C"]],"#,
        r#""rejected":[{"name":"(A B)","reason":"it moves the initial states","place":"hanoi.csp:81:9","type":0}],"#,
        r#""near":[],"pbisims":{"events":["move.1.A.B"],"#,
        r#""graphs":[{"transitions":[[0,0,1],[0,1,1]],"off":null}],"#,
        r#""relations":[{"events":[["move.1.A.B","move.1.A.C"]],"specification":[],"#,
        r#""leaves":[{"from":1,"to":2,"states":[0,1,2,3]},{"from":2,"to":1,"states":[0,1,2,3]}]}]}}"#
    );
    assert_eq!(hanoi.json(), expected);
}

#[test]
fn relations_are_null_unless_asked_for() {
    let hanoi = SymmetryDescription {
        pbisims: None,
        ..hanoi()
    };
    assert!(hanoi.json().contains(r#""pbisims":null"#));
}
