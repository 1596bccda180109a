//! The names that could be written at a place: those of the scopes around it, once the text is
//! finished so that it can be read.

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionList};

use syntax::DECLARATIONS;
use types::builtin::{Builtin, Visibility};
use types::occurrences::{Meaning, Visible};
use types::scope::NameKind;

use super::analysis::{Analysis, builtin_type};
use super::documents::Document;
use super::scripts::Scripts;
use super::unfinished::{PLACEHOLDER, Unfinished};

/// Words that can begin or go on with an expression.
const WORDS: [&str; 10] = [
    "and", "else", "false", "if", "let", "not", "or", "then", "true", "within",
];

/// Words that stand where a declaration could.
const BETWEEN_DECLARATIONS: [&str; 2] = ["endmodule", "exports"];

/// The names for the byte `at` of `document`.
pub(crate) fn complete(scripts: &Scripts, document: &Document, at: usize) -> CompletionList {
    let mut items = Vec::new();
    if let Some(place) = Unfinished::at(&document.text, at) {
        let finished = place.read(scripts, document);
        match (&finished, scripts.of(&document.name)) {
            (Some(analysis), _) => visible(analysis, &place, &mut items),
            (None, Some((script, _))) if !place.is_member => {
                // The text around the place cannot be read, but the names of the top level are
                // visible anywhere.
                let analysis = &script.analysis;
                meanings(analysis, &analysis.names.top_level, &mut items);
                builtins(|one| one.visibility() == Visibility::Always, &mut items);
            }
            _ => {}
        }
    }
    CompletionList {
        is_incomplete: false,
        items,
        ..CompletionList::default()
    }
}

fn visible(analysis: &Analysis, place: &Unfinished<'_>, items: &mut Vec<CompletionItem>) {
    match &analysis.names.visible {
        Some(Visible::InScope { names, is_timed }) => {
            meanings(analysis, names, items);
            let is_there = |builtin: Builtin| match builtin.visibility() {
                Visibility::Always => true,
                Visibility::Timed => *is_timed,
                _ => false,
            };
            builtins(is_there, items);
            words(&WORDS, items);
            if place.begins_line {
                words(DECLARATIONS, items);
                words(&BETWEEN_DECLARATIONS, items);
            }
        }
        Some(Visible::Members(names)) => meanings(analysis, names, items),
        Some(Visible::Imports(word)) => builtins(|builtin| word.imports(builtin), items),
        None => {}
    }
}

/// Adds items for the names of the script, those of parameters, generators and inputs first, and
/// for imported built-ins.
fn meanings(analysis: &Analysis, names: &[Meaning], items: &mut Vec<CompletionItem>) {
    for meaning in names {
        let Meaning::Defined(name) = meaning else {
            builtins(|one| *meaning == Meaning::Builtin(one), items);
            continue;
        };
        let text = analysis.ast.name(name.symbol);
        // At the beginning of a line the placeholder may be read as a definition of its own.
        if text == PLACEHOLDER {
            continue;
        }
        let kind = match name.kind {
            NameKind::Variable => CompletionItemKind::Variable,
            NameKind::Constant => CompletionItemKind::Constant,
            NameKind::Function | NameKind::Import(_) => CompletionItemKind::Function,
            NameKind::Channel => CompletionItemKind::Event,
            NameKind::Constructor => CompletionItemKind::EnumMember,
            NameKind::Type => CompletionItemKind::Enum,
            NameKind::Module | NameKind::Instance => CompletionItemKind::Module,
        };
        let nearness = if name.declaration.is_none() { '0' } else { '1' };
        items.push(item(text, kind, nearness, analysis.type_of(name)));
    }
}

fn builtins(is_there: impl Fn(Builtin) -> bool, items: &mut Vec<CompletionItem>) {
    for &builtin in Builtin::ALL.iter().filter(|builtin| is_there(**builtin)) {
        let kind = match builtin.arity() {
            0 => CompletionItemKind::Constant,
            _ => CompletionItemKind::Function,
        };
        items.push(item(builtin.name(), kind, '2', Some(builtin_type(builtin))));
    }
}

fn words(words: &[&str], items: &mut Vec<CompletionItem>) {
    let each = words.iter();
    items.extend(each.map(|word| item(word, CompletionItemKind::Keyword, '3', None)));
}

fn item(
    name: &str,
    kind: CompletionItemKind,
    nearness: char,
    detail: Option<String>,
) -> CompletionItem {
    CompletionItem {
        label: name.to_string(),
        kind: Some(kind),
        detail,
        sort_text: Some(format!("{nearness}{name}")),
        ..CompletionItem::default()
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{LanguageKind, TextDocumentItem, Uri};

    use super::*;
    use crate::analysis::tests::scripts;

    /// There is an answer anywhere in whole scripts, and in scripts that end at the place.
    #[test]
    fn one_can_ask_anywhere() {
        let mut asked = 0;
        for path in scripts("tests/messages") {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            if text.len() > 3000 {
                continue;
            }
            // Every place would take minutes. With a step that is prime, places fall into words of
            // all kinds.
            let places = text.char_indices().map(|(at, _)| at).step_by(89);
            for at in places {
                for text in [&text, &text[..at]] {
                    let mut all = Scripts::default();
                    let uri = Uri::from("file:///nowhere/a.csp");
                    all.documents.open(TextDocumentItem {
                        uri: uri.clone(),
                        language_id: LanguageKind::new("cspm"),
                        version: 1,
                        text: text.to_string(),
                    });
                    all.refresh();
                    complete(&all, all.documents.get(&uri).unwrap(), at);
                    asked += 1;
                }
            }
        }
        assert!(asked > 500, "{asked}");
    }
}
