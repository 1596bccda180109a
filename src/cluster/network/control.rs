//! The messages of processes beside the dataflow, which are needed when the dataflow or the
//! searching thread stands still: that they are alive, that they stop, that they end.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::arrivals::locked;
use super::health::Health;
use crate::exchange::ShareProgress;

/// A control message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum ControlMessage {
    /// This process is alive.
    Beat {
        /// Its progress.
        share: ShareProgress,
    },
    /// This process has left a question before its end.
    Stop {
        /// The question.
        question: u64,
        /// The reason.
        message: String,
    },
    /// This process ends the run for all.
    End {
        /// The reason.
        message: String,
    },
    /// This process has found that the run cannot go on.
    Failed {
        /// The reason.
        message: String,
    },
    /// This process needs the others no more, and they need nothing of it.
    Bye,
}

/// The times to wait for others.
#[derive(Clone, Copy)]
pub(super) struct BeatWaiting {
    /// For a beat.
    pub(super) patience: Duration,
    /// The time for the first beat: the other may still wait for processes that this one has met.
    pub(super) first: Duration,
}

/// The largest message. A sender of more is no process of this program.
const MOST_BYTES: usize = 1 << 16;

/// The largest text. A longer one is cut.
const MOST_TEXT: usize = 1 << 13;

const BEAT: Duration = Duration::from_millis(500);

/// The control connections to all others.
pub(super) struct ControlLines {
    /// The connection to each process; absent if nothing can be sent to it any more.
    lines: Vec<Mutex<Option<TcpStream>>>,
}

impl ControlLines {
    /// Opens the lines: listens to all others, and tells them that this process is alive.
    pub(super) fn open(
        control: Vec<Option<TcpStream>>,
        health: &Arc<Health>,
        waiting: BeatWaiting,
    ) -> io::Result<Arc<Self>> {
        for (peer, tcp) in control.iter().enumerate() {
            let Some(tcp) = tcp else { continue };
            tcp.set_write_timeout(Some(waiting.patience))?;
            let (mut tcp, health) = (tcp.try_clone()?, health.clone());
            let listen = move || listen(&mut tcp, peer, &health);
            thread::Builder::new()
                .name(format!("control-{peer}"))
                .spawn(listen)?;
        }
        let lines = control.into_iter().map(Mutex::new).collect();
        let lines = Arc::new(Self { lines });
        let (beating, health) = (lines.clone(), health.clone());
        let beat = move || beating.beat(&health, waiting);
        thread::Builder::new()
            .name("beats".to_string())
            .spawn(beat)?;
        Ok(lines)
    }

    /// Sends a message to all others.
    pub(super) fn say(&self, message: &ControlMessage) {
        let Ok(body) = serde_json::to_vec(message) else {
            return;
        };
        let mut frame = (body.len() as u32).to_le_bytes().to_vec();
        frame.extend(body);
        for line in &self.lines {
            let mut line = locked(line);
            if line
                .as_mut()
                .is_some_and(|tcp| tcp.write_all(&frame).is_err())
            {
                // A part of it may have been sent, so that nothing more would be understood. Who
                // does not read is found by its silence.
                *line = None;
            }
        }
    }

    /// Closes all connections.
    pub(super) fn close(&self) {
        for line in &self.lines {
            if let Some(tcp) = locked(line).take() {
                let _ = tcp.shutdown(Shutdown::Both);
            }
        }
    }

    fn beat(&self, health: &Health, waiting: BeatWaiting) {
        // With little patience, as in tests, beats have to be frequent.
        let pause = BEAT.min(waiting.patience / 4);
        let start = Instant::now();
        let mut last = start;
        while !health.is_ending() && !health.has_failed() {
            let share = health.own();
            self.say(&ControlMessage::Beat { share });
            if last.elapsed() > waiting.patience / 2 {
                health.forgive_silence();
            }
            last = Instant::now();
            health.look_for_silence(waiting.patience, waiting.first, start);
            health.wait(pause);
        }
    }
}

/// The text of a message, cut to the length that can be sent.
pub(super) fn cut(text: &str) -> String {
    let mut end = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_string()
}

/// Hears the messages of process `peer`, to the end of the connection.
fn listen(tcp: &mut TcpStream, peer: usize, health: &Health) {
    let mut has_said_bye = false;
    let how = loop {
        match hear(tcp) {
            Ok(Some(ControlMessage::Beat { share })) => health.beat_came(peer, share),
            Ok(Some(ControlMessage::Stop { question, message })) => {
                health.stop_came(peer, question, &message);
            }
            Ok(Some(ControlMessage::End { message })) => health.end_came(peer, &message),
            Ok(Some(ControlMessage::Failed { message })) => health.failure_came(peer, &message),
            Ok(Some(ControlMessage::Bye)) => {
                has_said_bye = true;
                health.bye_came(peer);
            }
            Ok(None) => {
                health.distrust(peer, "says what cannot be understood");
                return;
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                break "its connection was closed".to_string();
            }
            Err(error) => break error.to_string(),
        }
    };
    if !has_said_bye {
        health.lose(peer, &how);
        // No process waits for one that is gone.
        health.bye_came(peer);
    }
}

/// The next message; `None` for bytes that are no message.
fn hear(tcp: &mut TcpStream) -> io::Result<Option<ControlMessage>> {
    let mut length = [0; 4];
    tcp.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_BYTES {
        return Ok(None);
    }
    let mut body = vec![0; length];
    tcp.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body).ok())
}
