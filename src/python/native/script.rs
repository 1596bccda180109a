//! A script that was read, and what can be asked about it.

use std::sync::Arc;

use cspsym::{Error, GraphOptions, Options, OwnChecks, Subject, Task};
use host::files::{Files, Readable, ReadingRule};
use host::load::Loaded;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use report::json::json;
use report::message::{MessageReport, PlaceReport};

use crate::answer::AnswerObject;
use crate::asking::{Listeners, ask, put};
use crate::failure::{exception, wrong_options};
use crate::graph::GraphObject;
use crate::keeper::Keeper;
use crate::settings::QuestionSettings;
use crate::states::{StatesKeeper, StatesObject, StatesSubject};
use crate::token::CancellationObject;

/// A script that was read.
#[pyclass(frozen, name = "Script", module = "cspsym._native")]
pub(crate) struct ScriptObject {
    script: Arc<cspsym::Script>,
    /// The messages about it, as JSON.
    messages: Vec<String>,
    /// The files that were read, it first.
    files: Vec<String>,
    /// The thread that keeps what checks share, and the options that it was made by.
    checks: Keeper<Option<(String, OwnChecks)>>,
    states: StatesKeeper,
}

type ProgressArgument<'py> = Option<Bound<'py, PyAny>>;
type TokenArgument<'py> = Option<Bound<'py, CancellationObject>>;

#[pymethods]
impl ScriptObject {
    /// Reads the script `file`, or the text that `files` has under this name, with all it includes.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        file: String,
        files: Vec<(String, String)>,
        words: Vec<String>,
    ) -> PyResult<Self> {
        let settings = QuestionSettings::read(py, &words)?;
        let root = settings.include_root();
        let definitions = settings.definitions().to_vec();
        let title = file.clone();
        let loaded = ask(py, &settings, &Listeners::default(), title, move |_| {
            let mut files = Files::with_open(files);
            if let Some(root) = root {
                files = files.within(Readable::within(Some(root), ReadingRule::IncludeRoot));
            }
            let loaded = Loaded::read(&file, &mut files, &definitions)?;
            let read = files.read_of(loaded.script.sources());
            Ok((loaded, read))
        })?;
        let (loaded, files) = loaded.map_err(|error| exception(py, &error))?;
        let messages = loaded.warnings(&settings.options());
        let sources = loaded.script.sources();
        let messages = messages.iter();
        let messages = messages.map(|message| MessageReport::of(message, sources).json());
        Ok(Self {
            messages: messages.collect(),
            files,
            script: loaded.script,
            checks: Keeper::default(),
            states: StatesKeeper::default(),
        })
    }

    /// A copy of the script with one more assertion, which stands behind all others.
    fn with_assertion(&self, py: Python<'_>, text: &str) -> PyResult<Self> {
        let script = self.script.with_assertion(text);
        Ok(Self {
            script: Arc::new(script.map_err(|error| exception(py, &error))?),
            messages: self.messages.clone(),
            files: self.files.clone(),
            checks: Keeper::default(),
            states: StatesKeeper::default(),
        })
    }

    /// The messages about the script, as JSON.
    fn messages(&self) -> Vec<String> {
        self.messages.clone()
    }

    /// The files that were read, the script first.
    fn files(&self) -> Vec<String> {
        self.files.clone()
    }

    /// Of each assertion: its text, its report before it is decided, and its place, both as JSON;
    /// its specification, and its process.
    #[allow(clippy::type_complexity, reason = "Python unpacks it at once")]
    fn assertions(&self) -> Vec<(String, String, String, Option<String>, Option<String>)> {
        let (script, options) = (&self.script, Options::default());
        let texts = script.assertions().into_iter().enumerate();
        let all = texts.map(|(index, text)| {
            let place = PlaceReport::of(script.place(index), "", script.sources());
            let specification = script.specification_of(index);
            let process = script.process_of(index);
            let report = script.undecided(index, &options).json();
            (text, report, json(&place), specification, process)
        });
        all.collect()
    }

    /// The expressions that the script prints.
    fn prints(&self) -> Vec<String> {
        self.script.prints()
    }

    /// The processes of the top level without parameters.
    fn processes(&self) -> Vec<String> {
        self.script.processes()
    }

    /// The other constants of the top level, with their definitions.
    fn constants(&self) -> Vec<(String, String)> {
        self.script.plain_constants()
    }

    /// Decides the assertion at `index`.
    #[pyo3(signature = (index, words, progress=None, cancellation=None))]
    fn check(
        &self,
        py: Python<'_>,
        index: usize,
        words: Vec<String>,
        progress: ProgressArgument<'_>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<AnswerObject> {
        let texts = self.script.assertions();
        let text = texts.get(index);
        let text = text.ok_or_else(|| PyIndexError::new_err("there is no such assertion"))?;
        let title = format!("assert {text}");
        let settings = QuestionSettings::read(py, &words)?;
        let folder = settings.folder().map_err(|error| exception(py, &error))?;
        let options = Options {
            storage: folder.as_ref().map(|folder| folder.storage.clone()),
            ..settings.options()
        };
        let listeners = Listeners {
            progress,
            cancellation,
        };
        let answer = put(py, &settings, &listeners, |monitor, sender| {
            let script = Arc::clone(&self.script);
            self.checks.order(move |kept| {
                let made_by = format!("{options:?}");
                let checks = match kept.take() {
                    Some((known, checks)) if known == made_by => checks,
                    _ => OwnChecks::new(script, options),
                };
                let (_, checks) = kept.insert((made_by, checks));
                let answer = monitor.turn_of(title, |task| checks.check(index, task));
                // The folder is free for the next check before the answer is there.
                drop(folder);
                // Nobody waits for work that was given up.
                let _ = sender.send(answer);
            })
        })?;
        Ok(AnswerObject::of(answer))
    }

    /// Decides whether `implementation` refines `specification`.
    #[pyo3(signature = (specification, implementation, words, progress=None, cancellation=None))]
    fn refine(
        &self,
        py: Python<'_>,
        specification: String,
        implementation: String,
        words: Vec<String>,
        progress: ProgressArgument<'_>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<AnswerObject> {
        let settings = QuestionSettings::read(py, &words)?;
        let folder = settings.folder().map_err(|error| exception(py, &error))?;
        let options = Options {
            storage: folder.as_ref().map(|folder| folder.storage.clone()),
            ..settings.options()
        };
        let listeners = Listeners {
            progress,
            cancellation,
        };
        let script = Arc::clone(&self.script);
        let title = format!("{specification} refined by {implementation}");
        let answer = ask(py, &settings, &listeners, title, move |task| {
            let answer = script.refine(&specification, &implementation, &options, task);
            drop(folder);
            answer
        })?;
        Ok(AnswerObject::of(answer))
    }

    /// The value of `expression`, as CSPm, and its elements if it is a finite set or sequence.
    #[pyo3(signature = (expression, words, cancellation=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        expression: String,
        words: Vec<String>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<(String, Option<Vec<String>>)> {
        let title = expression.clone();
        self.answer_of(
            py,
            &words,
            cancellation,
            title,
            move |script, options, task| {
                let value = script.evaluate(&expression, options, task)?;
                Ok((value.text, value.elements))
            },
        )
    }

    /// The type of `expression`, in FDR's notation.
    fn type_of(&self, py: Python<'_>, expression: String) -> PyResult<String> {
        let title = expression.clone();
        self.answer_of(py, &[], None, title, move |script, _, _| {
            script.type_of(&expression)
        })
    }

    /// The graph of `process`, or of it no more than so many states and steps from the start, made
    /// smaller by a compression.
    #[pyo3(signature = (process, words, most_states=None, depth=None, compression=None, cancellation=None))]
    #[allow(clippy::too_many_arguments, reason = "Python has names for them")]
    fn graph(
        &self,
        py: Python<'_>,
        process: String,
        words: Vec<String>,
        most_states: Option<usize>,
        depth: Option<usize>,
        compression: Option<String>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<GraphObject> {
        let compression = compression.map(|name| host::arguments::compression(&name));
        let compression = compression.transpose();
        let wanted = GraphOptions {
            most_states,
            depth,
            compression: compression.map_err(|message| wrong_options(py, &message))?,
            ..GraphOptions::default()
        };
        let title = process.clone();
        let graph = self.answer_of(
            py,
            &words,
            cancellation,
            title,
            move |script, options, task| script.graph(&process, &wanted, options, task),
        )?;
        Ok(GraphObject(graph))
    }

    /// The labels of the transitions of the machine that `process` is compiled to, and by state its
    /// steps: the position of a label, and the state to which it leads.
    #[allow(clippy::type_complexity, reason = "Python unpacks it at once")]
    fn transitions(
        &self,
        py: Python<'_>,
        process: String,
        words: Vec<String>,
    ) -> PyResult<(Vec<String>, Vec<Vec<(usize, usize)>>)> {
        let title = process.clone();
        let system = self.answer_of(py, &words, None, title, move |script, options, task| {
            script.transitions(&process, options, task)
        })?;
        Ok((system.labels, system.transitions))
    }

    /// The states of `process`.
    fn states(
        &self,
        py: Python<'_>,
        process: String,
        words: Vec<String>,
    ) -> PyResult<StatesObject> {
        let subject = StatesSubject::Process(process);
        let settings = QuestionSettings::read(py, &words)?;
        StatesObject::open(py, (&self.script, &self.states), subject, settings)
    }

    /// The states of the process of the assertion at `index`, the run of the counterexample in
    /// `answer` first.
    #[pyo3(signature = (index, answer, words))]
    fn states_of_assertion(
        &self,
        py: Python<'_>,
        index: usize,
        answer: Option<&AnswerObject>,
        words: Vec<String>,
    ) -> PyResult<StatesObject> {
        if index >= self.script.assertions().len() {
            return Err(PyIndexError::new_err("there is no such assertion"));
        }
        let report = answer.map(|answer| Box::new(answer.report().clone()));
        let subject = StatesSubject::Assertion(index, report);
        let settings = QuestionSettings::read(py, &words)?;
        StatesObject::open(py, (&self.script, &self.states), subject, settings)
    }

    /// The structured machine that `process` is compiled to, as JSON.
    #[pyo3(signature = (process, words, cancellation=None))]
    fn machine(
        &self,
        py: Python<'_>,
        process: String,
        words: Vec<String>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<String> {
        let title = process.clone();
        self.answer_of(
            py,
            &words,
            cancellation,
            title,
            move |script, options, task| Ok(json(&script.machine(&process, options, task)?)),
        )
    }

    /// The symmetries of the check of the assertion at `index`, as JSON.
    #[pyo3(signature = (index, words, cancellation=None))]
    fn symmetry(
        &self,
        py: Python<'_>,
        index: usize,
        words: Vec<String>,
        cancellation: TokenArgument<'_>,
    ) -> PyResult<String> {
        if index >= self.script.assertions().len() {
            return Err(PyIndexError::new_err("there is no such assertion"));
        }
        let title = "symmetries".to_string();
        self.answer_of(
            py,
            &words,
            cancellation,
            title,
            move |script, options, task| {
                Ok(json(&script.symmetry(
                    Subject::Assertion(index),
                    options,
                    task,
                )?))
            },
        )
    }
}

impl ScriptObject {
    /// The answer that the library gives to a question about this script.
    fn answer_of<T: Send + 'static>(
        &self,
        py: Python<'_>,
        words: &[String],
        cancellation: TokenArgument<'_>,
        title: String,
        question: impl FnOnce(&cspsym::Script, &Options, &Task) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let settings = QuestionSettings::read(py, words)?;
        let options = settings.options();
        let listeners = Listeners {
            cancellation,
            ..Listeners::default()
        };
        let script = Arc::clone(&self.script);
        let answer = ask(py, &settings, &listeners, title, move |task| {
            question(&script, &options, task)
        })?;
        answer.map_err(|error| exception(py, &error))
    }
}
