//! A thread that keeps what is bound to one thread, such as what checks share, and works with it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

use base::threads::STACK_BYTES;

/// Work with what is kept.
type Order<K> = Box<dyn FnOnce(&mut K) + Send>;

/// The thread, which begins with its first work. It ends with this value, once its work is done.
pub(crate) struct Keeper<K> {
    orders: Mutex<Option<Sender<Order<K>>>>,
}

impl<K> Default for Keeper<K> {
    fn default() -> Self {
        Self {
            orders: Mutex::default(),
        }
    }
}

impl<K: Default + 'static> Keeper<K> {
    /// Has `work` done after what was ordered before. Fails where the system gives no thread.
    pub(crate) fn order(&self, work: impl FnOnce(&mut K) + Send + 'static) -> io::Result<()> {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut work: Order<K> = Box::new(work);
        if let Some(known) = &*orders {
            match known.send(work) {
                Ok(()) => return Ok(()),
                // The thread has ended by a panic; a new one begins.
                Err(unsent) => work = unsent.0,
            }
        }
        let (sender, receiver) = channel();
        let keeper = thread::Builder::new().name("cspsym keeper".to_string());
        keeper
            .stack_size(STACK_BYTES)
            .spawn(move || serve(work, &receiver))?;
        *orders = Some(sender);
        Ok(())
    }
}

/// Does the `first` work and all that follows.
fn serve<K: Default>(first: Order<K>, orders: &Receiver<Order<K>>) {
    let mut kept = K::default();
    first(&mut kept);
    while let Ok(work) = orders.recv() {
        work(&mut kept);
    }
}
