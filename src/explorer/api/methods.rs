//! The answers of the methods of requests.

use std::io::{self, Write};

use serde_json::Value;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Definition, Error, GameQuestion, Options, RefinementGame, Script};
use report::api::{
    ApiAnswer, ApiAssertion, ApiAssertions, ApiConstant, ApiConversation, ApiProblems, ApiResult,
};
use report::game::GameReport;
use report::graph::{StateGraph, TauLabel};
use report::message::{MessageReport, PlaceReport};

use super::breaking::symmetry_diff;
use super::checks::{check, check_all};
use super::lab::{as_students_see, lab, played as played_lab, walked as walked_lab};
use super::pictures::pictures;
use super::request::{ApiMethod, ApiRequest, TextFormat, bad};
use super::work::ApiWork;
use host::files::{Files, Readable};
use host::load::Loaded;
use lsp::converse;

/// The most nodes of a machine that are drawn, those nearest to the root, and the most components
/// of a communication graph, the first ones.
const MOST_DRAWN: usize = 400;

/// The most states of a graph that a request can ask for.
const MOST_ASKED_FOR: usize = 20_000;

/// The most states of a graph, unless the request gives a number.
const MOST_LISTED: usize = 300;

/// An answer without an `id`: the `result` of a method, if there is one, and messages.
fn answered(result: Option<ApiResult>, problems: &[Diagnostic], sources: &SourceMap) -> ApiAnswer {
    let problems = problems.iter();
    ApiAnswer {
        id: Value::Null,
        result,
        drawing: None,
        text: None,
        problems: problems
            .map(|problem| MessageReport::of(problem, sources))
            .collect(),
    }
}

/// The answer with `result` and without messages.
pub(super) fn plain(result: ApiResult) -> ApiAnswer {
    answered(Some(result), &[], &SourceMap::new())
}

/// The answer where there is no result.
pub(super) fn refused(error: &Error) -> ApiAnswer {
    answered(None, &error.messages(), error.sources())
}

/// The answer to `asked`, for which no other files than the `readable` may be read.
pub(super) fn answer(asked: &ApiWork, readable: &Readable) -> ApiAnswer {
    tried(asked, readable).unwrap_or_else(|error| refused(&error))
}

fn tried(asked: &ApiWork, readable: &Readable) -> Result<ApiAnswer, Error> {
    let (request, options) = (asked.request(), asked.options());
    if request.method == ApiMethod::Lsp {
        let (messages, texts) = (&request.messages, &request.files);
        let messages = converse(messages, texts, readable, &asked.task.cancellation)?;
        return Ok(plain(ApiResult::Lsp(ApiConversation { messages })));
    }
    let definitions = request.definitions().map_err(|reason| bad(&reason))?;
    let mut files = Files::with_open(request.files.clone()).within(readable.clone());
    let file = request.script(&files)?;
    if let Some(answer) = in_lab(asked, &definitions, &mut files)? {
        return Ok(answer);
    }
    let read = Loaded::read(file, &mut files, &definitions);
    if request.method == ApiMethod::Problems {
        return Ok(problems(&read, options, &files));
    }
    let loaded = read?;
    let script = &loaded.script;
    let mut said = loaded.warnings(options);
    let (result, drawing) = match request.method {
        ApiMethod::SymmetryDiff => {
            let diff = symmetry_diff(asked, (script, &definitions), readable)?;
            (ApiResult::SymmetryDiff(Box::new(diff)), None)
        }
        ApiMethod::Check => {
            let (report, problems) = check(asked, script)?;
            said.extend(problems);
            (ApiResult::Check(Box::new(report)), None)
        }
        ApiMethod::CheckAll => (ApiResult::Checks(check_all(asked, script)?), None),
        _ => result(asked, script)?,
    };
    let text = match (&result, request.format) {
        (ApiResult::Graph(graph), Some(format)) => Some(graph_text(graph, format)?),
        _ => None,
    };
    Ok(ApiAnswer {
        drawing,
        text,
        ..answered(Some(result), &said, script.sources())
    })
}

/// The answer to a question about the lab of a script; `None` if it is about the script itself.
fn in_lab(
    asked: &ApiWork,
    definitions: &[Definition],
    files: &mut Files,
) -> Result<Option<ApiAnswer>, Error> {
    let request = asked.request();
    Ok(Some(match (request.method, &request.game) {
        (ApiMethod::Lab, _) => {
            let (lab, problems) = lab(asked, definitions.to_vec(), files)?;
            ApiAnswer {
                problems,
                ..plain(ApiResult::Lab(Box::new(lab)))
            }
        }
        (ApiMethod::Game, Some(name)) => {
            let (report, text) = played_lab(asked, name, definitions, files)?;
            ApiAnswer {
                text,
                ..plain(ApiResult::Game(Box::new(report)))
            }
        }
        _ if request.is_walk_in_lab() => {
            let lab = walked_lab(asked, definitions, files)?;
            plain(as_students_see(walked(asked, &lab.script)?))
        }
        _ => return Ok(None),
    }))
}

/// The graph as a text. It is refused in a format that cannot say what the graph is.
fn graph_text(graph: &StateGraph, format: TextFormat) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let written = match format {
        TextFormat::Dot => graph.write_dot(&mut bytes),
        TextFormat::Aut => match graph.unwritable_in_aut() {
            Some(problem) if graph.complete => return Err(problem.into()),
            Some(problem) => {
                let hint = "ask for more states with `max` or `depth`";
                return Err(problem.hint(hint).into());
            }
            None => graph.write_aut(TauLabel::Tau, &mut bytes),
        },
    };
    // Writing into memory does not fail, and a graph is text.
    let text = written.ok().and_then(|()| String::from_utf8(bytes).ok());
    Ok(text.unwrap_or_default())
}

/// The result of the question `asked` about `script`, and a drawing of it if one is wanted.
fn result(asked: &ApiWork, script: &Script) -> Result<(ApiResult, Option<String>), Error> {
    let (request, options, task) = (asked.request(), asked.options(), &asked.task);
    Ok(match request.method {
        ApiMethod::Machine => {
            let machine = script.machine(request.process()?, options, task)?;
            let drawing = drawn(request, |out| machine.write_svg(MOST_DRAWN, out));
            (ApiResult::Machine(Box::new(machine)), drawing)
        }
        ApiMethod::Channels => {
            let graph = script.channels(request.process()?, options, task)?;
            let drawing = drawn(request, |out| graph.write_svg(MOST_DRAWN, out));
            (ApiResult::Channels(Box::new(graph)), drawing)
        }
        ApiMethod::Graph | ApiMethod::Leaf => {
            let graph = graphed(asked, script)?;
            let drawing = drawn(request, |out| {
                graph.write_svg(&request.overview(&graph), out)
            });
            (ApiResult::Graph(Box::new(graph)), drawing)
        }
        ApiMethod::Twisted => {
            let twisted = script.twisted(request.picked(script)?, options, task)?;
            (ApiResult::Twisted(Box::new(twisted)), None)
        }
        ApiMethod::Symmetry => {
            let symmetry = script.symmetry(request.subject(script)?, options, task)?;
            (ApiResult::Symmetry(Box::new(symmetry)), None)
        }
        ApiMethod::Game => (ApiResult::Game(Box::new(played(asked, script)?)), None),
        ApiMethod::Assertions => (ApiResult::Assertions(assertions(script)), None),
        _ => (walked(asked, script)?, None),
    })
}

/// The answer to a question about a walk that has followed the path of the request. Without a path,
/// an assertion is walked to the end of its counterexample.
fn walked(asked: &ApiWork, script: &Script) -> Result<ApiResult, Error> {
    let request = asked.request();
    let to_counterexample = request.path.is_none() && request.state.is_none();
    let subject = request.walked(script)?;
    script.walk(
        subject,
        to_counterexample,
        asked.options(),
        &asked.task,
        |walker| {
            match (&request.path, request.state) {
                (Some(_), Some(_)) => return Err(bad("give `path` or `state`, not both")),
                (Some(path), None) => walker.follow(path)?,
                (None, Some(state)) => walker.follow_to_state(state)?,
                (None, None) => {}
            }
            walker.leave_out(request.from.unwrap_or(0));
            Ok(match (request.method, &request.apply) {
                (ApiMethod::Why, _) => ApiResult::Why(walker.why(request.event()?)?),
                (ApiMethod::Save, _) => ApiResult::Saved(walker.saved()),
                (ApiMethod::Orbit, None) => ApiResult::Orbit(Box::new(walker.orbit()?)),
                (ApiMethod::Orbit, Some(permutation)) => {
                    ApiResult::Orbit(Box::new(walker.orbit_moved(permutation)?))
                }
                _ => ApiResult::Walk(Box::new(walker.report()?)),
            })
        },
    )
}

/// The game in which the student has made the moves of the request.
fn played(asked: &ApiWork, script: &Script) -> Result<GameReport, Error> {
    let request = asked.request();
    let question = GameQuestion {
        subject: request.subject(script)?,
        side: request.side,
        moves: &request.moves,
        is_task: false,
    };
    script.play(question, asked.options(), &asked.task, |game| {
        reported(game, request.hint)
    })
}

/// The report of a game, with help if that is wanted.
pub(super) fn reported(
    game: &mut RefinementGame<'_>,
    wants_hint: bool,
) -> Result<GameReport, Error> {
    let hint = match wants_hint {
        true => game.hint()?,
        false => None,
    };
    Ok(GameReport {
        hint,
        ..game.report()?
    })
}

/// The graph of a process, of the states of a check, or of a component.
fn graphed(asked: &ApiWork, script: &Script) -> Result<StateGraph, Error> {
    let (request, options, task) = (asked.request(), asked.options(), &asked.task);
    let wanted = request.graph_options(request.max.unwrap_or(MOST_LISTED).min(MOST_ASKED_FOR))?;
    if request.method == ApiMethod::Leaf {
        let component = request.component.as_deref();
        return script.leaf(request.process()?, component, &wanted, options, task);
    }
    match request.orbits {
        true => script.orbit_graph(request.walked(script)?, &wanted, options, task),
        false => script.graph(request.process()?, &wanted, options, task),
    }
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
    // Writing into memory does not fail, and a drawing is text.
    write(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

fn assertions(script: &Script) -> ApiAssertions {
    let assertions = script.assertions().into_iter().enumerate();
    let assertions = assertions.map(|(index, text)| ApiAssertion {
        number: index + 1,
        text,
        process: script.process_of(index),
        place: PlaceReport::of(script.place(index), "", script.sources()),
    });
    let constants = script.plain_constants().into_iter();
    ApiAssertions {
        assertions: assertions.collect(),
        processes: script.processes(),
        constants: constants
            .map(|(name, value)| ApiConstant { name, value })
            .collect(),
        pictures: pictures(script.sources()),
    }
}

/// All messages about a script, even if it could not be read.
fn problems(read: &Result<Loaded, Error>, options: &Options, files: &Files) -> ApiAnswer {
    let (problems, sources) = match read {
        Ok(loaded) => (loaded.script.problems(options), loaded.script.sources()),
        Err(error) => (error.messages(), error.sources()),
    };
    let warnings = problems.iter().filter(|p| p.severity == Severity::Warning);
    let warnings = warnings.count();
    let result = ApiProblems {
        errors: problems.len() - warnings,
        warnings,
        files: files.read_of(sources),
    };
    answered(Some(ApiResult::Problems(result)), &problems, sources)
}
