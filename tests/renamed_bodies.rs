//! In the shipped scripts, what a call does by renaming what another one does is what evaluating it gives.

#[allow(dead_code, reason = "only the names of scripts are of use here")]
mod harness;
#[allow(dead_code, reason = "what scripts assert is of no use here")]
#[path = "../benches/support/script.rs"]
mod script;

use cspsym::cancel::Cancellation;
use cspsym::eval::{Evaluator, ResolvedScript, Value};
use cspsym::process::recursion::CallGraph;
use cspsym::syntax::ast::{Declaration, ExprId};

use harness::scripts;

/// No more calls are unfolded from one process.
const MOST_CALLS: usize = 1000;

/// What the script's processes without parameters are defined to be.
fn processes(script: &ResolvedScript) -> Vec<ExprId> {
    let definitions = script.ast.script.iter();
    let definitions = definitions.filter(|id| script.resolved.processes.contains(id));
    let bodies = definitions.filter_map(|&id| match script.ast.declaration(id) {
        Declaration::Pattern(_, body) => Some(*body),
        _ => None,
    });
    bodies.collect()
}

#[test]
fn renamed_bodies_are_those_that_are_evaluated() {
    let mut with_renamed = 0;
    for folder in ["cspm", "benches"] {
        for file in scripts(folder) {
            let text = std::fs::read_to_string(&file).expect("it is readable");
            let script = script::load(&file, &text);
            let mut evaluator = Evaluator::new(&script, Cancellation::new());
            evaluator.check_renamed();
            for process in processes(&script) {
                if let Ok(Value::Process(term)) = evaluator.value_of(process) {
                    CallGraph::of(&mut evaluator, term, MOST_CALLS).expect("nothing stops it");
                }
            }
            let wrong = evaluator.wrongly_renamed();
            assert!(wrong.is_empty(), "{file}: {wrong:?}");
            with_renamed += usize::from(evaluator.renamed_bodies() > 0);
        }
    }
    assert!(with_renamed > 20, "only in {with_renamed} scripts");
}
