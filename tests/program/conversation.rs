//! A run of the program to which messages are sent one by one, each a line of JSON.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::harness::root;

/// The program, while somebody talks to it.
pub(crate) struct Conversation {
    pub(crate) child: Child,
    /// `None` once the input has ended.
    input: Option<ChildStdin>,
    /// `None` once nobody reads its output.
    pub(crate) lines: Option<Lines<BufReader<ChildStdout>>>,
}

impl Conversation {
    pub(crate) fn begin(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cspsym"))
            .args(arguments)
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = child.stdout.take().expect("it is piped");
        Self {
            input: child.stdin.take(),
            child,
            lines: Some(BufReader::new(output).lines()),
        }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input goes on");
        writeln!(input, "{line}").expect("it reads");
    }

    pub(crate) fn next(&mut self) -> Value {
        self.next_if_any().expect("there is a line")
    }

    /// The next line; `None` once the output has ended.
    fn next_if_any(&mut self) -> Option<Value> {
        let line = self.lines.as_mut().expect("somebody reads").next()?;
        Some(serde_json::from_str(&line.expect("it is text")).expect("it is JSON"))
    }

    /// The lines up to the first with this `key`, which is the last of them.
    pub(crate) fn up_to(&mut self, key: &str) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let line = self.next();
            let is_last = !line[key].is_null();
            all.push(line);
            if is_last {
                return all;
            }
        }
    }

    /// Ends the input, and waits until the program ends. Returns its exit status and the lines that
    /// it still wrote.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<Value>) {
        self.input = None;
        let mut rest = Vec::new();
        while let Some(line) = self.next_if_any() {
            rest.push(line);
        }
        (self.child.wait().expect("it ends").code(), rest)
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
