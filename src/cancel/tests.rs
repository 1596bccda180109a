//! When work ends, who says so, and how many steps it asks for.

use super::*;

/// The result of `work`, which may begin at most `most` steps, and how many steps it began. Fails
/// if `work` begins a step after it was ended.
pub(crate) fn within<R>(
    most: usize,
    work: impl FnOnce(&Cancellation) -> Result<R>,
) -> (Result<R>, usize) {
    let whole = Cancellation::new();
    let steps = Arc::new(AtomicUsize::new(0));
    let (ended, heard) = (whole.clone(), steps.clone());
    let listener = move |begun: usize| {
        let before = heard.fetch_add(begun, Ordering::Relaxed);
        assert!(before <= most, "it goes on after {before} of {most} steps");
        if before + begun > most {
            ended.cancel();
        }
    };
    count_anew();
    let outcome = work(&whole.heard_at_each_step(listener));
    (outcome, steps.load(Ordering::Relaxed))
}

/// How many steps `work` begins if it may go on to its end. Before that, `work` is ended after 0,
/// 1, 3, 7 and so on steps, and has to end at once each time.
pub(crate) fn asked<R>(mut work: impl FnMut(&Cancellation) -> Result<R>) -> usize {
    let mut most = 0;
    loop {
        match within(most, &mut work) {
            (Ok(_), steps) => return steps,
            (Err(problem), _) => assert_eq!(problem.code, "interrupted"),
        }
        most = 2 * most + 1;
    }
}

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
