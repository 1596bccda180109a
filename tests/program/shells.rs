//! The completions and the pages for `man` of an installed program: every subcommand has both, and
//! bash completes calls.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use pretty_assertions::assert_eq;

use crate::harness::{Outcome, cspsym, empty_folder, split_arguments};

fn call(line: &str) -> Outcome {
    cspsym(&split_arguments(line), b"")
}

/// The subcommands that the help of `above` lists, with the subcommands of each.
fn subcommands(above: &str) -> Vec<String> {
    let help = call(&format!("{above} --help")).out;
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = listed.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut found = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        let name = format!("{above} {name}").trim_start().to_string();
        if name == "lab" {
            found.extend(subcommands(&name));
        }
        found.push(name);
    }
    found
}

#[test]
fn every_subcommand_has_a_page_and_completions() {
    let folder = empty_folder("shells", "pages");
    let pages = folder.join("man1");
    let written = call(&format!("man --into '{}'", pages.display()));
    assert_eq!((written.status, &*written.out), (Some(0), ""));
    let entries = fs::read_dir(&pages).expect("the pages are there");
    let names = entries.map(|entry| entry.expect("an entry is readable").file_name());
    let found: BTreeSet<String> = names.map(|name| name.to_string_lossy().into()).collect();
    let subcommands = subcommands("");
    assert!(subcommands.len() > 20, "{subcommands:?}");
    let file = |name: &String| format!("cspsym-{}.1", name.replace(' ', "-"));
    let mut expected: BTreeSet<String> = subcommands.iter().map(file).collect();
    expected.insert("cspsym.1".to_string());
    assert_eq!(found, expected);
    let bash = call("completions bash").out;
    for name in &subcommands {
        let page = fs::read_to_string(pages.join(file(name))).expect("a page is readable");
        let printed = call(&format!("man {name}"));
        assert_eq!((printed.out, printed.status), (page.clone(), Some(0)));
        let title = format!("\n.TH cspsym-{} 1 ", name.replace(' ', "-"));
        assert!(page.contains(&title), "{name}: {page}");
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] {
            assert!(page.contains(&format!("\n.SH {section}\n")), "{name}");
        }
        let case = format!("cspsym__subcmd__{})\n", name.replace(' ', "__subcmd__"));
        assert!(bash.contains(&case), "{name}");
    }
}

#[test]
fn a_page_has_the_help_in_sections() {
    let page = call("man graph").out;
    let place = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text} in {page}"))
    };
    let order = [
        ".SH DESCRIPTION",
        "EXPR is a process expression",
        ".TP\n\\fBaut\\fR\nevents, tau and tick",
        ".SH OPTIONS",
        ".TP\n\\fB\\-\\-max\\-nodes\\fR",
        ".SH EXAMPLES",
        ".TP\n\\fBcspsym graph HANOI cspm/hanoi/hanoi.csp \\-\\-format aut > hanoi.aut\\fR\nthen,",
        ".SH \"EXIT STATUS\"",
        ".TP\n\\fB0\\fR\nwhat was asked for was printed",
    ];
    let places: Vec<usize> = order.into_iter().map(place).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn a_page_that_there_is_not_is_refused() {
    let outcome = call("man chek");
    assert_eq!((outcome.status, &*outcome.out), (Some(2), ""));
    assert!(outcome.err.starts_with("error[unknown-topic]"));
    assert!(outcome.err.contains("did you mean `cspsym man check`?"));
    let folder = empty_folder("shells", "refused");
    let file = folder.join("file");
    fs::write(&file, "").expect("a file can be written");
    let outcome = call(&format!("man --into '{}'", file.display()));
    assert_eq!((outcome.status, &*outcome.out), (Some(2), ""));
    assert!(outcome.err.starts_with("error[unwritable-output]"));
}

#[test]
fn each_shell_gets_completions_of_both_names() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let whole = call(&format!("completions {shell}"));
        assert_eq!((whole.status, &*whole.err), (Some(0), ""), "{shell}");
        assert!(whole.out.contains("typecheck"), "{shell}");
        let other = call(&format!("completions {shell} --program refines"));
        assert_eq!((other.status, &*other.err), (Some(0), ""), "{shell}");
        assert!(other.out.contains("reveal-taus"), "{shell}");
        assert!(!other.out.contains("grade"), "{shell}");
    }
    assert_eq!(call("completions tcsh").status, Some(2));
}

#[test]
fn what_the_help_hides_is_not_offered() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let whole = call(&format!("completions {shell}")).out;
        let other = call(&format!("completions {shell} --program refines")).out;
        for hidden in ["spill-budget", "patience"] {
            assert!(!whole.contains(hidden), "{hidden} in {shell}");
        }
        for hidden in ["remote", "yaml"] {
            assert!(!other.contains(hidden), "{hidden} in {shell}");
        }
    }
}

/// The words that bash offers at the end of `line`, where `program` has the completions that this
/// program prints for it.
#[cfg(unix)]
fn offered(program: &str, line: &str) -> Vec<String> {
    const ASK: &str = r#"
        source "$1"
        read -ra COMP_WORDS <<<"$3"
        [[ "$3" != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        # What it says is heeded by a shell with a terminal alone.
        compopt() { :; }
        cd "$4"
        asked=$(complete -p "$2" | sed 's/.* -F \([^ ]*\) .*/\1/')
        "$asked" "$2" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let folder = empty_folder("shells", &format!("bash {}", line.replace('/', "-")));
    fs::write(folder.join("tickets.csp"), "").expect("a script can be written");
    let file = folder.join("completions");
    let text = call(&format!("completions bash --program {program}")).out;
    fs::write(&file, text).expect("the completions can be written");
    let output = Command::new("bash")
        .args(["-uc", ASK, "bash"])
        .arg(&file)
        .args([program, line])
        .arg(&folder)
        .output()
        .expect("bash runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && err.is_empty(), "{line}: {err}");
    let out = String::from_utf8_lossy(&output.stdout);
    let words = out.lines().filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_calls() {
    for (line, words) in [
        ("cspsym che", &["check"][..]),
        ("cspsym check --for", &["--format", "--for-all"]),
        ("cspsym check --format ", &["text", "json"]),
        ("cspsym check --model V", &["V", "VD"]),
        // So bash hands over `--model=V`.
        ("cspsym check --model = V", &["V", "VD"]),
        ("cspsym check ", &[]),
        ("cspsym step tickets.csp ", &[]),
        ("cspsym check --symmetry ", &["auto", "off"]),
        ("cspsym check --junit ti", &["tickets.csp"]),
        // With nothing to offer, bash offers files by itself.
        ("cspsym check ti", &[]),
        ("cspsym lab pl", &["play"]),
        ("cspsym lab start d", &["dijkstra"]),
        ("cspsym help sym", &["symmetries", "symmetry"]),
        (
            "cspsym explain unguarded-recursion",
            &["unguarded-recursion"],
        ),
        ("cspsym completions f", &["fish"]),
        ("refines --reveal", &["--reveal-taus"]),
        ("refines --format framed", &["framed_json"]),
        ("refines ti", &[]),
    ] {
        let program = line.split(' ').next().unwrap_or_default();
        assert_eq!(offered(program, line), words, "{line}");
    }
}
