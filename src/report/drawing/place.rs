//! The places of items: each layer below the one before, and in it every item as near as can be to
//! those to which it is joined.

use super::items::Item;
use super::layers::Layers;
use super::order::positions;

/// The places of all items.
pub(super) struct LayerPlaces {
    /// By item, its middle.
    pub(super) x: Vec<f64>,
    /// By item, the distance of its middle from that of its layer, downwards.
    pub(super) below: Vec<f64>,
    /// By layer, the top and the bottom.
    pub(super) bands: Vec<(f64, f64)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The space around the drawing.
pub(super) const MARGIN: f64 = 24.0;
/// The space above the root, for the arrow that marks it.
const ABOVE: f64 = 22.0;
/// The space from one layer to the next, at least and at most.
const BETWEEN: (f64, f64) = (20.0, 72.0);
/// The number of rounds in which layers are put right against those beside them.
const ROUNDS: usize = 60;

/// The number of rounds in which lines are made straight: one may make room for another.
const STRAIGHTENING: usize = 4;

/// Places for all items, in the order of the layers.
pub(super) fn place(layers: &Layers) -> LayerPlaces {
    let mut x = vec![0.0; layers.items.len()];
    for row in &layers.rows {
        let mut at = 0.0;
        for (place, &item) in row.iter().enumerate() {
            if place > 0 {
                at += layers.distance(row[place - 1], item);
            }
            x[item] = at;
        }
        // Rows begin in the middle of the page.
        row.iter().for_each(|&item| x[item] -= at / 2.0);
    }
    for round in 0..ROUNDS {
        let count = layers.rows.len();
        for step in 0..count {
            let row = match round % 2 {
                0 => step,
                _ => count - 1 - step,
            };
            // At first rows follow the row before, later the rows on both sides.
            let (up, down) = match round {
                _ if round >= ROUNDS / 2 => (true, true),
                _ if round % 2 == 0 => (true, false),
                _ => (false, true),
            };
            settle(layers, &layers.rows[row], &mut x, up, down);
        }
    }
    for _ in 0..STRAIGHTENING {
        straighten(layers, &mut x);
    }
    let left = |item: usize| x[item] - layers.items[item].left;
    let leftmost = (0..x.len()).map(left).fold(f64::INFINITY, f64::min);
    let shift = MARGIN - if leftmost.is_finite() { leftmost } else { 0.0 };
    x.iter_mut().for_each(|x| *x += shift);
    let right = x.iter().zip(&layers.items).map(|(x, item)| x + item.right);
    let width = right.fold(0.0, f64::max) + MARGIN;
    let bands = bands(layers, &x);
    let height = bands.last().map_or(MARGIN, |band| band.1) + MARGIN;
    let position = positions(layers);
    let below = (0..x.len()).map(|item| layers.below_middle(item, position[item]));
    LayerPlaces {
        below: below.collect(),
        x,
        bands,
        width,
        height,
    }
}

/// Puts the items of a row where the sum of squares of the lengths of their lines is least,
/// sideways, without changing their order: isotonic regression, by pooling neighbours that want to
/// pass each other.
fn settle(layers: &Layers, row: &[usize], x: &mut [f64], up: bool, down: bool) {
    // A block has the sum of weights, that of weighted wishes, and the number of items.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    let mut offsets = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    for (place, &item) in row.iter().enumerate() {
        if place > 0 {
            offset += layers.distance(row[place - 1], item);
        }
        offsets.push(offset);
        let (mut weight, mut wish) = (0.0, 0.0);
        for (use_them, joined) in [(up, &layers.up[item]), (down, &layers.down[item])] {
            for &other in joined.iter().filter(|_| use_them) {
                let by = weight_of(&layers.items[item], &layers.items[other]);
                weight += by;
                wish += by * x[other];
            }
        }
        if weight == 0.0 {
            (weight, wish) = (0.01, 0.01 * x[item]);
        }
        let mut block = (weight, wish - weight * offset, 1);
        while let Some(&last) = blocks.last() {
            if last.1 / last.0 <= block.1 / block.0 {
                break;
            }
            blocks.pop();
            block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
        }
        blocks.push(block);
    }
    let at = blocks
        .iter()
        .flat_map(|block| std::iter::repeat_n(block.1 / block.0, block.2));
    for ((&item, offset), at) in row.iter().zip(offsets).zip(at) {
        x[item] = at + offset;
    }
}

/// Puts the items that a line passes below each other, as far as there is room between neighbours.
fn straighten(layers: &Layers, x: &mut [f64]) {
    let position = positions(layers);
    for line in &layers.lines {
        let mut left = line.through.as_slice();
        while !left.is_empty() {
            // As many items as fit one below the other are counted.
            let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut count = 0;
            for &item in left {
                let (from, to) = room(layers, x, &position, item);
                let (from, to) = (least.max(from), most.min(to));
                if from > to {
                    break;
                }
                (least, most) = (from, to);
                count += 1;
            }
            // There is always room for one where it is; sums of lengths may be a little off.
            let (run, rest) = left.split_at(count.max(1));
            if count > 1 {
                let mean = run.iter().map(|&item| x[item]).sum::<f64>() / count as f64;
                run.iter()
                    .for_each(|&item| x[item] = mean.max(least).min(most));
            }
            left = rest;
        }
    }
}

/// The leftmost and the rightmost place to which `item` may be moved.
fn room(layers: &Layers, x: &[f64], position: &[usize], item: usize) -> (f64, f64) {
    let row = &layers.rows[layers.items[item].layer];
    let place = position[item];
    let left = place.checked_sub(1).map(|before| row[before]);
    let left = left.map(|other| x[other] + layers.distance(other, item));
    let right = row.get(place + 1);
    let right = right.map(|&other| x[other] - layers.distance(item, other));
    (
        left.unwrap_or(f64::NEG_INFINITY),
        right.unwrap_or(f64::INFINITY),
    )
}

/// The weight of a line between two items. It matters more that lines are straight where they pass
/// layers than that nodes are near.
fn weight_of(a: &Item, b: &Item) -> f64 {
    match (a.is_node, b.is_node) {
        (false, false) => 8.0,
        (true, true) => 1.0,
        _ => 2.0,
    }
}

/// The tops and bottoms of the layers. Where lines go far sideways, there is more room for them.
fn bands(layers: &Layers, x: &[f64]) -> Vec<(f64, f64)> {
    let mut top = MARGIN + ABOVE;
    let bands = layers.rows.iter().map(|row| {
        let height = row.iter().map(|&item| layers.items[item].height);
        let height = height.fold(0.0, f64::max);
        let sideways = row.iter().flat_map(|&item| {
            let below = layers.down[item].iter();
            below.map(move |&other| (x[item] - x[other]).abs())
        });
        let farthest = sideways.fold(0.0, f64::max);
        let band = (top, top + height);
        top += height + (farthest / 6.0).clamp(BETWEEN.0, BETWEEN.1);
        band
    });
    bands.collect()
}
