//! Applying functions.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::expression::EvaluationStep;
use super::pattern::Matcher;
use super::value::{Closure, Code, Lazy, Value};
use base::diag::{Diagnostic, Result};
use syntax::ast::{Clause, ExprId, PatternId};

impl Evaluator<'_> {
    /// Applies a function once. A function that is fully applied continues with its body. One that
    /// yields a process becomes a call by name, which is unfolded only when its behaviour is asked
    /// for.
    pub(super) fn apply(
        &mut self,
        function: Value,
        arguments: Vec<Lazy>,
    ) -> Result<EvaluationStep> {
        match function {
            Value::Function(closure) => self.apply_closure(&closure, arguments),
            Value::Builtin(builtin, given) => Ok(EvaluationStep::Done(
                self.apply_builtin(builtin, &given, arguments)?,
            )),
            other => self.mismatch("a function", &other).into(),
        }
    }

    /// Applies a function, and evaluates the result.
    pub(super) fn call(&mut self, function: Value, arguments: Vec<Lazy>) -> Result<Value> {
        match self.apply(function, arguments)? {
            EvaluationStep::Done(value) => Ok(value),
            EvaluationStep::Continue(body, frame) => self.evaluate(body, &frame),
        }
    }

    fn apply_closure(&mut self, closure: &Closure, arguments: Vec<Lazy>) -> Result<EvaluationStep> {
        let mut groups = closure.groups.clone();
        groups.push(arguments);
        let wanted = self.parameter_groups(closure.code);
        self.check_arity(closure.code, &groups)?;
        if groups.len() < wanted {
            let function = Value::function(closure.code, &closure.environment, groups);
            return Ok(EvaluationStep::Done(function));
        }
        // A definition of type `Proc` is not entered: a call by name stands for it, so that a
        // process that is recursive through its own body is a finite term.
        if let Code::Function(id) = closure.code
            && self.script.resolved.processes.contains(&id)
        {
            let process = self.call_function(id, &closure.environment, groups)?;
            return Ok(EvaluationStep::Done(Value::Process(process)));
        }
        let (body, frame) = self.enter(closure.code, &closure.environment, &groups)?;
        Ok(EvaluationStep::Continue(body, frame))
    }

    fn parameter_groups(&self, code: Code) -> usize {
        match code {
            Code::Function(id) => self.script.clauses(id)[0].groups.len(),
            Code::Lambda(_) => 1,
        }
    }

    /// Checks that the last group has as many arguments as the function takes there.
    fn check_arity(&mut self, code: Code, groups: &[Vec<Lazy>]) -> Result<()> {
        // The groups before the last one were checked when they were given.
        let group = groups.len() - 1;
        let wanted = match code {
            Code::Function(id) => self.script.clauses(id)[0].groups[group].len(),
            Code::Lambda(id) => self.script.lambda(id).0.len(),
        };
        if wanted == groups[group].len() {
            return Ok(());
        }
        let name = match code {
            Code::Function(id) => format!("`{}`", self.script.function_name(id)),
            Code::Lambda(_) => "this function".to_string(),
        };
        self.work
            .ill_typed(&format!("wrong number of arguments of {name}"))
            .into()
    }

    /// The body to evaluate, with the frame of its parameters, from the first clause that matches.
    pub(super) fn enter(
        &mut self,
        code: Code,
        environment: &Rc<Frame>,
        groups: &[Vec<Lazy>],
    ) -> Result<(ExprId, Rc<Frame>)> {
        match code {
            Code::Lambda(id) => {
                let (parameters, body) = self.script.lambda(id);
                match self.bind_group(parameters, &groups[0], environment)? {
                    Some(frame) => Ok((body, frame)),
                    None => self.no_clause("this function", groups).into(),
                }
            }
            Code::Function(id) => {
                for clause in self.script.clauses(id) {
                    if let Some(frame) = self.bind_groups(clause, groups, environment)? {
                        return Ok((clause.body, frame));
                    }
                }
                let name = format!("`{}`", self.script.function_name(id));
                let span = self.script.ast.declarations[id].span;
                self.no_clause(&name, groups).at(span, "its clauses").into()
            }
        }
    }

    fn no_clause(&mut self, name: &str, groups: &[Vec<Lazy>]) -> Diagnostic {
        let mut shown = String::new();
        for group in groups {
            let arguments: Vec<String> = group
                .iter()
                .map(|argument| {
                    argument
                        .ready()
                        .map_or("...".to_string(), |value| self.text().brief(&value))
                })
                .collect();
            shown.push_str(&format!("({})", arguments.join(", ")));
        }
        self.work
            .error(
                "no-matching-clause",
                format!("no clause of {name} matches its arguments"),
            )
            .note(format!("the arguments are {shown}"))
    }

    fn bind_groups(
        &mut self,
        clause: &Clause,
        groups: &[Vec<Lazy>],
        environment: &Rc<Frame>,
    ) -> Result<Option<Rc<Frame>>> {
        // Each group of parameters has a frame of its own: so name resolution counted them.
        let mut frame = Rc::clone(environment);
        for (patterns, arguments) in clause.groups.iter().zip(groups) {
            match self.bind_group(patterns, arguments, &frame)? {
                Some(inner) => frame = inner,
                None => return Ok(None),
            }
        }
        Ok(Some(frame))
    }

    fn bind_group(
        &mut self,
        patterns: &[PatternId],
        arguments: &[Lazy],
        environment: &Rc<Frame>,
    ) -> Result<Option<Rc<Frame>>> {
        // A frame is made only when all patterns have matched, so a clause that fails half way
        // leaves nothing behind.
        let mut matcher = Matcher::new(self, environment);
        let matches = matcher.all_match(patterns, arguments)?;
        Ok(matches.then(|| matcher.frame()))
    }
}
