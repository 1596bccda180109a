//! Runs timely dataflow on a thread of its own.
//!
//! The searching thread hands it orders, so that a search knows nothing of timely, and parcels keep
//! coming while the search computes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{Allocator, Hooks};
use timely::container::{CapacityContainerBuilder, NoopBuilder};
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Capability, Probe, probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::scheduling::Activator;
use timely::worker::{Config, Worker};

use super::arrivals::{Arrivals, Arrived};
use super::health::Health;
use super::watched::Watched;
use super::words::{ByTarget, ParcelWords};
use base::diag::Diagnostic;

/// An order for the thread of the dataflow.
pub(super) enum EngineOrder {
    /// Send a parcel, at the present time.
    Send(ParcelWords),
    /// Set the present time to this later one.
    Advance(u64),
    /// Note that the parcels with these numbers are entered.
    Entered(Vec<u64>),
    /// Send and enter nothing more. The thread ends when all processes have given this order.
    End,
}

/// The thread of the dataflow. It ends without waiting when this is dropped.
pub(super) struct Engine {
    orders: Sender<EngineOrder>,
    thread: Thread,
    /// The thread, which is finished when the dataflow has ended in all processes.
    over: JoinHandle<()>,
}

/// The longest time that the thread sleeps if nothing wakes it.
const SLEEP: Duration = Duration::from_millis(50);

impl Engine {
    /// Starts the thread, with the data connections to all others.
    pub(super) fn start(
        data: Vec<Option<TcpStream>>,
        process: usize,
        arrivals: Arc<Arrivals>,
        health: Arc<Health>,
    ) -> io::Result<Self> {
        let (orders, received) = channel();
        let work = move || {
            let run = || run(data, process, &received, &arrivals, &health);
            let why = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error.to_string(),
                Err(panic) => said(&*panic),
            };
            let message = format!("the exchange between processes failed: {why}");
            health.fail(Diagnostic::undecided("cluster-failed", message));
        };
        let over = thread::Builder::new()
            .name("exchange".to_string())
            .spawn(work)?;
        Ok(Self {
            orders,
            thread: over.thread().clone(),
            over,
        })
    }

    /// Hands an order over.
    pub(super) fn order(&self, order: EngineOrder) {
        // This fails if the thread has ended, which the searching thread learns in another way.
        let _ = self.orders.send(order);
        self.thread.unpark();
    }

    /// True if the thread has ended.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_finished()
    }
}

/// The text of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no reason is known").to_string()
}

type Input = InputHandle<u64, NoopBuilder<ParcelWords>>;

/// The data that the receiving operator shares with the thread.
#[derive(Default)]
struct ReceivingOperator {
    /// The parcels that were not yet handed over.
    parcels: RefCell<Vec<Arrived>>,
    /// The number of parcels that have come so far.
    count: Cell<u64>,
    /// A capability for each parcel that is not entered, by its number: it keeps the frontier from
    /// passing the parcel's time.
    held: RefCell<BTreeMap<u64, Capability<u64>>>,
    /// True if nothing is entered any more.
    is_ending: Cell<bool>,
    /// Schedules the operator. A capability that is dropped outside of it counts only when it runs,
    /// and without this the frontier would stand still for ever.
    activator: RefCell<Option<Activator>>,
}

impl ReceivingOperator {
    fn activate(&self) {
        if let Some(activator) = &*self.activator.borrow() {
            activator.activate();
        }
    }

    fn enter(&self, numbers: &[u64]) {
        let mut held = self.held.borrow_mut();
        for number in numbers {
            held.remove(number);
        }
        drop(held);
        self.activate();
    }

    fn end(&self) {
        self.is_ending.set(true);
        self.held.borrow_mut().clear();
        self.activate();
    }
}

/// The step after reading the orders that have come.
enum NextOrder {
    Step,
    End,
    /// End at once, because the sender of orders is gone.
    Abandon,
}

fn run(
    data: Vec<Option<TcpStream>>,
    process: usize,
    orders: &Receiver<EngineOrder>,
    arrivals: &Arrivals,
    health: &Arc<Health>,
) -> io::Result<()> {
    let (mut worker, guard) = worker(data, process, health)?;
    let received = Rc::new(ReceivingOperator::default());
    let (mut input, probe) = dataflow(&mut worker, &received);
    let mut known = 0;
    let next = loop {
        match obey(orders, &mut input, &received) {
            NextOrder::Step => {}
            next => break next,
        }
        worker.step_or_park(Some(SLEEP));
        let frontier = probe.with_frontier(|times| times.first().copied().unwrap_or(u64::MAX));
        let mut parcels = received.parcels.borrow_mut();
        if !parcels.is_empty() || frontier != known {
            known = frontier;
            arrivals.add(&mut parcels, frontier);
        }
    };
    drop(input);
    received.end();
    let mut is_abandoned = matches!(next, NextOrder::Abandon);
    while !is_abandoned && worker.has_dataflows() {
        worker.step_or_park(Some(SLEEP));
        received.parcels.borrow_mut().clear();
        // Orders that still come are too late.
        is_abandoned = loop {
            match orders.try_recv() {
                Ok(_) => {}
                Err(error) => break error == TryRecvError::Disconnected,
            }
        };
    }
    if is_abandoned {
        // Its drop would wait for threads that wait for others.
        mem::forget(guard);
        return Ok(());
    }
    // First the worker: the threads that send, for which the guard waits, end after it.
    drop(worker);
    drop(guard);
    Ok(())
}

fn worker(
    data: Vec<Option<TcpStream>>,
    process: usize,
    health: &Arc<Health>,
) -> io::Result<(Worker, CommsGuard)> {
    let sockets = data.into_iter().enumerate();
    let watch = |peer, tcp| Watched::new(tcp, peer, health.clone());
    let sockets = sockets.map(|(peer, tcp)| tcp.map(|tcp| watch(peer, tcp)));
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (mut builders, guard) =
        initialize_networking_from_sockets(inner, sockets.collect(), process, 1, hooks)?;
    let builder = builders.pop();
    // On this thread, which is the one to be woken when something comes.
    let allocator = builder.map(|builder| Allocator::Tcp(builder.build()));
    let allocator = allocator.ok_or_else(|| io::Error::other("there is no worker"))?;
    // If processes share few cores, waiting busily takes time from others. Without a clock the
    // worker would never sleep.
    let config = Config::default().idle_spin(Duration::ZERO);
    let worker = Worker::new(config, allocator, Some(Instant::now()));
    Ok((worker, guard))
}

/// Builds the dataflow: parcels go to their targets, which hold them until they are entered. So the
/// probe does not pass a time as long as a parcel of that time is on its way or not entered.
fn dataflow(worker: &mut Worker, received: &Rc<ReceivingOperator>) -> (Input, ProbeHandle<u64>) {
    let probe = probe::Handle::new();
    let input = worker.dataflow::<u64, _, _>(|scope| {
        let mut input = Input::new_with_builder();
        let received = received.clone();
        let pact = DistributorPact(|_| ByTarget);
        input
            .to_stream(scope)
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(pact, "parcels", |_, info| {
                let activator = scope.activator_for(info.address);
                received.activator.replace(Some(activator));
                move |input, _| {
                    input.for_each(|capability, parcel| {
                        let held = capability.retain_least(0);
                        let parcel = mem::take(parcel);
                        let (Some(held), false) = (held, received.is_ending.get()) else {
                            return;
                        };
                        let (number, time) = (received.count.get(), *held.time());
                        received.count.set(number + 1);
                        received.held.borrow_mut().insert(number, held);
                        received.parcels.borrow_mut().push(Arrived {
                            number,
                            time,
                            parcel,
                        });
                    });
                }
            })
            .probe_with(&probe);
        input
    });
    (input, probe)
}

fn obey(
    orders: &Receiver<EngineOrder>,
    input: &mut Input,
    received: &ReceivingOperator,
) -> NextOrder {
    loop {
        match orders.try_recv() {
            Ok(EngineOrder::Send(mut parcel)) => input.send_batch(&mut parcel),
            // Timely wants no time twice.
            Ok(EngineOrder::Advance(time)) if time > *input.time() => input.advance_to(time),
            Ok(EngineOrder::Advance(_)) => {}
            Ok(EngineOrder::Entered(numbers)) => received.enter(&numbers),
            Ok(EngineOrder::End) => return NextOrder::End,
            Err(TryRecvError::Empty) => return NextOrder::Step,
            Err(TryRecvError::Disconnected) => return NextOrder::Abandon,
        }
    }
}
