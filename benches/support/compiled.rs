//! Shipped scripts at other sizes, and both sides of the first assertion of a script.

use base::cancel::Cancellation;
use eval::Evaluator;
use lts::explore::LeafLimits;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::{CompileOptions, Machine, compile};

use crate::script;

/// The text of a shipped script with definitions replaced by others.
pub(crate) fn text(file: &str, definitions: &[(&str, &str)]) -> String {
    let text = std::fs::read_to_string(file).expect("it is readable");
    definitions.iter().fold(text, |text, (old, new)| {
        let replaced = text.replace(&format!("\n{old}\n"), &format!("\n{new}\n"));
        assert_ne!(text, replaced, "no {old}");
        replaced
    })
}

/// Specification and implementation of the first trace refinement that is asserted.
pub(crate) fn compiled(file: &str, text: &str) -> (NormalForm, Machine) {
    let script = script::load(file, text);
    let (specification, implementation) = script::refinements(&script)[0];
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let options = CompileOptions::new(LeafLimits::default());
    let mut machine = |side| {
        let term = evaluator.process_of(side).expect("it is a process");
        compile(&mut evaluator, term, &options).expect("it is finite")
    };
    let specification =
        explicit(&machine(specification), 1000, Cancellation::never()).expect("it is small");
    let normal_form = NormalForm::of(&specification, Model::Traces, 1000, Cancellation::never())
        .expect("it is small");
    (normal_form, machine(implementation))
}
