//! An editor that talks to the server, message by message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The time that a test waits for a message before it fails: far longer than any takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// The abilities of the editor, unless a test gives others.
fn everything() -> Value {
    json!({
        "textDocument": {
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "publishDiagnostics": { "relatedInformation": true, "versionSupport": true },
        },
        "workspace": { "codeLens": { "refreshSupport": true } },
        "window": { "workDoneProgress": true },
    })
}

pub(crate) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// The messages that came while another was awaited.
    earlier: Vec<Value>,
    last_id: i64,
}

impl Client {
    /// A client of a server that has heard nothing yet.
    pub(crate) fn silent() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_cspsym"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = server.stdout.take().expect("it has an output");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input: server.stdin.take(),
            server,
            messages,
            earlier: Vec::new(),
            last_id: 0,
        }
    }

    /// A client that has told its abilities.
    pub(crate) fn new() -> Self {
        Self::with(json!({ "capabilities": everything() }))
    }

    /// A client that has greeted the server with these parameters.
    pub(crate) fn with(parameters: Value) -> Self {
        let mut client = Self::silent();
        client.ask("initialize", parameters);
        client.tell("initialized", json!({}));
        client
    }

    /// A client of a server whose checks are limited by these options.
    pub(crate) fn limited(options: Value) -> Self {
        Self::with(json!({ "capabilities": everything(), "initializationOptions": options }))
    }

    // ---- Talking

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn framed(message: &Value) -> Vec<u8> {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(&Self::framed(message));
    }

    /// Several messages at once.
    pub(crate) fn send_all(&mut self, messages: &[Value]) {
        self.send_raw(&messages.iter().flat_map(Self::framed).collect::<Vec<_>>());
    }

    pub(crate) fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&note(method, parameters));
    }

    /// Sends a request. Returns its number.
    pub(crate) fn begin(&mut self, method: &str, parameters: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        id
    }

    /// The answer to a request, with its `result` or `error`.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait_for(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Sends a request and waits for its result. Fails if there is none.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.begin(method, parameters);
        let mut answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The code of the error in the answer to a request.
    pub(crate) fn refusal(&mut self, method: &str, parameters: Value) -> i64 {
        let id = self.begin(method, parameters);
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().expect("an error")
    }

    /// The first message not yet seen for which `is_wanted` is true. Agrees to requests of the
    /// server as they come.
    pub(crate) fn wait_for(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.earlier.iter().position(&is_wanted) {
            return self.earlier.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.expect("the message that is waited for comes");
            if message.get("id").is_some() && message.get("method").is_some() {
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
            }
            if is_wanted(&message) {
                return message;
            }
            self.earlier.push(message);
        }
    }

    /// The first notification or request of the server by this method.
    pub(crate) fn wait_for_method(&mut self, method: &str) -> Value {
        let mut message = self.wait_for(|message| message["method"] == method);
        message["params"].take()
    }

    /// Ends properly. Returns the exit status.
    pub(crate) fn shut_down(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().expect("it ends").code()
    }

    /// Ends without a word, or with the notification `exit` alone. Returns the exit status.
    pub(crate) fn leave(mut self, says_exit: bool) -> Option<i32> {
        if says_exit {
            self.tell("exit", Value::Null);
        }
        self.input = None;
        self.server.wait().expect("it ends").code()
    }

    // ---- Documents

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "cspm", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        self.tell("textDocument/didChange", changed(uri, version, changes));
    }

    /// Replaces the whole text of a document.
    pub(crate) fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    /// The messages about a version of a document, or about a file that is not open (`version` is
    /// null).
    pub(crate) fn diagnostics(&mut self, uri: &str, version: Value) -> Vec<Value> {
        let mut message = self.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"].get("version").unwrap_or(&Value::Null) == &version
        });
        match message["params"]["diagnostics"].take() {
            Value::Array(diagnostics) => diagnostics,
            other => panic!("{other}"),
        }
    }

    /// Sends a request about a place. Returns its result.
    pub(crate) fn about(&mut self, method: &str, uri: &str, position: Value) -> Value {
        self.ask(method, place(uri, position))
    }

    /// The text that is shown for a name, without the signs around code.
    pub(crate) fn hover(&mut self, uri: &str, position: Value) -> String {
        let hover = self.about("textDocument/hover", uri, position);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        text.replace("```cspm\n", "").replace("\n```", "")
    }

    /// The definition of a name: the URI, and line and column of the beginning.
    pub(crate) fn definition(&mut self, uri: &str, position: Value) -> Option<(String, u64, u64)> {
        let location = self.about("textDocument/definition", uri, position);
        let start = &location["range"]["start"];
        Some((
            location["uri"].as_str()?.to_string(),
            start["line"].as_u64()?,
            start["character"].as_u64()?,
        ))
    }

    /// The titles above the assertions, with the commands.
    pub(crate) fn lenses(&mut self, uri: &str) -> Vec<(String, Value)> {
        let mut all = self.all_lenses(uri);
        let pages = ["cspsym.step", "cspsym.graph"];
        all.retain(|(_, command)| pages.iter().all(|page| command["command"] != *page));
        all
    }

    /// All titles with their commands, including those above processes.
    pub(crate) fn all_lenses(&mut self, uri: &str) -> Vec<(String, Value)> {
        let document = json!({ "textDocument": { "uri": uri } });
        let lenses = self.ask("textDocument/codeLens", document);
        let lenses = lenses.as_array().expect("a list").iter();
        let each = lenses.map(|lens| {
            let title = lens["command"]["title"].as_str().expect("a title");
            (title.to_string(), lens["command"].clone())
        });
        each.collect()
    }

    /// Begins the check of the assertion at `index`. Returns the number of the request.
    pub(crate) fn check(&mut self, uri: &str, index: usize) -> i64 {
        let command = json!({ "command": "cspsym.check", "arguments": [uri, index] });
        self.begin("workspace/executeCommand", command)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

pub(crate) fn note(method: &str, parameters: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": parameters })
}

pub(crate) fn changed(uri: &str, version: i64, changes: Value) -> Value {
    json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes })
}

pub(crate) fn place(uri: &str, position: Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}

/// The position (line and column, in UTF-16) `behind` characters after the first `mark` in `text`.
pub(crate) fn at(text: &str, mark: &str, behind: usize) -> Value {
    let found = text.find(mark).expect("the mark is in the text");
    let rest = text[found..].char_indices().nth(behind);
    let before = &text[..rest.map_or(text.len(), |(byte, _)| found + byte)];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

fn read(input: &mut dyn BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    input.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("the server sends JSON"))
}
