//! Answers that are right without being one, and names of files that are taken.

use std::fs;

use serde_json::Value;

use super::{LABS, changed_key, file, folder, lab};
use crate::harness::{cspsym_in_shell, in_parallel, root};

/// The outcome of one task of a key in which `answer` is defined anew.
fn with_answer(name: &str, task: u64, answer: &str, definition: &str) -> Value {
    let marked = changed_key(name, &format!("cheat-{name}-{task}-{answer}"), |key| {
        let start = key
            .find(&format!("\n{answer}"))
            .expect("the key defines it")
            + 1;
        let end = key[start..]
            .find("\n-- ")
            .map_or(key.len(), |end| start + end + 1);
        format!("{}{definition}\n{}", &key[..start], &key[end..])
    });
    let index = task as usize - 1;
    marked[index].clone()
}

#[test]
fn no_answer_is_right_by_naming_what_it_is_compared_with() {
    for (name, task, answer, definition, outcome) in [
        ("refinement", 1, "VM =", "VM = LAB_VM", "error"),
        ("refinement", 7, "KIOSK =", "KIOSK = LAB_KIOSK", "error"),
        (
            "refinement",
            7,
            "KIOSK =",
            "KIOSK = let X = LAB_KIOSK within X",
            "error",
        ),
        (
            "hanoi",
            10,
            "NO_2_ON_C =",
            "NO_2_ON_C = LAB_NO_2_ON_C",
            "error",
        ),
        ("hanoi", 2, "STACK(", "STACK(p, discs) = POLE(p)", "failed"),
        (
            "hanoi",
            2,
            "STACK(",
            "STACK(p, discs) = MINE(set(discs))(p)\nMINE(x)(p) = HOLDING(p, x)",
            "failed",
        ),
        ("dijkstra", 3, "SpecME =", "SpecME = DIJKSTRA", "failed"),
        ("dijkstra", 3, "SpecME =", "SpecME = LAB_ME", "error"),
        (
            "dijkstra",
            4,
            "EARLY(",
            "EARLY(i) = PARTICIPANT(i)",
            "failed",
        ),
        (
            "dijkstra",
            5,
            "HASTY(",
            "HASTY(i) = CHANGED(Dijkstra)(i)",
            "failed",
        ),
        ("dijkstra", 5, "HASTY(", "HASTY = EARLY", "failed"),
    ] {
        let report = with_answer(name, task, answer, definition);
        assert_eq!(report["outcome"], outcome, "{definition}\n{report}");
        let is_kept = report.to_string().replace(definition, "").contains("LAB_");
        let message = report["message"].as_str().unwrap_or_default();
        assert!(
            !is_kept || message.starts_with("reserved-name: "),
            "{report}"
        );
    }
}

/// A game without one of its moves, with a move more, or cut short is not won.
#[test]
fn no_game_is_won_by_other_moves() {
    let folder = folder("games");
    let key = file("refinement", "key/solution.csp");
    let games = key.lines().filter(|line| line.starts_with("--? game "));
    let changed = games.flat_map(|line| {
        let moves: Vec<&str> = line.split("; ").collect();
        let without = (0..moves.len()).map(|left_out| {
            let others = moves.iter().enumerate();
            let others = others.filter(|(index, _)| *index != left_out);
            others.map(|(_, name)| *name).collect::<Vec<_>>().join("; ")
        });
        let cut = (1..moves.len()).map(|many| moves[..many].join("; "));
        // The first part of a line is its directive with the first move.
        let all = without
            .skip(1)
            .chain(cut)
            .chain([format!("{line}; give up")]);
        all.map(|other| key.replace(line, &other))
            .collect::<Vec<_>>()
    });
    let changed: Vec<(usize, String)> = changed.enumerate().collect();
    assert!(changed.len() > 20);
    in_parallel(&changed, |(index, text)| {
        let path = folder.join(format!("{index}.csp"));
        fs::write(&path, text).expect("a script can be written");
        let outcome = lab(&["check", "5", "--in", &path.to_string_lossy()]);
        assert_eq!(outcome.status, Some(1), "{}", outcome.out);
    });
}

/// Feedback on wrong attempts is free of the names that are kept, and has words for all of them.
#[test]
fn what_is_compared_with_is_not_shown() {
    for name in LABS {
        let path = root().join(format!("tests/labs/{name}.expected"));
        let text = fs::read_to_string(path).expect("it is there");
        assert!(
            !text.contains("LAB_") && !text.contains("what it is compared with"),
            "{name}"
        );
    }
}

#[test]
fn a_submission_may_have_any_name() {
    let class = folder("names");
    for name in ["lab.csp", "given.csp", "start.csp", "the lab's checks"] {
        let folder = class.join(name.replace(['.', '\''], "-"));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let key = file("refinement", "key/solution.csp");
        fs::write(folder.join(name), key).expect("it can be written");
        let words = ["lab", "check", "--in", name].map(str::to_string);
        let line = format!("cd '{}' && cspsym", folder.display());
        let outcome = cspsym_in_shell(&line, &words, b"");
        assert_eq!(
            outcome.status,
            Some(0),
            "{name}: {}{}",
            outcome.out,
            outcome.err
        );
        if name.ends_with(".csp") {
            let graded = lab(&["grade", &folder.to_string_lossy()]);
            assert!(
                graded.out.contains("9 of 9 tasks"),
                "{name}: {}",
                graded.out
            );
        }
    }
}
