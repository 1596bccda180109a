//! The settings that client and server agree on when they meet.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gen_lsp_types::{PositionEncodingKind, TextDocumentSyncKind};
use serde_json::{Value, json};

use checker::{Options, PATIENT_LEAF_STATES};
use host::framing::Framing;
use process::termination::Termination;

use super::positions::Encoding;
use super::protocol::{CANCEL, CHECK, GRAPH, SOURCE, STEP};
use super::semantic::legend;

/// The time that one check may take where the editor gives none.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of states that a check may store where the editor gives none: they take a gigabyte at
/// most.
const MAX_STATES: u64 = 10_000_000;

/// The abilities and wishes of the client.
pub(crate) struct Settings {
    pub(crate) encoding: Encoding,
    /// True if the outline may be a tree.
    pub(crate) has_symbol_trees: bool,
    /// True if the client can be asked to renew lenses.
    pub(crate) refreshes_lenses: bool,
    /// True if the client shows progress that it did not ask for.
    pub(crate) shows_progress: bool,
    /// True if the client shows a page, or a document, that the server names.
    pub(crate) shows_documents: bool,
    /// The pages of the client that may frame those of the server.
    pub(crate) framing: Framing,
    /// The time that one check may take.
    pub(crate) timeout: Option<Duration>,
    /// The folder in which included files have to be, if there is one.
    pub(crate) include_root: Option<PathBuf>,
    /// The options by which assertions are decided.
    pub(crate) options: Options,
}

impl Settings {
    /// Reads the parameters of `initialize`. They are read one by one, so that a capability that is
    /// unknown here does no harm.
    pub(crate) fn of(parameters: &Value) -> Self {
        let has = |path: &str| {
            let path = format!("/capabilities/{path}");
            parameters.pointer(&path).and_then(Value::as_bool) == Some(true)
        };
        let option = |name: &str| parameters.pointer(&format!("/initializationOptions/{name}"));
        let is_null = |name: &str| option(name).is_some_and(Value::is_null);
        let number = |name: &str| option(name).and_then(Value::as_u64);
        let seconds = |value: &Value| Duration::try_from_secs_f64(value.as_f64()?).ok();
        let timeout = option("timeout").and_then(seconds).unwrap_or(TIMEOUT);
        let max_states = number("maxStates").unwrap_or(MAX_STATES);
        let encodings = parameters.pointer("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let frames = option("frameAncestors").and_then(Value::as_array);
        let frames = frames.into_iter().flatten().filter_map(Value::as_str);
        let is_signal = option("termination").is_some_and(|value| value == "signal");
        Self {
            // Bytes are preferred, because nothing has to be counted then.
            encoding: match encodings.is_some_and(|all| all.contains(&json!("utf-8"))) {
                true => Encoding::Utf8,
                false => Encoding::Utf16,
            },
            has_symbol_trees: has("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            refreshes_lenses: has("workspace/codeLens/refreshSupport"),
            shows_progress: has("window/workDoneProgress"),
            shows_documents: has("window/showDocument/support"),
            framing: Framing::of(frames),
            timeout: (!is_null("timeout")).then_some(timeout),
            include_root: option("includeRoot")
                .filter(|value| !value.is_null())
                .map(folder),
            options: Options {
                max_states: (!is_null("maxStates")).then_some(max_states),
                max_leaf_states: Some(number("maxLeafStates").unwrap_or(PATIENT_LEAF_STATES)),
                termination: match is_signal {
                    true => Termination::Signal,
                    false => Termination::Event,
                },
                ..Options::default()
            },
        }
    }

    /// The abilities of the server, as the answer to `initialize`.
    pub(crate) fn capabilities(&self) -> Value {
        let encoding = match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        };
        let changes = TextDocumentSyncKind::Incremental;
        json!({
            "capabilities": {
                "positionEncoding": encoding,
                "textDocumentSync": { "openClose": true, "change": changes, "save": true },
                "hoverProvider": true,
                "definitionProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "renameProvider": { "prepareProvider": true },
                "documentFormattingProvider": true,
                "documentRangeFormattingProvider": true,
                "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
                "semanticTokensProvider": { "legend": legend(), "range": true, "full": true },
                "completionProvider": { "triggerCharacters": [":"] },
                "codeActionProvider": true,
                "codeLensProvider": {},
                "executeCommandProvider": {
                    "commands": [CHECK, CANCEL, STEP, GRAPH],
                    "workDoneProgress": true,
                },
                // True if the client may frame the pages that commands open.
                "experimental": { "cspsym": { "framed": self.framing.is_allowed() } },
            },
            "serverInfo": { "name": SOURCE, "version": env!("CARGO_PKG_VERSION") },
        })
    }
}

/// The real path of the folder that an option names. A folder that does not exist has nothing to
/// include.
fn folder(value: &Value) -> PathBuf {
    let path = Path::new(value.as_str().unwrap_or_default());
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_does_not_say_has_a_default() {
        let settings = Settings::of(&json!({}));
        assert_eq!(settings.encoding, Encoding::Utf16);
        assert!(!settings.shows_progress);
        assert_eq!(settings.timeout, Some(TIMEOUT));
        assert_eq!(settings.options.max_states, Some(MAX_STATES));
        assert_eq!(settings.options.max_leaf_states, Some(PATIENT_LEAF_STATES));
    }

    #[test]
    fn limits_are_set_or_lifted() {
        let options = json!({ "timeout": 0.5, "maxStates": null, "maxLeafStates": 7 });
        let settings = Settings::of(&json!({ "initializationOptions": options }));
        assert_eq!(settings.timeout, Some(Duration::from_millis(500)));
        assert_eq!(settings.options.max_states, None);
        assert_eq!(settings.options.max_leaf_states, Some(7));
        let include_root = |value: Value| {
            let options = json!({ "includeRoot": value });
            Settings::of(&json!({ "initializationOptions": options })).include_root
        };
        assert_eq!(include_root(Value::Null), None);
        let real = Path::new("analysis").canonicalize().ok();
        assert_eq!(include_root(json!("no/such")), Some("no/such".into()));
        assert_eq!(include_root(json!("analysis/../analysis")), real);
        let nonsense = json!({ "timeout": -1, "maxStates": "many" });
        let settings = Settings::of(&json!({ "initializationOptions": nonsense }));
        assert_eq!(settings.timeout, Some(TIMEOUT));
        assert_eq!(settings.options.max_states, Some(MAX_STATES));
    }

    #[test]
    fn pages_are_framed_where_the_client_is_an_editor_that_frames() {
        let of = |frames: Value| {
            let options = json!({ "frameAncestors": frames });
            let settings = Settings::of(&json!({ "initializationOptions": options }));
            let framed = "/capabilities/experimental/cspsym/framed";
            settings.capabilities().pointer(framed).cloned()
        };
        assert_eq!(of(json!(["vscode-webview:"])), Some(json!(true)));
        assert_eq!(of(json!([])), Some(json!(false)));
        assert_eq!(of(json!(["https:", 7])), Some(json!(false)));
        assert_eq!(of(json!("vscode-webview:")), Some(json!(false)));
    }

    #[test]
    fn termination_is_an_event_unless_it_is_to_be_a_signal() {
        let of = |options: Value| {
            let settings = Settings::of(&json!({ "initializationOptions": options }));
            settings.options.termination
        };
        assert_eq!(of(json!({})), Termination::Event);
        assert_eq!(of(json!({ "termination": "event" })), Termination::Event);
        assert_eq!(of(json!({ "termination": "signal" })), Termination::Signal);
    }

    #[test]
    fn columns_are_bytes_if_the_client_can_count_them() {
        let of = |encodings: Value| {
            let general = json!({ "positionEncodings": encodings });
            Settings::of(&json!({ "capabilities": { "general": general } })).encoding
        };
        assert_eq!(of(json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(of(json!(["utf-32", "utf-16"])), Encoding::Utf16);
    }
}
