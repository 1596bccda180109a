//! What long work is at: told to whoever waits for it, and may end it.

use std::cmp::Ordering as Order;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::diag::{Diagnostic, Result};

/// The kinds of work that may take long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// A script is read, with its names and types.
    #[default]
    Reading,
    /// Values of the script are found.
    Evaluation,
    /// The calls are found that a process leads to, and which of them are recursive.
    Calls,
    /// The states of a sequential component are found.
    Component,
    /// States that are alike are made one.
    Minimisation,
    /// A compression that the script asks for.
    Compression,
    /// The states of a machine are listed, to be compressed or made deterministic.
    Listing,
    /// A specification is made deterministic.
    NormalForm,
    /// The rules and tables of a machine are made.
    Machine,
    /// Symmetries are looked for.
    Symmetry,
    /// The states of a check are searched.
    Search,
    /// A counterexample is followed again.
    Replay,
}

/// Who waits for work, and may be told of it by all threads that do it. A function that says whether to give up is one that
/// wants to know no more.
pub trait Watcher: Send + Sync {
    /// A phase begins that is about the process `name`, if about one.
    fn enter(&self, _phase: Phase, _name: &str) {}
    /// So many steps of the phase are done; an error if there are not to be more.
    fn proceed(&self, steps: u64) -> Result<()>;
}

impl<F: Fn() -> bool + Send + Sync> Watcher for F {
    fn proceed(&self, _: u64) -> Result<()> {
        if self() {
            return Diagnostic::undecided("interrupted", "the work was interrupted").into();
        }
        Ok(())
    }
}

/// Asks to proceed once for many small things that are looked at: asking for each would take as long as looking.
pub struct Pace<'a> {
    proceed: &'a mut (dyn FnMut() -> Result<()> + 'a),
    looked: usize,
}

/// So many things are one step.
const STRIDE: usize = 64;

/// So many things are put in order without asking.
const PIECE: usize = 1 << 14;

impl<'a> Pace<'a> {
    /// Nothing is looked at yet.
    pub fn new(proceed: &'a mut (dyn FnMut() -> Result<()> + 'a)) -> Self {
        Self { proceed, looked: 0 }
    }

    /// So many transitions, or what takes as long, are looked at next; fails where that may not go on.
    #[inline]
    pub fn look(&mut self, count: usize) -> Result<()> {
        self.looked += count;
        if self.looked < STRIDE {
            return Ok(());
        }
        self.ask()
    }

    fn ask(&mut self) -> Result<()> {
        let steps = self.looked / STRIDE;
        self.looked %= STRIDE;
        (0..steps).try_for_each(|_| (self.proceed)())
    }

    /// Puts `items` in order, equal ones in any, by `compare`; many of them in two halves, so that it can be asked between. That
    /// compares a third more often than sorting all at once.
    pub fn sort_by<T>(
        &mut self,
        items: &mut [T],
        compare: &impl Fn(&T, &T) -> Order,
    ) -> Result<()> {
        self.look(items.len())?;
        if items.len() <= PIECE {
            items.sort_unstable_by(compare);
            return Ok(());
        }
        let (left, _, right) = items.select_nth_unstable_by(items.len() / 2, compare);
        self.sort_by(left, compare)?;
        self.sort_by(right, compare)
    }

    /// The same in the order that `items` have.
    pub fn sort<T: Ord>(&mut self, items: &mut [T]) -> Result<()> {
        self.sort_by(items, &T::cmp)
    }

    /// For work that takes long as a whole and does not ask: looked at or not, who waits is asked before it.
    pub fn ask_now(&mut self) -> Result<()> {
        self.look(STRIDE * PATIENCE as usize)
    }

    /// To ask for each step.
    pub fn steps(&mut self) -> &mut (dyn FnMut() -> Result<()> + 'a) {
        self.proceed
    }
}

/// What comes of `work`, which fails only where it may not go on, if it may go on for ever.
pub fn at_leisure<R>(work: impl FnOnce(&mut Pace<'_>) -> Result<R>) -> R {
    let result = work(&mut Pace::new(&mut || Ok(())));
    result.unwrap_or_else(|problem| unreachable!("it may go on, but {}", problem.message))
}

/// The steps that several threads do together, told to the one who waits for all.
pub struct Together {
    watcher: Arc<dyn Watcher>,
    steps: AtomicU64,
}

/// Who waits is asked when so many steps more are done.
pub const PATIENCE: u32 = 1024;

impl Together {
    /// None is done yet.
    pub fn new(watcher: Arc<dyn Watcher>) -> Self {
        let steps = AtomicU64::new(0);
        Self { watcher, steps }
    }

    /// A thread begins a phase that is about the process `name`.
    pub fn enter(&self, phase: Phase, name: &str) {
        self.watcher.enter(phase, name);
    }

    /// What one thread asks for each of its steps.
    pub fn proceed(&self) -> impl FnMut() -> Result<()> + '_ {
        let mut done = 0;
        move || {
            done += 1;
            if done < PATIENCE {
                return Ok(());
            }
            let steps = u64::from(std::mem::take(&mut done));
            let before = self.steps.fetch_add(steps, Ordering::Relaxed);
            self.watcher.proceed(before + steps)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// How often `work` asks. Wherever it may not go on, which is tried at more and more places, it ends at once.
    pub(crate) fn asked<R>(mut work: impl FnMut(&mut Pace<'_>) -> Result<R>) -> usize {
        let mut most = 0;
        loop {
            let mut asked = 0;
            let mut proceed = || {
                asked += 1;
                if asked > most {
                    return Diagnostic::undecided("timeout", "").into();
                }
                Ok(())
            };
            match work(&mut Pace::new(&mut proceed)) {
                Ok(_) => return asked,
                Err(problem) => assert_eq!((problem.code, asked), ("timeout", most + 1)),
            }
            most = 2 * most + 1;
        }
    }

    #[test]
    fn sorting_asks_and_sorts() {
        // A permutation, as the factor is odd.
        let count = 8 * PIECE as u32;
        let items: Vec<u32> = (0..count).map(|i| i.wrapping_mul(40503) % count).collect();
        let mut sorted = items.clone();
        at_leisure(|pace| pace.sort(&mut sorted));
        assert!(sorted.iter().copied().eq(0..count));
        // Each of four times halved.
        let least = 4 * items.len() / STRIDE;
        assert!(asked(|pace| pace.sort(&mut items.clone())) >= least - 4);
        let few = &mut [3, 1, 2];
        assert_eq!(asked(|pace| pace.sort(few)), 0);
        assert_eq!(*few, [1, 2, 3]);
    }

    #[test]
    fn many_things_are_one_step() {
        let mut steps = 0;
        let mut proceed = || {
            steps += 1;
            Ok(())
        };
        let mut pace = Pace::new(&mut proceed);
        for _ in 0..10 * STRIDE {
            pace.look(1).expect("it may");
        }
        pace.look(STRIDE - 1).expect("it may");
        pace.look(STRIDE + 1).expect("it may");
        assert_eq!(steps, 12);
    }

    #[test]
    fn a_thread_stops_when_all_together_have_done_too_much() {
        struct Most(u64);
        impl Watcher for Most {
            fn proceed(&self, steps: u64) -> Result<()> {
                (|| steps > self.0).proceed(steps)
            }
        }
        let steps = u64::from(PATIENCE);
        let together = Together::new(Arc::new(Most(steps)));
        let (mut one, mut other) = (together.proceed(), together.proceed());
        for _ in 0..PATIENCE {
            one().expect("these are not too many");
        }
        let done = (0..PATIENCE).take_while(|_| other().is_ok()).count();
        assert_eq!(done as u64, steps - 1);
    }
}
