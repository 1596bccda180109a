//! Successors by the rules that pass gates, without those blocked at a gate.
//!
//! Flags record which events are possible below a gate, one flag for each class of its events that
//! is above another. A flag is raised by each rule of the machine that passes the gate in that
//! class, and by *probes*: rules of the gate that are no rules of the machine, because an operator
//! above changes them. Rules that are never blocked come first and are followed at once. The other
//! possible rules are put on a list. Gate by gate, from the inside, the blocked ones are struck off
//! before the rest raise flags at the next gate. So a state costs one pass over its moves, as
//! without priorities, and a second pass over those that were not blocked in the first.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::columns::Actions;
use super::tables::{Move, MoveTables};
use crate::leaf::Action;
use crate::packing::{PackedState, Packing};
use crate::priority::{Gate, GateId, Pass};
use crate::rules::Rule;
use crate::{LeafId, Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use process::event::EventId;

/// The rules that pass gates. Their moves go by the numbers of entries, not of rules.
#[derive(Clone, Debug)]
pub(super) struct Gated {
    /// The moves of entries that are never blocked.
    free: MoveTables,
    /// The moves of the other entries.
    held: MoveTables,
    entries: Vec<Entry>,
    checks: Vec<Check>,
    masks: Vec<Mask>,
    /// The greatest number of gates that a rule passes.
    levels: u32,
    /// The number of words of flags.
    words: usize,
}

/// A rule of the machine, or a probe.
#[derive(Clone, Debug)]
struct Entry {
    rule: Option<RuleId>,
    checks: (u32, u32),
}

/// The effects of an entry at one gate.
#[derive(Clone, Debug)]
struct Check {
    level: u32,
    /// The flag that the entry raises at the gate; no bit if it raises none.
    raises: Mask,
    /// The range of `masks` with the flags, each of which blocks the entry.
    blockers: (u32, u32),
}

/// Flags in one word.
#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    bits: u64,
}

/// Memory for one state at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct GateWork {
    flags: Vec<u64>,
    /// The moves of `held` that are possible and not blocked so far.
    possible: Vec<u32>,
    /// One bit for each trigger, or for each rule, that is to be looked at.
    pub(super) marks: Vec<u64>,
}

impl Gated {
    /// Calls `emit` with every transition of `state` by these rules, in a fixed order.
    pub(super) fn for_each<S: PackedState>(
        &self,
        state: &S,
        scratch: &mut S,
        work: &mut GateWork,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        work.flags.clear();
        work.flags.resize(self.words, 0);
        work.possible.clear();
        self.follow_free(state, scratch, work, emit);
        self.collect_held(state, work);
        // A blocked event does not exist for gates further out, so these come later.
        for level in 0..self.levels {
            self.decide(level, work);
        }
        for &number in &work.possible {
            let enabled = self.held.numbered(number);
            if let Some(rule) = self.entry(enabled).rule {
                self.held.follow(enabled, state, scratch, &mut |next| {
                    emit(rule, enabled.event, next);
                });
            }
        }
    }

    /// Follows the entries that are never blocked, and raises their flags.
    #[inline]
    fn follow_free<S: PackedState>(
        &self,
        state: &S,
        scratch: &mut S,
        work: &mut GateWork,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        let GateWork { flags, marks, .. } = work;
        self.free.for_each_move(state, marks, &mut |_, enabled| {
            let entry = self.entry(enabled);
            let mut is_possible = false;
            match entry.rule {
                Some(rule) => self.free.follow(enabled, state, scratch, &mut |next| {
                    is_possible = true;
                    emit(rule, enabled.event, next);
                }),
                None => is_possible = self.free.is_possible(enabled, state),
            }
            if is_possible {
                for check in self.checks(entry) {
                    flags[check.raises.word as usize] |= check.raises.bits;
                }
            }
        });
    }

    /// Lists the held moves that are possible. A move that a raised flag blocks at its innermost
    /// gate need not be listed: the event of that flag blocks all that the move would block at that
    /// gate, because the order is transitive.
    #[inline]
    fn collect_held<S: PackedState>(&self, state: &S, work: &mut GateWork) {
        let GateWork {
            flags,
            possible,
            marks,
        } = work;
        self.held
            .for_each_move(state, marks, &mut |number, enabled| {
                // A held entry has some blockers, so it has a check, and checks go from the inside
                // outwards.
                let checks = self.checks(self.entry(enabled));
                if !self.is_blocked(&checks[0], flags) && self.held.is_possible(enabled, state) {
                    possible.push(number);
                }
            });
    }

    /// Raises the flags of one level, and strikes off the moves that they block.
    fn decide(&self, level: u32, work: &mut GateWork) {
        let GateWork {
            flags, possible, ..
        } = work;
        // A move may pass several gates that are on one level, in different operands.
        let at_level = |number: u32| {
            let checks = self.checks(self.entry(self.held.numbered(number)));
            checks.iter().filter(move |check| check.level == level)
        };
        // All moves raise their flags before any is struck off: a move that a gate blocks still
        // blocks lower events at that gate.
        for check in possible.iter().flat_map(|&number| at_level(number)) {
            flags[check.raises.word as usize] |= check.raises.bits;
        }
        possible.retain(|&number| !at_level(number).any(|check| self.is_blocked(check, flags)));
    }

    #[inline]
    fn is_blocked(&self, check: &Check, flags: &[u64]) -> bool {
        let masks = &self.masks[check.blockers.0 as usize..check.blockers.1 as usize];
        masks
            .iter()
            .any(|mask| flags[mask.word as usize] & mask.bits != 0)
    }

    #[inline]
    fn entry(&self, enabled: &Move) -> &Entry {
        &self.entries[enabled.rule.index()]
    }

    #[inline]
    fn checks(&self, entry: &Entry) -> &[Check] {
        &self.checks[entry.checks.0 as usize..entry.checks.1 as usize]
    }

    /// The tables of the rules of `machine` that pass gates.
    pub(super) fn new(machine: &Machine, packing: &Packing, token: &Cancellation) -> Result<Self> {
        let flags = GateFlags::of(&machine.gates);
        let mut entries = Vec::new();
        let (mut checks, mut masks) = (Vec::new(), Vec::new());
        let probes = probes(machine);
        let rules = machine.rules.iter_enumerated();
        let rules = rules.map(|(id, rule)| (Some(id), rule, rule.passes.as_slice()));
        let gated = rules.filter(|(_, rule, _)| !rule.passes.is_empty());
        let probes = probes
            .iter()
            .map(|(rule, passes)| (None, *rule, passes.as_slice()));
        let (mut free, mut held) = (Vec::new(), Vec::new());
        for (id, rule, passes) in gated.chain(probes) {
            let first = (checks.len() as u32, masks.len());
            let mut passes = passes.to_vec();
            passes.sort_unstable_by_key(|pass| machine.gates[pass.gate].level);
            for pass in passes {
                checks.push(flags.check(&machine.gates, pass, &mut masks));
            }
            let number = RuleId::from_usize(entries.len());
            let is_held = masks.len() > first.1;
            if is_held { &mut held } else { &mut free }.push((number, rule));
            entries.push(Entry {
                rule: id,
                checks: (first.0, checks.len() as u32),
            });
        }
        let tables = |rules: Vec<(RuleId, &Rule)>| {
            MoveTables::new(
                machine,
                packing,
                Actions::new(machine, packing, token),
                rules,
            )
        };
        let levels = machine.gates.iter().map(|gate| gate.level + 1);
        Ok(Self {
            free: tables(free)?,
            held: tables(held)?,
            entries,
            checks,
            masks,
            levels: levels.max().unwrap_or(0),
            words: flags.words,
        })
    }
}

/// The participants of a rule.
type Participants = SmallVec<[(LeafId, Action); 2]>;

/// The rules of gates that have to be looked at beside the rules of the machine, with the gates
/// that they pass. A rule of a gate need not be looked at if a rule of the machine, or of a gate
/// further out, has the same participants and equal passes up to this gate.
fn probes(machine: &Machine) -> Vec<(&Rule, Vec<Pass>)> {
    let mut known: FxHashMap<&Participants, Vec<Vec<Pass>>> = FxHashMap::default();
    for rule in machine.rules.iter().filter(|rule| !rule.passes.is_empty()) {
        let passes = rule.passes.as_slice().to_vec();
        known.entry(&rule.participants).or_default().push(passes);
    }
    let mut probes = Vec::new();
    let gates: Vec<(GateId, &Gate)> = machine.gates.iter_enumerated().collect();
    for (id, gate) in gates.into_iter().rev() {
        for (class, rule) in &gate.rules {
            let mut passes = rule.passes.as_slice().to_vec();
            passes.push(Pass {
                gate: id,
                class: *class,
            });
            let known = known.entry(&rule.participants).or_default();
            let is_it = |other: &Vec<Pass>| {
                let up_to_here = |pass: &&Pass| machine.gates[pass.gate].level <= gate.level;
                other.iter().filter(up_to_here).eq(&passes)
            };
            if !known.iter().any(is_it) {
                known.push(passes.clone());
                probes.push((rule, passes));
            }
        }
    }
    probes
}

/// The places of the flags.
struct GateFlags {
    /// The flag of each class of each gate.
    of: FxHashMap<Pass, Mask>,
    words: usize,
}

impl GateFlags {
    /// One flag for each class that the rules of a gate have. The flags of one gate share words
    /// where they can.
    fn of(gates: &IndexVec<GateId, Gate>) -> Self {
        let (mut of, mut next) = (FxHashMap::default(), 0_usize);
        for (gate, content) in gates.iter_enumerated() {
            let mut classes: Vec<u32> = content.rules.iter().map(|&(class, _)| class).collect();
            classes.sort_unstable();
            classes.dedup();
            // A gate's flags in one word make one mask of its blockers.
            let left = 64 - next % 64;
            if classes.len() > left {
                next += left;
            }
            for class in classes {
                let mask = Mask {
                    word: (next / 64) as u32,
                    bits: 1 << (next % 64),
                };
                of.insert(Pass { gate, class }, mask);
                next += 1;
            }
        }
        let words = next.div_ceil(64).max(1);
        Self { of, words }
    }

    /// The flag that a pass raises, and the flags that block it, whose masks are added to `masks`.
    fn check(&self, gates: &IndexVec<GateId, Gate>, pass: Pass, masks: &mut Vec<Mask>) -> Check {
        let nothing = Mask { word: 0, bits: 0 };
        let first = masks.len();
        for &class in gates[pass.gate].priority.above(pass.class) {
            let Some(&flag) = self.of.get(&Pass { class, ..pass }) else {
                continue;
            };
            match masks[first..].last_mut() {
                Some(mask) if mask.word == flag.word => mask.bits |= flag.bits,
                _ => masks.push(flag),
            }
        }
        Check {
            level: gates[pass.gate].level,
            raises: self.of.get(&pass).copied().unwrap_or(nothing),
            blockers: (first as u32, masks.len() as u32),
        }
    }
}
