//! What is asked about the text of a document, and who answers it.

use gen_lsp_types::{
    CodeActionRequest, CodeLensRequest, CompletionContext, CompletionList, CompletionRequest,
    CompletionResponse, DocumentSymbolRequest, Position, TextDocumentPositionParams, Uri,
};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde_json::Value;

use crate::source::FileId;
use crate::types::occurrences::Occurrence;

use super::analysis::Analysis;
use super::answer::{Reply, RequestRefusal, answered, not_open, parsed, to_value};
use super::completion::complete;
use super::definition::definition;
use super::diagnostics::Places;
use super::hover::hover;
use super::lens::{actions, lenses};
use super::server::Server;
use super::symbols::symbols;

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
                    Some(actions(lenses, parameters.range))
                })
            }),
            "textDocument/completion" => answered::<CompletionRequest>(params, |parameters| {
                let place = &parameters.text_document_position_params;
                let context = parameters.context.as_ref();
                let list = self.completion(&place.text_document.uri, place.position, context)?;
                Ok(Some(CompletionResponse::CompletionList(list)))
            }),
            _ => Err(RequestRefusal {
                code: ErrorCode::MethodNotFound,
                message: format!("{method} is not supported"),
            }),
        }
    }

    /// What is to be found about the file `uri` in the script that it belongs to, by name.
    fn located<T>(
        &self,
        uri: &Uri,
        find: impl FnOnce(&str, &Analysis, Places<'_>, FileId) -> Option<T>,
    ) -> Reply<Option<T>> {
        let Some(document) = self.documents.get(uri) else {
            return Err(not_open(uri));
        };
        Ok(self
            .scripts
            .of(document)
            .and_then(|(script, analysis, file)| {
                let places = Places {
                    documents: &self.documents,
                    sources: &analysis.sources,
                    encoding: self.settings.encoding,
                };
                find(script, analysis, places, file)
            }))
    }

    /// What is to be found about the name at the place that `params` give.
    fn about_name<T: Serialize>(
        &self,
        params: Value,
        find: impl FnOnce(&Analysis, &Places<'_>, &Occurrence) -> Option<T>,
    ) -> Reply<Value> {
        let place: TextDocumentPositionParams = parsed(params)?;
        let uri = &place.text_document.uri;
        let found = self.located(uri, |_, analysis, places, file| {
            let document = self.documents.get(uri)?;
            let at = document.byte(place.position, self.settings.encoding);
            find(analysis, &places, analysis.names.at(file, at as u32)?)
        });
        to_value(&found?)
    }

    /// A single colon is typed on the way to `::`; for it alone nobody wants a list of all names.
    fn completion(
        &self,
        uri: &Uri,
        position: Position,
        context: Option<&CompletionContext>,
    ) -> Reply<CompletionList> {
        let Some(document) = self.documents.get(uri) else {
            return Err(not_open(uri));
        };
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
