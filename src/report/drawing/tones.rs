//! The colours of what nodes or labels have in common, and of what is marked.
//!
//! Texts in them have a contrast of 4.5 to 1 or more with the page, in light and in dark. No colour
//! is the only one to say something: a text beside it always does, too.

use super::drawn::{DrawnNode, LayeredDrawing, Look};

/// The number of colours; further numbers begin anew.
const COUNT: usize = 8;

/// The looks that only some drawings have.
const STYLE: &str = "\
rect.neutral{fill:#fff;stroke:#5b6673}
rect.tone0{stroke:#2f64ad;fill:#eaf1fb}text.tone0{fill:#2f64ad}
rect.tone1{stroke:#8a5a00;fill:#fdf4df}text.tone1{fill:#8a5a00}
rect.tone2{stroke:#0b6e7f;fill:#e2f4f6}text.tone2{fill:#0b6e7f}
rect.tone3{stroke:#a61e6f;fill:#fbe9f3}text.tone3{fill:#a61e6f}
rect.tone4{stroke:#25783b;fill:#e5f5e9}text.tone4{fill:#25783b}
rect.tone5{stroke:#6d4bb0;fill:#f1ecfa}text.tone5{fill:#6d4bb0}
rect.tone6{stroke:#626b00;fill:#f4f5dc}text.tone6{fill:#626b00}
rect.tone7{stroke:#a8420c;fill:#fcece3}text.tone7{fill:#a8420c}
rect.marked{stroke:#c0352b;stroke-width:3.4}
@media (prefers-color-scheme:dark){
rect.neutral{fill:#14171c;stroke:#93a0b0}
rect.tone0{stroke:#6fa8f5;fill:#1b2838}text.tone0{fill:#6fa8f5}
rect.tone1{stroke:#e0b552;fill:#342a15}text.tone1{fill:#e0b552}
rect.tone2{stroke:#5cc8d8;fill:#12303a}text.tone2{fill:#5cc8d8}
rect.tone3{stroke:#f08cc0;fill:#3a1a2d}text.tone3{fill:#f08cc0}
rect.tone4{stroke:#63c57d;fill:#16301e}text.tone4{fill:#63c57d}
rect.tone5{stroke:#b59cf0;fill:#271f3a}text.tone5{fill:#b59cf0}
rect.tone6{stroke:#b9c14f;fill:#2a2d12}text.tone6{fill:#b9c14f}
rect.tone7{stroke:#f0925a;fill:#3a2213}text.tone7{fill:#f0925a}
rect.marked{stroke:#f2776d}
}
";

/// The class of the colour with this number, behind others.
pub(super) fn tone_class(tone: usize) -> &'static str {
    const CLASSES: [&str; COUNT] = [
        " tone0", " tone1", " tone2", " tone3", " tone4", " tone5", " tone6", " tone7",
    ];
    CLASSES[tone % COUNT]
}

/// The style of what only some drawings have, if `drawing` has any of it.
pub(super) fn style_of(drawing: &LayeredDrawing) -> &'static str {
    let has_tones = drawing.nodes.iter().any(|node| node.tone.is_some());
    let has_tones = has_tones || drawing.edges.iter().any(|edge| edge.tone.is_some());
    let is_special =
        |node: &DrawnNode| node.is_marked || matches!(node.look, Look::Lone | Look::Meeting);
    match has_tones || drawing.nodes.iter().any(is_special) {
        true => STYLE,
        false => "",
    }
}
