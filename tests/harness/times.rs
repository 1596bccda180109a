//! Masks the parts of the output that differ from run to run: times, rates and memory.

/// `text` with `TIME` for each number of seconds. Numbers per second are removed, because they are
/// left out of very short times; so is the memory of searches, because each thread has some of its
/// own.
pub(crate) fn without_times(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => line_without_times(line) + "\n",
            None => line_without_times(line),
        })
        .collect()
}

fn line_without_times(line: &str) -> String {
    if line.starts_with("  memory ") {
        return "  memory".to_string();
    }
    if line.starts_with('{') {
        return ["\"seconds\":", "\"memory_bytes\":"]
            .iter()
            .fold(line.to_string(), |line, key| without_value(&line, key));
    }
    let rate = line
        .rsplit_once(" (")
        .filter(|_| line.ends_with(" a second)"));
    let line = rate.map_or(line, |(before, _)| before);
    let mut words = line.split(' ').peekable();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match words.next_if(|next| matches!(*next, "s" | "s," | "s.")) {
            Some(unit) if word.parse::<f64>().is_ok() => kept.push(format!("TIME{}", &unit[1..])),
            Some(unit) => kept.extend([word.to_string(), unit.to_string()]),
            None => kept.push(word.to_string()),
        }
    }
    kept.join(" ")
}

/// A line of JSON with a word for the value of `key`: an object without objects, or a number.
fn without_value(line: &str, key: &str) -> String {
    let Some((before, after)) = line.split_once(key) else {
        return line.to_string();
    };
    match after.strip_prefix('{') {
        Some(object) => {
            let after = object.split_once('}').map_or("", |(_, after)| after);
            format!("{before}{key}TIME{after}")
        }
        None if after.starts_with(|first: char| first.is_ascii_digit()) => {
            let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
            format!("{before}{key}BYTES{after}")
        }
        None => line.to_string(),
    }
}

#[test]
fn times_are_taken_out() {
    assert_eq!(
        without_times("  3 states, 2 levels, 0.02 s\n  states  2,401 (1,340,162 a second)\n"),
        "  3 states, 2 levels, TIME\n  states  2,401\n"
    );
    assert_eq!(
        without_times("  memory         64.0 KiB\n  load 0.01 s, total 1.50 s"),
        "  memory\n  load TIME, total TIME"
    );
    assert_eq!(
        without_times(
            r#"{"schema":1,"seconds":{"load":0.1,"total":0.2},"memory_bytes":27,"message":null}"#
        ),
        "{\"schema\":1,\"seconds\":TIME,\"memory_bytes\":BYTES,\"message\":null}"
    );
    assert_eq!(
        without_times("the event s, and s 1"),
        "the event s, and s 1"
    );
}
