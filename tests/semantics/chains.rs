//! Induction over the links of a chain: random chains, whose instances must agree, beyond those
//! that were decided one by one.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use crate::random::Random;
use cspsym::{Definition, NoIncludes, Options, Script, Symmetries, Task, Threads};
use report::assertion::Verdict;
use testkit::depth::cases;

/// The number of random chains that are decided.
static CHAINS: LazyLock<u64> = LazyLock::new(|| cases(300, 3000));

/// The largest size of instances that are compared. An induction begins with at most 10.
const LARGEST: usize = 13;

/// The largest number of states of an instance that is compared.
const MOST_STATES: u64 = 20_000;

/// A random chain: the events of links with their neighbours, the hidden events, and its end.
struct RandomChain(Random);

impl RandomChain {
    /// A process of link i.
    fn component(&mut self, state: usize) -> String {
        let branches = 1 + self.0.below(2);
        let branches: Vec<String> = (0..branches).map(|_| self.branch()).collect();
        format!("L{state}(i, b) =\n     {}\n", branches.join("\n  [] "))
    }

    fn branch(&mut self) -> String {
        let guard = self.0.one(&[
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "b & ",
            "not b & ",
            // The events that only links near either end may do.
            "i != 2 & ",
            "i != 4 & ",
            "i != N - 2 & ",
            "i != last & ",
        ]);
        let event = self.0.one(&[
            "p.(i - 1)?c",
            "p.(i - 1)?c",
            "p.(i - 1).b",
            "p.i!b",
            "p.i!b",
            "p.i!(not b)",
            "own.i",
            "own.i",
            "p.((i + N - 1) % N)?c",
            "tell.i.((i + 1) % N)",
            "tell.(i - 1).i",
            "t",
        ]);
        let known = match event.contains('c') {
            true => self.0.one(&["b", "c", "c", "not c"]),
            false => self.0.one(&["b", "b", "not b", "true"]),
        };
        format!("{guard}{event} -> L{}(i, {known})", self.0.below(3))
    }

    /// The script of a random chain.
    fn text(&mut self) -> String {
        let mut text = String::from(
            "transparent wbisim, normal\nN = 3\nlast = N - 1\nID = {0..N - 1}\n\
             channel p : ID.Bool\nchannel tell : ID.ID\nchannel own : ID\nchannel t\n",
        );
        for state in 0..3 {
            text += &self.component(state);
        }
        let base = self.0.one(&["0", "0", "0", "1"]);
        let source = self.0.one(&[
            "SOURCE(b) = p.least!b -> SOURCE(b)\n",
            "SOURCE(b) = p.least!b -> SOURCE(not b)\n",
            "SOURCE(b) = p.least!b -> STOP\n",
            "SOURCE(b) = p.least?c -> SOURCE(c) [] p.last?c -> SOURCE(not c)\n",
            "SOURCE(b) = tell.(N - 1).0 -> p.least!b -> SOURCE(b)\n",
        ]);
        text += &format!("least = {base}\n{source}");
        let shared = self.0.one(&[
            "{| p.(i - 1) |}",
            "{| p.(i - 1) |}",
            "union({| p.(i - 1) |}, {tell.(i - 1).i})",
            "{| p.(i - 1), tell |}",
            "union({t}, {| p.(i - 1) |})",
        ]);
        let hidden = self.0.one(&[
            "{| p.(i - 1), own |}",
            "{| p.(i - 1), own |}",
            "{| p.(i - 1), own, tell |}",
            "union({| p.(i - 1), own.i |}, {tell.(i - 1).i})",
            "{| p.(i - 1) |}",
            "diff({| p, own |}, {| p.i |})",
        ]);
        let compressed = self.0.one(&["", "wbisim", "normal"]);
        text += &format!(
            "PART(i, b) =\n  if i == {base} then SOURCE(b)\n  else {compressed}((PART(i - 1, b) [| {shared} |] L0(i, b)) \\ {hidden})\n",
        );
        text += self.0.one(&[
            "SYSTEM = PART(N - 1, true)\n",
            "SYSTEM = PART(last, false)\n",
            "SYSTEM = (PART(N - 2, true) [| {| p.(N - 2), tell |} |] L0(N - 1, false)) \\ {| own, t |}\n",
            "SYSTEM = PART(N - 2, true) [| {| p.last, p.(N - 2) |} |] RUN({| p.last |})\n",
        ]);
        text += self.0.one(&[
            "assert SYSTEM :[deadlock free [F]]\n",
            "assert SYSTEM :[deadlock free [F]]\n",
            "assert RUN({| p, tell, t |}) [T= SYSTEM\n",
            "SPEC(b) = p.(N - 1)!b -> SPEC(not b) [] t -> SPEC(b)\nassert SPEC(true) [T= SYSTEM\n",
            "SPEC(b) = p.(N - 1)?c -> SPEC(b)\nassert SPEC(true) [F= SYSTEM\n",
            "SPEC(b) = p.(N - 1)!true -> SPEC(b)\nassert SPEC(true) [FD= SYSTEM\n",
            "FEW(n) = n < 7 & (t -> FEW(n + 1) [] tell?i?j -> FEW(n + 1) [] p?i?c -> FEW(n))\nassert FEW(0) [T= SYSTEM\n",
        ]);
        text
    }
}

/// The verdict, and true if an induction decided it rather than instances alone.
fn decided(text: &str, size: Option<usize>) -> (Verdict, bool) {
    let definitions: Vec<Definition> = size
        .map(|size| Definition {
            name: "N".to_string(),
            text: size.to_string(),
        })
        .into_iter()
        .collect();
    let script = Script::read("chain.csp", text, &mut NoIncludes, &definitions);
    let options = Options {
        threads: Threads::new(NonZeroUsize::MIN),
        max_states: Some(MOST_STATES),
        max_leaf_states: Some(MOST_STATES),
        symmetries: Symmetries::Off,
        for_all: size.is_none().then(|| "N >= 4".parse().expect("it asks")),
        ..Options::default()
    };
    let report = script
        .expect("the script is right")
        .check(0, &options, &Task::default())
        .report;
    let by_chain = report
        .for_all
        .is_some_and(|for_all| for_all.chain.is_some());
    (report.verdict, by_chain)
}

#[test]
fn what_holds_by_induction_over_links_holds_for_each_number_of_them() {
    let (mut holding, mut failing) = (0, 0);
    for seed in 0..*CHAINS {
        let text = RandomChain(Random(seed * 7919)).text();
        let (verdict, by_chain) = decided(&text, None);
        assert_eq!(verdict == Verdict::Pass, by_chain, "seed {seed}:\n{text}");
        failing += u64::from(verdict == Verdict::Fail);
        if by_chain {
            holding += 1;
            for size in 8..=LARGEST {
                let (verdict, _) = decided(&text, Some(size));
                assert_ne!(
                    verdict,
                    Verdict::Fail,
                    "seed {seed} with N = {size}:\n{text}"
                );
            }
        }
    }
    // Otherwise the comparison would say little.
    assert!(
        holding * 25 >= *CHAINS && failing * 25 >= *CHAINS,
        "{holding} hold and {failing} fail"
    );
}
