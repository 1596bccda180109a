//! Conversations of an editor with `cspsym lsp`, over the pipe.

mod assertions;
mod client;
mod completion;
mod messages;
mod names;
mod pages;
mod protocol;
mod uses;
mod writing;

use std::fs;
use std::path::PathBuf;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use client::Client;

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

    /// Writes a file. Returns its URI.
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

/// A script with some of everything, and no mistakes.
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

/// A server in which the script is open.
fn opened() -> Client {
    let mut client = Client::new();
    client.open(URI, SCRIPT);
    assert_eq!(client.diagnostics(URI, json!(1)), Vec::<Value>::new());
    client
}
