//! The place of a process in the course of questions, phases and rounds, and the parcels that have
//! come to it.

use std::collections::VecDeque;

use super::arrivals::Arrived;

/// The bits of a phase. One word holds a time: a question, a phase of it, and a round of that.
const PHASE_BITS: u32 = 24;
const ROUND_BITS: u32 = 20;

/// The last possible question.
pub(super) const LAST_QUESTION: u64 = (1 << (64 - PHASE_BITS - ROUND_BITS)) - 1;

/// The last phase of a question. No process enters it: the next question follows it.
const LAST_PHASE: u64 = (1 << PHASE_BITS) - 1;

/// The last round of a phase, which goes on to the end of the phase.
const LAST_ROUND: u64 = (1 << ROUND_BITS) - 1;

/// The number of rounds that a process may be ahead of the slowest. With 1, each would wait for
/// each after each round; with more, more parcels that were not entered would take memory.
pub(super) const ROUNDS_AHEAD: u64 = 4;

/// The place of a process.
#[derive(Default)]
pub(super) struct Course {
    question: u64,
    phase: u64,
    round: u64,
    /// True if this process sends no more in the phase. Its parcels then belong to the next one.
    has_ended_phase: bool,
    /// True if another process has left this question early, so that no later phase is whole.
    pub(super) is_left: bool,
    /// The parcels that have come and were not handed out.
    pub(super) waiting: VecDeque<Arrived>,
    /// The numbers of the parcels that were handed out and are not entered.
    pub(super) handed: VecDeque<u64>,
}

impl Course {
    /// The present question.
    pub(super) fn question(&self) -> u64 {
        self.question
    }

    /// True if a parcel of this time was sent before the present phase.
    pub(super) fn is_past(&self, time: u64) -> bool {
        time < time_of(self.question, self.phase, 0)
    }

    /// True if a parcel of this time was sent in the present question.
    pub(super) fn is_of_question(&self, time: u64) -> bool {
        time_of(self.question, 0, 0) <= time && time < time_of(self.question + 1, 0, 0)
    }

    /// Begins a question, which is later than the present one. Returns its time, and the numbers of
    /// the parcels that will not be entered any more.
    pub(super) fn begin(&mut self, question: u64) -> (u64, Vec<u64>) {
        self.question = question;
        (self.phase, self.round) = (0, 0);
        (self.has_ended_phase, self.is_left) = (false, false);
        let entered = self.handed.drain(..).collect();
        (time_of(question, 0, 0), entered)
    }

    /// Ends a round. Returns the new time, if there is one.
    pub(super) fn end_round(&mut self) -> Option<u64> {
        if self.round == LAST_ROUND {
            return None;
        }
        self.round += 1;
        Some(time_of(self.question, self.phase, self.round))
    }

    /// Sends no more in this phase. Returns the new time, unless this was said before.
    pub(super) fn end_phase(&mut self) -> Option<u64> {
        if self.has_ended_phase {
            return None;
        }
        self.has_ended_phase = true;
        Some(time_of(self.question, self.phase + 1, 0))
    }

    /// Goes on to the next phase. Returns `false` if there is none.
    pub(super) fn next_phase(&mut self) -> bool {
        (self.phase, self.round) = (self.phase + 1, 0);
        self.has_ended_phase = false;
        self.phase < LAST_PHASE
    }

    /// The first parcel that was sent in the present phase or before. A later one stays, because
    /// its sender is ahead: its present phase is over, or it has left the question.
    pub(super) fn next(&mut self) -> Option<Arrived> {
        let end = time_of(self.question, self.phase + 1, 0);
        let place = self.waiting.iter().position(|one| one.time < end)?;
        self.waiting.remove(place)
    }

    /// True if all processes are near enough for another round to begin.
    pub(super) fn may_begin_round(&self, frontier: u64) -> bool {
        let Some(behind) = self.round.checked_sub(ROUNDS_AHEAD) else {
            return true;
        };
        frontier >= time_of(self.question, self.phase, behind)
    }

    /// True if the phase is over for all.
    pub(super) fn is_over(&self, frontier: u64) -> bool {
        frontier >= time_of(self.question, self.phase + 1, 0)
    }
}

/// The time of a question, phase and round in one word.
fn time_of(question: u64, phase: u64, round: u64) -> u64 {
    (question << (PHASE_BITS + ROUND_BITS)) + (phase << ROUND_BITS) + round
}
