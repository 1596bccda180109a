//! Unfolds calls and terms to heads and steps.

use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::head::{CALL, EXTERNAL, HeadToken, INTERNAL, OMEGA, PREFIX, Runner, SKIP, STOP};
use super::lists::TokenLists;
use super::source::CodeSource;
use base::stack::deep;
use process::event::{EventId, TAU, TICK};

/// Unfolded calls and terms, one after the other.
#[derive(Default)]
pub(super) struct UnfoldedTargets {
    /// The tokens of the terms that they stand for, and the hashes of these tokens.
    pub(super) heads: TokenLists,
    pub(super) head_hashes: Vec<u64>,
    /// The number of steps of each.
    pub(super) counts: Vec<u32>,
    /// The steps of all of them: the events, the tokens of the calls and terms they lead to, and
    /// the hashes of these tokens.
    pub(super) events: Vec<EventId>,
    pub(super) targets: TokenLists,
    pub(super) target_hashes: Vec<u64>,
}

/// The largest number of unguarded calls inside each other. More are left to the listing from
/// terms, which reports them.
pub(super) const MOST_NESTED: usize = 1000;

/// The largest number of operands that are calls in a state that is not left to the terms.
const MOST_OPERANDS: usize = 10_000;

/// The largest number of tokens of a term that a step leads to. Larger ones are left to the terms:
/// copying parts that are nested in each other would take time and memory quadratic in the depth. A
/// state itself may have more, as one that offers a million events has.
const MOST_TOKENS: usize = 20_000;

/// The largest number of tokens of operands of `[]` that are looked at for one state. Each operand
/// is looked at once for each choice around it, so this is about those that nest deeply.
const MOST_OPERAND_TOKENS: usize = 1 << 22;

/// The number of steps after which the other calls and terms are left for the next round: a single
/// state may have a million steps.
const ENOUGH_STEPS: usize = if cfg!(test) { 4 } else { 1 << 14 };

/// The number of tokens after which the rest is left for the next round: some megabytes.
const ENOUGH_TOKENS: usize = 1 << 20;

impl UnfoldedTargets {
    /// The number of calls and terms that were unfolded.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Empties it; its memory stays.
    pub(super) fn clear(&mut self) {
        self.heads.truncate(0);
        self.head_hashes.clear();
        self.counts.clear();
        self.events.clear();
        self.targets.truncate(0);
        self.target_hashes.clear();
    }

    /// True if there are so many steps or tokens that no more should be added.
    pub(super) fn are_enough(&self) -> bool {
        self.events.len() >= ENOUGH_STEPS || self.heads.token_count() >= ENOUGH_TOKENS
    }

    /// Adds the `targets` with these numbers, up to the first that cannot be unfolded, or until
    /// there are enough.
    pub(super) fn add_all<C: CodeSource>(
        &mut self,
        runner: &mut Runner<C>,
        targets: &TokenLists,
        numbers: Range<usize>,
    ) {
        let mut head = Vec::new();
        for number in numbers {
            if self.are_enough() || self.add(runner, targets.get(number), &mut head).is_none() {
                break;
            }
        }
    }

    /// Adds one target. Adds nothing if it cannot be unfolded.
    fn add<C: CodeSource>(
        &mut self,
        runner: &mut Runner<C>,
        target: &[HeadToken],
        head: &mut Vec<HeadToken>,
    ) -> Option<()> {
        head.clear();
        runner.reset();
        unfold_fully(runner, target, head)?;
        let before = self.events.len();
        let mut steps = StepsOfState {
            runner,
            found: self,
            unfolded: 0,
            operand_tokens: 0,
        };
        if steps.add(head, 0).is_none() {
            self.events.truncate(before);
            self.targets.truncate(before);
            self.target_hashes.truncate(before);
            return None;
        }
        self.heads.push(head)?;
        self.head_hashes.push(FxBuildHasher.hash_one(&**head));
        self.counts.push((self.events.len() - before) as u32);
        Some(())
    }
}

/// True if `call` stands for the term with the tokens `head`.
pub(super) fn stands_for<C: CodeSource>(
    runner: &mut Runner<C>,
    call: &[HeadToken],
    head: &[HeadToken],
) -> bool {
    let mut found = Vec::new();
    unfold_fully(runner, call, &mut found).is_some() && found == head
}

/// The steps of one state, as they are found.
struct StepsOfState<'a, C> {
    runner: &'a mut Runner<C>,
    found: &'a mut UnfoldedTargets,
    /// The number of operands of `[]` that were unfolded.
    unfolded: usize,
    /// The number of tokens of operands of `[]` that were looked at.
    operand_tokens: usize,
}

impl<C: CodeSource> StepsOfState<'_, C> {
    fn step(&mut self, event: EventId, target: &[HeadToken]) -> Option<()> {
        if target.len() > MOST_TOKENS {
            return None;
        }
        self.found.events.push(event);
        let hash = FxBuildHasher.hash_one(target);
        self.found.target_hashes.push(hash);
        self.found.targets.push(target)
    }

    /// Adds the steps of the term with these tokens, which is `depth` operands deep in the state.
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
        self.operand_tokens += operand.len();
        if self.operand_tokens > MOST_OPERAND_TOKENS {
            return None;
        }
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

/// Appends the tokens of the term that `target` is or stands for to `tokens`, which must be empty.
fn unfold_fully<C: CodeSource>(
    runner: &mut Runner<C>,
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
