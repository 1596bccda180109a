//! Input of extreme depth and size, and mutants of the shipped scripts: the program always ends by
//! itself, with one of its own exit statuses, and no mistake counts as success.

use std::fs;

use crate::harness::{Outcome, cspsym, in_parallel, root, scripts};

const DEEP: usize = 100_000;

const PRELUDE: &str = "channel a, b\nchannel c : {0..1}\nA = {a}\nf(x) = x\n";

fn check(script: &str) -> Outcome {
    let arguments = ["check", "--timeout", "60", "-"].map(str::to_string);
    cspsym(&arguments, script.as_bytes())
}

/// The problem, if a run did not end with one of `allowed`, or had an internal error.
fn problem(name: &str, outcome: &Outcome, allowed: &[i32]) -> Option<String> {
    let status = outcome.status;
    let fault = outcome.err.contains("internal-") || outcome.err.contains("panicked");
    if status.is_some_and(|status| allowed.contains(&status)) && !fault {
        return None;
    }
    let start: String = outcome.err.chars().take(600).collect();
    Some(format!(
        "{name}: exit status {status:?}, {allowed:?} allowed\n{start}"
    ))
}

fn all_end_with(scripts: &[(String, String)], allowed: &[i32]) {
    let run = |(name, script): &(String, String)| problem(name, &check(script), allowed);
    let problems: Vec<String> = in_parallel(scripts, run).into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A value of `open` many times, `middle`, and `close` as many times, compared with itself.
fn value(open: &str, middle: &str, close: &str) -> (String, String) {
    let (left, right) = (open.repeat(DEEP), close.repeat(DEEP));
    let script = format!(
        "{PRELUDE}x = {left}{middle}{right}\nassert STOP [T= if x == x then STOP else SKIP\n"
    );
    (format!("`{open}` {middle} `{close}`"), script)
}

/// A process of `open`, `middle` and `close`, nested, that refines RUN of all events and `✓`.
fn process(open: &str, middle: &str, close: &str) -> (String, String) {
    let (left, right) = (open.repeat(DEEP), close.repeat(DEEP));
    let script = format!("{PRELUDE}P = {left}{middle}{right}\nassert RUN(Events) |~| SKIP [T= P\n");
    (format!("`{open}` {middle} `{close}`"), script)
}

#[test]
fn deep_nesting_is_decided() {
    let scripts = [
        value("(", "1", ")"),
        value("if true then 1 else ", "2", ""),
        value("if false then 1 else ", "2", ""),
        value("if ", "true", " then true else false"),
        value("let y = 1 within ", "y", ""),
        value("let y = ", "1", " within y"),
        value("<", "1", ">"),
        value("{", "1", "}"),
        value("(", "1", ", 1)"),
        value("", "1", " + 1"),
        value("- ", "1", ""),
        value("not ", "true", ""),
        value("f(", "1", ")"),
        process("(", "STOP", ")"),
        process("a -> ", "STOP", ""),
        process("true & ", "STOP", ""),
        process("", "STOP", " ||| STOP"),
        process("(STOP [| A |] ", "STOP", ")"),
        process("", "a -> STOP", " \\ A"),
        process("", "a -> STOP", " [[a <- b]]"),
        process("", "a -> STOP", " [] a -> STOP"),
        process("(SKIP ; ", "STOP", ")"),
    ];
    all_end_with(&scripts, &[0]);
}

#[test]
fn deep_sets_of_nothing_have_a_type() {
    let (left, right) = ("{".repeat(DEEP), "}".repeat(DEEP));
    let script = format!("x = {left}{right}\nassert STOP [T= STOP\n");
    all_end_with(&[("sets".to_string(), script)], &[0]);
}

#[test]
fn broken_nesting_is_an_error() {
    let opens = [
        "(", "{", "<", "{|", "[|", "let x = ", "f(", "if ", "{-", "a -> ", "1 + ", "x.", "-", "#",
    ];
    let script = |open: &&str| (open.to_string(), format!("x = {}", open.repeat(DEEP)));
    let scripts: Vec<(String, String)> = opens.iter().map(script).collect();
    all_end_with(&scripts, &[2]);
}

/// About ten megabytes of `line`. The `#` in it becomes the number of the line.
fn ten_megabytes(line: &str) -> String {
    let line = |number: usize| line.replace('#', &number.to_string());
    (0..10_000_000 / line(100_000).len()).map(line).collect()
}

#[test]
fn ten_megabytes_are_read() {
    let good = ten_megabytes("P# = a -> (b -> STOP [] a -> P#) -- one of very many definitions\n");
    let scripts = [
        (
            "definitions",
            format!("{PRELUDE}{good}assert STOP [T= STOP\n"),
        ),
        (
            "one line",
            format!(
                "xs = <1{}>\nassert STOP [T= if #xs > 0 then STOP else SKIP\n",
                ",1".repeat(4_000_000)
            ),
        ),
        (
            "a string",
            format!(
                "x = \"{}\"\nassert STOP [T= if x == x then STOP else SKIP\n",
                "a".repeat(9_000_000)
            ),
        ),
    ];
    let scripts = scripts.map(|(name, script)| (name.to_string(), script));
    all_end_with(&scripts, &[0]);
}

#[test]
fn ten_megabytes_of_mistakes_give_few_messages() {
    let scripts = [
        (
            "unknown names",
            ten_megabytes("P# = a# -> STOP -- one of very many definitions\n"),
        ),
        ("brackets", "= ) } ]\n".repeat(1_250_000)),
        ("comments", "{-".repeat(5_000_000)),
        ("comparisons", format!("x = {}1", "1 < ".repeat(1_000_000))),
        (
            "a long name",
            format!("x{} = 1\nassert STOP [T= Y\n", "a".repeat(9_000_000)),
        ),
        ("half an assertion", "assert STOP [T= \n".repeat(DEEP)),
        (
            "assertions about nothing",
            format!("{}P = X\n", "assert STOP [T= X\n".repeat(DEEP)),
        ),
    ];
    let run = |(name, script): &(&str, String)| {
        let outcome = check(script);
        let long = outcome.err.len() > 200_000;
        let long = long.then(|| format!("{name}: {} bytes of messages", outcome.err.len()));
        problem(name, &outcome, &[2]).or(long)
    };
    let problems: Vec<String> = in_parallel(&scripts, run).into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn each_of_many_broken_assertions_is_reported() {
    let outcome = check(&"assert STOP [T= X\nassert STOP STOP\n".repeat(DEEP / 2));
    assert_eq!(outcome.status, Some(2));
    for code in ["unknown-name", "syntax"] {
        let count = |text: &str, pattern: &str| text.matches(pattern).count();
        let message = format!("error[{code}]");
        assert_eq!(count(&outcome.err, &message), DEEP / 2);
        let verdict = format!(": error ({code})\n");
        assert_eq!(count(&outcome.out, &verdict), DEEP / 2);
    }
}

#[test]
fn processes_that_grow_by_nesting_are_reported_without_a_limit() {
    let scripts = [
        (
            "calls",
            "channel a\nP = a -> (P ||| P)\nassert RUN({a}) [T= P ||| P\n",
        ),
        (
            "nested",
            "channel a, b\nP = a -> (P ; b -> STOP)\nassert RUN({a, b}) [T= P\n",
        ),
    ];
    let scripts = scripts.map(|(name, script)| (name.to_string(), script.to_string()));
    all_end_with(&scripts, &[3]);
}

#[test]
fn a_timeout_ends_every_stage() {
    let scripts = [
        (
            "evaluation",
            "f(n) = f(n + 1)\nassert STOP [T= if f(0) == 0 then STOP else SKIP\n",
        ),
        (
            "set",
            "assert STOP [T= if card({x + y + z | x <- {1..2000}, y <- {1..2000}, z <- {1..2000}}) == 0 then STOP else SKIP\n",
        ),
        (
            "leaf",
            "channel c : {0..99}\nP(n) = c.(n % 100) -> P((n * 7 + 1) % 100000000)\nassert RUN(Events) [T= P(0)\n",
        ),
        (
            "normal form",
            "channel a, b\nP = LAST |~| (|~| n : {0..1000} @ L(n))\nLAST = a -> LAST [] b -> LAST [] a -> L(1000)\nL(n) = if n == 0 then STOP else a -> L(n - 1) [] b -> L(n - 1)\nassert P [T= STOP\n",
        ),
        (
            "compression",
            "transparent normal\nchannel a, b\nP = LAST |~| (|~| n : {0..1000} @ L(n))\nLAST = a -> LAST [] b -> LAST [] a -> L(1000)\nL(n) = if n == 0 then STOP else a -> L(n - 1) [] b -> L(n - 1)\nassert STOP [T= normal(P) ||| RUN({a})\n",
        ),
        (
            "chase",
            "transparent chase\nchannel c : {0..99}\nP(n) = c.(n % 100) -> P((n * 7 + 1) % 100000000)\nassert STOP [T= chase(P(0) \\ {|c|})\n",
        ),
        (
            "search",
            "channel c : {0..19}.{0..9}\nP(i, n) = c.i.n -> P(i, (n + 1) % 10)\nassert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)\n",
        ),
    ];
    let run = |(name, script): &(&str, &str)| {
        // With symmetry the search ends at once.
        let arguments = ["check", "--symmetry", "off", "--timeout", "0.5", "-"];
        let outcome = cspsym(&arguments.map(str::to_string), script.as_bytes());
        // The run ends by itself: otherwise there is no message about the assertion.
        let quiet =
            !outcome.err.contains("error[timeout]") || !outcome.out.contains("undecided (timeout)");
        let other = quiet.then(|| format!("{name}: not a timeout\n{}", outcome.err));
        problem(name, &outcome, &[3]).or(other)
    };
    let problems: Vec<String> = in_parallel(&scripts, run).into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A generator of pseudo-random numbers (xorshift), which are equal on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Words, spaces and single other characters.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else {
            1 + usize::from(c == ' ')
        }
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if at > start && (last != Some(kind(c)) || kind(c) == 1) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    pieces.push(&text[start..]);
    pieces
}

/// Leaves out, doubles or swaps a few words, symbols or lines.
fn mutant(text: &str, numbers: &mut Numbers) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut parts = if numbers.below(3) == 0 {
        lines
    } else {
        pieces(text)
    };
    for _ in 0..=numbers.below(3) {
        let (at, other) = (numbers.below(parts.len()), numbers.below(parts.len()));
        match numbers.below(4) {
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, parts[at]),
            2 => parts.swap(at, other),
            _ => parts[at] = parts[other],
        }
    }
    parts.concat()
}

#[test]
fn mutants_of_scripts_never_break_the_program() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let sources = scripts("cspm").into_iter().map(|script| {
        let text = fs::read_to_string(root().join(&script)).expect("a script is readable");
        (script, text)
    });
    let sources: Vec<(String, String)> = sources.collect();
    let seeds = (0..300).map(|index| {
        let (name, text) = &sources[index % sources.len()];
        (
            format!("mutant {index} of {name}"),
            mutant(text, &mut numbers),
        )
    });
    let mutants: Vec<(String, String)> = seeds.collect();
    let run = |(name, script): &(String, String)| {
        let arguments = [
            "check",
            "--quiet",
            "--timeout",
            "0.1",
            "--max-leaf-states",
            "2000",
            "--max-states",
            "5000",
            "-",
        ]
        .map(str::to_string);
        let outcome = cspsym(&arguments, script.as_bytes());
        let silent = outcome.status == Some(2) && outcome.err.is_empty();
        let silent = silent.then(|| format!("{name}: an error without a message"));
        problem(name, &outcome, &[0, 1, 2, 3]).or(silent)
    };
    let problems: Vec<String> = in_parallel(&mutants, run).into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
