//! The names that are offered.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::client::{Client, at, place};
use super::{SCRIPT, URI, opened};

/// The names for the place `¦` of `text`, with kinds and types.
fn completions(
    client: &mut Client,
    version: i64,
    text: &str,
) -> Vec<(String, u64, Option<String>)> {
    let plain = text.replace('¦', "");
    match version {
        1 => client.open(URI, &plain),
        _ => client.replace(URI, version, &plain),
    }
    let list = client.about("textDocument/completion", URI, at(text, "¦", 0));
    let items = list["items"].as_array().expect("a list").iter();
    let each = items.map(|item| {
        let label = item["label"].as_str().expect("a label").to_string();
        let ty = item["detail"].as_str().map(str::to_string);
        (label, item["kind"].as_u64().expect("a kind"), ty)
    });
    each.collect()
}

#[test]
fn names_in_scope_are_offered() {
    let mut client = Client::new();
    let mut version = 0;
    let mut offered = |text: &str| {
        version += 1;
        completions(
            &mut client,
            version,
            &format!("{SCRIPT}\n{text}\nLATER = 4\n"),
        )
    };
    let find = |offered: &[(String, u64, Option<String>)], name: &str| {
        let found = offered.iter().find(|(label, ..)| label == name);
        found.map(|(_, kind, ty)| (*kind, ty.clone().unwrap_or_default()))
    };
    let typed = |kind: u64, ty: &str| Some((kind, ty.to_string()));
    // Half a definition with a `let`, a parameter and an input.
    let all = offered("f(k, j) = coin?d -> let g(i) = i\n  h = g(¦");
    assert_eq!(find(&all, "k").map(|(kind, _)| kind), Some(6));
    assert_eq!(find(&all, "d"), typed(6, "Drink"));
    assert_eq!(find(&all, "g"), typed(3, "(a) -> a"));
    assert_eq!(find(&all, "h").map(|(kind, _)| kind), Some(21));
    assert_eq!(find(&all, "i"), None);
    assert_eq!(find(&all, "twice"), typed(3, "(a) -> (a, a)"));
    assert_eq!(find(&all, "coin"), typed(23, "Drink => Event"));
    assert_eq!(find(&all, "Tea"), typed(20, "Drink"));
    assert_eq!(find(&all, "Names").map(|(kind, _)| kind), Some(9));
    assert_eq!(find(&all, "LATER"), typed(21, "Int"));
    assert_eq!(find(&all, "card"), typed(3, "Eq a => ({a}) -> Int"));
    // Built-ins that need an import, names in a module and the placeholder name are not offered.
    assert_eq!(find(&all, "chase"), None);
    assert_eq!(find(&all, "inner"), None);
    assert!(all.iter().all(|(label, ..)| !label.contains("placeholder")));
    // In the midst of a name, in a generator, behind an arrow.
    assert_eq!(
        find(&offered("P = tw¦ice(3)"), "twice"),
        typed(3, "(a) -> (a, a)")
    );
    assert_eq!(
        find(&offered("P = <y | x <- <1..3>, y <- <¦"), "x"),
        typed(6, "Int")
    );
    assert_eq!(
        find(&offered("P = coin?e -> drink!¦"), "e"),
        typed(6, "Drink")
    );
    assert_eq!(find(&offered("P = coin?e -> ¦"), "e"), typed(6, "Drink"));
    assert!(find(&offered("assert MACHINE [T= ¦"), "MACHINE").is_some());
    let option = "assert MACHINE [T= MACHINE :[for all]: ¦";
    assert_eq!(find(&offered(option), "LATER"), typed(21, "Int"));
    assert!(find(&offered("ass¦"), "assert").is_some());
}

#[test]
fn members_of_modules_are_offered() {
    let mut client = Client::new();
    let mut version = 0;
    let mut offered = |text: &str| {
        version += 1;
        completions(
            &mut client,
            version,
            &format!("{SCRIPT}\n{text}\nLATER = 4\n"),
        )
    };
    assert_eq!(
        offered("P = Two::¦"),
        [("COUNT".to_string(), 3, Some("(Int) -> Proc".to_string()))]
    );
    assert_eq!(
        offered("P = Names::ou¦ -> STOP"),
        [("outer".to_string(), 21, Some("Int".to_string()))]
    );
    // A module with parameters has no members but those of its instances; a constant has none at
    // all.
    assert_eq!(offered("P = MACHINE::¦"), []);
    let imports = offered("external ¦");
    assert!(imports.iter().any(|(label, ..)| label == "prioritise"));
    assert!(
        imports
            .iter()
            .all(|(label, ..)| label != "normal" && label != "MACHINE")
    );
    assert_eq!(offered("-- P = ¦"), []);
}

#[test]
fn a_single_colon_asks_for_nothing() {
    let mut client = opened();
    let text = format!("{SCRIPT}P = coin?x:");
    client.replace(URI, 2, &text);
    let mut parameters = place(URI, at(&text, "coin?x:", 7));
    parameters["context"] = json!({ "triggerKind": 2, "triggerCharacter": ":" });
    let list = client.ask("textDocument/completion", parameters.clone());
    assert_eq!(list["items"], json!([]));
    parameters["context"] = json!({ "triggerKind": 1 });
    let list = client.ask("textDocument/completion", parameters);
    assert_ne!(list["items"], json!([]));
}
