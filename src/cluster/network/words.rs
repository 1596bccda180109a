//! Parcels of words as timely carries them.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::progress::Stamp;

use crate::exchange::Parcel;

/// A parcel on its way. Its words take no memory of their own: they are copied once to the bytes
/// for a socket, and once from the bytes that were read.
#[derive(Clone)]
pub(super) enum ParcelWords {
    /// A parcel of this process.
    Own {
        /// The process that it goes to.
        target: usize,
        /// The sender and the label.
        header: u64,
        /// At least one word: timely carries no empty container.
        words: Vec<u64>,
    },
    /// A parcel from another process: the header and the words.
    Received(Bytes),
}

/// The number of words that are copied at a time.
const BLOCK: usize = 512;

const WORD: usize = size_of::<u64>();

impl ParcelWords {
    /// A parcel of process `from` to process `target`.
    pub(super) fn new(from: usize, target: usize, label: u32, words: Vec<u64>) -> Self {
        Self::Own {
            target,
            header: from as u64 | (u64::from(label) << 32),
            words,
        }
    }

    /// The parcel as its receiver sees it.
    pub(super) fn open(self) -> Parcel {
        let (header, words) = match self {
            Self::Own { header, words, .. } => (header, words),
            Self::Received(bytes) => {
                let mut words = bytes.chunks_exact(WORD).map(|bytes| {
                    let mut word = [0; WORD];
                    word.copy_from_slice(bytes);
                    u64::from_le_bytes(word)
                });
                (words.next().unwrap_or_default(), words.collect())
            }
        };
        Parcel {
            from: header as u32 as usize,
            label: (header >> 32) as u32,
            words,
        }
    }
}

impl Default for ParcelWords {
    fn default() -> Self {
        Self::new(0, 0, 0, Vec::new())
    }
}

impl Accountable for ParcelWords {
    // One parcel is one record: it is never divided, and progress needs no more.
    fn record_count(&self) -> i64 {
        match self {
            Self::Own { words, .. } => i64::from(!words.is_empty()),
            Self::Received(_) => 1,
        }
    }
}

impl ContainerBytes for ParcelWords {
    fn from_bytes(bytes: Bytes) -> Self {
        Self::Received(bytes)
    }

    fn length_in_bytes(&self) -> usize {
        match self {
            Self::Own { words, .. } => WORD * (1 + words.len()),
            Self::Received(bytes) => bytes.len(),
        }
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        // Timely writes into memory that it has made large enough, so it cannot fail.
        let mut write = |bytes: &[u8]| drop(writer.write_all(bytes));
        match self {
            Self::Own { header, words, .. } => {
                write(&header.to_le_bytes());
                let mut block = [0; BLOCK * WORD];
                for part in words.chunks(BLOCK) {
                    for (place, word) in block.chunks_exact_mut(WORD).zip(part) {
                        place.copy_from_slice(&word.to_le_bytes());
                    }
                    write(&block[..WORD * part.len()]);
                }
            }
            Self::Received(bytes) => write(bytes),
        }
    }
}

/// Sends each parcel as a whole to the process that its header names.
pub(super) struct ByTarget;

impl Distributor<ParcelWords> for ByTarget {
    fn partition<T: Clone, P: Push<Message<T, ParcelWords>>>(
        &mut self,
        parcel: &mut ParcelWords,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let ParcelWords::Own { target, .. } = *parcel else {
            return;
        };
        if let Some(pusher) = pushers.get_mut(target) {
            Message::push_at(parcel, stamp.clone(), pusher);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, ParcelWords>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}
