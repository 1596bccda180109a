// Places for the nodes of a graph in the plane, the same for the same graph.

/** How often the places are improved. */
const ROUNDS = 200;

/**
 * Places for `count` nodes with these edges, pairs of numbers, in a square of side 1. Nodes are as far apart as their
 * shortest path is long, as nearly as that can be: the layout begins with the two main axes of the distances
 * (classical scaling), and then lessens the stress (majorization, Gansner, Koren and North 2004).
 */
export function places(count, edges) {
  const distances = allDistances(count, edges);
  let at = axes(distances);
  for (let round = 0; round < ROUNDS; round += 1) at = improved(at, distances);
  return inSquare(at);
}

/** By pair of nodes, how long a shortest path is, whatever the direction of its edges. */
function allDistances(count, edges) {
  const near = Array.from({ length: count }, () => new Set());
  for (const [from, to] of edges) {
    if (from === to) continue;
    near[from].add(to);
    near[to].add(from);
  }
  return near.map((_, start) => {
    const found = new Array(count).fill(null);
    found[start] = 0;
    const open = [start];
    for (const node of open) {
      for (const next of near[node]) {
        if (found[next] !== null) continue;
        found[next] = found[node] + 1;
        open.push(next);
      }
    }
    // Every state is reached from the start, so that there is a path.
    return found.map((distance) => distance ?? count);
  });
}

/** The two main axes of the matrix of squared distances, centred: the classical scaling. */
function axes(distances) {
  const count = distances.length;
  const squares = distances.map((row) => row.map((d) => d * d));
  const means = squares.map((row) => sum(row) / count);
  const mean = sum(means) / count;
  const matrix = squares.map((row, i) => row.map((d, j) => (means[i] + means[j] - mean - d) / 2));
  const found = [];
  for (let axis = 0; axis < 2; axis += 1) {
    // The start has no symmetry of the graph, so that it has a part in every direction.
    let vector = matrix.map((_, i) => Math.sin(1 + axis + i * (axis + 1.7)));
    for (let round = 0; round < 120; round += 1) {
      for (const other of found) vector = minus(vector, other, dot(vector, other));
      vector = unit(matrix.map((row) => dot(row, vector)));
    }
    for (const other of found) vector = minus(vector, other, dot(vector, other));
    vector = unit(vector);
    found.push(vector);
  }
  const scale = Math.sqrt(count);
  return distances.map((_, i) => [found[0][i] * scale, found[1][i] * scale]);
}

/** Each node where the others want it, weighted by the inverse squares of distances. */
function improved(at, distances) {
  return at.map(([x, y], i) => {
    let [sumX, sumY, weights] = [0, 0, 0];
    for (let j = 0; j < at.length; j += 1) {
      if (j === i) continue;
      const wanted = distances[i][j];
      const weight = 1 / (wanted * wanted);
      const [dx, dy] = [x - at[j][0], y - at[j][1]];
      const pull = wanted / Math.max(Math.hypot(dx, dy), 1e-9);
      sumX += weight * (at[j][0] + dx * pull);
      sumY += weight * (at[j][1] + dy * pull);
      weights += weight;
    }
    return weights === 0 ? [x, y] : [sumX / weights, sumY / weights];
  });
}

function inSquare(at) {
  const [xs, ys] = [at.map(([x]) => x), at.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const side = Math.max(Math.max(...xs) - left, Math.max(...ys) - top, 1e-9);
  const inset = (size) => (1 - size / side) / 2;
  const [dx, dy] = [inset(Math.max(...xs) - left), inset(Math.max(...ys) - top)];
  return at.map(([x, y]) => [(x - left) / side + dx, (y - top) / side + dy]);
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);
const minus = (a, b, factor) => a.map((value, i) => value - factor * b[i]);
const unit = (a) => {
  const length = Math.sqrt(dot(a, a)) || 1;
  return a.map((value) => value / length);
};
