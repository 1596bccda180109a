//! The states of a process, which Python asks for one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use cspsym::{Error, Options, ProcessNodes, Task, WalkSubject};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use report::assertion::AssertionReport;
use report::node::NodeReport;

use crate::asking::{Listeners, put};
use crate::failure::exception;
use crate::keeper::Keeper;
use crate::settings::QuestionSettings;

/// The states of processes of a script, by numbers.
#[derive(Default)]
pub(crate) struct KeptStates {
    last: u64,
    all: BTreeMap<u64, ProcessNodes>,
}

/// The thread that keeps the states of a script.
pub(crate) type StatesKeeper = Arc<Keeper<KeptStates>>;

/// The process whose states are asked for.
pub(crate) enum StatesSubject {
    /// A process.
    Process(String),
    /// The process of an assertion, and the run of its counterexample if there is a report.
    Assertion(usize, Option<Box<AssertionReport>>),
}

/// The states of a process.
#[pyclass(frozen, name = "States", module = "cspsym._native")]
pub(crate) struct StatesObject {
    keeper: StatesKeeper,
    number: u64,
    settings: QuestionSettings,
    /// The process as CSPm.
    process: String,
    /// The run that they were opened with: labels, and the states to which the steps lead.
    path: Vec<(String, usize)>,
}

impl StatesObject {
    /// Opens the states of `subject`.
    pub(crate) fn open(
        py: Python<'_>,
        (script, keeper): (&Arc<cspsym::Script>, &StatesKeeper),
        subject: StatesSubject,
        settings: QuestionSettings,
    ) -> PyResult<Self> {
        let (script, options) = (Arc::clone(script), settings.options());
        let opened = put(py, &settings, &Listeners::default(), |monitor, sender| {
            keeper.order(move |kept| {
                let title = "states".to_string();
                let opened =
                    monitor.turn_of(title, |task| nodes(&script, &subject, &options, task));
                let opened = opened.map(|nodes| {
                    kept.last += 1;
                    let path = nodes.path().iter();
                    let path = path.map(|step| (step.label.clone(), step.to));
                    let opened = (kept.last, nodes.process().to_string(), path.collect());
                    kept.all.insert(kept.last, nodes);
                    opened
                });
                if sender.send(opened).is_err() {
                    // Nobody waits for work that was given up.
                    kept.all.remove(&kept.last);
                }
            })
        })?;
        let (number, process, path) = opened.map_err(|error| exception(py, &error))?;
        Ok(Self {
            keeper: Arc::clone(keeper),
            number,
            settings,
            process,
            path,
        })
    }

    /// The answer of these states to a `question`.
    fn answer<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut ProcessNodes, &Task) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let number = self.number;
        let answer = put(
            py,
            &self.settings,
            &Listeners::default(),
            |monitor, sender| {
                self.keeper.order(move |kept| {
                    let nodes = kept.all.get_mut(&number);
                    let answer = nodes.map(|nodes| {
                        monitor.turn_of("states".to_string(), |task| question(nodes, task))
                    });
                    // Nobody waits for work that was given up.
                    let _ = sender.send(answer);
                })
            },
        )?;
        let answer = answer.ok_or_else(|| {
            PyRuntimeError::new_err("these states were lost; please report this as a bug of cspsym")
        })?;
        answer.map_err(|error| exception(py, &error))
    }

    fn node(&self, py: Python<'_>, node: usize) -> PyResult<NodeReport> {
        let found = self.answer(py, move |nodes, task| nodes.node(node, task))?;
        found.ok_or_else(|| PyIndexError::new_err("no state with this number was met"))
    }
}

#[pymethods]
impl StatesObject {
    /// The process as CSPm.
    fn process(&self) -> &str {
        &self.process
    }

    /// The run of the counterexample that they were opened with: labels, and the states to which
    /// the steps lead.
    fn path(&self) -> Vec<(String, usize)> {
        self.path.clone()
    }

    /// The process that this has become in a state, as CSPm.
    fn term(&self, py: Python<'_>, node: usize) -> PyResult<String> {
        Ok(self.node(py, node)?.term)
    }

    /// The steps of a state: the label, what was hidden, and the state to which it leads.
    fn steps(&self, py: Python<'_>, node: usize) -> PyResult<Vec<(String, Vec<String>, usize)>> {
        let steps = self.node(py, node)?.transitions.into_iter();
        let steps = steps.map(|step| (step.label, step.hidden, step.to));
        Ok(steps.collect())
    }

    /// The visible events that the process may do.
    fn alphabet(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.answer(py, |nodes, task| nodes.events(task))
    }
}

impl Drop for StatesObject {
    fn drop(&mut self) {
        let number = self.number;
        // Where the thread is gone, so is what it kept.
        let _ = self.keeper.order(move |kept| {
            kept.all.remove(&number);
        });
    }
}

/// The states of `subject`.
fn nodes(
    script: &cspsym::Script,
    subject: &StatesSubject,
    options: &Options,
    task: &Task,
) -> Result<ProcessNodes, Error> {
    let (subject, report) = match subject {
        StatesSubject::Process(text) => (WalkSubject::Process(text), None),
        StatesSubject::Assertion(index, report) => {
            (WalkSubject::Assertion(*index), report.as_deref())
        }
    };
    script.nodes(subject, report, options, task)
}
