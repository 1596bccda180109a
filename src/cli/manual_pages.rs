//! `cspsym man`: the help of the program and of its subcommands as pages for `man`.

use std::fs;
use std::io;
use std::path::Path;

use base::diag::Diagnostic;
use base::suggest::nearest;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use host::arguments::{Arguments, ManCall};
use host::clock::day;
use host::console::Console;
use host::outcome::CallEnd;
use host::whole::write_whole;

/// A page for `man`.
struct ManualPage {
    /// The words of the call that it is about, such as `lab check`; empty for the whole program.
    subject: String,
    /// The name of its file, such as `cspsym-lab-check.1`.
    file: String,
    /// The page, in the language of `man`.
    text: Vec<u8>,
}

/// Prints the page that is asked for, or writes all into a folder.
pub(super) fn run(call: &ManCall, console: &mut Console<'_>) -> CallEnd {
    let pages = pages()?;
    if let Some(folder) = &call.into {
        return Ok(write(&pages, folder).map_err(|error| {
            let message = format!("the pages cannot be written to {}", folder.display());
            Diagnostic::error("unwritable-output", format!("{message}: {error}"))
        })?);
    }
    let subject = call.subcommand.join(" ");
    let page = pages.iter().find(|page| page.subject == subject);
    let page = page.ok_or_else(|| unknown(&subject, &pages))?;
    console.result(&String::from_utf8_lossy(&page.text))?;
    Ok(())
}

fn write(pages: &[ManualPage], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut pages = pages.iter();
    pages.try_for_each(|page| write_whole(&folder.join(&page.file), &page.text))
}

/// The pages of the program and of all its subcommands.
fn pages() -> io::Result<Vec<ManualPage>> {
    // The name of FDR's program, which this subcommand gives its version by, is that of the whole.
    let program = Arguments::command();
    let mut program = program.mut_subcommand("refines", |call| call.display_name("cspsym-refines"));
    program.build();
    let mut pages = Vec::new();
    add(&program, String::new(), &mut pages)?;
    Ok(pages)
}

/// Adds the pages of the command about `subject`, and of all below it.
fn add(command: &Command, subject: String, pages: &mut Vec<ManualPage>) -> io::Result<()> {
    for below in command.get_subcommands().filter(|call| !call.is_hide_set()) {
        let subject = format!("{subject} {}", below.get_name());
        add(below, subject.trim_start().to_string(), pages)?;
    }
    // The synopsis that clap makes for man shows options without the names of their values.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_string();
    let page = Man::new(command.clone().override_usage(usage))
        .date(day())
        .source(format!("cspsym {}", env!("CARGO_PKG_VERSION")))
        .manual("cspsym");
    let below = command.get_after_help().map(ToString::to_string);
    let below = sections(below.as_deref().unwrap_or_default());
    let mut parts = Vec::new();
    let mut part = |render: &dyn Fn(&Man, &mut Vec<u8>) -> io::Result<()>| {
        let mut text = Vec::new();
        render(&page, &mut text)?;
        parts.push(text);
        io::Result::Ok(())
    };
    part(&|page, to| page.render_title(to))?;
    part(&|page, to| page.render_name_section(to))?;
    part(&|page, to| page.render_synopsis_section(to))?;
    part(&|page, to| page.render_description_section(to))?;
    for (_, lines) in below.iter().filter(|(heading, _)| heading.is_none()) {
        part(&|_, to| body(lines).to_writer(to))?;
    }
    part(&|page, to| page.render_options_section(to))?;
    if command.has_subcommands() {
        part(&|page, to| page.render_subcommands_section(to))?;
    }
    for (heading, lines) in &below {
        if let Some(heading) = heading {
            let heading = heading.to_uppercase();
            let heading = [heading.as_str()];
            part(&|_, to| Roff::new().control("SH", heading).to_writer(to))?;
            part(&|_, to| body(lines).to_writer(to))?;
        }
    }
    pages.push(ManualPage {
        subject,
        file: page.get_filename(),
        text: joined(&parts),
    });
    Ok(())
}

/// One page of its parts. Each of these begins with the definitions that the whole begins with.
fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    let definitions = Roff::new().render().into_bytes();
    let bodies = parts
        .iter()
        .map(|part| part.strip_prefix(&definitions[..]).unwrap_or(part));
    let bodies: Vec<&[u8]> = bodies.collect();
    [definitions.clone(), bodies.concat()].concat()
}

/// The lines that stand below the options in a help, in sections. What has no heading belongs to
/// the description.
fn sections(text: &str) -> Vec<(Option<&str>, Vec<&str>)> {
    let mut sections = vec![(None, Vec::new())];
    for line in text.lines() {
        let heading = ["Examples:", "Exit status:"].contains(&line);
        match sections.last_mut() {
            Some((_, lines)) if !heading => {
                // Behind the lines of a section a text at the margin is description again.
                let is_over = lines.last() == Some(&"") && !line.is_empty();
                match is_over && !line.starts_with(' ') {
                    true => sections.push((None, vec!["", line])),
                    false => lines.push(line),
                }
            }
            _ => sections.push((line.strip_suffix(':'), Vec::new())),
        }
    }
    sections
}

/// Lines of a help in the language of `man`: paragraphs, and lists of what is indented.
fn body(lines: &[&str]) -> Roff {
    let mut page = Roff::new();
    let mut goes_on = false;
    for line in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        match (text.strip_prefix("- "), text.split_once("  ")) {
            _ if text.is_empty() => {}
            (Some(item), _) if indent > 0 => {
                page.control("IP", ["\\(bu", "2"]).text([roman(item)]);
            }
            (_, Some((word, meaning))) if indent == 2 => {
                page.control("TP", []).text([bold(word)]);
                page.text([roman(meaning.trim_start())]);
            }
            // A call, below which there may be a line on it.
            _ if indent == 2 => {
                page.control("TP", []).text([bold(text)]);
            }
            _ if indent == 0 && !goes_on => {
                page.control("PP", []).text([roman(text)]);
            }
            _ => {
                page.text([roman(text)]);
            }
        }
        goes_on = !text.is_empty();
    }
    page
}

fn unknown(subject: &str, pages: &[ManualPage]) -> Diagnostic {
    let error = Diagnostic::error("unknown-topic", format!("there is no page on `{subject}`"));
    let known = pages.iter().map(|page| page.subject.as_str());
    match nearest(subject, known) {
        Some(near) => error.hint(format!("did you mean `cspsym man {near}`?")),
        None => error.hint("`cspsym help` lists all subcommands"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_where_a_text_stands_at_the_margin() {
        let text = "One.\n\nExamples:\n  call\n      its line\n\nTwo.\nExit status:\n  0  good";
        let sections = sections(text);
        let found: Vec<(Option<&str>, String)> = sections
            .iter()
            .map(|(heading, lines)| (*heading, lines.join("|")))
            .collect();
        let found: Vec<(Option<&str>, &str)> = found
            .iter()
            .map(|(heading, lines)| (*heading, lines.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (None, "One.|"),
                (Some("Examples"), "  call|      its line|"),
                (None, "|Two."),
                (Some("Exit status"), "  0  good"),
            ]
        );
    }

    #[test]
    fn lists_and_paragraphs_are_told_apart() {
        let lines = [
            "It does", "  - this", "  - that", "", "One line", "and one.",
        ];
        assert_eq!(
            body(&lines).to_roff(),
            ".PP\nIt does\n.IP \\(bu 2\nthis\n.IP \\(bu 2\nthat\n.PP\nOne line\nand one.\n"
        );
        // What would be a command to `man` is not taken for one.
        assert_eq!(body(&[".x"]).to_roff(), ".PP\n\\&.x\n");
    }
}
