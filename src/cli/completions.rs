//! `cspsym completions SHELL`: what a shell needs to complete the calls of the program.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgGroup, Args, Command, CommandFactory, Id, ValueHint};
use clap_complete::Shell;

use host::arguments::{Arguments, CompletionsCall, ProgramName, RefinesCall, values};
use host::chapters::CHAPTERS;
use host::console::Console;
use host::outcome::CallEnd;
use lab::commands::lab_names;
use report::explanation::codes;

/// Prints the completions as a file that the shell reads.
pub(super) fn run(call: &CompletionsCall, console: &mut Console<'_>) -> CallEnd {
    let (name, program) = match call.program {
        ProgramName::Cspsym => ("cspsym", Arguments::command()),
        ProgramName::Refines => (
            "refines",
            RefinesCall::augment_args(Command::new("refines")),
        ),
    };
    let mut text = Vec::new();
    let mut program = with_values(without_hidden(&program));
    clap_complete::generate(call.shell, &mut program, name, &mut text);
    if call.shell == Shell::Bash {
        text.extend(FILES_IN_BASH.replace("PROGRAM", name).into_bytes());
    }
    console.result(&String::from_utf8_lossy(&text))?;
    Ok(())
}

/// An addition for bash: options are offered for words that begin with `-` alone, so that files are
/// offered for others; and values are offered behind `--option=`, which bash takes for a word.
const FILES_IN_BASH: &str = r#"
_PROGRAM_words() {
    local before="$3" word kept=()
    [[ ${before} == "=" ]] && before="${COMP_WORDS[COMP_CWORD-2]}"
    _PROGRAM "$1" "$2" "${before}"
    [[ $2 == -* ]] && return
    for word in "${COMPREPLY[@]}"; do [[ ${word} == -* ]] || kept+=("${word}"); done
    COMPREPLY=("${kept[@]}")
}
complete -F _PROGRAM_words -o bashdefault -o default PROGRAM
"#;

/// The command without the arguments that its help hides: the generators would offer them.
fn without_hidden(command: &Command) -> Command {
    let arguments = command.get_arguments();
    let arguments: Vec<Arg> = arguments
        .filter(|one| !one.is_hide_set())
        .cloned()
        .collect();
    let is_shown = |id: &&Id| arguments.iter().any(|one| one.get_id() == *id);
    let groups = command.get_groups().map(|group| {
        let members = group.get_args().filter(is_shown).cloned();
        ArgGroup::new(group.get_id().clone())
            .multiple(true)
            .args(members)
    });
    let groups: Vec<ArgGroup> = groups.collect();
    let mut shown = Command::new(command.get_name().to_string())
        .disable_help_subcommand(true)
        .groups(groups)
        .args(arguments)
        .subcommands(command.get_subcommands().map(without_hidden));
    if let Some(about) = command.get_about() {
        shown = shown.about(about.clone());
    }
    match command.get_version() {
        Some(version) => shown.version(version.to_string()),
        None => shown,
    }
}

/// The command with what its arguments may be, where their types do not say it.
fn with_values(command: Command) -> Command {
    command
        .mut_args(|argument| match meaning(&argument) {
            Some(Words::Of(words)) => argument.value_parser(PossibleValuesParser::new(words)),
            Some(Words::Any(hint)) => argument.value_hint(hint),
            None => argument,
        })
        .mut_subcommands(with_values)
}

/// The words that an argument may be.
#[derive(PartialEq, Eq, Debug)]
enum Words {
    /// One of these.
    Of(Vec<String>),
    /// More than can be listed.
    Any(ValueHint),
}

/// The words that the argument may be, told by the name that its value has in the help. The same
/// name means the same in all subcommands; `None` for flags, and where the type lists the words.
fn meaning(argument: &Arg) -> Option<Words> {
    if !argument.get_possible_values().is_empty() {
        return None;
    }
    let listed = |words: &mut dyn Iterator<Item = &'static str>| {
        Some(Words::Of(words.map(str::to_string).collect()))
    };
    let [name] = argument.get_value_names()? else {
        return None;
    };
    match name.as_str() {
        "FILE" | "FILE PROCESS" | "SPEC IMPL FILE" | "DIR|FILE" => {
            Some(Words::Any(ValueHint::AnyPath))
        }
        "WALK" | "OUT" => Some(Words::Any(ValueHint::FilePath)),
        "DIR" => Some(Words::Any(ValueHint::DirPath)),
        "HOST" => Some(Words::Any(ValueHint::Hostname)),
        "MODEL" => listed(&mut values::models()),
        "CODE" => listed(&mut codes()),
        "NAME" => listed(&mut lab_names()),
        "auto|off|PERMUTATIONS" => listed(&mut ["auto", "off"].into_iter()),
        "SUBCOMMAND" => Some(Words::Of(Arguments::subcommands())),
        "TOPIC" => {
            let topics = CHAPTERS.iter().map(|chapter| chapter.topic.to_string());
            Some(Words::Of(topics.chain(Arguments::subcommands()).collect()))
        }
        "ANSWER" | "BYTES" | "EXPR" | "GAME" | "I" | "IMPL" | "N" | "NAME=EXPR" | "PORT"
        | "PREDICTION" | "SECONDS" | "SIZE" | "SPEC" | "TASK" | "TEXT|N" | "VALUE" => {
            Some(Words::Any(ValueHint::Other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments of a command and of all below it.
    fn arguments(command: &Command) -> Vec<&Arg> {
        let below = command.get_subcommands().flat_map(arguments);
        command.get_arguments().chain(below).collect()
    }

    #[test]
    fn what_each_argument_may_be_is_known() {
        let program = Arguments::command();
        let arguments = arguments(&program);
        assert!(arguments.len() > 200, "{}", arguments.len());
        let unknown: Vec<String> = arguments
            .into_iter()
            .filter(|argument| argument.get_possible_values().is_empty())
            .filter(|argument| argument.get_action().takes_values())
            .filter(|argument| meaning(argument).is_none())
            .map(|argument| format!("{} {:?}", argument.get_id(), argument.get_value_names()))
            .collect();
        assert_eq!(unknown, Vec::<String>::new());
    }

    #[test]
    fn a_name_in_the_help_stands_for_its_words() {
        let argument = |name: &'static str| Arg::new("it").value_name(name);
        let models = ["T", "F", "FD", "V", "VD", "R", "RD"].map(str::to_string);
        assert_eq!(
            meaning(&argument("MODEL")),
            Some(Words::Of(models.to_vec()))
        );
        assert_eq!(
            meaning(&argument("DIR")),
            Some(Words::Any(ValueHint::DirPath))
        );
        assert_eq!(meaning(&argument("MODEL").value_parser(["one"])), None);
        assert_eq!(meaning(&argument("something else")), None);
    }
}
