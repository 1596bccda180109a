//! Processes on machines of their own, which are network namespaces of this machine: far from each
//! other, and cut off from each other. If namespaces may not be made, the tests say so and test
//! nothing. The bridge between the machines has a namespace too: browsers drop all connections when
//! an interface beside theirs comes or goes, and other tests need a browser.

#![cfg(target_os = "linux")]
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Outcome, cspsym, empty_folder, ended, split_arguments};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use serde_json::Value;

/// The number of machines, which are connected by a bridge.
const MACHINES: usize = 3;

/// The time that a message to a distant machine takes, in each direction.
const DELAY: Duration = Duration::from_millis(20);

/// The number of pieces that routers have carried.
static CARRIED: AtomicUsize = AtomicUsize::new(0);

/// The machines, which exist as long as this value.
struct Network {
    name: String,
    folder: PathBuf,
}

/// Runs a command of the system. Returns true if it succeeds.
fn done(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().expect("a command"));
    let command = command
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

impl Network {
    /// Makes the machines; `None` if that is not allowed here.
    fn new(test: &str) -> Option<Self> {
        let folder = empty_folder("cluster-network", test);
        // Names of interfaces are short.
        let name = format!("{}{}", &test[..1], std::process::id() % 100_000);
        let network = Self { name, folder };
        network.make().then_some(network)
    }

    fn make(&self) -> bool {
        let name = &self.name;
        let mut is_made = done(&format!("ip netns add {name}hub"))
            && self.at_hub("link add bridge type bridge")
            && self.at_hub("link set bridge up");
        for machine in 0..MACHINES {
            let (space, outside) = (format!("{name}n{machine}"), format!("{name}o{machine}"));
            let inside = format!("{name}i{machine}");
            let address = self.address(machine);
            is_made = is_made
                && done(&format!("ip netns add {space}"))
                && self.at_hub(&format!("link add {outside} type veth peer name {inside}"))
                && self.at_hub(&format!("link set {inside} netns {space}"))
                && self.at_hub(&format!("link set {outside} master bridge up"))
                && done(&format!("ip -n {space} addr add {address}/24 dev {inside}"))
                && done(&format!("ip -n {space} link set {inside} up"))
                && done(&format!("ip -n {space} link set lo up"));
        }
        self.list(&|machine| self.address(machine));
        fs::write(self.folder.join("secret"), "ours").expect("it can be written");
        is_made
    }

    /// Changes the network where the bridge is. Returns true if that succeeds.
    fn at_hub(&self, change: &str) -> bool {
        done(&format!("ip -n {}hub {change}", self.name))
    }

    fn address(&self, machine: usize) -> String {
        // The numbers of this program and of the test keep tests that run at once apart.
        let net = self.name.as_bytes()[0];
        let number = 100 + std::process::id() % 100;
        format!("10.{number}.{net}.{}", machine + 1)
    }

    /// Writes the list of the machines with these addresses.
    fn list(&self, address: &dyn Fn(usize) -> String) {
        let lines = (0..MACHINES).map(|machine| format!("{}:7000\n", address(machine)));
        let lines: String = lines.collect();
        fs::write(self.folder.join("hosts"), lines).expect("it can be written");
    }

    /// Moves the machines far away: each is reached only by a router, which has another address.
    fn take_far_away(&self) {
        let router = |machine: usize| self.address(100 + machine);
        for machine in 0..MACHINES {
            let change = format!("addr add {}/24 dev bridge", router(machine));
            assert!(self.at_hub(&change), "{change}");
            let hub = File::open(format!("/run/netns/{}hub", self.name)).expect("it is there");
            let (at, target) = (router(machine), self.address(machine));
            let (ready, listening) = channel();
            thread::spawn(move || {
                // The threads that this one starts are there too.
                move_into_link_name_space(hub.as_fd(), Some(LinkNameSpaceType::Network))
                    .expect("it was made");
                let listener = TcpListener::bind((at, 7000)).expect("it is free");
                ready.send(()).expect("somebody waits");
                route(&listener, &target);
            });
            listening.recv().expect("the router listens");
        }
        self.list(&router);
    }

    /// Starts a call on each machine.
    fn start(&self, line: &str) -> Vec<Child> {
        let folder = self.folder.display();
        let start = |machine: usize| {
            let line = format!(
                "netns exec {}n{machine} {} {line} --hosts {folder}/hosts --secret {folder}/secret --process {machine}",
                self.name,
                env!("CARGO_BIN_EXE_cspsym"),
            );
            Command::new("ip")
                .args(split_arguments(&line))
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts")
        };
        (0..MACHINES).map(start).collect()
    }

    /// Cuts a machine off.
    fn cut_off(&self, machine: usize) {
        assert!(self.at_hub(&format!("link set {}o{machine} down", self.name)));
    }
}

/// Carries all connections from the listener to port 7000 of `target`, and back.
fn route(listener: &TcpListener, target: &str) {
    for near in listener.incoming() {
        // If nobody listens at the target yet, the caller will try again.
        let (Ok(near), Ok(far)) = (near, TcpStream::connect((target, 7000))) else {
            continue;
        };
        let twice = |tcp: &TcpStream| tcp.try_clone().expect("there are handles");
        for (from, to) in [(twice(&near), twice(&far)), (far, near)] {
            to.set_nodelay(true).expect("it can be set");
            carry(from, to);
        }
    }
}

/// Carries all bytes of a connection, each after the delay.
fn carry(mut from: TcpStream, mut to: TcpStream) {
    let (sent, coming) = channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let due = Instant::now() + DELAY;
            if sent.send((due, bytes[..count].to_vec())).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || {
        for (due, bytes) in coming {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                break;
            }
            CARRIED.fetch_add(1, Ordering::Relaxed);
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in 0..MACHINES {
            done(&format!("ip netns del {}n{machine}", self.name));
        }
        // The bridge goes with its namespace.
        done(&format!("ip netns del {}hub", self.name));
    }
}

#[test]
fn machines_search_together_and_end_when_one_is_cut_off() {
    let Some(network) = Network::new("cut-off") else {
        eprintln!("nothing is tested: network namespaces cannot be made here");
        return;
    };
    let line = "check cspm/philosophers/philosophers.csp --patience 60";
    let ends: Vec<_> = network.start(line).into_iter().map(ended).collect();
    assert!(
        ends[0].out.contains("assert SPEC [T= SYSTEM: holds"),
        "{ends:?}"
    );
    assert!(ends.iter().all(|end| end.status == Some(1)), "{ends:?}");
    let line = "check cspm/dijkstra/dijkstra.csp -D N=5 --assertion 1 --algorithm check --progress on --patience 2";
    let mut calls = network.start(line);
    // The first line of progress shows that the search is under way.
    let err = calls[0].stderr.as_mut().expect("a pipe");
    err.read_exact(&mut [0]).expect("there is progress");
    network.cut_off(2);
    let ends: Vec<_> = calls.into_iter().map(ended).collect();
    for Outcome { status, out, err } in &ends {
        assert_eq!(*status, Some(3), "{ends:?}");
        assert!(!out.contains("holds"), "{out}");
        assert!(err.contains("cluster-lost"), "{err}");
    }
    assert!(ends[0].err.contains("process 2 ("), "{}", ends[0].err);
}

#[test]
fn machines_that_are_far_away_find_the_same() {
    let Some(network) = Network::new("far") else {
        eprintln!("nothing is tested: network namespaces cannot be made here");
        return;
    };
    network.take_far_away();
    let line = "check cspm/philosophers/philosophers.csp --symmetry off --format json \
                --assertion 1 --assertion 3";
    let essence = |outcome: &Outcome| -> Vec<Value> {
        let of = |line: &str| {
            let report: Value = serde_json::from_str(line).expect("a line is an object");
            let holds = report["verdict"] == "pass";
            // The numbers of a search with a counterexample depend on its order.
            let numbers = ["states", "transitions"].map(|key| holds.then(|| report[key].clone()));
            let steps = report["counterexample"]["trace_with_taus"]
                .as_array()
                .map(Vec::len);
            serde_json::json!([report["verdict"], report["levels"], numbers, steps])
        };
        outcome.out.lines().map(of).collect()
    };
    let alone = cspsym(&split_arguments(line), b"");
    let states = network.folder.join("states");
    for kept in ["", "--spill", "--resume"] {
        let storage = match kept {
            "" => String::new(),
            _ => format!("{kept} {}", states.display()),
        };
        let before = CARRIED.load(Ordering::Relaxed);
        let calls = network.start(&format!("{line} --patience 60 {storage}"));
        let ends: Vec<_> = calls.into_iter().map(ended).collect();
        assert_eq!(essence(&ends[0]), essence(&alone), "{kept} {ends:?}");
        assert!(
            ends.iter().all(|end| end.status == alone.status),
            "{ends:?}"
        );
        let carried = CARRIED.load(Ordering::Relaxed) - before;
        assert!(carried > 100, "{kept}: {carried} pieces went by a router");
    }
}
