//! The answers of the methods of requests.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::Value;

use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use checker::{Definition, Error, GameQuestion, Options, RefinementGame, Script};
use report::api::{
    ApiAnswer, ApiAssertion, ApiAssertions, ApiClosed, ApiConstant, ApiConversation, ApiEvents,
    ApiLoaded, ApiPrint, ApiProblems, ApiResult,
};
use report::game::GameReport;
use report::graph::{StateGraph, TauLabel};
use report::message::{MessageReport, PlaceReport};
use report::value::{TypeReport, ValueReport};

use super::breaking::symmetry_diff;
use super::checks::{DecidedScript, check, check_all, run_nodes};
use super::kept::KeptWork;
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

/// The answer to `asked`, for which no other files than the `readable` may be read. What is kept
/// between requests is in `kept`, if anything is.
pub(super) fn answer(
    asked: &ApiWork,
    readable: &Readable,
    kept: Option<&mut KeptWork>,
) -> ApiAnswer {
    tried(asked, readable, kept).unwrap_or_else(|error| refused(&error))
}

fn tried(
    asked: &ApiWork,
    readable: &Readable,
    mut kept: Option<&mut KeptWork>,
) -> Result<ApiAnswer, Error> {
    let (request, options) = (asked.request(), asked.options());
    if request.method == ApiMethod::Lsp {
        let (messages, texts) = (&request.messages, &request.files);
        let messages = converse(messages, texts, readable, &asked.task.cancellation)?;
        return Ok(plain(ApiResult::Lsp(ApiConversation { messages })));
    }
    if request.is_about_kept() {
        return Ok(plain(about_kept(asked, keeping(&mut kept)?)?));
    }
    if let Some(number) = request.kept_script()? {
        let script = keeping(&mut kept)?.script(number)?.script();
        return about_script(asked, &script, kept);
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
    let warnings = loaded.warnings(options);
    let answer = match request.method {
        ApiMethod::SymmetryDiff => {
            let diff = symmetry_diff(asked, (script, &definitions), readable)?;
            plain(ApiResult::SymmetryDiff(Box::new(diff)))
        }
        ApiMethod::Load => plain(ApiResult::Loaded(ApiLoaded {
            script: keeping(&mut kept)?.add_script(Arc::clone(script)),
            assertions: assertions(script),
        })),
        _ => about_script(asked, script, kept)?,
    };
    let warnings = warnings.iter();
    let mut said: Vec<MessageReport> = warnings
        .map(|warning| MessageReport::of(warning, script.sources()))
        .collect();
    said.extend(answer.problems);
    Ok(ApiAnswer {
        problems: said,
        ..answer
    })
}

/// The answer about `script`, which may be one that is kept.
fn about_script(
    asked: &ApiWork,
    script: &Arc<Script>,
    mut kept: Option<&mut KeptWork>,
) -> Result<ApiAnswer, Error> {
    let (request, task) = (asked.request(), &asked.task);
    let script = &match request.asserted.as_deref() {
        Some(text) => Arc::new(script.with_assertion(text)?),
        None => Arc::clone(script),
    };
    let mut said = Vec::new();
    let (result, drawing) = match request.method {
        ApiMethod::Check | ApiMethod::CheckAll | ApiMethod::Run => {
            let mut deciding = DecidedScript::of(asked, script, kept.as_deref_mut())?;
            let result = match request.method {
                ApiMethod::Check => {
                    let (report, problems) = check(asked, &mut deciding)?;
                    said.extend(problems);
                    ApiResult::Check(Box::new(report))
                }
                ApiMethod::CheckAll => ApiResult::Checks(check_all(asked, &mut deciding)?),
                _ => {
                    let nodes = run_nodes(asked, &mut deciding)?;
                    let machine = keeping(&mut kept)?.add_machine(nodes, true, task)?;
                    ApiResult::Machined(Box::new(machine))
                }
            };
            (result, None)
        }
        ApiMethod::Open => {
            let kept = keeping(&mut kept)?;
            let subject = request.walked(script)?;
            let nodes = script.nodes(subject, None, asked.options(), task)?;
            let machine = kept.add_machine(nodes, false, task)?;
            (ApiResult::Machined(Box::new(machine)), None)
        }
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

/// The answer to a question about a number that was given for something kept.
fn about_kept(asked: &ApiWork, kept: &mut KeptWork) -> Result<ApiResult, Error> {
    let (request, task) = (asked.request(), &asked.task);
    Ok(match request.method {
        ApiMethod::Close => {
            match (request.script, request.machine) {
                (Some(script), None) => kept.close_script(script)?,
                (None, Some(machine)) => kept.close_machine(machine)?,
                _ => return Err(bad("give `script` or `machine`, one of the two")),
            }
            ApiResult::Closed(ApiClosed { closed: true })
        }
        ApiMethod::Alphabet => ApiResult::Events(ApiEvents {
            events: kept.machine(request.machine()?)?.events(task)?,
        }),
        _ => ApiResult::Node(kept.node(request.machine()?, request.node()?, task)?),
    })
}

/// The things that are kept between requests, or the message that nothing is.
fn keeping<'k>(kept: &'k mut Option<&mut KeptWork>) -> Result<&'k mut KeptWork, Error> {
    kept.as_deref_mut().ok_or_else(|| {
        let message = "nothing is kept between requests here";
        let problem = Diagnostic::error("not-kept", message);
        problem
            .hint("`cspsym api` keeps scripts and machines")
            .into()
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
        ApiMethod::Assertion => {
            let one = assertion(script, request.picked(script)?);
            (ApiResult::Assertion(Box::new(one)), None)
        }
        ApiMethod::Evaluate => {
            let expression = request.expression()?;
            let value = script.evaluate(expression, options, task)?;
            let value = ValueReport {
                file: script.name().to_string(),
                expression: expression.to_string(),
                value: Some(value.text),
                elements: value.elements,
                message: None,
            };
            (ApiResult::Value(value), None)
        }
        ApiMethod::Type => {
            let expression = request.expression()?;
            let ty = TypeReport {
                file: script.name().to_string(),
                expression: expression.to_string(),
                ty: Some(script.type_of(expression)?),
                message: None,
            };
            (ApiResult::Type(ty), None)
        }
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
    let count = script.assertions().len();
    let constants = script.plain_constants().into_iter();
    ApiAssertions {
        assertions: (0..count).map(|index| assertion(script, index)).collect(),
        processes: script.processes(),
        constants: constants
            .map(|(name, value)| ApiConstant { name, value })
            .collect(),
        prints: prints(script),
        pictures: pictures(script.sources()),
    }
}

fn prints(script: &Script) -> Vec<ApiPrint> {
    let prints = script.prints().into_iter().enumerate();
    let print = |(index, text)| ApiPrint {
        text,
        place: PlaceReport::of(script.place_of_print(index), "", script.sources()),
    };
    prints.map(print).collect()
}

fn assertion(script: &Script, index: usize) -> ApiAssertion {
    let report = script.undecided(index, &Options::default());
    ApiAssertion {
        number: index + 1,
        text: script.assertions()[index].clone(),
        process: script.process_of(index),
        specification: script.specification_of(index),
        kind: report.kind,
        model: report.model,
        negated: report.negated,
        place: PlaceReport::of(script.place(index), "", script.sources()),
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
