//! Elements of a group that take given points to given images.

use super::PermutationGroup;
use super::element::{ABSENT, PointPermutation};
use super::program::Letter;

impl PermutationGroup {
    /// An element that takes `from[i]` to `to[i]` for all i, if there is one. The points must be
    /// counted ones. Cheap if the base begins with `from` (see `carrying`) or only has points of
    /// it; otherwise a chain with such a base is made for it.
    pub(crate) fn taking(&self, from: &[u32], to: &[u32]) -> Option<PointPermutation> {
        debug_assert_eq!(from.len(), to.len());
        if self.decides(from) {
            return self.sifted(from, to);
        }
        let generators = self.action.images.iter();
        let generators = generators.map(|generator| self.on_points(generator).images().to_vec());
        let counted = |point: &u32| (*point as usize) < self.counted;
        let first: Vec<u32> = from.iter().copied().filter(counted).collect();
        let based = Self::carrying(self.counted, self.points, generators, &first, None);
        // The base of the new chain begins with the points of `from`, so sifting decides.
        based.decides(from).then(|| based.sifted(from, to))?
    }

    /// True if sifting alone finds the element: the levels above the first whose group fixes all of
    /// `from` have base points of `from`.
    fn decides(&self, from: &[u32]) -> bool {
        let at: Vec<u32> = self.positions(from).collect();
        for level in &self.chain().levels {
            let fixes = |&of: &u32| {
                let images = self.chain().element(of);
                let mut faithful = at.iter().filter(|&&at| (at as usize) < self.faithful);
                faithful.all(|&at| images.apply(at) == at)
            };
            if !at.contains(&level.base) {
                let is_faithful = |&at: &u32| at == ABSENT || (at as usize) < self.faithful;
                return at.iter().all(is_faithful) && level.generators.iter().all(fixes);
            }
        }
        true
    }

    fn positions<'a>(&'a self, points: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        points.iter().map(|&point| self.position[point as usize])
    }

    /// Divides the wanted images by representatives, level by level, until all points of `from` are
    /// their own images.
    fn sifted(&self, from: &[u32], to: &[u32]) -> Option<PointPermutation> {
        let at: Vec<u32> = self.positions(from).collect();
        let mut wanted: Vec<u32> = self.positions(to).collect();
        let mut letters: Vec<Letter> = Vec::new();
        for (number, level) in self.chain().levels.iter().enumerate() {
            let Some(index) = at.iter().position(|&at| at == level.base) else {
                break;
            };
            let point = wanted[index];
            if point as usize >= self.faithful || !level.contains(point) {
                return None;
            }
            for letter in self.chain().word(number, point).into_iter().rev() {
                let element = &self.elements()[letter.of as usize];
                let back = element.action(!letter.inverted);
                let moved = wanted.iter_mut().filter(|point| **point != ABSENT);
                moved.for_each(|point| *point = back[*point as usize]);
                letters.push(letter);
            }
        }
        let fixed = from.iter().zip(to).zip(&at);
        let mut fixed = fixed.filter(|&(_, &at)| at == ABSENT);
        if at != wanted || !fixed.all(|((from, to), _)| from == to) {
            return None;
        }
        // Letters were collected from the first level down, each word from its end: so the element
        // is their product in reverse order.
        Some(self.multiplied(letters.into_iter().rev()))
    }
}
