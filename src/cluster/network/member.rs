//! A process of a cluster: its connections, its dataflow, and its part in the exchange.

use std::fmt;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::arrivals::{Arrivals, Arrived, locked};
use super::connect::{ConnectionPlan, connect};
use super::control::{BeatWaiting, ControlLines, ControlMessage, cut};
use super::course::{Course, LAST_QUESTION};
use super::engine::{Engine, EngineOrder};
use super::health::{Health, NewsListener, name};
use super::secret::SecretKey;
use super::words::ParcelWords;
use crate::exchange::{Exchange, Received, ShareProgress, Until};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};

/// The place of a process in a cluster.
pub struct ClusterPlace {
    /// The addresses of all processes of the cluster, `host:port` each: an equal list for all.
    pub addresses: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// The listener that the processes after this one connect to; absent if there are none.
    pub listener: Option<TcpListener>,
    /// The secret that all processes of the cluster know, and no others.
    pub secret: Vec<u8>,
    /// The time to wait until all have come.
    pub wait: Duration,
    /// The time for which a process may be silent.
    pub patience: Duration,
}

/// A process that has joined its cluster.
///
/// It goes through *questions* with increasing numbers; each has phases of its own. A process may
/// leave a question before its end, and says so by [`Exchange::stop`]. Then no process can answer
/// the question.
pub struct ClusterMember {
    addresses: Vec<String>,
    process: usize,
    course: Mutex<Course>,
    /// The last question that this process has stopped; 0 if none.
    stopped: AtomicU64,
    engine: Engine,
    arrivals: Arc<Arrivals>,
    health: Arc<Health>,
    control: Arc<ControlLines>,
    /// The data connections, which have to be closed.
    data: Vec<TcpStream>,
    sent_parcels: AtomicU64,
    refused: u64,
    is_closed: AtomicBool,
}

/// The label of a parcel that says that its sender sends no more, at a time that is not the end of
/// a phase. It goes with the dataflow, so that a process that finds a phase to be over has seen it.
const FAREWELL: u32 = u32::MAX;

/// The word of a farewell: the sender leaves the question.
const LEAVES_QUESTION: u64 = 0;
const LEAVES_CLUSTER: u64 = 1;

/// The time between two looks of a waiting thread whether the work is to end.
const LOOK: Duration = Duration::from_millis(50);

/// The longest time that a finished process waits for others, which may need its last parcels.
const FAREWELL_TIME: Duration = Duration::from_secs(5);

impl ClusterMember {
    /// Joins the cluster. Returns when all processes are there. `listener` gets the news of the
    /// others. `ended` is asked now and then for a process that is known to have ended, for which
    /// waiting is useless.
    pub fn join(
        place: ClusterPlace,
        token: &Cancellation,
        listener: NewsListener,
        ended: &mut dyn FnMut() -> Option<usize>,
    ) -> Result<Self> {
        let waiting = BeatWaiting {
            patience: place.patience,
            first: place.wait.max(place.patience),
        };
        let opening = ConnectionPlan {
            addresses: place.addresses.clone(),
            process: place.process,
            key: SecretKey::new(&place.secret),
            wait: place.wait,
        };
        let connections = connect(opening, place.listener, token, ended)?;
        let (addresses, process) = (place.addresses, place.process);
        let arrivals = Arc::new(Arrivals::default());
        let health = Health::new(addresses.clone(), process, arrivals.clone(), listener);
        let health = Arc::new(health);
        let start = || -> io::Result<_> {
            let open = connections.data.iter().flatten();
            let data = open.map(TcpStream::try_clone).collect::<io::Result<_>>()?;
            let control = ControlLines::open(connections.control, &health, waiting)?;
            let (arrivals, health) = (arrivals.clone(), health.clone());
            let engine = Engine::start(connections.data, process, arrivals, health)?;
            Ok((data, control, engine))
        };
        let (data, control, engine) = start().map_err(|error| {
            let name = name(&addresses, process);
            let message = format!("{name} cannot join: {error}");
            Box::new(Diagnostic::error("cluster-not-joined", message))
        })?;
        Ok(Self {
            addresses,
            process,
            course: Mutex::default(),
            stopped: AtomicU64::new(0),
            engine,
            arrivals,
            health,
            control,
            data,
            sent_parcels: AtomicU64::new(0),
            refused: connections.refused,
            is_closed: AtomicBool::new(false),
        })
    }

    /// Begins a question. Its number must be at least 1 and greater than the one before. Parcels
    /// that are still sent for earlier questions are thrown away. If another process has stopped
    /// this question, the listener is told now.
    pub fn begin(&self, question: u64) {
        if question > LAST_QUESTION {
            self.too_far();
            return;
        }
        let (time, entered) = locked(&self.course).begin(question);
        self.engine.order(EngineOrder::Advance(time));
        self.engine.order(EngineOrder::Entered(entered));
        self.health.begin(question);
    }

    /// Ends the run for all: the others fail with the text `message`.
    pub fn end(&self, message: &str) {
        let message = cut(message);
        self.control.say(&ControlMessage::End { message });
    }

    /// Says good-bye, and waits a short time until the others need nothing of this process any
    /// more. After a failure, tells the others of it. Later calls do nothing.
    pub fn close(&self) {
        if self.is_closed.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some(failure) = self.health.failure() {
            // A good-bye would say that all is well. The others find it out too, but maybe later.
            let message = cut(&failure.message);
            self.control.say(&ControlMessage::Failed { message });
            self.disconnect();
            return;
        }
        self.health.set_ending();
        self.say_farewell(LEAVES_CLUSTER);
        self.engine.order(EngineOrder::End);
        self.control.say(&ControlMessage::Bye);
        let start = Instant::now();
        let mut since_last_bye = None;
        while !self.engine.is_over() && start.elapsed() < FAREWELL_TIME {
            if self.health.all_said_bye() {
                // All others have said good-bye, but some may not have ended their dataflow.
                let since = since_last_bye.get_or_insert_with(Instant::now);
                if since.elapsed() > LOOK * 10 {
                    break;
                }
            }
            thread::sleep(LOOK / 10);
        }
        self.disconnect();
    }

    /// The number of bytes sent to other processes for parcels, with all overhead.
    pub fn sent_bytes(&self) -> u64 {
        self.health.sent_bytes.load(Ordering::Relaxed)
    }

    /// The number of parcels sent, including those to this process itself.
    #[cfg(test)]
    pub(crate) fn sent_parcels(&self) -> u64 {
        self.sent_parcels.load(Ordering::Relaxed)
    }

    /// The number of strangers that were refused while the cluster was joined.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// The reason why the run cannot go on; `None` if it can.
    pub fn failure(&self) -> Option<Diagnostic> {
        self.health.failure()
    }

    /// The name of a process in messages.
    pub fn name(&self, process: usize) -> String {
        name(&self.addresses, process)
    }

    fn say_farewell(&self, why: u64) {
        for target in (0..self.addresses.len()).filter(|&other| other != self.process) {
            let parcel = ParcelWords::new(self.process, target, FAREWELL, vec![why]);
            self.engine.order(EngineOrder::Send(parcel));
        }
    }

    fn disconnect(&self) {
        self.health.set_ending();
        self.control.close();
        for tcp in &self.data {
            let _ = tcp.shutdown(Shutdown::Both);
        }
    }

    /// Notes that there is no later time.
    fn too_far(&self) {
        let message = "a search on several processes has too many levels or questions";
        self.health
            .fail(Diagnostic::undecided("cluster-failed", message));
    }

    /// The news for the searching thread, without waiting.
    fn look(&self, until: Until) -> ReceiveLook {
        let mut course = locked(&self.course);
        let frontier = self.arrivals.take(&mut course.waiting);
        while let Some(arrived) = course.next() {
            if let Some(look) = self.open(&mut course, arrived) {
                return look;
            }
        }
        if course.is_left {
            return ReceiveLook::Wait(frontier);
        }
        match until {
            Until::RoundMayBegin if course.may_begin_round(frontier) => {
                ReceiveLook::Say(Received::Nothing)
            }
            Until::PhaseIsOver if course.is_over(frontier) => {
                if !course.next_phase() {
                    return ReceiveLook::TooFar;
                }
                ReceiveLook::Say(Received::Nothing)
            }
            _ => ReceiveLook::Wait(frontier),
        }
    }

    /// Opens a parcel. One that is not for the searching thread is noted, and acknowledged at once.
    fn open(&self, course: &mut Course, arrived: Arrived) -> Option<ReceiveLook> {
        let parcel = arrived.parcel.open();
        let is_farewell = parcel.label == FAREWELL;
        let is_past = course.is_past(arrived.time);
        if parcel.from >= self.addresses.len() {
            return Some(ReceiveLook::Lost(parcel.from, "it does not say who it is"));
        }
        if !is_farewell && !is_past {
            course.handed.push_back(arrived.number);
            return Some(ReceiveLook::Say(Received::Parcel(parcel)));
        }
        let leaves_cluster = is_farewell && parcel.words == [LEAVES_CLUSTER];
        if leaves_cluster || is_farewell && course.is_of_question(arrived.time) {
            // Before it is acknowledged: it keeps the phase from being found to be over.
            course.is_left = true;
        }
        self.engine
            .order(EngineOrder::Entered(vec![arrived.number]));
        leaves_cluster.then_some(ReceiveLook::Lost(parcel.from, "it has ended its work"))
    }
}

/// The result of a look at the parcels that have come.
enum ReceiveLook {
    /// There is news.
    Say(Received),
    /// There is none, at this frontier.
    Wait(u64),
    /// A process takes no part any more.
    Lost(usize, &'static str),
    /// There is no time for another phase.
    TooFar,
}

impl Exchange for ClusterMember {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.addresses.len()
    }

    fn send(&self, target: usize, label: u32, words: Vec<u64>) {
        debug_assert!(label != FAREWELL, "this label is taken");
        // After a failure nobody would take it out of the memory.
        if words.is_empty() || self.health.has_failed() {
            return;
        }
        self.sent_parcels.fetch_add(1, Ordering::Relaxed);
        let parcel = ParcelWords::new(self.process, target, label, words);
        self.engine.order(EngineOrder::Send(parcel));
    }

    fn end_round(&self) {
        if let Some(time) = locked(&self.course).end_round() {
            self.engine.order(EngineOrder::Advance(time));
        }
    }

    fn end_phase(&self) {
        if let Some(time) = locked(&self.course).end_phase() {
            self.engine.order(EngineOrder::Advance(time));
        }
    }

    fn receive(&self, until: Until, token: &Cancellation) -> Received {
        if until == Until::PhaseIsOver {
            self.end_phase();
        }
        loop {
            if self.health.has_failed() || token.reason().is_some() {
                return Received::Ended;
            }
            match self.look(until) {
                ReceiveLook::Say(received) => return received,
                ReceiveLook::Wait(frontier) => self.arrivals.wait(frontier, LOOK),
                // No lock is held here: the listener may call this member.
                ReceiveLook::Lost(peer, how) => self.health.lose(peer, how),
                ReceiveLook::TooFar => self.too_far(),
            }
        }
    }

    fn entered(&self, count: usize) {
        let mut course = locked(&self.course);
        let count = count.min(course.handed.len());
        let numbers = course.handed.drain(..count).collect();
        drop(course);
        self.engine.order(EngineOrder::Entered(numbers));
    }

    fn stop(&self, why: &Diagnostic) {
        let question = locked(&self.course).question();
        if self.stopped.swap(question, Ordering::SeqCst) == question && question > 0 {
            return;
        }
        let message = cut(&why.message);
        // First to all who can hear it at once; the farewell only keeps them from an answer.
        self.control
            .say(&ControlMessage::Stop { question, message });
        self.say_farewell(LEAVES_QUESTION);
    }

    fn tell(&self, now: ShareProgress) {
        self.health.set_own(now);
    }

    fn told(&self) -> ShareProgress {
        self.health.others()
    }
}

impl fmt::Debug for ClusterMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let processes = self.addresses.len();
        write!(f, "<process {} of {processes}>", self.process)
    }
}

impl Drop for ClusterMember {
    /// Drops the connections. Without [`ClusterMember::close`] this looks like a loss to others.
    fn drop(&mut self) {
        self.disconnect();
    }
}
