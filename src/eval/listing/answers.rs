//! Questions about what calls and terms are and can do, and their answers, in batches: code is run
//! for one batch, and then what was found is entered, each of which goes faster without the other.

use super::head::{CALL, EXTERNAL, HeadToken, INTERNAL, OMEGA, PREFIX, Runner, SKIP, STOP};
use super::lists::TokenLists;
use crate::base::stack::deep;
use crate::process::event::{EventId, TAU, TICK};

/// What is asked at once.
#[derive(Default)]
pub(super) struct Questions {
    /// The tokens of calls and terms.
    pub(super) targets: TokenLists,
    /// Calls, each with the tokens of the term that it is believed to stand for after it.
    pub(super) doubts: TokenLists,
}

/// The answers, in the order of the questions; perhaps not to all of them.
#[derive(Default)]
pub(super) struct UnfoldedTargets {
    /// The tokens of the term that is meant.
    pub(super) heads: TokenLists,
    /// How many steps it has.
    pub(super) counts: Vec<u32>,
    /// The steps of all of them: the events, and the tokens of the calls and terms they lead to.
    pub(super) events: Vec<EventId>,
    pub(super) targets: TokenLists,
}

/// More calls than this inside each other, none guarded, are left to the terms, which say so.
pub(super) const MOST_NESTED: usize = 1000;

/// A state with more operands that are calls is left to the terms.
const MOST_OPERANDS: usize = 10_000;

/// A state with more tokens is left to the terms: copying what is nested in it would take time and
/// memory quadratic in its depth.
const MOST_TOKENS: usize = 20_000;

/// When there are as many steps in the answers, the other questions are left for the next time: a
/// single state may have a million steps.
const ENOUGH_STEPS: usize = 1 << 14;

impl Questions {
    pub(super) fn are_none(&self) -> bool {
        self.targets.is_empty() && self.doubts.is_empty()
    }

    /// The answers, to one question at least. Returns `None` if the process has to be listed from
    /// its terms, as where a call stands for another term than is believed.
    pub(super) fn answers(&self, runner: &mut Runner<'_, '_>) -> Option<UnfoldedTargets> {
        let mut answers = UnfoldedTargets::default();
        let mut head = Vec::new();
        for number in 0..self.targets.len() {
            if answers.events.len() >= ENOUGH_STEPS {
                break;
            }
            let target = self.targets.get(number);
            head.clear();
            unfold_fully(runner, target, &mut head)?;
            if head.len() > MOST_TOKENS {
                return None;
            }
            answers.heads.push(&head)?;
            let before = answers.events.len();
            StepsOfState {
                runner: &mut *runner,
                answers: &mut answers,
                unfolded: 0,
            }
            .add(&head, 0)?;
            answers.counts.push((answers.events.len() - before) as u32);
        }
        for number in (0..self.doubts.len()).step_by(2) {
            head.clear();
            unfold_fully(runner, self.doubts.get(number), &mut head)?;
            if head != self.doubts.get(number + 1) {
                return None;
            }
        }
        Some(answers)
    }
}

/// The steps of one state, as they are found.
struct StepsOfState<'a, 'r, 's> {
    runner: &'a mut Runner<'r, 's>,
    answers: &'a mut UnfoldedTargets,
    /// How many operands of `[]` were unfolded.
    unfolded: usize,
}

impl StepsOfState<'_, '_, '_> {
    fn step(&mut self, event: EventId, target: &[HeadToken]) -> Option<()> {
        self.answers.events.push(event);
        self.answers.targets.push(target)
    }

    /// Adds the steps of the term with these tokens, so many operands deep in the state.
    fn add(&mut self, tokens: &[HeadToken], depth: usize) -> Option<()> {
        match tokens[0] {
            STOP | OMEGA => {}
            SKIP => self.step(TICK, &[OMEGA])?,
            PREFIX => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = self.runner.after(tokens, at + 1);
                    self.step(EventId(tokens[at]), &tokens[at + 1..end])?;
                    at = end;
                }
            }
            INTERNAL if depth == 0 => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = self.runner.after(tokens, at);
                    self.step(TAU, &tokens[at..end])?;
                    at = end;
                }
            }
            // An operand that can do τ stays in the choice: such states are left to the terms.
            INTERNAL => return None,
            EXTERNAL => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = self.runner.after(tokens, at);
                    self.operand(&tokens[at..end], depth)?;
                    at = end;
                }
            }
            _ => unreachable!("a state is no call"),
        }
        Some(())
    }

    /// Adds the steps of an operand of `[]`, which may be a call.
    fn operand(&mut self, operand: &[HeadToken], depth: usize) -> Option<()> {
        if operand[0] < CALL {
            return deep(|| self.add(operand, depth + 1));
        }
        // Each operand may have several that are calls again.
        self.unfolded += 1;
        if depth > MOST_NESTED || self.unfolded > MOST_OPERANDS {
            return None;
        }
        let mut tokens = Vec::new();
        unfold_fully(self.runner, operand, &mut tokens)?;
        deep(|| self.add(&tokens, depth + 1))
    }
}

/// Appends to `tokens`, which are none yet, those of the term that `target` is or stands for.
fn unfold_fully(
    runner: &mut Runner<'_, '_>,
    target: &[HeadToken],
    tokens: &mut Vec<HeadToken>,
) -> Option<()> {
    if target[0] < CALL {
        tokens.extend_from_slice(target);
        return Some(());
    }
    runner.unfold(target, tokens)?;
    for _ in 0..MOST_NESTED {
        if tokens[0] < CALL {
            return Some(());
        }
        let call = std::mem::take(tokens);
        runner.unfold(&call, tokens)?;
    }
    None
}
