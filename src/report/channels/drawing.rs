//! The drawing of a communication graph.

use std::io::{self, Write};

use base::excerpt::shortened;
use base::number::counted;

use super::layout::ChannelLayout;
use super::{ChannelComponent, ChannelGraph};
use crate::drawing::{DrawnEdge, DrawnNode, LayeredDrawing, Look};

/// The most characters of a line in a box or at a line.
const WIDEST: usize = 34;

/// The most channels that are named in a box.
const NAMED: usize = 6;

impl ChannelGraph {
    /// Writes a drawing of the first `most` components and the channels between them.
    pub fn write_svg(&self, most: usize, out: &mut dyn Write) -> io::Result<()> {
        self.drawing(most).write_svg(out)
    }

    fn drawing(&self, most: usize) -> LayeredDrawing {
        let layout = ChannelLayout::of(self, most);
        let shown = self.components.len().min(most);
        let layers = layout.layers(self, shown);
        let tones = Tones::of(self);
        let components = (0..shown).map(|number| self.box_of(number, &tones));
        let meetings = layout.meetings.iter();
        let meetings = meetings.map(|channels| self.meeting(channels, &tones));
        let nodes = components.chain(meetings).zip(layers);
        let nodes = nodes.map(|(node, layer)| DrawnNode {
            layer: Some(layer),
            ..node
        });
        let mut edges: Vec<DrawnEdge> = Vec::new();
        for line in &layout.lines {
            let edge = DrawnEdge {
                from: line.from,
                to: line.to,
                is_quiet: line.is_hidden,
                leads: line.leads,
                ..DrawnEdge::default()
            };
            if line.channels.is_empty() {
                edges.push(edge.clone());
            }
            edges.extend(line.channels.iter().map(|&channel| DrawnEdge {
                label: self.label(channel),
                tone: tones.of_channel(self, channel),
                ..edge.clone()
            }));
        }
        LayeredDrawing {
            caption: self.caption(),
            nodes: nodes.collect(),
            edges,
            marks_root: false,
            has_arrows: true,
            may_be_dense: true,
        }
    }

    fn label(&self, channel: usize) -> String {
        shortened(&self.channels[channel].label(), WIDEST)
    }

    /// The box of a component, with what it does alone.
    fn box_of(&self, number: usize, tones: &Tones) -> DrawnNode {
        let component: &ChannelComponent = &self.components[number];
        let mut lines = vec![shortened(&component.name, WIDEST)];
        let alone = self.channels.iter();
        let alone = alone.filter(|channel| !channel.is_shared());
        let alone = alone.filter(|channel| channel.ends[0].component == number);
        let alone: Vec<String> = alone.map(|channel| channel.title()).collect();
        if !alone.is_empty() {
            lines.push(shortened(&format!("alone: {}", alone.join(", ")), WIDEST));
        }
        let breaks = self.broken_names(&component.breaks);
        if !breaks.is_empty() {
            lines.push(shortened(&format!("breaks {breaks}"), WIDEST));
        }
        let mut told = vec![
            format!("{}: {}", component.name, counted(component.states, "state")),
            match tones.alike(component.orbit) {
                1 => "no symmetry moves it".to_string(),
                alike => format!("symmetries take {alike} components to each other"),
            },
        ];
        if !alone.is_empty() {
            told.push(format!("alone: {}", alone.join(", ")));
        }
        for &broken in &component.breaks {
            told.push(format!(
                "breaks {}: {}",
                self.broken[broken].name, self.broken[broken].reason
            ));
        }
        DrawnNode {
            lines,
            tooltip: Some(told.join("\n")),
            tone: tones.of_component(component),
            is_marked: !component.breaks.is_empty(),
            look: Look::Lone,
            ..DrawnNode::default()
        }
    }

    /// The box of channels in which three components or more take part.
    fn meeting(&self, channels: &[usize], tones: &Tones) -> DrawnNode {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(
            channels
                .iter()
                .take(NAMED)
                .map(|&channel| self.label(channel)),
        );
        if channels.len() > NAMED {
            lines.push(format!("{} more", channels.len() - NAMED));
        }
        let hidden = self.channels[channels[0]].hidden;
        if hidden {
            lines.push("hidden".to_string());
        }
        let breaks = channels
            .iter()
            .any(|&channel| !self.channels[channel].breaks.is_empty());
        let names = channels
            .iter()
            .map(|&channel| self.channels[channel].title());
        DrawnNode {
            lines,
            tooltip: Some(names.collect::<Vec<String>>().join("\n")),
            tone: tones.of_channel(self, channels[0]),
            is_marked: breaks,
            look: Look::Meeting,
            ..DrawnNode::default()
        }
    }

    fn broken_names(&self, broken: &[usize]) -> String {
        let names = broken
            .iter()
            .map(|&broken| self.broken[broken].name.as_str());
        names.collect::<Vec<&str>>().join(", ")
    }

    /// The title, and what the looks mean that the drawing has.
    fn caption(&self) -> Vec<String> {
        let mut caption = vec![self.title()];
        let shared = || self.channels.iter().filter(|channel| channel.is_shared());
        if self.order.as_deref().is_some_and(|order| order != "1") {
            caption.push("one colour: symmetries take them to each other".to_string());
        }
        if shared().any(|channel| channel.ends.iter().any(|end| end.sends)) {
            caption.push("arrows lead from those who send to those who receive".to_string());
        }
        if shared().any(|channel| channel.ends.len() > 2) {
            caption.push("boxes with corners: channels of three components or more".to_string());
        }
        if shared().any(|channel| channel.hidden) {
            caption.push("dashed: hidden".to_string());
        }
        if shared().any(|channel| channel.events > 1) {
            caption.push("\u{d7}3: three events".to_string());
        }
        if shared().any(|channel| !channel.references.is_empty()) {
            caption.push("{c}: passes on references to the channel c".to_string());
        }
        if !self.broken.is_empty() {
            caption.push("red border, !: a symmetry breaks there".to_string());
        }
        caption
    }
}

/// The colours of orbits: those of components first, then those of channels. What no symmetry moves
/// has none.
struct Tones {
    /// By orbit of components, how many there are in it.
    sizes: Vec<usize>,
    /// By orbit of components, its colour.
    components: Vec<Option<usize>>,
    /// By orbit of channels, its colour.
    channels: Vec<Option<usize>>,
}

impl Tones {
    fn of(graph: &ChannelGraph) -> Self {
        let components = sizes(graph.components.iter().map(|component| component.orbit));
        let channels = sizes(graph.channels.iter().map(|channel| channel.orbit));
        // What components do alone is in their boxes, so it uses up no colour.
        let mut is_shared = vec![false; channels.len()];
        for channel in &graph.channels {
            is_shared[channel.orbit] |= channel.is_shared();
        }
        let mut next = 0;
        let mut tone = |is_coloured: bool| {
            next += usize::from(is_coloured);
            is_coloured.then(|| next - 1)
        };
        let of_components = components.iter().map(|&size| tone(size > 1)).collect();
        let of_channels = channels.iter().zip(is_shared);
        let of_channels = of_channels.map(|(&size, shared)| tone(size > 1 && shared));
        Self {
            channels: of_channels.collect(),
            components: of_components,
            sizes: components,
        }
    }

    /// The number of components in this orbit.
    fn alike(&self, orbit: usize) -> usize {
        self.sizes[orbit]
    }

    fn of_component(&self, component: &ChannelComponent) -> Option<usize> {
        self.components[component.orbit]
    }

    fn of_channel(&self, graph: &ChannelGraph, channel: usize) -> Option<usize> {
        self.channels[graph.channels[channel].orbit]
    }
}

/// By orbit, the number of times that it is met.
fn sizes(orbits: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::new();
    for orbit in orbits {
        if sizes.len() <= orbit {
            sizes.resize(orbit + 1, 0);
        }
        sizes[orbit] += 1;
    }
    sizes
}
