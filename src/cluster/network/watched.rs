//! The socket that timely reads and writes: it is watched, and never fails.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::health::Health;

/// A data connection. Timely panics if reading or writing fails, and prints why. So a failure is
/// reported, and the thread of timely waits for the end of the process.
pub(super) struct Watched {
    tcp: TcpStream,
    /// The process at the other end.
    peer: usize,
    health: Arc<Health>,
    /// The number of zeros at the end of the bytes that were read.
    zeros: usize,
}

/// The number of zeros in the header that timely reads last. Only after it does timely expect the
/// end.
const FAREWELL: usize = 6 * size_of::<u64>();

impl Watched {
    pub(super) fn new(tcp: TcpStream, peer: usize, health: Arc<Health>) -> Self {
        Self {
            tcp,
            peer,
            health,
            zeros: 0,
        }
    }

    /// Ends the connection. Returns 0 if timely expects the end; otherwise waits for ever.
    fn ended(&self, how: &str) -> usize {
        if !self.health.is_over_with(self.peer) {
            self.health.lose(self.peer, how);
        } else if self.zeros >= FAREWELL {
            return 0;
        }
        loop {
            thread::park();
        }
    }

    fn note(&mut self, bytes: &[u8]) {
        self.zeros = match bytes.iter().rposition(|&byte| byte != 0) {
            Some(last) => bytes.len() - 1 - last,
            None => self.zeros + bytes.len(),
        };
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.tcp.read(buffer) {
                Ok(0) => return Ok(self.ended("its connection was closed")),
                Ok(length) => {
                    self.note(&buffer[..length]);
                    return Ok(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Ok(self.ended(&error.to_string())),
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.tcp.write(bytes) {
                Ok(length) if length > 0 => {
                    let sent = &self.health.sent_bytes;
                    sent.fetch_add(length as u64, Ordering::Relaxed);
                    return Ok(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The other needs nothing any more.
                _ if self.health.is_over_with(self.peer) => return Ok(bytes.len()),
                _ => {
                    self.health.lose(self.peer, "nothing can be sent to it");
                    loop {
                        thread::park();
                    }
                }
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Self> {
        let tcp = self.tcp.try_clone()?;
        Ok(Self::new(tcp, self.peer, self.health.clone()))
    }

    fn set_nonblocking(&self, is_nonblocking: bool) -> io::Result<()> {
        self.tcp.set_nonblocking(is_nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // This fails only if the connection is already gone.
        let _ = self.tcp.shutdown(how);
        Ok(())
    }
}
