//! Checks a refutation: each clause that was derived, by unit propagation alone.

use super::formula::{CandidateFormula, Literal};
use base::cancel::Cancellation;
use base::diag::Result;

/// True if `formula` has no solution because each of the clauses `derived` follows from those
/// before it: with all its literals false, unit propagation finds a contradiction. At the end it
/// finds one without any.
///
/// Costs the time of the solver, or more: all clauses are kept.
pub(super) fn refutes(
    formula: &CandidateFormula,
    derived: &[Vec<Literal>],
    token: &Cancellation,
) -> Result<bool> {
    let mut propagation = Propagation::new(formula.variables());
    for clause in formula.clauses() {
        token.look(clause.len())?;
        propagation.add(clause);
    }
    for clause in derived {
        if propagation.propagate(token)? {
            return Ok(true);
        }
        let certain = propagation.trail.len();
        clause
            .iter()
            .for_each(|&literal| propagation.assume(-literal));
        let contradicts = propagation.propagate(token)?;
        propagation.undo(certain);
        if !contradicts {
            return Ok(false);
        }
        propagation.add(clause);
    }
    propagation.propagate(token)
}

/// Clauses, each of which is looked at when one of its two watched literals becomes false.
struct Propagation {
    clauses: Vec<Vec<Literal>>,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// For each literal, true if it is true.
    are_true: Vec<bool>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Literal>,
    /// The number of literals of the trail whose watching clauses were looked at.
    looked_at: usize,
    /// True if a literal and its negation were to be true.
    is_contradicted: bool,
    /// True if there is a contradiction without any assumption.
    is_refuted: bool,
}

impl Propagation {
    fn new(variables: usize) -> Self {
        Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            are_true: vec![false; 2 * variables],
            trail: Vec::new(),
            looked_at: 0,
            is_contradicted: false,
            is_refuted: false,
        }
    }

    /// Adds a clause, while nothing is assumed.
    fn add(&mut self, clause: &[Literal]) {
        let mut clause: Vec<Literal> = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        // Literals that are not false come first, to be watched.
        clause.sort_by_key(|&literal| self.is_true(-literal));
        let open = clause.iter().filter(|&&literal| !self.is_true(-literal));
        match open.count() {
            0 => self.is_refuted = true,
            1 => self.assume(clause[0]),
            _ => {}
        }
        if clause.len() > 1 {
            let number = self.clauses.len() as u32;
            for &literal in &clause[..2] {
                self.watches[place(literal)].push(number);
            }
            self.clauses.push(clause);
        }
    }

    /// Makes `literal` true.
    fn assume(&mut self, literal: Literal) {
        if self.is_true(-literal) {
            self.is_contradicted = true;
        } else if !self.is_true(literal) {
            self.are_true[place(literal)] = true;
            self.trail.push(literal);
        }
    }

    /// Makes true what follows. Returns true if there is a contradiction.
    fn propagate(&mut self, token: &Cancellation) -> Result<bool> {
        while !self.is_contradicted && !self.is_refuted && self.looked_at < self.trail.len() {
            let wrong = -self.trail[self.looked_at];
            self.looked_at += 1;
            let watching = std::mem::take(&mut self.watches[place(wrong)]);
            token.look(1 + watching.len())?;
            let kept = watching
                .into_iter()
                .filter(|&number| self.still_watches(number, wrong));
            let kept: Vec<u32> = kept.collect();
            self.watches[place(wrong)].extend(kept);
        }
        Ok(self.is_contradicted || self.is_refuted)
    }

    /// Looks at clause `number`, one of whose watched literals is now `wrong`. Returns true if the
    /// clause has to watch it all the same.
    fn still_watches(&mut self, number: u32, wrong: Literal) -> bool {
        let mut clause = std::mem::take(&mut self.clauses[number as usize]);
        let other = clause[usize::from(clause[0] == wrong)];
        clause[0] = other;
        clause[1] = wrong;
        let mut still = true;
        if !self.is_true(other) {
            let next = (2..clause.len()).find(|&at| !self.is_true(-clause[at]));
            match next {
                Some(at) => {
                    clause.swap(1, at);
                    self.watches[place(clause[1])].push(number);
                    still = false;
                }
                None => self.assume(other),
            }
        }
        self.clauses[number as usize] = clause;
        still
    }

    /// Takes back all but the first `certain` literals.
    fn undo(&mut self, certain: usize) {
        for literal in self.trail.drain(certain..) {
            self.are_true[place(literal)] = false;
        }
        self.looked_at = certain;
        self.is_contradicted = false;
    }

    fn is_true(&self, literal: Literal) -> bool {
        self.are_true[place(literal)]
    }
}

/// The place of a literal in tables of all literals.
fn place(literal: Literal) -> usize {
    2 * (literal.unsigned_abs() as usize - 1) + usize::from(literal < 0)
}
