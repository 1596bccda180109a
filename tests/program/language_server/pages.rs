//! Lenses that open the page of a script at a process.

use std::io::{Read, Write};
use std::net::TcpStream;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::client::Client;
use super::{Folder, URI};

const SCRIPT: &str = "channel a, b
P = a -> Q(1)
Q(n) = b -> P
N = 3
assert P :[deadlock free]
";

/// The request for the lens `command` on `process`.
fn asked(command: &str, uri: &str, process: &str) -> Value {
    json!({ "command": command, "arguments": [uri, process] })
}

/// The status line with which the page at `address` is served, and the whole answer.
fn served(address: &str) -> (String, String) {
    let (host, path) = address
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
        .expect("an address");
    let path = path.split('#').next().unwrap_or_default();
    let mut stream = TcpStream::connect(host).expect("somebody listens");
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    let status = answer.lines().next().unwrap_or_default().to_string();
    (status, answer)
}

#[test]
fn processes_without_parameters_have_lenses_that_open_the_page() {
    let folder = Folder::new("pages");
    let uri = folder.write("lift.csp", SCRIPT);
    let mut client = Client::new();
    client.open(&uri, SCRIPT);
    let all = client.all_lenses(&uri);
    let titles: Vec<&str> = all.iter().map(|(title, _)| &**title).collect();
    assert_eq!(titles, ["check", "step this process", "show its graph"]);
    let commands = all.iter().skip(1).map(
        |(_, command)| json!({ "command": command["command"], "arguments": command["arguments"] }),
    );
    let commands: Vec<Value> = commands.collect();
    assert_eq!(
        commands,
        [
            asked("cspsym.step", &uri, "P"),
            asked("cspsym.graph", &uri, "P")
        ]
    );

    // The editor of this test shows no pages: a message has the address, which is served.
    let step = client.ask("workspace/executeCommand", commands[0].clone());
    let step = step.as_str().expect("an address").to_string();
    assert!(step.ends_with("/#tab=walk&process=P"), "{step}");
    let shown = client.wait_for_method("window/showMessage");
    assert_eq!(shown["message"], format!("open {step}"));
    let (status, page) = served(&step);
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert!(page.contains("<title>cspsym</title>"), "{page}");

    // There is one server for each script, whatever is asked for.
    let graph = client.ask(
        "workspace/executeCommand",
        asked("cspsym.graph", &uri, "Q(2) \\ {b}"),
    );
    let graph = graph.as_str().expect("an address");
    let (server, _) = step.split_once('#').expect("a place in the page");
    assert_eq!(
        graph,
        format!("{server}#tab=graph&process=Q%282%29%20%5C%20%7Bb%7D")
    );
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn an_editor_that_shows_pages_is_asked_to() {
    let folder = Folder::new("shown");
    let uri = folder.write("lift.csp", SCRIPT);
    let window = json!({ "showDocument": { "support": true } });
    let mut client = Client::with(json!({ "capabilities": { "window": window } }));
    client.open(&uri, SCRIPT);
    let step = client.ask("workspace/executeCommand", asked("cspsym.step", &uri, "P"));
    let shown = client.wait_for_method("window/showDocument");
    assert_eq!((&shown["uri"], &shown["external"]), (&step, &json!(true)));
    // The client of these tests never confirms that it showed something, so there is a message,
    // too.
    let told = client.wait_for_method("window/showMessage");
    let step = step.as_str().expect("an address");
    assert_eq!(told["message"], format!("open {step}"));
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn a_script_that_is_saved_nowhere_has_no_page() {
    let mut client = Client::new();
    client.open(URI, SCRIPT);
    let id = client.begin("workspace/executeCommand", asked("cspsym.step", URI, "P"));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32803);
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("save the script first"), "{message}");
    let wrong = json!({ "command": "cspsym.step", "arguments": [URI, 1] });
    assert_eq!(client.refusal("workspace/executeCommand", wrong), -32602);
}

#[test]
fn a_process_has_actions_where_no_lenses_are_shown() {
    let folder = Folder::new("actions");
    let uri = folder.write("lift.csp", SCRIPT);
    let mut client = Client::new();
    client.open(&uri, SCRIPT);
    let place = json!({ "line": 1, "character": 0 });
    let found = client.ask(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": uri },
            "range": { "start": place, "end": place },
            "context": { "diagnostics": [] },
        }),
    );
    let titles: Vec<&str> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|action| action["title"].as_str().expect("a title"))
        .collect();
    assert_eq!(
        titles,
        [
            "step this process in the browser",
            "show the graph of this process in the browser"
        ]
    );
}
