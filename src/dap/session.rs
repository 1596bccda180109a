//! A debugging session: the requests of an editor while a process is walked.

use std::io;

use serde_json::{Value, json};

use checker::{Error, Script, Task};
use report::walk::ChoiceReport;

use super::breakpoints::Breakpoints;
use super::incoming::EditorRequest;
use super::launch::Launch;
use super::pace::{PacedWalk, WalkStop};
use super::text;
use super::transport::DebugClient;
use super::views::{component_of, frames, scopes, threads, variables};

/// The requests that the editor may send while the walk stands.
pub(super) struct DebugSession<'s, 'c, 'i> {
    script: &'s Script,
    launch: &'s Launch,
    client: &'c mut DebugClient<'i>,
    breakpoints: Breakpoints,
}

/// The outcome of a request.
enum DebugOutcome {
    /// The body of the answer.
    Answer(Value),
    /// The request is answered, and then the walk has stopped for this reason.
    Stopped(Value, WalkStop),
    /// The session ends.
    End,
}

impl<'s, 'c, 'i> DebugSession<'s, 'c, 'i> {
    pub(super) fn new(
        script: &'s Script,
        launch: &'s Launch,
        client: &'c mut DebugClient<'i>,
    ) -> Self {
        Self {
            script,
            launch,
            client,
            breakpoints: Breakpoints::default(),
        }
    }

    /// Walks `walk` as the editor asks for it, until the editor ends the session.
    pub(super) fn run(&mut self, walk: &mut PacedWalk<'_, '_>) -> io::Result<()> {
        self.client.answer(&self.launch.request, Value::Null)?;
        self.client.event("initialized", json!({}))?;
        while let Some(request) = self.client.next()? {
            match self.outcome(&request, walk) {
                Ok(Some(DebugOutcome::Answer(body))) => self.client.answer(&request, body)?,
                Ok(Some(DebugOutcome::Stopped(body, stop))) => {
                    self.client.answer(&request, body)?;
                    self.resumed(&request, walk)?;
                    self.stopped(&stop, walk)?;
                }
                Ok(Some(DebugOutcome::End)) => {
                    self.client.answer(&request, Value::Null)?;
                    return self.client.event("terminated", json!({}));
                }
                Ok(None) => {
                    let why = format!("there is no request `{}` here", request.command);
                    self.client.refuse(&request, &why)?;
                }
                Err(error) => self.client.refuse(&request, &shown(&error))?,
            }
        }
        Ok(())
    }

    /// The outcome of `request`; `None` if there is no such request.
    fn outcome(
        &mut self,
        request: &EditorRequest,
        walk: &mut PacedWalk<'_, '_>,
    ) -> Result<Option<DebugOutcome>, Error> {
        if let Some(moved) = self.moved(request, walk)? {
            let body = match request.command.as_str() {
                "continue" => json!({ "allThreadsContinued": true }),
                _ => Value::Null,
            };
            return Ok(Some(DebugOutcome::Stopped(body, moved)));
        }
        let number = |key: &str| request.arguments[key].as_u64().unwrap_or_default();
        let body = match request.command.as_str() {
            "setBreakpoints" => self.breakpoints.set_lines(request),
            "setFunctionBreakpoints" => self.breakpoints.set_events(request),
            "setExceptionBreakpoints" => json!({}),
            "threads" => threads(&walk.now),
            "stackTrace" => frames(&walk.now, number("threadId")),
            "scopes" => scopes(&walk.now, number("frameId")),
            "variables" => variables(&walk.now, number("variablesReference")),
            "stepInTargets" => targets(walk),
            "completions" => completions(walk),
            "exceptionInfo" => wrong(walk),
            "evaluate" => return self.evaluated(request, walk).map(Some),
            "disconnect" | "terminate" => return Ok(Some(DebugOutcome::End)),
            _ => return Ok(None),
        };
        Ok(Some(DebugOutcome::Answer(body)))
    }

    /// Moves the walk if `request` asks for that, and returns why it has stopped.
    fn moved(
        &self,
        request: &EditorRequest,
        walk: &mut PacedWalk<'_, '_>,
    ) -> Result<Option<WalkStop>, Error> {
        let thread = request.arguments["threadId"].as_u64().unwrap_or_default();
        Ok(Some(match request.command.as_str() {
            "configurationDone" if self.launch.stops_on_entry => walk.start(),
            "configurationDone" | "continue" | "stepOut" => walk.go_on(&self.breakpoints)?,
            "next" => step(walk, thread)?,
            "stepIn" => match request.arguments["targetId"].as_u64() {
                Some(target) => {
                    let choice = usize::try_from(target).ok();
                    let choice = choice.and_then(|choice| walk.now.choices.get(choice));
                    match choice.map(|choice| choice.name.clone()) {
                        Some(name) => take(walk, &name)?,
                        None => step(walk, thread)?,
                    }
                }
                None => step(walk, thread)?,
            },
            "stepBack" => walk.back_to(walk.now.steps.len().saturating_sub(1))?,
            "reverseContinue" => walk.go_back(&self.breakpoints)?,
            "pause" => WalkStop {
                reason: "pause",
                words: "it stands".to_string(),
            },
            _ => return Ok(None),
        }))
    }

    /// Takes the step that the console names, says who keeps an event back, or evaluates.
    fn evaluated(
        &self,
        request: &EditorRequest,
        walk: &mut PacedWalk<'_, '_>,
    ) -> Result<DebugOutcome, Error> {
        let asked = text(request, "expression").trim();
        let result = |text: &str| json!({ "result": text.trim_end(), "variablesReference": 0 });
        // Helix evaluates what is written to it by hand only, and names no context.
        if matches!(text(request, "context"), "repl" | "") {
            if walk.now.choices.iter().any(|choice| choice.name == asked) {
                let stop = take(walk, asked)?;
                return Ok(DebugOutcome::Stopped(result(asked), stop));
            }
            if let Some(event) = asked.strip_prefix("why ") {
                let why = walk.walker.why(event.trim())?;
                return Ok(DebugOutcome::Answer(result(&why.text())));
            }
        }
        let task = Task {
            cancellation: self.launch.cancellation(self.client.gone()),
            ..Task::default()
        };
        let value = self.script.evaluate(asked, &self.launch.options, &task)?;
        Ok(DebugOutcome::Answer(result(&value.text)))
    }

    /// Tells the editor that the walk has gone on where it does not know that from `request`: one
    /// like `nvim-dap` takes the stop for that of a second thread otherwise, and sends it on.
    fn resumed(&mut self, request: &EditorRequest, walk: &PacedWalk<'_, '_>) -> io::Result<()> {
        if request.command != "evaluate" {
            return Ok(());
        }
        let body = json!({ "threadId": walk.thread(), "allThreadsContinued": true });
        self.client.event("continued", body)
    }

    fn stopped(&mut self, stop: &WalkStop, walk: &PacedWalk<'_, '_>) -> io::Result<()> {
        let body = json!({
            "reason": stop.reason,
            "description": stop.words,
            "threadId": walk.thread(),
            "allThreadsStopped": true,
        });
        self.client.event("stopped", body)
    }
}

/// Takes the step with this name.
fn take(walk: &mut PacedWalk<'_, '_>, name: &str) -> Result<WalkStop, Error> {
    walk.take(name)?;
    Ok(WalkStop {
        reason: "step",
        words: name.to_string(),
    })
}

/// Takes the next step of a thread.
fn step(walk: &mut PacedWalk<'_, '_>, thread: u64) -> Result<WalkStop, Error> {
    let component = component_of(thread).and_then(|position| walk.now.components.get(position));
    let name = component.map(|component| component.name.clone());
    walk.step(name.as_deref())
}

/// The steps that can be taken, as targets of *Step into*.
fn targets(walk: &PacedWalk<'_, '_>) -> Value {
    let choices = walk.now.choices.iter().enumerate();
    let target = |(id, choice): (usize, &ChoiceReport)| {
        let parts = choice.parts.iter().map(|part| &part.component[..]);
        let parts = parts.collect::<Vec<_>>().join(", ");
        json!({ "id": id, "label": format!("{}  [{parts}]", choice.name) })
    };
    json!({ "targets": choices.map(target).collect::<Vec<_>>() })
}

/// The steps that can be taken, as completions of the console.
fn completions(walk: &PacedWalk<'_, '_>) -> Value {
    let choices = walk.now.choices.iter();
    let targets = choices.map(|choice| json!({ "label": choice.name, "type": "method" }));
    json!({ "targets": targets.collect::<Vec<_>>() })
}

/// The sentence on the counterexample, at its end.
fn wrong(walk: &PacedWalk<'_, '_>) -> Value {
    let found = walk.found.as_ref().filter(|_| walk.is_at_end());
    let sentence = found.map_or("nothing is wrong here", |found| &found.sentence);
    json!({
        "exceptionId": walk.now.assertion.as_deref().unwrap_or(&walk.now.process),
        "description": sentence,
        "breakMode": "always",
    })
}

fn shown(error: &Error) -> String {
    error.to_string().trim_end().to_string()
}
