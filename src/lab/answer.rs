//! Answers in words: the predictions of students, and the results.

use super::sheet::LabMeasure;

/// A common form of answers that can be written in several ways.
pub fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !",_' ".contains(*c)).collect();
    match &*text.to_lowercase() {
        "holds" | "true" | "yes" | "passes" | "pass" => "true".to_string(),
        "fails" | "false" | "no" | "fail" => "false".to_string(),
        other => other.to_string(),
    }
}

/// A verdict in everyday words.
pub(crate) fn in_words(measure: LabMeasure, found: String) -> String {
    match (measure, &*found) {
        (LabMeasure::Verdict, "true") => "holds".to_string(),
        (LabMeasure::Verdict, "false") => "fails".to_string(),
        _ => found,
    }
}

/// A description of the expected answer, if `text` is no answer to the question about `measure`.
pub fn expected(measure: LabMeasure, text: &str) -> Option<&'static str> {
    let plain = plain(text);
    let is_number = !plain.is_empty() && plain.chars().all(|sign| sign.is_ascii_digit());
    match measure {
        LabMeasure::Verdict if ["true", "false"].contains(&&*plain) => None,
        LabMeasure::Verdict => Some("holds or fails"),
        _ if is_number => None,
        _ => Some("a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_as_people_mean_them() {
        for (one, other) in [("11,097", "11097"), ("Holds", "true"), ("no", "fails")] {
            assert_eq!(plain(one), plain(other));
        }
        assert_ne!(plain("27"), plain("2"));
    }

    #[test]
    fn an_answer_is_of_the_kind_that_is_asked_for() {
        for text in ["holds", "No", "true"] {
            assert_eq!(expected(LabMeasure::Verdict, text), None);
            assert_eq!(expected(LabMeasure::Trace, text), Some("a number"));
        }
        for text in ["27", "11,097", "11 097"] {
            assert_eq!(expected(LabMeasure::States, text), None);
            assert_eq!(expected(LabMeasure::Verdict, text), Some("holds or fails"));
        }
        for text in ["maybe", "-1", "27 -- guess", "", "\"27\""] {
            assert!(expected(LabMeasure::Verdict, text).is_some(), "{text}");
            assert!(expected(LabMeasure::States, text).is_some(), "{text}");
        }
    }
}
