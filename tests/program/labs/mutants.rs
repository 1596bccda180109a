//! Mutants: the key of each lab with one small change. A mutant that passes its task has to mean
//! what the key means, or to be in the list of other right answers, `tests/labs/mutants.txt`.
//!
//! A deep run tries all of them; each other run tries a fixed sample.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use syntax::ast::{
    Ast, BinaryOp, Declaration, Expr, ExprId, Field, Items, ProcessOp, ReplicatedOp,
};
use syntax::children::{Child, children, descendants};
use syntax::lexemes::{LexemeKind, lexemes};
use syntax::parser::{NoIncludes, parse_script};

use base::source::SourceMap;

use super::{LABS, PATIENT, file, folder, lab};
use crate::harness::{cspsym, in_parallel, root};
use testkit::depth::cases;

/// The answers to each task: processes and values whose meaning decides if two scripts are the same
/// answer. Processes that only specify traces are compared by their traces.
const ANSWERS: [(&str, u64, &[&str], &[&str]); 30] = [
    ("refinement", 1, &["VM"], &[]),
    ("refinement", 2, &[], &["BOUGHT"]),
    ("refinement", 3, &["CUSTOMER"], &[]),
    ("refinement", 4, &["LAZY"], &[]),
    ("refinement", 6, &["BUYER"], &[]),
    ("refinement", 7, &["KIOSK"], &[]),
    ("refinement", 8, &[], &["HIDDEN"]),
    ("refinement", 9, &["NOISY"], &[]),
    ("hanoi", 1, &[], &["SOLUTION"]),
    ("hanoi", 2, &["STACK(A, <1, 2, 3>)", "STACK(B, <>)"], &[]),
    ("hanoi", 3, &[], &["STUCK"]),
    ("hanoi", 4, &[], &["ILLEGAL"]),
    (
        "hanoi",
        5,
        &[],
        &["states(2, 3)", "states(5, 2)", "states(4, 0)"],
    ),
    ("hanoi", 6, &["NEVER_COMPLETE(B)", "NEVER_COMPLETE(C)"], &[]),
    (
        "hanoi",
        7,
        &["LARGEST_STAYS"],
        &["first_move(1)", "first_move(4)"],
    ),
    (
        "hanoi",
        8,
        &[],
        &["order_run", "order_unsolved", "order_fixed"],
    ),
    (
        "hanoi",
        9,
        &[],
        &["heaps(3, 2)", "heaps(5, 3)", "heaps(1, 4)", "heaps(6, 2)"],
    ),
    ("hanoi", 10, &["NO_2_ON_C"], &[]),
    ("hanoi", 11, &["CLOCKWISE"], &[]),
    ("dijkstra", 1, &[], &["FIRST"]),
    (
        "dijkstra",
        2,
        &[],
        &["leaves(1)", "leaves(5)", "k_states(1)", "k_states(4)"],
    ),
    ("dijkstra", 3, &["SpecME"], &[]),
    ("dijkstra", 4, &["EARLY(P1)"], &["DEPARTS"]),
    ("dijkstra", 5, &["HASTY(P1)"], &[]),
    ("dijkstra", 6, &[], &["SAFE"]),
    ("dijkstra", 7, &[], &["PROGRESS"]),
    ("dijkstra", 8, &[], &["BEFORE", "LOOP", "MOVERS"]),
    (
        "dijkstra",
        9,
        &["FAIR(0)", "FAIR(1)", "FAIR(2)", "FAIR(3)"],
        &[],
    ),
    (
        "dijkstra",
        10,
        &[],
        &[
            "order_p1_first",
            "order_p1_first_fixed",
            "order_lowest_2",
            "order_lowest_3",
        ],
    ),
    ("dijkstra", 11, &["FLAGS(P1)"], &[]),
];

/// The tasks whose answers are specifications in traces.
const SPECIFICATIONS: [(&str, u64); 4] =
    [("hanoi", 6), ("hanoi", 7), ("dijkstra", 3), ("dijkstra", 9)];

/// A change of a key: what is replaced, and by what.
struct Edit {
    start: usize,
    end: usize,
    new: String,
}

/// A key with one change, which is in the part of one task.
struct Mutant {
    lab: &'static str,
    task: u64,
    /// The change, as one line.
    what: String,
    edit: Edit,
}

/// The first and last byte of the part of `task` in the text of a key.
fn part(key: &str, task: u64) -> (usize, usize) {
    let start = key
        .find(&format!("-- Task {task} "))
        .expect("each task has a part");
    let end = key[start..].find(&format!("-- Task {} ", task + 1));
    (start, end.map_or(key.len(), |end| start + end))
}

/// All mutants of a lab's key, in the order of its text.
fn mutants(lab: &'static str) -> Vec<Mutant> {
    let key = file(lab, "key/solution.csp");
    let mut sources = SourceMap::new();
    let root = sources.add("key", key.as_str());
    let (ast, _) = parse_script(&mut sources, root, &mut NoIncludes);
    let mut found = Vec::new();
    for (_, task, ..) in ANSWERS.iter().filter(|(name, ..)| *name == lab) {
        let (start, end) = part(&key, *task);
        let inside = ast.top_level().into_iter().filter(|id| {
            let span = ast.declarations[*id].span.range();
            span.start >= start && span.end <= end
        });
        let mut maker = Maker {
            ast: &ast,
            key: &key,
            events: BTreeSet::new(),
            edits: Vec::new(),
        };
        let inside: Vec<Child> = inside.map(Child::Declaration).collect();
        maker.note_events(&inside);
        for declaration in inside {
            maker.node(declaration, false);
        }
        let mut edits = maker.edits;
        edits.sort_by_key(|edit| (edit.start, edit.end));
        found.extend(edits.into_iter().map(|edit| Mutant {
            lab,
            task: *task,
            what: described(&key, &edit),
            edit,
        }));
    }
    found
}

/// The change in one line: the lines that it is in, before and after it.
fn described(key: &str, edit: &Edit) -> String {
    let from = key[..edit.start].rfind('\n').map_or(0, |at| at + 1);
    let behind = &key[edit.end..];
    let to = edit.end + behind.find('\n').unwrap_or(behind.len());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = (&key[from..edit.start], &key[edit.end..to]);
    format!(
        "{} => {}",
        words(&key[from..to]),
        words(&format!("{before}{}{after}", edit.new))
    )
}

/// Makes the changes of a part of a key.
struct Maker<'m> {
    ast: &'m Ast,
    key: &'m str,
    /// The events that stand before an arrow in this part.
    events: BTreeSet<String>,
    edits: Vec<Edit>,
}

impl Maker<'_> {
    fn note_events(&mut self, roots: &[Child]) {
        for child in roots.iter().flat_map(|root| descendants(self.ast, *root)) {
            if let Child::Expression(id) = child
                && let Expr::Prefix(event, fields, _) = self.ast.expr(id)
                && fields.is_empty()
            {
                self.events.insert(self.text(*event).to_string());
            }
        }
    }

    fn text(&self, id: ExprId) -> &str {
        &self.key[self.ast.expressions[id].span.range()]
    }

    fn range(&self, id: ExprId) -> (usize, usize) {
        let range = self.ast.expressions[id].span.range();
        (range.start, range.end)
    }

    fn replace(&mut self, id: ExprId, new: String) {
        let (start, end) = self.range(id);
        self.edits.push(Edit { start, end, new });
    }

    /// Replaces the first `old` between two operands.
    fn replace_between(&mut self, left: ExprId, right: ExprId, old: &str, new: &str) {
        let (from, to) = (self.range(left).1, self.range(right).0);
        if let Some(at) = self.key[from..to].find(old) {
            let start = from + at;
            let (end, new) = (start + old.len(), new.to_string());
            self.edits.push(Edit { start, end, new });
        }
    }

    /// The changes in `node`; `is_process` if it stands where a process has to.
    fn node(&mut self, node: Child, is_process: bool) {
        let mut inner = Vec::new();
        children(self.ast, node, &mut inner);
        let Child::Expression(id) = node else {
            for child in inner {
                self.node(child, false);
            }
            return;
        };
        let expr = self.ast.expr(id).clone();
        let processes = processes_in(&expr, is_process);
        let is_process = is_process || is_process_form(&expr);
        if is_process && !matches!(expr, Expr::Let(..) | Expr::If(..) | Expr::Parenthesised(_)) {
            self.replace(id, format!("({} |~| STOP)", self.text(id)));
        }
        self.of_process(id, &expr);
        self.of_value(id, &expr);
        for child in inner {
            let is_process = matches!(child, Child::Expression(id) if processes.contains(&id));
            self.node(child, is_process);
        }
    }

    /// Changes of events, branches and operators.
    fn of_process(&mut self, id: ExprId, expr: &Expr) {
        match expr {
            Expr::Prefix(event, fields, then) => {
                self.replace(*then, "STOP".to_string());
                let binds = |field: &Field| !matches!(field, Field::Output(_));
                if !fields.iter().any(binds) {
                    self.replace(id, format!("({})", self.text(*then)));
                }
                if fields.is_empty() {
                    for other in self.events.clone() {
                        if other != self.text(*event) {
                            self.replace(*event, other);
                        }
                    }
                }
            }
            Expr::Process(op, left, right) => {
                match op {
                    ProcessOp::ExternalChoice => self.replace_between(*left, *right, "[]", "|~|"),
                    ProcessOp::InternalChoice => self.replace_between(*left, *right, "|~|", "[]"),
                    _ => {}
                }
                for side in [left, right] {
                    self.replace(id, format!("({})", self.text(*side)));
                }
            }
            Expr::Replicated(ReplicatedOp::ExternalChoice, ..) => {
                let new = self.text(id).replacen("[]", "|~|", 1);
                self.replace(id, new);
            }
            Expr::Guard(guard, then) => {
                self.replace(id, format!("({})", self.text(*then)));
                self.replace(*guard, format!("(not ({}))", self.text(*guard)));
            }
            Expr::If(_, yes, no) => {
                let (yes, no) = (self.text(*yes).to_string(), self.text(*no).to_string());
                self.replace(id, format!("({yes})"));
                self.replace(id, format!("({no})"));
            }
            Expr::Hide(process, _) => self.replace(id, format!("({})", self.text(*process))),
            _ => {}
        }
    }

    /// Changes of numbers, conditions, sequences and sets.
    fn of_value(&mut self, id: ExprId, expr: &Expr) {
        match expr {
            Expr::Int(number) => {
                self.replace(id, (number + 1).to_string());
                if *number > 0 {
                    self.replace(id, (number - 1).to_string());
                }
            }
            Expr::Bool(value) => self.replace(id, (!value).to_string()),
            Expr::Binary(op, left, right) => {
                if let Some((old, new)) = other_operator(*op) {
                    self.replace_between(*left, *right, old, new);
                }
            }
            Expr::Apply(function, arguments) => {
                for (old, new) in [("union", "diff"), ("diff", "union"), ("head", "last")] {
                    if self.text(*function) == old {
                        self.replace(*function, new.to_string());
                    }
                }
                if let [first, second] = arguments[..] {
                    let new = format!("{}, {}", self.text(second), self.text(first));
                    let (start, end) = (self.range(first).0, self.range(second).1);
                    self.edits.push(Edit { start, end, new });
                }
            }
            Expr::Sequence(all) | Expr::Set(all) if all.statements.is_empty() => {
                let Items::List(items) = &all.items else {
                    return;
                };
                let is_sequence = matches!(expr, Expr::Sequence(_));
                let texts: Vec<String> = items.iter().map(|id| self.text(*id).into()).collect();
                for changed in changed_items(&texts, is_sequence) {
                    let all = changed.join(", ");
                    let new = if is_sequence {
                        format!("<{all}>")
                    } else {
                        format!("{{{all}}}")
                    };
                    self.replace(id, new);
                }
            }
            _ => {}
        }
    }
}

/// The items without one of them, and in a sequence also with two of them exchanged, with one of
/// them twice, and with one in place of the next.
fn changed_items(items: &[String], is_sequence: bool) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for index in 0..items.len() {
        let mut less = items.to_vec();
        less.remove(index);
        found.push(less);
        if !is_sequence {
            continue;
        }
        let mut more = items.to_vec();
        more.insert(index, items[index].clone());
        found.push(more);
        if index + 1 < items.len() {
            let (mut swapped, mut repeated) = (items.to_vec(), items.to_vec());
            swapped.swap(index, index + 1);
            repeated[index + 1].clone_from(&items[index]);
            found.extend([swapped, repeated]);
        }
    }
    found.retain(|changed| changed != items);
    found
}

/// The sign of an operator, and of one that could be mistaken for it.
fn other_operator(op: BinaryOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinaryOp::Add => ("+", "-"),
        BinaryOp::Subtract => ("-", "+"),
        BinaryOp::Multiply => ("*", "+"),
        BinaryOp::Equal => ("==", "!="),
        BinaryOp::NotEqual => ("!=", "=="),
        BinaryOp::Less => ("<", "<="),
        BinaryOp::LessEqual => ("<=", "<"),
        BinaryOp::Greater => (">", ">="),
        BinaryOp::GreaterEqual => (">=", ">"),
        BinaryOp::And => ("and", "or"),
        BinaryOp::Or => ("or", "and"),
        BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::Concat => return None,
    })
}

/// True if an expression of this form is always a process.
fn is_process_form(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Prefix(..)
            | Expr::Guard(..)
            | Expr::Process(..)
            | Expr::Over(..)
            | Expr::Hide(..)
            | Expr::Replicated(..)
    )
}

/// The direct operands of `expr` that are processes, if `expr` `is_process`.
fn processes_in(expr: &Expr, is_process: bool) -> Vec<ExprId> {
    match expr {
        Expr::Prefix(_, _, then) | Expr::Guard(_, then) | Expr::Hide(then, _) => vec![*then],
        Expr::Process(_, left, right) | Expr::Over(_, left, _, right) => vec![*left, *right],
        Expr::Replicated(_, _, body) => vec![*body],
        Expr::If(_, yes, no) if is_process => vec![*yes, *no],
        Expr::Let(_, within) | Expr::Parenthesised(within) if is_process => vec![*within],
        _ => Vec::new(),
    }
}

/// The key with the change in it.
fn changed(mutant: &Mutant) -> String {
    let key = file(mutant.lab, "key/solution.csp");
    let Edit { start, end, new } = &mutant.edit;
    format!("{}{new}{}", &key[..*start], &key[*end..])
}

/// True if the mutant passes its task. It is written to `path`.
fn passes(mutant: &Mutant, path: &Path) -> bool {
    fs::write(path, changed(mutant)).expect("a script can be written");
    let (task, path) = (mutant.task.to_string(), path.to_string_lossy());
    let words = [
        "check", &task, "--in", &path, "--format", "json", PATIENT, "20",
    ];
    let outcome = lab(&words);
    let report: Value = serde_json::from_str(&outcome.out).unwrap_or_default();
    report["outcome"] == "passed"
}

/// True if the changed part means what the part of the key means.
fn is_equivalent(mutant: &Mutant) -> bool {
    let key = file(mutant.lab, "key/solution.csp");
    let (start, _) = part(&key, mutant.task);
    let text = changed(mutant);
    let own = &text[start..part(&text, mutant.task).1];
    let names = defined(own);
    let renamed = renamed(own, &names);
    let given = file(mutant.lab, "given.csp");
    let key = key.replace("include \"../given.csp\"", "");
    let answers = ANSWERS
        .iter()
        .find(|(lab, task, ..)| (*lab, *task) == (mutant.lab, mutant.task));
    let (_, _, processes, values) = answers.expect("each task has answers");
    let mut script = format!("{given}\n{key}\n{renamed}\n");
    let model = match SPECIFICATIONS.contains(&(mutant.lab, mutant.task)) {
        true => "T",
        false => "FD",
    };
    for answer in *processes {
        let other = self::renamed(answer, &names);
        script +=
            &format!("assert {answer} [{model}= {other}\nassert {other} [{model}= {answer}\n");
    }
    for answer in *values {
        let other = self::renamed(answer, &names);
        script += &format!("assert STOP [T= if {answer} == {other} then STOP else SKIP\n");
    }
    let words = ["check", "-", "--format", "json", "--reduce", "off"];
    let outcome = cspsym(&words.map(str::to_string), script.as_bytes());
    let verdicts: Vec<Value> = outcome
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(!verdicts.is_empty(), "{}\n{}", outcome.err, mutant.what);
    verdicts.iter().all(|report| report["verdict"] == "pass")
}

/// The names that a part of a script defines at its top level.
fn defined(text: &str) -> BTreeSet<String> {
    let mut sources = SourceMap::new();
    let root = sources.add("part", text);
    let (ast, _) = parse_script(&mut sources, root, &mut NoIncludes);
    let names = ast
        .top_level()
        .into_iter()
        .filter_map(|id| match ast.declaration(id) {
            Declaration::Function(name, _) => Some(ast.name(name.symbol).to_string()),
            Declaration::Pattern(pattern, _) => {
                Some(sources.text(ast.patterns[*pattern].span).to_string())
            }
            _ => None,
        });
    names.collect()
}

/// `text` with a longer form of each of `names`.
fn renamed(text: &str, names: &BTreeSet<String>) -> String {
    let mut written = String::new();
    let mut behind = 0;
    for lexeme in lexemes(text) {
        let word = &text[lexeme.range.clone()];
        if lexeme.kind == LexemeKind::Name && names.contains(word) {
            written += &text[behind..lexeme.range.end];
            written += "_changed";
            behind = lexeme.range.end;
        }
    }
    written + &text[behind..]
}

/// The mutants that are known to be right answers, each with the reason, by lab and task.
fn known() -> BTreeMap<String, String> {
    let path = root().join("tests/labs/mutants.txt");
    let text = fs::read_to_string(path).expect("there is a list");
    let mut known = BTreeMap::new();
    let mut reason = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match line.strip_prefix("# ") {
            Some(said) => reason = said.to_string(),
            None => {
                known.insert(line.to_string(), reason.clone());
            }
        }
    }
    known
}

#[test]
fn every_small_change_of_a_key_fails_or_is_a_right_answer() {
    let all: Vec<Mutant> = LABS.into_iter().flat_map(mutants).collect();
    let every = cases(61, 1);
    let chosen: Vec<(usize, &Mutant)> = all.iter().enumerate().step_by(every).collect();
    let known = known();
    assert!(
        known.values().all(|reason| !reason.is_empty()),
        "each has its reason"
    );
    let folder = folder("mutants");
    let met = in_parallel(&chosen, |(index, mutant)| {
        let path = folder.join(format!("{index}.csp"));
        let is_other = passes(mutant, &path) && !is_equivalent(mutant);
        is_other.then(|| format!("{} {}: {}", mutant.lab, mutant.task, mutant.what))
    });
    let met: Vec<String> = met.into_iter().flatten().collect();
    let unknown: Vec<&String> = met
        .iter()
        .filter(|line| !known.contains_key(*line))
        .collect();
    assert!(unknown.is_empty(), "these pass:\n{unknown:#?}");
    let lines: BTreeSet<&String> = met.iter().collect();
    let stale: Vec<&String> = known.keys().filter(|line| !lines.contains(line)).collect();
    assert!(
        every > 1 || stale.is_empty(),
        "these do not pass any more:\n{stale:#?}"
    );
}
