//! Processes on machines of their own, which are network namespaces of this one: with a delay
//! between them, and cut off from each other. Where namespaces may not be made, nothing is tested,
//! and the test says so.

#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stderr,
    reason = "it has to be seen where nothing is tested"
)]

mod harness;

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use harness::{Outcome, ended, split_arguments};

/// Machines that are connected by a bridge.
const MACHINES: usize = 3;

/// The machines, as long as this is.
struct Network {
    name: String,
    folder: PathBuf,
}

/// Runs a command of the system; whether it succeeds.
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
    fn new() -> Option<Self> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cluster-network");
        fs::create_dir_all(&folder).expect("it can be made");
        // Names of interfaces are short.
        let name = format!("c{}", std::process::id() % 100_000);
        let network = Self { name, folder };
        network.make().then_some(network)
    }

    fn make(&self) -> bool {
        let name = &self.name;
        let mut is_made = done(&format!("ip link add {name}br type bridge"))
            && done(&format!("ip link set {name}br up"));
        for machine in 0..MACHINES {
            let (space, outside) = (format!("{name}n{machine}"), format!("{name}o{machine}"));
            let inside = format!("{name}i{machine}");
            let address = self.address(machine);
            is_made = is_made
                && done(&format!("ip netns add {space}"))
                && done(&format!(
                    "ip link add {outside} type veth peer name {inside}"
                ))
                && done(&format!("ip link set {inside} netns {space}"))
                && done(&format!("ip link set {outside} master {name}br up"))
                && done(&format!("ip -n {space} addr add {address}/24 dev {inside}"))
                && done(&format!("ip -n {space} link set {inside} up"))
                && done(&format!("ip -n {space} link set lo up"));
            // Not every kernel can delay.
            let delay = format!("tc qdisc add dev {outside} root netem delay 5ms");
            if is_made && !done(&delay) {
                eprintln!("machine {machine} has no delay: this kernel cannot");
            }
        }
        let lines: String = (0..MACHINES)
            .map(|machine| format!("{}:7000\n", self.address(machine)))
            .collect();
        fs::write(self.folder.join("hosts"), lines).expect("it can be written");
        fs::write(self.folder.join("secret"), "ours").expect("it can be written");
        is_made
    }

    fn address(&self, machine: usize) -> String {
        // By the number of this program, so that two at a time do not meet.
        format!("10.{}.7.{}", 100 + std::process::id() % 100, machine + 1)
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
        assert!(done(&format!("ip link set {}o{machine} down", self.name)));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in 0..MACHINES {
            done(&format!("ip netns del {}n{machine}", self.name));
            done(&format!("ip link del {}o{machine}", self.name));
        }
        done(&format!("ip link del {}br", self.name));
    }
}

#[test]
fn machines_search_together_and_end_when_one_is_cut_off() {
    let Some(network) = Network::new() else {
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
