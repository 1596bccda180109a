//! Short texts that describe the results of resolution, for comparison with expected ones.

use crate::resolve::resolve;
use crate::resolved::{PatternName, Place, Reference, Resolved};
use base::diag::{Diagnostic, Severity};
use base::source::{SourceMap, Span};
use syntax::ast::Ast;

/// A script that has been read and resolved.
pub(super) struct Script {
    pub(super) sources: SourceMap,
    pub(super) ast: Ast,
    pub(super) resolved: Resolved,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Script {
    pub(super) fn new(text: &str) -> Self {
        let (sources, ast) = super::parse(text);
        let (resolved, diagnostics) = resolve(&ast);
        Self {
            sources,
            ast,
            resolved,
            diagnostics,
        }
    }

    /// A line for each diagnostic: code, primary text, message, then further places and the hint.
    pub(super) fn messages(&self) -> String {
        let mut out = String::new();
        for diagnostic in &self.diagnostics {
            let kind = if diagnostic.severity == Severity::Error {
                ""
            } else {
                "warning "
            };
            out += &format!("{kind}{}: {}\n", diagnostic.code, diagnostic.message);
            for (span, text) in &diagnostic.labels {
                out += &format!("  at {} {text}\n", self.place_text(*span));
            }
            let hint = diagnostic.hint.as_deref();
            for line in diagnostic.notes.iter().map(String::as_str).chain(hint) {
                out += &format!("  {line}\n");
            }
        }
        out
    }

    /// `line:column` and the text there.
    fn place_text(&self, span: Span) -> String {
        let text = &self.sources.file(span.file).text;
        let before = &text[..span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        let first_line = self
            .text(span)
            .lines()
            .next()
            .unwrap_or("")
            .trim_end()
            .to_string();
        format!("{line}:{column} `{first_line}`")
    }

    fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// Every name in an expression, in the order of the script, with its meaning. (The tree also
    /// holds left-hand sides that were first read as expressions; these mean nothing and are left
    /// out.)
    pub(super) fn names(&self) -> String {
        let mut found = Vec::new();
        for (id, meaning) in self.resolved.names.iter_enumerated() {
            if let Some(meaning) = meaning {
                let span = self.ast.expressions[id].span;
                found.push((
                    span.start,
                    format!("{} {}", self.text(span), reference(meaning)),
                ));
            }
        }
        join(found)
    }

    /// Every name in a pattern, in the order of the script, with its meaning.
    pub(super) fn patterns(&self) -> String {
        let mut found = Vec::new();
        for (id, meaning) in self.resolved.patterns.iter_enumerated() {
            let meaning = match meaning {
                Some(PatternName::Variable(slot)) => format!("={slot}"),
                Some(PatternName::Constant(constant)) => reference(constant),
                None => continue,
            };
            let span = self.ast.patterns[id].span;
            found.push((span.start, format!("{} {meaning}", self.text(span))));
        }
        join(found)
    }

    /// The free variables of every definition and site for which there is one, in the order of the
    /// script.
    pub(super) fn free(&self) -> String {
        let mut found = Vec::new();
        for (id, free) in &self.resolved.free {
            let span = self.ast.expressions[*id].span;
            found.push((span, free));
        }
        for (id, free) in &self.resolved.free_of_definition {
            let span = self.ast.declarations[*id].span;
            found.push((span, free));
        }
        found.retain(|(_, free)| !free.is_empty());
        let line = |(span, free): (Span, &Vec<Place>)| {
            let text = self
                .text(span)
                .lines()
                .next()
                .unwrap_or("")
                .trim_end()
                .to_string();
            (span.start, format!("[{text}] {}", places(free)))
        };
        join(found.into_iter().map(line).collect())
    }

    /// The definitions that yield processes: the beginning of each.
    pub(super) fn processes(&self) -> String {
        let mut found = Vec::new();
        for id in &self.resolved.processes {
            let span = self.ast.declarations[*id].span;
            let text = self
                .text(span)
                .split('=')
                .next()
                .unwrap_or("")
                .trim_end()
                .to_string();
            found.push((span.start, text));
        }
        join(found)
    }
}

fn join(mut found: Vec<(u32, String)>) -> String {
    found.sort();
    found
        .into_iter()
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join(", ")
}

fn reference(reference: &Reference) -> String {
    match reference {
        Reference::Local { place, .. } => format!("{}.{}", place.up, place.slot),
        Reference::Member { place, members, .. } => {
            format!("{}.{}{members:?}", place.up, place.slot)
        }
        Reference::Builtin(_) => "built-in".to_string(),
    }
}

fn places(places: &[Place]) -> String {
    places
        .iter()
        .map(|p| format!("{}.{}", p.up, p.slot))
        .collect::<Vec<_>>()
        .join(" ")
}
