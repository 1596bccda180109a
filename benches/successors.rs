//! The speed of generating transitions of a packed state, by triggers and by bitsets: nanoseconds
//! for each, and the variant that the machine gets. The weights of `machine/successors/choice.rs`
//! come from here.

#[path = "support/dijkstra.rs"]
#[allow(dead_code, reason = "this bench checks no specification")]
mod dijkstra;

use std::collections::{HashSet, VecDeque};
use std::hint::black_box;
use std::time::Duration;

use base::cancel::Cancellation;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lts::explore::LeafLimits;
use machine::packing::{PackedState, Packing};
use machine::successors::{Scratch, Successors, Variant};
use machine::{CompileOptions, Machine, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};

/// The number of states that are expanded.
const STATES: usize = 1000;

/// The rows of a process by state: its events and their targets.
type Rows = Vec<Vec<(String, usize)>>;

/// Process terms under construction.
struct Builder {
    table: DefinitionTable,
    members: Vec<(Vec<EventId>, TermId)>,
}

impl Builder {
    fn new() -> Self {
        Self {
            table: DefinitionTable::new(),
            members: Vec::new(),
        }
    }

    /// Adds a process that starts in state 0 of `rows`.
    fn process(&mut self, rows: Rows) {
        let number = self.members.len();
        let calls: Vec<TermId> = (0..rows.len())
            .map(|state| self.table.call(&format!("P({number},{state})")))
            .collect();
        let mut alphabet = Vec::new();
        for (state, row) in rows.into_iter().enumerate() {
            let terms = self.table.terms_mut();
            let mut branch = |(event, to): (String, usize)| {
                let event = terms.events.intern(&event);
                alphabet.push(event);
                (event, calls[to])
            };
            let branches = row.into_iter().map(&mut branch).collect();
            let body = terms.prefix(branches);
            self.table.define(&format!("P({number},{state})"), body);
        }
        alphabet.sort_unstable();
        alphabet.dedup();
        self.members.push((alphabet, calls[0]));
    }

    /// All processes, each with the alphabet of its events.
    fn machine(mut self) -> Machine {
        let terms = self.table.terms_mut();
        let members = self.members.into_iter();
        let members = members.map(|(events, term)| (terms.events.intern_set(events), term));
        let members = members.collect();
        let system = terms.alphabetised(members);
        compiled(&mut self.table, system)
    }
}

fn compiled(table: &mut DefinitionTable, system: TermId) -> Machine {
    let options = CompileOptions::new(LeafLimits::default());
    compile(table, system, &options).expect("it is finite")
}

/// `n` processes of two to five states that go round on their own, and take and give back one of
/// two resources.
fn many_small(n: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..n {
        let states = 2 + i % 4;
        let row = |state: usize| {
            let event = match state {
                0 => format!("take.{i}"),
                1 => format!("give.{i}"),
                _ => format!("step.{i}.{state}"),
            };
            vec![(event, (state + 1) % states)]
        };
        builder.process((0..states).map(row).collect());
    }
    let resource = |free: usize| {
        let taken = |i: usize| (format!("take.{i}"), free - 1);
        let given = |i: usize| (format!("give.{i}"), free + 1);
        let takes = (0..n).filter(|_| free > 0).map(taken);
        takes
            .chain((0..n).filter(|_| free < 2).map(given))
            .collect()
    };
    builder.process(
        (0..3)
            .map(|free| resource(2 - free))
            .map(mirrored)
            .collect(),
    );
    builder.machine()
}

/// The row with states numbered from the one with most left.
fn mirrored(row: Vec<(String, usize)>) -> Vec<(String, usize)> {
    row.into_iter().map(|(event, to)| (event, 2 - to)).collect()
}

/// Peg solitaire on a board of `n` by `n`: a process of two states for each hole, three of which
/// take part in a jump.
fn solitaire(n: usize) -> Machine {
    let mut builder = Builder::new();
    let mut rows: Vec<Rows> = vec![vec![Vec::new(), Vec::new()]; n * n];
    let centre = n * n / 2;
    for hole in 0..n * n {
        let (x, y) = ((hole % n) as isize, (hole / n) as isize);
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let at = |far: isize| {
                let (x, y) = (x + far * dx, y + far * dy);
                let range = 0..n as isize;
                (range.contains(&x) && range.contains(&y)).then(|| (x + y * n as isize) as usize)
            };
            let (Some(over), Some(to)) = (at(1), at(2)) else {
                continue;
            };
            let event = format!("jump.{hole}.{to}");
            // State 0 is that of the start.
            for (hole, has_peg) in [(hole, true), (over, true), (to, false)] {
                let from = usize::from(has_peg != (hole != centre));
                rows[hole][from].push((event.clone(), 1 - from));
            }
        }
    }
    rows.into_iter().for_each(|rows| builder.process(rows));
    builder.machine()
}

/// Three processes of `states` states, which have events of their own and share others.
fn few_large(states: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..3_usize {
        let row = |state: usize| {
            let on = (format!("own.{i}.{}", state % 7), (state + 1) % states);
            let shared = (0..8).map(|k| {
                let event = format!("shared.{}", (state * 5 + k * (i + 3)) % 40);
                (event, (state * (2 + i) + k + 1) % states)
            });
            let mut row: Vec<_> = shared.chain([on]).collect();
            row.sort();
            row.dedup_by(|a, b| a.0 == b.0);
            row
        };
        builder.process((0..states).map(row).collect());
    }
    builder.machine()
}

/// A ring of `n` processes of which one has the token at first.
fn ring(n: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..n {
        let idle = |to| vec![(format!("token.{i}"), to)];
        let holds = |to, here| {
            vec![
                (format!("token.{}", (i + 1) % n), to),
                (format!("work.{i}"), here),
            ]
        };
        builder.process(if i == 0 {
            vec![holds(1, 0), idle(0)]
        } else {
            vec![idle(1), holds(0, 1)]
        });
    }
    builder.machine()
}

/// `n` processes on their own, each with two states that both do something: nobody is ever idle.
fn busy(n: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..n {
        builder.process(vec![
            vec![(format!("on.{i}"), 1)],
            vec![(format!("off.{i}"), 0)],
        ]);
    }
    builder.machine()
}

/// `n` processes on their own, each with a state without steps; half of them are in it.
fn half_idle(n: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..n {
        builder.process(vec![vec![(format!("on.{i}"), 1)], vec![]]);
    }
    builder.machine()
}

/// Three processes of 50 states that share `events` events, of which each allows about a tenth at a
/// time.
fn many_events(events: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..3_usize {
        let row = |state: usize| {
            let enabled =
                (0..events).filter(|e| (e * 31 / (1 + i * 7) + state * 3).is_multiple_of(10));
            let row = enabled.map(|e| (format!("e.{e}"), (state + e * (i + 1) + 1) % 50));
            row.collect()
        };
        builder.process((0..50).map(row).collect());
    }
    builder.machine()
}

/// Towers of Hanoi: a process for each pole, whose state is the set of discs on it.
fn hanoi(poles: usize, discs: usize) -> Machine {
    let mut builder = Builder::new();
    let all = (1 << discs) - 1;
    for pole in 0..poles {
        // State 0 is that of the start: all discs on the first pole.
        let start = if pole == 0 { all } else { 0 };
        let row = |state: usize| {
            let set = state ^ start;
            let clear = (0..discs).filter(|disc| set & ((1 << disc) - 1) == 0);
            let others = |_: usize| (0..poles).filter(|&other| other != pole);
            clear
                .flat_map(|disc| others(disc).map(move |other| (disc, other)))
                .map(|(disc, other)| {
                    let from_here = set >> disc & 1 == 1;
                    let (from, to) = if from_here {
                        (pole, other)
                    } else {
                        (other, pole)
                    };
                    (
                        format!("move.{disc}.{from}.{to}"),
                        (set ^ (1 << disc)) ^ start,
                    )
                })
                .collect()
        };
        builder.process((0..1 << discs).map(row).collect());
    }
    builder.machine()
}

/// Philosophers in a ring, with a state for each step, and forks.
fn philosophers(n: usize) -> Machine {
    let mut builder = Builder::new();
    for i in 0..n {
        let (left, right) = (i, (i + 1) % n);
        let steps = [
            format!("think.{i}"),
            format!("get.{i}.{left}"),
            format!("get.{i}.{right}"),
            format!("eat.{i}"),
            format!("put.{i}.{left}"),
            format!("put.{i}.{right}"),
        ];
        let rows = steps.into_iter().enumerate();
        builder.process(rows.map(|(at, step)| vec![(step, (at + 1) % 6)]).collect());
    }
    for fork in 0..n {
        let users = [fork, (fork + n - 1) % n];
        let mut rows: Rows = vec![Vec::new()];
        for (number, user) in users.into_iter().enumerate() {
            rows[0].push((format!("get.{user}.{fork}"), number + 1));
            rows.push(vec![(format!("put.{user}.{fork}"), 0)]);
        }
        builder.process(rows);
    }
    builder.machine()
}

/// The first states of `machine`, breadth first, after some that are too near to the initial one.
fn states<S: PackedState>(successors: &Successors, packing: &Packing) -> Vec<S> {
    let mut scratch = Scratch::new(packing.words());
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([S::zero(packing.words())]);
    let mut found = Vec::new();
    while let Some(state) = queue.pop_front() {
        successors.for_each(&state, &mut scratch, &mut |_, _, next: &S| {
            if seen.len() < 20 * STATES && seen.insert(next.words().to_vec()) {
                queue.push_back(next.clone());
            }
        });
        found.push(state);
    }
    let every = (found.len() / STATES).max(1);
    found.into_iter().step_by(every).take(STATES).collect()
}

#[allow(clippy::print_stdout, reason = "that is what a bench is for")]
fn measure<S: PackedState>(c: &mut Criterion, name: &str, machine: &Machine, packing: &Packing) {
    let chosen = machine
        .successors(packing, Cancellation::never())
        .expect("it is small");
    let states: Vec<S> = states(&chosen, packing);
    let mut scratch = Scratch::new(packing.words());
    let mut transitions = 0_u64;
    for state in &states {
        chosen.for_each(state, &mut scratch, &mut |_, _, _: &S| transitions += 1);
    }
    println!(
        "{name}: {} leaves, {} rules, {} words, {:.1} transitions a state; it gets {:?}",
        machine.leaves.len(),
        machine.rules.len(),
        packing.words(),
        transitions as f64 / states.len() as f64,
        chosen.variant(),
    );
    let mut group = c.benchmark_group(name);
    // Together they take a minute and a half.
    group.sample_size(20);
    group.warm_up_time(Duration::from_secs(1));
    group.measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(transitions));
    for variant in [Variant::Triggers, Variant::Bitsets] {
        let Ok(successors) = Successors::of_variant(machine, packing, variant) else {
            continue;
        };
        group.bench_function(format!("{variant:?}"), |b| {
            b.iter(|| {
                let mut sum = 0_u64;
                for state in &states {
                    successors.for_each(state, &mut scratch, &mut |_, _, next: &S| {
                        sum = sum.wrapping_add(next.word(0));
                    });
                }
                black_box(sum)
            });
        });
    }
    group.finish();
}

fn successors(c: &mut Criterion) {
    let mut model = dijkstra::dijkstra(5);
    let dijkstra = compiled(&mut model.definitions, model.system);
    let machines = [
        ("dijkstra 5", dijkstra),
        ("hanoi 7,8", hanoi(7, 8)),
        ("philosophers 10", philosophers(10)),
        ("philosophers 20", philosophers(20)),
        ("60 small leaves", many_small(60)),
        ("solitaire 6", solitaire(6)),
        ("solitaire 11", solitaire(11)),
        ("3 leaves of 10^4 states", few_large(10_000)),
        ("ring of 60", ring(60)),
        ("ring of 1000", ring(1000)),
        ("1000 busy leaves", busy(1000)),
        ("1000 leaves half idle", half_idle(1000)),
        ("10^4 events", many_events(10_000)),
        ("10^5 events", many_events(100_000)),
    ];
    for (name, machine) in &machines {
        let packing = machine.packing(1);
        match packing.words() {
            1 => measure::<u64>(c, name, machine, &packing),
            2 => measure::<[u64; 2]>(c, name, machine, &packing),
            _ => measure::<Vec<u64>>(c, name, machine, &packing),
        }
    }
}

criterion_group!(benches, successors);
criterion_main!(benches);
