//! Pictures of states: blocks of comments that say what the page draws while a process is walked.
//!
//! A block begins with the line `-- picture NAME`, and the comments below it belong to it as far as
//! they are indented. The page reads what they say; here they are only found, in the script and in
//! what it includes.

use std::collections::BTreeMap;

use base::source::SourceMap;
use report::api::ApiPicture;

/// All pictures of a script.
pub(super) fn pictures(sources: &SourceMap) -> Vec<ApiPicture> {
    let constants = constants(sources.iter().map(|(_, file)| &file.text[..]));
    let mut found = Vec::new();
    for (_, file) in sources.iter() {
        let mut lines = file.text.lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let Some(name) = line.strip_prefix("-- picture ") else {
                continue;
            };
            let mut picture = ApiPicture {
                name: name.trim().to_string(),
                file: file.name.clone(),
                line: index + 1,
                lines: Vec::new(),
                constants: constants.clone(),
            };
            while let Some(said) = lines.peek().and_then(|(_, line)| line.strip_prefix("--  ")) {
                picture.lines.push(said.trim().to_string());
                lines.next();
            }
            found.push(picture);
        }
    }
    found
}

/// The constants that are defined as a number, each on a line of its own.
fn constants<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeMap<String, i64> {
    let numbers = texts.flat_map(str::lines).filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let name = name.trim_end();
        let value = value.split("--").next()?.trim().parse().ok()?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name.then(|| (name.to_string(), value))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::pictures;
    use base::source::SourceMap;

    #[test]
    fn a_block_of_comments_is_a_picture_as_far_as_it_is_indented() {
        let mut sources = SourceMap::new();
        sources.add("a.csp", "include \"b.csp\"\n-- picture\nN = 2\n");
        let text = "M = 3 -- three\n-- picture The towers\n--   size 10 20\n--   line 0 0 1 1\n\
                    -- no more\n--   size 1 1\nf(x) = 4\n";
        sources.add("b.csp", text);
        let found = pictures(&sources);
        assert_eq!(found.len(), 1);
        let picture = &found[0];
        assert_eq!((&picture.name[..], picture.line), ("The towers", 2));
        assert_eq!(picture.lines, ["size 10 20", "line 0 0 1 1"]);
        let constants: Vec<_> = picture.constants.iter().collect();
        assert_eq!(constants, [(&"M".to_string(), &3), (&"N".to_string(), &2)]);
    }
}
