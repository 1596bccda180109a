//! The key of a verdict: the build, and each part of the texts that were read.

use std::env;

use super::*;
use checker::{Script, Task};

/// A cache in an empty folder, of a program that was built as `build` says.
fn cache(test: &str, build: &str) -> VerdictCache {
    let folder = env::temp_dir().join(format!("cspsym-cache-{test}-{}", std::process::id()));
    VerdictCache::of_build(&folder, build).expect("the folder can be made")
}

fn answer() -> ToldAnswer {
    let script = Script::parse("a.csp", "assert STOP [T= STOP").expect("it is right");
    let options = Options::default();
    ToldAnswer::of(script.check(0, &options, &Task::default()), None)
}

fn key(cache: &VerdictCache, files: &[(&str, &str)], asked: &str) -> VerdictKey {
    let mut sources = SourceMap::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    let script = ScriptKey::of(&sources, &Options::default(), false);
    cache.verdict(&script, asked.to_string())
}

#[test]
fn another_build_has_other_verdicts() {
    let mut one = cache("builds", "one");
    let files = [("a.csp", "assert STOP [T= STOP")];
    let own = key(&one, &files, "1");
    one.keep(&own, &answer());
    assert!(one.answer(&own).is_some());
    let again = cache("builds", "one");
    assert!(again.answer(&key(&again, &files, "1")).is_some());
    let other = cache("builds", "other");
    assert!(other.answer(&key(&other, &files, "1")).is_none());
    let mut newer = cache("builds", "one");
    newer.program[0].1 += ".1";
    assert!(newer.answer(&key(&newer, &files, "1")).is_none());
    // A build is told from others at all.
    let program = this_program().expect("a program can read itself");
    assert_eq!(program.len(), DIGEST);
    fs::remove_dir_all(&one.folder).expect("it can be removed");
}

#[test]
fn texts_are_told_apart_by_names_order_and_borders() {
    let cache = cache("texts", "one");
    let texts: [&[(&str, &str)]; 7] = [
        &[("a", "x")],
        &[("b", "x")],
        &[("a", "y")],
        &[("a", "x"), ("b", "")],
        &[("a", "x"), ("b", "y")],
        &[("a", "y"), ("b", "x")],
        &[("a", "xy"), ("b", "")],
    ];
    let mut paths: Vec<PathBuf> = texts
        .iter()
        .flat_map(|files| ["1", "2"].map(|asked| key(&cache, files, asked).path))
        .collect();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 2 * texts.len());
    fs::remove_dir_all(&cache.folder).expect("it can be removed");
}

#[test]
fn an_open_answer_is_never_taken() {
    let mut cache = cache("open", "one");
    let key = key(&cache, &[], "1");
    let mut open = answer();
    assert!(open.is_decided());
    open.report.verdict = report::assertion::Verdict::Unknown;
    assert!(!open.is_decided());
    cache.keep(&key, &open);
    assert!(cache.answer(&key).is_none());
    fs::remove_dir_all(&cache.folder).expect("it can be removed");
}
