//! The lines of a script that begin with `--?`, as words with places.

use base::diag::Diagnostic;
use base::source::{FileId, Span};

/// The mark at the beginning of a directive.
pub(crate) const MARK: &str = "--?";

/// The indentation behind the mark of a line that continues the line before.
const CONTINUED: &str = "   ";

/// True if `line` continues the directive in the line before.
pub(crate) fn is_continuation(line: &str) -> bool {
    let body = line.trim_end().strip_prefix(MARK);
    body.is_some_and(|body| body.starts_with(CONTINUED))
}

/// One directive: its first word, and the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The first word, such as `task`.
    pub word: String,
    /// The text behind the first word.
    pub all: String,
    /// The text between the first word and the first quotation mark.
    pub plain: String,
    /// The text in quotation marks.
    pub quoted: Option<String>,
    /// The text behind the closing quotation mark.
    pub rest: String,
    /// False if a text in quotation marks does not end.
    is_closed: bool,
    /// Its place, including further lines.
    pub span: Span,
}

impl Directive {
    /// A message that this directive is wrong.
    pub fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("bad-directive", message).at(self.span, "")
    }

    /// The directive. Fails if a text in quotation marks does not end.
    pub(crate) fn closed(self) -> Result<Self, Box<Diagnostic>> {
        match self.is_closed {
            true => Ok(self),
            false => Err(Box::new(
                self.wrong("a text in quotation marks does not end"),
            )),
        }
    }

    /// The words between the first and the first quotation mark.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.plain.split_whitespace()
    }

    /// The text in quotation marks. Fails if it is missing.
    pub fn text(&self) -> Result<String, Box<Diagnostic>> {
        self.quoted.clone().ok_or_else(|| {
            let message = format!("`{}` has no text in quotation marks", self.word);
            Box::new(self.wrong(message).hint("end it with \"...\""))
        })
    }
}

/// All directives of `text`, the file `file`, in their order. Fails if a text in quotation marks
/// does not end.
pub fn directives(text: &str, file: FileId) -> Result<Vec<Directive>, Box<Diagnostic>> {
    let each = lines(text, file).into_iter();
    each.map(Directive::closed).collect()
}

/// All directives of `text`, the file `file`, in their order, with those that are not closed.
pub(crate) fn lines(text: &str, file: FileId) -> Vec<Directive> {
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end().len());
        at += line.len();
        let Some(body) = line.trim_end().strip_prefix(MARK) else {
            continue;
        };
        match found.last_mut() {
            Some((before, _, last))
                if is_continuation(line) && text[*last..start].trim().is_empty() =>
            {
                *before += " ";
                *before += body.trim();
                *last = end;
            }
            _ => found.push((body.trim().to_string(), start, end)),
        }
    }
    let span = |start, end| Span::new(file, start, end);
    let each = found.into_iter();
    each.map(|(body, start, end)| directive(&body, span(start, end)))
        .collect()
}

/// The directive with the text `body`.
fn directive(body: &str, span: Span) -> Directive {
    let (word, after) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    let mut parts = after.splitn(3, '"');
    let mut next = || parts.next().map(|part| part.trim().to_string());
    let (plain, quoted, rest) = (next().unwrap_or_default(), next(), next());
    Directive {
        word: word.to_string(),
        all: after.trim().to_string(),
        plain,
        is_closed: quoted.is_none() || rest.is_some(),
        rest: rest.unwrap_or_default(),
        span,
        quoted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_words_and_a_text_that_may_go_on() {
        let text = "P = STOP\n--? task 3 \"Two\n--?    lines\" minutes 5\n--? hint 1 \"a\"\n\n--? fix-initial\n-- no\n";
        let found = directives(text, FileId(0)).expect("they are right");
        let shown: Vec<_> = found
            .iter()
            .map(|found| {
                (
                    &*found.word,
                    &*found.plain,
                    found.quoted.as_deref(),
                    &*found.rest,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("task", "3", Some("Two lines"), "minutes 5"),
                ("hint", "1", Some("a"), ""),
                ("fix-initial", "", None, "")
            ]
        );
        assert_eq!(&text[found[0].span.range()].lines().count(), &2);
    }

    #[test]
    fn a_text_must_end() {
        let problem = directives("--? task 1 \"Two", FileId(0)).expect_err("it does not end");
        assert_eq!(
            (problem.code, problem.labels[0].0.start),
            ("bad-directive", 0)
        );
    }
}
