//! The part of a call in a cluster: it joins the other processes, and tells them of limits.

use std::fs;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::diag::{Diagnostic, Result};
use base::source::SourceMap;
use checker::{Options, texts};
use cluster::{ClusterMember, ClusterPlace, Exchange, News, agree};

use super::deciding::deciding;
use super::local_processes::LocalProcesses;
use host::arguments::ClusterArguments;
use host::complaint::complain;
use host::limits::Limit;
use host::monitor::Monitor;

/// The time to wait for the other processes.
const WAIT: Duration = Duration::from_secs(60);

/// The time that another process may be silent.
const PATIENCE: Duration = Duration::from_secs(5);

/// The environment variable that holds the secret.
const SECRET: &str = "CSPSYM_SECRET";

const SAME: &str = "start all processes with the same scripts and options";
const LINES: &str = "write each process on a line of its own, as in `node1:7000`";

/// This call as one process of a cluster.
pub(super) struct Membership {
    member: Arc<ClusterMember>,
    monitor: Arc<Monitor>,
    /// The number of questions that were begun.
    asked: u64,
    /// The other processes, where this call has started them.
    others: Option<LocalProcesses>,
    /// True if this process prints the reason why a run failed, although another process prints
    /// results.
    complains: bool,
}

impl Membership {
    /// Joins the cluster that the `arguments` ask for, if they ask for one.
    pub(super) fn join(
        arguments: &ClusterArguments,
        monitor: &Arc<Monitor>,
    ) -> Result<Option<Self>> {
        let joined = Self::joined(arguments, monitor);
        // A process that prints no results still says why there are none.
        if let (Err(problem), true) = (&joined, arguments.is_silent()) {
            complain(problem);
        }
        joined
    }

    fn joined(arguments: &ClusterArguments, monitor: &Arc<Monitor>) -> Result<Option<Self>> {
        let patience = arguments.patience.unwrap_or(PATIENCE);
        let (place, mut others) = match (&arguments.hosts, arguments.processes) {
            (Some(hosts), _) => (named_place(arguments, hosts, patience)?, None),
            (None, Some(_)) => {
                let processes = arguments.on_this_machine();
                let place = LocalProcesses::place(processes, arguments.member, (WAIT, patience));
                place.map_err(|error| {
                    let message = format!("the processes of this machine did not start: {error}");
                    Diagnostic::error("cluster-not-joined", message)
                })?
            }
            (None, None) => return Ok(None),
        };
        let told = Arc::clone(monitor);
        let listener = Box::new(move |news| match news {
            News::Lost(why) => told.end_run(why),
            News::Stopped { question, why } => told.end_question(question, why),
        });
        let token = monitor.task().cancellation;
        let mut ended = || others.as_mut().and_then(LocalProcesses::ended);
        let member = ClusterMember::join(place, &token, listener, &mut ended)?;
        Ok(Some(Self {
            member: Arc::new(member),
            monitor: Arc::clone(monitor),
            asked: 0,
            others,
            complains: arguments.hosts.is_some() && arguments.is_silent(),
        }))
    }

    /// The exchange of states between the searches of all processes.
    pub(super) fn exchange(&self) -> Arc<dyn Exchange> {
        self.member.clone()
    }

    /// Does the `work` on the next question, at which all processes are. If a limit leaves it open
    /// here, it is left open in all of them.
    pub(super) fn ask<T>(
        &mut self,
        work: impl FnOnce() -> T,
        is_open: impl FnOnce(&T) -> bool,
    ) -> T {
        self.asked += 1;
        self.monitor.begin_question(self.asked);
        self.member.begin(self.asked);
        let done = work();
        let limit = self.monitor.reached().filter(|_| is_open(&done));
        if let Some(why) = limit.and_then(Limit::own) {
            self.member.stop(&why);
        }
        done
    }

    /// Fails if a process has read other texts than process 0, has other `options`, or decides
    /// something else than `asked`.
    pub(super) fn compare(
        &mut self,
        sources: &SourceMap,
        options: &Options,
        asked: String,
    ) -> Result<()> {
        let texts = texts(sources).into_iter();
        let mut facts: Vec<(String, String)> = texts.map(|text| (text.name, text.value)).collect();
        facts.extend(deciding(options));
        facts.push(("what is to be decided".to_string(), asked));
        let (member, monitor) = (self.member.clone(), self.monitor.clone());
        let token = monitor.task().cancellation;
        let compared = self.ask(|| agree(&*member, &facts, &token), Option::is_none);
        let message = match compared {
            Some(None) => return Ok(()),
            None => {
                token.check()?;
                "another process has begun to decide what this one has not read".to_string()
            }
            Some(Some((process, name))) => {
                let name = if name.is_empty() { "a text" } else { name };
                let process = self.member.name(process);
                format!("{process} is to do something else than process 0: {name} differs")
            }
        };
        Diagnostic::error("cluster-differs", message)
            .hint(SAME)
            .into()
    }

    /// Waits until no process needs this one any more. If the run was ended here, it ends in all
    /// processes.
    pub(super) fn close(mut self) {
        if let Some(why) = self.monitor.ends_run().and_then(Limit::own) {
            self.member.end(&why.message);
        }
        self.member.close();
        if let (Some(failure), true) = (self.member.failure(), self.complains) {
            complain(&failure);
        }
        if let Some(others) = self.others.take() {
            others.wait();
        }
    }
}

/// The place that a list of hosts gives to this call.
fn named_place(
    arguments: &ClusterArguments,
    hosts: &Path,
    patience: Duration,
) -> Result<ClusterPlace> {
    let addresses = addresses(hosts)?;
    let process = arguments.process.unwrap_or_default();
    if process >= addresses.len() {
        let message = format!(
            "there is no process {process} in `{}`, which lists {}",
            hosts.display(),
            addresses.len()
        );
        return Diagnostic::error("cluster-hosts", message)
            .hint("processes are counted from 0, in the order of the list")
            .into();
    }
    let secret = secret(arguments.secret.as_deref())?;
    let is_last = process + 1 == addresses.len();
    let listener = match is_last {
        true => None,
        false => Some(listen(&addresses[process], process)?),
    };
    Ok(ClusterPlace {
        addresses,
        process,
        listener,
        secret,
        wait: arguments.wait.unwrap_or(WAIT),
        patience,
    })
}

/// The addresses of a list, one a line; `#` begins a comment.
fn addresses(hosts: &Path) -> Result<Vec<String>> {
    let text = read(hosts)?;
    let mut addresses: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: &str| {
            let message = format!(
                "line {} of `{}` {why}: `{line}`",
                number + 1,
                hosts.display()
            );
            Diagnostic::error("cluster-hosts", message).hint(LINES)
        };
        let port = line.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            return wrong("is no `host:port`").into();
        }
        if addresses.iter().any(|other| other == line) {
            return wrong("is there twice").into();
        }
        addresses.push(line.to_string());
    }
    if addresses.is_empty() {
        let message = format!("`{}` lists no processes", hosts.display());
        return Diagnostic::error("cluster-hosts", message)
            .hint(LINES)
            .into();
    }
    Ok(addresses)
}

/// The secret that all processes know.
fn secret(file: Option<&Path>) -> Result<Vec<u8>> {
    let text = match file {
        Some(file) => read(file)?,
        None => std::env::var(SECRET).unwrap_or_default(),
    };
    let secret = text.trim();
    if secret.is_empty() {
        let message = match file {
            Some(file) => format!("there is no secret in `{}`", file.display()),
            None => "the processes have no secret by which they know each other".to_string(),
        };
        return Diagnostic::error("cluster-secret", message)
            .hint("give the same random text to all processes: in a file with --secret, or in CSPSYM_SECRET")
            .into();
    }
    Ok(secret.as_bytes().to_vec())
}

/// The text of a small file of the call.
fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", file.display());
        Box::new(Diagnostic::error("cluster-hosts", message))
    })
}

/// Listens at `address`, for the processes with higher numbers than `process`.
fn listen(address: &str, process: usize) -> Result<TcpListener> {
    let bound = TcpListener::bind(address).or_else(|error| {
        // The address may be that of a router in front of this machine.
        let port = address
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        let is_known = address.to_socket_addrs().is_ok();
        match port {
            Some(port) if is_known && error.kind() == std::io::ErrorKind::AddrNotAvailable => {
                TcpListener::bind(("0.0.0.0", port))
            }
            _ => Err(error),
        }
    });
    bound.map_err(|error| {
        let message = format!("process {process} cannot listen at {address}: {error}");
        Box::new(
            Diagnostic::error("cluster-not-joined", message)
                .hint("list a port that no other program of that host uses, below those that the system gives away by itself (see cspsym help cluster)"),
        )
    })
}
