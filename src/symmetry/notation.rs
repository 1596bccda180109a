//! Reads and writes permutations as text, in cycles: `(B C)`, `(move.A.B move.A.C)`, `(0 1)(2 3)`.

use std::collections::BTreeSet;

use super::permutation::cycles_of;

/// A permutation in cycles, each of two or more elements, as text.
pub type Cycles = Vec<Vec<String>>;

/// Reads permutations such as `(B C),(B C D)(E F)`: a comma separates permutations, the cycles of
/// one stand side by side, white space separates the elements of a cycle. An element is an
/// expression without white space; it may have parentheses and strings. The error says what is
/// wrong, and at which character.
pub fn parse(text: &str) -> Result<Vec<Cycles>, String> {
    let mut reader = Reader {
        text,
        rest: text.trim_start(),
    };
    let mut permutations = Vec::new();
    loop {
        permutations.push(reader.permutation()?);
        match reader.next() {
            None => return Ok(permutations),
            Some(',') => reader.skip(1),
            Some(_) => return Err(reader.unexpected("`,` or the end after a permutation")),
        }
    }
}

/// The permutation that takes `values[i]` to `values[images[i]]`; `()` moves nothing. Each cycle
/// begins with the first of its values, and the cycles are in the order of these.
pub fn cycles_text(values: &[String], images: &[usize]) -> String {
    let cycles = cycles_of(0..values.len(), |at| images[at]);
    let text = cycles.iter().map(|cycle| {
        let names: Vec<&str> = cycle.iter().map(|&at| values[at].as_str()).collect();
        format!("({})", names.join(" "))
    });
    let text: String = text.collect();
    if text.is_empty() {
        "()".to_string()
    } else {
        text
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn next(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips this number of bytes, and the white space behind them.
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    /// The error message: what was expected, and what is there instead, counting characters from 1.
    fn unexpected(&self, expected: &str) -> String {
        let before = &self.text[..self.text.len() - self.rest.len()];
        let at = before.chars().count() + 1;
        match self.next() {
            Some(found) => format!("expected {expected}, found `{found}` at character {at}"),
            None => format!("expected {expected}, found the end"),
        }
    }

    fn permutation(&mut self) -> Result<Cycles, String> {
        if self.next() != Some('(') {
            return Err(self.unexpected("a cycle such as `(B C)`"));
        }
        let mut cycles = Cycles::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while self.next() == Some('(') {
            let cycle = self.cycle()?;
            if let Some(twice) = cycle
                .iter()
                .find(|element| !seen.insert((*element).clone()))
            {
                return Err(format!("`{twice}` stands twice in one permutation"));
            }
            cycles.push(cycle);
        }
        Ok(cycles)
    }

    fn cycle(&mut self) -> Result<Vec<String>, String> {
        self.skip(1);
        let mut elements = Vec::new();
        while self.next() != Some(')') {
            elements.push(self.element()?);
        }
        self.skip(1);
        match &elements[..] {
            [] => Err("the cycle `()` is empty: it would move nothing".to_string()),
            [only] => Err(format!(
                "the cycle `({only})` has one element: it would move nothing"
            )),
            _ => Ok(elements),
        }
    }

    /// Everything up to white space or the closing parenthesis of the cycle.
    fn element(&mut self) -> Result<String, String> {
        let mut depth = 0;
        let mut quote = None;
        for (at, next) in self.rest.char_indices() {
            match (quote, next) {
                (Some(open), _) if next == open => quote = None,
                (Some(_), _) => {}
                (None, '"') => quote = Some(next),
                (None, '(') => depth += 1,
                (None, ')') if depth > 0 => depth -= 1,
                // A parenthesis at depth 0 closes the cycle. A comma ends only an element that has
                // not begun: inside an element the comma is part of it, as in `{1,2}`.
                (None, ')' | ',') if depth == 0 && next == ')' || at == 0 => {
                    return self.ended(at);
                }
                (None, _) if next.is_whitespace() && depth == 0 => return self.ended(at),
                (None, _) => {}
            }
        }
        self.rest = "";
        Err(self.unexpected("`)` to close a cycle"))
    }

    fn ended(&mut self, at: usize) -> Result<String, String> {
        if at == 0 {
            return Err(self.unexpected("an element of a cycle"));
        }
        let element = self.rest[..at].to_string();
        self.skip(at);
        Ok(element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The permutations that were read, written again with `|` between elements.
    fn read(text: &str) -> String {
        match parse(text) {
            Ok(permutations) => {
                let cycle = |cycle: &Vec<String>| format!("({})", cycle.join("|"));
                let permutation = |cycles: &Cycles| cycles.iter().map(cycle).collect::<String>();
                let permutations: Vec<String> = permutations.iter().map(permutation).collect();
                permutations.join(" ")
            }
            Err(problem) => problem,
        }
    }

    #[test]
    fn permutations_are_read() {
        assert_eq!(read("(B C),(B C D)"), "(B|C) (B|C|D)");
        assert_eq!(read("  ( 1 2 ) (3 4) , (5 6) "), "(1|2)(3|4) (5|6)");
        assert_eq!(read("(a.(1,2).A a.(2,1).A)"), "(a.(1,2).A|a.(2,1).A)");
        assert_eq!(read("(c.{1,2} c.<1,2>)"), "(c.{1,2}|c.<1,2>)");
        assert_eq!(read("(c.\") (\" d)"), "(c.\") (\"|d)");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, problem) in [
            ("", "expected a cycle such as `(B C)`, found the end"),
            (
                "B C",
                "expected a cycle such as `(B C)`, found `B` at character 1",
            ),
            ("()", "the cycle `()` is empty: it would move nothing"),
            (
                "(B)",
                "the cycle `(B)` has one element: it would move nothing",
            ),
            ("(B C)(C D)", "`C` stands twice in one permutation"),
            ("(B B)", "`B` stands twice in one permutation"),
            ("(B C", "expected `)` to close a cycle, found the end"),
            ("(B c.(C)", "expected `)` to close a cycle, found the end"),
            (
                "(B C) D",
                "expected `,` or the end after a permutation, found `D` at character 7",
            ),
            ("(B C),", "expected a cycle such as `(B C)`, found the end"),
            (
                "(B , C)",
                "expected an element of a cycle, found `,` at character 4",
            ),
        ] {
            assert_eq!(read(text), problem, "{text}");
        }
    }

    #[test]
    fn permutations_are_written() {
        let values = ["A", "B", "C", "D"].map(str::to_string);
        assert_eq!(cycles_text(&values, &[0, 1, 2, 3]), "()");
        assert_eq!(cycles_text(&values, &[0, 2, 3, 1]), "(B C D)");
        assert_eq!(cycles_text(&values, &[3, 2, 1, 0]), "(A D)(B C)");
    }
}
