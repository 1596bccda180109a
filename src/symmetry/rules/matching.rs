//! Index permutations: each left operand gets a right operand of its own, along goals that can be
//! proved.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A left operand for which there is no partner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unmatched {
    pub(super) left: usize,
    /// The right operands that are left over, ascending.
    pub(super) free: Vec<usize>,
}

/// Assigns to each left operand a right operand, all different, such that `fits` holds of each
/// pair.
///
/// Only operands with equal keys are tried. Each operand prefers the partner of its own number,
/// then lower ones; after that, augmenting paths find the rest. Fitting is nearly always an
/// equivalence, so few paths have two steps, and few pairs with equal keys do not fit.
pub(super) fn assign<E>(
    left_keys: &[u64],
    right_keys: &[u64],
    fits: impl FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Result<Vec<usize>, Unmatched>, E> {
    let mut buckets: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (right, &key) in right_keys.iter().enumerate() {
        buckets.entry(key).or_default().push(right);
    }
    let buckets = buckets
        .into_iter()
        .map(|(key, rights)| (key, rights.into()));
    let mut assignment = Assignment {
        left_keys,
        buckets: buckets.collect(),
        fits,
        partner_of_left: vec![None; left_keys.len()],
        partner_of_right: vec![None; right_keys.len()],
    };
    // First come the operands that can stay where they are; a path may still move them later.
    for (left, key) in left_keys.iter().enumerate() {
        if right_keys.get(left) == Some(key) && (assignment.fits)(left, left)? {
            assignment.pair(left, left);
        }
    }
    for left in 0..left_keys.len() {
        if assignment.partner_of_left[left].is_none() && !assignment.augment(left)? {
            let rights = assignment.partner_of_right.iter().enumerate();
            let free = rights.filter(|(_, partner)| partner.is_none());
            let free = free.map(|(right, _)| right).collect();
            return Ok(Err(Unmatched { left, free }));
        }
    }
    let partners = assignment.partner_of_left.into_iter();
    Ok(Ok(partners.flatten().collect()))
}

struct Assignment<'a, F> {
    left_keys: &'a [u64],
    /// The right operands of each key, ascending.
    buckets: BTreeMap<u64, Arc<[usize]>>,
    fits: F,
    partner_of_left: Vec<Option<usize>>,
    partner_of_right: Vec<Option<usize>>,
}

impl<E, F: FnMut(usize, usize) -> Result<bool, E>> Assignment<'_, F> {
    fn pair(&mut self, left: usize, right: usize) {
        self.partner_of_left[left] = Some(right);
        self.partner_of_right[right] = Some(left);
    }

    /// Gives `left` a partner: a free operand, or one at the end of an alternating path.
    fn augment(&mut self, left: usize) -> Result<bool, E> {
        let bucket = self.buckets.get(&self.left_keys[left]).cloned();
        let Some(bucket) = bucket else {
            return Ok(false);
        };
        // A free partner is looked for first: paths would find one too, but would test far more
        // pairs.
        for &right in bucket.iter() {
            if self.partner_of_right[right].is_none() && (self.fits)(left, right)? {
                self.pair(left, right);
                return Ok(true);
            }
        }
        self.follow_paths(left, &bucket)
    }

    /// Depth-first search over alternating paths from `start`; all its operands have the keys of
    /// `bucket`.
    fn follow_paths(&mut self, start: usize, bucket: &[usize]) -> Result<bool, E> {
        let mut seen = vec![false; bucket.len()];
        // Left operands, each with the number of members of the bucket that have been tried.
        let mut path = vec![(start, 0)];
        while let Some((left, tried)) = path.last_mut() {
            let (left, at) = (*left, *tried);
            if at == bucket.len() {
                path.pop();
                continue;
            }
            *tried += 1;
            // A right operand is visited once: the rest of the path does not depend on the operand
            // that leads to it.
            if seen[at] || !(self.fits)(left, bucket[at])? {
                continue;
            }
            seen[at] = true;
            match self.partner_of_right[bucket[at]] {
                Some(next) => path.push((next, 0)),
                None => {
                    for (left, tried) in path {
                        // `tried` was counted up when the pair was tried, so the pair on the path
                        // is the one before.
                        self.pair(left, bucket[tried - 1]);
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn assigned(keys: [&[u64]; 2], pairs: &[(usize, usize)]) -> Result<Vec<usize>, Unmatched> {
        let fits = |left, right| Ok::<bool, Infallible>(pairs.contains(&(left, right)));
        assign(keys[0], keys[1], fits).unwrap()
    }

    #[test]
    fn operands_stay_where_they_can() {
        let all = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (2, 0), (2, 1)];
        assert_eq!(assigned([&[7; 3], &[7; 3]], &all), Ok(vec![2, 1, 0]));
        let all: Vec<(usize, usize)> = (0..9).map(|pair| (pair / 3, pair % 3)).collect();
        assert_eq!(assigned([&[7; 3], &[7; 3]], &all), Ok(vec![0, 1, 2]));
    }

    #[test]
    fn long_paths_are_found() {
        // 0 takes 0, 1 takes 1, 2 takes 2; 3 fits 0 only, so that all must move on.
        let pairs = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 0)];
        assert_eq!(assigned([&[1; 4], &[1; 4]], &pairs), Ok(vec![1, 2, 3, 0]));
    }

    #[test]
    fn what_is_left_over_is_reported() {
        let pairs = [(0, 1), (1, 1), (2, 0)];
        let unmatched = Unmatched {
            left: 0,
            free: vec![0, 2],
        };
        assert_eq!(assigned([&[1; 3], &[1; 3]], &pairs), Err(unmatched));
    }

    #[test]
    fn keys_keep_pairs_from_being_tried() {
        let n = 1000;
        let left: Vec<u64> = (0..n).collect();
        let right: Vec<u64> = (0..n).map(|key| (key + 1) % n).collect();
        let mut tried = 0;
        let fits = |_, _| {
            tried += 1;
            Ok::<bool, Infallible>(true)
        };
        let partners = assign(&left, &right, fits).unwrap().unwrap();
        assert_eq!(partners[..2], [999, 0]);
        assert_eq!(tried, n);
    }

    /// Compares with all permutations, on random bipartite graphs.
    #[test]
    fn a_matching_is_found_whenever_there_is_one() {
        let mut random = 1_u64;
        let mut found = 0;
        for _ in 0..2000 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            let edges = random >> 33;
            let pairs: Vec<(usize, usize)> = (0..16)
                .filter(|edge| edges >> edge & 1 == 1)
                .map(|edge| (edge / 4, edge % 4))
                .collect();
            let fits = |order: &[usize; 4]| (0..4).all(|left| pairs.contains(&(left, order[left])));
            let mut orders = Vec::new();
            for code in 0..256 {
                let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
                if (0..4).all(|right| order.contains(&right)) {
                    orders.push(order);
                }
            }
            assert_eq!(orders.len(), 24);
            let exists = orders.iter().any(fits);
            let assigned = assigned([&[0; 4], &[0; 4]], &pairs);
            assert_eq!(assigned.is_ok(), exists, "{pairs:?}");
            if let Ok(partners) = assigned {
                found += 1;
                assert!(
                    orders
                        .iter()
                        .any(|order| order[..] == partners && fits(order))
                );
            }
        }
        assert!((500..1500).contains(&found), "{found}");
    }
}
