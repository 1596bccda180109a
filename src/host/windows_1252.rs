//! Windows-1252, the encoding of scripts that older tools wrote: every byte is a character.

/// The characters of the bytes from 0x80 to 0x9f, as browsers read them. Any other byte is the
/// character of Unicode with the same number.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of these bytes.
pub(super) fn decode(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| character(byte)).collect()
}

fn character(byte: u8) -> char {
    let high = usize::from(byte).checked_sub(0x80);
    let special = high.and_then(|at| HIGH.get(at).copied());
    special.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_and_latin_1_keep_their_numbers() {
        for byte in (0..0x80).chain(0xa0..=0xff) {
            assert_eq!(u32::from(character(byte)), u32::from(byte));
        }
    }

    #[test]
    fn what_lies_between_has_a_table() {
        assert_eq!(
            decode(b"\x80\x82 \x91a\x92 \x93b\x94 \x96\x97\x99 \x9e\x9f"),
            "€‚ ‘a’ “b” –—™ žŸ"
        );
        assert_eq!(
            decode(b"\x81\x8d\x8f\x90\x9d"),
            "\u{81}\u{8d}\u{8f}\u{90}\u{9d}"
        );
    }
}
