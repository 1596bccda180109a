//! Winners compared with verdicts of searches, and strategies against all opponents.

use base::cancel::Cancellation;
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile};
use process::event::{EventId, TAU};
use process::term::{Definitions, TermId};
use refine::check::{CheckOptions, Outcome, check};
use report::game::GameSide;
use testkit::depth::{cases, seeds};
use testkit::systems::{SystemRows, random_systems};
use testkit::terms::Generator;

use super::arena::{GameArena, PositionId};
use super::situation::{Challenge, GameMove, PlayEnd, Situation};

const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];
const MOST: usize = 2000;
const A: EventId = EventId(2);
const B: EventId = EventId(3);

fn arena(specification: &Lts, implementation: &Lts, model: Model) -> GameArena {
    let (specification, implementation) = (specification.clone(), implementation.clone());
    let token = Cancellation::never();
    GameArena::of(specification, implementation, model, 100_000, token).expect("it is small")
}

fn system(rows: &[&[(EventId, u32)]]) -> Lts {
    let row = |row: &&[(EventId, u32)]| row.iter().map(|&(e, s)| (e, StateId(s))).collect();
    Lts::from_rows(rows.iter().map(row).collect())
}

/// The verdict of a search: true if it holds; `None` if something is too large.
fn verdict(generator: &mut Generator, sides: (TermId, TermId), model: Model) -> Option<bool> {
    let options = CompileOptions::new(LeafLimits::all(MOST));
    let lts = explore(&mut generator.table, sides.0, &options.limits)
        .ok()?
        .lts;
    let form = NormalForm::of(&lts, model, MOST, Cancellation::never()).ok()?;
    let machine = compile(&mut generator.table, sides.1, &options).ok()?;
    let outcome = check(&form, &machine, &CheckOptions::default())
        .ok()?
        .outcome;
    Some(!matches!(outcome, Outcome::Violated(_)))
}

#[test]
fn whoever_is_right_wins() {
    let (mut holds, mut fails) = (0, 0);
    for seed in seeds(150, 4000) {
        let mut generator = Generator::new(seed);
        let implementation = generator.term(3, true);
        let other = generator.term(3, true);
        let terms = generator.table.terms_mut();
        let specification = match seed % 2 {
            0 => other,
            _ => terms
                .internal_choice(vec![implementation, other])
                .expect("two"),
        };
        let limits = LeafLimits::all(MOST);
        let mut listed = |term| explore(&mut generator.table, term, &limits).ok();
        let (Some(left), Some(right)) = (listed(specification), listed(implementation)) else {
            continue;
        };
        for model in MODELS {
            let sides = (specification, implementation);
            let Some(expected) = verdict(&mut generator, sides, model) else {
                continue;
            };
            let winner = arena(&left.lts, &right.lts, model).winner(GameArena::START);
            let is_refined = winner == GameSide::Defender;
            assert_eq!(is_refined, expected, "seed {seed}, {model:?}");
            *if expected { &mut holds } else { &mut fails } += 1;
        }
    }
    assert!(holds > 50 && fails > 50, "{holds} hold, {fails} fail");
}

/// Plays on from `here` with the program on `side` against every opponent, for `depth` moves more.
/// Returns true if the program never loses, and as attacker wins within these moves.
fn wins_always(
    (arena, side): (&GameArena, GameSide),
    here: &Situation,
    before: &mut Vec<(PositionId, GameMove)>,
    depth: usize,
) -> bool {
    let Some(turn) = here.turn() else {
        return here.end.map(PlayEnd::winner) == Some(side);
    };
    if depth == 0 {
        return side == GameSide::Defender;
    }
    let moves = match turn == side {
        true => here.best_moves(arena, before),
        false => here.moves(arena),
    };
    assert!(!moves.is_empty(), "whoever has the turn has a move");
    moves.into_iter().all(|chosen| {
        let after = here.after(arena, chosen).expect("it is a legal move");
        before.push((here.position, chosen));
        let wins = wins_always((arena, side), &after, before, depth - 1);
        before.pop();
        wins
    })
}

fn of_rows(rows: &SystemRows<'_>) -> Lts {
    system(rows)
}

#[test]
fn the_program_wins_against_every_opponent() {
    let mut systems: Vec<Lts> = Vec::new();
    let collected = std::cell::RefCell::new(&mut systems);
    random_systems(cases(60, 800), |rows| {
        if rows.len() <= 5 {
            collected.borrow_mut().push(of_rows(rows));
        }
    });
    let (mut attacks, mut defences) = (0, 0);
    for pair in systems.windows(2) {
        for model in MODELS {
            // A system refines itself; of two others mostly one does something that is forbidden.
            for specification in [&pair[0], &pair[1]] {
                let arena = arena(specification, &pair[1], model);
                let start = Situation::start(&arena);
                let side = arena.winner(GameArena::START);
                assert_eq!(start.winner(&arena), side);
                let depth = match side {
                    GameSide::Attacker => 40,
                    GameSide::Defender => 5,
                };
                let wins = wins_always((&arena, side), &start, &mut Vec::new(), depth);
                assert!(wins, "{specification:?} {:?} {model:?}", pair[1]);
                *match side {
                    GameSide::Attacker => &mut attacks,
                    GameSide::Defender => &mut defences,
                } += 1;
            }
        }
    }
    assert!(attacks > 20 && defences > 20, "{attacks} and {defences}");
}

#[test]
fn a_play_of_the_program_with_itself_ends_as_it_must() {
    random_systems(cases(100, 1000), |rows| {
        let implementation = of_rows(rows);
        let anything = system(&[&[(A, 0), (TAU, 1)], &[(B, 0), (EventId(1), 2)], &[]]);
        for (model, specification) in MODELS.into_iter().zip([&anything; 3]) {
            let arena = arena(specification, &implementation, model);
            let mut here = Situation::start(&arena);
            let mut before = Vec::new();
            while here.turn().is_some() {
                let best = here.best_moves(&arena, &before);
                before.push((here.position, best[0]));
                here = here.after(&arena, best[0]).expect("it is a legal move");
                assert!(before.len() < 100, "it comes to an end");
            }
            let winner = here.end.map(PlayEnd::winner);
            assert_eq!(winner, Some(arena.winner(GameArena::START)));
        }
    });
}

/// `a -> (b -> STOP |~| a -> STOP)`, whose states after `a` are 1, 2 and 3.
fn chooses() -> Lts {
    system(&[&[(A, 1)], &[(TAU, 2), (TAU, 3)], &[(B, 4)], &[(A, 4)], &[]])
}

#[test]
fn the_defender_need_not_choose_ahead() {
    // a -> (b -> STOP [] a -> STOP) is no simulation of the other, but has the same traces.
    let both = system(&[&[(A, 1)], &[(A, 2), (B, 2)], &[]]);
    let arena = arena(&chooses(), &both, Model::Traces);
    let start = Situation::start(&arena);
    let asked = start
        .after(&arena, GameMove::Step(A, StateId(1)))
        .expect("a");
    assert_eq!(asked.challenge, Some(Challenge::Event(A, StateId(1))));
    let answered = asked.after(&arena, GameMove::Answer(StateId(0)));
    let answered = answered.expect("the only state");
    let states = arena.specification_states(answered.position);
    assert_eq!(states, [1, 2, 3].map(StateId));
    for (event, fitting) in [(A, StateId(3)), (B, StateId(2))] {
        let asked = answered.after(&arena, GameMove::Step(event, StateId(2)));
        let asked = asked.expect("both can be done");
        assert_eq!(asked.winning_moves(&arena), [GameMove::Answer(fitting)]);
        let wrong = asked.after(&arena, GameMove::Answer(StateId(1)));
        let wrong = wrong.expect("a wrong answer is a move");
        assert_eq!(wrong.end, Some(PlayEnd::WrongAnswer(StateId(1))));
    }
}

#[test]
fn a_rest_is_answered_by_a_state_that_offers_no_more() {
    let both = system(&[&[(A, 1)], &[(A, 2), (B, 2)], &[]]);
    let arena_of =
        |specification, implementation| arena(specification, implementation, Model::Failures);
    let (refined, refuses) = (chooses(), both.clone());
    // Who offers both at rest refuses less than who may offer one alone.
    assert_eq!(
        arena_of(&refined, &refuses).winner(GameArena::START),
        GameSide::Defender
    );
    let arena = arena_of(&both, &chooses());
    assert_eq!(
        arena.distance(GameArena::START),
        Some(3),
        "a, a choice, and the claim"
    );
    let start = Situation::start(&arena);
    let path = [GameMove::Step(A, StateId(1)), GameMove::Answer(StateId(0))];
    let path = path
        .into_iter()
        .chain([GameMove::Step(TAU, StateId(2)), GameMove::Rest]);
    let end = path.fold(start, |here, chosen| {
        here.after(&arena, chosen).expect("legal")
    });
    assert_eq!(end.challenge, Some(Challenge::Rest(vec![B])));
    assert_eq!(end.winner(&arena), GameSide::Attacker);
    assert_eq!(end.best_moves(&arena, &[]), [GameMove::GiveUp]);
}

#[test]
fn a_loop_is_shown_before_it_is_claimed() {
    let restless = system(&[&[(A, 1)], &[(TAU, 2)], &[(TAU, 1)]]);
    let quiet = system(&[&[(A, 1)], &[]]);
    let arena = arena(&quiet, &restless, Model::FailuresDivergences);
    let mut here = Situation::start(&arena);
    let mut names = Vec::new();
    while here.turn().is_some() {
        let best = here.best_moves(&arena, &[]);
        names.push(best[0]);
        here = here.after(&arena, best[0]).expect("it is a legal move");
    }
    let tau = |state| GameMove::Step(TAU, StateId(state));
    let (event, answer) = (GameMove::Step(A, StateId(1)), GameMove::Answer(StateId(0)));
    let expected = [
        event,
        answer,
        tau(2),
        tau(1),
        GameMove::Forever,
        GameMove::GiveUp,
    ];
    assert_eq!(names, expected);
    // Where the specification can diverge, everything is allowed.
    let either = system(&[&[(A, 1), (A, 2)], &[(TAU, 1)], &[]]);
    let arena = self::arena(&either, &restless, Model::FailuresDivergences);
    assert_eq!(arena.winner(GameArena::START), GameSide::Defender);
}

#[test]
fn a_game_that_is_too_large_is_refused() {
    let long: Vec<Vec<(EventId, StateId)>> = (1..100).map(|n| vec![(A, StateId(n % 99))]).collect();
    let long = Lts::from_rows(long);
    let token = Cancellation::never();
    let refused = GameArena::of(long.clone(), long, Model::Traces, 50, token);
    assert_eq!(refused.expect_err("99 positions").code, "large-game");
}
