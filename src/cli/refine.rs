//! `cspsym refine SPEC IMPL FILE`: one refinement between two process expressions.

use super::verdicts::Verdicts;
use host::arguments::{RecordWish, RefineCall};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::remaining::{RemainingVerdicts, VerdictPrinter};

/// Decides the refinement.
pub(super) fn run(call: &RefineCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let printer = VerdictPrinter::of(&call.checking);
    let left = RemainingVerdicts::unread(printer, &[&call.file]);
    console.announce(Unsaid::Verdicts(left));
    let mut verdicts = Verdicts::begin(&call.checking, &RecordWish::default(), console)?;
    let asked = (&call.specification[..], &call.implementation[..]);
    let title = format!("{} refines {}", asked.1, asked.0);
    let title = (title, format!("{asked:?}"));
    let script = (&call.file[..], &call.checking.common().definitions[..]);
    verdicts.single(script, title, files, console, |verdicts, script, task| {
        if let Some(cluster) = &mut verdicts.cluster {
            cluster.compare(script.sources(), &verdicts.options, format!("{asked:?}"))?;
        }
        Ok(verdicts.ask(|options| script.refine(asked.0, asked.1, options, task)))
    })?;
    verdicts.end(console);
    Ok(())
}
