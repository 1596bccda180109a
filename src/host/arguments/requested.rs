//! Options of `check` in the requests of other programs.

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser};

use checker::Options;

use super::super::memory::Memory;
use super::Deciding;
use super::checking::SeveralWish;

/// The options by which the question of a request is decided, as words of the command line.
#[derive(Parser, Debug)]
#[command(
    no_binary_name = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub struct RequestOptions {
    #[command(flatten)]
    several: SeveralWish,
    #[command(flatten)]
    deciding: Deciding,
}

/// The options of scripts that a request says in another way, or that are of the whole program,
/// each with the reason.
const ELSEWHERE: [(&str, &str); 4] = [
    (
        "definitions",
        "`-D NAME=EXPR` is said by the key `definitions`",
    ),
    ("timeout", "`--timeout` is said by the key `timeout`"),
    ("progress", "`--progress` is said by the key `progress`"),
    (
        "include_root",
        "`--include-root` is an option of the whole program",
    ),
];

impl RequestOptions {
    /// The options in `words`. Fails with the reason why they are none.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let read = Self::command().try_get_matches_from(words);
        let read = read.and_then(|matches| {
            let options = Self::from_arg_matches(&matches)?;
            Ok((matches, options))
        });
        let (matches, options) = read.map_err(|error| in_one_line(&error))?;
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let mut elsewhere = ELSEWHERE.iter();
        if let Some((_, why)) = elsewhere.find(|(id, _)| is_given(id)) {
            return Err(why.to_string());
        }
        match options.deciding.reducing.contradiction() {
            Some(why) => Err(why.to_string()),
            None => Ok(options),
        }
    }

    /// The bounds on the memory of the program under these options.
    pub fn memory(&self) -> Memory {
        Memory::of_program(self.deciding.common().memory_limit)
    }

    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            counterexamples: self.several.count(),
            ..self.deciding.options(memory)
        }
    }
}

/// The message of `error` without the usage and tips below it.
fn in_one_line(error: &clap::Error) -> String {
    let message = error.to_string();
    let first = message.lines().next().unwrap_or_default();
    first.trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use checker::{Strategy, Symmetries};

    fn read(words: &str) -> Result<Options, String> {
        let words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
        let options = RequestOptions::read(&words)?;
        Ok(options.options(&Memory::default()))
    }

    #[test]
    fn words_are_options_as_on_the_command_line() {
        let options = read("--strategy dive --symmetry off --counterexamples 3").expect("they are");
        let found = (
            options.strategy,
            options.symmetries,
            options.counterexamples,
        );
        assert_eq!(found, (Some(Strategy::Dive), Symmetries::Off, 3));
        let refused = [
            ("--fly", "unexpected argument '--fly' found"),
            ("x", "unexpected argument 'x' found"),
            ("--spill /tmp", "unexpected argument '--spill' found"),
            ("-D N=3", "`-D NAME=EXPR` is said by the key `definitions`"),
            ("--timeout 3", "`--timeout` is said by the key `timeout`"),
            (
                "--symmetry off --representative sort",
                "`--symmetry off` leaves only plain search, which has no `--representative`",
            ),
        ];
        for (words, why) in refused {
            assert_eq!(read(words).expect_err("it is refused"), why);
        }
    }
}
