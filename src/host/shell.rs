//! Commands that are shown, so that somebody can give them to a shell.

/// The call of this program.
pub fn own_call() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    // How the program was found does not matter.
    let words: Vec<String> = std::iter::once("cspsym".to_string()).chain(words).collect();
    shell_line(&words)
}

/// `words` as one line for a shell.
pub fn shell_line(words: &[impl AsRef<str>]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_word(word.as_ref())).collect();
    words.join(" ")
}

/// `word` as a shell of this system reads it.
pub fn shell_word(word: &str) -> String {
    match cfg!(windows) {
        true => windows_word(word),
        false => unix_word(word),
    }
}

fn unix_word(word: &str) -> String {
    match is_plain(word, "") {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The shells of Windows read both signs for folders as they are, and `cmd` knows no quotes but
/// `"`.
fn windows_word(word: &str) -> String {
    match is_plain(word, r"\") {
        true => word.to_string(),
        false => format!("\"{}\"", word.replace('"', r#"\""#)),
    }
}

/// True if no shell reads a sign of `word` as anything else, among which the signs `also`.
fn is_plain(word: &str, also: &str) -> bool {
    let is_plain =
        |sign: char| sign.is_alphanumeric() || "/._-+=:@%,".contains(sign) || also.contains(sign);
    !word.is_empty() && word.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_what_they_are() {
        let words = [
            "cspsym",
            "check",
            "Ada's lab.csp",
            "-D",
            "N=4",
            "-D",
            "F(x)=x * 2",
            "",
        ];
        let line = |word: fn(&str) -> String| words.map(word).join(" ");
        let expected = r"cspsym check 'Ada'\''s lab.csp' -D N=4 -D 'F(x)=x * 2' ''";
        assert_eq!(line(unix_word), expected);
        let expected = r#"cspsym check "Ada's lab.csp" -D N=4 -D "F(x)=x * 2" """#;
        assert_eq!(line(windows_word), expected);
        assert_eq!(windows_word(r"labs\one.csp"), r"labs\one.csp");
        assert_eq!(unix_word(r"labs\one.csp"), r"'labs\one.csp'");
    }
}
