//! The outline of a file: modules, datatypes with their constructors, channels, definitions,
//! assertions.

use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, Location, SymbolInformation, SymbolKind,
};
use rustc_hash::FxHashSet;

use base::source::Span;
use base::stack::deep;
use syntax::assertion_text;
use syntax::ast::{Declaration, DeclarationId};
use types::occurrences::DefinedName;
use types::scope::NameKind;

use super::scripts::{ScriptFile, Scripts};

/// The symbols of all open scripts, and of the files that they include, whose names have the
/// letters of `query` in this order.
pub(crate) fn workspace_symbols(scripts: &Scripts, query: &str) -> Vec<SymbolInformation> {
    let mut found: Vec<SymbolInformation> = Vec::new();
    for script in scripts.iter() {
        for (file, _) in script.analysis.sources.iter() {
            found.extend(scripts.part(script, file).symbol_list());
        }
    }
    // Two scripts may include one file.
    let mut known = FxHashSet::default();
    found.retain(|one| {
        let base = &one.base_symbol_information;
        // An assertion has no name.
        base.kind != SymbolKind::Boolean && is_like(&base.name, query) && {
            let location = &one.location;
            known.insert((
                location.uri.clone(),
                location.range.start,
                base.name.clone(),
            ))
        }
    });
    found
}

/// True if `name` has the letters of `query` in this order, in whatever case.
fn is_like(name: &str, query: &str) -> bool {
    let mut signs = name.chars().map(|sign| sign.to_ascii_lowercase());
    let mut wanted = query.chars().filter(|sign| !sign.is_whitespace());
    wanted.all(|sign| signs.any(|other| other == sign.to_ascii_lowercase()))
}

impl ScriptFile<'_> {
    /// The symbols of the file, in trees.
    pub(crate) fn symbol_tree(&self) -> Vec<DocumentSymbol> {
        let mut tree = Vec::new();
        self.declarations(&self.analysis.ast.script, &mut tree);
        tree
    }

    /// The symbols of the file in one list, for clients that show no trees.
    pub(crate) fn symbol_list(&self) -> Vec<SymbolInformation> {
        let mut list = Vec::new();
        self.flatten(self.symbol_tree(), None, &mut list);
        list
    }

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
            // The file may be included at any depth.
            Declaration::Include(_, inner) => self.declarations(inner, found),
            _ if span.file != self.file => {}
            Declaration::Timed(_, inner) => self.declarations(inner, found),
            Declaration::Module {
                private, exports, ..
            } => {
                let mut members = Vec::new();
                self.declarations(private, &mut members);
                self.declarations(exports, &mut members);
                let each = names.iter();
                found.extend(each.map(|name| self.name(name, span, members.clone())));
            }
            Declaration::Datatype(..) => {
                if let Some((first, constructors)) = names.split_first() {
                    let each = constructors.iter();
                    let each = each.map(|name| self.name(name, name.span, Vec::new()));
                    found.push(self.name(first, span, each.collect()));
                }
            }
            Declaration::Assert(assertion) => {
                let text = format!("assert {}", assertion_text(ast, assertion));
                let kind = SymbolKind::Boolean;
                found.push(self.symbol(text, None, kind, (span, span), Vec::new()));
            }
            _ => found.extend(names.iter().map(|name| {
                let whole = if names.len() > 1 { name.span } else { span };
                self.name(name, whole, Vec::new())
            })),
        }
    }

    /// The symbol of a name that the declaration at `whole` introduces.
    fn name(&self, name: &DefinedName, whole: Span, inner: Vec<DocumentSymbol>) -> DocumentSymbol {
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
        let text = self.analysis.ast.name(name.symbol).to_string();
        let ty = self.analysis.type_of(name);
        self.symbol(text, ty, kind, (whole, name.span), inner)
    }

    fn symbol(
        &self,
        text: String,
        detail: Option<String>,
        kind: SymbolKind,
        (whole, name): (Span, Span),
        inner: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        let (whole, name) = (self.places.range(whole), self.places.range(name));
        let inner = (!inner.is_empty()).then_some(inner);
        DocumentSymbol::new(text, detail, kind, None, None, whole, name, inner)
    }

    /// Adds `tree` to `list`.
    fn flatten(
        &self,
        tree: Vec<DocumentSymbol>,
        container: Option<&str>,
        list: &mut Vec<SymbolInformation>,
    ) {
        let uri = self.places.location(Span::new(self.file, 0, 0)).uri;
        for symbol in tree {
            let (name, container) = (symbol.name.clone(), container.map(str::to_string));
            let base = BaseSymbolInformation::new(name, symbol.kind, None, container);
            let location = Location::new(uri.clone(), symbol.range);
            list.push(SymbolInformation::new(None, location, base));
            let children = symbol.children.unwrap_or_default();
            deep(|| self.flatten(children, Some(&symbol.name), list));
        }
    }
}
