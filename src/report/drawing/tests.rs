//! Tests of drawings: nothing overlaps, everything is there, and nothing is a matter of chance.

use super::layers::Layers;
use super::place::place;
use super::route::middle;
use super::*;

/// A graph of `nodes` nodes, all of which can be reached, and `more` edges besides.
fn random(seed: u64, nodes: usize, more: usize) -> LayeredDrawing {
    let mut state = seed * 2 + 1;
    let mut next = |below: usize| {
        // The generator of Knuth's MMIX; its upper bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let edge = |from, to, number: usize| DrawnEdge {
        from,
        to,
        label: format!("event.{number}"),
        is_quiet: number.is_multiple_of(5),
        ..DrawnEdge::default()
    };
    let mut edges: Vec<DrawnEdge> = (1..nodes).map(|to| edge(next(to), to, to)).collect();
    edges.extend((0..more).map(|number| edge(next(nodes), next(nodes), number)));
    let node = |number: usize| DrawnNode {
        lines: vec![number.to_string(), "x".repeat(number % 9)],
        tooltip: None,
        ..DrawnNode::default()
    };
    LayeredDrawing {
        caption: vec!["random".to_string()],
        nodes: (0..nodes).map(node).collect(),
        edges,
        marks_root: true,
        has_arrows: true,
        may_be_dense: false,
    }
}

fn svg(drawing: &LayeredDrawing) -> String {
    let mut out = Vec::new();
    drawing.write_svg(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn nothing_overlaps_and_everything_is_on_the_page() {
    let densities = [
        Density::Roomy,
        Density::Turned,
        Density::Bare,
        Density::Dots,
    ];
    for (seed, density) in (0..60).flat_map(|seed| densities.map(|density| (seed, density))) {
        let drawing = random(seed, 1 + seed as usize % 30, seed as usize % 40);
        let mut layers = Layers::of(&drawing, density);
        order::put_in_order(&mut layers);
        let places = place(&layers);
        for row in &layers.rows {
            for pair in row.windows(2) {
                let [left, right] = [pair[0], pair[1]];
                let end = places.x[left] + layers.items[left].right;
                let start = places.x[right] - layers.items[right].left;
                assert!(end <= start + 0.01, "{seed}: {end} {start}");
            }
        }
        for (item, x) in layers.items.iter().zip(&places.x) {
            assert!(
                x - item.left >= 0.0 && x + item.right <= places.width,
                "{seed}"
            );
            let (top, bottom) = places.bands[item.layer];
            assert!(bottom - top + 0.01 >= item.height && bottom <= places.height);
        }
        for bands in places.bands.windows(2) {
            assert!(bands[0].1 < bands[1].0);
        }
        let root = middle(0, &layers, &places);
        assert!((0..drawing.nodes.len()).all(|node| middle(node, &layers, &places).y >= root.y));
    }
}

#[test]
fn the_order_has_as_few_crossings_as_a_planar_graph_needs() {
    // A ladder can be drawn without crossings.
    let mut drawing = random(1, 14, 0);
    drawing.edges.clear();
    for step in 0..6 {
        for (from, to) in [(0, 2), (1, 3), (2, 3)] {
            let label = "a".to_string();
            let (from, to) = (2 * step + from, 2 * step + to);
            drawing.edges.push(DrawnEdge {
                from,
                to,
                label,
                is_quiet: false,
                ..DrawnEdge::default()
            });
        }
    }
    drawing.edges.push(DrawnEdge {
        from: 0,
        to: 1,
        label: "b".to_string(),
        is_quiet: false,
        ..DrawnEdge::default()
    });
    let mut layers = Layers::of(&drawing, Density::Roomy);
    order::put_in_order(&mut layers);
    assert_eq!(order::crossings(&layers, &order::positions(&layers)), 0);
}

#[test]
fn crossings_are_counted_as_by_looking_at_all_pairs() {
    for seed in 0..30 {
        let layers = Layers::of(&random(seed, 12, 20), Density::Roomy);
        let position = order::positions(&layers);
        let mut crossings = 0;
        for row in &layers.rows {
            let lines = row.iter().flat_map(|&item| {
                let ends = layers.down[item].iter();
                ends.map(move |&end| (item, end))
            });
            let lines: Vec<(usize, usize)> =
                lines.map(|(a, b)| (position[a], position[b])).collect();
            for (number, a) in lines.iter().enumerate() {
                let others = lines[..number].iter();
                let crossed =
                    |b: &&(usize, usize)| (a.0 < b.0) != (a.1 < b.1) && a.0 != b.0 && a.1 != b.1;
                crossings += others.filter(crossed).count();
            }
        }
        assert_eq!(order::crossings(&layers, &position), crossings, "{seed}");
    }
}

#[test]
fn the_same_graph_gives_the_same_drawing_with_all_labels_or_their_number() {
    let drawing = random(7, 25, 30);
    let text = svg(&drawing);
    assert_eq!(text, svg(&drawing));
    let parallel = (0..9).map(|number| DrawnEdge {
        from: 0,
        to: 1,
        label: format!("c.{number}"),
        is_quiet: false,
        ..DrawnEdge::default()
    });
    let many = LayeredDrawing {
        edges: parallel.collect(),
        ..random(7, 2, 0)
    };
    let text = svg(&many);
    assert!(text.contains("c.3") && text.contains("5 more") && !text.contains("c.4"));
    // One line, though there are nine edges; and the arrow that marks the root.
    assert_eq!(text.matches("class=\"line").count(), 2);
}

#[test]
fn whatever_stands_in_a_label_is_text() {
    let mut drawing = random(1, 2, 0);
    drawing.edges[0].label = "c.\"<b>&\u{1}\"".to_string();
    drawing.nodes[0].tooltip = Some("a -> b & \"c\"".to_string());
    let text = svg(&drawing);
    assert!(
        text.contains("c.&quot;&lt;b&gt;&amp;\u{fffd}&quot;"),
        "{text}"
    );
    assert!(text.contains("<title>a -&gt; b &amp; &quot;c&quot;</title>"));
}

#[test]
fn the_larger_a_graph_the_denser_its_drawing_and_none_is_too_wide() {
    let chosen = |nodes, more| {
        let drawing = LayeredDrawing {
            may_be_dense: true,
            ..random(5, nodes, more)
        };
        (Density::chosen(&drawing).density, drawing)
    };
    let mut seen = Vec::new();
    for (nodes, more) in [(10, 5), (50, 40), (150, 60), (400, 800), (1_200, 2_000)] {
        let (density, drawing) = chosen(nodes, more);
        seen.push(density);
        let text = svg(&drawing);
        let (_, rest) = text.split_once("width=\"").unwrap();
        let (width, _) = rest.split_once('"').unwrap();
        assert!(width.parse::<f64>().unwrap() <= 3_000.0, "{nodes}: {width}");
        // Each line is there, and is named where its label is not drawn.
        let lines = text.matches("<path class=\"line").count() - 1;
        let loops = Layers::of(&drawing, Density::Roomy).loops;
        let loops = loops.iter().filter(|labels| !labels.is_empty()).count();
        let layers = Layers::of(&drawing, Density::Roomy);
        let loops = if density == Density::Dots { 0 } else { loops };
        assert_eq!(lines, layers.lines.len() + loops, "{nodes}");
        let titles = text.matches("</title></path>").count();
        let is_named = !density.shows_labels();
        assert_eq!(titles, if is_named { lines } else { 0 }, "{nodes}");
    }
    assert_eq!(seen.first(), Some(&Density::Roomy));
    assert!(seen.contains(&Density::Turned), "{seen:?}");
    assert_eq!(seen.last(), Some(&Density::Dots));
    // What may not be dense has all its labels, however wide it is.
    let tree = random(5, 400, 800);
    assert_eq!(Density::chosen(&tree).density, Density::Roomy);
}

#[test]
fn wide_layers_of_dots_are_folded_and_no_two_dots_overlap() {
    let mut drawing = random(3, 1_500, 0);
    // All of them one step from the root.
    drawing.edges.iter_mut().for_each(|edge| edge.from = 0);
    let mut layers = Layers::of(&drawing, Density::Dots);
    order::put_in_order(&mut layers);
    let places = place(&layers);
    assert!(places.width < 2_000.0, "{}", places.width);
    let dots: Vec<_> = (0..1_500)
        .map(|dot| middle(dot, &layers, &places))
        .collect();
    for (number, a) in dots.iter().enumerate() {
        for b in &dots[..number] {
            assert!((a.x - b.x).hypot(a.y - b.y) >= 11.0, "{a} {b}");
        }
        assert!(a.y > 0.0 && a.y < places.height);
    }
}
