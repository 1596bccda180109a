//! Types of whole scripts.

mod types;

use std::path::{Path, PathBuf};

use super::{Typed, infer};
use crate::text::TypeNames;
use ::types::resolve::resolve;
use base::diag::{Diagnostic, Severity};
use base::source::SourceMap;
use syntax::ast::Ast;
use syntax::{Loader, NotIncluded, parse_script};

/// A script that was typed.
pub(super) struct Checked {
    pub(super) ast: Ast,
    pub(super) typed: Typed,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) sources: SourceMap,
}

/// Included files beside the script.
struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, path: &str, _: &str, _: &str) -> Result<(String, String), NotIncluded> {
        let found = self.0.join(path);
        let text = std::fs::read_to_string(&found);
        let text = text.map_err(|error| NotIncluded::Missing(error.to_string()))?;
        Ok((found.display().to_string(), text))
    }
}

/// Types the script `text`, whose syntax and names are right.
pub(super) fn check(text: &str, folder: &Path) -> Checked {
    let mut sources = SourceMap::new();
    let root = sources.add("script.csp", text.to_string());
    let (ast, problems) = parse_script(&mut sources, root, &mut Beside(folder.to_path_buf()));
    assert!(problems.is_empty(), "{}", problems[0].render(&sources));
    let (resolved, problems) = resolve(&ast);
    let mut errors = problems.iter().filter(|p| p.severity == Severity::Error);
    if let Some(error) = errors.next() {
        panic!("{}", error.render(&sources));
    }
    let (typed, problems) = infer(&ast, &resolved, &[]);
    Checked {
        ast,
        typed,
        problems,
        sources,
    }
}

impl Checked {
    /// The lines `name :: type` for `names`, in their order.
    pub(super) fn types(&mut self, names: &[&str]) -> Vec<String> {
        let types = names.iter().map(|&name| {
            let mut declared = self.typed.declared.iter();
            let found = declared.find(|d| self.ast.name(d.name.symbol) == name);
            let scheme = found
                .unwrap_or_else(|| panic!("{name} is not declared"))
                .scheme
                .clone();
            let text = TypeNames::new(&self.ast).scheme(&mut self.typed.types, &scheme);
            format!("{name} :: {text}")
        });
        types.collect()
    }

    /// The messages as they are printed.
    pub(super) fn messages(&self) -> String {
        let rendered = self.problems.iter().map(|p| p.render(&self.sources));
        rendered.collect()
    }
}
