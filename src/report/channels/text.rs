//! The communication graph of a process as text.

use base::excerpt::first_of;
use base::number::{all_counted_as, counted};

use super::lines::between;
use super::{ChannelDescription, ChannelGraph};

/// The most components of an orbit that are named.
const SHOWN: usize = 12;

/// The graph as text, ending in a newline.
pub fn render(graph: &ChannelGraph) -> String {
    let mut text = format!("{}\n", graph.title());
    text.push_str("\nComponents: symmetries take those of one line to each other\n");
    for orbit in graph.orbits() {
        let names = orbit.iter().map(|&component| graph.marked_name(component));
        text.push_str(&format!("  {}\n", first_of(names, SHOWN).join(", ")));
    }
    let (shared, alone): (Vec<_>, Vec<_>) = graph.channels.iter().partition(|c| c.is_shared());
    if !shared.is_empty() {
        text.push_str("\nChannels between components\n");
    }
    for channel in shared {
        text.push_str(&format!("  {}\n", line(graph, channel)));
    }
    if !alone.is_empty() {
        text.push_str("\nWhat components do alone\n");
    }
    for component in 0..graph.components.len() {
        let own = alone.iter().filter(|c| c.ends[0].component == component);
        let own: Vec<String> = own.map(|channel| channel.title()).collect();
        if !own.is_empty() {
            let name = &graph.components[component].name;
            text.push_str(&format!("  {name}: {}\n", own.join(", ")));
        }
    }
    if !graph.broken.is_empty() {
        text.push_str("\nSymmetries that break at what is marked by !\n");
    }
    for broken in &graph.broken {
        let at = broken.place.as_ref();
        let at = at.map_or(String::new(), |place| format!(" at {place}"));
        text.push_str(&format!("  {}{at}\n    {}\n", broken.name, broken.reason));
    }
    text
}

/// A channel with its ends.
fn line(graph: &ChannelGraph, channel: &ChannelDescription) -> String {
    let mark = if channel.breaks.is_empty() { "" } else { "! " };
    format!("{mark}{}: {}", channel.title(), between(graph, channel))
}

impl ChannelGraph {
    /// The process, and how large its graph is.
    pub(super) fn title(&self) -> String {
        let shared = self.channels.iter().filter(|channel| channel.is_shared());
        let symmetries = match (&self.order, &self.structure) {
            (Some(order), Some(structure)) => {
                let symmetries = all_counted_as(order, "symmetry", "symmetries");
                format!("{symmetries} ({structure})")
            }
            _ => "no symmetries looked for".to_string(),
        };
        format!(
            "{}: {}, {} between them, {symmetries}",
            self.expression,
            counted(self.components.len() as u64, "component"),
            counted(shared.count() as u64, "channel"),
        )
    }

    /// The components by orbit, in the order of the first ones.
    pub(super) fn orbits(&self) -> Vec<Vec<usize>> {
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for (place, component) in self.components.iter().enumerate() {
            // Orbits are numbered in the order of their first components.
            match orbits.get_mut(component.orbit) {
                Some(orbit) => orbit.push(place),
                None => orbits.push(vec![place]),
            }
        }
        orbits
    }

    /// The name of a component, with a mark if it breaks a symmetry.
    pub(super) fn marked_name(&self, component: usize) -> String {
        let component = &self.components[component];
        let mark = if component.breaks.is_empty() {
            ""
        } else {
            "! "
        };
        format!("{mark}{}", component.name)
    }
}
