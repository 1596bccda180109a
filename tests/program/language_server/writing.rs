//! Help with writing: fixes, signatures, colours, formatting.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::{Client, at, place};
use super::{SCRIPT, URI, opened};

/// The titles and changes of all fixes of a script, which is opened.
fn fixes(client: &mut Client, text: &str, version: i64) -> Vec<(String, Value)> {
    client.replace(URI, version, text);
    client.diagnostics(URI, json!(version));
    let end = json!({ "line": 999, "character": 0 });
    let parameters = json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 0, "character": 0 }, "end": end },
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.ask("textDocument/codeAction", parameters);
    let actions = actions.as_array().expect("a list").iter();
    let fixes = actions.filter(|action| action["kind"] == "quickfix");
    let each = fixes.map(|fix| {
        assert_eq!(fix["diagnostics"].as_array().map(Vec::len), Some(1));
        let title = fix["title"].as_str().expect("a title").to_string();
        (title, fix["edit"]["changes"][URI].clone())
    });
    each.collect()
}

/// `text` after `edits`, which are applied from the last to the first.
fn edited(text: &str, edits: &Value) -> String {
    let byte = |place: &Value| {
        let line = place["line"].as_u64().expect("a number") as usize;
        let column = place["character"].as_u64().expect("a number") as usize;
        let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = text[before..].char_indices();
        let mut units = 0;
        for (at, sign) in rest {
            if units == column {
                return before + at;
            }
            units += sign.len_utf16();
        }
        text.len()
    };
    let edits = edits.as_array().expect("a list").iter();
    let mut edits: Vec<_> = edits
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("a text");
            (byte(&range["start"]), byte(&range["end"]), new)
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// Scripts with one mistake each, the title of its fix, and the corrected text.
const MEANT: [(&str, &str, &str); 16] = [
    (
        "left = 1\nP = lefft\n",
        "write `left` instead of `lefft`",
        "left = 1\nP = left\n",
    ),
    (
        "-- A script.\nP = sbisin(STOP)\n",
        "write `sbisim` instead of `sbisin` and add `transparent sbisim`",
        "transparent sbisim\n-- A script.\nP = sbisim(STOP)\n",
    ),
    (
        "external chase\nP = normal(STOP)\n",
        "add `transparent normal`",
        "transparent normal\nexternal chase\nP = normal(STOP)\n",
    ),
    (
        "external chasse\n",
        "write `chase` instead of `chasse`",
        "external chase\n",
    ),
    (
        "module M\nexports\n  first = 1\nendmodule\nP = M::frist\n",
        "write `first` instead of `frist`",
        "module M\nexports\n  first = 1\nendmodule\nP = M::first\n",
    ),
    (
        "module M\nexports\n  first = 1\nendmodule\nP = first\n",
        "write `M::first` instead of `first`",
        "module M\nexports\n  first = 1\nendmodule\nP = M::first\n",
    ),
    (
        "module M(N)\nexports\n  first = N\nendmodule\ninstance I = M(1)\nP = M::first\n",
        "write `I` instead of `M`",
        "module M(N)\nexports\n  first = N\nendmodule\ninstance I = M(1)\nP = I::first\n",
    ),
    (
        "assert STOP :[deadlok free [F]]\n",
        "write `:[deadlock free [F]]` instead of `:[deadlok free [F]]`",
        "assert STOP :[deadlock free [F]]\n",
    ),
    (
        "assert STOP :[symetric [F]]\n",
        "write `:[symmetric [F]]` instead of `:[symetric [F]]`",
        "assert STOP :[symmetric [F]]\n",
    ),
    (
        "assert STOP [T= STOP :[symetry reduce [F]]\n",
        "write `:[symmetry reduce]` instead of `:[symetry reduce [F]]`",
        "assert STOP [T= STOP :[symmetry reduce]\n",
    ),
    (
        "chanel a\n",
        "write `channel` instead of `chanel`",
        "channel a\n",
    ),
    ("x = 7 mod 2\n", "write `%` instead of `mod`", "x = 7 % 2\n"),
    (
        "channel a\nP = a → STOP\n",
        "write `->` instead of `→`",
        "channel a\nP = a -> STOP\n",
    ),
    // All uses of a name have one message.
    (
        "P = STOPP\nQ = STOPP [] STOPP\n",
        "write `STOP` instead of `STOPP` in 3 places",
        "P = STOP\nQ = STOP [] STOP\n",
    ),
    (
        "P = sbisin(STOP)\nQ = sbisin(P)\n",
        "write `sbisim` instead of `sbisin` in 2 places and add `transparent sbisim`",
        "transparent sbisim\nP = sbisim(STOP)\nQ = sbisim(P)\n",
    ),
    // The name that was meant in one place means nothing in the other.
    (
        "f(amount) = amuont + amuont\ng(x) = amuont\n",
        "write `amount` instead of `amuont` in 2 places",
        "f(amount) = amount + amount\ng(x) = amuont\n",
    ),
];

#[test]
fn what_was_meant_is_one_key_away() {
    let mut client = Client::new();
    client.open(URI, "");
    for (version, (text, title, expected)) in (2..).zip(MEANT) {
        let found = fixes(&mut client, text, version);
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, [title], "{text}");
        assert_eq!(edited(text, &found[0].1), expected);
    }
    // There is no fix elsewhere in the script, and none if only other actions are wanted.
    client.replace(URI, 90, "left = 1\nP = lefft\n");
    client.diagnostics(URI, json!(90));
    for (line, only) in [(0, json!(["quickfix"])), (1, json!(["source"]))] {
        let here = json!({ "line": line, "character": 5 });
        let parameters = json!({
            "textDocument": { "uri": URI },
            "range": { "start": here, "end": here },
            "context": { "diagnostics": [], "only": only },
        });
        assert_eq!(client.ask("textDocument/codeAction", parameters), json!([]));
    }
}

/// The label of a signature, and its active parameter.
fn signature(client: &mut Client, text: &str, version: i64) -> Option<(String, String)> {
    client.replace(URI, version, &text.replace('¦', ""));
    let position = at(text, "¦", 0);
    let help = client.about("textDocument/signatureHelp", URI, position);
    let signature = help["signatures"].get(0)?;
    let label = signature["label"].as_str()?.to_string();
    let active = help["activeParameter"].as_u64();
    let active = active.map_or(String::new(), |active| {
        let range = &signature["parameters"][active as usize]["label"];
        let end = |at: usize| range[at].as_u64().expect("a number") as usize;
        label[end(0)..end(1)].to_string()
    });
    Some((label, active))
}

/// Texts with a place, and the signature and parameter shown there.
const WRITTEN: [(&str, Option<(&str, &str)>); 17] = [
    (
        "f(0, y) = y\nf(x, y) = x + y\nz = f(1, ¦\n",
        Some(("f(x, y) :: (Int, Int) -> Int", "y")),
    ),
    (
        "f(0, y) = y\nf(x, y) = x + y\nz = f(¦1, 2)\n",
        Some(("f(x, y) :: (Int, Int) -> Int", "x")),
    ),
    (
        "f(x)(y, z) = x + y + z\nz = f(1)(2, ¦",
        Some(("f(x)(y, z) :: (Int) -> (Int, Int) -> Int", "z")),
    ),
    (
        "z = union({1}, ¦",
        Some(("union :: Set a => ({a}, {a}) -> {a}", "{a}")),
    ),
    (
        "f(x) = x\nz = f(card({¦",
        Some(("card :: Eq a => ({a}) -> Int", "{a}")),
    ),
    ("f(x) = x\nz = f(1, ¦", Some(("f(x) :: (a) -> a", ""))),
    (
        "module M(LOW, HIGH)\nexports\n  x = LOW + HIGH\nendmodule\ninstance I = M(1, ¦",
        Some(("M(LOW, HIGH)", "HIGH")),
    ),
    (
        "f(g, x) = g(x, x)\nz = f(\\ a, b @ a, ¦",
        Some(("f(g, x) :: ((a, a) -> b, a) -> b", "x")),
    ),
    (
        "f(g, x) = g(x, x)\nz = f(\\ a, ¦",
        Some(("f(g, x) :: ((a, a) -> b, a) -> b", "g")),
    ),
    (
        "module M\nexports\n  Z(q, r) = q + r\nendmodule\nZ(other) = other\nx = M::Z(1, ¦\ny = 2\n",
        Some(("Z(q, r) :: (Int, Int) -> Int", "r")),
    ),
    (
        "module M(N)\nexports\n  Z(q) = q + N\nendmodule\ninstance I = M(1)\nx = I::Z({¦",
        Some(("Z(q) :: (Int) -> Int", "q")),
    ),
    (
        "P = let\n    h(z, w) = z + w\n  within h(1, ¦",
        Some(("h(z, w) :: (Int, Int) -> Int", "w")),
    ),
    // The local function hides the one of the top level.
    (
        "h(x) = x\nP = let\n    h(z, w) = z + w\n  within h({1, ¦7",
        Some(("h(z, w) :: (Int, Int) -> Int", "z")),
    ),
    ("Z(q) = q\nx = M::Z(¦", None),
    ("f(x) = x\nz = f(1)¦\n", None),
    ("z = (1, ¦", None),
    ("f(x) = x\n-- f(¦", None),
];

#[test]
fn the_parameter_that_is_written_is_shown() {
    let mut client = Client::new();
    client.open(URI, "");
    for (version, (text, expected)) in (2..).zip(WRITTEN) {
        let found = signature(&mut client, text, version);
        let found = found.as_ref();
        let found = found.map(|(label, active)| (label.as_str(), active.as_str()));
        assert_eq!(found, expected, "{text}");
    }
}

/// Each word with its colour and, behind a plus, its modifiers.
fn colours(text: &str, tokens: &Value) -> Vec<(String, String)> {
    const CLASSES: [&str; 14] = [
        "class",
        "event",
        "enum",
        "enumMember",
        "function",
        "variable",
        "parameter",
        "namespace",
        "keyword",
        "number",
        "string",
        "comment",
        "operator",
        "macro",
    ];
    let numbers: Vec<usize> = tokens["data"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_u64().expect("a number") as usize)
        .collect();
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    for token in numbers.chunks(5) {
        line += token[0];
        column = token[1] + if token[0] == 0 { column } else { 0 };
        let units: Vec<u16> = lines[line].encode_utf16().collect();
        let word = String::from_utf16(&units[column..column + token[2]]).expect("a text");
        let modifiers = ["+declaration", "+readonly", "+defaultLibrary"];
        let modifiers = modifiers.iter().enumerate();
        let modifiers = modifiers.filter(|(bit, _)| token[4] & (1 << bit) != 0);
        let modifiers: String = modifiers.map(|(_, name)| *name).collect();
        found.push((word, CLASSES[token[3]].to_string() + &modifiers));
    }
    found
}

/// The words of the script below, without operators.
const COLOURS: [&str; 32] = [
    "{- é comment",
    " 𝒫 -} comment",
    "datatype keyword",
    "T enum+declaration",
    "A enumMember+declaration",
    "Int variable+defaultLibrary",
    "channel keyword",
    "c event+declaration",
    "T enum",
    "P class+declaration",
    "n parameter+declaration",
    "c event",
    "A enumMember",
    "k parameter+declaration",
    "if keyword",
    "k parameter",
    "n parameter",
    "1 number",
    "then keyword",
    "SKIP class+defaultLibrary",
    "else keyword",
    "P class",
    "k parameter",
    "-- é comment",
    "N variable+declaration+readonly",
    "card function+defaultLibrary",
    "\"x\" string",
    "unknown variable+declaration+readonly",
    "assert keyword",
    "P class",
    "N variable+readonly",
    ":[deadlock free] macro",
];

#[test]
fn words_have_the_colour_of_what_they_mean() {
    let text = "{- é\n 𝒫 -}\ndatatype T = A.Int\nchannel c : T\nP(n) = c?A.k -> if k == n + 1 then SKIP else P(k) -- é\nN = card({\"x\"})\nunknown = nobody\nassert P(N) :[deadlock free]\n";
    let mut client = Client::new();
    client.open(URI, text);
    let document = json!({ "textDocument": { "uri": URI } });
    let tokens = client.ask("textDocument/semanticTokens/full", document);
    let found = colours(text, &tokens);
    let found: Vec<String> = found
        .iter()
        .filter(|(_, class)| class != "operator")
        .map(|(word, class)| format!("{word} {class}"))
        .collect();
    assert_eq!(found, COLOURS);
    let range = json!({
        "start": { "line": 3, "character": 0 },
        "end": { "line": 4, "character": 0 },
    });
    let part = json!({ "textDocument": { "uri": URI }, "range": range });
    let tokens = client.ask("textDocument/semanticTokens/range", part);
    let words: Vec<String> = colours(text, &tokens)
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    assert_eq!(words, ["channel", "c", ":", "T"]);
}

#[test]
fn a_word_of_several_lines_is_cut_where_the_editor_has_lines() {
    // A line ends at a carriage return as well.
    let text = "P = STOP {- a \r  b\r\nc\n-}\nQ = P\n";
    let mut client = Client::new();
    client.open(URI, text);
    let document = json!({ "textDocument": { "uri": URI } });
    let tokens = client.ask("textDocument/semanticTokens/full", document);
    let numbers = tokens["data"].as_array().expect("a list");
    let places: Vec<Vec<u64>> = numbers
        .chunks(5)
        .map(|token| {
            let number = |one: &Value| one.as_u64().expect("a number");
            token[..3].iter().map(number).collect()
        })
        .collect();
    assert_eq!(
        places,
        [
            [0, 0, 1],
            [0, 2, 1],
            [0, 2, 4],
            // `{- a`, `  b`, `c`, `-}`
            [0, 5, 4],
            [1, 0, 3],
            [1, 0, 1],
            [1, 0, 2],
            [1, 0, 1],
            [0, 2, 1],
            [0, 2, 1],
        ]
    );
}

/// Each step takes time in proportion to the text. If it looked at a whole line for each of its
/// words, or at a whole file for each of its names, this would take minutes.
#[test]
fn long_lines_and_many_lines_are_no_trouble() {
    let mut client = Client::new();
    client.open(URI, "");
    let document = json!({ "textDocument": { "uri": URI } });
    let mut layout = document.clone();
    layout["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    let set: Vec<String> = (0..30_000).map(|number| number.to_string()).collect();
    let names: Vec<String> = (0..30_000).map(|number| format!("N{number}")).collect();
    let each =
        |text: &dyn Fn(&str) -> String| -> String { names.iter().map(|name| text(name)).collect() };
    for (version, (text, words, symbols)) in (2..).zip([
        (format!("S = {{{}}}\n", set.join(",")), 60_001, 1),
        (
            format!("datatype T = {}\n", names.join("|")),
            60_002,
            30_001,
        ),
        (each(&|name| format!("{name}=1\n")), 90_000, 30_000),
        (each(&|_| "--c\n".to_string()) + "P=1\n", 30_003, 1),
    ]) {
        client.replace(URI, version, &text);
        let tokens = client.ask("textDocument/semanticTokens/full", document.clone());
        assert_eq!(tokens["data"].as_array().map(Vec::len), Some(5 * words));
        let found = client.ask("textDocument/documentSymbol", document.clone());
        let found = found.as_array().expect("a list").iter();
        let all = found.map(|one| 1 + one["children"].as_array().map_or(0, Vec::len));
        assert_eq!(all.sum::<usize>(), symbols);
        let edits = client.ask("textDocument/formatting", layout.clone());
        // The changes of one line are one.
        let lines = edits.as_array().expect("a list").iter();
        let lines = lines.map(|edit| edit["range"]["start"]["line"].as_u64());
        let lines: Vec<_> = lines.collect();
        assert!(lines.is_sorted_by(|one, other| one < other));
    }
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn formatting_changes_white_space_and_nothing_else() {
    let mut client = Client::new();
    let text = "-- The head.\nchannel   a,b  -- two\n\n\n P=a->b->P -- é𝒫\nQ = P\n";
    client.open(URI, text);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let document = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.ask("textDocument/formatting", document.clone());
    let expected = "-- The head.\nchannel a, b   -- two\n\n\nP = a -> b -> P -- é𝒫\nQ = P\n";
    assert_eq!(edited(text, &edits), expected);
    // A single line is formatted alone.
    let mut part = document.clone();
    let line = |line: u64| json!({ "line": line, "character": 0 });
    part["range"] = json!({ "start": line(4), "end": line(4) });
    let edits = client.ask("textDocument/rangeFormatting", part);
    assert_eq!(
        edited(text, &edits),
        text.replace(" P=a->b->P", "P = a -> b -> P")
    );
    // Nothing is left to do; and text that cannot be read is left alone.
    client.replace(URI, 2, expected);
    assert_eq!(
        client.ask("textDocument/formatting", document.clone()),
        json!([])
    );
    client.replace(URI, 3, "P = STOP\nQ = = P\n");
    let id = client.begin("textDocument/formatting", document);
    let error = &client.answer(id)["error"];
    assert_eq!(error["code"], -32803);
    let message = error["message"].as_str().expect("a text");
    let begin = "nothing is formatted, because line 2 cannot be read: expected ";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn a_whole_script_is_laid_out_already() {
    let mut client = opened();
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let document = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.ask("textDocument/formatting", document);
    assert_eq!(edited(SCRIPT, &edits), SCRIPT);
    let hint = client.about("textDocument/signatureHelp", URI, at(SCRIPT, "serve(d)", 6));
    assert_eq!(
        hint["signatures"][0]["label"],
        "serve(Tea) :: (Drink) -> Proc"
    );
    let nowhere = place("file:///not-open.csp", json!({ "line": 0, "character": 0 }));
    assert_eq!(
        client.refusal("textDocument/signatureHelp", nowhere),
        -32602
    );
}
