//! Labs: tasks in CSPm with directives, and the marking of what a student wrote.
//!
//! A lab's script includes the student's and holds the checks: assertions, each below lines that
//! begin with `--?` and say what is demanded of it. `sheet` reads them, `guide` the text of the
//! tasks, `work` the lines that a student writes, `reading` the script without what is wrong in it,
//! and `mark` has `checker` decide the assertions.

pub mod answer;
pub mod commands;
pub mod directive;
pub mod guide;
pub mod mark;
mod parts;
pub mod reading;
pub mod sheet;
pub mod texts;
pub mod work;
