//! The division of a search's states between processes, and the folders of their shares.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// One division of the states of a search between processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Division {
    /// The number of times that the states were divided in another way before.
    pub(crate) generation: u64,
    /// A random number, by which shares of two searches that were begun alike are told apart.
    pub(crate) run: u64,
    /// The number of processes.
    pub(crate) processes: u64,
}

/// One share of a division.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct ShareStamp {
    pub(crate) division: Division,
    /// The number of the process that had it.
    pub(crate) process: u64,
}

impl ShareStamp {
    /// The stamp of a search that was not divided: another way of having all in one share.
    pub(super) const UNDIVIDED: Self = Self {
        division: Division {
            generation: 0,
            run: 0,
            processes: 1,
        },
        process: 0,
    };
}

/// The folder where a process of a cluster keeps its shares, in the folder of all.
pub fn share_folder(directory: &Path, process: usize) -> PathBuf {
    directory.join(format!("{SHARES}{process}"))
}

/// True if a folder of this name is one of a process of a cluster.
pub fn is_share_folder(name: &str) -> bool {
    let number = name.strip_prefix(SHARES);
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

const SHARES: &str = "process-";
