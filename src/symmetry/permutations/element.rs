//! Permutations of the points 0..n, and the program that says how each was made of the given ones.

/// A permutation of 0..n, with its inverse. Written g; the image of x is xg, and `a.then(b)` is ab:
/// first a, then b.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PointPermutation {
    images: Box<[u32]>,
    inverse: Box<[u32]>,
}

impl PointPermutation {
    /// From the image of each point. The caller has checked that it is a bijection.
    pub fn new(images: Box<[u32]>) -> Self {
        let inverse = inverted(&images);
        Self { images, inverse }
    }

    /// Every one of `points` points to itself.
    pub fn identity(points: usize) -> Self {
        Self::new((0..points as u32).collect())
    }

    /// By point, its image.
    pub fn images(&self) -> &[u32] {
        &self.images
    }

    /// By point, what it is the image of.
    pub(crate) fn inverse_images(&self) -> &[u32] {
        &self.inverse
    }

    /// The image of `point`.
    pub fn apply(&self, point: u32) -> u32 {
        self.images[point as usize]
    }

    /// First this, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            images: product(&self.images, &next.images),
            inverse: product(&next.inverse, &self.inverse),
        }
    }

    /// The permutation that undoes this one. Costs two copies.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            images: self.inverse.clone(),
            inverse: self.images.clone(),
        }
    }

    /// Whether nothing moves.
    pub fn is_identity(&self) -> bool {
        is_identity(&self.images)
    }

    /// The images under this permutation, or under its inverse.
    pub(super) fn action(&self, inverted: bool) -> &[u32] {
        if inverted {
            &self.inverse
        } else {
            &self.images
        }
    }
}

/// Whether `images` is a list of 0..n, each once.
pub(super) fn is_bijection(images: &[u32]) -> bool {
    let mut seen = vec![false; images.len()];
    images.iter().all(|&image| {
        let place = seen.get_mut(image as usize);
        place.is_some_and(|place| !std::mem::replace(place, true))
    })
}

/// Whether every point is its own image.
pub(super) fn is_identity(images: &[u32]) -> bool {
    images.iter().zip(0..).all(|(&image, point)| image == point)
}

/// First `first`, then `next`.
pub(super) fn product(first: &[u32], next: &[u32]) -> Box<[u32]> {
    first.iter().map(|&middle| next[middle as usize]).collect()
}

/// Makes `images` what it is followed by `next`.
pub(super) fn multiply(images: &mut [u32], next: &[u32]) {
    for image in images {
        *image = next[*image as usize];
    }
}

/// By image, the point it is the image of.
pub(super) fn inverted(images: &[u32]) -> Box<[u32]> {
    let mut inverse = vec![0; images.len()];
    for (point, &image) in (0..).zip(images) {
        inverse[image as usize] = point;
    }
    inverse.into()
}

/// A factor of a product: the number of an element, or of a step of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Letter {
    pub(super) of: u32,
    pub(super) inverted: bool,
}

impl Letter {
    pub(super) fn plain(of: u32) -> Self {
        let inverted = false;
        Self { of, inverted }
    }

    pub(super) fn inverse(self) -> Self {
        let inverted = !self.inverted;
        Self { inverted, ..self }
    }
}

/// How elements were made of the given generators (a straight-line program). The chain is computed
/// on few points; by this its elements can be had on all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    steps: Vec<ProgramStep>,
}

#[derive(Clone, Debug)]
enum ProgramStep {
    /// The given generator of this number.
    Given(usize),
    /// A product of earlier steps, from left to right.
    Product(Box<[Letter]>),
}

impl Program {
    /// The step that is the given generator of this number.
    pub(super) fn given(&mut self, generator: usize) -> u32 {
        self.push(ProgramStep::Given(generator))
    }

    /// The step that is a product of earlier ones.
    pub(super) fn product(&mut self, letters: Vec<Letter>) -> u32 {
        self.push(ProgramStep::Product(letters.into()))
    }

    fn push(&mut self, step: ProgramStep) -> u32 {
        self.steps.push(step);
        (self.steps.len() - 1) as u32
    }

    /// What the steps `wanted` are if the generators are `given`, permutations of 0..`points`. A
    /// value is kept only until its last use, so that memory is that of `wanted` and of what one
    /// run of random products holds.
    pub(super) fn evaluate(
        &self,
        points: usize,
        given: &[Box<[u32]>],
        wanted: &[u32],
    ) -> Vec<PointPermutation> {
        let uses = self.last_uses(wanted);
        let mut values: Vec<Option<PointPermutation>> = vec![None; self.steps.len()];
        for (number, step) in self.steps.iter().enumerate() {
            if uses[number].is_none() {
                continue;
            }
            let images = match step {
                ProgramStep::Given(generator) => given[*generator].clone(),
                ProgramStep::Product(letters) => {
                    let mut images: Box<[u32]> = (0..points as u32).collect();
                    for letter in letters {
                        if let Some(value) = &values[letter.of as usize] {
                            multiply(&mut images, value.action(letter.inverted));
                        }
                    }
                    // In a pass of its own, because a factor may occur in a product more than once.
                    for letter in letters {
                        if uses[letter.of as usize] == Some(number) {
                            values[letter.of as usize] = None;
                        }
                    }
                    images
                }
            };
            values[number] = Some(PointPermutation::new(images));
        }
        let value = |&step: &u32| values[step as usize].clone();
        wanted.iter().filter_map(value).collect()
    }

    /// By step, the last step that needs it, or the number of steps if it is wanted itself.
    fn last_uses(&self, wanted: &[u32]) -> Vec<Option<usize>> {
        let mut uses = vec![None; self.steps.len()];
        for &step in wanted {
            uses[step as usize] = Some(self.steps.len());
        }
        // Backwards: whether a step is used is known before its factors are, and the first use that
        // is met is the last one.
        for (number, step) in self.steps.iter().enumerate().rev() {
            let ProgramStep::Product(letters) = step else {
                continue;
            };
            if uses[number].is_none() {
                continue;
            }
            for letter in letters {
                uses[letter.of as usize].get_or_insert(number);
            }
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn programs_run_on_any_generators() {
        let mut program = Program::default();
        let swap = program.given(0);
        let turn = program.given(1);
        let unused = program.product(vec![Letter::plain(swap); 5]);
        let both = program.product(vec![Letter::plain(swap), Letter::plain(turn)]);
        let back = program.product(vec![Letter::plain(both).inverse(), Letter::plain(swap)]);
        assert_eq!(unused, 2);
        let given: [Box<[u32]>; 2] = [Box::new([1, 0, 2]), Box::new([1, 2, 0])];
        let values = program.evaluate(3, &given, &[back, both]);
        let [swap, turn] = given.map(PointPermutation::new);
        let both = swap.then(&turn);
        assert_eq!(values, [both.inverse().then(&swap), both]);
    }
}
