//! The speed of an intruder who infers all that she can, in states per second: `chase` followed on
//! the machine, and listed as a leaf by the rules of terms.

#[path = "support/script.rs"]
mod script;

use std::time::Instant;

use base::cancel::Cancellation;
use eval::Evaluator;
use lts::explore::LeafLimits;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};

const FILE: &str = "cspm/needham-schroeder/needham-schroeder.csp";

/// The states of the shipped model with `runs` runs, and the seconds for compiling it and for
/// listing the machine. A leaf is listed while it is compiled.
fn listed(runs: usize, chases_are_leaves: bool) -> (u64, f64, f64) {
    let text = std::fs::read_to_string(FILE).expect("it is readable");
    let text = text.replace("\nRUNS = 1 ", &format!("\nRUNS = {runs} "));
    let script = script::load(FILE, &text);
    let (_, implementation) = script::refinements(&script)[0];
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let options = CompileOptions {
        chases_are_leaves,
        ..CompileOptions::unminimised(LeafLimits::default())
    };
    let term = evaluator
        .process_of(implementation)
        .expect("it is a process");
    let started = Instant::now();
    let machine = compile(&mut evaluator, term, &options).expect("it is finite");
    let compiling = started.elapsed().as_secs_f64();
    let states = explicit(&machine, 10_000_000, Cancellation::never()).expect("it is small");
    let listing = started.elapsed().as_secs_f64() - compiling;
    (states.state_count() as u64, compiling, listing)
}

fn main() {
    for runs in [2, 3] {
        let (states, compiling, listing) = listed(runs, true);
        // Without the leaf compiling takes about as long as it does for the machine.
        let (_, others, _) = listed(runs, false);
        let seconds = (compiling - others).max(0.0) + listing;
        print_rate(&format!("{runs} runs, as a leaf"), states, seconds);
    }
    for runs in [2, 3, 4, 5] {
        let (states, _, listing) = listed(runs, false);
        print_rate(&format!("{runs} runs, on the machine"), states, listing);
    }
}

#[allow(clippy::print_stdout, reason = "that is what a bench is for")]
fn print_rate(what: &str, states: u64, seconds: f64) {
    let rate = states as f64 / seconds;
    println!("{what}: {states} states in {seconds:.3} s, {rate:.0} a second");
}
