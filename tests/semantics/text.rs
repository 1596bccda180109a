//! Writes processes of the oracle as CSPm, with every operand in parentheses.

use crate::oracle::{Event, Full, P, Set};

/// `process` as an expression over the channels `a`, `b`, `c`, `d` and the definitions `D0`, `D1`.
pub(crate) fn text(process: &P) -> String {
    format!("({})", bare(process))
}

/// `events` as a set.
pub(crate) fn set(events: &Set) -> String {
    let names: Vec<&str> = events.iter().map(|&e| name(e)).collect();
    format!("{{{}}}", names.join(", "))
}

fn bare(process: &P) -> String {
    let two = |p: &P, operator: String, q: &P| format!("{} {operator} {}", text(p), text(q));
    match process {
        P::Stop => "STOP".to_string(),
        P::Skip => "SKIP".to_string(),
        P::Div => "DIV".to_string(),
        P::Run(s) => format!("RUN({})", set(s)),
        P::Chaos(s) => format!("CHAOS({})", set(s)),
        P::Prefix(branches) => {
            let branch = |(e, p): &(Event, P)| format!("{} -> {}", name(*e), text(p));
            branches.iter().map(branch).collect::<Vec<_>>().join(" [] ")
        }
        P::External(ps) => all(ps, "[]", "STOP"),
        P::Internal(ps) => all(ps, "|~|", "STOP"),
        P::Seq(ps) => all(ps, ";", "SKIP"),
        P::Interrupt(p, q) => two(p, r"/\".to_string(), q),
        P::Sliding(p, q) => two(p, "[>".to_string(), q),
        P::Exception(p, s, q) => two(p, format!("[| {} |>", set(s)), q),
        P::SyncChoice(s, ps) => all(ps, &format!("[+ {} +]", set(s)), "STOP"),
        P::SyncInterrupt(p, s, q) => two(p, format!(r"/+ {} +\", set(s)), q),
        P::Parallel(s, ps) => all(ps, &format!("[| {} |]", set(s)), "SKIP"),
        P::Alphabetised(ps) => alphabetised(ps),
        P::Linked(p, ties, q) => two(p, format!("[{}]", pairs(ties, "<->")), q),
        P::Hide(p, s) => format!(r"{} \ {}", text(p), set(s)),
        P::Project(p, s) => format!(r"{} |\ {}", text(p), set(s)),
        P::Rename(p, renaming) if renaming.is_empty() => text(p),
        P::Rename(p, renaming) => format!("{}[[{}]]", text(p), pairs(renaming, "<-")),
        P::Buffer(size, ports, full) => buffer(*size, ports, *full),
        P::Call(i) => format!("D{i}"),
    }
}

fn name(event: Event) -> &'static str {
    ["a", "b", "c", "d"][event as usize - 2]
}

fn pairs(pairs: &[(Event, Event)], arrow: &str) -> String {
    let pair = |&(left, right): &(Event, Event)| format!("{} {arrow} {}", name(left), name(right));
    pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
}

/// The operands from left to right, or `nothing`. Not all operators associate in CSPm.
fn all(ps: &[P], operator: &str, nothing: &str) -> String {
    let joined = |left: String, right: String| format!("({left} {operator} {right})");
    ps.iter()
        .map(text)
        .reduce(joined)
        .unwrap_or_else(|| nothing.to_string())
}

fn alphabetised(ps: &[(Set, P)]) -> String {
    let Some(((alphabet, first), others)) = ps.split_first() else {
        return "SKIP".to_string();
    };
    let alone = format!("(|| i : {{0}} @ [{}] {})", set(alphabet), text(first));
    let join = |(x, left): (Set, String), (y, q): &(Set, P)| {
        (
            &x | y,
            format!("({left} [{} || {}] {})", set(&x), set(y), text(q)),
        )
    };
    others.iter().fold((alphabet.clone(), alone), join).1
}

fn buffer(size: usize, ports: &[(Event, Event)], full: Full) -> String {
    let port = |&(input, output): &(Event, Event)| format!("({}, {})", name(input), name(output));
    let ports = ports.iter().map(port).collect::<Vec<_>>().join(", ");
    match full {
        Full::Refuse => format!("BUFFER({size}, {{{ports}}})"),
        Full::Signal(e) => format!("WEAK_BUFFER({size}, {}, {{{ports}}})", name(e)),
        Full::Status(e, f) => {
            format!(
                "SIGNAL_BUFFER({size}, {}, {}, {{{ports}}})",
                name(e),
                name(f)
            )
        }
    }
}
