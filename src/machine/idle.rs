//! Compressions that are left out: those that seem to be in vain, or all.
//!
//! In some chains such as `wbisim(wbisim(P ||| Q) ||| R)` no two states are ever alike. Then each
//! level is as large as the whole without compressions, and has to be listed before anything is
//! searched. A compression is left out if several levels have been compressed in vain, the next one
//! is large, and compressing its first states is in vain too: its operand is searched instead. No
//! answer depends on this, because each of these compressions keeps the meaning of every process.
//! Idle compressions inside are left out with it. So their components become leaves of the machine,
//! which is searched with symmetry, and only as far as the answer needs.
//!
//! The decision about a compression depends on it and on its surroundings, and not on earlier work:
//! an assertion is about the same processes whether it stands alone or after others.

use super::builder::ProcessTreeBuilder;
use super::copies::has_copies;
use super::explicit::{FirstStates, first_states};
use super::graphs::kept_by;
use super::skeleton::{MachinePart, unfolded};
use super::tree::Around;
use base::cancel::{Cancellation, Phase};
use base::diag::Result;
use base::index::TypedIndex;
use base::stack::deep;
use lts::compress::compress;
use lts::graph::{Lts, StateId};
use process::compression::Compression;
use process::event::{EventId, TICK};
use process::term::{Term, TermId};

/// The conditions under which a compression is left out. Verdicts do not depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdleCompressions {
    /// The number of compressions of parallels, one inside the other, that have to be idle: they
    /// have made the process smaller by less than a tenth.
    pub levels: usize,
    /// The number of states before compressing below which a compression does not count as idle.
    /// One with copies (`copies.rs`) does not count either: where copies are put in order, the
    /// process is smaller than it would be without compressions.
    pub fewest_states: usize,
    /// The number of states above which the next compression is left out, if compressing that many
    /// of its first states is in vain.
    pub most_states: usize,
    /// True if all compressions are left out, whatever their effect.
    pub are_all: bool,
}

impl IdleCompressions {
    /// The usual conditions. The effect on fewer than 100 states tells nothing about that on many
    /// more. The first of 200,000 states are listed and compressed in about half a second.
    pub(super) const DEFAULT: Self = Self {
        levels: 3,
        fewest_states: 100,
        most_states: 200_000,
        are_all: false,
    };
}

/// A process without its useless compressions.
#[derive(Debug)]
pub struct SlimProcess {
    /// The process: the original term if nothing was left out.
    pub term: TermId,
    /// The compressions that were left out, each before those inside it.
    pub left_out: Vec<TermId>,
}

/// True if `compression` seems to be in vain, judged by its effect on the first states of a system.
/// States near the edge of these become alike because their successors are missing. So only the
/// innermost levels are counted, at most a fiftieth of the states, which are several steps away
/// from the edge: more than half of them have to be left. They get an event of their own, so that
/// they can be found again.
///
/// In the systems that were measured, at least eight in ten are left if no two states of the whole
/// are alike, and less than one in a hundred if the whole is compressed to a few. A system that
/// becomes smaller only far from its start is misjudged, and searched as it is.
fn is_in_vain(compression: Compression, part: &FirstStates, token: &Cancellation) -> Result<bool> {
    let FirstStates { lts, innermost } = part;
    let events = lts.states().flat_map(|state| lts.row(state));
    let last_event = events.map(|&(event, _)| event).max();
    let mark = EventId(last_event.unwrap_or(TICK).max(TICK).0 + 1);
    let marked = lts.states().map(|state| {
        let own = (state.index() < *innermost).then_some((mark, state));
        lts.row(state).iter().copied().chain(own).collect()
    });
    let marked = Lts::from_rows(marked.collect());
    let Some(compressed) = compress(compression, &marked, 2 * lts.state_count(), token)? else {
        return Ok(true);
    };
    let is_marked = |&state: &StateId| compressed.row(state).iter().any(|step| step.0 == mark);
    let left = compressed.states().filter(is_marked).count();
    Ok(2 * left > *innermost)
}

impl ProcessTreeBuilder<'_> {
    /// `term`, which stands below `around`, without its useless compressions. Operands that start
    /// later than their operator, as after a prefix, stay as they are.
    ///
    /// Costs little unless there are several compressions inside one another. Then the inner ones
    /// are made, which their machine needs in any case.
    pub(super) fn slim_process(&mut self, term: TermId, around: Around) -> Result<SlimProcess> {
        let mut left_out = Vec::new();
        let term = self.slim(term, around, false, &mut left_out)?;
        Ok(SlimProcess { term, left_out })
    }

    /// `term`, which stands below `around`, without the compressions that are left out. These are
    /// appended to `left_out`. `is_inside` says that `term` stands inside one of them.
    pub(super) fn slim(
        &mut self,
        term: TermId,
        around: Around,
        is_inside: bool,
        left_out: &mut Vec<TermId>,
    ) -> Result<TermId> {
        if let Some((_, operand)) = self.skeleton.compression(self.definitions, term)? {
            // It is left out however small it is: symmetries exchange leaves, and a compression
            // would be one leaf.
            let is_left_out = self.options.idle.are_all
                || self.is_given_up(term, around)?
                || is_inside && self.graph(term, around)?.idle_compressions.is_some();
            if !is_left_out {
                return Ok(term);
            }
            left_out.push(term);
            return deep(|| self.slim(operand, around, true, left_out));
        }
        let Some((shape, inside)) = self.operator(term, around)? else {
            return Ok(term);
        };
        let before = left_out.len();
        let slim = shape.with_started(|p| deep(|| self.slim(p, inside, is_inside, left_out)))?;
        Ok(match left_out.len() == before {
            // The term as the script writes it.
            true => term,
            false => self.definitions.terms_mut().intern(slim),
        })
    }

    /// True if `term`, a compression, is left out wherever it stands below `around`.
    fn is_given_up(&mut self, term: TermId, around: Around) -> Result<bool> {
        if let Some(known) = self.graphs.is_given_up(self.leaf_key(term, around)) {
            return Ok(known);
        }
        let is_given_up = self.finds_in_vain(term, around)?;
        self.graphs.note(self.leaf_key(term, around), is_given_up);
        Ok(is_given_up)
    }

    fn finds_in_vain(&mut self, term: TermId, around: Around) -> Result<bool> {
        let Some((compression, operand)) = self.skeleton.compression(self.definitions, term)?
        else {
            return Ok(false);
        };
        let idle = self.options.idle;
        if !self.nests(operand, idle.levels)? {
            return Ok(false);
        }
        let slim = deep(|| self.slim(operand, around, false, &mut Vec::new()))?;
        if !self.skeleton.is_inner(self.definitions, slim)?
            || slim == operand && self.idle_inside(operand, around)? < idle.levels
        {
            return Ok(false);
        }
        let machine = self.machine(slim, around)?;
        if has_copies(&machine) {
            return Ok(false);
        }
        let limit = idle.most_states.min(self.options.limits.listed);
        self.enter(Phase::Listing, operand);
        let token = &self.definitions.cancellation().clone();
        let Some(part) = first_states(&machine, limit, token)? else {
            return Ok(false);
        };
        self.enter(Phase::Compression, operand);
        is_in_vain(kept_by(compression, around), &part, token)
    }

    /// True if `term` has `levels` compressions of parallels, one inside the other.
    fn nests(&mut self, term: TermId, levels: usize) -> Result<bool> {
        if levels == 0 {
            return Ok(true);
        }
        if let Some((_, operand)) = self.skeleton.compression(self.definitions, term)? {
            let is_of_parallel = self.skeleton.is_inner(self.definitions, operand)?;
            return deep(|| self.nests(operand, levels - usize::from(is_of_parallel)));
        }
        let Some((shape, _)) = self.operator(term, Around::default())? else {
            return Ok(false);
        };
        for &operand in shape.started_operands() {
            if deep(|| self.nests(operand, levels))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The most idle compressions inside one another in `term`, which stands below `around`.
    pub(super) fn idle_inside(&mut self, term: TermId, around: Around) -> Result<usize> {
        if self.skeleton.part(self.definitions, term)? == MachinePart::Compressed {
            return Ok(self.graph(term, around)?.idle_compressions.unwrap_or(0));
        }
        let mut most = 0;
        if let Some((shape, inside)) = self.operator(term, around)? {
            for &operand in shape.started_operands() {
                most = most.max(deep(|| self.idle_inside(operand, inside))?);
            }
        }
        Ok(most)
    }

    /// The operator of `term`, if it is an inner node, and the surroundings of its operands.
    pub(super) fn operator(
        &mut self,
        term: TermId,
        around: Around,
    ) -> Result<Option<(Term, Around)>> {
        if !self.skeleton.is_inner(self.definitions, term)? {
            return Ok(None);
        }
        let head = unfolded(self.definitions, term)?;
        let shape = self.definitions.terms().get(head).clone();
        let inside = around.of_operands(&shape);
        Ok(Some((shape, inside)))
    }
}
