//! Random systems of copies of one component, beside a shared one, with symmetries known by
//! construction.

use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};

use crate::random::RandomNumbers;

/// A system of copies, with its specification.
pub struct CopiesSystem {
    /// The definitions of both.
    pub table: DefinitionTable,
    /// The specification.
    pub specification: TermId,
    /// The copies beside the part that they share.
    pub implementation: TermId,
}

/// The parameters of a system of copies. Identities are 0 to `copies` - 1.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The number of copies.
    pub copies: usize,
    /// The number of control points of each copy.
    pub points: usize,
    /// The steps of each copy: from a control point, the events, to a control point.
    pub steps: Vec<(usize, CopyStep, usize)>,
    /// True if a copy remembers the copy with which it last spoke.
    pub remembers: bool,
    /// True if copy 0 starts at control point 1, and the others at 0.
    pub token: bool,
    /// The operator that composes the copies.
    pub composition: Composition,
    /// The process beside them.
    pub shared: SharedPart,
    /// True if each copy has a second leaf beside it.
    pub partner: bool,
    /// The channels that are hidden.
    pub hidden: Vec<&'static str>,
    /// The specification.
    pub specification: Specification,
}

/// The events of a step of copy i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyStep {
    /// `a.i`
    A,
    /// `b.i`
    B,
    /// `p.i.j` for every other j
    Give,
    /// `p.j.i` for every other j
    Take,
    /// `p.i.(i + 1)`, around a ring
    Pass,
    /// `p.(i - 1).i`
    Receive,
    /// `lock.i`
    Lock,
    /// `free.i`
    Free,
    /// `g`, which all copies do together
    All,
    /// `m.i.j` if it remembers j
    Tell,
}

const KINDS: [CopyStep; 10] = [
    CopyStep::A,
    CopyStep::B,
    CopyStep::Give,
    CopyStep::Take,
    CopyStep::Pass,
    CopyStep::Receive,
    CopyStep::Lock,
    CopyStep::Free,
    CopyStep::All,
    CopyStep::Tell,
];

/// The operator that composes the copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Composition {
    /// `|||`
    Interleaved,
    /// In parallel on `g`
    Together,
    /// In parallel, each with the events that name it
    Alphabetised,
}

/// The process beside the copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedPart {
    /// No process.
    Nothing,
    /// A lock: only the copy that did `lock.i` may do `free.i`. The lock is free first, or held by
    /// 0.
    Mutex {
        /// True if 0 holds the lock at first.
        held: bool,
    },
    /// Counts to two.
    Counter,
}

/// The specification of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specification {
    /// All events.
    All,
    /// No `b.i`.
    NoB,
    /// At most this many `a.i` in all.
    Few(usize),
    /// Between `a.i` and `b.i` no other `a` or `b`; starts after `a.0` if so.
    Exclusive {
        /// True if it starts after `a.0`.
        inside: bool,
    },
    /// No `a.0`, so that the copies differ.
    NotZero,
}

impl Shape {
    /// The random shape for `seed`.
    pub fn random(seed: u64) -> Self {
        let random = &mut RandomNumbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let points = 2 + random.below(3);
        let mut steps: Vec<(usize, CopyStep, usize)> = (0..points)
            .map(|p| (p, KINDS[random.below(KINDS.len())], (p + 1) % points))
            .collect();
        for _ in 0..random.below(4) {
            let (from, to) = (random.below(points), random.below(points));
            steps.push((from, KINDS[random.below(KINDS.len())], to));
        }
        let channels = ["p", "lock", "free", "m", "g"];
        Self {
            copies: 2 + random.below(3),
            points,
            steps,
            remembers: random.one_in(3),
            token: random.one_in(3),
            composition: match random.below(3) {
                0 => Composition::Interleaved,
                1 => Composition::Together,
                _ => Composition::Alphabetised,
            },
            shared: match random.below(5) {
                0 => SharedPart::Mutex { held: false },
                1 => SharedPart::Mutex { held: true },
                2 => SharedPart::Counter,
                _ => SharedPart::Nothing,
            },
            partner: random.one_in(3),
            hidden: channels.into_iter().filter(|_| random.one_in(2)).collect(),
            specification: match random.below(8) {
                0 | 1 => Specification::All,
                2 => Specification::NoB,
                3 => Specification::Few(1 + random.below(3)),
                4 | 5 => Specification::Exclusive { inside: false },
                6 => Specification::Exclusive { inside: true },
                _ => Specification::NotZero,
            },
        }
    }

    /// The terms of the system.
    pub fn system(&self) -> CopiesSystem {
        let mut table = DefinitionTable::new();
        let mut builder = Builder {
            table: &mut table,
            shape: self,
        };
        for name in builder.event_names() {
            builder.event(&name);
        }
        let implementation = builder.implementation();
        let specification = builder.specification();
        CopiesSystem {
            table,
            specification,
            implementation,
        }
    }
}

struct Builder<'a> {
    table: &'a mut DefinitionTable,
    shape: &'a Shape,
}

impl Builder<'_> {
    fn event(&mut self, name: &str) -> EventId {
        self.table.terms_mut().events.intern(name)
    }

    fn event_names(&self) -> Vec<String> {
        let mut names = vec!["g".to_string()];
        for i in 0..self.shape.copies {
            for channel in ["a", "b", "lock", "free"] {
                names.push(format!("{channel}.{i}"));
            }
            for j in 0..self.shape.copies {
                names.push(format!("p.{i}.{j}"));
                names.push(format!("m.{i}.{j}"));
            }
        }
        names
    }

    fn set(&mut self, wanted: impl Fn(&str) -> bool) -> EventSetId {
        let names = self.event_names().into_iter().filter(|name| wanted(name));
        let events: Vec<String> = names.collect();
        let events = events.iter().map(|name| self.event(name)).collect();
        self.table.terms_mut().events.intern_set(events)
    }

    fn define(&mut self, name: &str, branches: Vec<(String, String)>) -> TermId {
        let branches = branches
            .into_iter()
            .map(|(event, next)| (self.event(&event), self.table.call(&next)))
            .collect();
        let body = self.table.terms_mut().prefix(branches);
        self.table.define(name, body);
        self.table.call(name)
    }

    /// Copy `i` at point `q`, which remembers `m`, or no copy if `m` is the number of copies.
    fn copy(&mut self, i: usize, q: usize, m: usize) {
        let n = self.shape.copies;
        let mut branches = Vec::new();
        for &(from, kind, to) in &self.shape.steps {
            if from != q {
                continue;
            }
            let mut step = |event: String, m: usize| {
                branches.push((event, format!("COPY({i},{to},{m})")));
            };
            let with = |j| if self.shape.remembers { j } else { m };
            let (next, before) = ((i + 1) % n, (i + n - 1) % n);
            match kind {
                CopyStep::A => step(format!("a.{i}"), m),
                CopyStep::B => step(format!("b.{i}"), m),
                CopyStep::Give => (0..n)
                    .filter(|&j| j != i)
                    .for_each(|j| step(format!("p.{i}.{j}"), with(j))),
                CopyStep::Take => (0..n)
                    .filter(|&j| j != i)
                    .for_each(|j| step(format!("p.{j}.{i}"), with(j))),
                CopyStep::Pass => step(format!("p.{i}.{next}"), with(next)),
                CopyStep::Receive => step(format!("p.{before}.{i}"), with(before)),
                CopyStep::Lock => step(format!("lock.{i}"), m),
                CopyStep::Free => step(format!("free.{i}"), m),
                CopyStep::All => step("g".to_string(), m),
                CopyStep::Tell if m < n => step(format!("m.{i}.{m}"), n),
                CopyStep::Tell => {}
            }
        }
        self.define(&format!("COPY({i},{q},{m})"), branches);
    }

    fn component(&mut self, i: usize) -> TermId {
        let n = self.shape.copies;
        for q in 0..self.shape.points {
            for m in 0..=n {
                self.copy(i, q, m);
            }
        }
        let start = usize::from(self.shape.token && i == 0);
        let copy = self.table.call(&format!("COPY({i},{start},{n})"));
        if !self.shape.partner {
            return copy;
        }
        let (first, second) = (format!("BESIDE({i})"), format!("BESIDE'({i})"));
        let partner = self.define(&first, vec![(format!("a.{i}"), second.clone())]);
        self.define(&second, vec![(format!("b.{i}"), first)]);
        let set = self.set(|name| name == format!("a.{i}") || name == format!("b.{i}"));
        self.table.terms_mut().parallel(set, vec![copy, partner])
    }

    fn implementation(&mut self) -> TermId {
        let components: Vec<TermId> = (0..self.shape.copies).map(|i| self.component(i)).collect();
        let system = match self.shape.composition {
            Composition::Interleaved => self.table.terms_mut().interleave(components),
            Composition::Together => {
                let set = self.set(|name| name == "g");
                self.table.terms_mut().parallel(set, components)
            }
            Composition::Alphabetised => {
                let names = |name: &str, i: usize| {
                    let mut fields = name.split('.');
                    let channel = fields.next();
                    let mut owners: Vec<&str> = fields.collect();
                    owners.truncate(if channel == Some("m") { 1 } else { 2 });
                    name == "g" || owners.contains(&i.to_string().as_str())
                };
                let operands = components.into_iter().enumerate();
                let operands: Vec<_> = operands
                    .map(|(i, component)| (self.set(|name| names(name, i)), component))
                    .collect();
                self.table.terms_mut().alphabetised(operands)
            }
        };
        let system = self.beside_shared(system);
        let hidden = self.shape.hidden.clone();
        let hidden = self.set(|name| hidden.contains(&name.split('.').next().unwrap_or_default()));
        self.table.terms_mut().hide(system, hidden)
    }

    fn beside_shared(&mut self, system: TermId) -> TermId {
        let n = self.shape.copies;
        let shared = match self.shape.shared {
            SharedPart::Nothing => return system,
            SharedPart::Mutex { held } => {
                let lock = |i| (format!("lock.{i}"), format!("HELD({i})"));
                let free = self.define("FREE", (0..n).map(lock).collect());
                for i in 0..n {
                    let branches = vec![(format!("free.{i}"), "FREE".to_string())];
                    self.define(&format!("HELD({i})"), branches);
                }
                if held {
                    self.table.call("HELD(0)")
                } else {
                    free
                }
            }
            SharedPart::Counter => {
                for k in 0..=2usize {
                    let mut branches = Vec::new();
                    for i in 0..n {
                        if k < 2 {
                            branches.push((format!("lock.{i}"), format!("COUNT({})", k + 1)));
                        }
                        if k > 0 {
                            branches.push((format!("free.{i}"), format!("COUNT({})", k - 1)));
                        }
                    }
                    self.define(&format!("COUNT({k})"), branches);
                }
                self.table.call("COUNT(0)")
            }
        };
        let set = self.set(|name| name.starts_with("lock") || name.starts_with("free"));
        self.table.terms_mut().parallel(set, vec![system, shared])
    }

    fn specification(&mut self) -> TermId {
        let n = self.shape.copies;
        let run = |builder: &mut Self, wanted: &dyn Fn(&str) -> bool| {
            let set = builder.set(wanted);
            builder.table.terms_mut().intern(Term::Run(set))
        };
        let others: Vec<String> = self
            .event_names()
            .into_iter()
            .filter(|name| !name.starts_with(['a', 'b']))
            .collect();
        let with_others = |name: &str, mut branches: Vec<(String, String)>| {
            branches.extend(others.iter().map(|other| (other.clone(), name.to_string())));
            branches
        };
        match self.shape.specification {
            Specification::All => run(self, &|_| true),
            Specification::NoB => run(self, &|name| !name.starts_with('b')),
            Specification::NotZero => run(self, &|name| name != "a.0"),
            Specification::Few(most) => {
                for k in 0..=most {
                    let name = format!("FEW({k})");
                    let mut branches: Vec<_> =
                        (0..n).map(|i| (format!("b.{i}"), name.clone())).collect();
                    if k < most {
                        branches
                            .extend((0..n).map(|i| (format!("a.{i}"), format!("FEW({})", k + 1))));
                    }
                    self.define(&name, with_others(&name, branches));
                }
                self.table.call("FEW(0)")
            }
            Specification::Exclusive { inside } => {
                let enter = |i| (format!("a.{i}"), format!("INSIDE({i})"));
                let outside = with_others("OUTSIDE", (0..n).map(enter).collect());
                let outside = self.define("OUTSIDE", outside);
                for i in 0..n {
                    let name = format!("INSIDE({i})");
                    let leave = vec![(format!("b.{i}"), "OUTSIDE".to_string())];
                    self.define(&name, with_others(&name, leave));
                }
                if inside {
                    self.table.call("INSIDE(0)")
                } else {
                    outside
                }
            }
        }
    }
}
