//! Refinement games about the assertions of scripts: the winner is who is right by the verdict.

use cspsym::report::assertion::Verdict;
use cspsym::report::game::{GameReport, GameSide};
use cspsym::{GameQuestion, Options, Script, Subject, Task};

use crate::harness::{root, scripts};

/// Games with more positions than this are left out: there are enough others.
const LARGEST: u64 = 2_000;

/// The folders of the scripts whose assertions are played.
const FOLDERS: [&str; 4] = [
    "tests/scripts/failures",
    "tests/scripts/compression",
    "cspm/vending",
    "cspm/language",
];

fn options() -> Options {
    Options {
        max_states: Some(LARGEST),
        ..Options::default()
    }
}

/// Returns true if a game about the assertion at `index` says that it holds; `None` if it cannot be
/// played.
fn is_refined(script: &Script, index: usize) -> Option<bool> {
    let question = GameQuestion {
        subject: Subject::Assertion(index),
        side: GameSide::Attacker,
        moves: &["give up".to_string()],
        is_task: false,
    };
    let report = script.game(question, &options(), &Task::default()).ok()?;
    Some(report.end.expect("giving up ends the game").refined)
}

#[test]
fn whoever_wins_is_right() {
    let (mut holds, mut fails) = (0, 0);
    for file in FOLDERS.iter().flat_map(|folder| scripts(folder)) {
        let text = std::fs::read_to_string(root().join(&file)).expect("a script is readable");
        let Ok(script) = Script::parse(&file, &text) else {
            continue;
        };
        for index in 0..script.assertions().len() {
            let Some(is_refined) = is_refined(&script, index) else {
                continue;
            };
            let report = script.check(index, &options(), &Task::default()).report;
            let expected = match report.verdict {
                Verdict::Pass => !report.negated,
                Verdict::Fail => report.negated,
                _ => continue,
            };
            assert_eq!(is_refined, expected, "{file}: {:?}", report.assertion);
            *if is_refined { &mut holds } else { &mut fails } += 1;
        }
    }
    assert!(holds > 20 && fails > 10, "{holds} hold, {fails} fail");
}

/// The report of a game with these moves of the student.
fn played(side: GameSide, moves: &[&str]) -> GameReport {
    let text = "channel coin, choc, toffee\n\
        CHOICE = coin -> (choc -> CHOICE [] toffee -> CHOICE)\n\
        MOOD = coin -> (choc -> MOOD |~| toffee -> MOOD)\n\
        assert CHOICE [F= MOOD\n";
    let script = Script::parse("vending.csp", text).expect("it is CSPm");
    let moves: Vec<String> = moves.iter().map(|name| name.to_string()).collect();
    let question = GameQuestion {
        subject: Subject::Assertion(0),
        side,
        moves: &moves,
        is_task: false,
    };
    let report = script.game(question, &Options::default(), &Task::default());
    report.expect("these are moves of the game")
}

#[test]
fn a_list_of_moves_is_graded() {
    let won = played(GameSide::Attacker, &["coin", "τ", "at rest"]);
    assert!(won.end.is_some_and(|end| end.won));
    let going_on = played(GameSide::Attacker, &["coin", "τ"]);
    assert_eq!(going_on.end, None);
    let lost = played(GameSide::Attacker, &["coin", "give up"]);
    let lost = lost.end.expect("it is over");
    let mistake = lost.mistake.expect("until then it could be won");
    assert_eq!((mistake.turn, mistake.name.as_str()), (3, "give up"));
    assert_eq!(mistake.better, ["τ", "τ #2"]);
    assert_eq!(lost.shortest, ["coin", "τ", "at rest"]);
    // The claim comes too early: a machine that waits for a coin refuses no more than it should.
    let early = played(GameSide::Attacker, &["at rest"]);
    let early = early.end.expect("it is over");
    assert_eq!((early.won, early.refined), (false, false));
}

#[test]
fn a_defender_who_cannot_win_makes_no_mistake() {
    let report = played(GameSide::Defender, &["state 1", "state 1"]);
    let end = report.end.expect("there is no right answer");
    assert_eq!((end.won, end.mistake), (false, None));
}
