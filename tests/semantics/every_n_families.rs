//! Verdicts for every number of identities against those of instances, for random families of kinds
//! that `every_n.rs` lacks: with a second constant, or a second set of identities; with a set as
//! the constant; with another least value; and those that need more than one identity in sight.

mod identities;
mod processes;
use crate::instances;
use std::sync::LazyLock;
use testkit::depth::cases;
mod templates;

use std::time::Duration;

use crate::instances::options;
use crate::random::Random;
use cspsym::{Cancellation, ForAll, Options, Script, Task};
use identities::Identities;
use report::assertion::Verdict;
use templates::{CLUB, TEMPLATES};

/// The number of families of each kind.
static FAMILIES: LazyLock<u64> = LazyLock::new(|| cases(24, 240));

/// The time for a family. Some have very many views, and are open if they are not decided in time.
const PATIENCE: Duration = Duration::from_secs(4);

/// The largest size of instances that are compared.
const LARGEST: usize = 7;

/// A script with its question.
struct Family {
    text: String,
    constant: String,
    /// The identities whose number is the value of the constant.
    values: Identities,
    least: usize,
}

/// The numbers of families that hold, fail, and are open.
#[derive(Default, Debug)]
struct Tally {
    /// The families that hold, by the number of identities in sight; 0 if instances alone decided.
    holding: [u64; 4],
    /// The families that fail, by the least value for which they do.
    failing: [u64; LARGEST + 1],
    open: u64,
    /// The number of agreeing instances that were not decided one by one.
    compared: u64,
}

impl Tally {
    fn with(mut self, other: &Self) -> Self {
        for (sum, count) in self.holding.iter_mut().zip(other.holding) {
            *sum += count;
        }
        for (sum, count) in self.failing.iter_mut().zip(other.failing) {
            *sum += count;
        }
        self.open += other.open;
        self.compared += other.compared;
        self
    }

    fn count(&self) -> u64 {
        let decided = self.holding.iter().chain(&self.failing);
        decided.sum::<u64>() + self.open
    }

    /// Asserts that of a hundred families at least 25 hold by views, and at least 25 fail, and that
    /// at least 50 more instances agree. Otherwise the comparison would say little.
    fn says_enough(&self) {
        let in_hundred = |count: u64| 100 * count / self.count();
        let by_views = self.holding[1..].iter().sum();
        let failing = self.failing.iter().sum();
        assert!(in_hundred(by_views) >= 25, "{self:?}");
        assert!(in_hundred(failing) >= 25, "{self:?}");
        assert!(in_hundred(self.compared) >= 50, "{self:?}");
    }
}

impl Family {
    /// Decides the family for all values, and compares with its instances.
    fn compare(&self) -> Tally {
        let script = Script::parse("family.csp", &self.text);
        let script = script.expect("the script is right");
        let asked = format!("{} >= {}", self.constant, self.least);
        let options = Options {
            for_all: Some(asked.parse::<ForAll>().expect("it is a question")),
            ..options()
        };
        let task = Task {
            cancellation: Cancellation::after(PATIENCE),
            ..Task::default()
        };
        let report = script.check(0, &options, &task).report;
        let text = format!("{asked}: {:?}\n{}", report.message, self.text);
        let found = report.for_all.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(found.largest, self.values.largest(), "{text}");
        let mut tally = Tally::default();
        match report.verdict {
            Verdict::Pass => {
                let last = LARGEST.min(found.largest.unwrap_or(LARGEST));
                tally.compared = self.holds_up_to(last, found.instances, &text);
                tally.holding[found.in_sight.unwrap_or(0)] += 1;
            }
            Verdict::Fail => {
                let size = found.fails_with.expect("an instance fails");
                if size > 0 {
                    self.holds_up_to(size - 1, size, &text);
                }
                assert!(size >= self.least, "{text}");
                assert_ne!(self.instance(size), Verdict::Pass, "{size} of {text}");
                tally.failing[size] += 1;
            }
            Verdict::Unknown => {
                self.holds_up_to(found.instances, found.instances, &text);
                tally.open += 1;
            }
            Verdict::Error => panic!("{text}"),
        }
        tally
    }

    /// Asserts that the family holds from the least value up to `last`, as far as instances are
    /// small enough. Returns the number of these that were not `decided` one by one.
    fn holds_up_to(&self, last: usize, decided: usize, text: &str) -> u64 {
        let mut compared = 0;
        for size in self.least..=last {
            match self.instance(size) {
                Verdict::Pass => compared += u64::from(size > decided),
                Verdict::Unknown => break,
                verdict => panic!("{verdict:?} with {size}, {text}"),
            }
        }
        compared
    }

    fn instance(&self, size: usize) -> Verdict {
        let definition = self.values.definition(&self.constant, size);
        instances::instance(&self.text, definition)
    }
}

/// Compares `count` families, each made from a random number of its own.
fn compare_all(count: u64, family: impl Fn(&mut Random) -> Family + Sync) -> Tally {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let compare = |seed: u64| family(&mut Random(seed * 7919)).compare();
    let compare = &compare;
    std::thread::scope(|scope| {
        let work = |worker: u64| {
            let seeds = (worker..count).step_by(workers as usize);
            move || seeds.fold(Tally::default(), |sum, seed| sum.with(&compare(seed)))
        };
        let threads: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(work(worker)))
            .collect();
        let tallies = threads.into_iter().map(|thread| thread.join());
        tallies.fold(Tally::default(), |sum, tally| {
            sum.with(&tally.expect("no family panics"))
        })
    })
}

impl Random {
    /// A random family of processes with data, asked for all sizes of its set.
    fn of_data(&mut self, values: Identities, least: usize) -> Family {
        let counts = self.below(3) > 0;
        let size = 1 + self.below(values.largest().unwrap_or(3));
        Family {
            constant: values.constant("ID", "N"),
            text: self.with_data(values, size, least == 0, counts),
            values,
            least,
        }
    }

    /// A random template, asked for all sizes.
    fn of_any_template(&mut self, values: Identities, least: usize) -> Family {
        let template = TEMPLATES[self.below(TEMPLATES.len())];
        self.of_template(template, values, least)
    }

    fn of_template(&mut self, template: &str, values: Identities, least: usize) -> Family {
        let size = 1 + self.below(values.largest().unwrap_or(3));
        let system = self.filled(template);
        Family {
            constant: values.constant("ID", "N"),
            text: format!(
                "{}others(i) = diff(ID, {{i}})\n{system}assert SPEC [T= SYSTEM\n",
                values.text("ID", "N", size)
            ),
            values,
            least,
        }
    }
}

#[test]
fn what_holds_beside_another_constant_holds_for_each() {
    let tally = compare_all(*FAMILIES, |random| {
        let values = random.identities();
        match random.below(6) {
            0 => random.of_template(CLUB, values, 1),
            _ => random.of_data(values, 1),
        }
    });
    tally.says_enough();
    assert!(tally.failing[4] > 0 || *FAMILIES < 200, "{tally:?}");
    // The question is about the other constant. The data is the set of identities then.
    let tally = compare_all(*FAMILIES, |random| {
        let users = random.identities();
        let (size, counts) = (1 + random.below(2), random.below(4) == 0);
        Family {
            text: random.with_data(users, size, false, counts),
            constant: "M".to_string(),
            values: Identities::FromZero,
            least: 1,
        }
    });
    tally.says_enough();
}

#[test]
fn what_holds_for_one_of_two_sets_holds_for_each() {
    for is_of_keys in [false, true] {
        let tally = compare_all(*FAMILIES, |random| {
            let (users, keys) = (random.identities(), random.identities());
            let sizes = (1 + random.below(2), 1 + random.below(2));
            let (constant, values) = match is_of_keys {
                true => (keys.constant("KEY", "M"), keys),
                false => (users.constant("ID", "N"), users),
            };
            let text = random.with_keys((users, sizes.0), (keys, sizes.1));
            Family {
                text,
                constant,
                values,
                least: 1,
            }
        });
        tally.says_enough();
    }
}

#[test]
fn what_holds_for_a_set_holds_for_each() {
    let tally = compare_all(*FAMILIES, |random| {
        let values = random.set_of_identities();
        match random.below(3) {
            0 => random.of_any_template(values, 1),
            _ => random.of_data(values, 1),
        }
    });
    tally.says_enough();
}

#[test]
fn what_holds_from_a_least_value_on_holds_for_each() {
    let tally = compare_all(*FAMILIES, |random| {
        let values = random.identities();
        let least = random.below(6).min(values.largest().unwrap_or(5));
        match random.below(3) {
            0 => random.of_any_template(values, least),
            _ => random.of_data(values, least),
        }
    });
    tally.says_enough();
}

#[test]
fn what_needs_several_in_sight_holds_for_each() {
    let tally = compare_all(*FAMILIES, |random| {
        let values = random.identities();
        random.of_any_template(values, 1)
    });
    tally.says_enough();
    // Two identities suffice, or three. Other families fail from two, three or four on.
    let few = *FAMILIES / 20;
    assert!(
        tally.holding[2] >= 4 * few && tally.holding[3] >= 2 * few,
        "{tally:?}"
    );
    let failing = &tally.failing[2..=4];
    assert!(failing.iter().all(|&count| count >= few), "{tally:?}");
}
