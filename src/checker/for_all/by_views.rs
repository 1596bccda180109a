//! Decides by views of a few identities whether an assertion holds for all sizes, and compares the
//! views with those of small instances.

use base::cancel::{Cancellation, Phase};
use base::diag::{Diagnostic, Result};
use report::for_all::ForAllReport;
use report::views::{ViewTable, ViewedProcess};
use views::{
    ClosedViews, FamilyQuestion, Finding, InstanceWalk, NotWalked, ViewListing, Views, close,
};

use super::asked::{AskedForAll, FOR_ALL, not_for_all};
use super::{ForAllDecision, MethodEnd};

/// The most identities of views that are tried.
const MOST_IN_SIGHT: usize = 3;

/// Instances that have at most this many identities more than a step has in sight are walked
/// through, to see that the views which are reached are among those that were found.
const MOST_LARGER: usize = 2;

/// The most states of an instance that is walked through.
const MOST_WALKED: usize = 2_000;

impl<'a> ForAllDecision<'a> {
    /// Decides the assertion by views of one identity, of two, and so on. Ends open, with a message
    /// of the code [`FOR_ALL`], if the script does what views cannot show.
    pub(super) fn by_views(&mut self, asked: &AskedForAll) -> Result<MethodEnd> {
        if !asked.is_of_views {
            return Ok(MethodEnd::Open(not_for_all(
                "this is decided for all sizes only if the process is laid link by link",
            )));
        }
        let question = self.question(asked);
        let token = self.task.token();
        token.enter(Phase::Views, "");
        let mut open = None;
        for size in 1..=MOST_IN_SIGHT {
            let finding = match close(&question, size, &token) {
                Err(problem) if problem.code == FOR_ALL => return Ok(MethodEnd::Open(problem)),
                finding => finding?,
            };
            match finding {
                Finding::Holds(views) => return self.believed(views, asked, &token),
                Finding::Open(event) => open = Some(event),
                Finding::MayDeadlock => open = None,
            }
        }
        let what = match open {
            Some(event) => format!("the specification allows `{event}`"),
            None => "something can always be done".to_string(),
        };
        let message = format!("views of {MOST_IN_SIGHT} identities do not show that {what}");
        let problem = Diagnostic::undecided(FOR_ALL, message)
            .hint("what depends on more identities at once, or on how many there are, is not decided for all sizes");
        Ok(MethodEnd::Open(Box::new(problem)))
    }

    /// The question as views and chains take it.
    pub(super) fn question(&self, asked: &AskedForAll) -> FamilyQuestion<'a> {
        FamilyQuestion {
            script: &self.script.script,
            parameter: self.family.parameter,
            index_set: self.family.index_set,
            specification: asked.specification,
            implementation: asked.implementation,
        }
    }

    /// Decides the instances that `views` do not cover, and walks through others.
    fn believed(
        &mut self,
        mut views: Box<ClosedViews<'a>>,
        asked: &AskedForAll,
        token: &Cancellation,
    ) -> Result<MethodEnd> {
        if let Some(answer) = self.instances(views.summary.instances, self.options)? {
            return Ok(MethodEnd::Answered(answer));
        }
        note(self.report, &views.summary);
        token.enter(Phase::Views, "");
        self.walk_through(&mut views, asked, token)?;
        if self.options.lists_views {
            self.report.view_table = Some(table(views.listing()?));
        }
        Ok(MethodEnd::Holds)
    }

    /// Walks through instances and looks for all their views among those that were found, until all
    /// that were found are met.
    fn walk_through(
        &mut self,
        views: &mut ClosedViews<'_>,
        asked: &AskedForAll,
        token: &Cancellation,
    ) -> Result<()> {
        let missing = views.summary.missing;
        let first = views.summary.joined;
        for identities in first..=first + MOST_LARGER {
            let size = (identities as i64 + missing).max(1) as usize;
            if size < self.report.least {
                continue;
            }
            if self.family.largest.is_some_and(|largest| size > largest) {
                return Ok(());
            }
            let instance = self.family.instance(size)?;
            let walk = InstanceWalk {
                script: &instance.script,
                specification: asked.specification,
                implementation: asked.implementation,
                identities: (size as i64 - missing) as usize,
                most: MOST_WALKED,
            };
            let met = match views.walk(&walk, token) {
                Ok(met) => met,
                Err(NotWalked::TooSmall) => continue,
                Err(NotWalked::GivenUp) => return Ok(()),
                Err(NotWalked::Failed(problem)) => return Err(problem),
            };
            self.report.walked = Some(size);
            self.report.met = Some(met);
            if met == views.summary.views {
                self.report.cutoff = Some(size);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Notes in the report how many views there are.
fn note(report: &mut ForAllReport, views: &Views) {
    report.in_sight = Some(views.size);
    report.views = Some(views.views);
    report.joined = Some(views.joined);
    report.joins = Some(views.joins);
}

/// Views as plain data.
fn table(listing: ViewListing) -> ViewTable {
    let processes = listing.processes.into_iter();
    ViewTable {
        identities: listing.identities,
        processes: processes
            .map(|process| ViewedProcess {
                name: process.name,
                identity: process.identity,
                is_specification: process.is_specification,
            })
            .collect(),
        views: listing.views,
    }
}
