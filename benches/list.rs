//! The speed of listing the states of sequential processes, by the kind of their parameters.

#[path = "support/script.rs"]
mod script;

use std::num::NonZeroUsize;

use base::cancel::Cancellation;
use base::threads::Threads;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eval::Evaluator;
use lts::explore::{LeafLimits, explore, list};

/// A name, a process with an assertion about it, and the number of its states.
const PROCESSES: [(&str, &str, u64); 8] = [
    (
        "numbers",
        "channel e : {0..2}
G(x, y) = (x < 299 & e.0 -> G(x + 1, y)) [] (y < 299 & e.1 -> G(x, y + 1)) [] (x > 0 and y > 0 & e.2 -> G(x - 1, y - 1))
assert STOP [T= G(0, 0)
",
        90_000,
    ),
    (
        "three numbers, broad levels",
        "channel e : {0..3}
G(x, y, z) = (x < 49 & e.0 -> G(x + 1, y, z)) [] (y < 49 & e.1 -> G(x, y + 1, z)) [] (z < 49 & e.2 -> G(x, y, z + 1)) [] (x > 0 and y > 0 and z > 0 & e.3 -> G(x - 1, y - 1, z - 1))
assert STOP [T= G(0, 0, 0)
",
        125_000,
    ),
    (
        "constructors",
        "datatype Colour = Red | Amber | Green
channel turn : {0..8}
after(Red) = Green
after(Amber) = Red
after(Green) = Amber
L(a, b, c, d, e, f, g, h, i) =
     turn.0 -> L(after(a), b, c, d, e, f, g, h, i) [] turn.1 -> L(a, after(b), c, d, e, f, g, h, i)
  [] turn.2 -> L(a, b, after(c), d, e, f, g, h, i) [] turn.3 -> L(a, b, c, after(d), e, f, g, h, i)
  [] turn.4 -> L(a, b, c, d, after(e), f, g, h, i) [] turn.5 -> L(a, b, c, d, e, after(f), g, h, i)
  [] turn.6 -> L(a, b, c, d, e, f, after(g), h, i) [] turn.7 -> L(a, b, c, d, e, f, g, after(h), i)
  [] turn.8 -> L(a, b, c, d, e, f, g, h, after(i))
assert STOP [T= L(Red, Red, Red, Red, Red, Red, Red, Red, Red)
",
        19_683,
    ),
    (
        "a sequence",
        "channel put, get : {0, 1}
Q(s) = (#s < 15 & put?x -> Q(s^<x>)) [] (not null(s) & get!head(s) -> Q(tail(s)))
assert STOP [T= Q(<>)
",
        65_535,
    ),
    (
        "a set, 16 transitions a state",
        "channel in, out : {0..15}
S(x) = (in?i : diff({0..15}, x) -> S(union(x, {i}))) [] (out?i : x -> S(diff(x, {i})))
assert STOP [T= S({})
",
        65_536,
    ),
    (
        "a set, 2 transitions a state",
        "channel in, out : {0..11}
S(x, k) = in.k -> S(union(x, {k}), (k + 1) % 12) [] out.k -> S(diff(x, {k}), (k + 1) % 12)
assert STOP [T= S({}, 0)
",
        24_576,
    ),
    (
        "a tuple",
        "channel e : {0..2}
T((x, y), b) =
     (x < 199 & e.0 -> T((x + 1, y), not b)) [] (y < 199 & e.1 -> T((x, y + 1), b))
  [] (x > 0 and y > 0 & e.2 -> T((x - 1, y - 1), b))
assert STOP [T= T((0, 0), true)
",
        80_000,
    ),
    (
        "a map",
        "channel put : {0..3}.{0..7}
channel get : {0..3}
M(m, k) = put.k?v -> M(mapUpdate(m, k, v), (k + 1) % 4) [] mapLookup(m, k) > 3 & get.k -> M(m, (k + 1) % 4)
assert STOP [T= M(mapFromList(<(i, 0) | i <- <0..3>>), 0)
",
        10_240,
    ),
];

fn listing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("list");
    group.sample_size(10);
    for (name, text, states) in PROCESSES {
        let script = script::load("list.csp", text);
        let (_, process) = script::refinements(&script)[0];
        let two = Threads::new(NonZeroUsize::new(2).expect("it is not zero"));
        let count = |threads: Option<&Threads>| {
            let mut evaluator = Evaluator::new(&script, Cancellation::new());
            let term = evaluator.process_of(process).expect("it is a process");
            let limits = LeafLimits::default();
            let lts = match threads {
                None => explore(&mut evaluator, term, &limits).map(|explored| explored.lts),
                Some(threads) => list(&mut evaluator, term, &limits, threads, &mut None),
            };
            lts.expect("it is finite").state_count() as u64
        };
        let one = &Threads::one();
        assert_eq!([None, Some(one), Some(&two)].map(count), [states; 3]);
        group.throughput(Throughput::Elements(states));
        for (way, threads) in [
            ("from code", Some(one)),
            ("from code, two threads", Some(&two)),
            ("by terms", None),
        ] {
            group.bench_function(format!("{name}, {way}"), |b| b.iter(|| count(threads)));
        }
    }
    group.finish();
}

criterion_group!(benches, listing);
criterion_main!(benches);
