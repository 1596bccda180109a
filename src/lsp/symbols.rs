//! The outline of a file: modules, datatypes with their constructors, channels, definitions,
//! assertions.

use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolResponse, SymbolInformation, SymbolKind,
};

use rustc_hash::FxHashSet;

use base::source::{FileId, Span};
use base::stack::deep;
use syntax::assertion_text;
use syntax::ast::{Declaration, DeclarationId};
use types::occurrences::DefinedName;
use types::scope::NameKind;

use super::analysis::Analysis;
use super::diagnostics::Places;
use super::documents::Documents;
use super::positions::Encoding;
use super::scripts::Scripts;

/// The outline of `file`, as a tree if the client can show one.
pub(super) fn symbols(
    analysis: &Analysis,
    places: &Places<'_>,
    file: FileId,
    is_tree: bool,
) -> DocumentSymbolResponse {
    let outline = Outline {
        analysis,
        places,
        file,
    };
    let mut tree = Vec::new();
    outline.declarations(&analysis.ast.script, &mut tree);
    if is_tree {
        return DocumentSymbolResponse::DocumentSymbolList(tree);
    }
    let mut list = Vec::new();
    outline.flatten(tree, None, &mut list);
    DocumentSymbolResponse::SymbolInformationList(list)
}

/// The symbols of all open scripts, and what they include, whose names have the letters of `query`
/// in this order.
pub(super) fn workspace_symbols(
    documents: &Documents,
    scripts: &Scripts,
    encoding: Encoding,
    query: &str,
) -> Vec<SymbolInformation> {
    let mut found: Vec<SymbolInformation> = Vec::new();
    for (_, analysis) in scripts.iter() {
        let places = Places::new(documents, &analysis.sources, encoding);
        for (file, _) in analysis.sources.iter() {
            let all = symbols(analysis, &places, file, false);
            let DocumentSymbolResponse::SymbolInformationList(all) = all else {
                continue;
            };
            // An assertion has no name.
            let wanted = |one: &SymbolInformation| {
                let base = &one.base_symbol_information;
                base.kind != SymbolKind::Boolean && is_like(&base.name, query)
            };
            found.extend(all.into_iter().filter(wanted));
        }
    }
    // Two scripts may include one file.
    let mut known = FxHashSet::default();
    found.retain(|one| {
        let place = one.location.range.start;
        let name = one.base_symbol_information.name.clone();
        known.insert((
            one.location.uri.0.clone(),
            place.line,
            place.character,
            name,
        ))
    });
    found
}

/// Whether `name` has the letters of `query` in this order, in whatever case.
fn is_like(name: &str, query: &str) -> bool {
    let mut signs = name.chars().map(|sign| sign.to_ascii_lowercase());
    let mut wanted = query.chars().filter(|sign| !sign.is_whitespace());
    wanted.all(|sign| signs.any(|other| other == sign.to_ascii_lowercase()))
}

struct Outline<'a> {
    analysis: &'a Analysis,
    places: &'a Places<'a>,
    file: FileId,
}

impl Outline<'_> {
    fn declarations(&self, declarations: &[DeclarationId], found: &mut Vec<DocumentSymbol>) {
        for &id in declarations {
            deep(|| self.declaration(id, found));
        }
    }

    fn declaration(&self, id: DeclarationId, found: &mut Vec<DocumentSymbol>) {
        let ast = &self.analysis.ast;
        let span = ast.declarations[id].span;
        let names = self.analysis.names.introduced(id);
        match ast.declaration(id) {
            // The file can be anywhere in what is included.
            Declaration::Include(_, inner) => self.declarations(inner, found),
            _ if span.file != self.file => {}
            Declaration::Timed(_, inner) => self.declarations(inner, found),
            Declaration::Module {
                private, exports, ..
            } => {
                let mut members = Vec::new();
                self.declarations(private, &mut members);
                self.declarations(exports, &mut members);
                found.extend(
                    names
                        .iter()
                        .map(|name| self.symbol(name, span, members.clone())),
                );
            }
            Declaration::Datatype(..) => {
                let Some((first, constructors)) = names.split_first() else {
                    return;
                };
                let constructors = constructors.iter();
                let constructors =
                    constructors.map(|name| self.symbol(name, name.span, Vec::new()));
                found.push(self.symbol(first, span, constructors.collect()));
            }
            Declaration::Assert(assertion) => {
                let text = format!("assert {}", assertion_text(ast, assertion));
                let range = self.places.range(span);
                let kind = SymbolKind::Boolean;
                found.push(DocumentSymbol::new(
                    text, None, kind, None, None, range, range, None,
                ));
            }
            _ => {
                let several = names.len() > 1;
                for name in names {
                    let whole = if several { name.span } else { span };
                    found.push(self.symbol(name, whole, Vec::new()));
                }
            }
        }
    }

    /// A name that is introduced by what stands at `whole`.
    fn symbol(
        &self,
        name: &DefinedName,
        whole: Span,
        children: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        let kind = match name.kind {
            NameKind::Variable => SymbolKind::Variable,
            NameKind::Constant => SymbolKind::Constant,
            NameKind::Function | NameKind::Import(_) => SymbolKind::Function,
            NameKind::Channel => SymbolKind::Event,
            NameKind::Constructor => SymbolKind::EnumMember,
            NameKind::Type => SymbolKind::Enum,
            NameKind::Module => SymbolKind::Module,
            NameKind::Instance => SymbolKind::Object,
        };
        DocumentSymbol::new(
            self.analysis.ast.name(name.symbol).to_string(),
            self.analysis.type_of(name),
            kind,
            None,
            None,
            self.places.range(whole),
            self.places.range(name.span),
            (!children.is_empty()).then_some(children),
        )
    }

    /// Adds `tree` to `list`, for clients that show no trees.
    fn flatten(
        &self,
        tree: Vec<DocumentSymbol>,
        container: Option<&str>,
        list: &mut Vec<SymbolInformation>,
    ) {
        let whole = self.places.location(Span::new(self.file, 0, 0));
        for symbol in tree {
            let base = BaseSymbolInformation {
                name: symbol.name.clone(),
                kind: symbol.kind,
                tags: None,
                container_name: container.map(str::to_string),
            };
            let location = gen_lsp_types::Location {
                range: symbol.range,
                ..whole.clone()
            };
            list.push(SymbolInformation::new(None, location, base));
            let children = symbol.children.unwrap_or_default();
            deep(|| self.flatten(children, Some(&symbol.name), list));
        }
    }
}
