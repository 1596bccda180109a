//! The work of a student: its lab, and the predictions, in lines that begin with `--?`.

use base::diag::Diagnostic;
use base::source::{FileId, Span};
use base::suggest::nearest;

use super::answer::expected;
use super::directive::directives;
use super::sheet::Sheet;

/// The text in place of a prediction that is not made yet.
const OPEN: &str = "?";

/// The directives in a student's script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StudentWork {
    /// The lab that it belongs to.
    pub lab: Option<String>,
    /// The name, the answer and the place of each prediction. An open one has no answer.
    predictions: Vec<(String, Option<String>, Span)>,
}

impl StudentWork {
    /// Reads the script `text`, the file `file`.
    pub fn read(text: &str, file: FileId) -> Result<Self, Box<Diagnostic>> {
        let mut work = Self::default();
        for directive in directives(text, file)? {
            let words: Vec<&str> = directive.words().collect();
            match (&*directive.word, &words[..]) {
                ("lab", [name]) => work.lab = Some((*name).to_string()),
                ("predict", [name, ..]) if directive.quoted.is_some() => {
                    let message = "a prediction stands without quotation marks";
                    let hint = format!("write `--? predict {name} ANSWER`, and nothing behind it");
                    return Err(Box::new(directive.wrong(message).hint(hint)));
                }
                ("predict", [name, answer @ ..]) => {
                    let answer = answer.join(" ");
                    let is_open = answer.is_empty() || answer == OPEN;
                    let answer = (!is_open).then_some(answer);
                    let line = ((*name).to_string(), answer, directive.span);
                    work.predictions.push(line);
                }
                ("lab" | "predict", _) => {
                    let message = format!("`{}` is followed by a name", directive.word);
                    return Err(Box::new(directive.wrong(message)));
                }
                (word, _) => {
                    let problem = directive.wrong(format!("there is no directive `{word}`"));
                    let hint = "a student's script has `lab` and `predict`";
                    return Err(Box::new(problem.hint(hint)));
                }
            }
        }
        Ok(work)
    }

    /// Fails if a prediction is not in `sheet`, or does not answer its question.
    pub fn fits(&self, sheet: &Sheet) -> Result<(), Box<Diagnostic>> {
        for (name, answer, span) in &self.predictions {
            let wrong = |message| Diagnostic::error("bad-directive", message).at(*span, "");
            let Some(measure) = sheet.measure(name) else {
                let problem = wrong(format!("this lab asks for no prediction `{name}`"));
                let known = sheet.predictions().map(|(_, known)| known);
                return Err(Box::new(match nearest(name, known) {
                    Some(near) => problem.hint(format!("the nearest one is `{near}`")),
                    None => problem,
                }));
            };
            let answer = answer.as_deref();
            if let Some(kind) = answer.and_then(|answer| expected(measure, answer)) {
                let problem = wrong(format!("`{name}` asks for {kind}"));
                let hint = format!("write `--? predict {name} ANSWER`, and nothing behind it");
                return Err(Box::new(problem.hint(hint)));
            }
        }
        Ok(())
    }

    /// The prediction under this name; `None` if there is none.
    pub fn prediction(&self, name: &str) -> Option<&str> {
        let mut lines = self.predictions.iter().rev();
        let (_, answer, _) = lines.find(|(known, ..)| known == name)?;
        answer.as_deref()
    }
}

/// The script `text` with this prediction in it, in the line that was kept for it, or else at the
/// end.
pub(crate) fn with_prediction(text: &str, name: &str, answer: &str) -> String {
    let line = format!("--? predict {name} {answer}");
    let mut is_written = false;
    let mut written = String::with_capacity(text.len() + line.len());
    for old in text.split_inclusive('\n') {
        let mut words = old.split_whitespace();
        let is_its = (words.next(), words.next(), words.next())
            == (Some("--?"), Some("predict"), Some(name));
        if is_its {
            written += &line;
            written += &old[old.trim_end().len()..];
            is_written = true;
        } else {
            written += old;
        }
    }
    if !is_written {
        if !written.is_empty() && !written.ends_with('\n') {
            written += "\n";
        }
        written += &line;
        written += "\n";
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_read_and_written() {
        let text = "--? lab x\n--? predict 1a ?\nP = STOP\n--? predict 1b holds";
        let work = StudentWork::read(text, FileId(0)).expect("it is right");
        assert_eq!(work.lab.as_deref(), Some("x"));
        assert_eq!(
            (work.prediction("1a"), work.prediction("1b")),
            (None, Some("holds"))
        );
        let text = with_prediction(text, "1a", "27");
        assert!(text.contains("--? predict 1a 27\nP"), "{text}");
        let text = with_prediction(&text, "2", "8");
        assert!(
            text.ends_with("--? predict 1b holds\n--? predict 2 8\n"),
            "{text}"
        );
    }

    #[test]
    fn other_directives_are_mistakes() {
        let problem = StudentWork::read("P = STOP\n--? accept \"a\"", FileId(0));
        let problem = problem.expect_err("it is for labs");
        assert_eq!(problem.labels[0].0.start, 9);
        let work = StudentWork::read("--? predict 9z 1", FileId(0)).expect("it may be");
        let problem = work.fits(&Sheet::default()).expect_err("there is none");
        assert_eq!(problem.message, "this lab asks for no prediction `9z`");
    }

    #[test]
    fn predictions_answer_what_is_asked() {
        let sheet =
            "--? lab x \"X\"\n--? task 1 \"One\" minutes 5\n--? predict 1a states \"How many?\"\n";
        let sheet = Sheet::read(sheet, FileId(0)).expect("it is right");
        let fits = |answer: &str| {
            let work = StudentWork::read(&format!("--? predict 1a {answer}"), FileId(0))?;
            work.fits(&sheet)
        };
        for answer in ["", "?", "27", "11,097"] {
            assert!(fits(answer).is_ok(), "{answer}");
        }
        for (answer, said) in [
            ("maybe", "`1a` asks for a number"),
            ("27 -- a guess", "`1a` asks for a number"),
            ("\"27\"", "a prediction stands without quotation marks"),
        ] {
            assert_eq!(fits(answer).expect_err("it is none").message, said);
        }
    }
}
