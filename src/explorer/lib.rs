//! What is asked of scripts by the page in the browser, and by other programs.

#![doc = include_str!("README.md")]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the server is left out there")
)]

pub mod api;
#[cfg_attr(target_family = "wasm", path = "no_server.rs")]
pub mod explore;
