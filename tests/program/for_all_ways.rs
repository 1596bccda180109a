//! Every way to ask for all values of a constant, together with every option that may go with it:
//! each pair has both effects, or is refused in words.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::harness::{Outcome, cspsym, in_parallel};
use serde_json::{Value, json};

/// A script that holds for every N in traces. In the other models it fails from N = 4 on, where all
/// have joined and no process works any more.
const SCRIPT: &str = "N = 2
ID = {1..N}
channel join : ID
channel work
MEMBER(i) = join.i -> BUSY(i) [] work -> MEMBER(i)
BUSY(i) = work -> BUSY(i)
CLUB(n) = n < 4 & (join?i -> CLUB(n + 1) [] work -> CLUB(n))
SYSTEM = ([| {work} |] i : ID @ MEMBER(i)) [| {| join, work |} |] CLUB(0)
SPEC = work -> SPEC
";

const IMPLEMENTATION: &str = "SYSTEM \\ {| join |}";

/// A way to ask for all values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// `check --for-all N`
    Check,
    /// `refine --for-all N`
    Refine,
    /// `symmetry SPEC IMPL FILE --for-all N`
    Symmetry,
    /// `symmetry --assertion 1 FILE --for-all N`
    SymmetryOfAssertion,
    /// `check`, of a script that itself asks for all values
    CheckAsked(Asked),
    /// The request `check` with the key `for_all`
    Request,
    /// The request `check`, of a script that itself asks for all values
    RequestAsked(Asked),
    /// The request of the page, of a script that itself asks for all values
    Page(Asked),
    /// The request of an editor, of a script that itself asks for all values
    Editor(Asked),
}

/// A way in which a script asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// `-- for all N`
    Comment,
    /// `:[for all]: N`
    Property,
}

/// An option that goes with the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Besides {
    Nothing,
    Model(&'static str),
    Signal,
    Reduce,
    Processes,
    Spill,
    Assertion,
    Not,
    Definition,
}

/// The expected result.
#[derive(PartialEq, Eq, Debug)]
enum Expected {
    /// It holds, and this remark is made, if it is not empty.
    Holds(&'static str),
    /// It fails with this N.
    Fails(u64),
    /// There is no verdict, with this code or these words.
    Refused(&'static str),
}
use Expected::{Fails, Holds, Refused};

const WAYS: [Way; 13] = [
    Way::Check,
    Way::Refine,
    Way::Symmetry,
    Way::SymmetryOfAssertion,
    Way::CheckAsked(Asked::Comment),
    Way::CheckAsked(Asked::Property),
    Way::Request,
    Way::RequestAsked(Asked::Comment),
    Way::RequestAsked(Asked::Property),
    Way::Page(Asked::Comment),
    Way::Page(Asked::Property),
    Way::Editor(Asked::Comment),
    Way::Editor(Asked::Property),
];

const BESIDES: [Besides; 15] = [
    Besides::Nothing,
    Besides::Model("T"),
    Besides::Model("F"),
    Besides::Model("FD"),
    Besides::Model("V"),
    Besides::Model("VD"),
    Besides::Model("R"),
    Besides::Model("RD"),
    Besides::Signal,
    Besides::Reduce,
    Besides::Processes,
    Besides::Spill,
    Besides::Assertion,
    Besides::Not,
    Besides::Definition,
];

/// The expected result of a pair. `None` if the way has no place for the option.
fn expected(way: Way, besides: Besides) -> Option<Expected> {
    let is_of_script = matches!(
        way,
        Way::CheckAsked(_) | Way::RequestAsked(_) | Way::Page(_)
    );
    let is_request = matches!(way, Way::Request | Way::RequestAsked(_) | Way::Page(_));
    let is_symmetry = matches!(way, Way::Symmetry | Way::SymmetryOfAssertion);
    let has_texts = matches!(way, Way::Refine | Way::Symmetry);
    Some(match (way, besides) {
        (Way::Editor(_), Besides::Nothing) => Holds(""),
        (_, Besides::Not) if has_texts => return None,
        (_, Besides::Not) => Fails(1),
        // An editor names an assertion, and nothing besides.
        (Way::Editor(_), _) => return None,
        (_, Besides::Nothing | Besides::Model("T")) => Holds(""),
        (_, Besides::Model(_)) => Fails(4),
        (_, Besides::Definition) if is_of_script => {
            Holds("decided for all N, as the script asks, whatever value `-D N` gives it")
        }
        (_, Besides::Definition) => Refused("for-all-of-one"),
        (Way::SymmetryOfAssertion, Besides::Assertion) => Holds(""),
        (Way::Symmetry, Besides::Assertion) => Refused("expected SPEC IMPL FILE"),
        (Way::Refine, Besides::Assertion) => Refused("unexpected argument '--assertion'"),
        (_, Besides::Reduce) if is_symmetry => Refused("unexpected argument '--reduce'"),
        (_, Besides::Processes) if is_symmetry => Refused("unexpected argument '--processes'"),
        (_, Besides::Spill) if is_symmetry => Refused("unexpected argument '--spill'"),
        (_, Besides::Assertion) => Holds(""),
        (_, Besides::Signal | Besides::Reduce | Besides::Processes | Besides::Spill)
            if is_request =>
        {
            Refused("unknown field")
        }
        (_, Besides::Signal | Besides::Reduce | Besides::Processes | Besides::Spill) => Holds(""),
    })
}

#[test]
fn each_way_to_ask_meets_each_option() {
    let pairs = WAYS
        .iter()
        .flat_map(|&way| BESIDES.map(|besides| (way, besides)));
    let pairs: Vec<(usize, (Way, Besides))> = pairs.enumerate().collect();
    let wrong = in_parallel(&pairs, |&(number, (way, besides))| {
        let expected = expected(way, besides)?;
        let said = asked(way, besides, number);
        let is_right = said.is(&expected);
        (!is_right)
            .then(|| format!("{way:?} with {besides:?}: {expected:?} was expected\n{said:?}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The answer to a question.
#[derive(Debug)]
struct Answered {
    /// The report, if there is one.
    report: Value,
    /// All output.
    text: String,
}

impl Answered {
    fn is(&self, expected: &Expected) -> bool {
        let (report, for_all) = (&self.report, &self.report["for_all"]);
        match expected {
            Holds(remark) => {
                let remarks = report["remarks"].as_array();
                let mut remarks = remarks.into_iter().flatten();
                let is_made = match *remark {
                    "" => remarks.next().is_none(),
                    remark => remarks.any(|made| made == remark),
                };
                report["verdict"] == "pass" && for_all["in_sight"] == 1 && is_made
            }
            Fails(size) => report["verdict"] == "fail" && for_all["fails_with"] == *size,
            Refused(said) => {
                let verdict = &report["verdict"];
                (verdict.is_null() || verdict == "error") && self.text.contains(said)
            }
        }
    }
}

/// Asks in this way, with this option.
fn asked(way: Way, besides: Besides, number: usize) -> Answered {
    let folder = std::env::temp_dir().join(format!("cspsym-ways-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder is made");
    let by_script = match way {
        Way::CheckAsked(asked)
        | Way::RequestAsked(asked)
        | Way::Page(asked)
        | Way::Editor(asked) => Some(asked),
        _ => None,
    };
    let file = folder.join("club.csp");
    let text = script(by_script, besides == Besides::Not);
    fs::write(&file, &text).expect("the script is written");
    let answered = match way {
        Way::Editor(_) => of_editor(&file, &text),
        Way::Request | Way::RequestAsked(_) => {
            let request = request(way, besides, &file);
            of_request(&cspsym(&["api".to_string()], format!("{request}\n").as_bytes()).out)
        }
        Way::Page(_) => of_request(&Page::of(&file).answer(&request(way, besides, &file))),
        _ => of_call(&cspsym(&call(way, besides, &file, &folder), b"")),
    };
    fs::remove_dir_all(&folder).expect("the folder is removed");
    answered
}

/// The script, which asks in the given way, if any.
fn script(asked: Option<Asked>, is_negated: bool) -> String {
    let not = if is_negated { "not " } else { "" };
    let assertion = format!("assert {not}SPEC [T= {IMPLEMENTATION}");
    match asked {
        None => format!("{SCRIPT}{assertion}\n"),
        Some(Asked::Comment) => format!("{SCRIPT}-- for all N\n{assertion}\n"),
        Some(Asked::Property) => format!("{SCRIPT}{assertion} :[for all]: N\n"),
    }
}

/// The arguments of a call.
fn call(way: Way, besides: Besides, file: &Path, folder: &Path) -> Vec<String> {
    let name = |path: &Path| path.to_str().expect("it has a name").to_string();
    let mut call: Vec<String> = match way {
        Way::Refine => vec!["refine", "SPEC", IMPLEMENTATION],
        Way::Symmetry => vec!["symmetry", "SPEC", IMPLEMENTATION],
        Way::SymmetryOfAssertion => vec!["symmetry", "--assertion", "1"],
        _ => vec!["check"],
    }
    .into_iter()
    .map(str::to_string)
    .collect();
    call.push(name(file));
    if !matches!(way, Way::CheckAsked(_)) {
        call.extend(["--for-all", "N"].map(str::to_string));
    }
    let options: Vec<String> = match besides {
        Besides::Nothing | Besides::Not => Vec::new(),
        Besides::Assertion if way == Way::SymmetryOfAssertion => Vec::new(),
        Besides::Model(model) => vec!["--model".to_string(), model.to_string()],
        Besides::Signal => vec!["--termination".to_string(), "signal".to_string()],
        Besides::Reduce => vec!["--reduce".to_string(), "po".to_string()],
        Besides::Processes => vec!["--processes".to_string(), "2".to_string()],
        Besides::Spill => vec!["--spill".to_string(), name(&folder.join("spill"))],
        Besides::Assertion => vec!["--assertion".to_string(), "1".to_string()],
        Besides::Definition => vec!["-D".to_string(), "N=3".to_string()],
    };
    call.extend(options);
    call.extend(["--format", "json"].map(str::to_string));
    call
}

fn of_call(outcome: &Outcome) -> Answered {
    let report = outcome.out.lines().next().unwrap_or_default();
    Answered {
        report: serde_json::from_str(report).unwrap_or_default(),
        text: format!("{}{}", outcome.out, outcome.err),
    }
}

/// The request `check`.
fn request(way: Way, besides: Besides, file: &Path) -> Value {
    let mut request = json!({"id": 1, "method": "check", "file": file, "assertion": 1});
    if way == Way::Request {
        request["for_all"] = json!("N");
    }
    let (key, value) = match besides {
        Besides::Nothing | Besides::Assertion | Besides::Not => return request,
        Besides::Model(model) => ("model", json!(model)),
        Besides::Signal => ("termination", json!("signal")),
        Besides::Reduce => ("reduce", json!("po")),
        Besides::Processes => ("processes", json!(2)),
        Besides::Spill => ("spill", json!("folder")),
        Besides::Definition => ("definitions", json!(["N=3"])),
    };
    request[key] = value;
    request
}

fn of_request(answer: &str) -> Answered {
    let parsed: Value = serde_json::from_str(answer.trim()).unwrap_or_default();
    Answered {
        report: parsed["result"].clone(),
        text: answer.to_string(),
    }
}

/// A page that is served.
struct Page {
    program: Child,
    /// `http://127.0.0.1:PORT`
    origin: String,
    /// The path that begins with the token.
    path: String,
}

impl Page {
    fn of(file: &Path) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cspsym"))
            .args(["explore", "--no-open", "--port", "0"])
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = program.stdout.take().expect("standard output is a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says its address");
        let address = line.trim();
        let place = address.find("127.0.0.1").expect("it is on this machine");
        let slash = address[place..].find('/').expect("it has a path") + place;
        Self {
            program,
            origin: address[..slash].to_string(),
            path: address[slash..]
                .split('#')
                .next()
                .unwrap_or_default()
                .to_string(),
        }
    }

    /// The answer to a request, as the page sends it.
    fn answer(&self, request: &Value) -> String {
        let body = request.to_string();
        let host = self.origin.trim_start_matches("http://");
        let head = format!(
            "POST {}api HTTP/1.1\r\nHost: {host}\r\nOrigin: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.path,
            self.origin,
            body.len()
        );
        let mut stream = TcpStream::connect(host).expect("it answers");
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("it listens");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("it answers with text");
        let body = answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| body.to_string());
        body.unwrap_or_default()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The answer to an editor that asks for the first assertion.
fn of_editor(file: &Path, text: &str) -> Answered {
    let uri = format!("file://{}", PathBuf::from(file).display());
    let document = json!({"uri": uri, "languageId": "cspm", "version": 1, "text": text});
    let messages = json!([
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"jsonrpc": "2.0", "id": "check", "method": "workspace/executeCommand",
         "params": {"command": "cspsym.check", "arguments": [uri, 0]}},
    ]);
    let request = json!({"method": "lsp", "messages": messages});
    let answer = cspsym(&["api".to_string()], format!("{request}\n").as_bytes()).out;
    let parsed: Value = serde_json::from_str(answer.trim()).unwrap_or_default();
    let said = parsed["result"]["messages"].as_array();
    let mut said = said.into_iter().flatten();
    let told = said.find(|message| message["id"] == "check");
    Answered {
        report: told.map_or(Value::Null, |message| message["result"].clone()),
        text: answer,
    }
}
