//! Places as the editor counts them, lines and columns from 0, and as this program does, in bytes.

use std::ops::Range as Bytes;

use gen_lsp_types::{Position, Range};

/// The unit that a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every editor understands.
    #[default]
    Utf16,
}

impl Encoding {
    /// The columns that the characters take whose first bytes are among `bytes` of UTF-8.
    fn columns(self, bytes: &[u8]) -> usize {
        let each = bytes.iter().map(|byte| match (self, byte) {
            (Self::Utf8, _) => 1,
            // A further byte of a character.
            (Self::Utf16, 0x80..0xc0) => 0,
            // A character of four bytes has two units.
            (Self::Utf16, 0xf0..) => 2,
            (Self::Utf16, _) => 1,
        });
        each.sum()
    }
}

/// The bytes at which the lines of a text begin. Counts of columns make it possible to find the
/// column of any byte without looking at the whole line before it: a line may hold a text of any
/// size.
#[derive(Debug)]
pub(crate) struct Lines {
    encoding: Encoding,
    starts: Vec<usize>,
    /// The number of columns before each block of [`BLOCK`] bytes, and before the end, in all
    /// lines.
    blocks: Vec<usize>,
}

/// The most bytes that are looked at for a column.
const BLOCK: usize = 256;

impl Lines {
    /// The lines of `text`. They end in `\n`, `\r\n` or `\r`, as the protocol has it.
    pub(crate) fn of(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        let mut blocks = vec![0];
        for block in bytes.chunks(BLOCK) {
            blocks.push(blocks[blocks.len() - 1] + encoding.columns(block));
        }
        Self {
            encoding,
            starts: starts.collect(),
            blocks,
        }
    }

    /// The number of the line in which the byte `at` is.
    fn line(&self, at: usize) -> usize {
        // The first line starts at 0, so at least one line starts at or before `at`.
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// The number of columns before the byte `at` of `text`, in all lines.
    fn columns(&self, text: &str, at: usize) -> usize {
        let block = at / BLOCK;
        let rest = &text.as_bytes()[block * BLOCK..at];
        self.blocks[block] + self.encoding.columns(rest)
    }

    /// `bytes`, cut where lines begin. A line ends with its line end.
    pub(crate) fn cut(&self, bytes: Bytes<usize>) -> impl Iterator<Item = Bytes<usize>> {
        let within = self.line(bytes.start)..=self.line(bytes.end);
        within.map(move |line| {
            let end = self.starts.get(line + 1).copied().unwrap_or(bytes.end);
            self.starts[line].max(bytes.start)..end.min(bytes.end)
        })
    }

    /// The position of the byte `at` of `text`. A byte behind the end or inside a character has the
    /// position of the character or the end before it.
    pub(crate) fn position(&self, text: &str, at: usize) -> Position {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.line(at);
        let column = self.columns(text, at) - self.columns(text, self.starts[line]);
        Position::new(line as u32, column as u32)
    }

    /// The places where a range of bytes begins and ends.
    pub(crate) fn range(&self, text: &str, bytes: Bytes<usize>) -> Range {
        let position = |at| self.position(text, at);
        Range::new(position(bytes.start), position(bytes.end))
    }

    /// The byte of `text` at `position`. A position that does not exist gives the byte of the
    /// nearest before it.
    pub(crate) fn byte(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        let mut columns = 0;
        let mut characters = content.char_indices().map(|(at, sign)| (start + at, sign));
        let found = characters.find(|&(at, sign)| {
            columns += self
                .encoding
                .columns(&text.as_bytes()[at..at + sign.len_utf8()]);
            columns > position.character as usize
        });
        found.map_or(start + content.len(), |(at, _)| at)
    }
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
        let lines = Lines::of(text, Encoding::Utf16);
        let bytes = Lines::of(text, Encoding::Utf8);
        let x = text.find('x').unwrap();
        assert_eq!(lines.position(text, x), at(1, 6));
        assert_eq!(bytes.position(text, x), at(1, 9));
        assert_eq!(lines.byte(text, at(1, 6)), x);
        assert_eq!(bytes.byte(text, at(1, 9)), x);
        let q = text.find('Q').unwrap();
        assert_eq!(lines.position(text, q), at(2, 0));
        assert_eq!(lines.position(text, text.len()), at(3, 0));
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before_them() {
        let text = "a𝒫b\nc";
        let lines = Lines::of(text, Encoding::Utf16);
        // This column is between the two halves of 𝒫.
        assert_eq!(lines.byte(text, at(0, 2)), 1);
        // This column is behind the end of the line, and not in the next line.
        assert_eq!(lines.byte(text, at(0, 99)), 6);
        assert_eq!(lines.byte(text, at(9, 0)), text.len());
        assert_eq!(lines.position(text, 3), at(0, 1));
        assert_eq!(lines.position(text, 99), at(1, 1));
        assert_eq!(
            Lines::of("", Encoding::Utf16).position("", 0),
            Position::default()
        );
    }

    #[test]
    fn a_range_is_cut_where_lines_begin() {
        let text = "ab\ncd\r\ne\rf";
        let lines = Lines::of(text, Encoding::Utf16);
        let cut = |range: Bytes<usize>| -> Vec<&str> {
            lines.cut(range).map(|part| &text[part]).collect()
        };
        assert_eq!(cut(0..text.len()), ["ab\n", "cd\r\n", "e\r", "f"]);
        assert_eq!(cut(1..5), ["b\n", "cd"]);
        assert_eq!(cut(4..5), ["d"]);
        assert_eq!(cut(0..0), [""]);
    }

    proptest! {
        /// Columns are right however far the byte is from the beginning of its line and of a block.
        #[test]
        fn columns_are_those_of_the_text_before(
            parts in proptest::collection::vec("[aé𝒫\r\n]{0,9}", 0..9),
            fill in 0..2 * BLOCK,
        ) {
            let text = parts.join(&"x".repeat(fill));
            let lines = Lines::of(&text, Encoding::Utf16);
            let bytes = Lines::of(&text, Encoding::Utf8);
            for (byte, _) in text.char_indices() {
                let position = lines.position(&text, byte);
                let line = &text[lines.starts[position.line as usize]..byte];
                prop_assert_eq!(position.character as usize, line.encode_utf16().count());
                let position = bytes.position(&text, byte);
                prop_assert_eq!(position.character as usize, line.len());
            }
        }

        #[test]
        fn there_and_back(text in "[aé𝒫\r\n]{0,20}") {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Lines::of(&text, encoding);
                for (byte, _) in text.char_indices() {
                    // Between `\r` and `\n` there is no place of its own.
                    if text[..byte].ends_with('\r') && text[byte..].starts_with('\n') {
                        continue;
                    }
                    let position = lines.position(&text, byte);
                    prop_assert_eq!(lines.byte(&text, position), byte);
                }
            }
        }
    }
}
