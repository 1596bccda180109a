//! Few points on which a group acts as it does on all: the points that the others depend on.

use super::action::GroupAction;
use super::element::restricted;
use super::two_orbits::{BothActions, TwoOrbits};

/// The most steps that are spent on leaving points out.
const LIMIT: usize = 1 << 28;

/// The points 0..n of a group in another order.
#[derive(Clone, Debug)]
pub(super) struct Faithful {
    /// All points that move: first those that are enough, orbit by orbit, then the others.
    pub(super) points: Vec<u32>,
    /// The number of points that are enough: an element that fixes these fixes all.
    pub(super) enough: usize,
}

/// Chooses points of 0..`counted` of the group of `action`: whole orbits, those with a point of
/// `first` in any case, the others in ascending order of size if they are needed. So for the states
/// of a hundred components, a hundred points are chosen. Points from `counted` on are only carried
/// along: they are never chosen, and come last. No generator takes them to other points.
pub(super) fn faithful(action: &GroupAction, counted: usize, first: &[u32]) -> Faithful {
    let mut chosen = Chosen::new(action);
    let (mut others, mut carried) = (Vec::new(), Vec::new());
    for (orbit, wanted) in in_order(action.orbits(), first) {
        // No generator takes counted points to others, so the first point tells for the whole
        // orbit.
        if orbit[0] as usize >= counted {
            carried.extend(orbit);
        } else if !wanted && chosen.determine(&orbit) {
            others.extend(orbit);
        } else {
            chosen.add(orbit);
        }
    }
    let enough = chosen.points.len();
    let points = [chosen.points, others, carried].concat();
    Faithful { points, enough }
}

/// The orbits in the order in which they are tried: those with points of `first` in front, marked
/// true, then the others by size.
fn in_order(orbits: Vec<Vec<u32>>, first: &[u32]) -> Vec<(Vec<u32>, bool)> {
    let wanted = |orbit: &Vec<u32>| first.iter().any(|point| orbit.binary_search(point).is_ok());
    let marked = orbits.into_iter().map(|orbit| {
        let wanted = wanted(&orbit);
        (orbit, wanted)
    });
    let mut marked: Vec<(Vec<u32>, bool)> = marked.collect();
    marked.sort_by_key(|(orbit, wanted)| (!wanted, orbit.len()));
    marked
}

/// The points that were chosen so far.
struct Chosen<'a> {
    action: &'a GroupAction,
    points: Vec<u32>,
    orbits: Vec<Vec<u32>>,
    /// By point of the group, its place in `points` or in the orbit that is looked at.
    position: Vec<u32>,
    /// By generator and position in `points`: the position of the image.
    images: Vec<Vec<u32>>,
    /// By generator, the positions in `points` that it moves.
    moved: Vec<Vec<u32>>,
    effort: usize,
}

impl<'a> Chosen<'a> {
    fn new(action: &'a GroupAction) -> Self {
        Self {
            action,
            points: Vec::new(),
            orbits: Vec::new(),
            position: vec![0; action.points],
            images: vec![Vec::new(); action.images.len()],
            moved: vec![Vec::new(); action.images.len()],
            effort: LIMIT,
        }
    }

    fn add(&mut self, orbit: Vec<u32>) {
        for (at, &point) in (self.points.len() as u32..).zip(&orbit) {
            self.position[point as usize] = at;
        }
        for (number, generator) in self.action.images.iter().enumerate() {
            for &point in &orbit {
                let at = self.position[point as usize];
                let image = self.position[generator[point as usize] as usize];
                self.images[number].push(image);
                if image != at {
                    self.moved[number].push(at);
                }
            }
        }
        self.points.extend(&orbit);
        self.orbits.push(orbit);
    }

    /// True if an element that fixes the chosen points fixes those of `orbit` for certain.
    fn determine(&mut self, orbit: &[u32]) -> bool {
        for (at, &point) in (0..).zip(orbit) {
            self.position[point as usize] = at;
        }
        // A map from one orbit is found in a pass; relations to all chosen points cost far more.
        let chosen = 0..self.orbits.len();
        chosen.clone().any(|chosen| self.maps_onto(chosen, orbit))
            || !chosen.is_empty() && self.separate(orbit)
    }

    /// True if some map f from a chosen orbit to `orbit` has f(xg) = f(x)g for all elements g. The
    /// map is onto because `orbit` is one orbit, so an element that fixes all x fixes all f(x).
    fn maps_onto(&mut self, chosen: usize, orbit: &[u32]) -> bool {
        // Elements take the points with one image to those with another, so equally many points
        // have each image.
        self.orbits[chosen].len().is_multiple_of(orbit.len())
            && orbit.iter().any(|&image| self.maps_first_to(chosen, image))
    }

    /// True if there is a map f as in [`maps_onto`](Self::maps_onto) that takes the first point of
    /// the chosen orbit to `image`.
    fn maps_first_to(&mut self, chosen: usize, image: u32) -> bool {
        const NONE: u32 = u32::MAX;
        let chosen = &self.orbits[chosen];
        // The points of a chosen orbit have positions in a row.
        let start = self.position[chosen[0] as usize];
        let mut map = vec![NONE; chosen.len()];
        map[0] = image;
        let mut reached = vec![chosen[0]];
        let mut done = 0;
        while let Some(&point) = reached.get(done) {
            done += 1;
            let image = map[(self.position[point as usize] - start) as usize];
            for generator in &self.action.images {
                let Some(effort) = self.effort.checked_sub(1) else {
                    return false;
                };
                self.effort = effort;
                let (next, wanted) = (generator[point as usize], generator[image as usize]);
                let known = &mut map[(self.position[next as usize] - start) as usize];
                if *known == NONE {
                    *known = wanted;
                    reached.push(next);
                } else if *known != wanted {
                    return false;
                }
            }
        }
        true
    }

    /// True if the points of `orbit` are all related differently to the chosen points.
    fn separate(&mut self, orbit: &[u32]) -> bool {
        let images = self.action.images.iter();
        let on_orbit = images.map(|images| restricted(images, orbit, &self.position));
        let actions = BothActions {
            orbit: &on_orbit.collect::<Vec<_>>(),
            points: &self.images,
            moved: &self.moved,
        };
        let sizes = (orbit.len(), self.points.len());
        let relation = TwoOrbits::new(sizes, &actions, &mut self.effort);
        relation.is_some_and(|relation| relation.separates())
    }
}
