//! A request that was read, and the work on it.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use base::cancel::{Cancellation, Ends, Phase, Reason};
use base::diag::Diagnostic;
use checker::{Options, Progress, Task, Work};
use host::fault::caught;
use host::files::Readable;
use host::memory::{Memory, resident};
use report::api::{ApiAnswer, ApiDecided, ApiNews, ApiProgress, ApiResult};
use report::json::json;

use super::methods::{self, refused};
use super::request::{ApiMethod, ApiRequest, WorkTimes, bad};

/// The time between two looks at the memory.
const PAUSE: Duration = Duration::from_millis(50);

/// The time between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(200);

/// Takes the lines that come before an answer, without the newline, on any thread.
pub(in super::super) type Hear = Arc<dyn Fn(String) + Send + Sync>;

/// A request that was read, the options for its answer, and what ends the work.
pub(in super::super) struct ApiQuestion {
    id: Value,
    request: ApiRequest,
    options: Options,
    memory: Arc<Memory>,
    times: WorkTimes,
    cancellation: Cancellation,
}

impl ApiQuestion {
    /// The question in `line`, or the answer with the reason why it is no request.
    pub(in super::super) fn read(line: &[u8]) -> Result<Self, String> {
        let refused = |id, reason: &str| with_id(id, refused(&bad(reason)));
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return Err(refused(Value::Null, &format!("it is no JSON: {error}"))),
        };
        if !value.is_object() {
            return Err(refused(Value::Null, "it is no JSON object"));
        }
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        let request = serde_json::from_value(value).map_err(|error| error.to_string());
        let all = request.and_then(|request: ApiRequest| {
            let times = request.times()?;
            let (options, memory) = request.options()?;
            Ok((request, options, memory, times))
        });
        let (request, options, memory, times) = all.map_err(|why| refused(id.clone(), &why))?;
        Ok(Self {
            id,
            request,
            options,
            memory: Arc::new(memory),
            times,
            cancellation: Cancellation::new(),
        })
    }

    pub(super) fn id(&self) -> &Value {
        &self.id
    }

    /// The token by which the work is ended from outside.
    pub(in super::super) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// The thread that the work belongs to: others should not have to wait for what takes long.
    pub(in super::super) fn takes(&self) -> WorkLength {
        self.request.takes()
    }

    /// True if lines about the work are wanted before the answer.
    pub(in super::super) fn wants_news(&self) -> bool {
        self.request.progress
    }

    /// The id of the request that this one stops, if it is there to stop one.
    pub(super) fn stops(&self) -> Option<&Value> {
        let is_stop = self.request.method == ApiMethod::Stop;
        // A request without an id cannot be named.
        self.request
            .stops
            .as_ref()
            .filter(|id| is_stop && !id.is_null())
    }

    /// The answer with this `result`.
    pub(super) fn answered(&self, result: ApiResult) -> String {
        with_id(self.id.clone(), methods::plain(result))
    }

    /// The answer, in one line without the newline. A failure is an answer too. Lines about the
    /// work go to `hear` before, if they are wanted.
    pub(in super::super) fn answer(self, readable: &Readable, hear: Hear) -> String {
        let id = self.id.clone();
        let work = ApiWork {
            task: self.task(&hear),
            hear,
            question: self,
        };
        let answer = work.watched(&work.task, || caught(|| methods::answer(&work, readable)));
        with_id(
            id,
            answer.unwrap_or_else(|problem| refused(&problem.into())),
        )
    }

    /// The task of the whole request.
    fn task(&self, hear: &Hear) -> Task {
        // Each assertion of many has a bound on the memory for itself.
        let memory = (!self.request.has_turns()).then_some(&self.memory);
        Task {
            cancellation: ending(self.times.whole, memory, &self.cancellation),
            progress: self.told(None, hear),
        }
    }

    /// The progress of work on the question, or on the assertion with this number.
    fn told(&self, assertion: Option<usize>, hear: &Hear) -> Arc<Progress> {
        if !self.request.progress {
            return Arc::default();
        }
        let (hear, id) = (hear.clone(), self.id.clone());
        Arc::new(Progress::told_every(INTERVAL, move |work| {
            hear(json(&ApiNews {
                id: id.clone(),
                progress: Some(progress(work, assertion)),
                decided: None,
            }));
        }))
    }
}

/// The lengths that work may have. Each has a thread of its own where several requests are answered
/// at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum WorkLength {
    /// It is about the text that is being written.
    Editor,
    /// It is quick.
    Short,
    /// It compiles or searches, for one answer.
    Long,
    /// It decides assertions, perhaps all of them.
    Longest,
}

/// A question that is being answered.
pub(super) struct ApiWork {
    question: ApiQuestion,
    /// The token and the progress of the whole work.
    pub(super) task: Task,
    hear: Hear,
}

impl ApiWork {
    pub(super) fn request(&self) -> &ApiRequest {
        &self.question.request
    }

    pub(super) fn options(&self) -> &Options {
        &self.question.options
    }

    /// Does `work` on the assertion with this `number`, in the time that each may take.
    pub(super) fn turn<T>(&self, number: usize, title: &str, work: impl FnOnce(&Task) -> T) -> T {
        let question = &self.question;
        let (each, whole) = (question.times.each, &self.task.cancellation);
        let task = Task {
            cancellation: ending(each, Some(&question.memory), whole),
            progress: question.told(Some(number), &self.hear),
        };
        task.progress.begin(title.to_string(), Phase::Evaluation);
        self.watched(&task, || work(&task))
    }

    /// Tells that an assertion was `decided`, if news are wanted.
    pub(super) fn tell(&self, decided: &ApiDecided) {
        if self.question.request.progress {
            (self.hear)(json(&ApiNews {
                id: self.question.id.clone(),
                progress: None,
                decided: Some(Box::new(decided.clone())),
            }));
        }
    }

    /// Does `work` under the token of `task`. If it may take long, it ends where there is not enough
    /// memory.
    fn watched<T>(&self, task: &Task, work: impl FnOnce() -> T) -> T {
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
        let is_long = !quick.contains(&self.question.takes());
        let _ = is_long.then(|| thread::Builder::new().spawn(look));
        let outcome = work();
        drop(done);
        outcome
    }
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

/// How far `work` is, on the assertion with this number if there is one.
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

/// `answer` to the request `id`, as JSON.
fn with_id(id: Value, answer: ApiAnswer) -> String {
    json(&ApiAnswer { id, ..answer })
}
