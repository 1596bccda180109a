//! Processes that are connected by a network: timely dataflow carries their parcels, and tells when
//! all of them have arrived.

mod arrivals;
mod connect;
mod control;
mod course;
mod engine;
mod health;
mod member;
mod secret;
#[cfg(test)]
mod tests;
mod watched;
mod words;

pub use self::health::{News, NewsListener};
pub use self::member::{ClusterMember, ClusterPlace};
