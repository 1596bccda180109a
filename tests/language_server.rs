//! Conversations of an editor with `cspsym lsp`, over the pipe.

#[path = "language_server/client.rs"]
mod client;

use std::fs;
use std::path::PathBuf;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use client::{Client, at, changed, note, place};

/// A document that is saved nowhere.
const URI: &str = "file:///nowhere/script.csp";

fn lines(diagnostic: &Value) -> (u64, u64, u64, u64) {
    let place = |end: &str, of: &str| diagnostic["range"][end][of].as_u64().expect("a number");
    (
        place("start", "line"),
        place("start", "character"),
        place("end", "line"),
        place("end", "character"),
    )
}

fn message(diagnostic: &Value) -> &str {
    diagnostic["message"].as_str().expect("a message")
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().map(|one| one["code"].as_str());
    codes.map(|code| code.expect("a code")).collect()
}

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("cspsym-language-server-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path.canonicalize().expect("it is there"))
    }

    /// Writes a file; its URI.
    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        fs::write(&path, text).expect("a file can be written");
        format!("file://{}", path.display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

// ---- Messages

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
    // And the whole text again.
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
    // Two units and four bytes, then one unit and two bytes.
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
    assert_eq!(client.diagnostics(&root, json!(1)), Vec::<Value>::new());
    let found = client.diagnostics(&part, Value::Null);
    assert_eq!(codes(&found), ["unknown-name"]);
    assert_eq!(lines(&found[0]), (1, 7, 1, 13));
    // Opened, and mended without saving: the script that includes it sees that.
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
    // Closed without saving, it is what is on disk.
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": part } }),
    );
    let found = client.diagnostics(&part, Value::Null);
    assert_eq!(codes(&found), ["unknown-name"]);
    // Mended on disk.
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
    // With the root closed nothing is left to say.
    client.replace(&root, 2, "P = nobody\n");
    assert_eq!(client.diagnostics(&root, json!(2)).len(), 1);
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": root } }),
    );
    assert_eq!(client.diagnostics(&root, Value::Null), Vec::<Value>::new());
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

// ---- Names

const SCRIPT: &str = r#"-- What can be sold.
datatype Drink = Tea | Coffee.Int

{- Coins come in here,
   drinks go out there. -}
channel coin, drink : Drink

-- The same twice.
-- In a pair.
twice(x) = (x, x)

module Counter(LIMIT)
  next(n) = (n + 1) % LIMIT
exports
  -- Counts modulo LIMIT.
  COUNT(n) = if n == 0 then COUNT(next(n)) else STOP
endmodule

module Names
  inner = 1
exports
  outer = inner
endmodule

instance Two = Counter(2)

MACHINE = coin?d -> serve(d)

serve(Tea) = drink.Tea -> MACHINE
serve(Coffee.n) = let
    cups = n
    more(k) = k + cups
  within if more(1) > 2 then drink!Coffee.n -> MACHINE else STOP

pairs = {(y, twice(y)) | y <- {1..3}}
(left, right) = twice(card({1}))

assert MACHINE :[deadlock free]
assert MACHINE [T= Two::COUNT(Names::outer)
"#;

fn opened() -> Client {
    let mut client = Client::new();
    client.open(URI, SCRIPT);
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    client
}

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
    assert_eq!(client.diagnostics(URI, json!(1)).len(), 1);
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

// ---- Completion

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
    // Neither what needs an import, nor what is in a module, nor the name that stands in.
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
    // A module with parameters has no members but those of its instances; a constant has none at all.
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

// ---- Assertions

const CHECKED: &str = "channel a, b
P = a -> b -> P
assert STOP [T= P
assert P [T= a -> STOP
assert not STOP [T= P
assert P [T= error(\"by hand\")
";

#[test]
fn a_lens_checks_its_assertion() {
    let mut client = Client::new();
    client.open(URI, CHECKED);
    client.diagnostics(URI, json!(1));
    let lenses = client.lenses(URI);
    assert_eq!(lenses.len(), 4);
    let (title, command) = &lenses[0];
    assert_eq!(title, "check");
    assert_eq!(command["command"], "cspsym.check");
    assert_eq!(command["arguments"], json!([URI, 0]));

    // It fails: the answer, the message, the diagnostic, the progress and the lens say so.
    let report = client.ask("workspace/executeCommand", command.clone());
    assert_eq!(report["verdict"], "fail");
    assert_eq!(report["assertion"], "STOP [T= P");
    assert_eq!(report["counterexample"]["event"], "a");
    let shown = client.wait_for_method("window/showMessage");
    assert_eq!(shown["type"], 2);
    let text = shown["message"].as_str().expect("a text");
    assert!(
        text.starts_with("assert STOP [T= P: fails\nAt the start"),
        "{text}"
    );
    client.wait_for_method("workspace/codeLens/refresh");
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["fails"]);
    assert_eq!(found[0]["severity"], 2);
    assert_eq!(lines(&found[0]), (2, 0, 2, 17));
    assert!(
        message(&found[0]).contains("<- not allowed here"),
        "{}",
        found[0]
    );
    let title = &client.lenses(URI)[0].0;
    assert!(
        title.starts_with("fails: At the start the implementation can do a"),
        "{title}"
    );

    // One that holds has no more to say; one that holds because something fails has.
    let check = |index: usize| json!({ "command": "cspsym.check", "arguments": [URI, index] });
    let report = client.ask("workspace/executeCommand", check(1));
    assert_eq!(report["verdict"], "pass");
    assert_eq!(client.wait_for_method("window/showMessage")["type"], 3);
    assert_eq!(client.lenses(URI)[1].0, "holds");
    assert_eq!(
        client.ask("workspace/executeCommand", check(2))["verdict"],
        "pass"
    );
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["fails", "holds"]);
    assert_eq!(found[1]["severity"], 3);
    // A mistake that shows only when it runs is shown where it is.
    assert_eq!(
        client.ask("workspace/executeCommand", check(3))["verdict"],
        "error"
    );
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(found.len(), 3);
    assert_eq!(found[2]["severity"], 1);
    assert_eq!(lines(&found[2]).0, 5);

    // A change makes all of that old.
    client.replace(URI, 2, &CHECKED.replace("b ->", "a ->"));
    assert_eq!(client.diagnostics(URI, json!(2)), Vec::<Value>::new());
    let titles: Vec<String> = client
        .lenses(URI)
        .into_iter()
        .map(|(title, _)| title)
        .collect();
    assert_eq!(titles, ["check"; 4]);
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn an_action_checks_the_assertion_at_the_cursor() {
    let mut client = Client::new();
    client.open(URI, CHECKED);
    let mut actions = |line: u64| {
        let place = json!({ "line": line, "character": 3 });
        let mut parameters = place_of_actions(&place);
        parameters["context"] = json!({ "diagnostics": [] });
        client.ask("textDocument/codeAction", parameters)
    };
    assert_eq!(actions(1), json!([]));
    let found = actions(3);
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["title"], "check this assertion");
    assert_eq!(found[0]["command"], "cspsym.check");
    assert_eq!(found[0]["arguments"], json!([URI, 1]));
}

fn place_of_actions(place: &Value) -> Value {
    json!({ "textDocument": { "uri": URI }, "range": { "start": place, "end": place } })
}

#[test]
fn unsaved_text_is_what_is_checked() {
    let folder = Folder::new("unsaved");
    let part = folder.write("part.csp", "channel a\nP = a -> P\n");
    let text = "include \"part.csp\"\nassert STOP [T= P\n";
    let root = folder.write("root.csp", text);
    let mut client = Client::new();
    client.open(&root, text);
    client.open(&part, "channel a\nP = STOP\n");
    // The part has no assertions, and belongs to the script all the same.
    assert_eq!(client.lenses(&part), []);
    let id = client.check(&root, 0);
    assert_eq!(client.answer(id)["result"]["verdict"], "pass");
    // From the part, the assertions are those of the script.
    client.replace(&part, 2, "channel a\nP = a -> P\n");
    let id = client.check(&part, 0);
    assert_eq!(client.answer(id)["result"]["verdict"], "fail");
    let found = client.diagnostics(&root, json!(1));
    assert!(found.is_empty() || codes(&found) == ["fails"], "{found:?}");
    assert!(client.lenses(&root)[0].0.starts_with("fails"));
    // Saving changes nothing that was not known.
    fs::write(folder.0.join("part.csp"), "channel a\nP = a -> P\n").expect("written");
    client.tell(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": part } }),
    );
    assert!(client.lenses(&root)[0].0.starts_with("fails"));
}

/// An assertion that takes longer than anybody can wait: twelve counters beside each other, of different sizes, which go back to the
/// middle from the end, so that no symmetry helps.
const ENDLESS: &str = "channel up : {0..11}.{0..30}
COUNTER(i, n) = up.i.n -> COUNTER(i, if n < i + 18 then n + 1 else n / 2)
assert RUN({|up|}) [T= ||| i : {0..11} @ COUNTER(i, 0)
assert STOP [T= STOP
";

fn endless() -> Client {
    let unlimited = json!({ "timeout": null, "maxStates": null });
    let mut client = Client::limited(unlimited);
    client.open(URI, ENDLESS);
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    client
}

const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

#[test]
fn a_check_can_be_cancelled_and_the_server_answers_all_the_while() {
    let mut client = endless();
    let id = client.check(URI, 0);
    let begun = client.wait_for(|message| message["params"]["value"]["kind"] == "begin");
    assert_eq!(begun["params"]["value"]["cancellable"], true);
    assert_eq!(
        client.hover(URI, at(ENDLESS, "COUNTER", 0)),
        "COUNTER :: (Int, Int) -> Proc"
    );
    let (title, command) = client.lenses(URI).remove(0);
    assert_eq!(
        (title.as_str(), &command["command"]),
        ("checking … (cancel)", &json!("cspsym.cancel"))
    );
    // The next one waits for it.
    let second = client.check(URI, 1);
    let twice = json!({ "command": "cspsym.check", "arguments": [URI, 1] });
    assert_eq!(client.refusal("workspace/executeCommand", twice), -32803);
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["error"]["code"], CANCELLED);
    let ended = client.wait_for(|message| message["params"]["value"]["kind"] == "end");
    assert_eq!(ended["params"]["token"], begun["params"]["token"]);
    assert_eq!(client.answer(second)["result"]["verdict"], "pass");
    assert_eq!(client.lenses(URI)[0].0, "check");

    // By the button where progress is shown, ...
    let id = client.check(URI, 0);
    let begun = client.wait_for(|message| {
        message["params"]["value"]["title"]
            .as_str()
            .is_some_and(|title| title.starts_with("assert RUN"))
    });
    let token = json!({ "token": begun["params"]["token"] });
    client.tell("window/workDoneProgress/cancel", token);
    assert_eq!(client.answer(id)["error"]["code"], CANCELLED);
    // ... by the lens, ...
    let id = client.check(URI, 0);
    let cancel = json!({ "command": "cspsym.cancel", "arguments": [URI, 0] });
    assert_eq!(client.ask("workspace/executeCommand", cancel), Value::Null);
    assert_eq!(client.answer(id)["error"]["code"], CANCELLED);
    // ... by a change of the script, ...
    let id = client.check(URI, 0);
    client.replace(URI, 2, &format!("{ENDLESS}-- changed"));
    assert_eq!(client.answer(id)["error"]["code"], CONTENT_MODIFIED);
    // ... and by the end.
    let id = client.check(URI, 0);
    let end = client.begin("shutdown", Value::Null);
    assert_eq!(client.answer(id)["error"]["code"], CANCELLED);
    assert_eq!(client.answer(end)["result"], Value::Null);
    assert_eq!(client.leave(true), Some(0));
}

#[test]
fn progress_comes_under_the_token_of_the_request() {
    let mut client = Client::new();
    client.open(URI, CHECKED);
    let mut command = json!({ "command": "cspsym.check", "arguments": [URI, 0] });
    command["workDoneToken"] = json!("mine");
    client.ask("workspace/executeCommand", command);
    for kind in ["begin", "end"] {
        let message = client.wait_for(|message| message["params"]["value"]["kind"] == kind);
        assert_eq!(message["params"]["token"], "mine");
    }
}

#[test]
fn a_check_ends_at_its_limits() {
    let mut client = Client::limited(json!({ "maxStates": 10 }));
    client.open(URI, ENDLESS);
    let id = client.check(URI, 0);
    let report = client.answer(id);
    assert_eq!(report["result"]["verdict"], "unknown");
    let reason = report["result"]["message"].as_str().expect("a reason");
    assert!(
        reason.starts_with("state-limit: ") && reason.contains("`maxStates`"),
        "{reason}"
    );
    client.wait_for(|message| message["params"]["diagnostics"][0]["code"] == "state-limit");
    let mut client = Client::limited(json!({ "timeout": 0, "maxStates": null }));
    client.open(URI, ENDLESS);
    let id = client.check(URI, 0);
    let report = client.answer(id);
    assert!(
        report["result"]["message"]
            .as_str()
            .expect("a reason")
            .starts_with("timeout: "),
        "{report}"
    );
}

#[test]
fn a_script_with_mistakes_is_not_checked() {
    let mut client = Client::new();
    client.open(URI, "P = nobody\nassert STOP [T= STOP\n");
    let id = client.check(URI, 0);
    assert_eq!(client.answer(id)["result"]["verdict"], "error");
    let wrong = |arguments: Value| json!({ "command": "cspsym.check", "arguments": arguments });
    for arguments in [
        json!([URI, 1]),
        json!([URI]),
        json!([URI, "0"]),
        json!(["file:///x", 0]),
    ] {
        assert_eq!(
            client.refusal("workspace/executeCommand", wrong(arguments)),
            -32602
        );
    }
    let other = json!({ "command": "other.command", "arguments": [URI, 0] });
    assert_eq!(client.refusal("workspace/executeCommand", other), -32602);
}

// ---- The protocol

#[test]
fn requests_out_of_place_are_refused() {
    let mut client = Client::silent();
    let hover = || place(URI, json!({ "line": 0, "character": 0 }));
    client.tell("textDocument/didOpen", json!({}));
    assert_eq!(client.refusal("textDocument/hover", hover()), -32002);
    let answer = client.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(answer["serverInfo"]["name"], "cspsym");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 2);
    assert_eq!(
        client.refusal("initialize", json!({ "capabilities": {} })),
        -32600
    );
    assert_eq!(client.refusal("textDocument/unheardOf", json!({})), -32601);
    assert_eq!(
        client.refusal("textDocument/hover", json!({ "position": 3 })),
        -32602
    );
    assert_eq!(client.refusal("textDocument/hover", hover()), -32602);
    client.tell("textDocument/unheardOf", json!({}));
    client.tell("$/setTrace", json!({ "value": "off" }));
    // A note that cannot be read is only logged, and changes of what is not open mean nothing.
    client.tell("textDocument/didOpen", json!({ "textDocument": 3 }));
    assert_eq!(client.wait_for_method("window/logMessage")["type"], 1);
    client.replace("file:///not-open.csp", 2, "P = STOP\n");
    client.tell("$/cancelRequest", json!({ "id": 4711 }));
    client.open(URI, "P = STOP\n");
    assert_eq!(
        client.hover(URI, json!({ "line": 0, "character": 0 })),
        "P :: Proc"
    );
    assert_eq!(
        client.hover(URI, json!({ "line": 99, "character": 99 })),
        ""
    );
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(client.refusal("textDocument/hover", hover()), -32600);
    assert_eq!(client.leave(true), Some(0));
}

#[test]
fn what_is_no_message_is_passed_over() {
    let mut client = Client::new();
    client.send_raw(b"Content-Length: 9\r\n\r\n{\"id\": 1,");
    assert_eq!(client.wait_for_method("window/logMessage")["type"], 1);
    client.open(URI, "P = STOP\n");
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
}

#[test]
fn the_exit_status_says_how_the_client_left() {
    assert_eq!(Client::new().shut_down(), Some(0));
    assert_eq!(Client::new().leave(true), Some(1));
    assert_eq!(Client::new().leave(false), Some(1));
    assert_eq!(Client::silent().leave(true), Some(1));
}
