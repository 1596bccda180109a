//! The work on a request: its token, its progress, and the lines that tell of it.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use base::cancel::{Cancellation, Ends, Phase, Reason};
use base::diag::Diagnostic;
use checker::{Options, Progress, Task, Work};
use host::memory::{Memory, resident};
use report::api::{ApiDecided, ApiNews, ApiProgress};
use report::json::json;

use super::request::{ApiRequest, WorkLength, WorkTimes};

/// The time between two looks at the memory.
const PAUSE: Duration = Duration::from_millis(50);

/// The time between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(200);

/// Takes the lines that come before an answer, without the newline, on any thread.
pub(in super::super) type Hear = Arc<dyn Fn(String) + Send + Sync>;

/// A request with all that its answer depends on.
pub(super) struct AskedRequest {
    pub(super) id: Value,
    pub(super) request: ApiRequest,
    pub(super) options: Options,
    pub(super) memory: Arc<Memory>,
    pub(super) times: WorkTimes,
}

/// A request that is being answered.
pub(super) struct ApiWork {
    asked: AskedRequest,
    /// The token and the progress of the whole work.
    pub(super) task: Task,
    hear: Hear,
}

impl ApiWork {
    /// Begins the work that `asked` needs. It ends when `cancellation` says so.
    pub(super) fn begin(asked: AskedRequest, cancellation: &Cancellation, hear: Hear) -> Self {
        // Each assertion has a bound on the memory for itself.
        let memory = (!asked.request.is_check()).then_some(&asked.memory);
        let task = Task {
            cancellation: ending(asked.times.whole, memory, cancellation),
            progress: told(&asked, None, &hear),
        };
        Self { asked, task, hear }
    }

    pub(super) fn request(&self) -> &ApiRequest {
        &self.asked.request
    }

    pub(super) fn options(&self) -> &Options {
        &self.asked.options
    }

    /// Does `work` on the assertion with this `number`, in the time that each may take.
    pub(super) fn turn<T>(&self, number: usize, title: &str, work: impl FnOnce(&Task) -> T) -> T {
        let asked = &self.asked;
        let (each, whole) = (asked.times.each, &self.task.cancellation);
        let task = Task {
            cancellation: ending(each, Some(&asked.memory), whole),
            progress: told(asked, Some(number), &self.hear),
        };
        task.progress.begin(title.to_string(), Phase::Evaluation);
        self.tell(|| ApiNews {
            id: asked.id.clone(),
            progress: Some(progress(&task.progress.work(), Some(number))),
            decided: None,
        });
        self.watched(&task, || work(&task))
    }

    /// Tells that an assertion was `decided`, if news are wanted.
    pub(super) fn decided(&self, decided: &ApiDecided) {
        self.tell(|| ApiNews {
            id: self.asked.id.clone(),
            progress: None,
            decided: Some(Box::new(decided.clone())),
        });
    }

    fn tell(&self, news: impl FnOnce() -> ApiNews) {
        if self.asked.request.progress {
            (self.hear)(json(&news()));
        }
    }

    /// Does `work` under the token of `task`. If it may take long, it ends where there is not
    /// enough memory.
    pub(super) fn watched<T>(&self, task: &Task, work: impl FnOnce() -> T) -> T {
        let cancellation = task.cancellation.clone();
        let (done, waiting) = mpsc::channel::<()>();
        let look = move || {
            while waiting.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                cancellation.look_at_memory(0);
            }
        };
        // If no thread can be started, as in WebAssembly, only searches look at the memory
        // themselves. Quick work is not ended because other work takes memory.
        let quick = [WorkLength::Editor, WorkLength::Short];
        let is_long = !quick.contains(&self.asked.request.takes());
        let _ = is_long.then(|| thread::Builder::new().spawn(look));
        let outcome = work();
        drop(done);
        outcome
    }
}

/// The progress of work on the request, or on the assertion with this number. `hear` is told of it
/// if that is wanted.
fn told(asked: &AskedRequest, assertion: Option<usize>, hear: &Hear) -> Arc<Progress> {
    if !asked.request.progress {
        return Arc::default();
    }
    let (hear, id) = (hear.clone(), asked.id.clone());
    Arc::new(Progress::told_every(INTERVAL, move |work| {
        hear(json(&ApiNews {
            id: id.clone(),
            progress: Some(progress(work, assertion)),
            decided: None,
        }));
    }))
}

/// A token for work that may take this `time`, as a part of the `whole`.
fn ending(
    time: Option<Duration>,
    memory: Option<&Arc<Memory>>,
    whole: &Cancellation,
) -> Cancellation {
    let words = memory.cloned().map(|memory| {
        let words = move |reason| match reason {
            Reason::Memory(number) => {
                let bound = memory.bound(number).words();
                let message = format!("more memory is needed than {bound}");
                Diagnostic::undecided("memory-limit", message)
            }
            _ => reason.message(),
        };
        Box::new(words) as _
    });
    Cancellation::ending(Ends {
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        memory: memory.map(|memory| memory.clone() as _),
        words,
        whole: Some(whole.clone()),
        ..Ends::default()
    })
}

/// The numbers of `work` now, on the assertion with this number if there is one.
fn progress(work: &Work, assertion: Option<usize>) -> ApiProgress {
    let now = Instant::now();
    let searched = work.statistics.filter(|_| work.phase == Phase::Search);
    ApiProgress {
        assertion,
        doing: work.doing(),
        strategy: work.strategy(),
        states: searched.map(|searched| searched.states),
        waiting: searched.map(|_| work.waiting),
        level: searched.map(|searched| searched.levels),
        per_second: work.rate(now),
        memory_bytes: resident(),
        seconds: now.saturating_duration_since(work.started).as_secs_f64(),
    }
}
