//! What the server learns.

use lsp_server::Message;

use super::outcome::CheckOutcome;

/// What the server learns.
pub(super) enum Event {
    /// A message of the client.
    Message(Message),
    /// A request with an id that is none.
    Unidentified,
    /// Something that is no message.
    Malformed(String),
    /// Something after which nobody knows where the next message begins.
    Lost(String),
    /// The client is gone.
    Closed,
    /// How far the run with this number is, in words.
    Progress(u64, String),
    /// How it ended.
    Decided(u64, Box<CheckOutcome>),
}
