//! Random systems of copies of one component, beside a shared one, with symmetries known by
//! construction.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::cancel::Cancellation;
use crate::lts::explore::{LeafLimits, explore};
use crate::lts::graph::{Lts, StateId};
use crate::lts::normal_form::NormalForm;
use crate::machine::leaf::{Action, Behaviour, What};
use crate::machine::{CompileOptions, LeafId, Machine, compile};
use crate::process::event::{EventId, EventSetId};
use crate::process::table::DefinitionTable;
use crate::process::term::{Definitions, Term, TermId};
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::{Pbisim, Symmetry};
use crate::symmetry::permutation::EventPermutation;

/// A check with some of its symmetries.
pub(crate) struct Model {
    pub(crate) table: DefinitionTable,
    pub(crate) specification: TermId,
    pub(crate) implementation: TermId,
    pub(crate) normal_form: NormalForm,
    pub(crate) machine: Machine,
    /// What it looks like, for messages.
    pub(crate) shape: Shape,
}

/// How a system of copies is made. Identities are 0 to `copies` - 1.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) copies: usize,
    /// The control points of each copy, with what leads where.
    pub(crate) points: usize,
    pub(crate) steps: Vec<(usize, Kind, usize)>,
    /// Whether a copy remembers with whom it last spoke.
    pub(crate) remembers: bool,
    /// Whether copy 0 starts at control point 1, and the others at 0.
    pub(crate) token: bool,
    pub(crate) composition: Composition,
    pub(crate) shared: Shared,
    /// Whether each copy has a second leaf beside it.
    pub(crate) partner: bool,
    pub(crate) hidden: Vec<&'static str>,
    pub(crate) specification: Specification,
}

/// What a step of copy i does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
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
    /// `m.i.j` where it remembers j
    Tell,
}

const KINDS: [Kind; 10] = [
    Kind::A,
    Kind::B,
    Kind::Give,
    Kind::Take,
    Kind::Pass,
    Kind::Receive,
    Kind::Lock,
    Kind::Free,
    Kind::All,
    Kind::Tell,
];

/// How the copies are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Composition {
    Interleaved,
    Together,
    Alphabetised,
}

/// What stands beside the copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shared {
    Nothing,
    /// Whoever did `lock.i` is the only one to do `free.i`, and the lock is free first, or held by
    /// 0.
    Mutex {
        held: bool,
    },
    /// Counts to two.
    Counter,
}

/// What the system is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Specification {
    /// Everything.
    All,
    /// No `b.i`.
    NoB,
    /// At most this many `a.i` in all.
    Few(usize),
    /// Between `a.i` and `b.i` no other `a` or `b`; starts after `a.0` if so.
    Exclusive { inside: bool },
    /// No `a.0`: not the same to all.
    NotZero,
}

/// Random numbers, the same on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

impl Shape {
    pub(crate) fn random(seed: u64) -> Self {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let points = 2 + random.below(3);
        let mut steps: Vec<(usize, Kind, usize)> = (0..points)
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
                0 => Shared::Mutex { held: false },
                1 => Shared::Mutex { held: true },
                2 => Shared::Counter,
                _ => Shared::Nothing,
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

    /// The check, unless it is too large.
    pub(crate) fn build(&self) -> Option<Model> {
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
        let options = CompileOptions::new(LeafLimits::all(1000));
        let machine = compile(&mut table, implementation, &options).ok()?;
        let lts = explore(&mut table, specification, &options.limits)
            .ok()?
            .lts;
        Some(Model {
            normal_form: NormalForm::of(
                &lts,
                crate::lts::model::Model::Traces,
                100,
                Cancellation::never(),
            )
            .ok()?,
            table,
            specification,
            implementation,
            machine,
            shape: self.clone(),
        })
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

    /// Copy `i` at point `q`, which remembers `m`, or nobody if that is the number of copies.
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
                Kind::A => step(format!("a.{i}"), m),
                Kind::B => step(format!("b.{i}"), m),
                Kind::Give => (0..n)
                    .filter(|&j| j != i)
                    .for_each(|j| step(format!("p.{i}.{j}"), with(j))),
                Kind::Take => (0..n)
                    .filter(|&j| j != i)
                    .for_each(|j| step(format!("p.{j}.{i}"), with(j))),
                Kind::Pass => step(format!("p.{i}.{next}"), with(next)),
                Kind::Receive => step(format!("p.{before}.{i}"), with(before)),
                Kind::Lock => step(format!("lock.{i}"), m),
                Kind::Free => step(format!("free.{i}"), m),
                Kind::All => step("g".to_string(), m),
                Kind::Tell if m < n => step(format!("m.{i}.{m}"), n),
                Kind::Tell => {}
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
            Shared::Nothing => return system,
            Shared::Mutex { held } => {
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
            Shared::Counter => {
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

impl Model {
    /// Its group: of the transpositions of identities, the turns and the reflections those that are
    /// symmetries.
    pub(crate) fn group(&self) -> Group {
        let n = self.shape.copies;
        let mut permutations = Vec::new();
        for i in 0..n {
            for j in 0..i {
                let mut transposition: Vec<usize> = (0..n).collect();
                transposition.swap(i, j);
                permutations.push(transposition);
            }
            permutations.push((0..n).map(|id| (id + i) % n).collect());
            permutations.push((0..n).map(|id| (i + n - id) % n).collect());
        }
        let symmetries = permutations.iter().filter_map(|ids| self.symmetry(ids));
        let mut generators: Vec<Symmetry> = symmetries.filter(|s| !s.is_identity()).collect();
        let mut seen = BTreeSet::new();
        generators.retain(|generator| seen.insert(generator.events.clone()));
        Group::new(&self.machine, self.normal_form.state_count(), generators)
    }

    /// The symmetry that permutes the identities so, if it is one.
    pub(crate) fn symmetry(&self, ids: &[usize]) -> Option<Symmetry> {
        let events = &self.table.terms().events;
        let lifted = |name: &str| -> String {
            let field = |field: &str| match field.parse::<usize>() {
                Ok(id) => ids[id].to_string(),
                Err(_) => field.to_string(),
            };
            name.split('.').map(field).collect::<Vec<_>>().join(".")
        };
        let all: Vec<EventId> = (2..events.len() as u32).map(EventId).collect();
        let by_name: HashMap<&str, EventId> = all.iter().map(|&e| (events.name(e), e)).collect();
        let pair = |&event: &EventId| (event, by_name[lifted(events.name(event)).as_str()]);
        let sigma = EventPermutation::from_pairs(all.iter().map(pair)).unwrap();
        let symmetry = symmetry(&self.machine, &self.normal_form, &sigma)?;
        preserves_rules(&self.machine, &symmetry).then_some(symmetry)
    }
}

/// The symmetry that moves events by `sigma`: each leaf goes to the first one that is left and has
/// the same behaviour. Leaves of a random machine are rarely the same process, so that there is one
/// answer.
fn symmetry(
    machine: &Machine,
    normal_form: &NormalForm,
    sigma: &EventPermutation,
) -> Option<Symmetry> {
    let mut left: Vec<LeafId> = machine.leaves.indices().collect();
    let mut leaves = Vec::new();
    let mut states: Vec<Arc<[u32]>> = Vec::new();
    for leaf in machine.leaves.indices() {
        let from = lts(machine, leaf);
        let (at, map) = left
            .iter()
            .enumerate()
            .find_map(|(at, &other)| Some((at, bijection(from, lts(machine, other), sigma)?)))?;
        leaves.push(left.remove(at));
        states.push(map.into());
    }
    let mut specification = bijection(normal_form.lts(), normal_form.lts(), sigma)?;
    // The points follow the states, and a search meets states only.
    specification.truncate(normal_form.state_count());
    Some(Symmetry {
        events: sigma.clone(),
        pbisim: Pbisim::new(leaves, states),
        specification: specification.into(),
    })
}

fn lts(machine: &Machine, leaf: LeafId) -> &Lts {
    match &machine.leaves[leaf].behaviour {
        Behaviour::Process(graph) => &graph.lts,
        Behaviour::Controller { .. } => panic!("these systems have no controllers"),
    }
}

/// The states of `right` that those of `left` become by `sigma`, wherever the systems start: the
/// union is refined until nothing changes, and then each class has one state of each, because both
/// are minimal.
fn bijection(left: &Lts, right: &Lts, sigma: &EventPermutation) -> Option<Vec<u32>> {
    let count = left.state_count();
    if right.state_count() != count {
        return None;
    }
    let shift = count as u32;
    let moved = |&(event, target): &(EventId, StateId)| (sigma.apply(event), target.0);
    let kept = |&(event, target): &(EventId, StateId)| (event, target.0 + shift);
    let left_rows = left
        .states()
        .map(|s| left.row(s).iter().map(moved).collect());
    let right_rows = right
        .states()
        .map(|s| right.row(s).iter().map(kept).collect());
    let rows: Vec<Vec<(EventId, u32)>> = left_rows.chain(right_rows).collect();
    let mut classes = vec![0u32; rows.len()];
    let mut number = 1;
    loop {
        let mut numbers: HashMap<(u32, BTreeSet<(EventId, u32)>), u32> = HashMap::new();
        let mut next = Vec::new();
        for (state, row) in rows.iter().enumerate() {
            let signature = row.iter().map(|&(event, to)| (event, classes[to as usize]));
            let fresh = numbers.len() as u32;
            let key = (classes[state], signature.collect());
            next.push(*numbers.entry(key).or_insert(fresh));
        }
        classes = next;
        if numbers.len() == number {
            break;
        }
        number = numbers.len();
    }
    let images = classes[..count].iter().map(|class| {
        let image = classes[count..].iter().position(|other| other == class);
        image.map(|image| image as u32)
    });
    images.collect()
}

/// Whether the rules, with participants and result moved, are the rules again; and the transitions
/// of the leaves.
fn preserves_rules(machine: &Machine, symmetry: &Symmetry) -> bool {
    let moved = |(leaf, action): (LeafId, Action)| {
        let What::Event(event) = action.what else {
            panic!("these systems have no controllers");
        };
        let what = What::Event(symmetry.events.apply(event));
        (symmetry.pbisim.leaf(leaf), Action { what, ..action })
    };
    let rules: BTreeSet<_> = machine
        .rules
        .iter()
        .map(|rule| (rule.participants.to_vec(), rule.result))
        .collect();
    machine.rules.iter().all(|rule| {
        let mut participants: Vec<_> = rule.participants.iter().map(|&p| moved(p)).collect();
        participants.sort_unstable();
        let transitions = rule.participants.iter().all(|&participant| {
            let states = symmetry.pbisim.states(participant.0);
            let (leaf, action) = moved(participant);
            let pairs = machine.leaves[participant.0]
                .transitions(participant.1)
                .into_iter();
            let pairs = pairs.map(|(from, to)| (states[from as usize], states[to as usize]));
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable();
            pairs == machine.leaves[leaf].transitions(action)
        });
        transitions && rules.contains(&(participants, symmetry.events.apply(rule.result)))
    })
}
