//! Connects several processes of the program, on one or more machines, to a cluster.

#![doc = include_str!("README.md")]

mod exchange;
#[cfg(all(feature = "network", not(target_family = "wasm")))]
mod network;

pub use self::exchange::{
    Exchange, MOST_WORDS, Parcel, Received, ShareProgress, Until, agree, gather,
};
#[cfg(all(feature = "network", not(target_family = "wasm")))]
pub use self::network::{ClusterMember, ClusterPlace, News, NewsListener};
