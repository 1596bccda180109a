//! Tests of the arguments that the command line accepts, and of the options that it makes of them.

use std::time::Duration;

use super::*;
use crate::memory::Memory;
use process::termination::Termination;
use report::text::Detail;
use symmetry::choice::{self, RepresentativeKind};

fn parse(arguments: &[&str]) -> Result<Arguments, clap::Error> {
    Arguments::read(["cspsym"].iter().chain(arguments))
}

fn shared(arguments: &Arguments) -> &Common {
    arguments.command.common().expect("it reads a script")
}

/// The options of a call of `check`.
fn checked(arguments: &[&str]) -> Result<Options, clap::Error> {
    let Command::Check(call) = parse(arguments)?.command else {
        panic!("it is check")
    };
    Ok(call.checking.options(&Memory::default()))
}

#[test]
fn the_definition_of_the_arguments_is_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn constants_are_split_at_the_first_equals_sign() {
    let arguments = parse(&[
        "check",
        "a.csp",
        "-D",
        "N=3",
        "-DLAYOUT=<3,3>",
        "-D",
        "B = x == y",
        "-D",
        "N'=-1",
    ]);
    let Command::Check(check) = arguments.expect("it parses").command else {
        panic!("it is check")
    };
    let pairs: Vec<(&str, &str)> = check
        .checking
        .common()
        .definitions
        .iter()
        .map(|d| (d.name.as_str(), d.text.as_str()))
        .collect();
    assert_eq!(
        pairs,
        [
            ("N", "3"),
            ("LAYOUT", "<3,3>"),
            ("B", "x == y"),
            ("N'", "-1")
        ]
    );
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["check"][..],
        &["check", "a.csp", "-D", "3=N"],
        &["check", "a.csp", "-D", "N"],
        &["check", "a.csp", "-D", "N="],
        &["check", "a.csp", "--timeout", "-1"],
        &["check", "a.csp", "--timeout", "NaN"],
        &["check", "a.csp", "--model", "Z"],
        &["check", "a.csp", "--max-states", "many"],
        &["check", "a.csp", "--memory-limit", "much"],
        &["check", "a.csp", "--memory-limit", "4X"],
        &["check", "a.csp", "--memory-limit", "-1G"],
        &["check", "a.csp", "--memory-limit", "0"],
        &["check", "a.csp", "--progress", "yes"],
        &["check", "a.csp", "--quiet", "--stats"],
        &["refine", "P", "a.csp"],
        &["eval", "a.csp"],
        &["check", "a.csp", "--format", "dot"],
        &["unknown"],
        &["check", "a.csp", "--algorithm", "symcheck4"],
        &["check", "a.csp", "--symmetry", "on"],
        &["check", "a.csp", "--pbisims"],
        &["check", "a.csp", "--representative", "sorted"],
        &["symmetry", "a.csp"],
        &["symmetry", "P", "a.csp"],
        &["symmetry", "P", "Q", "R", "a.csp"],
        &["symmetry", "P", "Q", "a.csp", "--assertion", "1"],
        &["symmetry", "P", "Q", "a.csp", "--symmetry", "off"],
    ] {
        assert_eq!(
            parse(arguments).expect_err("it is wrong").exit_code(),
            2,
            "{arguments:?}"
        );
    }
}

/// The options of each level. A subcommand takes those of the first few levels.
const LEVELS: [&[&str]; 5] = [
    &[
        "-D",
        "N=2",
        "--termination",
        "signal",
        "--timeout",
        "1.5",
        "--memory-limit",
        "1.5g",
        "--progress",
        "on",
        "--include-root",
        ".",
    ],
    &["--max-leaf-states", "9", "--threads", "3", "--no-minimise"],
    &[
        "--algorithm",
        "symcheck2",
        "--representative",
        "local",
        "--symmetry",
        " (B C),(B C D)",
        "--fix-initial",
    ],
    &["--model", "T", "--max-states", "10"],
    &["--stats", "--profile", "--timeout-each", "2"],
];

/// A call of each subcommand that reads a script, with the number of levels that it takes.
const TAKEN: [(&[&str], usize); 11] = [
    (&["eval", "1", "-"], 1),
    (&["type", "1", "-"], 1),
    (&["typecheck", "-"], 1),
    (&["game", "P", "Q", "-"], 1),
    (&["machine", "P", "-"], 2),
    (&["graph", "P", "-", "--format", "json"], 3),
    (&["symmetry", "P", "Q", "-"], 3),
    (&["step", "-", "P"], 4),
    (&["lab", "check", "1"], 4),
    (&["check", "-"], 5),
    (&["refine", "P", "Q", "-"], 5),
];

#[test]
fn a_subcommand_takes_the_options_that_have_an_effect_there_and_no_others() {
    for (call, levels) in TAKEN {
        let taken = LEVELS[..levels].concat();
        let arguments = parse(&[call, &taken].concat()).expect("it parses");
        let common = shared(&arguments);
        assert_eq!(common.timeout, Some(Duration::from_millis(1500)));
        assert_eq!(common.memory_limit, Some(3 << 29));
        assert_eq!(common.progress, ProgressWish::On);
        let found = common.options(&Memory::default());
        assert_eq!(found.termination, Termination::Signal);
        // The words that begin with `--` are options; the other words are their values.
        let refused = LEVELS[levels..].iter().flat_map(|level| level.iter());
        for option in refused.filter(|word| word.starts_with("--")) {
            let is_own = match call[0] {
                "graph" => *option == "--max-states",
                "symmetry" => *option == "--model",
                "game" => ["--model", "--max-states"].contains(option),
                "lab" => *option == "--timeout-each",
                _ => false,
            };
            let error = parse(&[call, &[*option]].concat()).expect_err("it is wrong");
            let is_unknown = error.kind() == ErrorKind::UnknownArgument;
            assert_eq!(is_unknown, !is_own, "{call:?} {option}");
        }
    }
}

#[test]
fn options_say_how_questions_are_decided() {
    let given = [&["check"], &LEVELS.concat()[..], &["-"]].concat();
    let Command::Check(call) = parse(&given).expect("it parses").command else {
        panic!("it is check")
    };
    let found = call.checking.options(&Memory::default());
    assert_eq!(
        (found.max_states, found.max_leaf_states, found.minimise),
        (Some(10), Some(9), false)
    );
    let permutations = Symmetries::Permutations("(B C),(B C D)".to_string());
    assert_eq!(
        (found.algorithm, found.symmetries, found.fix_initial),
        (Some(choice::Algorithm::SymCheck2), permutations, true)
    );
    assert_eq!(found.representative, Some(RepresentativeKind::Local));
    assert_eq!(found.model, Some(ModelName::T));
    assert_eq!(found.threads.count(), 3);
    assert!(found.profile && found.count_orbits);
    assert_eq!(call.checking.detail(), Detail::Statistics);
}

#[test]
fn algorithm_and_symmetry_are_for_the_program_to_choose_unless_given() {
    let options = |arguments: &[&str]| {
        checked(&[&["check", "a.csp"], arguments].concat()).expect("it parses")
    };
    let usual = options(&[]);
    assert_eq!(
        (usual.algorithm, usual.symmetries, usual.fix_initial),
        (None, Symmetries::Found, false)
    );
    for (word, algorithm) in [
        ("auto", None),
        ("check", Some(choice::Algorithm::Check)),
        ("symcheck1", Some(choice::Algorithm::SymCheck1)),
        ("symcheck2", Some(choice::Algorithm::SymCheck2)),
        ("symcheck3", Some(choice::Algorithm::SymCheck3)),
    ] {
        assert_eq!(options(&["--algorithm", word]).algorithm, algorithm);
    }
    for (word, wish) in [("auto", Symmetries::Found), ("off", Symmetries::Off)] {
        assert_eq!(options(&["--symmetry", word]).symmetries, wish);
    }
}

#[test]
fn a_search_by_symmetry_needs_symmetries() {
    let off = ["check", "a.csp", "--symmetry", "off", "--algorithm"];
    for algorithm in ["symcheck1", "symcheck2", "symcheck3"] {
        let error = parse(&[&off[..], &[algorithm]].concat()).expect_err("it contradicts itself");
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(
            text.contains("`--symmetry off` leaves only plain search"),
            "{text}"
        );
        assert!(text.contains("cspsym check [OPTIONS] <FILE>"), "{text}");
    }
    for algorithm in ["auto", "check"] {
        assert!(parse(&[&off[..], &[algorithm]].concat()).is_ok());
    }
}

#[test]
fn a_representative_function_goes_with_its_algorithms() {
    let call = |more: &[&str]| parse(&[&["check", "a.csp"], more].concat());
    let kinds = [
        ("auto", None),
        ("sort", Some(RepresentativeKind::Sort)),
        ("signature", Some(RepresentativeKind::Signature)),
        ("general", Some(RepresentativeKind::General)),
        ("minimal", Some(RepresentativeKind::Minimal)),
        ("local", Some(RepresentativeKind::Local)),
    ];
    for (word, kind) in kinds {
        let asked = ["--representative", word];
        let options = |more: &[&str]| checked(&[&["check", "a.csp"], &asked[..], more].concat());
        assert_eq!(options(&[]).expect("it parses").representative, kind);
        let is_auto = kind.is_none();
        let is_sort = kind == Some(RepresentativeKind::Sort);
        let pairs = [
            (["--symmetry", "off"], is_auto),
            (["--algorithm", "check"], is_auto),
            (["--algorithm", "symcheck1"], is_auto || is_sort),
            (["--algorithm", "symcheck2"], !is_sort),
            (["--algorithm", "symcheck3"], true),
        ];
        for (other, fits) in pairs {
            assert_eq!(options(&other).is_ok(), fits, "{word} {other:?}");
        }
    }
    let error = call(&["--symmetry", "off", "--representative", "local"]);
    let text = error.expect_err("it contradicts itself").to_string();
    assert!(text.contains("which has no `--representative`"), "{text}");
}

#[test]
fn orbits_of_a_graph_are_shown_where_a_format_has_them() {
    let call = |more: &[&str]| parse(&[&["graph", "P", "a.csp"], more].concat());
    assert!(call(&["--orbits", "--format", "json"]).is_ok());
    assert!(call(&["--orbits", "--format", "svg", "--overview", "orbits"]).is_ok());
    let error = call(&["--orbits", "--format", "dot"]).expect_err("it contradicts itself");
    let text = error.to_string();
    assert!(
        text.contains("`--orbits` goes with `--format json` or `--format svg`"),
        "{text}"
    );
    assert!(call(&["--orbits", "--format", "json", "--compress", "sbisim"]).is_err());
    assert!(call(&["--format", "svg", "--overview", "orbits"]).is_err());
    assert!(call(&["--format", "svg", "--overview", "layers"]).is_ok());
}

#[test]
fn symmetry_takes_two_processes_or_an_assertion() {
    let subject = |arguments: &[&str]| {
        let arguments = parse(&[&["symmetry"], arguments].concat()).expect("it parses");
        let Command::Symmetry(call) = arguments.command else {
            panic!("it is symmetry")
        };
        let about = (call.processes(), call.assertion.as_deref());
        (format!("{about:?}"), call.file().to_string())
    };
    assert_eq!(
        subject(&["RUN(Events)", "P", "a.csp"]),
        (
            r#"(Some(("RUN(Events)", "P")), None)"#.to_string(),
            "a.csp".to_string()
        )
    );
    assert_eq!(
        subject(&["a.csp", "--assertion", "2"]),
        (r#"(None, Some("2"))"#.to_string(), "a.csp".to_string())
    );
    let error = parse(&["symmetry", "P", "a.csp"]).expect_err("a word is missing");
    let text = error.to_string();
    assert!(
        text.contains("expected SPEC IMPL FILE, or --assertion N and FILE"),
        "{text}"
    );
    assert!(
        text.contains("cspsym symmetry [OPTIONS] --assertion <TEXT|N> FILE"),
        "{text}"
    );
}

#[test]
fn explain_takes_a_code_or_none() {
    for (words, expected) in [
        (&["explain"][..], None),
        (
            &["explain", "error[unknown-name]"],
            Some("error[unknown-name]"),
        ),
    ] {
        let Command::Explain(call) = parse(words).expect("it parses").command else {
            panic!("it is explain")
        };
        assert_eq!(call.code.as_deref(), expected);
    }
    assert!(parse(&["explain", "syntax", "--stats"]).is_err());
}

#[test]
fn sizes_are_in_powers_of_1024() {
    let of = |text| super::values::size(text).ok();
    for (text, bytes) in [
        ("1", 1),
        ("4096", 4096),
        ("4096B", 4096),
        ("1K", 1 << 10),
        ("512M", 512 << 20),
        ("512 mb", 512 << 20),
        ("0.5GiB", 512 << 20),
        ("2T", 2 << 40),
        ("99999999999999999T", u64::MAX),
    ] {
        assert_eq!(of(text), Some(bytes), "{text}");
    }
    for text in ["", "M", "1..5M", "1e3", "5 apples", "0.0001K"] {
        assert_eq!(of(text), None, "{text}");
    }
}
