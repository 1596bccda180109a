//! Classes of events that machine and specification treat alike: they can be exchanged while
//! nothing else moves.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::verify::product::Products;
use crate::verify::relations::RuleBody;
use base::define_index;
use base::index::TypedIndex;
use base::interner::Interner;
use lts::normal_form::NormalForm;
use process::event::EventId;

define_index! {
    /// The body of the products of one or more events: all but the event.
    BodyId,
    /// The steps of one or more events in the specification: a relation over its states.
    StepId,
    /// Events with the same bodies and the same step.
    ClassId,
}

/// Pairs (from, to), ascending.
type Pairs = Vec<(u32, u32)>;

/// The role of an event: its products and its steps.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct EventRole {
    /// The bodies of its products, ascending.
    pub(super) bodies: Vec<BodyId>,
    pub(super) step: StepId,
    /// The event, if it is τ or ✓: no other event has its role.
    fixed: Option<EventId>,
}

/// The events of machine and specification, classed by their roles.
pub(super) struct EventClasses {
    pub(super) bodies: Interner<BodyId, RuleBody>,
    /// By flag, its ways.
    pub(super) flags: Vec<Vec<BodyId>>,
    pub(super) steps: Interner<StepId, Pairs>,
    pub(super) roles: Interner<ClassId, EventRole>,
    /// By class, its events, ascending.
    pub(super) events: Vec<Vec<EventId>>,
    class_of: FxHashMap<EventId, ClassId>,
}

impl EventClasses {
    pub(super) fn new(products: &Products, specification: &NormalForm) -> Self {
        let mut bodies: Interner<BodyId, RuleBody> = Interner::new();
        let mut steps: Interner<StepId, Pairs> = Interner::new();
        let mut by_event: BTreeMap<EventId, (Vec<BodyId>, Pairs)> = BTreeMap::new();
        for product in products.all() {
            let body = bodies.intern(product.body.clone());
            by_event.entry(product.result).or_default().0.push(body);
        }
        let mut of_way = |way: &RuleBody| bodies.intern(way.clone());
        let ways = products.flags.ways();
        let flags = ways.map(|ways| ways.iter().map(&mut of_way).collect());
        let flags = flags.collect();
        for from in specification.lts().states() {
            for &(event, to) in specification.lts().row(from) {
                // States and their rows ascend, so the pairs of an event do too.
                by_event.entry(event).or_default().1.push((from.0, to.0));
            }
        }
        let mut roles: Interner<ClassId, EventRole> = Interner::new();
        let mut events: Vec<Vec<EventId>> = Vec::new();
        let mut class_of = FxHashMap::default();
        for (event, (mut bodies, pairs)) in by_event {
            bodies.sort_unstable();
            let class = roles.intern(EventRole {
                bodies,
                step: steps.intern(pairs),
                // τ and ✓ never move: each is a class of its own.
                fixed: Some(event).filter(|event| !event.is_visible()),
            });
            events.resize(roles.len(), Vec::new());
            events[class.index()].push(event);
            class_of.insert(event, class);
        }
        Self {
            bodies,
            flags,
            steps,
            roles,
            events,
            class_of,
        }
    }

    /// The class of an event that does something.
    pub(super) fn class_of(&self, event: EventId) -> Option<ClassId> {
        self.class_of.get(&event).copied()
    }

    /// The event of a class that never moves, which is τ or ✓; else `None`.
    pub(super) fn fixed(&self, class: ClassId) -> Option<EventId> {
        self.roles[class].fixed
    }
}
