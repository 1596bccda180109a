//! Work ends when it should, says why, and asks for the expected number of steps.

use super::testing::asked;
use super::*;

struct Most(u64);

impl MemoryBounds for Most {
    fn exceeded_with(&self, more: u64) -> Option<usize> {
        (more > self.0).then_some(7)
    }
    fn tightest(&self) -> Option<(u64, u64)> {
        Some((self.0, 0))
    }
    fn is_wanted(&self) -> bool {
        true
    }
}

#[test]
fn the_first_reason_counts() {
    let token = Cancellation::ending(Ends {
        memory: Some(Arc::new(Most(10))),
        ..Ends::default()
    });
    token.look_at_memory(10);
    assert_eq!(token.reason(), None);
    token.look_at_memory(11);
    token.cancel();
    assert_eq!(token.reason(), Some(Reason::Memory(7)));
    assert_eq!(
        Cancellation::after(Duration::ZERO).reason(),
        Some(Reason::Time)
    );
    let signalled = Cancellation::new();
    signalled.flag().store(CANCELLED, Ordering::Relaxed);
    assert_eq!(signalled.reason(), Some(Reason::Cancelled));
}

#[test]
fn a_part_ends_with_the_whole_and_in_its_words_and_not_the_other_way_round() {
    let whole = Cancellation::ending(Ends {
        words: Some(Box::new(|_| {
            Diagnostic::undecided("timeout", "all is over")
        })),
        ..Ends::default()
    });
    let part = || {
        Cancellation::ending(Ends {
            whole: Some(whole.clone()),
            ..Ends::default()
        })
    };
    part().cancel();
    assert_eq!(whole.reason(), None);
    let (early, late) = (part(), part());
    early.cancel();
    whole.cancel();
    let code = |token: &Cancellation| token.check().unwrap_err().code;
    assert_eq!((code(&early), code(&late)), ("interrupted", "timeout"));
}

#[test]
fn sorting_asks_and_sorts() {
    // This is a permutation, because the factor is odd.
    let count = 8 * PIECE as u32;
    let items: Vec<u32> = (0..count).map(|i| i.wrapping_mul(40503) % count).collect();
    let mut sorted = items.clone();
    Cancellation::new().sort(&mut sorted).expect("it may go on");
    assert!(sorted.iter().copied().eq(0..count));
    // Each piece of the items is halved four times.
    let least = 4 * items.len() / STRIDE;
    assert!(asked(|token| token.sort(&mut items.clone())) >= least - 4);
    let few = &mut [3, 1, 2];
    assert_eq!(asked(|token| token.sort(few)), 0);
    assert_eq!(*few, [1, 2, 3]);
}

#[test]
fn a_budget_of_steps_ends_the_part_and_not_the_whole() {
    let whole = Cancellation::new();
    let part = Cancellation::ending(Ends {
        whole: Some(whole.clone()),
        budget: Some(StepBudget {
            most: 10 * PATIENCE as u64,
            exceeded: Diagnostic::undecided("timeout", "enough"),
        }),
        ..Ends::default()
    });
    part.enter(Phase::default(), "");
    let done = (0..).find(|_| part.step().is_err());
    // The steps are counted by the thousand.
    assert_eq!(done, Some(11 * PATIENCE - 1));
    assert_eq!(part.check().unwrap_err().message, "enough");
    assert_eq!(whole.reason(), None);
}

#[test]
fn many_things_are_one_step() {
    let steps = asked(|token| {
        (0..10 * STRIDE).try_for_each(|_| token.look(1))?;
        token.look(STRIDE - 1)?;
        token.look(STRIDE + 1)
    });
    assert_eq!(steps, 12);
}

#[test]
fn threads_end_when_one_of_them_is_told() {
    let token = Cancellation::new();
    let others: Vec<_> = (0..2)
        .map(|_| {
            let token = token.clone();
            std::thread::spawn(move || while token.step().is_ok() {})
        })
        .collect();
    token.cancel();
    others
        .into_iter()
        .for_each(|other| other.join().expect("it ends"));
}
