//! Permutations of the points 0..n.

/// A permutation of 0..n, with its inverse. Written g; the image of x is xg, and `a.then(b)` is ab:
/// first a, then b.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PointPermutation {
    images: Box<[u32]>,
    inverse: Box<[u32]>,
}

impl PointPermutation {
    /// Makes a permutation from the image of each point. The caller has checked that it is a
    /// bijection.
    pub(crate) fn new(images: Box<[u32]>) -> Self {
        let inverse = inverted(&images);
        Self { images, inverse }
    }

    /// By point, its image.
    pub(crate) fn images(&self) -> &[u32] {
        &self.images
    }

    /// The image of `point`.
    pub(crate) fn apply(&self, point: u32) -> u32 {
        self.images[point as usize]
    }

    /// The images under this permutation, or under its inverse.
    pub(crate) fn action(&self, inverted: bool) -> &[u32] {
        if inverted {
            &self.inverse
        } else {
            &self.images
        }
    }
}

/// True if `images` is a list of 0..n, each once.
pub(crate) fn is_bijection(images: &[u32]) -> bool {
    let mut seen = vec![false; images.len()];
    images.iter().all(|&image| {
        let place = seen.get_mut(image as usize);
        place.is_some_and(|place| !std::mem::replace(place, true))
    })
}

/// The points that move, ascending, each with its image.
pub(crate) fn moved(images: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let pairs = (0..).zip(images.iter().copied());
    pairs.filter(|(point, image)| point != image)
}

/// True if every point is its own image.
pub(crate) fn is_identity(images: &[u32]) -> bool {
    moved(images).next().is_none()
}

/// First `first`, then `next`.
pub(crate) fn product<C: FromIterator<u32>>(first: &[u32], next: &[u32]) -> C {
    first.iter().map(|&middle| next[middle as usize]).collect()
}

/// Replaces `images` by their product with `next`.
pub(crate) fn multiply(images: &mut [u32], next: &[u32]) {
    for image in images {
        *image = next[*image as usize];
    }
}

/// By image, its origin.
pub(crate) fn inverted<C: From<Vec<u32>>>(images: &[u32]) -> C {
    let mut inverse = vec![0; images.len()];
    for (point, &image) in (0..).zip(images) {
        inverse[image as usize] = point;
    }
    inverse.into()
}

/// The conjugate of `element` by `by`: if `element` takes x to y, it takes the image of x under
/// `by` to that of y.
pub(crate) fn conjugate(element: &[u32], by: &[u32]) -> Box<[u32]> {
    let mut images: Box<[u32]> = vec![0; element.len()].into();
    for (&point, &image) in by.iter().zip(element) {
        images[point as usize] = by[image as usize];
    }
    images
}

/// The cycles of two or more points, one after the other.
pub(crate) fn cycles(images: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let mut seen = vec![false; images.len()];
    let cycle = move |start: u32| {
        let (mut cycle, mut point) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[point as usize], true) {
            cycle.push(point);
            point = images[point as usize];
        }
        cycle
    };
    let cycles = (0..images.len() as u32).map(cycle);
    cycles.filter(|cycle| cycle.len() > 1)
}

/// The number in place of the position of a point that is not in a list.
pub(crate) const ABSENT: u32 = u32::MAX;

/// By point of 0..`count`, its place in `points`, or [`ABSENT`].
pub(crate) fn positions(points: &[u32], count: usize) -> Vec<u32> {
    let mut position = vec![ABSENT; count];
    for (at, &point) in (0..).zip(points) {
        position[point as usize] = at;
    }
    position
}

/// The permutation with these `images`, restricted to `points`, which it permutes, by `position`.
pub(crate) fn restricted(images: &[u32], points: &[u32], position: &[u32]) -> Box<[u32]> {
    let image = |&point: &u32| position[images[point as usize] as usize];
    points.iter().map(image).collect()
}

/// The permutation of 0..`count` that moves `points` alone, as `images` moves their positions.
pub(crate) fn extended(images: &[u32], points: &[u32], count: usize) -> PointPermutation {
    let mut all: Box<[u32]> = (0..count as u32).collect();
    for (&point, &image) in points.iter().zip(images) {
        all[point as usize] = points[image as usize];
    }
    PointPermutation::new(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PointPermutation {
        /// By point, its origin.
        pub(crate) fn inverse_images(&self) -> &[u32] {
            &self.inverse
        }

        /// The permutation that moves none of `points` points.
        pub(crate) fn identity(points: usize) -> Self {
            Self::new((0..points as u32).collect())
        }

        /// First this permutation, then `next`.
        #[must_use]
        pub(crate) fn then(&self, next: &Self) -> Self {
            Self {
                images: product(&self.images, &next.images),
                inverse: product(&next.inverse, &self.inverse),
            }
        }

        /// The permutation that undoes this one. Costs two copies.
        #[must_use]
        pub(crate) fn inverse(&self) -> Self {
            Self {
                images: self.inverse.clone(),
                inverse: self.images.clone(),
            }
        }

        /// True if nothing moves.
        pub(crate) fn is_identity(&self) -> bool {
            is_identity(&self.images)
        }
    }

    fn permutation(images: &[u32]) -> PointPermutation {
        PointPermutation::new(images.into())
    }

    #[test]
    fn products_go_from_left_to_right() {
        let swap = permutation(&[1, 0, 2, 3]);
        let turn = permutation(&[1, 2, 3, 0]);
        assert_eq!(swap.then(&turn).images(), [2, 1, 3, 0]);
        assert_eq!(turn.then(&swap).images(), [0, 2, 3, 1]);
        assert_eq!(turn.then(&swap).apply(3), 1);
        assert_eq!(turn.inverse().images(), turn.inverse_images());
        assert!(turn.then(&turn.inverse()).is_identity());
        assert_eq!(permutation(&[0, 1, 2]), PointPermutation::identity(3));
    }

    #[test]
    fn bijections_are_told_from_other_lists() {
        assert!(is_bijection(&[]));
        assert!(is_bijection(&[2, 0, 1]));
        assert!(!is_bijection(&[1, 1, 0]));
        assert!(!is_bijection(&[0, 3, 1]));
    }
}
