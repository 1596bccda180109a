//! The room that the parts of a drawing take: the larger a graph, the denser its drawing.

use super::drawn::LayeredDrawing;
use super::layers::Layers;

/// The room that nodes, labels and lines take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Density {
    /// Labels are read across.
    Roomy,
    /// Labels are turned by a quarter, so that each takes a line of text sideways.
    Turned,
    /// Labels are seen where one points at a line.
    Bare,
    /// Nodes are dots, and lines run from dot to dot.
    Dots,
}

/// The densities, with the widest row that each may have. Of four philosophers labels are 90 % of
/// the width: their first 150 states are 8,600 wide in the first density, and 2,300 in the second.
const DENSITIES: [(Density, f64); 3] = [
    (Density::Roomy, 2_000.0),
    (Density::Turned, 3_000.0),
    (Density::Bare, 3_000.0),
];

/// The most nodes whose lines are led round other nodes. That takes a place in each layer which a
/// line passes, so it grows faster than the graph.
const MOST_LED_ROUND: usize = 700;

impl Density {
    /// The layers of `drawing`, in the first density in which they are not too wide.
    pub(super) fn chosen(drawing: &LayeredDrawing) -> Layers {
        if !drawing.may_be_dense {
            return Layers::of(drawing, Density::Roomy);
        }
        if drawing.nodes.len() <= MOST_LED_ROUND {
            for (density, most) in DENSITIES {
                let layers = Layers::of(drawing, density);
                if layers.widest_row() <= most {
                    return layers;
                }
            }
        }
        Layers::of(drawing, Density::Dots)
    }

    /// True if labels are drawn.
    pub(super) fn shows_labels(self) -> bool {
        matches!(self, Density::Roomy | Density::Turned)
    }

    /// The space from one node to the next, and beside labels and lines.
    pub(super) fn gaps(self) -> (f64, f64) {
        match self {
            Density::Roomy => (26.0, 12.0),
            Density::Turned => (16.0, 4.0),
            Density::Bare => (10.0, 5.0),
            Density::Dots => (5.0, 5.0),
        }
    }
}
