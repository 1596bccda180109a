//! The program that makes each element of a group from the given generators.

use super::action::GroupAction;
use super::element::{PointPermutation, multiply};

/// A factor of a product: the number of an element or of a step of a [`Program`], and if it is
/// inverted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Letter {
    pub(crate) of: u32,
    pub(crate) inverted: bool,
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

/// A straight-line program that makes elements from the given generators. The chain is computed on
/// few points; the program computes its elements on all points.
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

    /// The elements that the steps `wanted` make if the generators act as in `given`. A value is
    /// kept only until its last use, so that memory is needed only for `wanted` and for the
    /// elements that one run of random products holds.
    pub(super) fn evaluate(&self, given: &GroupAction, wanted: &[u32]) -> Vec<PointPermutation> {
        let uses = self.last_uses(wanted);
        let mut values: Vec<Option<PointPermutation>> = vec![None; self.steps.len()];
        for (number, step) in self.steps.iter().enumerate() {
            if uses[number].is_none() {
                continue;
            }
            let images = match step {
                ProgramStep::Given(generator) => given.images[*generator].clone(),
                ProgramStep::Product(letters) => {
                    let mut images: Box<[u32]> = (0..given.points as u32).collect();
                    for letter in letters {
                        if let Some(value) = &values[letter.of as usize] {
                            multiply(&mut images, value.action(letter.inverted));
                        }
                    }
                    // This is a pass of its own, because a factor may occur in a product more than
                    // once.
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
        // The steps are gone through backwards: a step is known to be used before its factors are
        // reached, and the first use that is met is the last one.
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

    #[test]
    fn programs_run_on_any_generators() {
        let mut program = Program::default();
        let swap = program.given(0);
        let turn = program.given(1);
        let unused = program.product(vec![Letter::plain(swap); 5]);
        let both = program.product(vec![Letter::plain(swap), Letter::plain(turn)]);
        let back = program.product(vec![Letter::plain(both).inverse(), Letter::plain(swap)]);
        assert_eq!(unused, 2);
        let given = GroupAction::new(3, [[1, 0, 2], [1, 2, 0]]);
        let values = program.evaluate(&given, &[back, both]);
        let [swap, turn] = [0, 1].map(|at: usize| PointPermutation::new(given.images[at].clone()));
        let both = swap.then(&turn);
        assert_eq!(values, [both.inverse().then(&swap), both]);
    }
}
