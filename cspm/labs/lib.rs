//! The texts of the labs, each of which is a folder beside this file.

#![doc = include_str!("README.md")]

/// The texts of a lab.
pub struct ShelvedLab {
    /// The name of the lab, which is that of its folder.
    pub name: &'static str,
    /// The guide for students, in Markdown.
    pub guide: &'static str,
    /// The script that students write into.
    pub start: &'static str,
    /// The script that it includes.
    pub given: &'static str,
    /// The script with the demands, which includes the student's.
    pub checks: &'static str,
    /// The script that solves the lab.
    pub solution: &'static str,
    /// The notes for lecturers, in Markdown.
    pub notes: &'static str,
}

macro_rules! labs {
    ($($name:literal,)*) => {
        [$(ShelvedLab {
            name: $name,
            guide: include_str!(concat!($name, "/lab.md")),
            start: include_str!(concat!($name, "/start.csp")),
            given: include_str!(concat!($name, "/given.csp")),
            checks: include_str!(concat!($name, "/lab.csp")),
            solution: include_str!(concat!($name, "/key/solution.csp")),
            notes: include_str!(concat!($name, "/key/notes.md")),
        }),*]
    };
}

/// All labs, in the order in which they are listed: the easiest first.
pub const LABS: [ShelvedLab; 3] = labs! {
    "refinement",
    "hanoi",
    "dijkstra",
};
