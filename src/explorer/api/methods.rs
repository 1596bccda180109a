//! What each method of a request answers.

use std::io::{self, Write};

use serde_json::Value;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Definition, Error, GraphOptions, Options, Script, Subject, Task, WalkSubject};
use report::api::{
    ApiAnswer, ApiAssertion, ApiAssertions, ApiConversation, ApiProblems, ApiResult,
};
use report::graph::StateGraph;
use report::message::{MessageReport, PlaceReport};

use super::breaking::symmetry_diff;
use super::lab::lab;
use super::request::{ApiMethod, ApiRequest};
use host::files::{Files, Readable};
use host::load::Loaded;
use host::selection;
use lsp::converse;

/// Of a machine as many nodes are drawn, the nearest to the root.
const MOST_DRAWN: usize = 400;

/// No request gets a graph of more states.
const MOST_ASKED_FOR: usize = 20_000;

/// A graph has no more states than this, unless the request says how many.
const MOST_LISTED: usize = 300;

/// What a method comes to.
pub(super) struct MethodOutcome {
    result: Option<ApiResult>,
    drawing: Option<String>,
    problems: Vec<MessageReport>,
}

impl MethodOutcome {
    /// No result, because of `problems`.
    pub(super) fn refused(problems: Vec<MessageReport>) -> Self {
        Self {
            result: None,
            drawing: None,
            problems,
        }
    }

    /// The answer to the request `id`.
    pub(super) fn answer(self, id: Value) -> ApiAnswer {
        ApiAnswer {
            id,
            result: self.result,
            drawing: self.drawing,
            problems: self.problems,
        }
    }
}

/// The answer to `request`, for which only these files are `readable`.
pub(super) fn answer(
    request: &ApiRequest,
    options: &Options,
    task: &Task,
    readable: &Readable,
) -> MethodOutcome {
    match tried(request, options, task, readable) {
        Ok(outcome) => outcome,
        Err(error) => MethodOutcome::refused(messages(&error.messages(), error.sources())),
    }
}

fn tried(
    request: &ApiRequest,
    options: &Options,
    task: &Task,
    readable: &Readable,
) -> Result<MethodOutcome, Error> {
    if request.method == ApiMethod::Lsp {
        return lsp(request, task, readable);
    }
    let definitions = request.definitions().map_err(|reason| bad(&reason))?;
    let file = match request.file.as_str() {
        "" => None,
        file => Some(file),
    };
    needed(file, "file")?;
    let open = request.files.clone();
    let mut files = Files::with_open(open).within(readable.clone());
    if request.file == "-" && !request.files.contains_key("-") {
        return Err(bad("`file` names a script; requests have standard input"));
    }
    if !files.is_inside(&request.file) {
        let message = format!("`{}` is outside the folder that may be read", request.file);
        let problem = Diagnostic::error("unreadable-file", message);
        return Err(Error::new(vec![problem], SourceMap::new()));
    }
    if request.method == ApiMethod::Lab {
        return lab_outcome(request, definitions, options, task, &mut files);
    }
    let read = Loaded::read(&request.file, &mut files, &definitions);
    if request.method == ApiMethod::Problems {
        return Ok(problems(read, options));
    }
    let loaded = read?;
    let script = &loaded.script;
    let mut said = loaded.warnings(options);
    let mut drawing = None;
    let result = match request.method {
        ApiMethod::SymmetryDiff => {
            let script = (script, &definitions[..]);
            let diff = symmetry_diff(request, script, options, task, readable)?;
            ApiResult::SymmetryDiff(Box::new(diff))
        }
        _ => result(request, script, options, task, &mut said, &mut drawing)?,
    };
    Ok(MethodOutcome {
        result: Some(result),
        drawing,
        problems: messages(&said, script.sources()),
    })
}

/// What `request` asks of `script`, which was read. Adds what is `said` besides, and the `drawing`.
fn result(
    request: &ApiRequest,
    script: &Script,
    options: &Options,
    task: &Task,
    said: &mut Vec<Diagnostic>,
    drawing: &mut Option<String>,
) -> Result<ApiResult, Error> {
    Ok(match request.method {
        ApiMethod::At | ApiMethod::Why | ApiMethod::Save | ApiMethod::Orbit => {
            walked(request, script, options, task)?
        }
        ApiMethod::Assertions => ApiResult::Assertions(assertions(script)),
        ApiMethod::Check => {
            let index = picked(request, script)?;
            let answer = script.check(index, options, task);
            said.extend(answer.problem.iter().flat_map(|problem| problem.messages()));
            ApiResult::Check(Box::new(answer.report))
        }
        ApiMethod::Machine => {
            let process = needed(request.process.as_deref(), "process")?;
            let machine = script.machine(process, options, task)?;
            *drawing = drawn(request, |out| machine.write_svg(MOST_DRAWN, out));
            ApiResult::Machine(Box::new(machine))
        }
        ApiMethod::Graph => {
            let graph = graphed(request, script, options, task)?;
            *drawing = drawn(request, |out| graph.write_svg(out));
            ApiResult::Graph(Box::new(graph))
        }
        ApiMethod::Leaf => {
            let process = needed(request.process.as_deref(), "process")?;
            let component = request.component.as_deref();
            let graph = script.leaf(process, component, &graph_options(request), options, task)?;
            *drawing = drawn(request, |out| graph.write_svg(out));
            ApiResult::Graph(Box::new(graph))
        }
        ApiMethod::Twisted => {
            let twisted = script.twisted(picked(request, script)?, options, task)?;
            ApiResult::Twisted(Box::new(twisted))
        }
        ApiMethod::Symmetry => {
            let symmetry = script.symmetry(subject(request, script)?, options, task)?;
            ApiResult::Symmetry(Box::new(symmetry))
        }
        ApiMethod::Problems | ApiMethod::SymmetryDiff | ApiMethod::Lsp | ApiMethod::Lab => {
            unreachable!("these are answered by the caller")
        }
    })
}

/// The conversation of an editor.
fn lsp(request: &ApiRequest, task: &Task, readable: &Readable) -> Result<MethodOutcome, Error> {
    let (messages, files) = (&request.messages, &request.files);
    let answers = converse(messages, files, readable, &task.cancellation);
    let answers = answers.map_err(|problem| Error::new(vec![*problem], SourceMap::new()))?;
    Ok(MethodOutcome {
        result: Some(ApiResult::Lsp(ApiConversation { messages: answers })),
        drawing: None,
        problems: Vec::new(),
    })
}

/// What is asked of a walk that has followed the path of the request. Without a path an assertion
/// is walked to the end of its counterexample.
fn walked(
    request: &ApiRequest,
    script: &Script,
    options: &Options,
    task: &Task,
) -> Result<ApiResult, Error> {
    let subject = walk_subject(request, script)?;
    let to_counterexample = request.path.is_none();
    script.walk(subject, to_counterexample, options, task, |walker| {
        if let Some(path) = &request.path {
            walker.follow(path)?;
        }
        Ok(match (request.method, &request.apply) {
            (ApiMethod::Why, _) => {
                let event = needed(request.event.as_deref(), "event")?;
                ApiResult::Why(walker.why(event)?)
            }
            (ApiMethod::Save, _) => ApiResult::Saved(walker.saved()),
            (ApiMethod::Orbit, None) => ApiResult::Orbit(Box::new(walker.orbit()?)),
            (ApiMethod::Orbit, Some(permutation)) => {
                ApiResult::Orbit(Box::new(walker.orbit_moved(permutation)?))
            }
            _ => ApiResult::Walk(Box::new(walker.report()?)),
        })
    })
}

fn walk_subject<'r>(request: &'r ApiRequest, script: &Script) -> Result<WalkSubject<'r>, Error> {
    match (&request.process, &request.assertion) {
        (Some(process), None) => Ok(WalkSubject::Process(process)),
        (None, Some(_)) => Ok(WalkSubject::Assertion(picked(request, script)?)),
        _ => Err(bad("give `process` or `assertion`, one of the two")),
    }
}

fn graph_options(request: &ApiRequest) -> GraphOptions {
    GraphOptions {
        most_states: Some(request.max.unwrap_or(MOST_LISTED).min(MOST_ASKED_FOR)),
        depth: request.depth,
        ..GraphOptions::default()
    }
}

fn graphed(
    request: &ApiRequest,
    script: &Script,
    options: &Options,
    task: &Task,
) -> Result<StateGraph, Error> {
    let wanted = graph_options(request);
    if request.orbits {
        let subject = walk_subject(request, script)?;
        return script.orbit_graph(subject, &wanted, options, task);
    }
    let process = needed(request.process.as_deref(), "process")?;
    script.graph(process, &wanted, options, task)
}

/// The drawing that `write` makes, if the request asks for one.
fn drawn(
    request: &ApiRequest,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Option<String> {
    if !request.drawing {
        return None;
    }
    let mut bytes = Vec::new();
    // Writing into memory does not fail, and what is written is text.
    write(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

fn picked(request: &ApiRequest, script: &Script) -> Result<usize, Error> {
    let assertion = needed(request.assertion.as_ref(), "assertion")?;
    selection::only(&assertion.text(), &script.assertions())
}

pub(super) fn subject<'r>(request: &'r ApiRequest, script: &Script) -> Result<Subject<'r>, Error> {
    if request.assertion.is_some() {
        return picked(request, script).map(Subject::Assertion);
    }
    Ok(Subject::Refinement {
        specification: needed(request.specification.as_deref(), "specification")?,
        implementation: needed(request.implementation.as_deref(), "implementation")?,
    })
}

fn assertions(script: &Script) -> ApiAssertions {
    let assertions = script.assertions().into_iter().enumerate();
    let assertions = assertions.map(|(index, text)| ApiAssertion {
        number: index + 1,
        text,
        place: PlaceReport::of(script.place(index), "", script.sources()),
    });
    ApiAssertions {
        assertions: assertions.collect(),
        processes: script.processes(),
    }
}

/// The lab of a script, with what is wrong with the part that belongs to a task.
fn lab_outcome(
    request: &ApiRequest,
    definitions: Vec<Definition>,
    options: &Options,
    task: &Task,
    files: &mut Files,
) -> Result<MethodOutcome, Error> {
    let (lab, problems) = lab(request, definitions, options, task, files)?;
    Ok(MethodOutcome {
        result: Some(ApiResult::Lab(Box::new(lab))),
        drawing: None,
        problems,
    })
}

/// All messages about a script, whether or not it could be read.
fn problems(read: Result<Loaded, Error>, options: &Options) -> MethodOutcome {
    let (problems, sources) = match read {
        Ok(loaded) => {
            let problems = loaded.script.problems(options);
            (problems, loaded.script.sources().clone())
        }
        Err(error) => (error.messages(), error.sources().clone()),
    };
    let warnings = problems.iter().filter(|p| p.severity == Severity::Warning);
    let warnings = warnings.count();
    let result = ApiProblems {
        errors: problems.len() - warnings,
        warnings,
    };
    let said = messages(&problems, &sources);
    MethodOutcome {
        result: Some(ApiResult::Problems(result)),
        drawing: None,
        problems: said,
    }
}

fn messages(problems: &[Diagnostic], sources: &SourceMap) -> Vec<MessageReport> {
    let problems = problems.iter();
    problems
        .map(|problem| MessageReport::of(problem, sources))
        .collect()
}

fn needed<'r, T: ?Sized>(key: Option<&'r T>, name: &str) -> Result<&'r T, Error> {
    key.ok_or_else(|| bad(&format!("this method needs the key `{name}`")))
}

fn bad(reason: &str) -> Error {
    let problem = Diagnostic::error("bad-request", format!("this is no request: {reason}"))
        .hint("`cspsym help requests` lists the methods and what each needs");
    Error::new(vec![problem], SourceMap::new())
}
