//! Messages that wait, looked at ahead.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use lsp_server::{Message, RequestId};
use serde_json::Value;

use super::event::Event;

/// What has come in, in order.
pub(super) struct Inbox {
    received: Receiver<Event>,
    waiting: VecDeque<Event>,
}

impl Inbox {
    /// An inbox that nothing has come into yet.
    pub(super) fn new(received: Receiver<Event>) -> Self {
        Self {
            received,
            waiting: VecDeque::new(),
        }
    }

    /// The next event; waits for it.
    pub(super) fn next(&mut self) -> Event {
        self.look();
        let next = self.waiting.pop_front();
        // If nobody can send any more, neither can the client.
        next.unwrap_or_else(|| self.received.recv().unwrap_or(Event::Closed))
    }

    /// The next event; waits for it as long as `patience` says, and gives `None` then.
    pub(super) fn next_within(&mut self, patience: Duration) -> Option<Event> {
        self.look();
        let next = self.waiting.pop_front();
        next.or_else(|| self.received.recv_timeout(patience).ok())
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&mut self) -> bool {
        self.look();
        self.waiting.is_empty()
    }

    /// Whether a message that waits cancels `request`.
    pub(super) fn cancels(&self, request: &RequestId) -> bool {
        let waiting = self.waiting.iter();
        let mut cancelled = waiting.filter_map(|event| match event {
            Event::Message(Message::Notification(note)) if note.method == "$/cancelRequest" => {
                cancelled(&note.params)
            }
            _ => None,
        });
        cancelled.any(|id| id == *request)
    }

    fn look(&mut self) {
        self.waiting.extend(self.received.try_iter());
    }
}

/// The request that a `$/cancelRequest` with these parameters speaks of.
pub(super) fn cancelled(parameters: &Value) -> Option<RequestId> {
    serde_json::from_value(parameters.get("id")?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use lsp_server::Notification;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_cancelled_while_it_waits_is_known_before_it_is_done() {
        let (sender, received) = mpsc::channel();
        let mut inbox = Inbox::new(received);
        assert!(inbox.is_empty());
        let cancel = |id: Value| {
            let note = Notification::new("$/cancelRequest".to_string(), json!({ "id": id }));
            Event::Message(Message::Notification(note))
        };
        sender.send(Event::Malformed(String::new())).unwrap();
        sender.send(cancel(json!(7))).unwrap();
        sender.send(cancel(json!("seven"))).unwrap();
        assert!(matches!(inbox.next(), Event::Malformed(_)));
        assert!(inbox.cancels(&RequestId::from(7)));
        assert!(inbox.cancels(&RequestId::from("seven".to_string())));
        assert!(!inbox.cancels(&RequestId::from("7".to_string())));
        drop(sender);
        assert!(matches!(inbox.next(), Event::Message(_)));
        assert!(matches!(inbox.next(), Event::Message(_)));
        assert!(matches!(inbox.next(), Event::Closed));
    }
}
