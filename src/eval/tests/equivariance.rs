//! Bodies that are renamed are those that would be evaluated.

use super::with_script;
use crate::diag::{Diagnostic, Result};
use crate::eval::Value;
use crate::process::recursion::CallGraph;

const DECLARATIONS: &str = "
IDS = {0..3}
ODD = {1, 3}
datatype Person = Ann | Bob | Cay
datatype Box = Full.Person | Hollow
channel c : IDS.IDS
channel d : IDS.{0..2}
channel e : ODD
channel p : Person
channel q : Box.IDS
channel r : Set(IDS)
channel a
";

/// No more calls are unfolded.
const MOST_CALLS: usize = 400;

/// How many bodies are renamed while all that `process` leads to is unfolded. Each is evaluated too, and the same.
fn renamed(script: &str, process: &str) -> Result<u64> {
    with_script(script, process, |evaluator, id| {
        evaluator.check_renamed();
        let Value::Process(term) = evaluator.value_of(id)? else {
            panic!("{process} is no process");
        };
        CallGraph::of(evaluator, term, MOST_CALLS)?;
        assert_eq!(evaluator.wrongly_renamed(), [] as [String; 0], "{script}");
        Ok(evaluator.renamed_bodies())
    })
}

/// The definition `P(x) = body`, for each value that stands before the arrow.
fn of(body: &str, values: &[&str]) -> Result<u64> {
    let calls: Vec<String> = values.iter().map(|value| format!("P({value})")).collect();
    let script = format!("{DECLARATIONS}\n{body}\n");
    renamed(&script, &calls.join(" ||| "))
}

const ALL: [&str; 4] = ["0", "1", "2", "3"];

#[test]
fn what_only_compares_is_renamed() {
    let all_but_one = [
        "P(x) = c.x.x -> P(x)",
        "P(x) = c!x?y -> P(x)",
        "P(x) = c!x?y:diff(IDS, {x}) -> P(x)",
        "P(x) = [] y : IDS @ y != x & c.x.y -> P(x)",
        "P(x) = |~| y : diff(IDS, {x}) @ c.y.x -> P(x)",
        "P(x) = if member(x, {y | y <- IDS, y != x}) then STOP else c.x.x -> SKIP",
        "other(x) = diff(IDS, {x})\nP(x) = c?y:other(x)!x -> P(x)",
        "P(x) = d.x.1 -> P(x) [] d.x.2 -> SKIP ; P(x)",
        "P(x) = d.x.card(diff(IDS, {0, 1})) -> P(x) /\\ a -> STOP",
        "P(x) = ; y : <x, x> @ c.y.x -> SKIP",
        "P(x) = c.head(<x> ^ <x>).head(tail(<x, x>)) -> STOP",
        "P(x) = r.{x} -> P(x)",
        "P(x) = let_free(x)\nlet_free(y) = c.y.y -> STOP",
    ];
    // The constants that a definition speaks of stay; what they do not tell apart is renamed.
    for body in all_but_one {
        let count = of(body, &ALL).unwrap();
        assert!(count >= 1, "{body}: {count}");
    }
    assert_eq!(of("P(x) = c.x.x -> STOP", &ALL).unwrap(), 3);
    assert_eq!(of("P(x) = p.x -> STOP", &["Ann", "Bob", "Cay"]).unwrap(), 2);
    // 0 stays, so only 1, 2 and 3 are alike.
    assert_eq!(
        of("P(x) = if x == 0 then STOP else c.x.0 -> STOP", &ALL).unwrap(),
        2
    );
    // The field tells odd from even.
    assert_eq!(of("P(x) = e!x -> STOP", &["1", "3"]).unwrap(), 1);
    assert_eq!(of("P(x) = member(x, ODD) & e!x -> STOP", &ALL).unwrap(), 2);
    // What follows a prefix is a call of its own; the two fields are renamed independently: all but P(0) and what follows c.0.0.
    let count = of("P(x) = c!x?y -> (c.x.y -> STOP)", &ALL).unwrap();
    assert_eq!(count, 3 + 15);
}

#[test]
fn what_looks_at_values_is_evaluated() {
    let bodies = [
        "P(x) = c.x.(x + 1) % 4 -> P(x)",
        "P(x) = c.x.((x + 1) % 4) -> P(x)",
        "P(x) = if x < 2 then c.x.x -> STOP else STOP",
        "P(x) = [] y : {0..x} @ c.x.y -> STOP",
        "P(x) = c.x.head(seq({x, 0})) -> STOP",
        "P(x) = c.x.length(<0..x>) -> STOP",
        "P(1) = STOP\nP(x) = c.x.x -> STOP",
        "f(x) = x + 0\nP(x) = c.f(x).x -> STOP",
        "P(x) = c.x.x -> STOP \\ {| c.0 |}",
        "P(x) = (c.x.x -> STOP)[[ c.0 <- c.1 ]]",
        "P(x) = let y = x within c.x.y -> STOP",
        "P(x) = RUN({c.x.x})",
        "P(x) = (\\ y @ c.y.y -> STOP)(x)",
    ];
    for body in bodies {
        let count =
            of(body, &ALL).unwrap_or_else(|wrong: Box<Diagnostic>| panic!("{body}: {wrong:?}"));
        assert_eq!(count, 0, "{body}");
    }
    // A constructor with fields opens one field of the channel, and the variable takes the rest of both.
    assert_eq!(of("P(x) = q.Full?y -> STOP", &ALL).unwrap(), 0);
}

/// Terms of one small grammar, written by a counter.
struct Writer(u64);

impl Writer {
    fn pick(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn id(&mut self, variables: &[String], depth: u32) -> String {
        let deepest = if depth == 0 { 7 } else { 11 };
        match self.pick(deepest) {
            0 => self.pick(4).to_string(),
            7 => {
                let (condition, a, b) = (
                    self.condition(variables, depth - 1),
                    self.id(variables, depth - 1),
                    self.id(variables, depth - 1),
                );
                format!("(if {condition} then {a} else {b})")
            }
            8 => format!("other({})", self.id(variables, depth - 1)),
            9 => format!("head(<{}>)", self.id(variables, depth - 1)),
            10 if self.pick(4) == 0 => format!("(({} + 1) % 4)", self.id(variables, depth - 1)),
            _ => variables[self.pick(variables.len() as u64) as usize].clone(),
        }
    }

    fn set(&mut self, variables: &[String], depth: u32) -> String {
        let deepest = if depth == 0 { 4 } else { 8 };
        match self.pick(deepest) {
            0 => "IDS".to_string(),
            1 if self.pick(3) == 0 => "ODD".to_string(),
            2 => format!("{{{}}}", self.id(variables, depth.saturating_sub(1))),
            4 => format!(
                "union({}, {})",
                self.set(variables, depth - 1),
                self.set(variables, depth - 1)
            ),
            5 => format!(
                "diff({}, {})",
                self.set(variables, depth - 1),
                self.set(variables, depth - 1)
            ),
            6 => {
                let source = self.set(variables, depth - 1);
                let mut inner = variables.to_vec();
                inner.push("z".to_string());
                let condition = self.condition(&inner, depth - 1);
                format!("{{z | z <- {source}, {condition}}}")
            }
            _ => "s".to_string(),
        }
    }

    fn condition(&mut self, variables: &[String], depth: u32) -> String {
        match self.pick(6) {
            0 if self.pick(4) == 0 => format!(
                "{} < {}",
                self.id(variables, depth.saturating_sub(1)),
                self.id(variables, 0)
            ),
            1 => format!("empty({})", self.set(variables, depth.saturating_sub(1))),
            2 => format!("n < {}", self.pick(3)),
            3 => format!(
                "card({}) == n",
                self.set(variables, depth.saturating_sub(1))
            ),
            4 => format!(
                "member({}, {})",
                self.id(variables, depth.saturating_sub(1)),
                self.set(variables, depth.saturating_sub(1))
            ),
            _ => format!(
                "{} == {}",
                self.id(variables, depth.saturating_sub(1)),
                self.id(variables, depth.saturating_sub(1))
            ),
        }
    }

    fn process(&mut self, variables: &[String], depth: u32) -> String {
        if depth == 0 {
            let name = ["P", "Q"][self.pick(2) as usize];
            let (x, y, s) = (
                self.id(variables, 1),
                self.id(variables, 1),
                self.set(variables, 1),
            );
            return match self.pick(6) {
                0 => "STOP".to_string(),
                1 => "SKIP".to_string(),
                2 => format!("{name}({x}, {y}, {s}, (n + 1) % 3)"),
                _ => format!("{name}({x}, {y}, {s}, n)"),
            };
        }
        let fresh = format!("v{depth}");
        let mut inner = variables.to_vec();
        inner.push(fresh.clone());
        match self.pick(12) {
            0 => format!(
                "({} [] {})",
                self.process(variables, depth - 1),
                self.process(variables, depth - 1)
            ),
            1 => format!(
                "({} |~| {})",
                self.process(variables, depth - 1),
                self.process(variables, depth - 1)
            ),
            2 => format!(
                "({} & {})",
                self.condition(variables, 1),
                self.process(variables, depth - 1)
            ),
            3 => format!(
                "([] {fresh} : {} @ {})",
                self.set(variables, 1),
                self.process(&inner, depth - 1)
            ),
            4 => format!(
                "({} {} {})",
                self.process(variables, depth - 1),
                [";", "/\\", "[>"][self.pick(3) as usize],
                self.process(variables, depth - 1)
            ),
            5 => format!(
                "(if {} then {} else {})",
                self.condition(variables, 1),
                self.process(variables, depth - 1),
                self.process(variables, depth - 1)
            ),
            6 => format!(
                "(c!{}?{fresh} -> {})",
                self.id(variables, 1),
                self.process(&inner, depth - 1)
            ),
            7 => format!(
                "(c?{fresh}:{}!{} -> {})",
                self.set(variables, 1),
                self.id(&inner, 1),
                self.process(&inner, depth - 1)
            ),
            8 => format!(
                "(d!{}!n -> {})",
                self.id(variables, 1),
                self.process(variables, depth - 1)
            ),
            9 => format!(
                "(r!{} -> {})",
                self.set(variables, 1),
                self.process(variables, depth - 1)
            ),
            10 => format!("(e?{fresh} -> {})", self.process(&inner, depth - 1)),
            _ => format!(
                "(c.{}.{} -> {})",
                self.id(variables, 1),
                self.id(variables, 1),
                self.process(variables, depth - 1)
            ),
        }
    }
}

#[test]
fn renaming_random_definitions_gives_what_evaluating_them_gives() {
    let variables = ["x".to_string(), "y".to_string()];
    let mut total = 0;
    let mut scripts = 0;
    for seed in 0..400 {
        let mut writer = Writer(seed);
        let (p, q) = (writer.process(&variables, 3), writer.process(&variables, 2));
        let other = writer.id(&["w".to_string()], 0);
        let script = format!(
            "{DECLARATIONS}\nother(w) = if member(w, IDS) then w else {other}\nP(x, y, s, n) = {p}\nQ(x, y, s, n) = {q}\n"
        );
        let start = "||| x : IDS @ ||| y : IDS @ P(x, y, {x, y}, 0) ||| Q(y, x, {x}, 1)";
        let count = renamed(&script, start);
        let count = count.unwrap_or_else(|wrong| panic!("{script}: {wrong:?}"));
        total += count;
        scripts += u64::from(count > 0);
    }
    assert!(scripts > 100, "{total} bodies in {scripts} scripts");
}
