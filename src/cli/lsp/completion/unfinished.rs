//! Text that is being written, and ways in which it could go on.

/// The name that is put where a name is missing. Nobody has one like it.
pub(super) const PLACEHOLDER: &str = "cspsym_completion_placeholder";

/// Text with a place where a name is being written.
pub(super) struct Unfinished<'a> {
    text: &'a str,
    /// Where the name begins and ends.
    pub(super) start: usize,
    end: usize,
    /// Whether it is a member of what stands before `::`.
    pub(super) is_member: bool,
    /// Whether nothing stands before it in its line.
    pub(super) begins_line: bool,
}

/// Whether `sign` can stand in a name.
fn is_part_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_' || sign == '\''
}

impl<'a> Unfinished<'a> {
    /// The place at the byte `at` of `text`; nothing in a comment or where no name can be written.
    pub(super) fn at(text: &'a str, at: usize) -> Option<Self> {
        let (before, after) = text.split_at_checked(at)?;
        let start = before.trim_end_matches(is_part_of_name).len();
        let end = at + after.len() - after.trim_start_matches(is_part_of_name).len();
        let written = &text[start..end];
        let before = &text[..start];
        let is_member = before.ends_with("::");
        let is_number = written.starts_with(|sign: char| sign.is_ascii_digit());
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        if is_number || Scan::of(before).is_hidden {
            return None;
        }
        Some(Self {
            text,
            start,
            end,
            is_member,
            begins_line: line.is_empty(),
        })
    }

    /// The text with a name at the place and what may be missing behind it, the likeliest first.
    pub(super) fn finished(&self) -> impl Iterator<Item = String> {
        let missing = Scan::of(&self.text[..self.start]).missing();
        let arrow = " -> STOP";
        let mut ends = vec![
            String::new(),
            missing.clone(),
            arrow.to_string(),
            format!("{arrow}{missing}"),
        ];
        if self.begins_line {
            ends.push(" = STOP".to_string());
        }
        // Each attempt is a whole script to be read.
        let mut tried = Vec::new();
        ends.retain(|end| {
            let is_new = !tried.contains(end);
            tried.push(end.clone());
            is_new
        });
        let (before, after) = (&self.text[..self.start], &self.text[self.end..]);
        ends.into_iter()
            .map(move |end| format!("{before}{PLACEHOLDER}{end}{after}"))
    }
}

/// What is open at the end of a text.
#[derive(Default)]
struct Scan {
    /// What closes it, the innermost last.
    open: Vec<&'static str>,
    /// Whether the end is in a comment or in quotes.
    is_hidden: bool,
}

const THEN: &str = " then STOP else STOP";
const ELSE: &str = " else STOP";
const WITHIN: &str = " within STOP";

/// Brackets with what closes them, longer ones first. Behind those of a parallel operator stands its right-hand side.
const BRACKETS: [(&str, &str); 7] = [
    ("{|", "|}"),
    ("(|", "|)"),
    ("[|", "|] STOP"),
    ("[+", "+] STOP"),
    ("[[", "]]"),
    ("(", ")"),
    ("{", "}"),
];

impl Scan {
    /// What is open at the end of `text`, of its last declaration.
    fn of(text: &str) -> Self {
        let mut scan = Self::default();
        let mut rest = text;
        let mut is_start_of_line = true;
        let mut last = '\n';
        while let Some(sign) = rest.chars().next() {
            // What begins at the margin is a new declaration, for all that is usual.
            if is_start_of_line && !sign.is_whitespace() && !rest.starts_with("within") {
                scan.open.clear();
            }
            let taken = scan.step(rest, last);
            let Some(taken) = taken else {
                scan.is_hidden = true;
                return scan;
            };
            is_start_of_line = rest[..taken].ends_with('\n');
            last = rest[..taken].trim_end().chars().next_back().unwrap_or(last);
            rest = &rest[taken..];
        }
        scan
    }

    /// Takes the first thing of `rest`, which follows on `last`: how long it is. Nothing if the text ends within.
    fn step(&mut self, rest: &str, last: char) -> Option<usize> {
        let until = |end: &str, from: usize| Some(from + rest[from..].find(end)? + end.len());
        if rest.starts_with("--") {
            return until("\n", 2);
        }
        if rest.starts_with("{-") {
            return until("-}", 2);
        }
        if let Some(inside) = rest.strip_prefix('"') {
            let mut is_escaped = false;
            let end = inside.find(|sign| {
                let is_end = sign == '"' && !is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
                is_end || sign == '\n'
            });
            return Some(1 + end? + 1);
        }
        let word = rest.len() - rest.trim_start_matches(is_part_of_name).len();
        if word > 0 {
            self.word(&rest[..word]);
            return Some(word);
        }
        Some(self.sign(rest, last))
    }

    fn word(&mut self, word: &str) {
        match word {
            "let" => self.open.push(WITHIN),
            "within" => self.close(WITHIN),
            "if" => self.open.push(THEN),
            "then" if self.open.last() == Some(&THEN) => {
                self.open.pop();
                self.open.push(ELSE);
            }
            "else" => self.close(ELSE),
            _ => {}
        }
    }

    fn sign(&mut self, rest: &str, last: char) -> usize {
        for (open, close) in BRACKETS {
            if rest.starts_with(open) {
                self.open.push(close);
                return open.len();
            }
        }
        for (_, close) in BRACKETS {
            let sign = close.split(' ').next().unwrap_or(close);
            if rest.starts_with(sign) {
                self.close(close);
                return sign.len();
            }
        }
        // The other end of an exception.
        if rest.starts_with("|>") {
            self.close("|] STOP");
            return 2;
        }
        let is_arrow = ["<-", "<=", "->", "=>", ">="]
            .iter()
            .any(|two| rest.starts_with(two));
        if is_arrow {
            return 2;
        }
        let sign = rest.chars().next().map_or(1, char::len_utf8);
        // Where an operand is expected, `<` begins a sequence.
        if rest.starts_with('<') && "=(,<{|@[^-:\n".contains(last) {
            self.open.push(">");
        } else if rest.starts_with('>') {
            self.close(">");
        }
        sign
    }

    fn close(&mut self, what: &str) {
        if self.open.last() == Some(&what) {
            self.open.pop();
        }
    }

    /// What closes all that is open.
    fn missing(&self) -> String {
        self.open.iter().rev().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endings that are tried for the text before `|`.
    fn endings(text: &str) -> Vec<String> {
        let at = text.find('¦').unwrap();
        let text = text.replace('¦', "");
        let Some(place) = Unfinished::at(&text, at) else {
            return vec!["none".to_string()];
        };
        let behind = |finished: String| {
            let (_, end) = finished.split_once(PLACEHOLDER).unwrap();
            end.to_string()
        };
        place.finished().map(behind).collect()
    }

    #[test]
    fn what_is_open_is_closed() {
        assert_eq!(endings("P = f(a, ¦")[1], ")");
        assert_eq!(endings("P = f(a, {b, ¦")[1], "})");
        assert_eq!(endings("P = let x = 1\n        y = ¦")[1], " within STOP");
        assert_eq!(endings("P = if ¦")[1], " then STOP else STOP");
        assert_eq!(endings("P = if a then ¦")[1], " else STOP");
        assert_eq!(endings("P = Q [| {| a, ¦")[1], "|}|] STOP");
        assert_eq!(endings("P = <a, ¦")[1], ">");
        assert_eq!(endings("P = {x | x <- <¦")[1], ">}");
        assert_eq!(endings("P = (Q [[ a <- ¦")[1], "]])");
        // Nothing of an earlier declaration, and nothing that is closed.
        assert_eq!(endings("P = f(\nQ = ({1} < {¦")[1], "})");
        assert_eq!(endings("P = f(a)[¦"), ["", " -> STOP"]);
    }

    #[test]
    fn the_name_is_replaced_as_a_whole() {
        let text = "P = foo'bar -> STOP";
        let place = Unfinished::at(text, 6).unwrap();
        assert_eq!(
            place.finished().next().unwrap(),
            format!("P = {PLACEHOLDER} -> STOP")
        );
        assert!(Unfinished::at("P = M::", 7).unwrap().is_member);
        assert!(Unfinished::at("P\nQu", 4).unwrap().begins_line);
    }

    #[test]
    fn in_comments_strings_and_numbers_there_are_no_names() {
        for text in ["-- P¦", "{- P¦", "P = \"a ¦", "P = 4¦"] {
            assert_eq!(endings(text), ["none"], "{text}");
        }
        assert_ne!(endings("P = \"a\" ¦"), ["none"]);
        assert_ne!(endings("-- P\nQ = {- a -} ¦"), ["none"]);
    }
}
