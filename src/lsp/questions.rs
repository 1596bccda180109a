//! What is asked about the text of a document, and who answers it.

use gen_lsp_types::{
    CodeActionRequest, CodeLensRequest, CompletionContext, CompletionList, CompletionRequest,
    CompletionResponse, DocumentFormattingRequest, DocumentRangeFormattingRequest,
    DocumentSymbolRequest, Position, ReferencesRequest, RenameRequest, SemanticTokensRangeRequest,
    SemanticTokensRequest, SignatureHelpRequest, TextDocumentPositionParams, Uri,
    WorkspaceSymbolRequest,
};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde_json::Value;

use base::source::FileId;
use types::occurrences::Occurrence;

use super::analysis::Analysis;
use super::answer::{Reply, RequestRefusal, answered, not_open, parsed, read, to_value};
use super::completion::complete;
use super::definition::definition;
use super::diagnostics::Places;
use super::documents::Document;
use super::fixes::{fixes, wants_fixes};
use super::formatting::formatting;
use super::hover::hover;
use super::lens::{actions, lenses};
use super::references::{Target, highlights, references};
use super::rename::{prepare, rename};
use super::semantic::semantic_tokens;
use super::server::Server;
use super::signature::signature;
use super::symbols::{symbols, workspace_symbols};

impl Server {
    /// What is asked about the text of a document.
    pub(super) fn about_text(&self, method: &str, params: Value) -> Reply<Value> {
        match method {
            "textDocument/hover" => self.about_name(params, hover),
            "textDocument/definition" => {
                self.about_name(params, |_, places, name| definition(places, name))
            }
            "textDocument/documentSymbol" => {
                answered::<DocumentSymbolRequest>(params, |parameters| {
                    let is_tree = self.settings.has_symbol_trees;
                    let uri = &parameters.text_document.uri;
                    self.located(uri, |_, analysis, places, file| {
                        Some(symbols(analysis, &places, file, is_tree))
                    })
                })
            }
            "textDocument/codeLens" => answered::<CodeLensRequest>(params, |parameters| {
                self.located(
                    &parameters.text_document.uri,
                    |script, analysis, places, file| {
                        Some(lenses(analysis, &places, script, file, &self.runs))
                    },
                )
            }),
            "textDocument/codeAction" => answered::<CodeActionRequest>(params, |parameters| {
                let uri = &parameters.text_document.uri;
                self.located(uri, |script, analysis, places, file| {
                    let lenses = lenses(analysis, &places, script, file, &self.runs);
                    let mut found = Vec::new();
                    if wants_fixes(&parameters.context) {
                        found = fixes(analysis, &places, file, parameters.range);
                    }
                    found.extend(actions(lenses, parameters.range));
                    Some(found)
                })
            }),
            "textDocument/completion" => answered::<CompletionRequest>(params, |parameters| {
                let place = &parameters.text_document_position_params;
                let context = parameters.context.as_ref();
                let list = self.completion(&place.text_document.uri, place.position, context)?;
                Ok(Some(CompletionResponse::CompletionList(list)))
            }),
            _ => self.about_uses(method, params),
        }
    }

    /// What is asked about where names are used, and what may be changed.
    fn about_uses(&self, method: &str, params: Value) -> Reply<Value> {
        let encoding = self.settings.encoding;
        let (documents, scripts) = (&self.documents, &self.scripts);
        match method {
            "textDocument/references" => {
                let parameters = read::<ReferencesRequest>(params.clone())?;
                let with_declaration = parameters.context.include_declaration;
                self.about_name(params, |analysis, _, name| {
                    let target = Target::of(&analysis.sources, name.meaning);
                    let found = references(documents, scripts, encoding, &target, with_declaration);
                    Some(found)
                })
            }
            "textDocument/documentHighlight" => self
                .about_name(params, |analysis, places, name| {
                    Some(highlights(analysis, places, name.span.file, name))
                }),
            "textDocument/prepareRename" => {
                let answer = self.at_name(params, prepare)?;
                to_value(&answer.transpose()?)
            }
            "textDocument/rename" => {
                let new = read::<RenameRequest>(params.clone())?.new_name;
                let answer = self.at_name(params, |analysis, _, name| {
                    rename(documents, scripts, encoding, (analysis, name), &new)
                })?;
                let nothing = || RequestRefusal::parameters("no name stands there");
                to_value(&answer.ok_or_else(nothing)??)
            }
            "workspace/symbol" => answered::<WorkspaceSymbolRequest>(params, |parameters| {
                let found = workspace_symbols(documents, scripts, encoding, &parameters.query);
                Ok(Some(found.into()))
            }),
            _ => self.about_layout(method, params),
        }
    }

    /// What is asked about how the text is written.
    fn about_layout(&self, method: &str, params: Value) -> Reply<Value> {
        let encoding = self.settings.encoding;
        match method {
            "textDocument/formatting" => {
                answered::<DocumentFormattingRequest>(params, |parameters| {
                    let document = self.document(&parameters.text_document.uri)?;
                    formatting(document, encoding, None).map(Some)
                })
            }
            "textDocument/rangeFormatting" => {
                answered::<DocumentRangeFormattingRequest>(params, |parameters| {
                    let document = self.document(&parameters.text_document.uri)?;
                    formatting(document, encoding, Some(parameters.range)).map(Some)
                })
            }
            "textDocument/semanticTokens/full" => {
                answered::<SemanticTokensRequest>(params, |parameters| {
                    self.located(&parameters.text_document.uri, |_, analysis, _, file| {
                        Some(semantic_tokens(analysis, file, encoding, None))
                    })
                })
            }
            "textDocument/semanticTokens/range" => {
                answered::<SemanticTokensRangeRequest>(params, |parameters| {
                    let range = Some(parameters.range);
                    self.located(&parameters.text_document.uri, |_, analysis, _, file| {
                        Some(semantic_tokens(analysis, file, encoding, range))
                    })
                })
            }
            "textDocument/signatureHelp" => {
                answered::<SignatureHelpRequest>(params, |parameters| {
                    let place = &parameters.text_document_position_params;
                    let uri = &place.text_document.uri;
                    let document = self.document(uri)?;
                    let at = document.byte(place.position, encoding);
                    Ok(signature(&self.documents, &self.scripts, document, at))
                })
            }
            _ => Err(RequestRefusal {
                code: ErrorCode::MethodNotFound,
                message: format!("{method} is not supported"),
            }),
        }
    }

    /// The open document `uri`.
    fn document(&self, uri: &Uri) -> Reply<&Document> {
        self.documents.get(uri).ok_or_else(|| not_open(uri))
    }

    /// What is to be found about the file `uri` in the script that it belongs to, by name.
    fn located<T>(
        &self,
        uri: &Uri,
        find: impl FnOnce(&str, &Analysis, Places<'_>, FileId) -> Option<T>,
    ) -> Reply<Option<T>> {
        let document = self.document(uri)?;
        Ok(self
            .scripts
            .of(document)
            .and_then(|(script, analysis, file)| {
                let encoding = self.settings.encoding;
                let places = Places::new(&self.documents, &analysis.sources, encoding);
                find(script, analysis, places, file)
            }))
    }

    /// What is to be found about the name at the place that `params` give.
    fn about_name<T: Serialize>(
        &self,
        params: Value,
        find: impl FnOnce(&Analysis, &Places<'_>, &Occurrence) -> Option<T>,
    ) -> Reply<Value> {
        let found = self.at_name(params, find)?;
        to_value(&found.flatten())
    }

    /// What `find` makes of the name at the place that `params` give. Returns `None` if no name
    /// stands there.
    fn at_name<T>(
        &self,
        params: Value,
        find: impl FnOnce(&Analysis, &Places<'_>, &Occurrence) -> T,
    ) -> Reply<Option<T>> {
        let place: TextDocumentPositionParams = parsed(params)?;
        let uri = &place.text_document.uri;
        self.located(uri, |_, analysis, places, file| {
            let document = self.documents.get(uri)?;
            let at = document.byte(place.position, self.settings.encoding);
            let name = analysis.names.at(file, at as u32)?;
            Some(find(analysis, &places, name))
        })
    }

    /// A single colon is typed on the way to `::`; for it alone nobody wants a list of all names.
    fn completion(
        &self,
        uri: &Uri,
        position: Position,
        context: Option<&CompletionContext>,
    ) -> Reply<CompletionList> {
        let document = self.document(uri)?;
        let encoding = self.settings.encoding;
        let typed = context.and_then(|context| context.trigger_character.as_deref());
        let before = &document.text[..document.byte(position, encoding)];
        if typed == Some(":") && !before.ends_with("::") {
            return Ok(CompletionList::default());
        }
        let (documents, scripts) = (&self.documents, &self.scripts);
        Ok(complete(documents, scripts, document, position, encoding))
    }
}
