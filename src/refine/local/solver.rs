//! The search for a solution of a formula, by a solver from outside. What it derives is kept.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

use super::formula::{CandidateFormula, Literal};
use base::cancel::Cancellation;

/// The result of the solver.
pub(super) enum Solved {
    /// There is no solution: unit propagation finds a contradiction in the clauses of the formula
    /// and these, each of which follows from those before it by unit propagation.
    Refuted(Vec<Vec<Literal>>),
    /// There is a solution.
    Solution,
    /// The budget has not sufficed.
    Stopped,
}

/// Looks for a solution of `formula` until clauses of `most` literals were derived.
pub(super) fn solve(formula: &CandidateFormula, most: u64, token: &Cancellation) -> Solved {
    let notes = Notes {
        derived: Vec::new(),
        literals: 0,
        most,
        token: token.clone(),
    };
    let mut solver = Solver::new(SolverOpts::default(), notes);
    let variables: Vec<_> = (0..formula.variables())
        .map(|_| solver.new_var_default())
        .collect();
    for clause in formula.clauses() {
        if token.reason().is_some() {
            return Solved::Stopped;
        }
        let of = |&literal: &Literal| {
            let variable = variables[literal.unsigned_abs() as usize - 1];
            Lit::new(variable, literal > 0)
        };
        if !solver.add_clause_reuse(&mut clause.iter().map(of).collect()) {
            return Solved::Refuted(Vec::new());
        }
    }
    let answer = solver.solve_limited(&[]);
    if answer == lbool::FALSE {
        Solved::Refuted(std::mem::take(&mut solver.cb_mut().derived))
    } else if answer == lbool::TRUE {
        Solved::Solution
    } else {
        Solved::Stopped
    }
}

/// The clauses that the solver has derived, and when it is to stop.
struct Notes {
    derived: Vec<Vec<Literal>>,
    /// The number of literals of these clauses.
    literals: u64,
    most: u64,
    token: Cancellation,
}

impl Callbacks for Notes {
    fn on_new_clause(&mut self, clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Axiom {
            return;
        }
        let of = |literal: &Lit| {
            let number = literal.var().idx() as Literal + 1;
            if literal.sign() { number } else { -number }
        };
        self.literals += clause.len() as u64;
        self.derived.push(clause.iter().map(of).collect());
    }

    fn stop(&self) -> bool {
        self.literals > self.most || self.token.reason().is_some()
    }
}
