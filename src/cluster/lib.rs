//! What several processes of the program, on one or more machines, do together.
//!
//! They search beside each other: each keeps a share of the states, and hands over to the others
//! what it finds of theirs. `Exchange` is all that a search sees of it. Behind it are connections
//! that are opened here, with a secret that all processes know, and timely dataflow, which carries
//! parcels of words and says when all of them have arrived (`network`). `README.md` says why it is
//! so, what is protected, and what it costs.

mod exchange;
#[cfg(all(feature = "network", not(target_family = "wasm")))]
mod network;

pub use self::exchange::{
    Exchange, MOST_WORDS, Parcel, Received, ShareProgress, Until, agree, gather,
};
#[cfg(all(feature = "network", not(target_family = "wasm")))]
pub use self::network::{ClusterMember, ClusterPlace, News, NewsListener};
