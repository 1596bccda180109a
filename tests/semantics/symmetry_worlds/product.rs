//! Components side by side with a specification: plain search, groups and orbits by brute force.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::symmetry_systems::alphabet::{Event, TAU};
use crate::symmetry_systems::lts::{Lts, matching};

/// The state of the specification, then that of each component.
pub(crate) type Pair = Vec<usize>;

/// A component with the events in which it takes part.
pub(crate) struct Component {
    pub(crate) lts: Lts,
    pub(crate) alphabet: BTreeSet<Event>,
}

/// An alphabetised parallel with hiding above it, and a specification.
pub(crate) struct Product<'a> {
    /// The specification, in normal form.
    pub(crate) specification: &'a Lts,
    /// The components, each minimal.
    pub(crate) components: &'a [Component],
    pub(crate) hidden: &'a BTreeSet<Event>,
}

/// The result of plain search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The pairs found before the first violation, in breadth-first order.
    pub(crate) pairs: Vec<Pair>,
    /// The number of steps before the first event that is not allowed, τ included.
    pub(crate) steps_to_violation: Option<usize>,
}

/// A permutation of all pairs that preserves their steps.
pub(crate) struct Symmetry {
    /// The image of each event.
    events: Vec<Event>,
    specification: Vec<usize>,
    /// For each component, the component to which its states go, and the map of states.
    components: Vec<(usize, Vec<usize>)>,
}

impl Symmetry {
    /// The image of a pair.
    pub(crate) fn apply(&self, pair: &Pair) -> Pair {
        let mut image = vec![self.specification[pair[0]]; pair.len()];
        for (&state, (to, states)) in pair[1..].iter().zip(&self.components) {
            image[to + 1] = states[state];
        }
        image
    }
}

impl Product<'_> {
    /// The pair of all initial states.
    pub(crate) fn initial(&self) -> Pair {
        vec![0; self.components.len() + 1]
    }

    /// The symmetry with these permutations of events and of the states of components. Its effect
    /// on the specification follows.
    pub(crate) fn moving(
        &self,
        events: Vec<Event>,
        components: Vec<(usize, Vec<usize>)>,
    ) -> Option<Symmetry> {
        Some(Symmetry {
            specification: matching(self.specification, self.specification, &events)?,
            components,
            events,
        })
    }

    /// True if the steps of the image of each of some pairs are the images of its steps.
    pub(crate) fn is_kept_by(&self, symmetry: &Symmetry, pairs: &[Pair]) -> bool {
        let image = |(event, next): (Event, Option<Pair>)| {
            (
                symmetry.events[event],
                next.map(|next| symmetry.apply(&next)),
            )
        };
        pairs.iter().step_by(1 + pairs.len() / 50).all(|pair| {
            let images: BTreeSet<_> = self.steps(pair).into_iter().map(image).collect();
            let steps: BTreeSet<_> = self.steps(&symmetry.apply(pair)).into_iter().collect();
            images == steps
        })
    }

    /// The symmetry with these permutations of events and components, if it is one: minimal systems
    /// leave no choice of states.
    pub(crate) fn symmetry(&self, events: &[Event], components: &[usize]) -> Option<Symmetry> {
        let image = |set: &BTreeSet<Event>| set.iter().map(|&event| events[event]).collect();
        let hidden: BTreeSet<Event> = image(self.hidden);
        let component = |(from, &to): (&Component, &usize)| {
            let partner = &self.components[to];
            let alphabet: BTreeSet<Event> = image(&from.alphabet);
            let states = matching(&from.lts, &partner.lts, events)?;
            (alphabet == partner.alphabet).then_some((to, states))
        };
        let pairs = self.components.iter().zip(components);
        let components = pairs.map(component).collect::<Option<_>>()?;
        let symmetry = self.moving(events.to_vec(), components);
        symmetry.filter(|_| hidden == *self.hidden)
    }

    /// Plain search, breadth first; `None` if there are more pairs than `limit`.
    pub(crate) fn search(&self, limit: usize) -> Option<Search> {
        let mut pairs = vec![self.initial()];
        let mut seen: HashSet<Pair> = pairs.iter().cloned().collect();
        let (mut level, mut levels) = (0..1, 0);
        while !level.is_empty() {
            for at in level.clone() {
                for (_, next) in self.steps(&pairs[at].clone()) {
                    let Some(next) = next else {
                        return Some(Search {
                            pairs,
                            steps_to_violation: Some(levels),
                        });
                    };
                    if seen.insert(next.clone()) {
                        pairs.push(next);
                    }
                }
            }
            if pairs.len() > limit {
                return None;
            }
            levels += 1;
            level = level.end..pairs.len();
        }
        Some(Search {
            pairs,
            steps_to_violation: None,
        })
    }

    /// The events, τ included, and the pairs after them; `None` as the pair if the specification
    /// does not allow the event.
    fn steps(&self, pair: &Pair) -> Vec<(Event, Option<Pair>)> {
        let able = self
            .components
            .iter()
            .flat_map(|component| &component.alphabet);
        let events: BTreeSet<Event> = able.copied().collect();
        let mut found = Vec::new();
        for event in events {
            let mut targets = vec![pair.clone()];
            for (at, component) in self.components.iter().enumerate() {
                if component.alphabet.contains(&event) {
                    let row = &component.lts.rows[pair[at + 1]];
                    let row = row.iter().filter(|&&(other, _)| other == event);
                    let moves: Vec<usize> = row.map(|&(_, to)| to).collect();
                    let moved = |target: &Pair| {
                        let target = target.clone();
                        moves.iter().map(move |&to| {
                            let mut next = target.clone();
                            next[at + 1] = to;
                            next
                        })
                    };
                    targets = targets
                        .iter()
                        .flat_map(|target| moved(target).collect::<Vec<_>>())
                        .collect();
                }
            }
            let label = if self.hidden.contains(&event) {
                TAU
            } else {
                event
            };
            let allowed = match label {
                TAU => Some(pair[0]),
                _ => self.specification.after(pair[0], event),
            };
            found.extend(targets.into_iter().map(|mut next| {
                let next = allowed.map(|specification| {
                    next[0] = specification;
                    next
                });
                (label, next)
            }));
        }
        found
    }
}

/// All images of `pairs` under products of `symmetries`, the pairs first; `None` if there are more
/// than `limit`.
pub(crate) fn closed(pairs: &[Pair], symmetries: &[Symmetry], limit: usize) -> Option<Vec<Pair>> {
    let mut all = pairs.to_vec();
    let mut seen: HashSet<Pair> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() {
        for symmetry in symmetries {
            let image = symmetry.apply(&all[next]);
            if seen.insert(image.clone()) {
                all.push(image);
            }
        }
        if all.len() > limit {
            return None;
        }
        next += 1;
    }
    Some(all)
}

/// The number of orbits on `pairs` of the group that `symmetries` generate, which permutes `pairs`.
pub(crate) fn orbits(pairs: &[Pair], symmetries: &[Symmetry]) -> usize {
    let mut seen: HashSet<Pair> = HashSet::new();
    let mut count = 0;
    for pair in pairs {
        if seen.insert(pair.clone()) {
            count += 1;
            let mut open = vec![pair.clone()];
            while let Some(pair) = open.pop() {
                let images = symmetries.iter().map(|symmetry| symmetry.apply(&pair));
                open.extend(images.filter(|image| seen.insert(image.clone())));
            }
        }
    }
    count
}

/// The number of different permutations of `pairs` by the elements of a group.
pub(crate) fn order_on(pairs: &[Pair], group: &[Symmetry]) -> usize {
    let numbers: HashMap<&Pair, usize> = pairs.iter().zip(0..).collect();
    let moves = |symmetry: &Symmetry| -> Vec<usize> {
        pairs
            .iter()
            .map(|pair| numbers[&symmetry.apply(pair)])
            .collect()
    };
    let different: HashSet<Vec<usize>> = group.iter().map(moves).collect();
    different.len()
}
