//! Scripts and machines that are kept between requests, by numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::diag::Diagnostic;
use checker::{Answer, Error, OwnChecks, ProcessNodes, Script, Task};
use report::api::ApiMachine;
use report::assertion::AssertionReport;
use report::node::NodeReport;

use super::request::AskedOptions;
use super::work::ApiWork;

/// Scripts and machines that are kept. A number is given only once, so that a request which comes
/// late is never about something else.
#[derive(Default)]
pub(in super::super) struct KeptWork {
    last_script: u64,
    last_machine: u64,
    scripts: BTreeMap<u64, KeptScript>,
    machines: BTreeMap<u64, ProcessNodes>,
}

/// A script that was read, with what its checks share.
pub(super) struct KeptScript {
    script: Arc<Script>,
    /// The checks by the options that were asked for last.
    checks: Option<(AskedOptions, OwnChecks)>,
    /// By assertion, the report of the last check that gave a verdict.
    reports: BTreeMap<usize, AssertionReport>,
}

impl KeptWork {
    /// Keeps `script`, and returns its number.
    pub(super) fn add_script(&mut self, script: Arc<Script>) -> u64 {
        self.last_script += 1;
        let kept = KeptScript {
            script,
            checks: None,
            reports: BTreeMap::new(),
        };
        self.scripts.insert(self.last_script, kept);
        self.last_script
    }

    /// Keeps a machine. Returns the answer about it, which has the path if that is asked for.
    pub(super) fn add_machine(
        &mut self,
        mut nodes: ProcessNodes,
        has_path: bool,
        task: &Task,
    ) -> Result<ApiMachine, Error> {
        let Some(node) = nodes.node(0, task)? else {
            return Err(not_kept("node", 0));
        };
        self.last_machine += 1;
        let answer = ApiMachine {
            machine: self.last_machine,
            process: nodes.process().to_string(),
            node,
            path: has_path.then(|| nodes.path().to_vec()),
        };
        self.machines.insert(self.last_machine, nodes);
        Ok(answer)
    }

    /// The script with this number.
    pub(super) fn script(&mut self, number: u64) -> Result<&mut KeptScript, Error> {
        let kept = self.scripts.get_mut(&number);
        kept.ok_or_else(|| not_kept("script", number))
    }

    /// The machine with this number.
    pub(super) fn machine(&mut self, number: u64) -> Result<&mut ProcessNodes, Error> {
        let kept = self.machines.get_mut(&number);
        kept.ok_or_else(|| not_kept("machine", number))
    }

    /// The state `node` of the machine with this number.
    pub(super) fn node(
        &mut self,
        machine: u64,
        node: usize,
        task: &Task,
    ) -> Result<NodeReport, Error> {
        let found = self.machine(machine)?.node(node, task)?;
        found.ok_or_else(|| not_kept("node", node as u64))
    }

    /// Forgets the script with this number.
    pub(super) fn close_script(&mut self, number: u64) -> Result<(), Error> {
        let closed = self.scripts.remove(&number);
        closed.map(drop).ok_or_else(|| not_kept("script", number))
    }

    /// Forgets the machine with this number.
    pub(super) fn close_machine(&mut self, number: u64) -> Result<(), Error> {
        let closed = self.machines.remove(&number);
        closed.map(drop).ok_or_else(|| not_kept("machine", number))
    }
}

impl KeptScript {
    /// The script.
    pub(super) fn script(&self) -> Arc<Script> {
        Arc::clone(&self.script)
    }

    /// Decides the assertion at `index` as `asked` says, beside what checks with equal options have
    /// left.
    pub(super) fn check(&mut self, index: usize, asked: &ApiWork, task: &Task) -> Answer {
        let wanted = asked.request().asked_options();
        let checks = match self.checks.take() {
            Some((options, checks)) if options == wanted => checks,
            _ => OwnChecks::new(self.script(), asked.options().clone()),
        };
        let (_, checks) = self.checks.insert((wanted, checks));
        let answer = checks.check(index, task);
        if answer.problem.is_none() {
            self.reports.insert(index, answer.report.clone());
        }
        answer
    }

    /// The report of the last check of the assertion at `index` that gave a verdict, if one did.
    pub(super) fn report(&self, index: usize) -> Option<&AssertionReport> {
        self.reports.get(&index)
    }
}

/// The message that there is no such thing with this number.
fn not_kept(what: &str, number: u64) -> Error {
    let problem = Diagnostic::error(
        "not-kept",
        format!("no {what} has the number {number} here"),
    );
    let hint = match what {
        "script" => "`load` gives a script its number, until it is closed",
        "machine" => "`open` gives a machine its number, until it is closed",
        _ => "nodes have numbers once a node with a step to them was asked for",
    };
    problem.hint(hint).into()
}
