//! Meanings of names: hover, definitions, the outline.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::{Client, at};
use super::{Folder, SCRIPT, URI, lines, opened};

#[test]
fn names_show_their_types_and_comments() {
    let mut client = opened();
    let mut hover = |mark: &str, behind: usize| client.hover(URI, at(SCRIPT, mark, behind));
    let twice = "twice :: (a) -> (a, a)\n\n---\n\nThe same twice.  \nIn a pair.";
    // The definition, a use, and the end of the name.
    assert_eq!(hover("twice(x)", 0), twice);
    assert_eq!(hover("twice(y)", 5), twice);
    assert_eq!(hover("(x, x)", 1), "x :: a");
    assert_eq!(hover("y <-", 0), "y :: Int");
    assert_eq!(hover("(y, ", 1), "y :: Int");
    assert_eq!(hover("d -> serve", 0), "d :: Drink");
    assert_eq!(hover("cups\n", 0), "cups :: Int");
    assert_eq!(hover("right)", 0), "right :: Int");
    assert_eq!(
        hover("drink!", 0),
        "drink :: Drink => Event\n\n---\n\nCoins come in here,  \ndrinks go out there."
    );
    assert_eq!(
        hover("Coffee.n)", 0),
        "Coffee :: Int => Drink\n\n---\n\nWhat can be sold."
    );
    assert_eq!(
        hover(": Drink", 2),
        "Drink :: {Drink}\n\n---\n\nWhat can be sold."
    );
    assert_eq!(hover("card", 0), "card :: Eq a => ({a}) -> Int");
    assert_eq!(hover("Counter(2)", 0), "module Counter(LIMIT)");
    assert_eq!(hover("Two::", 0), "instance Two = Counter(2)");
    assert_eq!(
        hover("Two::COUNT", 5),
        "COUNT :: (Int) -> Proc\n\n---\n\nCounts modulo LIMIT."
    );
    assert_eq!(hover("outer)", 0), "outer :: Int");
    assert_eq!(hover("within if", 1), "");
    assert_eq!(hover("else STOP", 6), "STOP :: Proc");
}

#[test]
fn members_of_an_instance_have_its_types() {
    let mut client = Client::new();
    let script = "\
module Stack(EMPTY, VALUES)
  datatype Command = Push.VALUES | Pop
exports
  channel do : Command
  bottom = EMPTY
  id(x) = x
endmodule
instance S = Stack(<>, {0..1})
instance B = Stack(false, Bool)
p = S::bottom ^ <1>
q = B::bottom and B::id(true)
P = B::do?x -> STOP
";
    client.open(URI, script);
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    let mut hover = |mark: &str, behind: usize| client.hover(URI, at(script, mark, behind));
    assert_eq!(hover("bottom = EMPTY", 0), "bottom :: a");
    assert_eq!(hover("S::bottom", 3), "bottom :: <Int>");
    assert_eq!(hover("B::bottom", 3), "bottom :: Bool");
    assert_eq!(hover("B::id", 3), "id :: (Bool) -> Bool");
    assert_eq!(hover("B::do", 3), "do :: B::Command => Event");
}

#[test]
fn names_lead_to_their_definitions() {
    let mut client = opened();
    let mut lines = |mark: &str, behind: usize| {
        let found = client.definition(URI, at(SCRIPT, mark, behind));
        found.map(|(uri, line, character)| {
            assert_eq!(uri, URI);
            let line = SCRIPT.lines().nth(line as usize).expect("a line");
            line[character as usize..].to_string()
        })
    };
    assert_eq!(
        lines("serve(d)", 0).as_deref(),
        Some("serve(Tea) = drink.Tea -> MACHINE")
    );
    assert_eq!(
        lines("serve(Coffee", 0).as_deref(),
        Some("serve(Tea) = drink.Tea -> MACHINE")
    );
    assert_eq!(lines("Tea ->", 0).as_deref(), Some("Tea | Coffee.Int"));
    assert_eq!(lines("Coffee.n)", 0).as_deref(), Some("Coffee.Int"));
    assert_eq!(lines("drink!", 0).as_deref(), Some("drink : Drink"));
    assert_eq!(
        lines(": Drink", 2).as_deref(),
        Some("Drink = Tea | Coffee.Int")
    );
    assert_eq!(lines("d)", 0).as_deref(), Some("d -> serve(d)"));
    assert_eq!(lines("k + cups", 0).as_deref(), Some("k) = k + cups"));
    assert_eq!(lines("+ cups", 2).as_deref(), Some("cups = n"));
    assert_eq!(lines("cups = n", 7).as_deref(), Some("n) = let"));
    assert_eq!(lines("more(1)", 0).as_deref(), Some("more(k) = k + cups"));
    assert_eq!(lines("LIMIT\nexports", 0).as_deref(), Some("LIMIT)"));
    assert_eq!(
        lines("next(n))", 0).as_deref(),
        Some("next(n) = (n + 1) % LIMIT")
    );
    assert_eq!(lines("Counter(2)", 0).as_deref(), Some("Counter(LIMIT)"));
    assert_eq!(lines("Two::", 0).as_deref(), Some("Two = Counter(2)"));
    let count = "COUNT(n) = if n == 0 then COUNT(next(n)) else STOP";
    assert_eq!(lines("Two::COUNT", 5).as_deref(), Some(count));
    assert_eq!(lines("Names::outer", 7).as_deref(), Some("outer = inner"));
    // Built-ins and words are defined nowhere.
    assert_eq!(lines("card", 0), None);
    assert_eq!(lines("within", 0), None);
}

#[test]
fn definitions_are_found_through_includes() {
    let folder = Folder::new("definitions");
    let part = folder.write("part.csp", "\nchannel c : Int\n");
    let text = "include \"part.csp\"\nP = c!1 -> P\n";
    let root = folder.write("root.csp", text);
    let mut client = Client::new();
    client.open(&root, text);
    let found = client.definition(&root, at(text, "c!1", 0));
    assert_eq!(found, Some((part.clone(), 1, 8)));
    let found = client.definition(&root, at(text, "part", 1));
    assert_eq!(found, Some((part, 0, 0)));
}

#[test]
fn broken_scripts_are_understood_as_far_as_possible() {
    let mut client = Client::new();
    let text = "f(x) = <x>\nQ = = STOP\nR = f(nobody)\nS = f(3)\n";
    client.open(URI, text);
    assert_eq!(client.diagnostics(URI, json!(1)).len(), 2);
    assert_eq!(client.hover(URI, at(text, "f(3)", 0)), "f :: (a) -> <a>");
    assert_eq!(
        client.definition(URI, at(text, "f(n", 0)),
        Some((URI.to_string(), 0, 0))
    );
    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(names(&symbols), ["f", "R", "S"]);
}

fn names(symbols: &Value) -> Vec<&str> {
    let symbols = symbols.as_array().expect("a list").iter();
    symbols
        .map(|symbol| symbol["name"].as_str().expect("a name"))
        .collect()
}

#[test]
fn the_outline_is_a_tree() {
    let mut client = opened();
    let document = json!({ "textDocument": { "uri": URI } });
    let symbols = client.ask("textDocument/documentSymbol", document.clone());
    assert_eq!(
        names(&symbols),
        [
            "Drink",
            "coin",
            "drink",
            "twice",
            "Counter",
            "Names",
            "Two",
            "MACHINE",
            "serve",
            "pairs",
            "left",
            "right",
            "assert MACHINE :[deadlock free]",
            "assert MACHINE [T= Two::COUNT(Names::outer)",
        ]
    );
    assert_eq!(names(&symbols[0]["children"]), ["Tea", "Coffee"]);
    assert_eq!(names(&symbols[4]["children"]), ["next", "COUNT"]);
    let kinds: Vec<u64> = [0, 1, 3, 4, 6, 7]
        .map(|at| symbols[at]["kind"].as_u64().expect("a kind"))
        .into();
    // Enumeration, event, function, module, object, constant.
    assert_eq!(kinds, [10, 24, 12, 2, 19, 14]);
    assert_eq!(symbols[0]["children"][0]["kind"], 22);
    assert_eq!(symbols[3]["detail"], "(a) -> (a, a)");
    // Both clauses, and the name of the first.
    let first = SCRIPT
        .lines()
        .position(|line| line.starts_with("serve(Tea)"));
    let first = first.expect("a line") as u64;
    assert_eq!(lines(&symbols[8]).0, first);
    assert_eq!(lines(&symbols[8]).2, first + 4);
    assert_eq!(
        symbols[8]["selectionRange"]["start"],
        json!({ "line": first, "character": 0 })
    );
    // A client that shows no trees gets a list.
    let mut client = Client::with(json!({ "capabilities": {} }));
    client.open(URI, SCRIPT);
    let list = client.ask("textDocument/documentSymbol", document);
    assert_eq!(names(&list)[..3], ["Drink", "Tea", "Coffee"]);
    assert_eq!(list[1]["containerName"], "Drink");
    assert_eq!(list[1]["location"]["uri"], URI);
}
