//! Questions about scripts, from the page in the browser and from other programs.

#![doc = include_str!("README.md")]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, unused_imports, reason = "the server is left out there")
)]

pub mod api;
#[cfg_attr(target_family = "wasm", path = "no_server.rs")]
pub mod explore;
pub mod mcp;
