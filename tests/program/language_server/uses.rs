//! Uses of names: references, highlights, renaming, symbols of all scripts.

use std::fs;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::{Client, at, place};
use super::{Folder, SCRIPT, URI, lines, opened};
use crate::harness::{root, scripts};

/// The line and column of each range.
fn places(found: &Value) -> Vec<(u64, u64)> {
    let found = found.as_array().expect("a list").iter();
    found
        .map(|one| {
            let range = if one.get("range").is_some() {
                one
            } else {
                &one["location"]
            };
            let (line, column, ..) = lines(range);
            (line, column)
        })
        .collect()
}

fn references(client: &mut Client, uri: &str, position: Value, with: bool) -> Value {
    let mut parameters = place(uri, position);
    parameters["context"] = json!({ "includeDeclaration": with });
    client.ask("textDocument/references", parameters)
}

#[test]
fn references_are_all_names_that_mean_the_same() {
    let mut client = opened();
    // Both clauses introduce `serve`, and `MACHINE` calls it.
    let found = references(&mut client, URI, at(SCRIPT, "serve(d)", 0), true);
    assert_eq!(places(&found), [(26, 20), (28, 0), (29, 0)]);
    let found = references(&mut client, URI, at(SCRIPT, "serve(d)", 0), false);
    assert_eq!(places(&found), [(26, 20), (29, 0)]);
    // A variable, from where it is introduced; not the other `n`.
    let found = references(&mut client, URI, at(SCRIPT, "n) = (n", 0), true);
    assert_eq!(places(&found), [(12, 7), (12, 13)]);
    // A member of a module, through its instance.
    let found = references(&mut client, URI, at(SCRIPT, "Two::COUNT", 5), false);
    assert_eq!(places(&found), [(15, 28), (38, 24)]);
    // Built-ins too.
    let found = references(&mut client, URI, at(SCRIPT, "Int", 0), true);
    assert_eq!(places(&found), [(1, 30)]);
    // The file itself shows them as they are: written once, read where used.
    let found = client.about(
        "textDocument/documentHighlight",
        URI,
        at(SCRIPT, "cups =", 0),
    );
    assert_eq!(places(&found), [(30, 4), (31, 18)]);
    assert_eq!(
        (&found[0]["kind"], &found[1]["kind"]),
        (&json!(3), &json!(2))
    );
    let nothing = client.about(
        "textDocument/documentHighlight",
        URI,
        at(SCRIPT, "within", 1),
    );
    assert_eq!(nothing, Value::Null);
}

fn rename(client: &mut Client, uri: &str, position: Value, name: &str) -> Result<Value, String> {
    let mut parameters = place(uri, position);
    parameters["newName"] = json!(name);
    let id = client.begin("textDocument/rename", parameters);
    let mut answer = client.answer(id);
    match answer.get("error") {
        Some(error) => {
            assert_eq!(error["code"], -32803, "{answer}");
            Err(error["message"].as_str().expect("a text").to_string())
        }
        None => Ok(answer["result"]["changes"].take()),
    }
}

/// `text` after `edits`, whose columns count ASCII.
fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<_> = edits.as_array().expect("a list").iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((lines(edit).0, lines(edit).1)));
    let mut all: Vec<String> = text.lines().map(str::to_string).collect();
    for edit in edits {
        let (line, start, end_line, end) = lines(edit);
        assert_eq!(line, end_line);
        let new = edit["newText"].as_str().expect("a text");
        all[line as usize].replace_range(start as usize..end as usize, new);
    }
    all.join("\n") + "\n"
}

#[test]
fn a_name_is_renamed_wherever_it_means_the_same() {
    let mut client = opened();
    for (mark, behind, new, expected) in [
        ("serve(d)", 0, "deliver", SCRIPT.replace("serve", "deliver")),
        ("Coffee.n", 0, "Mocha'", SCRIPT.replace("Coffee", "Mocha'")),
        (
            "next(n)",
            0,
            "successor",
            SCRIPT.replace("next", "successor"),
        ),
        ("Two::COUNT", 5, "C", SCRIPT.replace("COUNT", "C")),
        (
            "LIMIT)",
            0,
            "TOP",
            SCRIPT
                .replace("(LIMIT)", "(TOP)")
                .replace("% LIMIT", "% TOP"),
        ),
        (
            "Drink =",
            0,
            "Beverage",
            SCRIPT.replace("Drink", "Beverage"),
        ),
    ] {
        let ready = client.about("textDocument/prepareRename", URI, at(SCRIPT, mark, behind));
        assert!(ready["placeholder"].is_string(), "{ready}");
        let changes = rename(&mut client, URI, at(SCRIPT, mark, behind), new);
        let changes = changes.unwrap_or_else(|refused| panic!("{new}: {refused}"));
        assert_eq!(edited(SCRIPT, &changes[URI]), expected, "{new}");
    }
}

#[test]
fn a_name_that_is_not_free_is_refused() {
    let mut client = opened();
    let mut refused = |mark: &str, new: &str| {
        let found = rename(&mut client, URI, at(SCRIPT, mark, 0), new);
        found.expect_err("it is not free")
    };
    assert_eq!(refused("serve(d)", "1x"), "`1x` is no name");
    assert_eq!(refused("serve(d)", "two words"), "`two words` is no name");
    assert_eq!(refused("serve(d)", "within"), "`within` is no name");
    assert_eq!(refused("serve(d)", "include"), "`include` is no name");
    assert_eq!(refused("serve(d)", "card"), "`card` is built in");
    assert_eq!(refused("card", "size"), "`card` is built in");
    // Defined already, in the same scope.
    assert_eq!(
        refused("twice(x)", "pairs"),
        "with the name `pairs`: `pairs` is defined twice in one scope"
    );
    // The new name would be captured: in `more`, `k` is the parameter.
    assert_eq!(
        refused("cups =", "k"),
        "with the name `k`, `cups` in line 32 of `/nowhere/script.csp` would mean something else"
    );
    // The new name would capture another.
    assert_eq!(
        refused("k) = k", "cups"),
        "with the name `cups`, `cups` in line 32 of `/nowhere/script.csp` would mean something else"
    );
    // A pattern that is a variable would be a constructor.
    let message = refused("n) = let", "Tea");
    assert!(message.starts_with("with the name `Tea`"), "{message}");
    let wrong = client.begin(
        "textDocument/prepareRename",
        place(URI, at(SCRIPT, "card", 0)),
    );
    assert_eq!(
        client.answer(wrong)["error"]["message"],
        "`card` is built in"
    );
    let nothing = client.about("textDocument/prepareRename", URI, at(SCRIPT, "within", 1));
    assert_eq!(nothing, Value::Null);
}

#[test]
fn the_constant_of_an_option_is_a_use_of_it() {
    let mut client = Client::new();
    let text = "N = 3\nP = STOP\nassert P [T= P :[for all]: N\n";
    client.open(URI, text);
    let option = at(text, "N\n", 0);
    let defined = client.definition(URI, option.clone());
    assert_eq!(defined, Some((URI.to_string(), 0, 0)));
    assert_eq!(client.hover(URI, option.clone()), "N :: Int");
    let found = references(&mut client, URI, option.clone(), true);
    assert_eq!(places(&found), [(0, 0), (2, 27)]);
    let changes = rename(&mut client, URI, option, "SIZE").expect("free");
    assert_eq!(edited(text, &changes[URI]), text.replace('N', "SIZE"));
}

#[test]
fn what_cannot_be_read_is_not_renamed_past() {
    let mut client = Client::new();
    let text = "N = 3\nP = = N\n";
    client.open(URI, text);
    let refused = rename(&mut client, URI, at(text, "N", 0), "M");
    assert_eq!(
        refused,
        Err(
            "what `N` means in line 2 of `/nowhere/script.csp` is not known: mend that first"
                .into()
        )
    );
}

#[test]
fn included_files_are_renamed_too_and_all_scripts_that_include_them() {
    let folder = Folder::new("rename");
    let part = "channel c : {0..1}\nN = 1\n";
    let uri = folder.write("part.csp", part);
    let one = "include \"part.csp\"\nP = c!N -> P\n";
    let other = "include \"part.csp\"\nQ = c.0 -> Q\nM = 2\n";
    let (one_uri, other_uri) = (
        folder.write("one.csp", one),
        folder.write("other.csp", other),
    );
    let mut client = Client::new();
    client.open(&one_uri, one);
    client.open(&other_uri, other);
    let found = references(&mut client, &one_uri, at(one, "c!", 0), true);
    let mut uris: Vec<_> = found.as_array().expect("a list").iter().collect();
    uris.sort_by_key(|one| one["uri"].as_str().expect("a text").to_string());
    let uris: Vec<_> = uris.iter().map(|one| &one["uri"]).collect();
    assert_eq!(uris, [&json!(one_uri), &json!(other_uri), &json!(uri)]);
    let changes = rename(&mut client, &one_uri, at(one, "c!", 0), "channel1").expect("free");
    assert_eq!(
        edited(part, &changes[&uri]),
        part.replace("l c", "l channel1")
    );
    assert_eq!(
        edited(one, &changes[&one_uri]),
        one.replace("c!", "channel1!")
    );
    assert_eq!(
        edited(other, &changes[&other_uri]),
        other.replace("c.0", "channel1.0")
    );
    // In the one script `M` is free, but not in the other.
    let refused = rename(&mut client, &one_uri, at(one, "N ->", 0), "M");
    assert_eq!(
        refused,
        Err("with the name `M`: `M` is defined twice in one scope".into())
    );
}

#[test]
fn symbols_of_all_scripts_are_found_by_their_letters() {
    let folder = Folder::new("workspace");
    folder.write("part.csp", "datatype Colour = Red | Green\n");
    let text = "include \"part.csp\"\nReaderOne = STOP\n";
    let root = folder.write("root.csp", text);
    let mut client = opened();
    client.open(&root, text);
    let mut names = |query: &str| {
        let found = client.ask("workspace/symbol", json!({ "query": query }));
        let found = found.as_array().expect("a list").iter();
        found
            .map(|one| one["name"].as_str().expect("a name").to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("grn"), ["Green"]);
    assert_eq!(names("rd"), ["ReaderOne", "Red"]);
    assert_eq!(names("COUNT"), ["Counter", "COUNT"]);
    assert!(names("").len() > 15);
    assert_eq!(names("nothing like it"), [""; 0]);
}

/// The symbols of an outline, with their children.
fn all_symbols<'a>(symbols: &'a Value, found: &mut Vec<&'a Value>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        found.push(symbol);
        all_symbols(&symbol["children"], found);
    }
}

#[test]
fn every_name_of_the_shipped_scripts_can_be_renamed_there_and_back() {
    let mut client = Client::new();
    let mut renamed = 0;
    for script in scripts("cspm") {
        let path = root().join(&script);
        let text = fs::read_to_string(&path).expect("a text");
        // Each name of a long script takes long. Columns of `edited` count ASCII.
        if text.len() > 5000 || !text.is_ascii() || text.contains("include") {
            continue;
        }
        let uri = format!("file://{}", path.display());
        client.open(&uri, &text);
        let document = json!({ "textDocument": { "uri": uri } });
        let outline = client.ask("textDocument/documentSymbol", document.clone());
        let mut symbols = Vec::new();
        all_symbols(&outline, &mut symbols);
        for (version, symbol) in (1..).zip(symbols) {
            let name = symbol["name"].as_str().expect("a name");
            // An assertion has no name, and a Timed section wants a channel that is called so.
            if name.starts_with("assert ") || name == "tock" {
                continue;
            }
            let place = symbol["selectionRange"]["start"].clone();
            let there = rename(&mut client, &uri, place.clone(), "some_other_name");
            let there = there.unwrap_or_else(|refused| panic!("{script}, {name}: {refused}"));
            let other = edited(&text, &there[&uri]);
            client.replace(&uri, 2 * version, &other);
            match rename(&mut client, &uri, place, name) {
                Ok(back) => assert_eq!(edited(&other, &back[&uri]), text, "{script}, {name}"),
                // A script may hide a built-in, but nobody is helped to do so.
                Err(refused) => assert_eq!(refused, format!("`{name}` is built in")),
            }
            client.replace(&uri, 2 * version + 1, &text);
            renamed += 1;
        }
        client.tell("textDocument/didClose", document);
    }
    assert!(renamed > 50, "{renamed}");
}
