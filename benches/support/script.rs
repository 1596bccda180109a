//! Shipped scripts, loaded without the command line.

use std::path::Path;

use base::source::SourceMap;
use eval::ResolvedScript;
use infer::infer;
use syntax::ast::{AssertionKind, Declaration, ExprId, ModelName};
use syntax::parse_script;
use syntax::parser::{Loader, NotIncluded};
use types::resolve::resolve;

/// Includes from the folder of the including file.
pub(crate) struct Beside;

impl Loader for Beside {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        _: &str,
    ) -> Result<(String, String), NotIncluded> {
        let folder = Path::new(including).parent().unwrap_or(Path::new(""));
        let file = folder.join(path).to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file);
        let text = text.map_err(|error| NotIncluded::Missing(error.to_string()))?;
        Ok((file, text))
    }
}

/// The script `text`, called `name`, ready to be evaluated.
pub(crate) fn load(name: &str, text: &str) -> ResolvedScript {
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (ast, problems) = parse_script(&mut sources, root, &mut Beside);
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let (mut resolved, _) = resolve(&ast);
    let (mut typed, _) = infer(&ast, &resolved, &[]);
    resolved.processes.extend(typed.processes(&ast));
    ResolvedScript {
        sources: sources.into(),
        ast,
        resolved,
    }
}

/// Specification and implementation of each trace refinement that `script` asserts.
pub(crate) fn refinements(script: &ResolvedScript) -> Vec<(ExprId, ExprId)> {
    let refinement = |&id| match script.ast.declaration(id) {
        Declaration::Assert(assertion) => match assertion.kind {
            AssertionKind::Refinement {
                specification,
                model: ModelName::T,
                implementation,
            } => Some((specification, implementation)),
            _ => None,
        },
        _ => None,
    };
    script.ast.script.iter().filter_map(refinement).collect()
}
