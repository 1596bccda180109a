//! The tools: what they are called with, and the requests that they become.

use serde_json::{Map, Value, json};

use report::explanation::{explanation, plain_code, similar};

use super::super::api::ApiQuestion;
use super::telling::{failed, text_result};

/// The name of a script that is given as a text.
const GIVEN: &str = "script.csp";

/// The name of the tool that needs no script.
const EXPLAIN: &str = "explain";

/// A tool.
struct Tool {
    name: &'static str,
    description: &'static str,
    /// The method of the request that a call becomes.
    method: &'static str,
    /// Its own arguments besides those that say which script is meant.
    arguments: &'static [ToolArgument],
}

/// An argument of a tool.
struct ToolArgument {
    name: &'static str,
    /// The key of requests that it becomes.
    key: &'static str,
    form: ToolValue,
    description: &'static str,
    is_needed: bool,
}

/// The form of an argument.
#[derive(Clone, Copy)]
enum ToolValue {
    Text,
    Texts,
    Number,
    /// Assertions, by numbers or parts of their texts.
    Picks,
    Pick,
    /// Texts by names.
    Files,
}

const fn argument(name: &'static str, form: ToolValue, description: &'static str) -> ToolArgument {
    ToolArgument {
        name,
        key: name,
        form,
        description,
        is_needed: false,
    }
}

const fn needed(name: &'static str, form: ToolValue, description: &'static str) -> ToolArgument {
    ToolArgument {
        is_needed: true,
        ..argument(name, form, description)
    }
}

/// The arguments that say which script is meant.
const SCRIPT: &[ToolArgument] = &[
    argument(
        "text",
        ToolValue::Text,
        "The script as CSPm text. Give this or `file`",
    ),
    argument(
        "file",
        ToolValue::Text,
        "The name of the script, below the folder of the server",
    ),
    argument(
        "files",
        ToolValue::Files,
        "Texts by file name, which are read instead of files on the disk: what the script includes",
    ),
    argument(
        "definitions",
        ToolValue::Texts,
        "Constants that are replaced, each as NAME=EXPR, such as N=3",
    ),
];

const PROCESS: ToolArgument = argument(
    "process",
    ToolValue::Text,
    "The process, any expression of CSPm",
);

const ASSERTION: ToolArgument = argument(
    "assertion",
    ToolValue::Pick,
    "Instead of a process: an assertion, by its number from 1 or a part of its text. Without a path \
     the walk goes to the end of its counterexample",
);

const PATH: ToolArgument = argument(
    "path",
    ToolValue::Texts,
    "The names of the steps that are taken, as this tool lists them",
);

/// The name is that of the argument of `check`, which is the one that models are told of.
const TIMEOUT: ToolArgument = ToolArgument {
    key: "timeout",
    ..argument(
        "timeout_each",
        ToolValue::Number,
        "The seconds that the call may take; 60 if not said",
    )
};

const TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        description: "Decides assertions of a CSPm script: refinement, deadlock, divergence, \
                      determinism, traces. Each that fails comes with a counterexample.",
        method: "check_all",
        arguments: &[
            argument(
                "assertions",
                ToolValue::Picks,
                "Those that are decided, by numbers from 1 or parts of their texts; otherwise all",
            ),
            argument(
                "asserted",
                ToolValue::Text,
                "One assertion that does not stand in the script, such as P [FD= Q",
            ),
            argument(
                "timeout_each",
                ToolValue::Number,
                "The seconds that each assertion may take; 60 if not said",
            ),
            argument(
                "options",
                ToolValue::Texts,
                "Options of `cspsym check`, such as [\"--symmetry\", \"off\"]",
            ),
        ],
    },
    Tool {
        name: "types",
        description: "Says what is wrong with a CSPm script: syntax, names, types, suspicious \
                      assertions. Nothing is run.",
        method: "problems",
        arguments: &[],
    },
    Tool {
        name: "type_of",
        description: "The type of an expression in the scope of a script.",
        method: "type",
        arguments: &[needed(
            "expression",
            ToolValue::Text,
            "Any expression of CSPm",
        )],
    },
    Tool {
        name: "evaluate",
        description: "The value of an expression that is no process, in the scope of a script.",
        method: "evaluate",
        arguments: &[
            needed("expression", ToolValue::Text, "Any expression of CSPm"),
            TIMEOUT,
        ],
    },
    Tool {
        name: "step",
        description: "Walks a process along a path of steps, and lists what it can do next, by \
                      which component, and what its specification allows.",
        method: "at",
        arguments: &[PROCESS, ASSERTION, PATH, TIMEOUT],
    },
    Tool {
        name: "why",
        description: "Says of an event after a path who would take part in it, and who keeps it \
                      back.",
        method: "why",
        arguments: &[
            PROCESS,
            ASSERTION,
            PATH,
            needed("event", ToolValue::Text, "The event, such as in.3"),
            TIMEOUT,
        ],
    },
    Tool {
        name: EXPLAIN,
        description: "Explains a message by its code, with an example before and after.",
        method: EXPLAIN,
        arguments: &[needed(
            "code",
            ToolValue::Text,
            "The code, such as unknown-name",
        )],
    },
];

/// The list of tools, as the protocol describes them.
pub(super) fn tools() -> Vec<Value> {
    TOOLS.iter().map(Tool::described).collect()
}

/// A call of a tool.
pub(super) enum AskedTool {
    /// Its result, which needed no work.
    Answer(Value),
    Work(Box<ApiQuestion>),
}

/// The call with these `parameters`. Fails with the reason if there is no such tool. All else that
/// is wrong is told as the answer, because a model can mend it.
pub(super) fn asked(id: &Value, parameters: &Value) -> Result<AskedTool, String> {
    let name = parameters["name"].as_str().unwrap_or_default();
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| format!("there is no tool `{name}`"))?;
    let none = Map::new();
    let given = parameters["arguments"].as_object().unwrap_or(&none);
    let known = || tool.all_arguments().map(|argument| argument.name);
    if let Some(key) = given.keys().find(|key| !known().any(|name| name == *key)) {
        let why = format!("`{name}` has no argument `{key}`");
        return Ok(AskedTool::Answer(failed(&why)));
    }
    if tool.name == EXPLAIN {
        let code = given.get("code").and_then(Value::as_str);
        return Ok(AskedTool::Answer(explained(code.unwrap_or_default())));
    }
    if !given.contains_key("text") && !given.contains_key("file") {
        return Ok(AskedTool::Answer(failed(
            "give the script: its `text`, or its `file`",
        )));
    }
    let progress = parameters.pointer("/_meta/progressToken");
    let request = match request(tool, id, given, progress) {
        Ok(request) => request,
        Err(why) => return Ok(AskedTool::Answer(failed(&why))),
    };
    let line = request.to_string();
    Ok(match ApiQuestion::read(line.as_bytes()) {
        Ok(question) => AskedTool::Work(Box::new(question)),
        Err(refusal) => {
            let refusal: Value = serde_json::from_str(&refusal).unwrap_or_default();
            let message = refusal["problems"][0]["message"].as_str();
            AskedTool::Answer(failed(&tool.in_its_words(message.unwrap_or_default())))
        }
    })
}

/// The request that a call of `tool` becomes.
fn request(
    tool: &Tool,
    id: &Value,
    given: &Map<String, Value>,
    progress: Option<&Value>,
) -> Result<Value, String> {
    let mut keys = given.clone();
    if let Some(text) = keys.remove("text") {
        if keys.contains_key("file") {
            return Err("give `text` or `file`, not both".to_string());
        }
        keys.insert("file".to_string(), json!(GIVEN));
        let files = keys.entry("files").or_insert_with(|| json!({}));
        match files.as_object_mut() {
            Some(files) => files.insert(GIVEN.to_string(), text),
            None => return Err("`files` are texts by file name".to_string()),
        };
    }
    for argument in tool.renamed() {
        if let Some(value) = keys.remove(argument.name) {
            keys.insert(argument.key.to_string(), value);
        }
    }
    keys.insert("id".to_string(), id.clone());
    keys.insert("method".to_string(), json!(tool.method));
    keys.insert("progress".to_string(), json!(progress.is_some()));
    Ok(Value::Object(keys))
}

fn explained(code: &str) -> Value {
    let code = plain_code(code);
    match explanation(&code) {
        Some(explanation) => text_result(&explanation.text()),
        None => match &similar(&code)[..] {
            [] => failed(&format!("no message has the code `{code}`")),
            near => {
                let near = near.join(", ");
                failed(&format!(
                    "no message has the code `{code}`; similar ones: {near}"
                ))
            }
        },
    }
}

impl Tool {
    fn all_arguments(&self) -> impl Iterator<Item = &ToolArgument> {
        let of_script = if self.name == EXPLAIN { &[] } else { SCRIPT };
        of_script.iter().chain(self.arguments)
    }

    /// The arguments that have another name in requests.
    fn renamed(&self) -> impl Iterator<Item = &ToolArgument> {
        let arguments = self.all_arguments();
        arguments.filter(|argument| argument.name != argument.key)
    }

    /// The message about a request, with the names that the arguments have here.
    fn in_its_words(&self, message: &str) -> String {
        let quoted = |name| format!("`{name}`");
        self.renamed()
            .fold(message.to_string(), |message, argument| {
                message.replace(&quoted(argument.key), &quoted(argument.name))
            })
    }

    fn described(&self) -> Value {
        let properties: Map<String, Value> = self
            .all_arguments()
            .map(|argument| (argument.name.to_string(), argument.schema()))
            .collect();
        let needed = self.all_arguments().filter(|argument| argument.is_needed);
        let mut tool = json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": needed.map(|argument| argument.name).collect::<Vec<_>>(),
                "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        });
        if self.name == "check" {
            tool["outputSchema"] = verdict_schema();
        }
        tool
    }
}

impl ToolArgument {
    fn schema(&self) -> Value {
        let pick = json!({ "type": ["integer", "string"] });
        let mut schema = match self.form {
            ToolValue::Text => json!({ "type": "string" }),
            ToolValue::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            ToolValue::Number => json!({ "type": "number" }),
            ToolValue::Picks => json!({ "type": "array", "items": pick }),
            ToolValue::Pick => pick,
            ToolValue::Files => {
                json!({ "type": "object", "additionalProperties": { "type": "string" } })
            }
        };
        schema["description"] = json!(self.description);
        schema
    }
}

/// The schema of the verdicts that `check` gives beside its text.
fn verdict_schema() -> Value {
    let verdict = json!({
        "type": "object",
        "properties": {
            "number": { "type": "integer", "description": "The assertion, counted from 1" },
            "assertion": { "type": "string" },
            "verdict": { "enum": ["holds", "fails", "undecided", "error"] },
        },
        "required": ["number", "assertion", "verdict"],
    });
    json!({
        "type": "object",
        "properties": { "verdicts": { "type": "array", "items": verdict } },
        "required": ["verdicts"],
    })
}
