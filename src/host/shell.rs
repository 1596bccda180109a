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

/// `word` as a shell reads it.
pub fn shell_word(word: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/._-+=:@%,".contains(sign);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
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
        let expected = r"cspsym check 'Ada'\''s lab.csp' -D N=4 -D 'F(x)=x * 2' ''";
        assert_eq!(shell_line(&words), expected);
    }
}
