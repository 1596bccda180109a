//! Stands in for clusters where there is one process, as in WebAssembly: a call for one fails.

use std::sync::Arc;

use base::diag::{Diagnostic, Result};
use base::source::SourceMap;
use checker::Options;
use cluster::Exchange;

use host::arguments::ClusterArguments;
use host::monitor::Monitor;

pub(super) use self::NoMembership as Membership;

/// A membership in a cluster, which cannot exist.
pub(super) enum NoMembership {}

impl NoMembership {
    /// Fails if the `arguments` ask for a cluster.
    pub(super) fn join(arguments: &ClusterArguments, _: &Arc<Monitor>) -> Result<Option<Self>> {
        if arguments.hosts.is_none() && arguments.processes.is_none() {
            return Ok(None);
        }
        let message = "several processes cannot search together: there is no network here";
        Diagnostic::error("cluster-not-joined", message)
            .hint("run cspsym outside of the browser")
            .into()
    }

    /// The exchange of states between the searches of all processes.
    pub(super) fn exchange(&self) -> Arc<dyn Exchange> {
        match *self {}
    }

    /// Does the `work` on the next question.
    pub(super) fn ask<T>(&mut self, _: impl FnOnce() -> T, _: impl FnOnce(&T) -> bool) -> T {
        match *self {}
    }

    /// Fails if the processes have read or were asked for different things.
    pub(super) fn compare(&mut self, _: &SourceMap, _: &Options, _: String) -> Result<()> {
        match *self {}
    }

    /// Leaves the cluster.
    pub(super) fn close(self) {
        match self {}
    }
}
