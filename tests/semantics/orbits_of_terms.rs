//! Searches of one term of each orbit: random scripts of identities with parameters, sets, queues
//! and tables of them, some of which look into an identity, against searches of terms and of
//! machines without symmetries.

use std::sync::LazyLock;

use cspsym::{Cancellation, Options, Script, Strategy, Symmetries, Task};
use report::assertion::{AssertionReport, Verdict};
use testkit::depth::cases;

use crate::instances::options;
use crate::random::Random;

/// The number of random scripts that are decided.
static SCRIPTS: LazyLock<u64> = LazyLock::new(|| cases(150, 2000));

/// Declarations of three identities, as integers and as constants.
const IDENTITIES: &[&str] = &["N = 3\nID = {1..N}\n", "datatype ID = A | B | C\n"];

/// An identity by its name, in the order of [`IDENTITIES`].
const NAMES: [&str; 2] = ["2", "B"];

impl Random {
    /// A component of an identity, which may choose by itself.
    fn client(&mut self, state: usize) -> String {
        let component = self.component(state);
        match self.below(4) {
            0 => component.replacen("  [] ", "  |~| ", 1),
            _ => component,
        }
    }

    /// A process that keeps a queue of identities, and what each of them did.
    fn keeper(&mut self, state: usize, name: &str, looks: bool) -> String {
        let branches = 2 + self.below(3);
        let mut branches: Vec<String> = (0..branches)
            .map(|_| {
                let (event, queue) = *self.pick(&[
                    ("#q < 3 & a?j", "q ^ <j>"),
                    ("#q < 2 & a?j", "<j> ^ q"),
                    ("not null(q) and last(q) == head(q) & b?j", "q"),
                    ("not null(q) & b.head(q)", "tail(q)"),
                    ("not null(q) & c.last(q)", "q"),
                    ("#q < 3 & d?j?k", "<j, k>"),
                    ("a?j:ID", "< k | k <- q, k != j >"),
                    ("b?j:diff(ID, set(q))", "q"),
                    ("d?j:set(q)?k", "q"),
                    ("t", "<>"),
                ]);
                let table = match event.contains('j') {
                    true => self.one(&["m", "m", "mapUpdate(m, j, j)", "mapDelete(m, j)"]),
                    false => self.one(&["m", "m", "emptyMap"]),
                };
                format!("{event} -> K{}({queue}, {table})", self.below(2))
            })
            .collect();
        if looks {
            branches.push(match self.below(4) {
                0 => format!("b.{name} -> K0(q, m)"),
                1 => "not null(q) & c.head(seq(set(q))) -> K1(q, m)".to_string(),
                2 => format!("#q > 0 and head(q) == {name} & t -> K0(<>, m)"),
                _ => "a?j -> K1(< j | k <- show(j) >, m)".to_string(),
            });
        }
        format!("K{state}(q, m) =\n     {}\n", branches.join("\n  [] "))
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A script with one assertion.
    fn of_identities(&mut self) -> String {
        let kind = self.below(2);
        let looks = self.below(8) == 0;
        let mut text = String::from(IDENTITIES[kind]);
        text += "channel a, b, c : ID\nchannel d : ID.ID\nchannel t\n\
                 others(i) = diff(ID, {i})\n\
                 last(<x>) = x\nlast(<x> ^ xs) = last(xs)\n";
        for state in 0..3 {
            text += &self.client(state);
        }
        for state in 0..2 {
            text += &self.keeper(state, NAMES[kind], looks && state == 0);
        }
        text += self.one(&[
            "USERS = ||| i : ID @ C0(i, i, {})\n",
            "USERS = [| {t} |] i : ID @ C0(i, i, {})\n",
            "USERS = || i : ID @ [union({a.i, b.i, t}, {| c, d |})] C0(i, i, ID)\n",
            "USERS = [] i : ID @ C0(i, i, others(i))\n",
        ]);
        let shared = self.one(&[
            "{| a, b |}",
            "{| a, b, d |}",
            "{| a, b, c, d, t |}",
            "{| a |}",
        ]);
        let hidden = self.one(&["{}", "{}", "{t}", "{| d |}", "{| c, d, t |}"]);
        text += &format!("SYSTEM = (USERS [| {shared} |] K0(<>, emptyMap)) \\ {hidden}\n");
        text += self.one(&[
            "SPEC = (let E = [] i : ID @ a.i -> b.i -> E within E) ||| CHAOS({| c, d, t |})\n",
            "SPEC = (let F(q) = #q < 3 & a?i -> F(q ^ <i>) [] not null(q) & b.head(q) -> F(tail(q)) within F(<>)) ||| CHAOS({| c, d, t |})\n",
            "SPEC = CHAOS(diff(Events, {| c |}))\n",
            "SPEC = CHAOS(Events)\n",
            "SPEC = (let W(s) = ([] i : diff(ID, s) @ a.i -> W(union(s, {i}))) [] ([] i : s @ b.i -> W(diff(s, {i}))) within W({})) ||| CHAOS({| c, d, t |})\n",
            "SPEC = |~| i : ID @ (let G = a?j -> G [] b?j -> G [] c?j:others(i) -> G [] d?j?k -> G [] t -> G within G)\n",
        ]);
        let claim = *self.pick(&[
            "SPEC [T= SYSTEM",
            "SPEC [T= SYSTEM",
            "SPEC [F= SYSTEM",
            "SPEC [FD= SYSTEM",
            "SYSTEM :[deadlock free [F]]",
            "SYSTEM :[deadlock free [FD]]",
            "SYSTEM :[divergence free]",
        ]);
        text + &format!("assert {claim}\n")
    }
}

/// The report on the only assertion of `text`, decided by a strategy.
fn decided(text: &str, strategy: Strategy) -> AssertionReport {
    let script = Script::parse("identities.csp", text).expect("the script is right");
    let symmetries = match strategy {
        Strategy::Orbits => options().symmetries,
        _ => Symmetries::Off,
    };
    let options = Options {
        strategy: Some(strategy),
        symmetries,
        ..options()
    };
    let task = Task {
        cancellation: Cancellation::new(),
        ..Task::default()
    };
    script.check(0, &options, &task).report
}

#[test]
fn a_search_by_orbits_gives_the_verdicts_of_machines() {
    // Those that hold, that fail, that look into all identities, and that are too large.
    let mut tally = [0_u64; 4];
    let mut fewer = 0_u64;
    for seed in 0..*SCRIPTS {
        let text = Random(seed * 7919 + 1).of_identities();
        let by_orbits = decided(&text, Strategy::Orbits);
        let by_terms = decided(&text, Strategy::Terms);
        if by_terms.verdict == Verdict::Unknown {
            tally[3] += 1;
            continue;
        }
        let message = by_orbits.message.clone().unwrap_or_default();
        match by_orbits.verdict {
            Verdict::Unknown if message.contains("looks into values of each type") => tally[2] += 1,
            found => {
                let by_machine = decided(&text, Strategy::Machine);
                assert_eq!(found, by_terms.verdict, "seed {seed}:\n{text}\n{message}");
                assert_eq!(found, by_machine.verdict, "seed {seed}:\n{text}\n{message}");
                let found = by_orbits.counterexample.as_ref();
                assert!(
                    found.is_none_or(|found| found.replayed != Some(false)),
                    "seed {seed}:\n{text}"
                );
                assert!(by_orbits.states <= by_terms.states, "seed {seed}:\n{text}");
                fewer += u64::from(by_orbits.states < by_terms.states);
                tally[usize::from(by_orbits.verdict == Verdict::Fail)] += 1;
            }
        }
    }
    let [holding, failing, looking, _] = tally;
    let all = *SCRIPTS;
    assert!(holding * 6 >= all && failing * 6 >= all, "{tally:?}");
    assert!(looking * 30 >= all && looking * 8 <= all, "{tally:?}");
    assert!(fewer * 4 >= all, "{fewer}");
}
