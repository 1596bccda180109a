//! Checking assertions: verdicts, progress, limits, cancelling.

use std::fs;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::{Client, at};
use super::{Folder, URI, codes, lines, message};

const CHECKED: &str = "channel a, b
P = a -> b -> P
assert STOP [T= P
assert P [T= a -> STOP
assert not STOP [T= P
assert P [T= error(\"by hand\")
";

#[test]
fn a_lens_checks_its_assertion() {
    let mut client = checked();
    let lenses = client.lenses(URI);
    assert_eq!(lenses.len(), 4);
    let (title, command) = &lenses[0];
    assert_eq!(title, "check");
    assert_eq!(command["command"], "cspsym.check");
    assert_eq!(command["arguments"], json!([URI, 0]));

    // The assertion fails: answer, message, diagnostic, progress and lens say so.
    let report = client.ask("workspace/executeCommand", command.clone());
    assert_eq!(
        (&report["schema"], &report["verdict"]),
        (&json!(1), &json!("fail"))
    );
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
    assert_eq!(client.shut_down(), Some(0));
}

/// A client that has opened the script of this file.
fn checked() -> Client {
    let mut client = Client::new();
    client.open(URI, CHECKED);
    client.diagnostics(URI, json!(1));
    client
}

#[test]
fn each_assertion_says_what_it_has_to_until_the_script_changes() {
    let mut client = checked();
    let check = |index: usize| json!({ "command": "cspsym.check", "arguments": [URI, index] });
    client.ask("workspace/executeCommand", check(0));
    client.wait_for_method("window/showMessage");
    assert_eq!(codes(&client.diagnostics(URI, json!(1))), ["fails"]);
    // An assertion that holds has no message, but a negated one has the counterexample.
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
    // A mistake that shows only in a run is shown at its place.
    assert_eq!(
        client.ask("workspace/executeCommand", check(3))["verdict"],
        "error"
    );
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(found.len(), 3);
    assert_eq!(found[2]["severity"], 1);
    assert_eq!(lines(&found[2]).0, 5);

    // A change of the script removes all verdicts.
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
    assert_eq!(actions(0), json!([]));
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

/// An assertion that takes longer than anybody can wait: twelve counters side by side, of different
/// sizes, which go back to the middle from the end, so that no symmetry helps.
const ENDLESS: &str = "channel up : {0..11}.{0..30}
COUNTER(i, n) = up.i.n -> COUNTER(i, if n < i + 18 then n + 1 else n / 2)
assert RUN({|up|}) [T= ||| i : {0..11} @ COUNTER(i, 0)
assert STOP [F= STOP
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
    // The next check waits for the first.
    let second = client.check(URI, 1);
    let twice = json!({ "command": "cspsym.check", "arguments": [URI, 1] });
    assert_eq!(client.refusal("workspace/executeCommand", twice), -32803);
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["error"]["code"], CANCELLED);
    let ended = client.wait_for(|message| message["params"]["value"]["kind"] == "end");
    assert_eq!(ended["params"]["token"], begun["params"]["token"]);
    assert_eq!(client.answer(second)["result"]["verdict"], "pass");
    assert_eq!(client.lenses(URI)[0].0, "check");

    // A check is cancelled by the button where progress is shown, ...
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
    client.open(URI, "P = nobody\nassert STOP [F= STOP\n");
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

#[test]
fn a_broken_assertion_is_shown_as_one_and_the_others_are_checked() {
    let mut client = Client::new();
    let text = "assert STOP STOP\nassert STOP [T= nobody\nassert STOP [F= STOP\n";
    client.open(URI, text);
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["syntax", "unknown-name"]);
    assert!(found.iter().all(|found| found["severity"] == 1));
    assert_eq!(client.lenses(URI).len(), 3);
    for (index, verdict) in ["error", "error", "pass"].into_iter().enumerate() {
        let id = client.check(URI, index);
        let report = &client.answer(id)["result"];
        assert_eq!(report["verdict"], verdict, "{report}");
    }
}

/// An assertion that holds because its components wait for each other, and one about `STOP`.
const WEAK: &str = "channel a, b
P = a -> b -> P
R = b -> STOP
Q = P [| {a, b} |] R
assert P [T= Q
assert P [T= STOP
";

#[test]
fn what_makes_an_assertion_weak_is_shown_where_it_stands() {
    let mut client = Client::new();
    client.open(URI, WEAK);
    // The text shows this without a check.
    let found = client.diagnostics(URI, json!(1));
    assert_eq!(codes(&found), ["does-nothing"]);
    assert_eq!(
        (lines(&found[0]), &found[0]["severity"]),
        ((5, 13, 5, 17), &json!(2))
    );
    let id = client.check(URI, 0);
    let report = client.answer(id);
    assert_eq!(report["result"]["verdict"], "pass");
    assert_eq!(report["result"]["warnings"][0]["code"], "does-nothing");
    let found = client.diagnostics(URI, json!(1));
    let expected = ["does-nothing", "does-nothing", "never-joins"];
    assert_eq!(codes(&found), expected);
    // The message stands at the set with the events that never happen.
    assert_eq!(lines(&found[2]), (3, 9, 3, 15));
    // The check of the other assertion tells nothing that is not shown.
    let id = client.check(URI, 1);
    assert_eq!(client.answer(id)["result"]["verdict"], "pass");
    client.wait_for_method("window/showMessage");
    assert_eq!(client.shut_down(), Some(0));
}
