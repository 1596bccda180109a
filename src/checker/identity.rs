//! The identity of a search: states on disk, or other processes, must belong to the same search.

use std::path::Path;

use base::digest::fingerprint;
use base::source::SourceMap;
use lts::normal_form::NormalForm;
use refine::spill::{Fact, Identity};

use super::compiled::Compiled;
use super::decision::Decision;
use super::reduction::Reduction;

/// All that the search of `compiled` depends on.
pub(super) fn identity(
    run: &Decision<'_, '_>,
    compiled: &Compiled,
    reduction: &Reduction,
) -> Identity {
    let Decision {
        options, report, ..
    } = run;
    let (choice, machine) = (&reduction.choice, &*compiled.machine);
    let form: &NormalForm = compiled.form();
    // The reduction that is used, whatever is asked for.
    let partial_order = report.partial_order.as_deref().unwrap_or("none");
    let method = choice.method.as_ref();
    let representative = method.map_or("none", |method| method.name());
    // A value that begins with `#` says nothing to people: messages say only that it differs.
    let printed = |value: String| format!("#{value}");
    // Packed pairs are on disk, so the packing has a field for the specification.
    let packing = machine.packing(form.state_count() as u32);
    let mut facts = texts(&run.script.sources);
    facts.extend([
        fact("the version of cspsym", env!("CARGO_PKG_VERSION")),
        fact("the model", report.model.as_deref().unwrap_or("none")),
        fact("what termination is", options.termination.name()),
        fact("whether leaves are minimised", yes(options.minimise)),
        fact(
            "whether symmetries fix the initial states",
            yes(options.fix_initial),
        ),
        fact("the algorithm", choice.algorithm.name()),
        fact("the representative function", representative),
        fact("the partial order reduction", partial_order),
        fact("the machine", &printed(fingerprint(machine))),
        fact("the packing of states", &printed(fingerprint(&packing))),
        fact("the normal form", &printed(fingerprint(form))),
        fact(
            "the group of symmetries",
            &printed(fingerprint(&reduction.group.generators())),
        ),
    ]);
    Identity {
        script: report.file.clone(),
        question: report.assertion.clone().unwrap_or_default(),
        facts,
    }
}

/// The texts of a script, as facts that identify a search.
pub fn texts(sources: &SourceMap) -> Vec<Fact> {
    let texts = sources.iter().map(|(_, file)| match &file.name[..] {
        // `<-D N>` and `<command line>`: such texts are short, so messages may show them.
        name if name.starts_with('<') => fact(name.trim_matches(['<', '>']), &file.text),
        name => {
            // A script may be moved between two calls, so its folder does not count.
            let name = Path::new(name).file_name().unwrap_or_default();
            let name = format!("the text of {}", name.to_string_lossy());
            fact(&name, &format!("#{}", fingerprint(&file.text)))
        }
    });
    texts.collect()
}

fn fact(name: &str, value: &str) -> Fact {
    Fact {
        name: name.to_string(),
        value: value.to_string(),
    }
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
