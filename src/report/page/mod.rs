//! A report as a page: one file with verdicts, counterexamples and drawings, which any browser
//! shows without a server and without a network.
//!
//! Everything is there as it is, without scripts. The one script of the page only steps through the
//! lanes; it takes what it needs from the reports, which are in the page as JSON. The page's policy
//! allows this script and these styles, by their digests, and nothing else, so that no name in a
//! report can become code.

mod alone;
mod columns;
mod lanes;
mod policy;

pub use self::alone::lanes_alone;
use self::lanes::lanes;
use self::policy::policy;
use super::assertion::{AssertionReport, Counterexample, Kind, Verdict};
use super::components::waits;
use super::drawing::escape;
use super::text::verdict;
use super::violation::{SideNames, sentence, violation};
use base::number::{counted, seconds};

/// The style of the pages that the program serves.
pub const STYLE: &str = include_str!("style.css");
/// The style of a report beyond that of other pages.
const REPORT_STYLE: &str = include_str!("report.css");
/// The script that steps through the lanes.
const SCRIPT: &str = include_str!("report.js");

/// The verdicts of a call.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReportPage {
    /// The call, as it is given to a shell.
    pub call: String,
    /// The date and time of the call.
    pub made: String,
    /// The assertions in their order.
    pub assertions: Vec<PageAssertion>,
}

/// An assertion of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct PageAssertion {
    /// Its verdict.
    pub report: AssertionReport,
    /// The graph of the process that it is about, as an SVG drawing, if that is small.
    pub drawing: Option<String>,
}

impl ReportPage {
    /// The whole page. It depends on these values alone.
    pub fn html(&self) -> String {
        let style = format!("{STYLE}\n{REPORT_STYLE}");
        let title = self.title();
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"cspsym {}\">\n\
             <title>{}</title>\n<style>{style}</style>\n</head>\n<body class=\"report\">\n",
            policy(&style, SCRIPT),
            env!("CARGO_PKG_VERSION"),
            escape(&title),
        );
        html.push_str(&format!(
            "<header><h1>{}</h1><p>{}</p>\n<p class=\"soft\"><code>{}</code></p>\n\
             <p class=\"soft\">{}, cspsym {}</p></header>\n<main>\n",
            escape(&self.files().join(", ")),
            escape(&self.summary()),
            escape(&self.call),
            escape(&self.made),
            env!("CARGO_PKG_VERSION"),
        ));
        let mut file = None;
        for (index, assertion) in self.assertions.iter().enumerate() {
            if file != Some(&assertion.report.file) {
                if file.is_some() {
                    html.push_str("</ol>\n");
                }
                file = Some(&assertion.report.file);
                let name = escape(&assertion.report.file);
                html.push_str(&format!("<h2>{name}</h2>\n<ol class=\"assertions\">\n"));
            }
            assertion.write(index, &mut html);
        }
        if file.is_some() {
            html.push_str("</ol>\n");
        }
        html.push_str("</main>\n");
        html.push_str(&format!(
            "<script type=\"application/json\" id=\"reports\">{}</script>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n",
            self.json()
        ));
        html
    }

    /// The title: the scripts, and how many assertions hold and fail.
    fn title(&self) -> String {
        format!("{}: {}", self.files().join(", "), self.summary())
    }

    /// The scripts in their order.
    fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for assertion in &self.assertions {
            if !files.contains(&assertion.report.file.as_str()) {
                files.push(&assertion.report.file);
            }
        }
        files
    }

    fn summary(&self) -> String {
        let verdicts = self.assertions.iter().map(|a| a.report.verdict);
        let count = |wanted| verdicts.clone().filter(|&v| v == wanted).count();
        let mut parts = vec![
            format!("{} hold", count(Verdict::Pass)),
            format!("{} fail", count(Verdict::Fail)),
        ];
        for (verdict, word) in [
            (Verdict::Error, "in error"),
            (Verdict::Unknown, "undecided"),
        ] {
            if count(verdict) > 0 {
                parts.push(format!("{} {word}", count(verdict)));
            }
        }
        let all = counted(self.assertions.len() as u64, "assertion");
        format!("{all}: {}", parts.join(", "))
    }

    /// The reports as a list. No `<` is in it, so that it ends where its element does.
    fn json(&self) -> String {
        let reports = self.assertions.iter();
        let reports: Vec<String> = reports.map(|assertion| assertion.report.json()).collect();
        format!("[{}]", reports.join(",")).replace('<', "\\u003c")
    }
}

impl PageAssertion {
    /// Writes the assertion, which has this position among all.
    fn write(&self, index: usize, html: &mut String) {
        let report = &self.report;
        html.push_str(&format!(
            "<li class=\"{}\" id=\"assertion-{}\">\n<div class=\"row\"><code class=\"grow\">{}</code>\
             <span class=\"verdict\">{}</span></div>\n",
            report.verdict.word(),
            index + 1,
            escape(&report.title()),
            escape(&verdict(report)),
        ));
        paragraph(html, "soft", &numbers(report));
        if let Some(message) = &report.message {
            paragraph(html, "notice", message);
        }
        if let Some(for_all) = report.of_all_values() {
            paragraph(html, "", &for_all.sentence);
        }
        for remark in &report.remarks {
            paragraph(html, "soft", remark);
        }
        let first = report.counterexample.as_slice();
        let found = report.counterexamples.as_deref().unwrap_or(first);
        if report.negated && !found.is_empty() {
            paragraph(html, "", "It holds because what stands after not fails:");
        }
        for (number, counterexample) in found.iter().enumerate() {
            let place = CounterexamplePlace {
                assertion: index,
                number,
                count: found.len(),
            };
            write_counterexample(report.kind, counterexample, place, html);
        }
        if let Some(drawing) = &self.drawing {
            html.push_str(&format!(
                "<details><summary>Graph of the process</summary>\n\
                 <div class=\"drawing\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"Graph of the process of assertion {}, can be scrolled\">{}</div></details>\n",
                index + 1,
                unstyled(drawing),
            ));
        }
        html.push_str("</li>\n");
    }
}

/// The place of a counterexample in a page.
#[derive(Clone, Copy)]
struct CounterexamplePlace {
    /// The position of its assertion.
    assertion: usize,
    /// Its position among those of the assertion, and the number of these.
    number: usize,
    count: usize,
}

fn write_counterexample(
    kind: Option<Kind>,
    found: &Counterexample,
    place: CounterexamplePlace,
    html: &mut String,
) {
    let number = place.number + 1;
    let name = match place.count {
        1 => format!("Counterexample of assertion {}", place.assertion + 1),
        _ => format!(
            "Counterexample {number} of {} of assertion {}",
            place.count,
            place.assertion + 1
        ),
    };
    html.push_str(&format!("<section aria-label=\"{name}\">\n"));
    if place.count > 1 {
        html.push_str(&format!("<h3>Counterexample {number}</h3>\n"));
    }
    let sides = SideNames::of(kind);
    paragraph(html, "trace", &sentence(kind, found, &sides));
    for run in [false, true] {
        html.push_str(&lanes(found, run, (place.assertion, place.number), &name));
    }
    if let Some(specification) = &found.specification {
        let allowed = specification.at_end.text(&sides.specification);
        paragraph(html, "", &format!("Instead, {allowed}."));
    }
    let circle = found.waiting_circle.as_deref().unwrap_or_default();
    let components = found.components.as_deref().unwrap_or_default();
    let waits = waits(components, circle);
    if !waits.is_empty() {
        html.push_str(&format!("<pre>{}</pre>\n", escape(&waits)));
    }
    html.push_str(&format!(
        "<details><summary>As text</summary><pre tabindex=\"0\">{}</pre></details>\n</section>\n",
        escape(&violation(kind, found, &sides))
    ));
}

/// The size of the search, and how long it took.
fn numbers(report: &AssertionReport) -> String {
    let states = report.states.map(|states| counted(states, "state"));
    let time = (report.seconds.total > 0.0).then(|| seconds(report.seconds.total));
    let numbers: Vec<String> = states.into_iter().chain(time).collect();
    numbers.join(", ")
}

/// Writes a paragraph of this class, unless it is empty.
fn paragraph(html: &mut String, class: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    html.push_str(&format!("<p{class}>{}</p>\n", escape(text)));
}

/// A drawing without its own style, so that it has the colours of the page.
fn unstyled(drawing: &str) -> String {
    match (drawing.find("<style>"), drawing.find("</style>")) {
        (Some(start), Some(end)) if start < end => {
            format!(
                "{}{}",
                &drawing[..start],
                &drawing[end + "</style>".len()..]
            )
        }
        _ => drawing.to_string(),
    }
}

#[cfg(test)]
mod tests;
