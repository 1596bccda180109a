//! What client and server agree on when they meet.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gen_lsp_types::{
    CodeActionProvider, CodeLensOptions, CompletionOptions, DefinitionProvider,
    DocumentFormattingProvider, DocumentHighlightProvider, DocumentRangeFormattingProvider,
    DocumentSymbolProvider, ExecuteCommandOptions, Full, HoverProvider, InitializeResult,
    PositionEncodingKind, ReferencesProvider, RenameOptions, RenameProvider, Save,
    SemanticTokensOptions, SemanticTokensOptionsRange, SemanticTokensProvider, ServerCapabilities,
    ServerInfo, SignatureHelpOptions, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkDoneProgressOptions, WorkspaceSymbolProvider,
};
use serde_json::Value;

use checker::Options;
use process::termination::Termination;

use super::positions::Encoding;
use super::protocol::{CANCEL, CHECK, GRAPH, SOURCE, STEP};
use super::semantic::legend;

/// How long one check may take where the editor does not say.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How many states a check may store where the editor does not say: they take a gigabyte at most.
const MAX_STATES: u64 = 10_000_000;

/// How many states a component may have where the editor does not say.
const MAX_LEAF_STATES: u64 = 1_000_000;

/// What the client can do, and wants.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) encoding: Encoding,
    /// Whether the outline may be a tree.
    pub(super) has_symbol_trees: bool,
    /// Whether lenses can be asked for again.
    pub(super) refreshes_lenses: bool,
    /// Whether progress can be shown that the client did not ask for.
    pub(super) shows_progress: bool,
    /// Whether the client shows a page, or a document, that the server names.
    pub(super) shows_documents: bool,
    pub(super) timeout: Option<Duration>,
    /// Where included files have to be, if that matters.
    pub(super) include_root: Option<PathBuf>,
    max_states: Option<u64>,
    max_leaf_states: u64,
    termination: Termination,
}

impl Settings {
    /// From the parameters of `initialize`. They are read one by one, so that a capability that is
    /// unknown here does no harm.
    pub(super) fn of(parameters: &Value) -> Self {
        let has = |path: &str| {
            let path = format!("/capabilities/{path}");
            parameters.pointer(&path).and_then(Value::as_bool) == Some(true)
        };
        let option = |name: &str| parameters.pointer(&format!("/initializationOptions/{name}"));
        let encodings = parameters.pointer("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let is_utf8 = |encoding: &Value| encoding.as_str() == Some("utf-8");
        // Nothing has to be counted in bytes.
        let encoding = match encodings.is_some_and(|all| all.iter().any(is_utf8)) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        };
        let seconds = |value: &Value| Duration::try_from_secs_f64(value.as_f64()?).ok();
        Self {
            encoding,
            has_symbol_trees: has("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            refreshes_lenses: has("workspace/codeLens/refreshSupport"),
            shows_progress: has("window/workDoneProgress"),
            shows_documents: has("window/showDocument/support"),
            timeout: match option("timeout") {
                Some(Value::Null) => None,
                Some(value) => Some(seconds(value).unwrap_or(TIMEOUT)),
                None => Some(TIMEOUT),
            },
            include_root: option("includeRoot")
                .filter(|value| !value.is_null())
                .map(folder),
            max_states: match option("maxStates") {
                Some(Value::Null) => None,
                Some(value) => Some(value.as_u64().unwrap_or(MAX_STATES)),
                None => Some(MAX_STATES),
            },
            max_leaf_states: option("maxLeafStates")
                .and_then(Value::as_u64)
                .unwrap_or(MAX_LEAF_STATES),
            termination: match option("termination").and_then(Value::as_str) {
                Some("signal") => Termination::Signal,
                _ => Termination::Event,
            },
        }
    }

    /// How assertions are decided.
    pub(super) fn options(&self) -> Options {
        Options {
            max_states: self.max_states,
            max_leaf_states: Some(self.max_leaf_states),
            termination: self.termination,
            ..Options::default()
        }
    }

    /// What the server can do, as the answer to `initialize`.
    pub(super) fn capabilities(&self) -> InitializeResult {
        let encoding = match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        };
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(Save::Bool(true)),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(encoding),
            text_document_sync: Some(TextDocumentSync::Options(sync)),
            hover_provider: Some(HoverProvider::Bool(true)),
            definition_provider: Some(DefinitionProvider::Bool(true)),
            document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
            workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
            references_provider: Some(ReferencesProvider::Bool(true)),
            document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
            rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
                prepare_provider: Some(true),
                ..RenameOptions::default()
            })),
            document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
            document_range_formatting_provider: Some(DocumentRangeFormattingProvider::Bool(true)),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: Some(vec!["(".to_string(), ",".to_string()]),
                ..SignatureHelpOptions::default()
            }),
            semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(
                SemanticTokensOptions {
                    legend: legend(),
                    range: Some(SemanticTokensOptionsRange::Bool(true)),
                    full: Some(Full::Bool(true)),
                    work_done_progress_options: WorkDoneProgressOptions::default(),
                },
            )),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec![":".to_string()]),
                ..CompletionOptions::default()
            }),
            code_action_provider: Some(CodeActionProvider::Bool(true)),
            code_lens_provider: Some(CodeLensOptions::default()),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: [CHECK, CANCEL, STEP, GRAPH].map(str::to_string).into(),
                work_done_progress_options: WorkDoneProgressOptions {
                    work_done_progress: Some(true),
                },
            }),
            ..ServerCapabilities::default()
        };
        InitializeResult {
            capabilities,
            server_info: Some(ServerInfo {
                name: SOURCE.to_string(),
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
            }),
        }
    }
}

/// The real path of the folder that an option names. In a folder that does not exist there is
/// nothing to include.
fn folder(value: &Value) -> PathBuf {
    let path = Path::new(value.as_str().unwrap_or_default());
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_client_does_not_say_has_a_default() {
        let settings = Settings::of(&json!({}));
        assert_eq!(settings.encoding, Encoding::Utf16);
        assert!(!settings.shows_progress);
        assert_eq!(settings.timeout, Some(TIMEOUT));
        assert_eq!(settings.options().max_states, Some(MAX_STATES));
        assert_eq!(settings.options().max_leaf_states, Some(MAX_LEAF_STATES));
    }

    #[test]
    fn limits_are_set_or_lifted() {
        let options = json!({ "timeout": 0.5, "maxStates": null, "maxLeafStates": 7 });
        let settings = Settings::of(&json!({ "initializationOptions": options }));
        assert_eq!(settings.timeout, Some(Duration::from_millis(500)));
        assert_eq!(settings.options().max_states, None);
        assert_eq!(settings.options().max_leaf_states, Some(7));
        let include_root = |value: Value| {
            let options = json!({ "includeRoot": value });
            Settings::of(&json!({ "initializationOptions": options })).include_root
        };
        assert_eq!(include_root(Value::Null), None);
        let real = Path::new("signature").canonicalize().ok();
        assert_eq!(include_root(json!("no/such")), Some("no/such".into()));
        assert_eq!(include_root(json!("analysis/../signature")), real);
        let nonsense = json!({ "timeout": -1, "maxStates": "many" });
        let settings = Settings::of(&json!({ "initializationOptions": nonsense }));
        assert_eq!(settings.timeout, Some(TIMEOUT));
        assert_eq!(settings.options().max_states, Some(MAX_STATES));
    }

    #[test]
    fn termination_is_an_event_unless_it_is_to_be_a_signal() {
        let of = |options: Value| {
            let settings = Settings::of(&json!({ "initializationOptions": options }));
            settings.options().termination
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
