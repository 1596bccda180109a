//! Messages: the places where they are shown, and the moments when they go.

use std::fs;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::{Client, at, changed, note};
use super::{Folder, URI, codes, lines, message};

#[test]
fn a_mistake_is_shown_while_it_is_there() {
    let mut client = Client::new();
    client.open(URI, "channel count : Int\nP = cout!1 -> STOP\n");
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["unknown-name"]);
    assert_eq!(lines(&found[0]), (1, 4, 1, 8));
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "cspsym");
    assert_eq!(
        message(&found[0]),
        "`cout` is not defined here\nhelp: did you mean `count`?"
    );
    // Now a type is wrong, then nothing.
    let change = |start: u64, end: u64, text: &str| {
        let place = |character: u64| json!({ "line": 1, "character": character });
        json!([{ "range": { "start": place(start), "end": place(end) }, "text": text }])
    };
    client.change(URI, 2, change(4, 10, "count!true"));
    let found = client.diagnostics(URI, json!(2));
    assert_eq!(codes(&found), ["communication"]);
    client.change(URI, 3, change(10, 14, "7"));
    assert_eq!(client.diagnostics(URI, json!(3)), Vec::<Value>::new());
    // The whole text is replaced.
    client.replace(URI, 4, "P = = STOP\n");
    assert_eq!(client.diagnostics(URI, json!(4)).len(), 1);
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn further_places_are_related_information() {
    let mut client = Client::new();
    client.open(URI, "f(x) = x\nP = STOP\nf(0) = 1\n");
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["duplicate-definition"]);
    assert_eq!(lines(&found[0]), (2, 0, 2, 1));
    let related = &found[0]["relatedInformation"];
    assert_eq!(related.as_array().map(Vec::len), Some(1));
    assert_eq!(related[0]["message"], "first defined here");
    assert_eq!(related[0]["location"]["uri"], URI);
    assert_eq!(lines(&related[0]["location"]), (0, 0, 0, 1));
    assert!(message(&found[0]).contains("\nhelp: "), "{}", found[0]);
}

#[test]
fn columns_count_units_of_utf_16_unless_bytes_are_offered() {
    // 𝒫 has two units and four bytes, é one unit and two bytes.
    let text = "{- 𝒫é -} P = nobody\n";
    let mut client = Client::new();
    client.open(URI, text);
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(lines(&found[0]), (0, 14, 0, 20));
    let general = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut client = Client::silent();
    let answer = client.ask("initialize", json!({ "capabilities": general }));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    client.open(URI, text);
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(lines(&found[0]), (0, 17, 0, 23));
}

#[test]
fn much_typing_at_once_ends_with_the_last_version() {
    let mut client = Client::new();
    client.open(URI, "");
    let type_sign = |(index, sign): (usize, char)| {
        let place = json!({ "line": 0, "character": index });
        let change = json!([{ "range": { "start": place, "end": place }, "text": sign }]);
        note(
            "textDocument/didChange",
            changed(URI, index as i64 + 2, change),
        )
    };
    let typed = "P = a -> STOP".chars().enumerate().map(type_sign);
    client.send_all(&typed.collect::<Vec<_>>());
    let found = client.diagnostics(URI, json!(14));
    assert_eq!(codes(&found), ["unknown-name"]);
    assert_eq!(lines(&found[0]), (0, 4, 0, 5));
}

#[test]
fn mistakes_in_included_files_are_shown_there() {
    let folder = Folder::new("included");
    let part = folder.write("parts/a b.csp", "channel c : Int\nLAST = nobody\n");
    let part = part.replace(' ', "%20");
    let text = "include \"parts/a b.csp\"\nP = c!LAST -> STOP\n";
    let root = folder.write("root.csp", text);
    let mut client = Client::new();
    client.open(&root, text);
    assert_eq!(
        codes(&client.diagnostics(&root, json!(1))),
        ["unknown-name"]
    );
    let found = client.diagnostics(&part, Value::Null);
    assert_eq!(codes(&found), ["unknown-name"]);
    assert_eq!(lines(&found[0]), (1, 7, 1, 13));
    // The part is opened, and mended without saving. The script that includes it sees that.
    client.open(&part, "channel c : Int\nLAST = true\n");
    assert_eq!(client.diagnostics(&part, json!(1)), Vec::<Value>::new());
    client.wait_for(|message| {
        message["params"]["uri"] == root.as_str()
            && message["params"]["diagnostics"][0]["code"] == "communication"
    });
    client.replace(&part, 2, "channel c : Int\nLAST = 3\n");
    assert_eq!(client.diagnostics(&part, json!(2)), Vec::<Value>::new());
    // By itself the part is not looked at: it may use what stands around it.
    client.replace(&part, 3, "channel c : Int\nLAST = 3\nQ = P\n");
    assert_eq!(client.diagnostics(&part, json!(3)), Vec::<Value>::new());
    // Closed without saving, the part has the text on disk again.
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": part } }),
    );
    let found = client.diagnostics(&part, Value::Null);
    assert_eq!(codes(&found), ["unknown-name"]);
    // The part is mended on disk.
    fs::write(
        folder.0.join("parts/a b.csp"),
        "channel c : Int\nLAST = 3\n",
    )
    .expect("written");
    client.tell(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": root } }),
    );
    assert_eq!(client.diagnostics(&part, Value::Null), Vec::<Value>::new());
    // Once the root is closed, no messages are left.
    client.replace(&root, 2, "P = nobody\n");
    assert_eq!(client.diagnostics(&root, json!(2)).len(), 1);
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": root } }),
    );
    assert_eq!(client.diagnostics(&root, Value::Null), Vec::<Value>::new());
}

#[test]
fn mistakes_in_included_files_are_shown_at_the_include_too() {
    let folder = Folder::new("at-include");
    let deep = folder.write("deep.csp", "P = nobody\nQ = no one\n");
    let part = folder.write(
        "part.csp",
        "-- A part.\ninclude \"deep.csp\"\nR = P [] stranger\n",
    );
    let text = "include \"part.csp\"\nS = R\nassert S [T= nothing\n";
    let root = folder.write("root.csp", text);
    let mut client = Client::new();
    client.open(&root, text);
    let found = client.diagnostics(&root, json!(1));
    // The script's own mistake is at its own place.
    let of_root: Vec<_> = found
        .iter()
        .map(|one| (lines(one).0, &one["severity"]))
        .collect();
    assert_eq!(of_root, [(2, &json!(1)), (0, &json!(1))]);
    let at_include = &found[1];
    assert_eq!(lines(at_include), (0, 0, 0, 18));
    assert_eq!(at_include["code"], "unknown-name");
    assert_eq!(
        message(at_include),
        "3 mistakes; the first in `part.csp`, line 3: `stranger` is not defined here"
    );
    let related = at_include["relatedInformation"].as_array().expect("a list");
    let related: Vec<_> = related
        .iter()
        .map(|one| (&one["location"]["uri"], lines(&one["location"]).0))
        .collect();
    let (deep, part) = (json!(deep), json!(part));
    assert_eq!(related, [(&part, 2), (&deep, 0), (&deep, 1)]);
    // The part shows the mistakes in the file that it includes itself.
    let found = client.diagnostics(part.as_str().expect("a text"), Value::Null);
    assert_eq!(codes(&found), ["unknown-name", "unknown-name"]);
    assert_eq!(lines(&found[1]), (1, 0, 1, 18));
    assert!(
        message(&found[1]).starts_with("2 mistakes; "),
        "{}",
        found[1]
    );
    // A single problem is named with its place, and a warning stays one. The file of this warning
    // is in an encoding of older tools.
    fs::write(folder.0.join("one.csp"), b"-- \xe9\nN = 1\n").expect("written");
    let path = folder.0.join("one.csp");
    client.open(URI, &format!("include \"{}\"\nP = STOP\n", path.display()));
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(found[0]["severity"], 2);
    let begin = "in `one.csp`, line 1: ";
    assert!(message(&found[0]).starts_with(begin), "{}", found[0]);
}

#[test]
fn nothing_is_shown_from_outside_of_a_folder() {
    let folder = Folder::new("include-root");
    folder.write("secret.csp", "P = = STOP\n");
    folder.write("in/part.csp", "Q = STOP\n");
    let text = "include \"part.csp\"\ninclude \"../secret.csp\"\n";
    let root = folder.write("in/script.csp", text);
    let inside = folder.0.join("in").to_string_lossy().into_owned();
    let mut client = Client::limited(json!({ "includeRoot": inside }));
    client.open(&root, text);
    let found = client.diagnostics(&root, json!(1));
    assert_eq!(codes(&found), ["include-outside-root"]);
}

#[test]
fn documents_that_are_saved_nowhere_include_each_other() {
    let mut client = Client::new();
    let part = "file:///nowhere/parts/part.csp";
    client.open(part, "N = 3\n");
    assert_eq!(client.diagnostics(part, json!(1)), Vec::<Value>::new());
    client.open(URI, "include \"./parts/part.csp\"\nP = N\n");
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    client.replace(part, 2, "M = 3\n");
    client.wait_for(|message| {
        message["params"]["uri"] == URI
            && message["params"]["diagnostics"][0]["code"] == "unknown-name"
    });
    client.open("untitled:Untitled-1", "P = nobody\n");
    let found = client.diagnostics("untitled:Untitled-1", json!(1));
    assert_eq!(codes(&found), ["unknown-name"]);
}

#[test]
fn deep_nesting_is_no_trouble() {
    let mut client = Client::new();
    let depth = 50_000;
    let nested = format!("P = {}STOP{}\n", "(".repeat(depth), ")".repeat(depth));
    client.open(URI, &nested);
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    let half = format!("P = {}STOP", "let x = ".repeat(depth));
    client.replace(URI, 2, &half);
    assert!(!client.diagnostics(URI, json!(2)).is_empty());
    client.about("textDocument/completion", URI, at(&half, "STOP", 2));
    let prefixes = format!("channel a\nQ = {}STOP\n", "a -> ".repeat(depth));
    client.replace(URI, 3, &prefixes);
    assert_eq!(client.diagnostics(URI, json!(3)), Vec::<Value>::new());
    assert_eq!(client.hover(URI, at(&prefixes, "Q", 0)), "Q :: Proc");
    assert_eq!(client.shut_down(), Some(0));
}
