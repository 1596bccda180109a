//! `cspsym dap`: a walk through a process as a debugger, by the Debug Adapter Protocol.

#![doc = include_str!("README.md")]

mod breakpoints;
mod incoming;
mod launch;
mod pace;
mod session;
mod transport;
mod views;

use std::io;

use serde_json::{Value, json};

use checker::Task;
use host::fault::survive_panics;
use host::status::Status;

use incoming::{EditorRequest, EditorRequests};
use launch::Launch;
use pace::PacedWalk;
use session::DebugSession;
use transport::DebugClient;

/// Serves an editor on standard input and output until it ends the session, or is gone.
pub fn run() -> io::Result<Status> {
    survive_panics();
    let mut client = DebugClient::new(EditorRequests::start()?, io::stdout());
    let Some(launch) = introduced(&mut client)? else {
        return Ok(Status::Holds);
    };
    debug(&launch, &mut client)?;
    Ok(Status::Holds)
}

/// The abilities of this adapter, as the answer to `initialize`.
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsStepBack": true,
        "supportsStepInTargetsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsCompletionsRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsTerminateRequest": true,
    })
}

/// Answers until a script is launched. Returns `None` if the editor ends the session before.
fn introduced(client: &mut DebugClient<'_>) -> io::Result<Option<Launch>> {
    while let Some(request) = client.next()? {
        match request.command.as_str() {
            "initialize" => client.answer(&request, capabilities())?,
            "launch" => match Launch::of(&request) {
                Ok(launch) => return Ok(Some(launch)),
                Err(why) => client.refuse(&request, &why)?,
            },
            "disconnect" | "terminate" => {
                client.answer(&request, Value::Null)?;
                return Ok(None);
            }
            other => {
                let why = format!("`{other}` has to come after `launch`");
                client.refuse(&request, &why)?;
            }
        }
    }
    Ok(None)
}

/// Walks what was launched, as the editor asks for it.
fn debug(launch: &Launch, client: &mut DebugClient<'_>) -> io::Result<()> {
    let task = Task {
        cancellation: launch.cancellation(client.gone()),
        ..Task::default()
    };
    let mut outcome = Ok(());
    let walked = launch.read().and_then(|loaded| {
        let script = &loaded.script;
        let subject = launch.subject(script)?;
        script.walk(subject, true, &launch.options, &task, |walker| {
            let mut walk = PacedWalk::of(walker)?;
            outcome = DebugSession::new(script, launch, client).run(&mut walk);
            Ok(())
        })
    });
    outcome?;
    if let Err(error) = walked {
        client.refuse(&launch.request, error.to_string().trim_end())?;
        client.event("terminated", json!({}))?;
        wait_for_the_end(client)?;
    }
    Ok(())
}

/// Answers what an editor still asks once there is nothing to walk.
fn wait_for_the_end(client: &mut DebugClient<'_>) -> io::Result<()> {
    while let Some(request) = client.next()? {
        match request.command.as_str() {
            "disconnect" | "terminate" => return client.answer(&request, Value::Null),
            _ => client.refuse(&request, "the script could not be walked")?,
        }
    }
    Ok(())
}

/// The text of an argument of a request; empty if there is none.
fn text<'r>(request: &'r EditorRequest, key: &str) -> &'r str {
    request.arguments[key].as_str().unwrap_or_default()
}
