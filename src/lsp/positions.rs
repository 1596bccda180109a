//! Places as the editor counts them, lines and columns from 0, and as this program does, in bytes.

use std::ops::Range as Bytes;

use gen_lsp_types::{Position, Range};

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: what every editor understands.
    Utf16,
}

/// Where the lines of a text begin, and enough to find the column of any byte without looking at
/// the whole line before it: a line may hold a text of any size.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
    /// How many units of UTF-16 stand before each block of [`BLOCK`] bytes, and before the end.
    units: Vec<usize>,
}

/// How many bytes are looked at for a column, at most.
const BLOCK: usize = 256;

impl Encoding {
    /// The byte of `line` at which column `column` begins. A column in the midst of a character is
    /// that of the character; one behind the end of the line is the end.
    fn byte(self, line: &str, column: usize) -> usize {
        let mut before = 0;
        for (at, character) in line.char_indices() {
            before += match self {
                Encoding::Utf8 => character.len_utf8(),
                Encoding::Utf16 => character.len_utf16(),
            };
            if before > column {
                return at;
            }
        }
        line.len()
    }
}

impl Lines {
    /// The lines of `text`. They end in `\n`, `\r\n` or `\r`, as the protocol has it.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        let mut before = vec![0];
        for block in bytes.chunks(BLOCK) {
            before.push(before[before.len() - 1] + units(block));
        }
        Self {
            starts: starts.collect(),
            units: before,
        }
    }

    /// The number of the line in which the byte `at` is.
    fn line(&self, at: usize) -> usize {
        // The first line starts at 0, so at least one line starts at or before `at`.
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// How many columns of `encoding` stand before the byte `at` of `text`, in all lines.
    fn columns(&self, text: &str, at: usize, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => at,
            Encoding::Utf16 => {
                let block = at / BLOCK;
                self.units[block] + units(&text.as_bytes()[block * BLOCK..at])
            }
        }
    }

    /// `bytes`, cut where lines begin. A line ends with its line end.
    pub(super) fn cut(&self, bytes: Bytes<usize>) -> impl Iterator<Item = Bytes<usize>> {
        let within = self.line(bytes.start)..=self.line(bytes.end);
        within.map(move |line| {
            let end = self.starts.get(line + 1).copied().unwrap_or(bytes.end);
            self.starts[line].max(bytes.start)..end.min(bytes.end)
        })
    }

    /// The place of the byte `at` of `text`; a byte behind the end or inside a character is what
    /// comes before it.
    pub(super) fn position(&self, text: &str, at: usize, encoding: Encoding) -> Position {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.line(at);
        let before = self.columns(text, self.starts[line], encoding);
        Position {
            line: line as u32,
            character: (self.columns(text, at, encoding) - before) as u32,
        }
    }

    /// The places where a range of bytes begins and ends.
    pub(super) fn range(&self, text: &str, bytes: Bytes<usize>, encoding: Encoding) -> Range {
        Range {
            start: self.position(text, bytes.start, encoding),
            end: self.position(text, bytes.end, encoding),
        }
    }

    /// The byte of `text` at `position`; a place that is not there is the nearest before it.
    pub(super) fn byte(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        start + encoding.byte(content, position.character as usize)
    }
}

/// How many units of UTF-16 the characters take whose first bytes are among `bytes` of UTF-8.
fn units(bytes: &[u8]) -> usize {
    let each = bytes.iter().map(|byte| match byte {
        // The further bytes of a character.
        0x80..0xc0 => 0,
        // Four bytes, and two units.
        0xf0.. => 2,
        _ => 1,
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_units_of_utf_16_or_bytes() {
        // é: one unit, two bytes. 𝒫: two units, four bytes.
        let text = "P\r\n-- é𝒫x\rQ\n";
        let lines = Lines::of(text);
        let x = text.find('x').unwrap();
        assert_eq!(lines.position(text, x, Encoding::Utf16), at(1, 6));
        assert_eq!(lines.position(text, x, Encoding::Utf8), at(1, 9));
        assert_eq!(lines.byte(text, at(1, 6), Encoding::Utf16), x);
        assert_eq!(lines.byte(text, at(1, 9), Encoding::Utf8), x);
        let q = text.find('Q').unwrap();
        assert_eq!(lines.position(text, q, Encoding::Utf16), at(2, 0));
        assert_eq!(lines.position(text, text.len(), Encoding::Utf16), at(3, 0));
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before_them() {
        let text = "a𝒫b\nc";
        let lines = Lines::of(text);
        // Between the two halves of 𝒫.
        assert_eq!(lines.byte(text, at(0, 2), Encoding::Utf16), 1);
        // Behind the end of the line, not in the next one.
        assert_eq!(lines.byte(text, at(0, 99), Encoding::Utf16), 6);
        assert_eq!(lines.byte(text, at(9, 0), Encoding::Utf16), text.len());
        assert_eq!(lines.position(text, 3, Encoding::Utf16), at(0, 1));
        assert_eq!(lines.position(text, 99, Encoding::Utf16), at(1, 1));
        assert_eq!(
            Lines::of("").position("", 0, Encoding::Utf16),
            Position::default()
        );
    }

    #[test]
    fn a_range_is_cut_where_lines_begin() {
        let text = "ab\ncd\r\ne\rf";
        let lines = Lines::of(text);
        let cut = |range: Bytes<usize>| -> Vec<&str> {
            lines.cut(range).map(|part| &text[part]).collect()
        };
        assert_eq!(cut(0..text.len()), ["ab\n", "cd\r\n", "e\r", "f"]);
        assert_eq!(cut(1..5), ["b\n", "cd"]);
        assert_eq!(cut(4..5), ["d"]);
        assert_eq!(cut(0..0), [""]);
    }

    proptest! {
        /// However far the byte is from the beginning of its line and of a block.
        #[test]
        fn columns_are_those_of_the_text_before(
            parts in proptest::collection::vec("[aé𝒫\r\n]{0,9}", 0..9),
            fill in 0..2 * BLOCK,
        ) {
            let text = parts.join(&"x".repeat(fill));
            let lines = Lines::of(&text);
            for (byte, _) in text.char_indices() {
                let position = lines.position(&text, byte, Encoding::Utf16);
                let line = &text[lines.starts[position.line as usize]..byte];
                prop_assert_eq!(position.character as usize, line.encode_utf16().count());
                let position = lines.position(&text, byte, Encoding::Utf8);
                prop_assert_eq!(position.character as usize, line.len());
            }
        }

        #[test]
        fn there_and_back(text in "[aé𝒫\r\n]{0,20}") {
            let lines = Lines::of(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                for (byte, _) in text.char_indices() {
                    // Between `\r` and `\n` there is no place of its own.
                    if text[..byte].ends_with('\r') && text[byte..].starts_with('\n') {
                        continue;
                    }
                    let position = lines.position(&text, byte, encoding);
                    prop_assert_eq!(lines.byte(&text, position, encoding), byte);
                }
            }
        }
    }
}
