//! The nodes and lines of the communication graph: a channel of two components is a line between
//! them, and channels of more are a node of their own.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base::order::ascending;

use super::lines::EndRole;
use super::{ChannelDescription, ChannelGraph};
use crate::drawing::EdgeEnds;

/// The graph as nodes and lines. The first nodes are the components.
pub(super) struct ChannelLayout {
    /// For each further node its channels, by position. They have the same ends in the same roles.
    pub(super) meetings: Vec<Vec<usize>>,
    pub(super) lines: Vec<ChannelLine>,
}

/// A line between two nodes.
pub(super) struct ChannelLine {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) leads: EdgeEnds,
    /// True if its channels are hidden.
    pub(super) is_hidden: bool,
    /// Its channels, by position; none if it leads to a node that stands for channels.
    pub(super) channels: Vec<usize>,
}

impl ChannelLine {
    fn new(
        (from, to, leads): (usize, usize, EdgeEnds),
        is_hidden: bool,
        channels: Vec<usize>,
    ) -> Self {
        Self {
            from,
            to,
            leads,
            is_hidden,
            channels,
        }
    }
}

/// The components of a channel with their roles, and true if it is hidden.
type EndsAndRoles = (Vec<(usize, EndRole)>, bool);

impl ChannelLayout {
    /// The graph with its first `most` components alone.
    pub(super) fn of(graph: &ChannelGraph, most: usize) -> Self {
        let mut by_ends: BTreeMap<EndsAndRoles, Vec<usize>> = BTreeMap::new();
        for (number, channel) in graph.channels.iter().enumerate() {
            let is_drawn = channel.ends.iter().all(|end| end.component < most);
            if channel.is_shared() && is_drawn {
                by_ends
                    .entry(ends_and_roles(channel))
                    .or_default()
                    .push(number);
            }
        }
        let first_meeting = graph.components.len().min(most);
        let mut layout = Self {
            meetings: Vec::new(),
            lines: Vec::new(),
        };
        for ((ends, is_hidden), channels) in by_ends {
            if let [one, other] = &ends[..] {
                let line = ChannelLine::new(direction(*one, *other), is_hidden, channels);
                layout.lines.push(line);
                continue;
            }
            let meeting = first_meeting + layout.meetings.len();
            layout.meetings.push(channels);
            for end in ends {
                let line = ChannelLine::new(to_meeting(end, meeting), is_hidden, Vec::new());
                layout.lines.push(line);
            }
        }
        layout
    }

    /// By node, its layer. Components of one orbit share a layer, so that what is alike stands
    /// side by side, unless they have lines to each other: a ring is drawn as a ring. Lines lead
    /// downwards as far as that goes. What stands for channels has layers of its own between those
    /// of components.
    pub(super) fn layers(&self, graph: &ChannelGraph, components: usize) -> Vec<usize> {
        let lines = || self.lines.iter().filter(|line| !line.channels.is_empty());
        let orbit = |component: usize| graph.components[component].orbit;
        let inner = lines().filter(|line| orbit(line.from) == orbit(line.to));
        let inner: BTreeSet<usize> = inner.map(|line| orbit(line.from)).collect();
        let class = |component: usize| -> AlikeComponents {
            let orbit = orbit(component);
            (orbit, inner.contains(&orbit).then_some(component))
        };
        let mut links = AlikeLinks::default();
        for line in lines() {
            // The direction round a ring does not make one component higher than another.
            let leads = match orbit(line.from) == orbit(line.to) {
                true => EdgeEnds::Neither,
                false => line.leads,
            };
            links.add(class(line.from), class(line.to), leads);
        }
        let mut meetings: Vec<Vec<(usize, EndRole)>> = Vec::new();
        for channels in &self.meetings {
            let (ends, _) = ends_and_roles(&graph.channels[channels[0]]);
            for (place, &one) in ends.iter().enumerate() {
                for &other in &ends[place + 1..] {
                    let (from, to, leads) = direction(one, other);
                    links.add(class(from), class(to), leads);
                }
            }
            meetings.push(ends);
        }
        let depth = links.depths((0..components).map(class));
        let depth_of = |component: usize| depth.get(&class(component)).copied().unwrap_or_default();
        let of_meeting = |ends: &Vec<(usize, EndRole)>| {
            let highest = ends.iter().map(|&(component, _)| depth_of(component)).min();
            2 * highest.unwrap_or_default() + 1
        };
        let layers = (0..components).map(|component| 2 * depth_of(component));
        let layers: Vec<usize> = layers.chain(meetings.iter().map(of_meeting)).collect();
        // Layers with nothing in them would only take room.
        let used = ascending(layers.iter().copied());
        let layers = layers.into_iter();
        layers
            .map(|layer| used.partition_point(|&other| other < layer))
            .collect()
    }
}

/// Components that stand side by side: an orbit, or a component of it by itself.
type AlikeComponents = (usize, Option<usize>);

/// The lines between components that stand side by side.
#[derive(Default)]
struct AlikeLinks {
    /// By side, those to which a line leads.
    after: BTreeMap<AlikeComponents, Vec<AlikeComponents>>,
}

impl AlikeLinks {
    fn add(&mut self, from: AlikeComponents, to: AlikeComponents, leads: EdgeEnds) {
        self.after.entry(from).or_default().push(to);
        if leads != EdgeEnds::Last {
            self.after.entry(to).or_default().push(from);
        }
    }

    /// By side, its distance from the first of `sides`, along lines. One that cannot be reached
    /// stands below what it leads to, or begins anew.
    fn depths(
        &self,
        sides: impl Iterator<Item = AlikeComponents>,
    ) -> BTreeMap<AlikeComponents, usize> {
        let after = |side: AlikeComponents| self.after.get(&side).into_iter().flatten().copied();
        let mut depths: BTreeMap<AlikeComponents, usize> = BTreeMap::new();
        for root in sides {
            if depths.contains_key(&root) {
                continue;
            }
            let below = after(root).filter_map(|next| depths.get(&next)).min();
            let mut open = VecDeque::from([(root, below.map_or(0, |above| above + 1))]);
            while let Some((side, depth)) = open.pop_front() {
                if let Entry::Vacant(new) = depths.entry(side) {
                    new.insert(depth);
                    open.extend(after(side).map(|next| (next, depth + 1)));
                }
            }
        }
        depths
    }
}

fn ends_and_roles(channel: &ChannelDescription) -> EndsAndRoles {
    let ends = channel.ends.iter().enumerate();
    let ends = ends.map(|(place, end)| (end.component, channel.role(place)));
    (ends.collect(), channel.hidden)
}

/// The line between two ends: from the one that sends.
fn direction(one: (usize, EndRole), other: (usize, EndRole)) -> (usize, usize, EdgeEnds) {
    match (one.1, other.1) {
        (EndRole::Sends, EndRole::Receives) => (one.0, other.0, EdgeEnds::Last),
        (EndRole::Receives, EndRole::Sends) => (other.0, one.0, EdgeEnds::Last),
        (EndRole::Both, EndRole::Both) => (one.0, other.0, EdgeEnds::Both),
        _ => (one.0, other.0, EdgeEnds::Neither),
    }
}

/// The line between an end and the node where it meets others.
fn to_meeting((component, role): (usize, EndRole), meeting: usize) -> (usize, usize, EdgeEnds) {
    match role {
        EndRole::Sends => (component, meeting, EdgeEnds::Last),
        EndRole::Receives => (meeting, component, EdgeEnds::Last),
        EndRole::Both => (component, meeting, EdgeEnds::Both),
        EndRole::Unclear => (component, meeting, EdgeEnds::Neither),
    }
}
