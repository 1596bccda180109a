//! Terms renamed by a permutation, random choices, and bisimilarity by brute force.

use std::collections::HashMap;
use std::sync::Arc;

use crate::permutation::EventPermutation;
use lts::graph::Lts;
use process::event::{EventId, EventSetId};
use process::operator::Operator;
use process::table::DefinitionTable;
use process::term::{BufferShape, Definitions, Overflow, Term, TermId};
use process::watchdog::Watchdog;

/// Numbers that look random and are always the same.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The events of the random terms: a, b and c.
pub(crate) const EVENTS: [EventId; 3] = [EventId(2), EventId(3), EventId(4)];

/// The permutation that takes [`EVENTS`] to those with these numbers.
pub(crate) fn permutation_to(images: [usize; 3]) -> EventPermutation {
    let pairs = images
        .iter()
        .enumerate()
        .map(|(from, &to)| (EVENTS[from], EVENTS[to]));
    EventPermutation::from_pairs(pairs).unwrap()
}

/// All permutations of the three events.
pub(crate) const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 0, 2],
    [0, 2, 1],
    [2, 1, 0],
    [1, 2, 0],
    [2, 0, 1],
];

/// Makes the image of terms under a permutation, operator by operator, calls included.
pub(crate) struct Images<'t> {
    pub(crate) table: &'t mut DefinitionTable,
    pub(crate) sigma: EventPermutation,
    /// The source of random orders for the operands of commutative operators; `None` keeps their
    /// order.
    pub(crate) shuffle: Option<Random>,
    known: HashMap<TermId, TermId>,
}

impl<'t> Images<'t> {
    pub(crate) fn new(table: &'t mut DefinitionTable, sigma: &EventPermutation) -> Self {
        Self {
            table,
            sigma: sigma.clone(),
            shuffle: None,
            known: HashMap::new(),
        }
    }

    fn event(&self, event: EventId) -> EventId {
        self.sigma.apply(event)
    }

    fn set(&mut self, set: EventSetId) -> EventSetId {
        let events = self.table.terms().events.set(set).to_vec();
        let images = events.into_iter().map(|event| self.event(event)).collect();
        self.table.terms_mut().events.intern_set(images)
    }

    fn pairs(&self, pairs: &[(EventId, EventId)]) -> Vec<(EventId, EventId)> {
        let images = pairs.iter().map(|&(a, b)| (self.event(a), self.event(b)));
        images.collect()
    }

    fn several(&mut self, terms: &[TermId]) -> Vec<TermId> {
        let mut images: Vec<TermId> = terms.iter().map(|&term| self.of(term)).collect();
        if let Some(random) = &mut self.shuffle {
            random.shuffle(&mut images);
        }
        images
    }

    fn buffer(&self, shape: &BufferShape) -> BufferShape {
        let mut pairs = self.pairs(&shape.pairs);
        pairs.sort_unstable();
        let overflow = match shape.overflow {
            Overflow::Refuse => Overflow::Refuse,
            Overflow::Signal(event) => Overflow::Signal(self.event(event)),
            Overflow::Status(full, empty) => Overflow::Status(self.event(full), self.event(empty)),
        };
        BufferShape {
            capacity: shape.capacity,
            pairs,
            overflow,
        }
    }

    /// The image of `term`.
    pub(crate) fn of(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let image = self.image(term);
        self.known.insert(term, image);
        image
    }

    fn image(&mut self, term: TermId) -> TermId {
        let image = match self.table.terms().get(term).clone() {
            Term::Call(call) => return self.call(term, call),
            Term::Prefix(branches) => {
                let branches = branches.iter().map(|&(e, p)| (self.event(e), self.of(p)));
                let branches = branches.collect();
                return self.table.terms_mut().prefix(branches);
            }
            Term::Over(operator, operands) => return self.over(&operator, &operands),
            Term::Run(set) => Term::Run(self.set(set)),
            Term::Chaos(set) => Term::Chaos(self.set(set)),
            Term::Watchdog(watchdog) => Term::Watchdog(Arc::new(self.watchdog(&watchdog))),
            Term::InternalChoice(ps) => Term::InternalChoice(self.several(&ps).into()),
            Term::Buffer(shape, held) => {
                let held = held.iter().map(|&event| self.event(event)).collect();
                Term::Buffer(Arc::new(self.buffer(&shape)), held)
            }
            constant @ (Term::Stop | Term::Skip | Term::Omega | Term::Div) => constant,
            imported @ Term::Imported(..) => imported,
        };
        self.table.terms_mut().intern(image)
    }

    fn over(&mut self, operator: &Operator, operands: &[TermId]) -> TermId {
        if let Operator::Alphabetised(alphabets) = operator {
            let pairs = alphabets.iter().zip(operands);
            let images = pairs.map(|(&set, &p)| (self.set(set), self.of(p)));
            let mut images: Vec<(EventSetId, TermId)> = images.collect();
            if let Some(random) = &mut self.shuffle {
                random.shuffle(&mut images);
            }
            let (alphabets, operands): (Vec<_>, Vec<_>) = images.into_iter().unzip();
            let operator = Operator::Alphabetised(alphabets.into());
            return self.table.terms_mut().over(operator, operands);
        }
        let images = match operator {
            Operator::Choice(_) | Operator::Parallel(_) => self.several(operands),
            _ => operands.iter().map(|&operand| self.of(operand)).collect(),
        };
        let operator = match operator {
            Operator::Linked(ties) => {
                let ties = self.pairs(ties);
                return self.table.terms_mut().linked(images[0], ties, images[1]);
            }
            Operator::Rename(pairs) => {
                let pairs = self.pairs(pairs);
                return self.table.terms_mut().rename(images[0], pairs);
            }
            Operator::Prioritise(priority) => {
                let image = priority.renamed(|event| self.event(event));
                Operator::Prioritise(Arc::new(image))
            }
            Operator::Choice(set) => Operator::Choice(set.map(|set| self.set(set))),
            Operator::Interrupt(set) => Operator::Interrupt(set.map(|set| self.set(set))),
            Operator::Exception(set) => Operator::Exception(self.set(*set)),
            Operator::Parallel(set) => Operator::Parallel(self.set(*set)),
            Operator::Hide(set) => Operator::Hide(self.set(*set)),
            Operator::Project(set) => Operator::Project(self.set(*set)),
            Operator::Sequential
            | Operator::SlidingChoice
            | Operator::Compress(_)
            | Operator::Alphabetised(_) => operator.clone(),
        };
        self.table.terms_mut().over(operator, images)
    }

    fn watchdog(&mut self, watchdog: &Watchdog) -> Watchdog {
        let members = watchdog.members.iter().map(|&p| self.of(p)).collect();
        let demand = watchdog.demand.as_ref();
        let demand = demand.map(|all| all.iter().map(|&e| self.event(e)).collect());
        Watchdog {
            members,
            alphabet: self.set(watchdog.alphabet),
            bark: self.event(watchdog.bark),
            tests_refusals: watchdog.tests_refusals,
            demand,
        }
    }

    fn call(&mut self, term: TermId, call: process::term::CallId) -> TermId {
        let moved: Vec<u32> = EVENTS.iter().map(|&event| self.event(event).0).collect();
        let name = format!("{} under {moved:?}", self.table.call_name(call));
        let image = self.table.call(&name);
        self.known.insert(term, image);
        let body = self.table.body(call).unwrap();
        let body = self.of(body);
        self.table.define(&name, body);
        image
    }
}

/// True if the initial states of `left` renamed by `sigma` and of `right` are strongly bisimilar,
/// by refining the states of both together until nothing changes.
pub(crate) fn are_bisimilar(left: &Lts, sigma: &EventPermutation, right: &Lts) -> bool {
    let shift = left.state_count() as u32;
    let mut rows: Vec<Vec<(EventId, u32)>> = Vec::new();
    for state in left.states() {
        let row = left.row(state).iter();
        rows.push(row.map(|&(event, to)| (sigma.apply(event), to.0)).collect());
    }
    for state in right.states() {
        let row = right.row(state).iter();
        rows.push(row.map(|&(event, to)| (event, to.0 + shift)).collect());
    }
    let mut classes = vec![0_u32; rows.len()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(u32, Vec<(EventId, u32)>), u32> = HashMap::new();
        let mut next = Vec::with_capacity(rows.len());
        for (state, row) in rows.iter().enumerate() {
            let signature = row.iter().map(|&(event, to)| (event, classes[to as usize]));
            let mut signature: Vec<(EventId, u32)> = signature.collect();
            signature.sort_unstable();
            signature.dedup();
            let fresh = numbers.len() as u32;
            next.push(*numbers.entry((classes[state], signature)).or_insert(fresh));
        }
        classes = next;
        if numbers.len() == count {
            return classes[0] == classes[shift as usize];
        }
        count = numbers.len();
    }
}
