//! Answers in words: the predictions of students, and the results.

use super::sheet::LabMeasure;

/// The words for the verdicts of assertions, each with others that mean the same.
const VERDICTS: [(&str, &str, &[&str]); 2] = [
    ("true", "holds", &["true", "yes", "pass", "passes"]),
    ("false", "fails", &["false", "no", "fail"]),
];

/// A common form of answers that can be written in several ways.
pub fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !",_' ".contains(*c)).collect();
    let text = text.to_lowercase();
    let is_meant = |word: &str, others: &[&str]| text == word || others.contains(&&*text);
    let mut verdicts = VERDICTS.iter();
    match verdicts.find(|(_, word, others)| is_meant(word, others)) {
        Some((value, ..)) => (*value).to_string(),
        None => text,
    }
}

/// An answer to the question about `measure` in the words that the program uses itself.
pub fn canonical(measure: LabMeasure, text: &str) -> String {
    match measure {
        LabMeasure::Verdict => in_words(measure, plain(text)),
        _ => text.to_string(),
    }
}

/// A verdict in everyday words.
pub(crate) fn in_words(measure: LabMeasure, found: String) -> String {
    let is_verdict = measure == LabMeasure::Verdict;
    let mut verdicts = VERDICTS.iter().filter(|_| is_verdict);
    match verdicts.find(|(value, ..)| *value == found) {
        Some((_, word, _)) => (*word).to_string(),
        None => found,
    }
}

/// The words that answer the question about `measure`, for a message.
pub fn accepted(measure: LabMeasure) -> String {
    if measure != LabMeasure::Verdict {
        return "a number, such as `27` or `11,097`".to_string();
    }
    let words = VERDICTS.iter().map(|(_, word, others)| {
        let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
        format!("`{word}` (or {})", others.join(", "))
    });
    words.collect::<Vec<String>>().join(", or ")
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
    fn the_words_of_a_message_are_accepted_and_become_those_of_the_program() {
        let all = accepted(LabMeasure::Verdict);
        let words: Vec<&str> = all.split('`').skip(1).step_by(2).collect();
        assert_eq!(words.len(), 9, "{all}");
        for word in words {
            assert_eq!(expected(LabMeasure::Verdict, word), None, "{word}");
            let canonical = canonical(LabMeasure::Verdict, word);
            assert!(["holds", "fails"].contains(&&*canonical), "{word}");
        }
        assert_eq!(canonical(LabMeasure::States, "11,097"), "11,097");
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
