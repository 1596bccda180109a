//! The values of `print` declarations, which share what they evaluate.

use eval::Evaluator;

use super::error::Error;
use super::options::Options;
use super::script::Script;
use super::task::Task;

/// Evaluates `print` declarations of a script. They share an evaluator, so that a constant which
/// several of them need is evaluated once.
#[derive(Debug)]
pub struct Printing<'s> {
    script: &'s Script,
    options: &'s Options,
    /// The evaluator of the declarations so far.
    evaluator: Option<Evaluator<'s>>,
}

impl<'s> Printing<'s> {
    /// A printing that has evaluated nothing.
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
        // The caller may give each declaration a token of its own, to limit it alone.
        let before = self.evaluator.take();
        let mut evaluator = self.script.evaluator_after(before, self.options, task);
        // Evaluation that was cut short leaves half-finished values behind, so the evaluator is
        // kept only after a value.
        let value = evaluator.value_of(expression);
        let value = value.map_err(|problem| self.script.error(task.explained(*problem)))?;
        let shown = evaluator.show(&value);
        self.evaluator = Some(evaluator);
        Ok(shown)
    }
}
