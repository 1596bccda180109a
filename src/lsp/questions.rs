//! Questions about the text of a document, each passed to the function that answers it.

use gen_lsp_types::{
    CodeActionParams, CodeLensParams, CompletionList, CompletionParams, DocumentFormattingParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, ReferenceParams,
    RenameParams, SemanticTokensParams, SemanticTokensRangeParams, SignatureHelpParams,
    TextDocumentPositionParams as Place, WorkspaceSymbolParams,
};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use types::occurrences::Occurrence;

use super::actions::{actions, lenses};
use super::completion::complete;
use super::documents::Document;
use super::formatting::formatting;
use super::names::{definition, highlights, hover, references};
use super::protocol::{Reply, parsed, refusal, to_value, wrong};
use super::rename::{prepare, rename};
use super::scripts::ScriptFile;
use super::semantic::semantic_tokens;
use super::server::Server;
use super::signature::signature;
use super::symbols::workspace_symbols;

/// Answers a question by `answer`, whose result is what the protocol wants, or null.
fn answered<P: DeserializeOwned, T: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Reply<T>,
) -> Reply<Value> {
    to_value(&answer(parsed(params)?)?)
}

impl Server {
    /// The answer to a question about the text of a document.
    pub(crate) fn about_text(&self, method: &str, params: Value) -> Reply<Value> {
        let scripts = &self.scripts;
        match method {
            "textDocument/documentSymbol" => answered(params, |p: DocumentSymbolParams| {
                let file = scripts.file(&p.text_document.uri)?;
                Ok(file.map(|file| match self.settings.has_symbol_trees {
                    true => DocumentSymbolResponse::from(file.symbol_tree()),
                    false => DocumentSymbolResponse::from(file.symbol_list()),
                }))
            }),
            "textDocument/codeLens" => answered(params, |p: CodeLensParams| {
                let file = scripts.file(&p.text_document.uri)?;
                Ok(file.map(|file| lenses(&file, &self.runs)))
            }),
            "textDocument/codeAction" => answered(params, |p: CodeActionParams| {
                let file = scripts.file(&p.text_document.uri)?;
                Ok(file.map(|file| actions(&file, &self.runs, p.range, &p.context)))
            }),
            "textDocument/semanticTokens/full" => answered(params, |p: SemanticTokensParams| {
                let file = scripts.file(&p.text_document.uri)?;
                Ok(file.map(|file| semantic_tokens(&file, None)))
            }),
            "textDocument/semanticTokens/range" => {
                answered(params, |p: SemanticTokensRangeParams| {
                    let file = scripts.file(&p.text_document.uri)?;
                    Ok(file.map(|file| semantic_tokens(&file, Some(p.range))))
                })
            }
            "textDocument/formatting" => answered(params, |p: DocumentFormattingParams| {
                formatting(scripts.document(&p.text_document.uri)?, None)
            }),
            "textDocument/rangeFormatting" => {
                answered(params, |p: DocumentRangeFormattingParams| {
                    formatting(scripts.document(&p.text_document.uri)?, Some(p.range))
                })
            }
            "workspace/symbol" => answered(params, |p: WorkspaceSymbolParams| {
                Ok(workspace_symbols(scripts, &p.query))
            }),
            _ => self.about_place(method, params),
        }
    }

    /// The answer to a question about a place.
    fn about_place(&self, method: &str, params: Value) -> Reply<Value> {
        let scripts = &self.scripts;
        match method {
            "textDocument/completion" => answered(params, |p: CompletionParams| {
                let (document, at) = self.place(&p.text_document_position_params)?;
                let typed = p.context.and_then(|context| context.trigger_character);
                // A single colon is typed on the way to `::`. Nobody wants a list of all names for
                // it.
                if typed.as_deref() == Some(":") && !document.text[..at].ends_with("::") {
                    return Ok(CompletionList::default());
                }
                Ok(complete(scripts, document, at))
            }),
            "textDocument/signatureHelp" => answered(params, |p: SignatureHelpParams| {
                let (document, at) = self.place(&p.text_document_position_params)?;
                Ok(signature(scripts, document, at))
            }),
            "textDocument/hover" => answered(params, |p: Place| self.at_name(&p, hover)),
            "textDocument/definition" => answered(params, |p: Place| {
                Ok(self.at_name(&p, definition)?.flatten())
            }),
            "textDocument/documentHighlight" => {
                answered(params, |p: Place| self.at_name(&p, highlights))
            }
            "textDocument/references" => answered(params, |p: ReferenceParams| {
                self.at_name(&p.text_document_position_params, |file, name| {
                    references(scripts, file, name, p.context.include_declaration)
                })
            }),
            "textDocument/prepareRename" => {
                answered(params, |p: Place| self.at_name(&p, prepare)?.transpose())
            }
            "textDocument/rename" => answered(params, |p: RenameParams| {
                let renamed = self.at_name(&p.text_document_position_params, |file, name| {
                    rename(scripts, file, name, &p.new_name)
                })?;
                renamed.unwrap_or_else(|| wrong("no name stands there"))
            }),
            _ => {
                let message = format!("{method} is not supported");
                Err(refusal(ErrorCode::MethodNotFound, message))
            }
        }
    }

    /// The open document that `place` is in, and the byte there.
    fn place(&self, place: &Place) -> Reply<(&Document, usize)> {
        let document = self.scripts.document(&place.text_document.uri)?;
        Ok((document, document.byte(place.position)))
    }

    /// The result of `find` for the name at `place`. Returns `None` if no name stands there.
    fn at_name<T>(
        &self,
        place: &Place,
        find: impl FnOnce(&ScriptFile<'_>, &Occurrence) -> T,
    ) -> Reply<Option<T>> {
        let (_, at) = self.place(place)?;
        let file = self.scripts.file(&place.text_document.uri)?;
        Ok(file.and_then(|file| {
            let name = file.analysis.names.at(file.file, at as u32)?;
            Some(find(&file, name))
        }))
    }
}
