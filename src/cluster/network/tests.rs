//! Clusters whose processes are threads of one test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::arrivals::{Arrivals, locked};
use super::connect::{ConnectionPlan, Connections, connect};
use super::control::ControlMessage;
use super::course::ROUNDS_AHEAD;
use super::health::Health;
use super::secret::{self, ConnectionKind, Distrust, Hello, SecretKey};
use super::*;
use crate::*;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};

/// A time longer than any test takes, however slow the machine is.
const LONG: Duration = Duration::from_secs(60);

/// The places of a cluster, on ports that are free.
fn places(processes: usize) -> Vec<ClusterPlace> {
    let bind = |_| TcpListener::bind("127.0.0.1:0").unwrap();
    let listeners: Vec<TcpListener> = (0..processes).map(bind).collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    let addresses: Vec<String> = listeners.iter().map(address).collect();
    let places = listeners.into_iter().enumerate();
    let place = |(process, listener)| ClusterPlace {
        addresses: addresses.clone(),
        process,
        listener: Some(listener),
        // Tests that run beside each other may get ports that others have given up.
        secret: addresses.concat().into_bytes(),
        wait: LONG,
        patience: LONG,
    };
    places.map(place).collect()
}

/// A member, its news of the others, and the token of its work, which any news ends.
struct Process {
    member: ClusterMember,
    news: Mutex<Receiver<News>>,
    token: Cancellation,
}

fn join(place: ClusterPlace, token: &Cancellation) -> Result<Process> {
    let (sender, news) = channel();
    let work = Cancellation::new();
    let ended = work.clone();
    let listener = move |one| {
        ended.cancel();
        let _ = sender.send(one);
    };
    Ok(Process {
        member: ClusterMember::join(place, token, Box::new(listener), &mut || None)?,
        news: Mutex::new(news),
        token: work,
    })
}

/// The result of joining for each place.
fn join_all(places: Vec<ClusterPlace>) -> Vec<Result<Process>> {
    let start = |place| thread::spawn(move || join(place, Cancellation::never()));
    let threads: Vec<_> = places.into_iter().map(start).collect();
    threads.into_iter().map(|one| one.join().unwrap()).collect()
}

fn cluster(places: Vec<ClusterPlace>) -> Vec<Process> {
    let joined = join_all(places);
    joined.into_iter().map(|one| one.unwrap()).collect()
}

/// Does `work` in all processes.
fn all<R: Send>(processes: &[Process], work: impl Fn(&Process) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let work = &work;
        let start = |process| scope.spawn(move || work(process));
        let threads: Vec<_> = processes.iter().map(start).collect();
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// Pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 27)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Sends parcels in a phase, and checks with all others that each came to its target.
fn phase_of_parcels(process: &Process, phase: u64, numbers: &mut Numbers) {
    let exchange = &process.member;
    let (own, count) = (exchange.process(), exchange.processes());
    let mut sent = vec![0_u64; count];
    let mut come = vec![0_u64; count];
    let mut enter = |until| {
        loop {
            match exchange.receive(until, &process.token) {
                Received::Parcel(parcel) => {
                    assert_eq!((u64::from(parcel.label), parcel.words[0]), (phase, phase));
                    let sum = parcel.words.iter().fold(0, |a: u64, b| a.wrapping_add(*b));
                    come[parcel.from] = come[parcel.from].wrapping_add(sum);
                    exchange.entered(1);
                }
                Received::Nothing => break,
                Received::Ended => panic!("{:?}", exchange.failure()),
            }
        }
    };
    for _ in 0..numbers.below(8) {
        enter(Until::RoundMayBegin);
        for _ in 0..numbers.below(4) {
            let target = numbers.below(count as u64) as usize;
            let length = match numbers.below(20) {
                0 => MOST_WORDS as u64,
                _ => 1 + numbers.below(600),
            };
            let mut words = vec![phase];
            words.extend((1..length).map(|_| numbers.next()));
            let sum = words.iter().fold(0, |a: u64, b| a.wrapping_add(*b));
            sent[target] = sent[target].wrapping_add(sum);
            exchange.send(target, phase as u32, words);
        }
        exchange.end_round();
    }
    exchange.end_phase();
    enter(Until::PhaseIsOver);
    let said = gather(exchange, &sent, &process.token).unwrap();
    let expected: Vec<u64> = said.iter().map(|sent| sent[own]).collect();
    assert_eq!(come, expected);
}

#[test]
fn every_parcel_comes_in_its_phase() {
    for count in 1..=4 {
        let processes = cluster(places(count));
        all(&processes, |process| {
            let mut numbers = Numbers(process.member.process() as u64);
            for question in 1..=3 {
                process.member.begin(question);
                for phase in 0..20 {
                    phase_of_parcels(process, phase, &mut numbers);
                }
            }
            process.member.close();
            assert_eq!(process.member.failure(), None);
        });
        for process in &processes {
            assert!(locked(&process.news).try_recv().is_err());
            assert_eq!(process.member.sent_bytes() > 0, count > 1);
        }
    }
}

#[test]
fn all_hear_what_all_say() {
    let processes = cluster(places(3));
    let fact = |name: &str, value: &str| (name.to_string(), value.to_string());
    all(&processes, |process| {
        let (member, own) = (&process.member, process.member.process() as u64);
        let long: Vec<u64> = (0..own * (MOST_WORDS as u64 + 7)).collect();
        let said = gather(member, &long, &process.token).unwrap();
        let lengths: Vec<usize> = said.iter().map(Vec::len).collect();
        assert_eq!(lengths, [0, MOST_WORDS + 7, 2 * (MOST_WORDS + 7)]);
        assert_eq!(said[own as usize], long);
        let same = [fact("machine", "a"), fact("group", "b")];
        assert_eq!(agree(member, &same, &process.token), Some(None));
        let other = if own == 2 { "c" } else { "b" };
        let facts = [fact("machine", "a"), fact("group", other)];
        let found = agree(member, &facts, &process.token);
        assert_eq!(found, Some(Some((2, "group"))));
        member.close();
    });
}

#[test]
fn nobody_is_far_ahead_of_who_enters_slowly() {
    let processes = cluster(places(2));
    let (sent, entered) = (AtomicU64::new(0), AtomicU64::new(0));
    all(&processes, |process| {
        let (member, token) = (&process.member, &process.token);
        if member.process() == 0 {
            for _ in 0..200 {
                assert_eq!(
                    member.receive(Until::RoundMayBegin, token),
                    Received::Nothing
                );
                let ahead = sent.fetch_add(1, Ordering::SeqCst) + 1;
                let ahead = ahead - entered.load(Ordering::SeqCst);
                assert!(ahead <= ROUNDS_AHEAD + 1, "{ahead} rounds ahead");
                member.send(1, 0, vec![7; 100]);
                member.end_round();
            }
        }
        member.end_phase();
        while let Received::Parcel(_) = member.receive(Until::PhaseIsOver, token) {
            for _ in 0..50 {
                thread::yield_now();
            }
            // Counted first: the other may go on as soon as it is entered.
            entered.fetch_add(1, Ordering::SeqCst);
            member.entered(1);
        }
        member.close();
    });
    assert_eq!(entered.into_inner(), 200);
}

#[test]
fn one_process_needs_no_listener() {
    let mut places = places(1);
    places[0].listener = None;
    let processes = cluster(places);
    phase_of_parcels(&processes[0], 1, &mut Numbers(1));
    assert!(processes[0].member.sent_parcels() > 0);
    assert_eq!(processes[0].member.sent_bytes(), 0);
}

// ---- Ends

fn lost(process: &Process) -> Diagnostic {
    match locked(&process.news).recv_timeout(LONG).unwrap() {
        News::Lost(why) => why,
        other => panic!("{other:?}"),
    }
}

fn stopped(process: &Process) -> (u64, Diagnostic) {
    match locked(&process.news).recv_timeout(LONG).unwrap() {
        News::Stopped { question, why } => (question, why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_process_that_goes_without_a_word_is_lost() {
    let mut processes = cluster(places(3));
    drop(processes.pop());
    all(&processes, |process| {
        let said = gather(&process.member, &[1], &process.token);
        assert_eq!(said, None);
        let why = lost(process);
        assert_eq!(why.code, "cluster-lost");
        let name = process.member.name(2);
        assert!(
            why.message.starts_with(&format!("{name} was lost: ")),
            "{why:?}"
        );
        assert_eq!(process.member.failure(), Some(why));
        process.member.close();
    });
}

#[test]
fn a_process_that_ends_its_work_too_early_is_lost() {
    let processes = cluster(places(3));
    all(&processes, |process| {
        if process.member.process() == 1 {
            process.member.close();
            return;
        }
        assert_eq!(gather(&process.member, &[1], &process.token), None);
        let why = lost(process);
        assert!(why.message.starts_with("process "), "{why:?}");
        process.member.close();
    });
}

#[test]
fn a_process_ends_the_run_for_all() {
    let processes = cluster(places(2));
    processes[0].member.end("the disk is full");
    let why = lost(&processes[1]);
    assert_eq!(why.code, "cluster-ended");
    let name = processes[1].member.name(0);
    assert_eq!(
        why.message,
        format!("{name} ended the run: the disk is full")
    );
}

#[test]
fn who_leaves_a_question_leaves_it_for_all() {
    let processes = cluster(places(3));
    // In each of many questions one process leaves at another place. No other may take the others'
    // going on for the end of a phase.
    all(&processes, |process| {
        let member = &process.member;
        for question in 1..=40 {
            let token = Cancellation::new();
            member.begin(question);
            let complete = question % 4;
            for _ in 0..complete {
                assert!(gather(member, &[question], &token).is_some());
            }
            if member.process() as u64 == question % 3 {
                let why = Diagnostic::undecided("timeout", "the time is over");
                member.stop(&why);
                member.stop(&why);
                continue;
            }
            thread::scope(|scope| {
                scope.spawn(|| {
                    let (stopped, why) = stopped(process);
                    assert_eq!(stopped, question);
                    assert!(why.message.ends_with(": the time is over"), "{why:?}");
                    token.cancel();
                });
                assert_eq!(gather(member, &[question], &token), None);
            });
        }
        let token = Cancellation::new();
        member.begin(41);
        assert!(gather(member, &[], &token).is_some());
        assert!(locked(&process.news).try_recv().is_err());
        member.close();
        assert_eq!(member.failure(), None);
    });
}

#[test]
fn a_stop_waits_for_who_has_not_come_to_its_question() {
    let (sender, news) = channel();
    let listener = Box::new(move |one| sender.send(one).unwrap());
    let addresses = vec!["a:1".to_string(), "b:2".to_string()];
    let health = Health::new(addresses, 0, Arc::new(Arrivals::default()), listener);
    health.begin(2);
    health.stop_came(1, 1, "too late");
    health.stop_came(1, 4, "it is over");
    health.stop_came(1, 4, "it is over again");
    health.begin(3);
    assert!(news.try_recv().is_err());
    health.begin(4);
    let Ok(News::Stopped { question: 4, why }) = news.try_recv() else {
        panic!("no news of question 4");
    };
    assert_eq!(why.message, "process 1 (b:2): it is over");
    health.begin(5);
    health.stop_came(1, 5, "it is over");
    assert!(matches!(
        news.try_recv(),
        Ok(News::Stopped { question: 5, .. })
    ));
    assert!(news.try_recv().is_err());
}

#[test]
fn work_that_is_to_end_waits_for_nobody() {
    let processes = cluster(places(2));
    let token = Cancellation::new();
    token.cancel();
    assert_eq!(gather(&processes[0].member, &[], &token), None);
}

/// Process 0 of a cluster of two, which runs, and only the connections of process 1.
fn with_a_puppet(patience: Duration) -> (Process, Connections) {
    let mut places = places(2);
    let (last, mut first) = (places.remove(1), places.remove(0));
    first.patience = patience;
    let puppet = thread::spawn(move || {
        let opening = opening(&last);
        connect(opening, None, Cancellation::never(), &mut || None).unwrap()
    });
    let process = join(first, Cancellation::never()).unwrap();
    (process, puppet.join().unwrap())
}

fn opening(place: &ClusterPlace) -> ConnectionPlan {
    ConnectionPlan {
        addresses: place.addresses.clone(),
        process: place.process,
        key: SecretKey::new(&place.secret),
        wait: place.wait,
    }
}

fn frame(body: &[u8]) -> Vec<u8> {
    let mut frame = (body.len() as u32).to_le_bytes().to_vec();
    frame.extend(body);
    frame
}

#[test]
fn a_silent_process_is_lost() {
    let (process, connections) = with_a_puppet(Duration::from_millis(300));
    let share = ShareProgress {
        states: 12,
        transitions: 1,
        ..ShareProgress::default()
    };
    let beat = ControlMessage::Beat { share };
    let mut control = connections.control[0].as_ref().unwrap();
    let body = serde_json::to_vec(&beat).unwrap();
    control.write_all(&frame(&body)).unwrap();
    let why = lost(&process);
    assert!(
        why.message.ends_with(" was lost: silent for 0.3 s"),
        "{why:?}"
    );
    let note = "all were at 12 states and 1 transition when last heard";
    assert_eq!(why.notes, [note]);
    assert_eq!(process.member.told(), share);
}

#[test]
fn what_is_no_message_is_not_believed() {
    let long = u32::MAX.to_le_bytes().to_vec();
    for bytes in [long, frame(b"{}"), frame(b"")] {
        let (process, connections) = with_a_puppet(LONG);
        let mut control = connections.control[0].as_ref().unwrap();
        control.write_all(&bytes).unwrap();
        assert_eq!(lost(&process).code, "cluster-failed");
    }
}

// ---- Joining

/// The codes of failures; empty where a process has joined.
fn codes(joined: &[Result<Process>]) -> Vec<&'static str> {
    let code = |one: &Result<Process>| one.as_ref().err().map_or("", |why| why.code);
    joined.iter().map(code).collect()
}

#[test]
fn another_secret_is_refused() {
    let mut places = places(2);
    let (mut last, first) = (places.remove(1), places.remove(0));
    last.secret = b"another secret".to_vec();
    let token = Cancellation::new();
    let waits = token.clone();
    let waiting = thread::spawn(move || join(first, &waits).err());
    let why = join(last, Cancellation::never()).err().unwrap();
    assert_eq!(why.code, "cluster-secret");
    assert!(why.message.ends_with(" knows another secret"), "{why:?}");
    token.cancel();
    let why = waiting.join().unwrap().unwrap();
    assert_eq!(why.code, "interrupted");
}

#[test]
fn who_does_not_come_is_named() {
    let mut places = places(3);
    // The process keeps its port, but says nothing.
    let _silent = places.remove(0);
    for place in &mut places {
        place.wait = Duration::from_millis(200);
    }
    let joined = join_all(places);
    assert_eq!(codes(&joined), ["cluster-not-joined"; 2]);
    for one in joined {
        let why = one.err().unwrap();
        assert!(why.message.starts_with("process 0 (127.0.0.1:"), "{why:?}");
        assert!(
            why.message.ends_with(" has not come within 0.2 s"),
            "{why:?}"
        );
    }
}

#[test]
fn who_is_known_to_have_ended_is_not_waited_for() {
    let mut places = places(3);
    // The process keeps its port, but says nothing.
    let _ended = places.remove(1);
    let place = places.remove(0);
    let mut asked = 0;
    let mut ended = || {
        asked += 1;
        (asked > 2).then_some(1)
    };
    let listener = Box::new(|_| {});
    let joined = ClusterMember::join(place, Cancellation::never(), listener, &mut ended);
    let why = joined.err().unwrap();
    assert_eq!(why.code, "cluster-lost");
    assert!(why.message.starts_with("process 1 (127.0.0.1:"), "{why:?}");
}

#[test]
fn another_list_is_refused() {
    let mut others = places(2);
    others[1].addresses[1] = "localhost:7001".to_string();
    assert_eq!(codes(&join_all(others)), ["cluster-differs"; 2]);
    let mut others = places(2);
    others[1].addresses.push("localhost:7001".to_string());
    let joined = join_all(others);
    assert_eq!(codes(&joined), ["cluster-differs"; 2]);
    let why = joined.into_iter().next().unwrap().err().unwrap();
    assert!(
        why.message
            .ends_with(" has a list of 3 processes, not of 2"),
        "{why:?}"
    );
}

#[test]
fn a_process_is_met_once() {
    let mut places = places(3);
    let (_, second, first) = (places.remove(2), places.remove(1), places.remove(0));
    let again = ClusterPlace {
        addresses: second.addresses.clone(),
        listener: None,
        secret: second.secret.clone(),
        ..second
    };
    let token = Cancellation::new();
    let (ends, ended) = channel();
    thread::scope(|scope| {
        for place in [first, second, again] {
            let (ends, token) = (ends.clone(), &token);
            scope.spawn(move || ends.send(join(place, token).err().unwrap()).unwrap());
        }
        // Process 2 never comes, so all others wait.
        let why = ended.recv_timeout(LONG).unwrap();
        assert_eq!(why.code, "cluster-differs");
        assert!(
            why.message.ends_with(" has met a process 1 already"),
            "{why:?}"
        );
        token.cancel();
    });
}

#[test]
fn strangers_disturb_nothing() {
    let mut places = places(2);
    let (last, first) = (places.remove(1), places.remove(0));
    let address = first.addresses[0].clone();
    let waiting = thread::spawn(move || join(first, Cancellation::never()));
    let mut numbers = Numbers(5);
    let random: Vec<u8> = (0..3000).map(|_| numbers.next() as u8).collect();
    let said = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        random.clone(),
        Vec::new(),
        [b"cspsymcl".to_vec(), random].concat(),
        b"cspsymcl".to_vec(),
    ];
    // More than are heard at once; some stay, some go.
    let mut stay = Vec::new();
    for number in 0..100 {
        let mut tcp = TcpStream::connect(&address).unwrap();
        let _ = tcp.write_all(&said[number % said.len()]);
        if number % 2 == 0 {
            stay.push(tcp);
        }
    }
    let last = join(last, Cancellation::never()).unwrap();
    let first = waiting.join().unwrap().unwrap();
    let processes = [first, last];
    all(&processes, |process| {
        phase_of_parcels(process, 1, &mut Numbers(2));
        process.member.close();
    });
    assert!(processes[0].member.refused() > 0);
}

/// Two ends of a connection.
fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let opened = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (opened, listener.accept().unwrap().0)
}

#[test]
fn what_was_said_once_proves_nothing() {
    let key = SecretKey::new(b"the secret");
    let addresses = ["a:1".to_string(), "b:2".to_string()];
    let hello = |process| Hello::new(process, ConnectionKind::Control, &addresses).unwrap();
    let until = Instant::now() + LONG;
    // A third party between the two hears all.
    let ((opening, mut left), (mut right, accepting)) = (pair(), pair());
    let heard = thread::scope(|scope| {
        let accept = || secret::accept(&accepting, &key, &hello(0), until).unwrap();
        let accepted = scope.spawn(accept);
        let (mut back, mut forth) = (left.try_clone().unwrap(), right.try_clone().unwrap());
        scope.spawn(move || std::io::copy(&mut forth, &mut back));
        let listening = scope.spawn(move || {
            let mut heard = Vec::new();
            let mut byte = [0];
            while left.read(&mut byte).unwrap() == 1 {
                heard.push(byte[0]);
                right.write_all(&byte).unwrap();
            }
            drop(right.shutdown(std::net::Shutdown::Both));
            heard
        });
        assert_eq!(
            secret::open(&opening, &key, &hello(1), until)
                .unwrap()
                .process,
            0
        );
        let other = accepted.join().unwrap();
        assert_eq!((other.process, other.kind), (1, ConnectionKind::Control));
        opening.shutdown(std::net::Shutdown::Write).unwrap();
        listening.join().unwrap()
    });
    let (mut opening, accepting) = pair();
    opening.write_all(&heard).unwrap();
    let replayed = secret::accept(&accepting, &key, &hello(0), until);
    assert!(
        matches!(replayed, Err(Distrust::OtherSecret)),
        "{replayed:?}"
    );
}

#[test]
fn an_echo_is_no_proof() {
    let key = SecretKey::new(b"the secret");
    let addresses = ["a:1".to_string(), "b:2".to_string()];
    let hello = Hello::new(1, ConnectionKind::Data, &addresses).unwrap();
    let (opening, mut echo) = pair();
    let mut back = echo.try_clone().unwrap();
    thread::spawn(move || std::io::copy(&mut echo, &mut back));
    let answered = secret::open(&opening, &key, &hello, Instant::now() + LONG);
    assert!(answered.is_err());
}

#[test]
fn nobody_waits_long_for_the_first_word() {
    let key = SecretKey::new(b"the secret");
    let hello = Hello::new(0, ConnectionKind::Data, &[]).unwrap();
    let (_silent, accepting) = pair();
    let soon = Instant::now() + Duration::from_millis(50);
    let heard = secret::accept(&accepting, &key, &hello, soon);
    assert!(matches!(heard, Err(Distrust::Broken(_))));
}

#[test]
fn all_know_how_far_all_are() {
    let processes = cluster(places(3));
    let barrier = Barrier::new(3);
    all(&processes, |process| {
        let own = process.member.process() as u64;
        process.member.tell(ShareProgress {
            states: 1 << own,
            ..ShareProgress::default()
        });
        let start = Instant::now();
        while process.member.told().states != 7 - (1 << own) && start.elapsed() < LONG {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.member.told().states, 7 - (1 << own));
        barrier.wait();
        process.member.close();
    });
}
