//! Random families with a second constant: a bound of data, or the size of another set.

use super::identities::Identities;
use super::templates::HANDED_OVER;
use crate::random::Random;

/// Specifications of users whose data does not matter.
const SPECIFICATIONS: &[&str] = &[
    "SPEC = (let E = [] i : ID @ a.i -> b.i -> E within E) ||| RUN({| c, d, w, t |})\n",
    "SPEC = RUN(diff(Events, {| c |}))\n",
    "SPEC = RUN(diff(Events, {| b |}))\n",
    "SPEC = (let W(s) = ([] i : diff(ID, s) @ a.i -> W(union(s, {i})))\n            \
     [] ([] i : s @ b.i -> W(diff(s, {i}))) within W({})) ||| RUN({| c, d, w, t |})\n",
    "SPEC = (let G = w?i?n -> H(n)\n            H(n) = w?i!n -> H(n) [] b?i -> G within G) ||| RUN({| a, c, d, t |})\n",
];

/// Specifications of users who count up to `M`.
const COUNTING: &[&str] = &[
    "SPEC = (let F(k) = k < M & a?i -> F(k + 1) [] k > 0 & b?i -> F(k - 1) within F(0)) ||| RUN({| c, d, w, t |})\n",
    "SPEC = RUN(diff(Events, { w.i.M | i <- ID }))\n",
    "SPEC = (let G(n) = w?i!n -> G(n) [] a?i -> G(if n < M then n + 1 else n) [] b?i -> G(0) within G(0)) ||| RUN({| c, d, t |})\n",
    "SPEC = (let G = w?i?n -> H(n)\n            H(n) = w?i!n -> H(n) [] w?i?m:{0..n} -> H(m) [] b?i -> G within G) ||| RUN({| a, c, d, t |})\n",
];

/// Specifications of users and keys, which see `take` and `give` alone.
const OF_KEYS: &[&str] = &[
    "SPEC = ||| k : KEY @ ONE(k)\nONE(k) = take?i!k -> give.i.k -> ONE(k)\n",
    "SPEC = ||| i : ID @ USES(i)\nUSES(i) = take.i?k -> give.i.k -> USES(i)\n",
    "SPEC = ||| i : ID @ USES(i)\nUSES(i) = take.i?k -> USES(i) [] give.i?k -> USES(i)\n",
    "SPEC = || i : ID, j : ID, k : KEY @ [{take.i.k, give.i.k, take.j.k, give.j.k}] APART(i, j, k)\n\
     APART(i, j, k) = take.i.k -> give.i.k -> APART(i, j, k) [] take.j.k -> give.j.k -> APART(i, j, k)\n",
    "SPEC = || i : ID, k : KEY, l : KEY @ [{take.i.k, give.i.k, take.i.l, give.i.l}] APART(i, k, l)\n\
     APART(i, k, l) = take.i.k -> give.i.k -> APART(i, k, l) [] take.i.l -> give.i.l -> APART(i, k, l)\n",
    "SPEC = W({})\nW(s) = ([] i : ID, k : diff(KEY, s) @ take.i.k -> W(union(s, {k})))\n  \
     [] ([] i : ID, k : s @ give.i.k -> W(diff(s, {k})))\n",
    "SPEC = F(0)\nF(n) = n < card(KEY) & take?i?k -> F(n + 1) [] n > 0 & give?i?k -> F(n - 1)\n",
    "SPEC = F(0)\nF(n) = n < 3 & take?i?k -> F(n + 1) [] n > 0 & give?i?k -> F(n - 1)\n",
    "SPEC = take?i?k -> SPEC\n",
    "SPEC = give?i?k -> SPEC\n",
];

/// The successors of a number: counted, or only sent on.
const COUNTED: &[&str] = &[
    "n",
    "n",
    "0",
    "M",
    "(n + 1) % (M + 1)",
    "if n < M then n + 1 else n",
    "if n > 0 then n - 1 else n",
];
const SENT: &[&str] = &["n"];

impl Random {
    /// A random family of processes with data, whose greatest value is `M`. The data is counted, or
    /// only sent on.
    pub(crate) fn with_data(
        &mut self,
        identities: Identities,
        size: usize,
        may_be_empty: bool,
        counts: bool,
    ) -> String {
        let mut text = identities.text("ID", "N", size) + &self.data(identities, counts);
        let named = identities.one("ID");
        for state in 0..3 {
            text += &self.user_with_data(state, &named, counts);
        }
        for state in 0..2 {
            text += &self.server_with_data(state, counts);
        }
        text += match counts {
            true => "START = [] x : ID @ Q0(x, 0)\nBEGIN(i) = C0(i, i, M)\n",
            false => "START = w?x?v -> Q0(x, v)\nBEGIN(i) = w.i?v -> C0(i, i, v)\n",
        };
        text += self.one(&[
            "USERS = ||| i : ID @ BEGIN(i)\n",
            "USERS = ||| i : ID @ BEGIN(i)\n",
            "USERS = [| {t} |] i : ID @ BEGIN(i)\n",
            "USERS = || i : ID @ [union({| a.i, b.i, c.i, w.i, t |}, { d.i.j, d.j.i | j <- ID })] BEGIN(i)\n",
        ]);
        let shared = self.one(&[
            "{| a, b |}",
            "{| a, b, w |}",
            "{| a, b, d, w, t |}",
            "{| w |}",
        ]);
        let server = match counts && !may_be_empty {
            false => "START",
            true => self.one(&[
                "START",
                "(|~| x : ID @ Q0(x, M))",
                "(|~| x : ID @ Q1(x, 0))",
            ]),
        };
        let hidden = self.one(&["{}", "{t}", "{| d |}", "{| c, t |}"]);
        text += &format!("SYSTEM = (USERS [| {shared} |] {server}) \\ {hidden}\n");
        text + &self.asked_of_data(counts)
    }

    /// The definitions of data and of channels.
    fn data(&mut self, identities: Identities, counts: bool) -> String {
        let bound = match self.below(24) {
            0 if !matches!(identities, Identities::Numbers(_) | Identities::Names(_)) => {
                self.one(&["N", "N + 1"])
            }
            _ => self.one(&["2", "1", "2", "3"]),
        };
        let data = match counts {
            true => self.one(&["{0..M}", "{0..M}", "{ n | n <- {0..5}, n <= M }"]),
            false => "{0..M}",
        };
        format!(
            "M = {bound}\nDATA = {data}\nchannel a, b, c : ID\nchannel d : ID.ID\n\
             channel w : ID.DATA\nchannel t\nothers(i) = diff(ID, {{i}})\n"
        )
    }

    /// A specification, and an assertion.
    fn asked_of_data(&mut self, counts: bool) -> String {
        let specification = match counts && self.below(2) == 0 {
            true => self.one(COUNTING),
            false => self.one(SPECIFICATIONS),
        };
        let assertion = self.one(&[
            "assert SPEC [T= SYSTEM\n",
            "assert SPEC [T= SYSTEM\n",
            "assert SPEC [T= SYSTEM\n",
            "assert SYSTEM :[deadlock free [F]]\n",
        ]);
        format!("{specification}{assertion}")
    }

    /// A process of an identity: it knows itself, another, and a number.
    fn user_with_data(&mut self, state: usize, named: &str, counts: bool) -> String {
        let guards: &[&str] = match counts {
            true => &[
                "",
                "",
                "",
                "r == i & ",
                "n == 0 & ",
                "n < M & ",
                "n == M & ",
            ],
            false => &["", "", "", "r == i & ", "r != i & "],
        };
        let events = [
            "a.i",
            "a.i",
            "b.i",
            "b.i",
            "c.r",
            "w.i.n",
            "w.i?v",
            "w.i.n",
            "w?x:others(i)!n",
            "d.i?x:others(i)",
            "d?x:others(i)!i",
            "t",
        ];
        let branches: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let guard = match self.below(60) {
                    0 => format!("r == {named} & "),
                    _ => self.one(guards).to_string(),
                };
                format!("{guard}{}", self.then(&events, counts, "C0(i, "))
            })
            .collect();
        format!("C{state}(i, r, n) =\n     {}\n", branches.join("\n  [] "))
    }

    /// A process of no identity: it knows an identity and a number.
    fn server_with_data(&mut self, state: usize, counts: bool) -> String {
        let guards: &[&str] = match counts {
            true => &["", "", "", "n == 0 & ", "n < M & ", "n > 0 & ", "n == M & "],
            false => &[""],
        };
        let events = [
            "a?x",
            "a?x",
            "b?x",
            "b.r",
            "b?x:others(r)",
            "w?x?v",
            "w.r.n",
            "w?x!n",
            "d?x?y",
            "d?y!r",
            "t",
        ];
        let branches: Vec<String> = (0..2 + self.below(3))
            .map(|_| {
                let guard = self.one(guards).to_string();
                format!("{guard}{}", self.then(&events, counts, "Q0("))
            })
            .collect();
        format!("Q{state}(r, n) =\n     {}\n", branches.join("\n  [] "))
    }

    /// An event, and a state of this process after it.
    fn then(&mut self, events: &[&str], counts: bool, process: &str) -> String {
        let event = self.one(events);
        let is_user = process.starts_with('C');
        let other = match event.contains("?x") {
            true => self.one(&["x", "x", "r"]),
            false if is_user => self.one(&["r", "r", "i"]),
            false => "r",
        };
        let number = match event.contains("?v") {
            true => self.one(&["v", "v", "n"]),
            false if counts => self.one(COUNTED),
            false => self.one(SENT),
        };
        let state = self.below(if is_user { 3 } else { 2 });
        let process = process.replace('0', &state.to_string());
        format!("{event} -> {process}{other}, {number})")
    }
}

impl Random {
    /// A random family of users and keys: two sets of identities.
    pub(crate) fn with_keys(
        &mut self,
        (users, user_count): (Identities, usize),
        (keys, key_count): (Identities, usize),
    ) -> String {
        let mut text = users.text("ID", "N", user_count) + &keys.text("KEY", "M", key_count);
        if self.below(6) == 0 {
            return text + "others(i) = diff(ID, {i})\n" + &self.filled(HANDED_OVER);
        }
        text += "channel take, give, look : ID.KEY\nchannel a : ID\nchannel e : KEY\nchannel t\n\
                 others(i) = diff(ID, {i})\n";
        for state in 0..2 {
            text += &self.user_of_keys(state);
        }
        for state in 0..2 {
            text += &self.key(state);
        }
        text += "BEGIN(i) = take.i?l -> U0(i, l)\n";
        text += self.one(&[
            "FREE(k) = take?x!k -> K0(k, x)\n",
            "FREE(k) = take?x!k -> K0(k, x) [] look?x!k -> FREE(k)\n",
            "FREE(k) = take?x!k -> give.x.k -> FREE(k)\n",
        ]);
        text += self.one(&[
            "USERS = ||| i : ID @ BEGIN(i)\n",
            "USERS = ||| i : ID @ BEGIN(i)\n",
            "USERS = || i : ID @ [{| take.i, give.i, look.i, a.i |}] BEGIN(i)\n",
            "USERS = [| {t} |] i : ID @ BEGIN(i)\n",
        ]);
        text += self.one(&[
            "KEYS = ||| k : KEY @ FREE(k)\n",
            "KEYS = ||| k : KEY @ FREE(k)\n",
            "KEYS = || k : KEY @ [union({e.k}, { take.i.k, give.i.k, look.i.k | i <- ID })] FREE(k)\n",
        ]);
        let shared = self.one(&[
            "{| take, give, look |}",
            "{| take, give, look |}",
            "{| take, give, e |}",
            "{| take |}",
        ]);
        text += &format!("SYSTEM = USERS [| {shared} |] KEYS\n");
        text += self.one(OF_KEYS);
        text + self.one(&[
            "assert SPEC [T= SYSTEM \\ {| look, a, e, t |}\n",
            "assert SPEC [T= SYSTEM \\ {| look, a, e, t |}\n",
            "assert SPEC [T= SYSTEM \\ {| look, a, e, t |}\n",
            "assert SPEC [T= SYSTEM \\ {| look, a, e, t |}\n",
            "assert SYSTEM :[deadlock free [F]]\n",
        ])
    }

    /// A process of a user, who knows a key.
    fn user_of_keys(&mut self, state: usize) -> String {
        let events = [
            "take.i.k",
            "take.i?l",
            "give.i.k",
            "give.i.k",
            "give.i?l",
            "look.i?l",
            "look.i.k",
            "look.i?l:diff(KEY, {k})",
            "a.i",
            "e.k",
            "t",
        ];
        let branches: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let event = self.one(&events);
                let next = match event.contains("?l") {
                    true => self.one(&["U0(i, l)", "U1(i, l)", "U1(i, k)"]),
                    false => self.one(&["BEGIN(i)", "U0(i, k)", "U1(i, k)"]),
                };
                format!("{event} -> {next}")
            })
            .collect();
        format!("U{state}(i, k) =\n     {}\n", branches.join("\n  [] "))
    }

    /// A process of a key, which knows a user.
    fn key(&mut self, state: usize) -> String {
        let events = [
            "take?x!k",
            "give.r.k",
            "give.r.k",
            "give?x!k",
            "take?x:others(r)!k",
            "look?x!k",
            "look.r.k",
            "e.k",
            "t",
        ];
        let branches: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let event = self.one(&events);
                let next = match event.contains("?x") {
                    true => self.one(&["K0(k, x)", "K1(k, x)", "K1(k, r)"]),
                    false => self.one(&["FREE(k)", "FREE(k)", "K0(k, r)", "K1(k, r)"]),
                };
                format!("{event} -> {next}")
            })
            .collect();
        format!("K{state}(k, r) =\n     {}\n", branches.join("\n  [] "))
    }
}
