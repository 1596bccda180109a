//! Drawings of graphs in layers, as SVG: no other program is needed to see them, and the same graph
//! always gives the same drawing.
//!
//! The method is Sugiyama's, in the order of the files: nodes get layers (`layers.rs`) whose items
//! (`items.rs`) are as dense as their number asks for (`density.rs`), layers get an order in which
//! few lines cross (`order.rs`), their items get places (`place.rs`), lines get their way between
//! these (`route.rs`), and all of it is written (`svg.rs`, `labels.rs`), some of it in
//! colours (`tones.rs`).

mod density;
mod drawn;
mod items;
mod labels;
mod layers;
mod order;
mod place;
mod route;
mod svg;
mod text;
mod tones;

use std::io::{self, Write};

use density::Density;
pub use drawn::{DrawnEdge, DrawnNode, EdgeEnds, LayeredDrawing, Look};
#[cfg(feature = "cli")]
pub(crate) use text::escape;

impl LayeredDrawing {
    /// Writes the drawing as SVG, for light and for dark surroundings.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut layers = Density::chosen(self);
        order::put_in_order(&mut layers);
        let places = place::place(&layers);
        let lines = route::routes(self, &layers, &places);
        svg::write(self, &layers, &places, &lines, out)
    }
}

#[cfg(test)]
mod tests;
