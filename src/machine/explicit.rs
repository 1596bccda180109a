//! A machine as one explicit transition system: for specifications, which are determinised as a whole, and
//! for what is compressed.

use rustc_hash::FxHashMap;

use super::Machine;
use super::packing::PackedState;
use super::successors::Successors;
use crate::base::index::TypedIndex;
use crate::base::number::plain;
use crate::diag::{Diagnostic, Result};
use crate::lts::graph::{Lts, StateId};
use crate::process::event::EventId;

/// All reachable states of `machine`, at most `limit`.
///
/// Costs a hash entry and a row for each state; a system that is only searched should stay a machine.
pub fn explicit(machine: &Machine, limit: usize) -> Result<Lts> {
    explicit_while(machine, limit, &mut || Ok(()))
}

/// The same, if each state may `proceed`: an error of that ends it.
pub fn explicit_while(
    machine: &Machine,
    limit: usize,
    proceed: &mut dyn FnMut() -> Result<()>,
) -> Result<Lts> {
    listed(machine, limit, proceed)?.ok_or_else(|| Box::new(too_large(limit)))
}

/// The same; nothing if there are more states than `limit`.
pub(crate) fn listed(
    machine: &Machine,
    limit: usize,
    proceed: &mut dyn FnMut() -> Result<()>,
) -> Result<Option<Lts>> {
    let mut unfolding = Unfolding::new(machine)?;
    let mut rows = Vec::new();
    while rows.len() < unfolding.met() {
        if unfolding.met() > limit {
            return Ok(None);
        }
        proceed()?;
        rows.push(unfolding.row(StateId::from_usize(rows.len()))?);
    }
    Ok(Some(Lts::from_rows(rows)))
}

/// A machine state by state, each numbered when it is first met. Rows are found anew each time that they are asked for.
pub struct Unfolding<'m> {
    machine: &'m Machine,
    successors: Successors,
    /// By number, packed.
    states: Vec<Vec<u64>>,
    numbers: FxHashMap<Vec<u64>, u32>,
    scratch: Vec<u64>,
}

impl<'m> Unfolding<'m> {
    /// Not more states than this are numbered.
    pub const MOST: usize = 1 << 31;

    /// Only the initial state was met.
    pub fn new(machine: &'m Machine) -> Result<Self> {
        let packing = machine.packing(1);
        let successors = machine.successors(&packing)?;
        let initial: Vec<u64> = PackedState::zero(packing.words());
        Ok(Self {
            machine,
            successors,
            scratch: initial.clone(),
            numbers: FxHashMap::from_iter([(initial.clone(), 0)]),
            states: vec![initial],
        })
    }

    /// How many states were met.
    pub fn met(&self) -> usize {
        self.states.len()
    }

    /// The transitions of `state`, in the order of the rules.
    pub fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        let from = self.states[state.index()].clone();
        let (numbers, states) = (&mut self.numbers, &mut self.states);
        let mut row = Vec::new();
        self.successors
            .for_each(&from, &mut self.scratch, &mut |_, event, next| {
                let number = match numbers.get(next) {
                    Some(&number) => number,
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(next.clone(), number);
                        states.push(next.clone());
                        number
                    }
                };
                row.push((event, StateId(number)));
            });
        if self.met() > Self::MOST {
            return too_many(self.met()).into();
        }
        Ok(row)
    }

    /// The labels and origins of the run with these labels through these states; the last need not be known. States beyond those that
    /// were met are left out: there a choice of ✓ was made by a τ (`lts::termination`) that the machine does not do. Nothing if it is no run.
    pub fn origins(
        &mut self,
        run: &[(EventId, Option<StateId>)],
    ) -> Option<Vec<(EventId, EventId)>> {
        let mut at = Lts::INITIAL;
        let mut origins = Vec::new();
        for &(label, target) in run {
            if target.is_some_and(|target| target.index() >= self.states.len()) {
                continue;
            }
            let mut origin = None;
            let (states, machine) = (&self.states, self.machine);
            let from = &states[at.index()];
            self.successors
                .for_each(from, &mut self.scratch, &mut |rule, event, next| {
                    let is_it = target.is_none_or(|target| states[target.index()] == *next);
                    if event == label && is_it && origin.is_none() {
                        origin = Some(machine.rules[rule].origin);
                    }
                });
            origins.push((label, origin?));
            at = target.unwrap_or(at);
        }
        Some(origins)
    }

    /// Bytes that what was met takes.
    pub fn bytes(&self) -> usize {
        let state = size_of::<Vec<u64>>() + size_of_val(&self.scratch[..]);
        self.states.len() * (2 * state + size_of::<u32>() + 1)
    }
}

fn too_many(met: usize) -> Diagnostic {
    let message = format!("more states than can be numbered; {met} were visited");
    Diagnostic::undecided("state-limit", message).hint("check a smaller instance with -D")
}

fn too_large(limit: usize) -> Diagnostic {
    Diagnostic::undecided(
        "large-specification",
        format!("the specification has more than {}", plain(limit, "state")),
    )
    .hint("write a smaller specification, or allow more with --max-leaf-states")
}
