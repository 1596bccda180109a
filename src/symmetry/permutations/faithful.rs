//! Few points on which a group acts as it does on all: those that the others depend on.

use super::two_orbits::{GeneratorAction, TwoOrbits, UnionFind, cost};

/// Steps that may be spent on leaving points out.
const LIMIT: usize = 1 << 28;

/// The points 0..n of a group in another order.
#[derive(Clone, Debug)]
pub(super) struct Faithful {
    /// All that move: first those that are enough, orbit by orbit, then the others.
    pub(super) points: Vec<u32>,
    /// How many are enough: an element that fixes these fixes all.
    pub(super) enough: usize,
}

/// Chooses points of the group that `generators` generate on 0..`counted`: whole orbits, those with
/// a point of `first` in any case, else small ones first. The states of a hundred components are
/// thus as many points as components. Points from `counted` on are only carried along: never
/// chosen, and last. No generator takes them to others.
pub(super) fn faithful(
    points: usize,
    counted: usize,
    generators: &[Box<[u32]>],
    first: &[u32],
) -> Faithful {
    let mut chosen = Chosen::new(points, generators);
    let (mut others, mut carried) = (Vec::new(), Vec::new());
    for (orbit, wanted) in in_order(orbits(points, generators), first) {
        // No generator takes counted points to others, so the first point says it of the whole
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
    let mut points = chosen.points;
    points.extend(others);
    points.extend(carried);
    Faithful { points, enough }
}

/// The orbits of two or more points, each ascending, in the order of their least points.
pub(super) fn orbits(points: usize, generators: &[Box<[u32]>]) -> Vec<Vec<u32>> {
    let mut classes = UnionFind::new(points);
    for generator in generators {
        for (point, &image) in (0..).zip(&**generator) {
            classes.union(point, image);
        }
    }
    classes.members()
}

/// Those with points of `first` in front, the others by size. Says of each whether it is one of the
/// former.
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

/// What was chosen so far.
struct Chosen<'a> {
    generators: &'a [Box<[u32]>],
    points: Vec<u32>,
    orbits: Vec<Vec<u32>>,
    /// By point of the group, where it is in `points` or in the orbit that is looked at.
    position: Vec<u32>,
    /// By generator and position in `points`: the position of the image.
    images: Vec<Vec<u32>>,
    /// By generator: the positions in `points` that it moves.
    moved: Vec<Vec<u32>>,
    effort: usize,
}

impl<'a> Chosen<'a> {
    fn new(points: usize, generators: &'a [Box<[u32]>]) -> Self {
        Self {
            generators,
            points: Vec::new(),
            orbits: Vec::new(),
            position: vec![0; points],
            images: vec![Vec::new(); generators.len()],
            moved: vec![Vec::new(); generators.len()],
            effort: LIMIT,
        }
    }

    fn add(&mut self, orbit: Vec<u32>) {
        for (at, &point) in (self.points.len() as u32..).zip(&orbit) {
            self.position[point as usize] = at;
        }
        for (number, generator) in self.generators.iter().enumerate() {
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

    /// Whether an element that fixes the chosen points fixes those of `orbit` for certain.
    fn determine(&mut self, orbit: &[u32]) -> bool {
        for (at, &point) in (0..).zip(orbit) {
            self.position[point as usize] = at;
        }
        // A map from one orbit is found in a pass; relations to all chosen points cost far more.
        let chosen = 0..self.orbits.len();
        chosen.clone().any(|chosen| self.maps_onto(chosen, orbit))
            || !chosen.is_empty() && self.separate(orbit)
    }

    /// Whether some map f from a chosen orbit to `orbit` has f(xg) = f(x)g for all elements g. It
    /// is onto because `orbit` is one, so that what fixes all x fixes all f(x).
    fn maps_onto(&mut self, chosen: usize, orbit: &[u32]) -> bool {
        // Elements take the points over one image to those over another, so there are equally many
        // over each.
        self.orbits[chosen].len().is_multiple_of(orbit.len())
            && orbit.iter().any(|&image| self.maps_first_to(chosen, image))
    }

    /// Whether there is such a map that takes the first point of the chosen orbit to `image`.
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
            for generator in self.generators {
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

    /// Whether the points of `orbit` are all related differently to the chosen ones.
    fn separate(&mut self, orbit: &[u32]) -> bool {
        let on_orbit = |generator: &[u32]| {
            let image = |&point: &u32| self.position[generator[point as usize] as usize];
            orbit.iter().map(image).collect()
        };
        let on_orbit: Vec<Vec<u32>> = self
            .generators
            .iter()
            .map(|generator| on_orbit(generator))
            .collect();
        let actions = on_orbit.iter().zip(&self.images).zip(&self.moved);
        let actions = actions.map(|((orbit, points), moved)| GeneratorAction {
            orbit,
            points,
            moved,
        });
        let actions: Vec<GeneratorAction> = actions.collect();
        let cost = cost(orbit.len(), self.points.len(), &actions);
        let Some(effort) = self.effort.checked_sub(cost) else {
            return false;
        };
        self.effort = effort;
        TwoOrbits::new(orbit.len(), self.points.len(), &actions).separates()
    }
}
