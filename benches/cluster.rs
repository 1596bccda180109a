//! The costs of a search in several processes: nanoseconds and bytes for each word that is
//! exchanged, and whole searches beside those of one process, as Markdown tables.
//!
//! `cargo bench --bench cluster` prints both, with `-- exchange` or `-- NAME` the first, or the
//! searches whose names contain NAME. All processes run on this machine, each on one thread.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tables are what this program is for"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a failure is a failed bench, and says where"
)]

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use cluster::{ClusterMember, ClusterPlace, Exchange, Received, Until};
use cspsym::Cancellation;
use serde_json::Value;

use runs::{NONE, grouped, print_row};

#[allow(
    dead_code,
    reason = "claims about processes of other scripts are of no use here"
)]
#[path = "support/runs.rs"]
mod runs;

/// The number of words of a parcel.
const PARCEL: usize = 4096;

/// The number of parcels that each process sends in a phase, and the number of phases.
const PARCELS: usize = 400;
const PHASES: usize = 20;

/// The number of phases without parcels.
const EMPTY_PHASES: usize = 2000;

/// A search: its name, the refinement, the script, its constants, and options.
type Search = (
    &'static str,
    [&'static str; 2],
    [&'static str; 2],
    &'static [&'static str],
);

const SEARCHES: [Search; 4] = [
    (
        "dijkstra 5, all states",
        ["VISIBLE", "DIJKSTRA"],
        ["cspm/dijkstra/dijkstra.csp", "N=5"],
        &["--symmetry", "off"],
    ),
    (
        "dijkstra 6, symmetry",
        ["VISIBLE", "DIJKSTRA"],
        ["cspm/dijkstra/dijkstra.csp", "N=6"],
        &[],
    ),
    (
        "dijkstra 4, all states, FD",
        ["VISIBLE", "DIJKSTRA"],
        ["cspm/dijkstra/dijkstra.csp", "N=4"],
        &["--symmetry", "off", "--model", "FD"],
    ),
    (
        "milner 18, all states, F",
        ["SPEC", "SYSTEM"],
        ["cspm/milner/milner.csp", "N=18"],
        &["--symmetry", "off", "--model", "F"],
    ),
];

fn main() {
    let Some(arguments) = runs::arguments("cluster") else {
        return;
    };
    if runs::is_wanted(&arguments, "exchange") {
        let headings = [
            "processes",
            "ns a word",
            "bytes a word that leaves",
            "µs an empty phase",
        ];
        print_row(&headings.map(str::to_string));
        print_row(&["--:"; 4].map(str::to_string));
        for processes in 1..=4 {
            print_row(&exchange(processes));
        }
        println!();
    }
    let headings = [
        "search",
        "states",
        "alone",
        "1 process",
        "2 processes",
        "ratio",
    ];
    print_row(&headings.map(str::to_string));
    print_row(&["---", "--:", "--:", "--:", "--:", "--:"].map(str::to_string));
    for search in SEARCHES {
        if runs::is_wanted(&arguments, search.0) {
            print_row(&row(search));
        }
    }
}

/// The costs for `processes` processes, which are threads of this program, to exchange words.
fn exchange(processes: usize) -> Vec<String> {
    let bind = |_| TcpListener::bind("127.0.0.1:0").unwrap();
    let listeners: Vec<TcpListener> = (0..processes).map(bind).collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    let addresses: Vec<String> = listeners.iter().map(address).collect();
    let measured: Vec<(Duration, u64, Duration)> = thread::scope(|scope| {
        let started = listeners
            .into_iter()
            .enumerate()
            .map(|(process, listener)| {
                let place = ClusterPlace {
                    addresses: addresses.clone(),
                    process,
                    listener: Some(listener),
                    secret: b"bench".to_vec(),
                    wait: Duration::from_secs(60),
                    patience: Duration::from_secs(60),
                };
                scope.spawn(move || measured(place))
            });
        let started: Vec<_> = started.collect();
        started.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let words = (PARCEL * PARCELS * PHASES) as f64;
    let slowest = measured.iter().map(|(time, ..)| time).max().unwrap();
    let sent: u64 = measured.iter().map(|(_, bytes, _)| bytes).sum();
    let leaving = words * (processes - 1) as f64;
    let empty = measured.iter().map(|(.., empty)| empty).max().unwrap();
    vec![
        processes.to_string(),
        format!("{:.1}", slowest.as_nanos() as f64 / words),
        match processes {
            1 => NONE.to_string(),
            _ => format!("{:.2}", sent as f64 / leaving),
        },
        format!("{:.0}", empty.as_micros() as f64 / EMPTY_PHASES as f64),
    ]
}

/// The time for the words, the bytes that were sent, and the time of empty phases.
fn measured(place: ClusterPlace) -> (Duration, u64, Duration) {
    let token = Cancellation::new();
    let member = ClusterMember::join(place, &token, Box::new(|_| {}), &mut || None).unwrap();
    member.begin(1);
    let (own, all) = (member.process(), member.processes());
    let take = |until| {
        let mut sum = 0_u64;
        while let Received::Parcel(parcel) = member.receive(until, &token) {
            sum = parcel
                .words
                .iter()
                .fold(sum, |sum, word| sum.wrapping_add(*word));
            member.entered(1);
        }
        sum
    };
    let phase = |parcels: usize| {
        for number in 0..parcels {
            let words = vec![(number * all + own) as u64; PARCEL];
            member.send((own + number) % all, 0, words);
            if number % 16 == 15 {
                member.end_round();
                take(Until::RoundMayBegin);
            }
        }
        member.end_phase();
        take(Until::PhaseIsOver)
    };
    phase(0);
    let started = Instant::now();
    for _ in 0..PHASES {
        phase(PARCELS);
    }
    let (time, bytes) = (started.elapsed(), member.sent_bytes());
    let started = Instant::now();
    for _ in 0..EMPTY_PHASES {
        phase(0);
    }
    let empty = started.elapsed();
    member.close();
    (time, bytes, empty)
}

/// Seconds of a search alone, in one process of a cluster, and in two.
fn row((name, question, [script, constants], options): Search) -> Vec<String> {
    let run = |more: &[&str]| {
        let options = [options, &["--threads", "1"], more].concat();
        runs::refine(question, script, constants, &options).unwrap_or_else(|why| {
            eprintln!("{name}: {why}");
            Value::Null
        })
    };
    let reports = [
        run(&[]),
        run(&["--processes", "1"]),
        run(&["--processes", "2"]),
    ];
    let states = reports[0]["states"].to_string();
    if reports
        .iter()
        .any(|report| report["states"] != reports[0]["states"])
    {
        eprintln!("{name}: several processes find other states, which is a defect");
    }
    let seconds = reports.map(|report| report["seconds"]["explore"].as_f64());
    let shown = seconds.map(|time| time.map_or(NONE.to_string(), |time| format!("{time:.1} s")));
    let ratio = match seconds {
        [Some(alone), _, Some(two)] => format!("{:.2}", alone / two),
        _ => NONE.to_string(),
    };
    let mut cells = vec![name.to_string(), grouped(&states)];
    cells.extend(shown);
    cells.push(ratio);
    cells
}
