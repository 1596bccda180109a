//! A question at work: another thread works while the one of Python waits for it, listens to
//! Ctrl-C, and tells how far it is.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base::threads::STACK_BYTES;
use cspsym::Task;
use host::monitor::Monitor;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::settings::QuestionSettings;
use crate::token::CancellationObject;

/// The longest time between two looks for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(25);

/// The time that work gets to end once it is told to.
const PATIENCE: Duration = Duration::from_millis(300);

/// The time between two calls of a function that is told how far the work is.
const INTERVAL: Duration = Duration::from_millis(200);

/// The listeners of a question.
#[derive(Default)]
pub(crate) struct Listeners<'py> {
    /// A function that is called with how far the work is.
    pub(crate) progress: Option<Bound<'py, PyAny>>,
    /// A token that ends the work.
    pub(crate) cancellation: Option<Bound<'py, CancellationObject>>,
}

/// Puts a question: `begin` gets the monitor of the question, and has another thread send the
/// answer.
/// Returns the answer, or what has ended the wait: Ctrl-C, or an error of a listener.
pub(crate) fn put<T: Send>(
    py: Python<'_>,
    settings: &QuestionSettings,
    listeners: &Listeners<'_>,
    begin: impl FnOnce(Arc<Monitor>, Sender<T>) -> std::io::Result<()>,
) -> PyResult<T> {
    let monitor = Arc::new(settings.monitor());
    if let Some(token) = &listeners.cancellation {
        token.get().ends(monitor.cancellation());
    }
    let (sender, answer) = channel();
    // A receiver belongs to one thread, but waiting for it lets others run.
    let answer = Mutex::new(answer);
    begin(Arc::clone(&monitor), sender)?;
    let mut told = Instant::now();
    loop {
        if let Some(answer) = within(py, &answer, monitor.pause().min(PAUSE))? {
            return Ok(answer);
        }
        monitor.look();
        let heard = py.check_signals().and_then(|()| match &listeners.progress {
            Some(listener) if told.elapsed() >= INTERVAL => {
                told = Instant::now();
                tell(py, listener, &monitor)
            }
            _ => Ok(()),
        });
        if let Err(ended) = heard {
            monitor.cancellation().cancel();
            // Work ends within moments as a rule. Where it does not, nobody waits for it: what is
            // asked next of the same script begins once it has ended.
            let _ = within(py, &answer, PATIENCE);
            return Err(ended);
        }
    }
}

/// Has a thread of its own do `work` on a question with this `title`, and returns what that gives,
/// or what has ended the wait.
pub(crate) fn ask<T: Send + 'static>(
    py: Python<'_>,
    settings: &QuestionSettings,
    listeners: &Listeners<'_>,
    title: String,
    work: impl FnOnce(&Task) -> T + Send + 'static,
) -> PyResult<T> {
    put(py, settings, listeners, |monitor, sender| {
        let worker = thread::Builder::new().name("cspsym question".to_string());
        let worker = worker.stack_size(STACK_BYTES).spawn(move || {
            // Nobody waits for work that was given up.
            let _ = sender.send(monitor.turn_of(title, work));
        });
        worker.map(drop)
    })
}

/// The answer, if it comes within `time`.
fn within<T: Send>(
    py: Python<'_>,
    answer: &Mutex<Receiver<T>>,
    time: Duration,
) -> PyResult<Option<T>> {
    let came = py.detach(|| match answer.lock() {
        Ok(answer) => answer.recv_timeout(time),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    });
    match came {
        Ok(answer) => Ok(Some(answer)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(PyRuntimeError::new_err(
            "the thread that works on this has ended; please report this as a bug of cspsym",
        )),
    }
}

/// Tells the `listener` how far the work is.
fn tell(py: Python<'_>, listener: &Bound<'_, PyAny>, monitor: &Monitor) -> PyResult<()> {
    // Who works may hold the lock for a moment: that is told of next time.
    let Some(work) = monitor.work_within(Duration::ZERO) else {
        return Ok(());
    };
    let now = Instant::now();
    let numbers = work.statistics;
    let facts = PyDict::new(py);
    facts.set_item("question", &work.title)?;
    facts.set_item("doing", work.doing())?;
    facts.set_item("strategy", work.strategy())?;
    facts.set_item("seconds", work.started.elapsed().as_secs_f64())?;
    facts.set_item("steps", work.steps)?;
    facts.set_item("states", numbers.map(|numbers| numbers.states))?;
    facts.set_item("transitions", numbers.map(|numbers| numbers.transitions))?;
    facts.set_item("levels", numbers.map(|numbers| numbers.levels))?;
    facts.set_item("waiting", numbers.map(|_| work.waiting))?;
    facts.set_item("states_per_second", work.rate(now))?;
    drop(work);
    facts.set_item("memory_bytes", host::memory::resident())?;
    listener.call1((facts,))?;
    Ok(())
}
