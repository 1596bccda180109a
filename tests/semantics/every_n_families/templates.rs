//! Families that hold, if they do, because of the knowledge of two or three identities about each
//! other. Views of one do not show it.

use crate::random::Random;

/// Templates: each place `«a¦b¦c»` becomes one of its texts, mostly the first. With the first
/// texts, all but the last family hold.
pub(crate) const TEMPLATES: &[&str] = &[
    // Tokens go from hand to hand. That there are no more than M is seen by M + 1.
    "M = «2¦1¦3»
channel get, back, enter, leave : ID
channel pass : ID.ID
IDLE(i) = get.i -> HOLD(i) [] pass?j:others(i)!i -> HOLD(i)
HOLD(i) = pass.i?j:others(i) -> «IDLE(i)¦HOLD(i)» [] enter.i -> leave.i -> HOLD(i) «[] back.i -> IDLE(i)¦¦[] back.i -> HOLD(i)»
GIVE(n) = n < M & get?i -> GIVE(n + 1) «¦[] n > 0 & back?i -> GIVE(n - 1)»
A(i) = union({get.i, enter.i, leave.i, back.i}, { pass.i.j, pass.j.i | j <- others(i) })
SYSTEM = (|| i : ID @ [A(i)] IDLE(i)) [| {| get, back |} |] GIVE(0)
SPEC = CAP(0) ||| RUN({| get, back, pass |})
CAP(k) = k < «M¦M¦M - 1» & enter?i -> CAP(k + 1) [] k > 0 & leave?i -> CAP(k - 1)
",
    // Two who meet know each other until they part.
    "channel bad : ID
channel meet, call, part : ID.ID
USER(i) = meet.i?j:others(i) -> WITH(i, j) [] meet?j:others(i)!i -> WITH(i, j)
WITH(i, j) = call.i.j -> WITH(i, j) [] call.j.i -> WITH(i, j) [] call?k:diff(others(i), {j})!i -> BAD(i)
  [] part.i.j -> USER(i) [] part.j.i -> «USER(i)¦WITH(i, j)» «¦[] meet.i?k:diff(others(i), {j}) -> WITH(i, k)¦[] meet?k:others(i)!i -> WITH(i, j)»
BAD(i) = bad.i -> BAD(i)
A(i) = union({bad.i}, { meet.i.j, meet.j.i, call.i.j, call.j.i, part.i.j, part.j.i | j <- ID })
SYSTEM = || i : ID @ [A(i)] USER(i)
SPEC = RUN({| meet, call, part |})
",
    // Three stand in a circle, and each knows who is next.
    "channel bad : ID
channel meet, call, part : ID.ID.ID
USER(i) = meet.i?j:others(i)?k:diff(others(i), {j}) -> WITH(i, j)
  [] meet?k:others(i)!i?j:diff(others(i), {k}) -> WITH(i, «j¦k»)
  [] meet?j:others(i)?k:diff(others(i), {j})!i -> WITH(i, j)
WITH(i, j) = call.i.j?k:diff(others(i), {j}) -> WITH(i, j) [] call?k:diff(others(i), {j})!i!j -> WITH(i, j)
  [] call.j?k:diff(others(i), {j})!i -> WITH(i, j)
  [] call?k:diff(others(i), {j})?x:diff(others(i), {k})!i -> BAD(i)
  «¦[] part.i.j?k -> USER(i) [] part?k!i!j -> USER(i) [] part.j?k!i -> USER(i)¦[] part.i.j?k -> USER(i) [] part?k!i!j -> WITH(i, j) [] part.j?k!i -> USER(i)»
BAD(i) = bad.i -> BAD(i)
A(i) = union({bad.i}, union({ meet.i.j.k, meet.j.i.k, meet.j.k.i, call.i.j.k, call.j.i.k, call.j.k.i | j <- ID, k <- ID },
  { part.i.j.k, part.j.i.k, part.j.k.i | j <- ID, k <- ID }))
SYSTEM = || i : ID @ [A(i)] USER(i)
SPEC = RUN({| meet, call, part |})
",
    // Two have a contract, and a third one is the witness.
    "channel bad : ID
channel sign, claim : ID.ID.ID
USER(i) = sign.i?j:others(i)?k:diff(others(i), {j}) -> HAS(i, j, k)
  [] sign?j:others(i)!i?k:diff(others(i), {j}) -> «HAS(i, j, k)¦HAS(i, k, j)»
  [] sign?j:others(i)?k:diff(others(i), {j})!i -> SAW(i, j, k)
HAS(i, j, k) = claim.i.j.k -> «HAS(i, j, k)¦HAS(i, j, k)¦USER(i)»
  [] claim.j.i.k -> HAS(i, j, k) [] claim.j.i?x:diff(others(i), {j, k}) -> BAD(i)
SAW(i, j, k) = claim.j.k.i -> SAW(i, j, k) [] claim.k.j.i -> SAW(i, j, k)
  [] claim.j?x:diff(others(i), {j, k})!i -> «BAD(i)¦SAW(i, j, k)»
BAD(i) = bad.i -> BAD(i)
A(i) = union({bad.i}, { sign.i.j.k, sign.j.i.k, sign.j.k.i, claim.i.j.k, claim.j.i.k, claim.j.k.i | j <- ID, k <- ID })
SYSTEM = || i : ID @ [A(i)] USER(i)
SPEC = RUN({| sign, claim |})
",
    // A splitter: of all who come, at most one stops. One variable has the name of the last writer.
    "channel mark, close, open, shut, same, other, stop, right, down : ID
USER(i) = «mark.i -> (shut.i -> RIGHT(i) [] open.i -> close.i -> LAST(i))¦(shut.i -> RIGHT(i) [] open.i -> mark.i -> close.i -> LAST(i))¦mark.i -> (shut.i -> RIGHT(i) [] open.i -> LAST(i))»
LAST(i) = same.i -> stop.i -> «STOP¦RIGHT(i)» [] other.i -> down.i -> «STOP¦STOP¦USER(i)»
RIGHT(i) = right.i -> «STOP¦USER(i)»
NEW = mark?i -> X(i)
X(k) = mark?i -> X(i) [] same.k -> X(k) [] other?i:others(k) -> X(k)
OPEN = open?i -> OPEN [] close?i -> SHUT
SHUT = shut?i -> SHUT [] close?i -> SHUT
USERS = (||| i : ID @ USER(i)) [| {| mark, close, open, shut, same, other |} |] (NEW ||| OPEN)
SYSTEM = USERS \\ {| «mark, close, open, shut, same, other¦mark, close, other¦same» |}
SPEC = ONE ||| RUN({| mark, close, open, shut, same, other, right, down |})
ONE = stop?i -> STOP
",
    // Fischer's protocol: a process that has written waits longer than writing may take.
    "M = «2¦2¦3»
channel see, set, back, enter, leave : ID
channel tock
IDLE(i) = see.i -> ASKS(i, 0) [] tock -> IDLE(i)
ASKS(i, c) = set.i -> HAS(i, 0) [] c < «M - 1¦M» & tock -> ASKS(i, c + 1)
HAS(i, c) = tock -> HAS(i, if c < M then c + 1 else c)
  [] «c == M¦c >= M - 1» & enter.i -> IN(i) [] «c == M¦c >= 0» & back.i -> IDLE(i)
IN(i) = leave.i -> «IDLE(i)¦ASKS(i, 0)» [] tock -> IN(i)
FREE = see?i -> FREE [] set?i -> OF(i) [] back?i -> FREE [] leave?i -> FREE
OF(k) = set?i -> OF(i) [] enter.k -> OF(k) [] back?i:«others(k)¦ID» -> OF(k) [] leave?i -> «FREE¦OF(k)»
SYSTEM = ([| {tock} |] i : ID @ IDLE(i)) [| {| see, set, back, enter, leave |} |] FREE
SPEC = ONE ||| RUN({| see, set, back, tock |})
ONE = enter?i -> leave.i -> ONE
",
    // An identity with all permissions enters. Of any two, only one has the permission of the
    // other.
    "channel enter, leave : ID
channel take, drop : ID.ID
USER(i, s) = take.i?j:diff(others(i), s) -> USER(i, union(s, {j}))
  [] take?j:«diff(others(i), s)¦others(i)»!i -> USER(i, s)
  [] drop.i?j:s -> USER(i, diff(s, {j})) [] drop?j:others(i)!i -> USER(i, s)
  [] «s == others(i) & GO(i, s)¦not empty(s) & GO(i, s)¦([] j : s, k : diff(s, {j}) @ GO(i, s))»
GO(i, s) = enter.i -> IN(i, s)
IN(i, s) = leave.i -> USER(i, «{}¦s») «¦[] drop?j:others(i)!i -> IN(i, s)»
A(i) = union({enter.i, leave.i}, { take.i.j, take.j.i, drop.i.j, drop.j.i | j <- others(i) })
SYSTEM = || i : ID @ [A(i)] USER(i, {})
SPEC = ONE ||| RUN({| take, drop |})
ONE = enter?i -> leave.i -> ONE
",
    // Two seats have the names of those who may sit. A user who stands gives the seat to another.
    "channel enter, leave : ID
channel own, give : ID.ID
FREE = own?i?j:others(i) -> OF(i, j)
OF(i, j) = enter.i -> OF(i, j) [] enter.j -> OF(i, j) [] leave.i -> OF(i, j) [] leave.j -> OF(i, j)
  [] give.i?k:«diff(others(i), {j})¦others(i)» -> OF(j, k) [] give.j?k:diff(others(i), {j}) -> OF(i, k)
USER(i) = enter.i -> IN(i) [] give.i?j:others(i) -> USER(i) [] give?j:others(i)!i -> USER(i)
IN(i) = leave.i -> USER(i) [] give?j:others(i)!i -> IN(i) «¦[] give.i?j:others(i) -> IN(i)»
A(i) = union({enter.i, leave.i}, { give.i.j, give.j.i | j <- others(i) })
SYSTEM = (|| i : ID @ [A(i)] USER(i)) [| {| enter, leave, give |} |] FREE
SPEC = CAP(0) ||| RUN({| own, give |})
CAP(k) = k < «2¦1» & enter?i -> CAP(k + 1) [] k > 0 & leave?i -> CAP(k - 1)
",
    // An identity with juniors orders only them, and may leave one to another.
    "channel bad : ID
channel hire, order, fire : ID.ID
channel move : ID.ID.ID
FREE(i) = hire.i?j:others(i) -> BOSS(i, {j}) [] hire?j:others(i)!i -> UNDER(i, j)
BOSS(i, s) = order.i?j:s -> BOSS(i, s) [] fire.i?j:s -> BOSS(i, diff(s, {j}))
  [] hire.i?j:diff(others(i), s) -> BOSS(i, union(s, {j}))
  [] move.i?k:others(i)?j:s -> BOSS(i, «diff(s, {j})¦s») [] move?k:others(i)!i?j:others(i) -> BOSS(i, union(s, {j}))
UNDER(i, b) = order.b.i -> UNDER(i, b) [] order?k:diff(others(i), {b})!i -> BAD(i)
  [] fire.b.i -> FREE(i) [] move.b?k:others(i)!i -> «UNDER(i, k)¦UNDER(i, k)¦UNDER(i, b)»
BAD(i) = bad.i -> BAD(i)
A(i) = Union({{bad.i}, { hire.i.j, hire.j.i, order.i.j, order.j.i, fire.i.j, fire.j.i | j <- ID },
  { move.i.j.k, move.j.i.k, move.j.k.i | j <- ID, k <- ID }})
SYSTEM = || i : ID @ [A(i)] FREE(i)
SPEC = RUN({| hire, order, fire, move |})
",
    // The last writer waits. One level of waiting is enough for two, and two levels are for three.
    "channel want, last, pass, next, go, leave : ID
USER(i) = want.i -> last.i -> pass.i -> «next.i -> go.i -> leave.i -> USER(i)¦go.i -> leave.i -> USER(i)»
ONE(v, w) = want?i -> ONE(v, union(w, {i})) [] last?i -> ONE(i, w)
  [] pass?i:{ j | j <- w, j != v or w == {j} } -> ONE(v, w) [] leave?i -> ONE(v, diff(w, {i}))
ONE0(w) = want?i -> ONE0(union(w, {i})) [] last?i -> ONE(i, w)
TWO(v, w) = pass?i -> TWO(v, union(w, {i})) [] next?i -> TWO(i, w)
  [] go?i:{ j | j <- w, j != v or w == {j} } -> TWO(v, w) [] leave?i -> TWO(v, diff(w, {i}))
TWO0(w) = pass?i -> TWO0(union(w, {i})) [] next?i -> TWO(i, w) [] go?i -> TWO0(w) [] leave?i -> TWO0(diff(w, {i}))
SERVERS = ONE0({}) [| {| pass, leave |} |] TWO0({})
SYSTEM = (||| i : ID @ USER(i)) [| {| want, last, pass, next, go, leave |} |] SERVERS
SPEC = ALONE ||| RUN({| want, last, pass, next |})
ALONE = go?i -> leave.i -> ALONE
",
];

/// A club with M members, some of whom act only if it is full.
pub(crate) const CLUB: &str = "M = «4¦3¦2»
channel join, work : ID
channel has : ID.{0..M}
channel full
USER(i) = join.i -> MEMBER(i, 0)
MEMBER(i, n) = has.i?m -> MEMBER(i, m) [] n == «M¦0» & work.i -> «STOP¦USER(i)»
GATE(n) = n < M & join?i -> GATE(n + 1) «[] n == M & full -> GATE(n)¦»
SYSTEM = (||| i : ID @ USER(i)) [| {| join |} |] GATE(«0¦0¦1»)
SPEC = RUN({| join, work, has |})
";

/// Users hand keys over to each other. Views of two users show that two never use one key; so do
/// views of each key alone.
pub(crate) const HANDED_OVER: &str = "channel get, use, done : ID.KEY
channel pass : ID.ID.KEY
USER(i, s) = get.i?k -> USER(i, union(s, {k})) [] use.i?k:«s¦s¦KEY» -> done.i.k -> USER(i, s)
  [] pass.i?j:others(i)?k:s -> USER(i, «diff(s, {k})¦diff(s, {k})¦s») [] pass?j:others(i)!i?k -> USER(i, «union(s, {k})¦{k}»)
GIVER(k) = get?i!k -> «STOP¦STOP¦GIVER(k)»
A(i) = union({| get.i, use.i, done.i |}, { pass.i.j.k, pass.j.i.k | j <- others(i), k <- KEY })
SYSTEM = (|| i : ID @ [A(i)] USER(i, {})) [| {| get |} |] (||| k : KEY @ GIVER(k))
SPEC = ||| k : KEY @ ONE(k)
ONE(k) = use?i!k -> done.i.k -> ONE(k)
assert SPEC [T= SYSTEM \\ {| get, pass |}
";

impl Random {
    /// A template with a text at each of its places.
    pub(crate) fn filled(&mut self, template: &str) -> String {
        let mut parts = template.split('«');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (choices, rest) = part.split_once('»').expect("the place ends");
            let choices: Vec<&str> = choices.split('¦').collect();
            text += match self.below(3) {
                0 => self.one(&choices),
                _ => choices[0],
            };
            text += rest;
        }
        text
    }
}
