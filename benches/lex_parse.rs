//! The speed of parsing: the largest shipped script, and a megabyte of similar text.

use std::fs;
use std::hint::black_box;

use base::source::SourceMap;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use syntax::parse_script;
use syntax::parser::NoIncludes;

/// The longest script of the folders of `cspm/`, without its includes: only the parser is measured.
fn largest_script() -> String {
    let folders = fs::read_dir("cspm").expect("it is there").flatten();
    let files = folders
        .filter_map(|folder| fs::read_dir(folder.path()).ok())
        .flat_map(|files| files.flatten().map(|file| file.path()));
    let scripts = files.filter(|path| path.extension().is_some_and(|end| end == "csp"));
    let texts = scripts.filter_map(|path| fs::read_to_string(path).ok());
    let longest = texts.max_by_key(String::len).expect("there are scripts");
    let own = longest.lines().filter(|line| !line.starts_with("include "));
    own.flat_map(|line| [line, "\n"]).collect()
}

/// The number of declarations of `text`.
fn parse(text: &str) -> usize {
    let mut sources = SourceMap::new();
    let root = sources.add("script.csp", text);
    let (ast, problems) = parse_script(&mut sources, root, &mut NoIncludes);
    assert!(problems.is_empty(), "{problems:?}");
    ast.script.len()
}

fn lex_parse(c: &mut Criterion) {
    let largest = largest_script();
    let megabyte = format!("{largest}\n").repeat(1_000_000 / largest.len() + 1);
    let mut group = c.benchmark_group("lex_parse");
    group.sample_size(10);
    for (name, text) in [("largest script", largest), ("one megabyte", megabyte)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(parse(&text))));
    }
    group.finish();
}

criterion_group!(benches, lex_parse);
criterion_main!(benches);
