//! The chapters of the manual, which are part of the program.

/// The topic whose chapter is about results in JSON.
pub(super) const JSON: &str = "json";

/// A chapter of the manual.
pub struct Chapter {
    /// The name by which `help` finds it.
    pub topic: &'static str,
    /// The subject, in a line.
    pub summary: &'static str,
    /// The whole chapter, in Markdown.
    pub text: &'static str,
}

/// The chapters, each of which is a file of `src/host/manual/`.
macro_rules! chapters {
    ($($topic:literal: $summary:literal,)*) => {
        [$(Chapter {
            topic: $topic,
            summary: $summary,
            text: include_str!(concat!("manual/", $topic, ".md")),
        }),*]
    };
}

/// The manual, in the order in which it is listed.
pub const CHAPTERS: [Chapter; 21] = chapters! {
    "installing": "packages, platforms, completions of shells, pages for man",
    "command-line": "subcommands, options, exit statuses",
    "from-fdr": "in place of FDR's refines: options, layouts, what differs",
    "language": "which CSPm is accepted, and what it means here",
    "models": "assertions, models, termination, counterexamples",
    "time": "tock, deadlines and urgency, and what makes time stand still",
    "every-n": "verdicts for every number of processes at once",
    "graphs": "transition systems: to draw, to export, to import",
    "symmetries": "how symmetry is found and used, and what breaks it",
    "walks": "stepping through a process, and who keeps an event back",
    "games": "playing for and against a refinement, and why one wins",
    "explorer": "the page in the browser: walks, graphs, structure, symmetries",
    "limits": "time, memory, progress, searches on disk",
    "cluster": "searches in several processes, on one machine or on many",
    "labs": "tasks that are checked: for students, lecturers and authors",
    "editors": "how to set up an editor, and what it shows then",
    "pipelines": "checks at each change: GitHub, pre-commit, other services",
    "json": "results for other programs; --schema prints their JSON Schema",
    "requests": "questions of other programs, a line each",
    "assistants": "how to let an assistant check the CSP that it writes",
    "messages": "how messages are built, and how to read more about one",
};

/// All topics, each with the line on its chapter.
pub(super) fn topics() -> String {
    let topics = CHAPTERS.iter().map(|chapter| chapter.topic);
    let width = topics.map(str::len).max().unwrap_or_default();
    let line = |chapter: &Chapter| format!("\n  {:width$}  {}", chapter.topic, chapter.summary);
    let lines: String = CHAPTERS.iter().map(line).collect();
    format!("Topics of the manual, for `cspsym help TOPIC`:{lines}")
}
