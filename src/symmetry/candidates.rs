//! Which permutations of the values of one type are symmetries, found by trying few.

use rustc_hash::FxHashMap;

use crate::diag::Result;

/// What the values of a type allow. Indices into the values; sets and cycles ascend by their first value.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// Sets of two or more values that may be permuted freely, each ascending.
    pub free: Vec<Vec<usize>>,
    /// Cycles of three or more values that may be turned, but not permuted freely.
    pub turning: Vec<Vec<usize>>,
    /// The values in none of the above, ascending.
    pub fixed: Vec<usize>,
    /// Symmetries that generate the above, and exchanges of whole sets: by value, its image. All were tried.
    pub generators: Vec<Vec<usize>>,
}

/// Tries permutations of `values`, at most `budget` of them, which it takes from there; when that is used up, the
/// outcome is what is known by then. `attempt` gets by value the image, and says whether that is a symmetry.
///
/// Attempts for n values: 2 if all are alike (1 if n = 2), n + 2 if all but the first are. In general each
/// value is tried against one of each set of values alike, fewer than n times the number of sets; n more for a ring that
/// leaves one value out.
pub fn search(
    values: &[String],
    budget: &mut u32,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool>,
) -> Result<Outcome> {
    let mut search = Search {
        count: values.len(),
        budget,
        attempt,
        tried: FxHashMap::default(),
        generators: Vec::new(),
    };
    let all: Vec<Item> = (0..values.len()).map(|value| vec![value]).collect();
    let mut outcome = Outcome::default();
    let sets = search.sets_alike(&all)?;
    let (free, alone): (Vec<Item>, Vec<Item>) = sets.into_iter().partition(|set| set.len() > 1);
    outcome.turning = search.turning(&alone)?;
    let turns = |value: &Item| {
        outcome
            .turning
            .iter()
            .any(|cycle| cycle.contains(&value[0]))
    };
    outcome.fixed = alone
        .iter()
        .filter(|value| !turns(value))
        .flatten()
        .copied()
        .collect();
    search.exchange_sets(&free)?;
    outcome.free = free;
    outcome.generators = search.generators;
    Ok(outcome)
}

/// Values that move in step, in order: one value, or a set of values that may be permuted freely.
type Item = Vec<usize>;

struct Search<'a> {
    /// How many values there are.
    count: usize,
    budget: &'a mut u32,
    attempt: &'a mut dyn FnMut(&[usize]) -> Result<bool>,
    tried: FxHashMap<Vec<usize>, bool>,
    generators: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Whether these images are a symmetry; no if they were not tried and there is no budget left.
    fn holds(&mut self, images: &[usize]) -> Result<bool> {
        if let Some(&known) = self.tried.get(images) {
            return Ok(known);
        }
        if *self.budget == 0 {
            return Ok(false);
        }
        *self.budget -= 1;
        let holds = (self.attempt)(images)?;
        self.tried.insert(images.to_vec(), holds);
        Ok(holds)
    }

    /// Tries these images; they become a generator if they are a symmetry.
    fn generates(&mut self, images: Vec<usize>) -> Result<bool> {
        let holds = self.holds(&images)?;
        if holds && !self.generators.contains(&images) {
            self.generators.push(images);
        }
        Ok(holds)
    }

    /// Each of `items`, of equal length, to the next of them, the last to the first. Of two it is their exchange.
    fn turn(&self, items: &[&Item]) -> Vec<usize> {
        self.in_step(items, |at| (at + 1) % items.len())
    }

    fn in_step(&self, items: &[&Item], image: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut images: Vec<usize> = (0..self.count).collect();
        for (at, item) in items.iter().enumerate() {
            for (&value, &to) in item.iter().zip(items[image(at)]) {
                images[value] = to;
            }
        }
        images
    }

    /// Splits single values into sets that may be permuted freely, and adds what generates the permutations.
    /// Transpositions that hold are an equivalence, because the symmetries are a group.
    fn sets_alike(&mut self, values: &[Item]) -> Result<Vec<Item>> {
        let all: Vec<&Item> = values.iter().collect();
        if values.len() < 2 {
            return Ok(values.to_vec());
        }
        let first_two = self.turn(&all[..2]);
        let around = self.turn(&all);
        let exchanges = self.holds(&first_two)?;
        let turns = self.holds(&around)?;
        let sets = match (exchanges, turns) {
            (true, true) => vec![(0..values.len()).collect()],
            (false, true) => self.cosets(&all)?,
            (_, false) => self.families(&all)?,
        };
        for set in sets.iter().filter(|set| set.len() > 1) {
            let set: Vec<&Item> = set.iter().map(|&at| all[at]).collect();
            self.generate_all(&set)?;
        }
        if turns && sets.len() > 1 {
            self.generate_turns(&all)?;
        }
        Ok(sets)
    }

    /// The same for values that are known to turn, but not to be all alike: the values alike to value 0 are then
    /// those at multiples of some divisor d of n, and those alike to the others are the same, shifted. So it is enough to
    /// try each d.
    fn cosets(&mut self, items: &[&Item]) -> Result<Vec<Vec<usize>>> {
        let n = items.len();
        let mut step = n;
        for divisor in (2..n).filter(|&d| n.is_multiple_of(d)) {
            let exchange = self.turn(&[items[0], items[divisor]]);
            if self.holds(&exchange)? {
                step = divisor;
                break;
            }
        }
        let coset = |first: usize| (first..n).step_by(step).collect();
        Ok((0..step).map(coset).collect())
    }

    /// Splits `items`, of equal length, into those of which any two can be exchanged in step: each is tried against
    /// the first of each family, the larger ones first. Positions in `items`, each family in their order.
    fn families(&mut self, items: &[&Item]) -> Result<Vec<Vec<usize>>> {
        let mut families: Vec<Vec<usize>> = Vec::new();
        for at in 0..items.len() {
            let mut order: Vec<usize> = (0..families.len()).collect();
            order.sort_by_key(|&family| std::cmp::Reverse(families[family].len()));
            // Without a budget only what was tried before families were looked for is known.
            if *self.budget == 0 && at > 1 {
                order.clear();
            }
            let mut own = None;
            for family in order {
                let exchange = self.turn(&[items[families[family][0]], items[at]]);
                if self.holds(&exchange)? {
                    own = Some(family);
                    break;
                }
            }
            match own {
                Some(family) => families[family].push(at),
                None => families.push(vec![at]),
            }
        }
        Ok(families)
    }

    /// Adds what generates all permutations in step of `items`, any two of which can be exchanged: the exchange of
    /// the first two and the turn of all. If there is no budget for that, the exchanges with the first.
    fn generate_all(&mut self, items: &[&Item]) -> Result<()> {
        self.generates(self.turn(&items[..2]))?;
        if !self.generates(self.turn(items))? {
            for item in &items[1..] {
                self.generates(self.turn(&[items[0], item]))?;
            }
        }
        Ok(())
    }

    /// Whether `items` can be turned; adds that, and turning them over if that is possible too.
    fn generate_turns(&mut self, items: &[&Item]) -> Result<bool> {
        let turns = self.generates(self.turn(items))?;
        if turns {
            self.generates(self.in_step(items, |at| (items.len() - at) % items.len()))?;
        }
        Ok(turns)
    }

    /// The cycle of values that can be turned, of those that cannot be exchanged with others: all of them, or all
    /// but one; in their order.
    fn turning(&mut self, alone: &[Item]) -> Result<Vec<Vec<usize>>> {
        let all: Vec<&Item> = alone.iter().collect();
        let cycle = self.turning_items(&all)?.into_iter();
        let cycle: Vec<usize> = cycle.flat_map(|at| alone[at].clone()).collect();
        Ok(if cycle.is_empty() {
            Vec::new()
        } else {
            vec![cycle]
        })
    }

    /// Positions in `items` of those that can be turned; none if none can.
    fn turning_items(&mut self, items: &[&Item]) -> Result<Vec<usize>> {
        if items.len() < 3 {
            return Ok(Vec::new());
        }
        if self.generate_turns(items)? {
            return Ok((0..items.len()).collect());
        }
        if items.len() > 3 {
            for left_out in 0..items.len() {
                let others: Vec<usize> = (0..items.len()).filter(|&at| at != left_out).collect();
                let ring: Vec<&Item> = others.iter().map(|&at| items[at]).collect();
                if self.generate_turns(&ring)? {
                    return Ok(others);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Exchanges sets of equal size in step, or turns them, where that is possible. In which order the values of a
    /// set follow those of the other makes no difference, because they may be permuted freely.
    fn exchange_sets(&mut self, sets: &[Item]) -> Result<()> {
        let mut sizes: Vec<usize> = sets.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes {
            let same: Vec<&Item> = sets.iter().filter(|set| set.len() == size).collect();
            let families = self.families(&same)?;
            for family in families.iter().filter(|family| family.len() > 1) {
                let family: Vec<&Item> = family.iter().map(|&at| same[at]).collect();
                self.generate_all(&family)?;
            }
            let alone = families.iter().filter(|family| family.len() == 1);
            let alone: Vec<&Item> = alone.map(|family| same[family[0]]).collect();
            self.turning_items(&alone)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure is a failed test")]
mod tests {
    use super::*;
    use crate::diag::Diagnostic;
    use crate::symmetry::permutations::PermutationGroup;

    fn values(n: usize) -> Vec<String> {
        (0..n).map(|value| value.to_string()).collect()
    }

    fn points(images: &[usize]) -> Vec<u32> {
        images.iter().map(|&image| image as u32).collect()
    }

    /// From cycles, as images of 0..n.
    fn permutation(n: usize, cycles: &[&[usize]]) -> Vec<usize> {
        let mut images: Vec<usize> = (0..n).collect();
        for cycle in cycles {
            for (at, &value) in cycle.iter().enumerate() {
                images[value] = cycle[(at + 1) % cycle.len()];
            }
        }
        images
    }

    /// The group of the symmetries of n values.
    struct Truth {
        n: usize,
        group: PermutationGroup,
    }

    impl Truth {
        fn new(n: usize, generators: &[&[&[usize]]]) -> Self {
            let generator = |cycles: &&[&[usize]]| points(&permutation(n, cycles));
            let generators = generators.iter().map(generator).collect();
            let group = PermutationGroup::new(n, generators);
            Self { n, group }
        }

        /// The outcome and the number of attempts, of which there may be so many.
        fn search(&self, most: u32) -> (Outcome, u32) {
            let mut budget = most;
            let mut held: Vec<Vec<usize>> = Vec::new();
            let mut attempts = 0;
            let mut attempt = |images: &[usize]| {
                attempts += 1;
                let holds = self.group.contains(&points(images));
                if holds {
                    held.push(images.to_vec());
                }
                Ok(holds)
            };
            let outcome = search(&values(self.n), &mut budget, &mut attempt).unwrap();
            assert_eq!(most - budget, attempts);
            let was_tried = |images: &Vec<usize>| held.contains(images);
            assert!(outcome.generators.iter().all(was_tried));
            self.check(&outcome);
            (outcome, attempts)
        }

        /// Each value is in one place, and the generators give what is said of them.
        fn check(&self, outcome: &Outcome) {
            let cycles = outcome.free.iter().chain(&outcome.turning);
            let mut all: Vec<usize> = cycles.flatten().chain(&outcome.fixed).copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..self.n).collect::<Vec<usize>>());
            let group = generated(self.n, outcome);
            for set in &outcome.free {
                for pair in set.windows(2) {
                    let exchange = permutation(self.n, &[pair]);
                    assert!(group.contains(&points(&exchange)), "{pair:?}");
                }
            }
            for cycle in &outcome.turning {
                let turn = permutation(self.n, &[cycle]);
                assert!(group.contains(&points(&turn)), "{cycle:?}");
            }
        }

        /// The number of attempts of an outcome that gives the whole group.
        fn found(&self) -> (Outcome, u32) {
            let (outcome, attempts) = self.search(10_000);
            assert_eq!(generated(self.n, &outcome).order(), self.group.order());
            (outcome, attempts)
        }
    }

    fn generated(n: usize, outcome: &Outcome) -> PermutationGroup {
        let generators = outcome.generators.iter();
        PermutationGroup::new(n, generators.map(|images| points(images)).collect())
    }

    fn ring(from: usize, to: usize) -> Vec<usize> {
        (from..to).collect()
    }

    #[test]
    fn few_values() {
        for n in 0..2 {
            let (outcome, attempts) = Truth::new(n, &[]).found();
            assert_eq!((outcome.fixed, attempts), ((0..n).collect(), 0));
        }
        let (outcome, attempts) = Truth::new(2, &[&[&[0, 1]]]).found();
        assert_eq!((outcome.free, attempts), (vec![vec![0, 1]], 1));
        assert_eq!(outcome.generators, [[1, 0]]);
        let (outcome, attempts) = Truth::new(2, &[]).found();
        assert_eq!((outcome.fixed, attempts), (vec![0, 1], 1));
    }

    #[test]
    fn values_that_are_all_alike_take_two_attempts() {
        for n in [3, 4, 50] {
            let (outcome, attempts) = Truth::new(n, &[&[&[0, 1]], &[&ring(0, n)]]).found();
            assert_eq!(attempts, 2);
            assert_eq!(outcome.free, [ring(0, n)]);
            assert_eq!(outcome.generators.len(), 2);
            assert!(outcome.turning.is_empty() && outcome.fixed.is_empty());
        }
    }

    #[test]
    fn one_value_is_left_out() {
        let n = 20;
        let (outcome, attempts) = Truth::new(n, &[&[&[1, 2]], &[&ring(1, n)]]).found();
        assert_eq!((outcome.free, outcome.fixed), (vec![ring(1, n)], vec![0]));
        assert_eq!(attempts, 22);
        let last = Truth::new(n, &[&[&[0, 1]], &[&ring(0, n - 1)]]);
        let (outcome, attempts) = last.found();
        assert_eq!(
            (outcome.free, outcome.fixed),
            (vec![ring(0, n - 1)], vec![19])
        );
        assert!(attempts <= 22, "{attempts}");
    }

    #[test]
    fn sets_may_be_interleaved() {
        let truth = Truth::new(
            7,
            &[&[&[0, 2]], &[&[0, 2, 4, 6]], &[&[1, 3]], &[&[1, 3, 5]]],
        );
        let (outcome, attempts) = truth.found();
        assert_eq!(outcome.free, [vec![0, 2, 4, 6], vec![1, 3, 5]]);
        assert!(outcome.fixed.is_empty() && outcome.turning.is_empty());
        assert!(attempts <= 14, "{attempts}");
    }

    #[test]
    fn rings() {
        let twelve = ring(0, 12);
        let (outcome, attempts) = Truth::new(12, &[&[&twelve]]).found();
        assert_eq!((&outcome.turning, attempts), (&vec![twelve.clone()], 7));
        assert_eq!(outcome.generators.len(), 1);
        let mirror: Vec<[usize; 2]> = (1..6).map(|at| [at, 12 - at]).collect();
        let mirror: Vec<&[usize]> = mirror.iter().map(|pair| &pair[..]).collect();
        let (outcome, attempts) = Truth::new(12, &[&[&twelve], &mirror]).found();
        assert_eq!((outcome.turning, attempts), (vec![twelve], 7));
        assert_eq!(outcome.generators.len(), 2);
    }

    #[test]
    fn a_ring_may_leave_one_value_out() {
        let (outcome, attempts) = Truth::new(6, &[&[&ring(1, 6)]]).found();
        assert_eq!(
            (outcome.turning, outcome.fixed),
            (vec![ring(1, 6)], vec![0])
        );
        // Two, all other pairs, the ring without the first value, and turning it over.
        assert_eq!(attempts, 2 + 14 + 1 + 1);
        let (outcome, _) = Truth::new(6, &[&[&[0, 1, 2, 4, 5]]]).found();
        assert_eq!(outcome.turning, [vec![0, 1, 2, 4, 5]]);
        // Beside values that are alike.
        let (outcome, _) = Truth::new(8, &[&[&[0, 2]], &[&[1, 3, 4, 5, 6]]]).found();
        assert_eq!(outcome.free, [[0, 2]]);
        assert_eq!(outcome.turning, [[1, 3, 4, 5, 6]]);
        assert_eq!(outcome.fixed, [7]);
    }

    #[test]
    fn no_symmetry_at_all() {
        let (outcome, attempts) = Truth::new(5, &[]).found();
        assert_eq!(outcome.fixed, ring(0, 5));
        assert_eq!(attempts, 2 + 9 + 5);
        assert!(outcome.generators.is_empty());
    }

    #[test]
    fn sets_are_exchanged_in_step() {
        // Three servers with three clients each.
        let swap: &[&[usize]] = &[&[0, 3], &[1, 4], &[2, 5]];
        let round: &[&[usize]] = &[&[0, 3, 6], &[1, 4, 7], &[2, 5, 8]];
        let wreath = Truth::new(9, &[&[&[0, 1]], &[&[0, 1, 2]], swap, round]);
        let (outcome, attempts) = wreath.found();
        assert_eq!(outcome.free, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        assert!(attempts < 30, "{attempts}");
        // Pairs in a ring, in step; and pairs at opposite places, so that the cycle of all holds.
        let round: &[&[usize]] = &[&[0, 2, 4], &[1, 3, 5]];
        let (outcome, _) = Truth::new(6, &[&[&[0, 1]], round]).found();
        assert_eq!(outcome.free, [[0, 1], [2, 3], [4, 5]]);
        let (outcome, _) = Truth::new(8, &[&[&[0, 4]], &[&ring(0, 8)]]).found();
        assert_eq!(outcome.free, [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn what_is_known_stays_when_the_budget_is_used_up() {
        let all = Truth::new(6, &[&[&[0, 1]], &[&ring(0, 6)]]);
        let (outcome, _) = all.search(0);
        assert_eq!((outcome.fixed.len(), outcome.generators.len()), (6, 0));
        let (outcome, _) = all.search(1);
        assert_eq!(
            (outcome.free, outcome.fixed),
            (vec![vec![0, 1]], ring(2, 6))
        );
        // Enough to find the set, but not to turn it: then the transpositions generate it.
        let most = Truth::new(6, &[&[&[1, 2]], &[&ring(1, 6)]]);
        let (outcome, attempts) = most.search(7);
        assert_eq!((outcome.free, attempts), (vec![ring(1, 6)], 7));
        assert_eq!(outcome.generators.len(), 4);
        for budget in 0..12 {
            most.search(budget);
        }
    }

    #[test]
    fn failures_are_handed_on() {
        let mut budget = 10;
        let mut attempt = |_: &[usize]| Err(Box::new(Diagnostic::undecided("timeout", "late")));
        assert!(search(&values(3), &mut budget, &mut attempt).is_err());
        assert_eq!(budget, 9);
    }
}
