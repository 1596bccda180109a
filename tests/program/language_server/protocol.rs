//! The protocol itself: refused messages, and ends of conversations.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::URI;
use super::client::{Client, place};

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
    // A notification that cannot be read is only logged, and changes of a document that is not open
    // mean nothing.
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
fn a_request_without_a_proper_id_is_refused_with_the_id_null() {
    let mut client = Client::new();
    let ids = [
        json!(null),
        json!(1.5),
        json!(true),
        json!(99_999_999_999_u64),
    ];
    for id in ids {
        let hover = place(URI, json!({ "line": 0, "character": 0 }));
        let method = "textDocument/hover";
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": hover }));
        let answer = client.wait_for(|message| message.get("error").is_some());
        let error = json!({
            "code": -32600,
            "message": "the id of a request is a string, or a whole number of 32 bits",
        });
        assert_eq!(
            answer,
            json!({ "jsonrpc": "2.0", "id": null, "error": error })
        );
    }
    // The conversation goes on.
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn the_exit_status_says_how_the_client_left() {
    assert_eq!(Client::new().shut_down(), Some(0));
    assert_eq!(Client::new().leave(true), Some(1));
    assert_eq!(Client::new().leave(false), Some(1));
    assert_eq!(Client::silent().leave(true), Some(1));
}

#[test]
fn a_header_that_cannot_be_right_ends_the_conversation() {
    for (header, reason) in [
        (
            "Content-Length: 999999999999\r\n\r\n",
            "Content-Length is \"999999999999\", and a message has 536870912 bytes at most, so this is the end",
        ),
        (
            "Content-Length: -5\r\n\r\n",
            "Content-Length is \"-5\", which is no length, so this is the end",
        ),
        (
            "Content-Length: all of it\r\n\r\n",
            "Content-Length is \"all of it\", which is no length, so this is the end",
        ),
        (
            "Content-Length: 3\r\nContent-Length: 33\r\n\r\n",
            "a header has more than one Content-Length, so this is the end",
        ),
        ("\r\n", "a header has no Content-Length, so this is the end"),
        ("{\r\n", "a header has the line \"{\", so this is the end"),
    ] {
        let mut client = Client::new();
        client.open(URI, "P = STOP\n");
        assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
        client.send_raw(header.as_bytes());
        let log = client.wait_for_method("window/logMessage");
        assert_eq!(log, json!({ "type": 1, "message": reason }));
        assert_eq!(client.leave(false), Some(2));
    }
    // A text that is shorter than its header says ends with the client.
    let mut client = Client::new();
    client.send_raw(b"Content-Length: 400000000\r\n\r\n{");
    assert_eq!(client.leave(false), Some(1));
}
