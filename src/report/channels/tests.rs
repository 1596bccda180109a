//! A graph that is made by hand, as each renderer shows it.

use pretty_assertions::assert_eq;

use super::layout::ChannelLayout;
use super::*;
use crate::drawing::EdgeEnds;

/// An end of a channel: the component, and `!` if it sends, `?` if it receives.
fn end((component, role): (usize, &str)) -> ChannelEnd {
    ChannelEnd {
        component,
        sends: role.contains('!'),
        receives: role.contains('?'),
    }
}

fn channel(name: &str, events: u64, orbit: usize, ends: &[(usize, &str)]) -> ChannelDescription {
    ChannelDescription {
        name: name.to_string(),
        events,
        hidden: false,
        ends: ends.iter().copied().map(end).collect(),
        references: Vec::new(),
        orbit,
        breaks: Vec::new(),
    }
}

/// Two alike clients, a server that is odd, and a clock that all of them hear.
fn example() -> ChannelGraph {
    let component = |name: &str, orbit, breaks: &[usize]| ChannelComponent {
        name: name.to_string(),
        states: 2,
        orbit,
        breaks: breaks.to_vec(),
    };
    let tick = [(0, ""), (1, ""), (2, "!")];
    ChannelGraph {
        file: "a.csp".to_string(),
        expression: "SYSTEM".to_string(),
        components: vec![
            component("CLIENT(1)", 0, &[]),
            component("CLIENT(2)", 0, &[]),
            component("SERVER", 1, &[0]),
        ],
        channels: vec![
            ChannelDescription {
                references: vec!["reply".to_string()],
                breaks: vec![0],
                ..channel("ask.1", 3, 0, &[(0, "!"), (2, "?")])
            },
            channel("ask.2", 3, 0, &[(1, "!"), (2, "?")]),
            channel("log", 1, 1, &[(2, "")]),
            channel("reply.1", 1, 2, &[(0, "?"), (2, "!")]),
            channel("swap", 4, 3, &[(0, "!?"), (1, "!?")]),
            ChannelDescription {
                hidden: true,
                ..channel("tick", 1, 4, &tick)
            },
        ],
        order: Some("2".to_string()),
        structure: Some("S2".to_string()),
        broken: vec![BrokenSymmetry {
            name: "(1 2)".to_string(),
            reason: "`SERVER` is odd".to_string(),
            place: Some("a.csp:3:1".to_string()),
        }],
    }
}

#[test]
fn the_text_says_who_talks_to_whom() {
    let expected = "\
SYSTEM: 3 components, 5 channels between them, 2 symmetries (S2)

Components: symmetries take those of one line to each other
  CLIENT(1), CLIENT(2)
  ! SERVER

Channels between components
  ! ask.1 (3 events) {reply}: CLIENT(1) -> ! SERVER
  ask.2 (3 events): CLIENT(2) -> ! SERVER
  reply.1: ! SERVER -> CLIENT(1)
  swap (4 events): CLIENT(1) <-> CLIENT(2)
  tick, hidden: ! SERVER; CLIENT(1), CLIENT(2)

What components do alone
  SERVER: log

Symmetries that break at what is marked by !
  (1 2) at a.csp:3:1
    `SERVER` is odd
";
    assert_eq!(text::render(&example()), expected);
}

#[test]
fn without_channels_and_symmetries_little_is_said() {
    let mut graph = example();
    graph.components.truncate(1);
    graph.channels.clear();
    graph.broken.clear();
    (graph.order, graph.structure) = (None, None);
    let expected = "\
SYSTEM: 1 component, 0 channels between them, no symmetries looked for

Components: symmetries take those of one line to each other
  CLIENT(1)
";
    assert_eq!(text::render(&graph), expected);
}

#[test]
fn graphviz_gets_ellipses_and_boxes() {
    let expected = r##"digraph channels {
  fontname="Helvetica";
  node [fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  label="SYSTEM: 3 components, 5 channels between them, 2 symmetries (S2)";
  n0 [label="CLIENT(1)", shape=ellipse, style=filled, fillcolor="#BFE1F6"];
  n1 [label="CLIENT(2)", shape=ellipse, style=filled, fillcolor="#BFE1F6"];
  n2 [label="SERVER", shape=ellipse, color="#C0352B", penwidth=3];
  n3 [label="tick", shape=box, style=dashed];
  n0 -> n2 [label="! ask.1 ×3 {reply}", color="#C0352B", penwidth=3];
  n0 -> n1 [label="swap ×4", dir=both];
  n0 -> n3 [label="", dir=none, style=dashed];
  n1 -> n3 [label="", dir=none, style=dashed];
  n2 -> n3 [label="", style=dashed];
  n2 -> n0 [label="reply.1"];
  n1 -> n2 [label="ask.2 ×3"];
}
"##;
    assert_eq!(dot::render(&example()), expected);
}

#[test]
fn json_has_the_keys_in_order() {
    let json = example().json();
    assert!(json.starts_with(
        r#"{"schema":1,"file":"a.csp","expression":"SYSTEM","components":[{"name":"CLIENT(1)","states":2,"orbit":0,"breaks":[]},"#
    ));
    assert!(json.contains(
        r#"{"name":"ask.1","events":3,"hidden":false,"ends":[{"component":0,"sends":true,"receives":false},{"component":2,"sends":false,"receives":true}],"references":["reply"],"orbit":0,"breaks":[0]}"#
    ));
    assert!(json.ends_with(
        r#""order":"2","structure":"S2","broken":[{"name":"(1 2)","reason":"`SERVER` is odd","place":"a.csp:3:1"}]}"#
    ));
}

#[test]
fn what_is_alike_stands_side_by_side_unless_it_talks_to_each_other() {
    let mut graph = example();
    let layout = ChannelLayout::of(&graph, usize::MAX);
    assert_eq!(layout.meetings, [[5]]);
    // The first client, what all hear, and the other two, because the clients swap something.
    assert_eq!(layout.layers(&graph, 3), [0, 2, 2, 1]);
    graph.channels.remove(4);
    // Clients, what they and the server hear, the server.
    let layout = ChannelLayout::of(&graph, usize::MAX);
    assert_eq!(layout.layers(&graph, 3), [0, 0, 2, 1]);
    let graph = example();
    // Without the server nothing is left but what the clients swap.
    let fewer = ChannelLayout::of(&graph, 2);
    assert!(fewer.meetings.is_empty());
    let [line] = &fewer.lines[..] else {
        panic!("there is one line");
    };
    assert_eq!((line.from, line.to, line.leads), (0, 1, EdgeEnds::Both));
}

#[test]
fn the_drawing_has_colours_marks_and_a_legend() {
    let mut out = Vec::new();
    example().write_svg(usize::MAX, &mut out).unwrap();
    let svg = String::from_utf8(out).unwrap();
    assert_eq!(svg.matches("class=\"box neutral tone0\"").count(), 2);
    assert_eq!(svg.matches("class=\"box neutral marked\"").count(), 1);
    assert_eq!(
        svg.matches("<text class=\"tone1\"").count(),
        2,
        "ask.1, ask.2"
    );
    // Both halves of what is swapped have a tip, and so has each of the four that lead one way.
    assert_eq!(svg.matches("class=\"tip").count(), 6);
    for legend in [
        "one colour",
        "arrows lead",
        "boxes with corners",
        "dashed: hidden",
        "three events",
        "{c}: passes on",
        "red border",
    ] {
        assert!(svg.contains(legend), "{legend}");
    }
}
