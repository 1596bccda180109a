//! Labs: tasks in CSPm with directives, and the marking of students' work.

#![doc = include_str!("README.md")]

pub mod answer;
mod below;
pub mod commands;
pub mod directive;
pub mod game;
pub mod guide;
pub mod mark;
mod parts;
pub mod reading;
pub mod sheet;
pub mod texts;
mod wording;
pub mod work;
