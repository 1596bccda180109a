//! The values of `print` declarations, which share what they evaluate.

use std::sync::Arc;

use crate::eval::Evaluator;
use crate::process::work::{Listener, Phase};

use super::error::Error;
use super::options::Options;
use super::script::Script;
use super::task::Task;

/// Evaluates `print` declarations of a script: what one has evaluated, such as a constant, the next need not.
#[derive(Debug)]
pub struct Printing<'s> {
    script: &'s Script,
    options: &'s Options,
    /// What the declarations so far have left.
    evaluator: Option<Evaluator<'s>>,
}

impl<'s> Printing<'s> {
    /// Nothing is evaluated yet.
    pub(super) fn new(script: &'s Script, options: &'s Options) -> Self {
        Self {
            script,
            options,
            evaluator: None,
        }
    }

    /// The value of the declaration at `index`, in the order of [`Script::prints`], as CSPm.
    pub fn value(&mut self, index: usize, task: &Task) -> Result<String, Error> {
        let (id, expression) = self.script.prints[index];
        let mistake = self.script.unless_mistaken(id);
        mistake.map_err(|problem| self.script.error(*problem))?;
        let mut evaluator = match self.evaluator.take() {
            Some(evaluator) => {
                task.enter(Phase::Evaluation, "");
                evaluator.under(task.counted(), Arc::new(task.clone()))
            }
            None => self.script.evaluator(self.options, task),
        };
        // What is cut short is begun anew by the next, so an evaluator is kept only after a value.
        let value = evaluator.value_of(expression);
        let value = value.map_err(|problem| self.script.error(task.explained(*problem)))?;
        let shown = evaluator.show(&value);
        self.evaluator = Some(evaluator);
        Ok(shown)
    }
}
