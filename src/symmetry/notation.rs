//! Permutations in cycles, as the user writes them and reads them: `(B C)(D E), (B C D)`.

use rustc_hash::FxHashMap;

/// The permutations that `text` lists, each as its cycles, each as its elements: CSPm expressions, which are neither
/// parsed nor trimmed further here. Commas separate permutations, white space the elements of a cycle; neither does so inside
/// brackets and quotes. Fails with one sentence that says what is wrong and where, counted in characters from 1.
pub fn parse(text: &str) -> Result<Vec<Vec<Vec<String>>>, String> {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
    };
    let mut permutations = Vec::new();
    loop {
        permutations.push(reader.permutation()?);
        if reader.is_at_end() {
            return Ok(permutations);
        }
        // A permutation ends at a comma or at the end.
        reader.at += 1;
    }
}

/// The permutation that takes value i to value `images[i]`, in cycles such as `(B C)(D E)`; `()` if nothing moves. Each
/// cycle begins with its least index, and they ascend by that.
pub fn cycles_text(values: &[String], images: &[usize]) -> String {
    let mut is_written = vec![false; images.len()];
    let mut text = String::new();
    for start in 0..images.len() {
        if is_written[start] || images[start] == start {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = start;
        while !is_written[at] {
            is_written[at] = true;
            cycle.push(values[at].as_str());
            at = images[at];
        }
        text.push_str(&format!("({})", cycle.join(" ")));
    }
    if text.is_empty() {
        text.push_str("()");
    }
    text
}

struct Reader {
    chars: Vec<char>,
    /// How many characters are read.
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn is_at_end(&self) -> bool {
        self.at == self.chars.len()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn text(&self, from: usize) -> String {
        self.chars[from..self.at].iter().collect()
    }

    /// Cycles up to a comma or the end.
    fn permutation(&mut self) -> Result<Vec<Vec<String>>, String> {
        let mut cycles = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        loop {
            self.skip_space();
            match self.peek() {
                Some('(') => cycles.push(self.cycle(&mut places)?),
                None | Some(',') if !cycles.is_empty() => return Ok(cycles),
                None if self.chars.iter().all(|c| c.is_whitespace()) => {
                    return Err("expected a permutation in cycles, such as `(B C)(D E)`".into());
                }
                None => return Err("expected a permutation after the last comma".into()),
                Some(found) => return Err(self.unexpected(found, cycles.is_empty())),
            }
        }
    }

    fn unexpected(&self, found: char, is_first: bool) -> String {
        let place = self.at + 1;
        match found {
            ',' => format!("no permutation before the comma at character {place}"),
            ')' => format!("`)` at character {place} closes nothing"),
            _ if is_first => {
                format!("expected a cycle such as `(B C)` at character {place}, found `{found}`")
            }
            _ => format!(
                "expected another cycle, a comma or the end at character {place}, found `{found}`"
            ),
        }
    }

    /// One cycle; `places` has the elements of the permutation so far and where they stand.
    fn cycle(&mut self, places: &mut FxHashMap<String, usize>) -> Result<Vec<String>, String> {
        let open = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            match self.peek() {
                None => return Err(never_closed('(', open)),
                Some(')') => break,
                Some(',') => {
                    return Err(format!(
                        "the elements of a cycle are separated by white space, not by the comma at character {}",
                        start + 1
                    ));
                }
                Some(_) => {}
            }
            let element = self.element(open)?;
            if let Some(before) = places.insert(element.clone(), start + 1) {
                return Err(format!(
                    "`{element}` is twice in one permutation, at characters {before} and {}: it can have only one image",
                    start + 1
                ));
            }
            elements.push(element);
        }
        self.at += 1;
        match elements.as_slice() {
            [] => Err(format!(
                "`()` at character {} moves nothing: leave it out",
                open + 1
            )),
            [alone] => Err(format!(
                "`({alone})` at character {} has only one element, and so moves nothing: a cycle has two or more",
                open + 1
            )),
            _ => Ok(elements),
        }
    }

    /// An expression, up to white space, a comma or the end of its cycle, which began at `cycle`.
    fn element(&mut self, cycle: usize) -> Result<String, String> {
        let start = self.at;
        let mut open: Vec<(char, usize)> = Vec::new();
        while let Some(next) = self.peek() {
            match next {
                '(' | '[' | '{' => open.push((next, self.at)),
                '<' if self.starts_sequence(start) => open.push((next, self.at)),
                '>' if open.last().is_some_and(|&(bracket, _)| bracket == '<') => drop(open.pop()),
                ')' if open.is_empty() => break,
                ')' | ']' | '}' => self.close(next, open.pop())?,
                '"' => self.string()?,
                '\'' if !self.is_prime(start) => self.character()?,
                ',' if open.is_empty() => break,
                _ if next.is_whitespace() && open.is_empty() => break,
                _ => {}
            }
            self.at += 1;
        }
        match open.first() {
            Some(&(bracket, at)) => Err(never_closed(bracket, at)),
            None if self.is_at_end() => Err(never_closed('(', cycle)),
            None => Ok(self.text(start)),
        }
    }

    fn close(&self, bracket: char, open: Option<(char, usize)>) -> Result<(), String> {
        let expected = match bracket {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        match open {
            Some((before, _)) if before == expected => Ok(()),
            Some((before, at)) => Err(format!(
                "`{before}` at character {} is closed by `{bracket}` at character {}",
                at + 1,
                self.at + 1
            )),
            None => Err(format!(
                "`{bracket}` at character {} closes nothing",
                self.at + 1
            )),
        }
    }

    /// Whether `<` here opens a sequence, rather than compares: nothing is before it that could be compared.
    fn starts_sequence(&self, start: usize) -> bool {
        let before = self.chars[start..self.at].last();
        before.is_none_or(|c| ".,([{<^ ".contains(*c))
    }

    /// Whether the quote here belongs to the name before it.
    fn is_prime(&self, start: usize) -> bool {
        let before = self.chars[start..self.at].last();
        before.is_some_and(|&c| c.is_alphanumeric() || c == '_' || c == '\'')
    }

    /// Goes to the closing quote of a string.
    fn string(&mut self) -> Result<(), String> {
        self.quoted('"', "string")
    }

    /// Goes to the closing quote of a character.
    fn character(&mut self) -> Result<(), String> {
        self.quoted('\'', "character")
    }

    fn quoted(&mut self, quote: char, what: &str) -> Result<(), String> {
        let start = self.at;
        loop {
            self.at += 1;
            match self.peek() {
                Some('\\') => self.at += 1,
                Some(next) if next == quote => return Ok(()),
                Some(_) => {}
                None => {
                    return Err(format!(
                        "the {what} that starts at character {} is never closed",
                        start + 1
                    ));
                }
            }
        }
    }
}

fn never_closed(bracket: char, at: usize) -> String {
    format!("`{bracket}` at character {} is never closed", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The permutations with elements separated by `|`, as in `(a|b)(c|d), (e|f)`.
    fn read(text: &str) -> Result<String, String> {
        let cycle = |cycle: &Vec<String>| format!("({})", cycle.join("|"));
        let permutation =
            |cycles: &Vec<Vec<String>>| cycles.iter().map(cycle).collect::<Vec<_>>().concat();
        let permutations = parse(text)?;
        let permutations: Vec<String> = permutations.iter().map(permutation).collect();
        Ok(permutations.join(", "))
    }

    #[track_caller]
    fn reads(text: &str, expected: &str) {
        assert_eq!(read(text).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        assert_eq!(read(text), Err(expected.to_string()));
    }

    #[test]
    fn permutations_are_products_of_cycles() {
        reads("(B C)", "(B|C)");
        reads("(B C),(B C D)", "(B|C), (B|C|D)");
        reads(" ( B  C )\t(D E) , ( 1 2\n3 ) ", "(B|C)(D|E), (1|2|3)");
    }

    #[test]
    fn elements_are_expressions() {
        reads("(c.(1,2).A c.(2,1).A)", "(c.(1,2).A|c.(2,1).A)");
        reads("({1,2} {2,3})", "({1,2}|{2,3})");
        reads("(<1,2> c.<2,<1, 3>>)", "(<1,2>|c.<2,<1, 3>>)");
        reads("(f(1<2,2>1) (|1=>2|))", "(f(1<2,2>1)|(|1=>2|))");
        reads("(f(g(1)) (-1))", "(f(g(1))|(-1))");
        reads("(c.( 1 , 2 ) d)", "(c.( 1 , 2 )|d)");
        reads(r#"("a) (" "\"(")"#, r#"("a) ("|"\"(")"#);
    }

    #[test]
    fn quotes_may_be_primes() {
        reads("(x' x'')", "(x'|x'')");
        reads("(c.'(' c.')')", "(c.'('|c.')')");
        reads(r"('\'' '(')", r"('\''|'(')");
    }

    #[test]
    fn what_is_empty_is_refused() {
        let expected = "expected a permutation in cycles, such as `(B C)(D E)`";
        refuses("", expected);
        refuses("  \n", expected);
        refuses("()", "`()` at character 1 moves nothing: leave it out");
        refuses(
            "(B C)( )",
            "`()` at character 6 moves nothing: leave it out",
        );
        refuses(
            "(B C),(D)",
            "`(D)` at character 7 has only one element, and so moves nothing: a cycle has two or more",
        );
        refuses("(B C),", "expected a permutation after the last comma");
        refuses(
            "(B C),,(D E)",
            "no permutation before the comma at character 7",
        );
        refuses(", (B C)", "no permutation before the comma at character 1");
    }

    #[test]
    fn elements_have_one_image() {
        refuses(
            "(B C)(D B)",
            "`B` is twice in one permutation, at characters 2 and 9: it can have only one image",
        );
        refuses(
            "(B B)",
            "`B` is twice in one permutation, at characters 2 and 4: it can have only one image",
        );
        reads("(B C),(C B)", "(B|C), (C|B)");
    }

    #[test]
    fn brackets_are_balanced() {
        refuses("(B C", "`(` at character 1 is never closed");
        refuses("(B C ", "`(` at character 1 is never closed");
        refuses("(B c.(1,2)", "`(` at character 1 is never closed");
        refuses("(B c.(1,2", "`(` at character 6 is never closed");
        refuses(
            "(B {1,2)",
            "`{` at character 4 is closed by `)` at character 8",
        );
        refuses("(B C])", "`]` at character 5 closes nothing");
        refuses("(B C))", "`)` at character 6 closes nothing");
        refuses(
            "(B \"C)",
            "the string that starts at character 4 is never closed",
        );
        refuses(
            "(B 'C)",
            "the character that starts at character 4 is never closed",
        );
    }

    #[test]
    fn what_is_between_cycles_is_refused() {
        refuses(
            "B C",
            "expected a cycle such as `(B C)` at character 1, found `B`",
        );
        refuses(
            "(B C) x (D E)",
            "expected another cycle, a comma or the end at character 7, found `x`",
        );
        refuses(
            "(Ä Ö);(D E)",
            "expected another cycle, a comma or the end at character 6, found `;`",
        );
        refuses(
            "(B, C)",
            "the elements of a cycle are separated by white space, not by the comma at character 3",
        );
    }

    #[test]
    fn no_text_is_too_long_or_too_deep() {
        let deep = format!("({}1{} 2)", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(parse(&deep).map(|found| found[0][0].len()), Ok(2));
        let long: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
        let long = format!("({})", long.join(" "));
        assert_eq!(parse(&long).map(|found| found[0][0].len()), Ok(50_000));
    }

    #[test]
    fn permutations_are_written_in_cycles() {
        let values = ["A", "B", "C", "D", "E"].map(str::to_string);
        assert_eq!(cycles_text(&values, &[0, 1, 2, 3, 4]), "()");
        assert_eq!(cycles_text(&values, &[0, 2, 1, 4, 3]), "(B C)(D E)");
        assert_eq!(cycles_text(&values, &[4, 0, 2, 3, 1]), "(A E B)");
        assert_eq!(cycles_text(&[], &[]), "()");
        let text = cycles_text(&values, &[1, 0, 4, 2, 3]);
        assert_eq!(read(&text).as_deref(), Ok("(A|B)(C|E|D)"));
    }
}
