//! Opens the connections between all processes, and lets no stranger in.
//!
//! A process connects to all processes before it in the list, and is connected to by all after it.
//! There are two connections for each, for parcels and for control.

use std::io;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::health::{name, seconds};
use super::secret::{self, ConnectionKind, Distrust, Hello, SecretKey, TimedConnection};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::number;

/// A process that opens its connections.
pub(super) struct ConnectionPlan {
    /// All processes, `host:port` each.
    pub(super) addresses: Vec<String>,
    /// The number of this process.
    pub(super) process: usize,
    /// The key that all processes know.
    pub(super) key: SecretKey,
    /// The time to wait for the others.
    pub(super) wait: Duration,
}

/// The connections to all others, by process.
pub(super) struct Connections {
    /// For parcels.
    pub(super) data: Vec<Option<TcpStream>>,
    /// For control.
    pub(super) control: Vec<Option<TcpStream>>,
    /// The number of strangers that were refused.
    pub(super) refused: u64,
}

/// The time in which a stranger has to prove that it belongs to the cluster.
const PATIENCE: Duration = Duration::from_secs(2);

/// The largest number of strangers that are heard at once. More are refused, so that strangers take
/// no memory or threads without bound.
const MOST_AT_ONCE: usize = 64;

/// The pause before trying again, or looking again at what has come.
const PAUSE: Duration = Duration::from_millis(20);

/// The answers to a process that has proved that it knows the secret.
const ADMITTED: u8 = 1;
const THERE_ALREADY: u8 = 2;

/// The events that threads report while they speak with others.
enum MeetingEvent {
    /// A connection to a process before this one is open.
    Opened(usize, ConnectionKind, TcpStream),
    /// A process after this one, which knows the secret, has opened a connection.
    Accepted(Hello, TcpStream),
    /// A stranger was refused. `is_like_us` says that it claimed to be a process of this program.
    Refused { is_like_us: bool },
    /// A process cannot be reached at present.
    Unreached(usize, String),
    /// Waiting is useless.
    Hopeless(Diagnostic),
}

/// The state of opening connections.
struct Meeting {
    own: Arc<ConnectionPlan>,
    found: [Vec<Option<TcpStream>>; 2],
    /// The reason why each process was not reached at the last attempt.
    unreached: Vec<Option<String>>,
    refused: u64,
    /// The number of refused strangers that claimed to be processes of this program.
    refused_like_us: u64,
    until: Instant,
}

/// Opens all connections. The port of `listener` is closed when they are open. It may be absent if
/// no process comes after this one. `ended` names a process that is known to have ended.
pub(super) fn connect(
    opening: ConnectionPlan,
    listener: Option<TcpListener>,
    token: &Cancellation,
    ended: &mut dyn FnMut() -> Option<usize>,
) -> Result<Connections> {
    let own = Arc::new(opening);
    if let Some(listener) = &listener {
        // One thread looks at the listener, and at all other events.
        let nonblocking = listener.set_nonblocking(true);
        nonblocking.map_err(|error| Box::new(own.broken(&error)))?;
    }
    let (events, found) = channel();
    let is_over = Arc::new(AtomicBool::new(false));
    let none = || own.addresses.iter().map(|_| None).collect();
    let mut meeting = Meeting {
        found: [none(), none()],
        unreached: vec![None; own.addresses.len()],
        refused: 0,
        refused_like_us: 0,
        until: Instant::now() + own.wait,
        own,
    };
    for peer in 0..meeting.own.process {
        let (own, events, until) = (meeting.own.clone(), events.clone(), meeting.until);
        let is_over = is_over.clone();
        let reach = move || {
            for kind in [ConnectionKind::Data, ConnectionKind::Control] {
                own.reach(peer, kind, until, &is_over, &events);
            }
        };
        let spawned = thread::Builder::new().spawn(reach);
        spawned.map_err(|error| Box::new(meeting.own.broken(&error)))?;
    }
    let result = meeting.hold(listener.as_ref(), (&events, &found), token, ended);
    is_over.store(true, Ordering::Relaxed);
    result?;
    let [data, control] = meeting.found;
    for tcp in data.iter().chain(&control).flatten() {
        let ready = tcp.set_read_timeout(None);
        let ready = ready.and_then(|()| tcp.set_write_timeout(None));
        // Small parcels are waited for at the end of each phase.
        let ready = ready.and_then(|()| tcp.set_nodelay(true));
        ready.map_err(|error| Box::new(meeting.own.broken(&error)))?;
    }
    Ok(Connections {
        data,
        control,
        refused: meeting.refused,
    })
}

impl Meeting {
    fn hold(
        &mut self,
        listener: Option<&TcpListener>,
        (events, found): (&Sender<MeetingEvent>, &Receiver<MeetingEvent>),
        token: &Cancellation,
        ended: &mut dyn FnMut() -> Option<usize>,
    ) -> Result<()> {
        let speaking = Arc::new(AtomicUsize::new(0));
        while let Some(missing) = self.missing() {
            token.check()?;
            if let Some(peer) = ended() {
                let name = name(&self.own.addresses, peer);
                let message = format!("{name} was lost: it ended before all had come together");
                return Diagnostic::undecided("cluster-lost", message).into();
            }
            if Instant::now() >= self.until {
                return self.too_late(missing).into();
            }
            // Not all waiting connections: strangers may come faster than they are refused.
            for _ in 0..MOST_AT_ONCE {
                let Some(Ok((tcp, _))) = listener.map(TcpListener::accept) else {
                    break;
                };
                self.own.hear(tcp, &speaking, events);
            }
            if let Ok(event) = found.recv_timeout(PAUSE) {
                self.note(event)?;
            }
        }
        Ok(())
    }

    /// The first process to which a connection is missing.
    fn missing(&self) -> Option<usize> {
        let is_missing = |peer: usize| self.found.iter().any(|found| found[peer].is_none());
        let mut others = (0..self.own.addresses.len()).filter(|&peer| peer != self.own.process);
        others.find(|&peer| is_missing(peer))
    }

    fn note(&mut self, event: MeetingEvent) -> Result<()> {
        match event {
            MeetingEvent::Opened(peer, kind, tcp) => self.found[place(kind)][peer] = Some(tcp),
            MeetingEvent::Accepted(hello, tcp) => return self.admit(&hello, tcp),
            MeetingEvent::Refused { is_like_us } => {
                self.refused += 1;
                self.refused_like_us += u64::from(is_like_us);
            }
            MeetingEvent::Unreached(peer, why) => self.unreached[peer] = Some(why),
            MeetingEvent::Hopeless(why) => return why.into(),
        }
        Ok(())
    }

    /// Lets in a process that knows the secret, if its connection is missing.
    fn admit(&mut self, hello: &Hello, tcp: TcpStream) -> Result<()> {
        let peer = hello.process as usize;
        self.own.compare(peer, hello)?;
        let is_later = peer > self.own.process;
        let place = self.found[place(hello.kind)].get_mut(peer);
        let place = place.filter(|place| place.is_none() && is_later);
        let until = Instant::now() + PATIENCE;
        let mut said = TimedConnection { tcp: &tcp, until };
        match place {
            Some(place) => {
                // If it cannot be told, it will come again.
                if said.write_all(&[ADMITTED]).is_ok() {
                    *place = Some(tcp);
                }
            }
            None => {
                self.refused += 1;
                drop(said.write_all(&[THERE_ALREADY]));
            }
        }
        Ok(())
    }

    fn too_late(&self, missing: usize) -> Diagnostic {
        let name = name(&self.own.addresses, missing);
        let wait = seconds(self.own.wait);
        let mut late = Diagnostic::error(
            "cluster-not-joined",
            format!("{name} has not come within {wait} s"),
        );
        if let Some(why) = &self.unreached[missing] {
            late = late.note(format!("when it was last tried: {why}"));
        }
        if self.refused > 0 {
            let refused = number::counted(self.refused, "connection");
            late = late.note(format!("{refused} of strangers were refused"));
        }
        if self.refused_like_us > 0 {
            let like_us = number::counted(self.refused_like_us, "connection");
            late = late.note(format!("{like_us} came with another secret"));
        }
        late.hint(
            "start all processes within this time, with the same list of addresses, and see \
             whether each can reach the ports of those before it",
        )
    }
}

impl ConnectionPlan {
    /// Connects to a process before this one. Tries again until it succeeds or trying is useless.
    fn reach(
        &self,
        peer: usize,
        kind: ConnectionKind,
        until: Instant,
        is_over: &AtomicBool,
        events: &Sender<MeetingEvent>,
    ) {
        while !is_over.load(Ordering::Relaxed) && Instant::now() < until {
            let event = match self.try_to_reach(peer, kind, until) {
                Ok(tcp) => MeetingEvent::Opened(peer, kind, tcp),
                Err(NotReached::Yet(why)) => MeetingEvent::Unreached(peer, why),
                Err(NotReached::Ever(why)) => MeetingEvent::Hopeless(*why),
            };
            let again = matches!(event, MeetingEvent::Unreached(..));
            if events.send(event).is_err() || !again {
                return;
            }
            thread::sleep(PAUSE);
        }
    }

    fn try_to_reach(
        &self,
        peer: usize,
        kind: ConnectionKind,
        until: Instant,
    ) -> std::result::Result<TcpStream, NotReached> {
        let tcp = dial(&self.addresses[peer])?;
        let own = Hello::new(self.process, kind, &self.addresses)?;
        let name = name(&self.addresses, peer);
        let soon = Instant::now() + PATIENCE;
        let hello = match secret::open(&tcp, &self.key, &own, soon) {
            Ok(hello) => hello,
            Err(Distrust::Broken(error)) => return Err(error.into()),
            Err(Distrust::Stranger) => {
                let why = "who answers there is no process of this program".to_string();
                return Err(NotReached::Yet(why));
            }
            Err(Distrust::OtherSecret) => {
                let message = format!("{name} knows another secret");
                let why = Diagnostic::error("cluster-secret", message)
                    .hint("give the same secret to all processes");
                return Err(NotReached::Ever(Box::new(why)));
            }
        };
        self.compare(peer, &hello)?;
        if hello.process as usize != peer {
            let message = format!("{name} says that it is process {}", hello.process);
            return Err(NotReached::Ever(Box::new(twice(message))));
        }
        // The other lets connections in one after the other: it was there in time, so wait for it.
        let mut verdict = TimedConnection { tcp: &tcp, until };
        if verdict.read()? == [ADMITTED] {
            return Ok(tcp);
        }
        let message = format!("{name} has met a process {} already", self.process);
        Err(NotReached::Ever(Box::new(twice(message))))
    }

    /// Speaks with a stranger that has opened a connection, on a thread of its own.
    fn hear(
        self: &Arc<Self>,
        tcp: TcpStream,
        speaking: &Arc<AtomicUsize>,
        events: &Sender<MeetingEvent>,
    ) {
        let refused = |is_like_us| MeetingEvent::Refused { is_like_us };
        if speaking.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE {
            speaking.fetch_sub(1, Ordering::Relaxed);
            let _ = events.send(refused(false));
            return;
        }
        let (own, events_of_thread, place) = (self.clone(), events.clone(), speaking.clone());
        let speak = move || {
            let event = match own.accept(&tcp) {
                Ok(hello) => MeetingEvent::Accepted(hello, tcp),
                Err(distrust) => refused(matches!(distrust, Distrust::OtherSecret)),
            };
            place.fetch_sub(1, Ordering::Relaxed);
            let _ = events_of_thread.send(event);
        };
        if thread::Builder::new().spawn(speak).is_err() {
            speaking.fetch_sub(1, Ordering::Relaxed);
            let _ = events.send(refused(false));
        }
    }

    fn accept(&self, tcp: &TcpStream) -> std::result::Result<Hello, Distrust> {
        // On some systems a connection is as its listener is.
        tcp.set_nonblocking(false)?;
        let own = Hello::new(self.process, ConnectionKind::Data, &self.addresses)?;
        secret::accept(tcp, &self.key, &own, Instant::now() + PATIENCE)
    }

    /// Refuses a process that knows the secret, but is of another cluster.
    fn compare(&self, peer: usize, other: &Hello) -> Result<()> {
        let own = Hello::new(self.process, other.kind, &self.addresses);
        let own = own.map_err(|error| Box::new(self.broken(&error)))?;
        let name = name(&self.addresses, peer);
        let differs = |message: String| Diagnostic::error("cluster-differs", message);
        if !own.is_same_version(other) {
            let version = env!("CARGO_PKG_VERSION");
            return differs(format!(
                "{name} is not of version {version}, as this process is"
            ))
            .hint("install the same version on all hosts")
            .into();
        }
        let hint = "give the same list of addresses, in the same order, to all processes";
        if own.processes != other.processes {
            let (ours, theirs) = (own.processes, other.processes);
            return differs(format!(
                "{name} has a list of {theirs} processes, not of {ours}"
            ))
            .hint(hint)
            .into();
        }
        if own.hosts != other.hosts {
            return differs(format!("{name} has another list of addresses"))
                .hint(hint)
                .into();
        }
        Ok(())
    }

    fn broken(&self, error: &io::Error) -> Diagnostic {
        let name = name(&self.addresses, self.process);
        Diagnostic::error("cluster-not-joined", format!("{name} cannot join: {error}"))
    }
}

/// The reason why a process was not reached.
enum NotReached {
    /// It may be reached later.
    Yet(String),
    Ever(Box<Diagnostic>),
}

impl From<io::Error> for NotReached {
    fn from(error: io::Error) -> Self {
        Self::Yet(match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it did not answer".to_string(),
            io::ErrorKind::UnexpectedEof => "it closed the connection".to_string(),
            _ => error.to_string(),
        })
    }
}

impl From<Box<Diagnostic>> for NotReached {
    fn from(why: Box<Diagnostic>) -> Self {
        Self::Ever(why)
    }
}

/// Connects to an address, whose name is looked up anew each time.
fn dial(address: &str) -> io::Result<TcpStream> {
    let mut failure = io::Error::other("the name of its host is not known");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
            // A port that no process has may be given to this very connection.
            Ok(tcp) if tcp.local_addr()? == tcp.peer_addr()? => {
                failure = io::ErrorKind::ConnectionRefused.into();
            }
            Ok(tcp) => return Ok(tcp),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn twice(message: String) -> Diagnostic {
    let hint = "start each process of the list once, with a number of its own";
    Diagnostic::error("cluster-differs", message).hint(hint)
}

fn place(kind: ConnectionKind) -> usize {
    match kind {
        ConnectionKind::Data => 0,
        ConnectionKind::Control => 1,
    }
}
