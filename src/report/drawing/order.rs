//! The order within layers: few lines should cross.
//!
//! Sweeps go up and down, and put each item at the mean place of the items to which it is joined in
//! the layer before (the barycentre). Then neighbours change places as long as that helps. To find
//! the fewest crossings is NP-hard even for two layers.

use super::layers::Layers;

/// The number of sweeps in a row that find nothing better, after which no more are made.
const PATIENCE: usize = 8;
/// The most sweeps.
const SWEEPS: usize = 48;
/// The most items of a drawing in which neighbours change places. In a larger one that would take
/// long, and would not be seen.
const FEW_ITEMS: usize = 6_000;

/// Orders the items of each layer.
pub(super) fn put_in_order(layers: &mut Layers) {
    let mut position = positions(layers);
    let mut best = layers.rows.clone();
    let mut fewest = crossings(layers, &position);
    let mut patience = PATIENCE;
    for sweep in 0..SWEEPS {
        if fewest == 0 || patience == 0 {
            break;
        }
        sweep_once(layers, &mut position, sweep % 2 == 0);
        if layers.items.len() <= FEW_ITEMS {
            // Now and then neighbours are exchanged where that makes no difference, which leads out
            // of orders that no single exchange makes better.
            exchange(layers, &mut position, sweep % 4 == 3);
        }
        let found = crossings(layers, &position);
        patience -= 1;
        if found < fewest {
            (fewest, patience) = (found, PATIENCE);
            best.clone_from(&layers.rows);
        }
    }
    layers.rows = best;
}

/// By item, its place in its layer.
pub(super) fn positions(layers: &Layers) -> Vec<usize> {
    let mut position = vec![0; layers.items.len()];
    for row in &layers.rows {
        for (place, &item) in row.iter().enumerate() {
            position[item] = place;
        }
    }
    position
}

fn sweep_once(layers: &mut Layers, position: &mut [usize], downwards: bool) {
    let count = layers.rows.len();
    for step in 1..count {
        let layer = if downwards { step } else { count - 1 - step };
        let joined = if downwards { &layers.up } else { &layers.down };
        let row = &mut layers.rows[layer];
        let wish = |item: usize| -> f64 {
            match joined[item].as_slice() {
                [] => position[item] as f64,
                joined => {
                    let places = joined.iter().map(|&other| position[other] as f64);
                    places.sum::<f64>() / joined.len() as f64
                }
            }
        };
        let mut wishes: Vec<(f64, usize)> = row.iter().map(|&item| (wish(item), item)).collect();
        // The sort is stable, so that equal wishes change nothing.
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (place, &(_, item)) in wishes.iter().enumerate() {
            row[place] = item;
            position[item] = place;
        }
    }
}

/// Lets neighbours change places where fewer lines cross then.
fn exchange(layers: &mut Layers, position: &mut [usize], also_equal: bool) {
    let Layers { rows, up, down, .. } = layers;
    for _ in 0..6 {
        let mut changed = false;
        for row in rows.iter_mut() {
            for place in 1..row.len() {
                let (a, b) = (row[place - 1], row[place]);
                let joined = [&*up, &*down];
                let now: usize = joined.map(|j| pairs(&j[a], &j[b], position)).iter().sum();
                let then: usize = joined.map(|j| pairs(&j[b], &j[a], position)).iter().sum();
                let is_equal = then == now && now > 0;
                if then < now || also_equal && is_equal {
                    row.swap(place - 1, place);
                    (position[a], position[b]) = (place, place - 1);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
}

/// The number of crossings of lines to `left` with lines to `right`, of two items of which the
/// first stands left.
fn pairs(left: &[usize], right: &[usize], position: &[usize]) -> usize {
    let crossed = |&l: &usize| right.iter().filter(|&&r| position[r] < position[l]).count();
    left.iter().map(crossed).sum()
}

/// The number of crossings of lines.
pub(super) fn crossings(layers: &Layers, position: &[usize]) -> usize {
    let rows = layers.rows.iter().zip(layers.rows.iter().skip(1));
    let between = rows.map(|(upper, lower)| {
        // Lines by their upper end, then their lower one: two of them cross if the lower ends are
        // the other way round. `counts` is a Fenwick tree of the lower ends so far.
        let mut counts = vec![0_usize; lower.len() + 1];
        let (mut crossings, mut seen) = (0, 0);
        for &item in upper {
            let mut ends: Vec<usize> = layers.down[item].iter().map(|&to| position[to]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut at = end + 1;
                let mut not_right = 0;
                while at > 0 {
                    not_right += counts[at];
                    at &= at - 1;
                }
                crossings += seen - not_right;
            }
            for &end in &ends {
                let mut at = end + 1;
                while at < counts.len() {
                    counts[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
        crossings
    });
    between.sum()
}
