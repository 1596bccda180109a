//! Parses files to one syntax tree: includes, modules, one message for each broken declaration.

use lalrpop_util::ParseError;

use super::ast::*;
use super::builder::{Header, Parsed, TreeBuilder};
use super::grammar::TextParser;
use super::imports::import;
use super::layout::{LaidOut, Placed, lay_out, lay_out_line};
use super::members::{InnerScope, forbidden};
use super::messages::{SyntaxStop, syntax_error};
use super::tokens::{Token, tokens};
use super::unread::unread_assertion;
use base::diag::{Diagnostic, Result};
use base::source::{FileId, SourceFile, SourceMap, Span};
use base::stack::deep;

/// Reads the files that scripts include.
pub trait Loader {
    /// The name and the text of the file that `including` names as `path`. It is looked for beside
    /// `including`, then beside `root`. A file has the same name each time it is found, so that
    /// cycles are seen.
    fn load(
        &mut self,
        path: &str,
        including: &str,
        root: &str,
    ) -> std::result::Result<(String, String), NotIncluded>;
}

/// The reason why a file is not included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotIncluded {
    /// The file is not there or cannot be read. The sentence tells the user which.
    Missing(String),
    /// The file lies outside of the folder that may be read.
    Outside {
        /// A sentence that tells the user which file and which folder.
        reason: String,
        /// The sentence that tells what can be done.
        hint: String,
    },
}

impl NotIncluded {
    /// The message about the include of `path`.
    pub(super) fn diagnostic(&self, path: &str) -> Diagnostic {
        match self {
            Self::Missing(reason) => {
                let message = format!("cannot include \"{path}\": {reason}");
                Diagnostic::error("include-not-found", message)
            }
            Self::Outside { reason, hint } => {
                let message = format!("\"{path}\" may not be included: {reason}");
                Diagnostic::error("include-outside-root", message).hint(hint.clone())
            }
        }
    }
}

/// A loader for text that includes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn load(
        &mut self,
        _: &str,
        _: &str,
        _: &str,
    ) -> std::result::Result<(String, String), NotIncluded> {
        let reason = "no files can be included here";
        Err(NotIncluded::Missing(reason.to_string()))
    }
}

/// Parses the file `root` and all that it includes. With any diagnostic the tree holds only the
/// declarations that could be read, and assertions that could not be read as
/// [`AssertionKind::Unread`].
pub fn parse_script(
    sources: &mut SourceMap,
    root: FileId,
    loader: &mut dyn Loader,
) -> (Ast, Vec<Diagnostic>) {
    let mut ast = Ast::default();
    let mut reader = Reader {
        sources,
        loader,
        root,
        chain: Vec::new(),
        diagnostics: Vec::new(),
    };
    ast.script = reader.file(&mut ast, root);
    let mut diagnostics = reader.diagnostics;
    diagnostics.extend(import(&mut ast, sources, root, loader));
    (ast, diagnostics)
}

/// Parses the whole of `file` as one expression, into `ast`.
pub fn parse_expression(ast: &mut Ast, sources: &SourceMap, file: FileId) -> Result<ExprId> {
    match parse_line(ast, sources, file, Token::StartExpression)? {
        Parsed::Expression(id) => Ok(id),
        _ => unreachable!("the start token decides"),
    }
}

/// Parses `text` as one expression, into `ast`. Places in `text` are places in `file`.
pub(super) fn parse_expression_in(
    ast: &mut Ast,
    file: FileId,
    name: &str,
    text: &str,
) -> Result<ExprId> {
    match parse_text(ast, file, name, text, Token::StartExpression)? {
        Parsed::Expression(id) => Ok(id),
        _ => unreachable!("the start token decides"),
    }
}

/// Parses the whole of `file` as one assertion, with or without the word `assert`.
pub fn parse_assertion(ast: &mut Ast, sources: &SourceMap, file: FileId) -> Result<Assertion> {
    match parse_line(ast, sources, file, Token::StartAssertion)? {
        Parsed::Assertion(assertion) => Ok(*assertion),
        _ => unreachable!("the start token decides"),
    }
}

fn parse_line(ast: &mut Ast, sources: &SourceMap, file: FileId, start: Token) -> Result<Parsed> {
    let SourceFile { name, text, .. } = sources.file(file);
    parse_text(ast, file, name, text, start)
}

fn parse_text(ast: &mut Ast, file: FileId, name: &str, text: &str, start: Token) -> Result<Parsed> {
    first(too_large(name, text.len()))?;
    let (mut lexed, diagnostics) = tokens(ast, file, text);
    first(diagnostics)?;
    if start == Token::StartAssertion {
        if lexed.first().is_some_and(|l| l.token == Token::Assert) {
            lexed.remove(0);
        }
        if let Some(negation) = lexed.first_mut().filter(|l| l.token == Token::Not) {
            // Layout tells this `not` by the `assert` before it, which may be absent here.
            negation.token = Token::NotAssertion;
        }
    }
    let layout = lay_out_line(&lexed, file, text);
    first(layout.diagnostics)?;
    let mut build = TreeBuilder::new(ast, file, text);
    let parsed = parse_one(&mut build, start, &layout.tokens).map_err(Box::new)?;
    first(build.take_diagnostics())?;
    Ok(parsed)
}

fn first(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Result<()> {
    diagnostics
        .into_iter()
        .next()
        .map_or(Ok(()), |diagnostic| Err(Box::new(diagnostic)))
}

/// The message for a text of `bytes` bytes, called `name`, if it has more bytes than places can
/// number. The command line refuses far smaller files.
fn too_large(name: &str, bytes: usize) -> Option<Diagnostic> {
    u32::try_from(bytes).is_err().then(|| {
        let message = format!("`{name}` has 4 GiB or more");
        Diagnostic::error("file-too-large", message)
    })
}

/// Runs the grammar over `tokens`.
fn parse_one(
    build: &mut TreeBuilder<'_>,
    start: Token,
    tokens: &[Placed],
) -> std::result::Result<Parsed, Diagnostic> {
    let at = tokens.first().map_or(0, |t| t.0);
    let input = std::iter::once((at, start, at)).chain(tokens.iter().copied());
    TextParser::new().parse(build, input).map_err(|error| {
        let (found, expected) = match error {
            ParseError::UnrecognizedToken { token, expected } => (Some(token), expected),
            ParseError::UnrecognizedEof { expected, .. } => (None, expected),
            ParseError::ExtraToken { token } => (Some(token), Vec::new()),
            // Only lexers and actions that fail lead here, and there are none.
            ParseError::InvalidToken { .. } | ParseError::User { error: () } => (None, Vec::new()),
        };
        // Tokens are compared as a whole: a line break starts where the token after it does.
        let index = found.and_then(|found| tokens.iter().position(|&token| token == found));
        let index = index.unwrap_or(tokens.len());
        let stop = SyntaxStop {
            file: build.file,
            text: build.text,
            tokens,
            index,
            expected: &expected,
        };
        syntax_error(&stop)
    })
}

/// A module whose `endmodule` has not come yet.
struct OpenModule {
    header: Header,
    span: Span,
    private: Vec<DeclarationId>,
    exports: Option<Vec<DeclarationId>>,
}

/// Reads files, and the files that they include.
struct Reader<'a> {
    sources: &'a mut SourceMap,
    loader: &'a mut dyn Loader,
    root: FileId,
    /// The files being read, outermost first.
    chain: Vec<FileId>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn file(&mut self, ast: &mut Ast, file: FileId) -> Vec<DeclarationId> {
        let source = self.sources.file(file);
        if let Some(refused) = too_large(&source.name, source.text.len()) {
            self.diagnostics.push(refused);
            return Vec::new();
        }
        // The text is needed while later files are added to the map.
        let text = source.text.clone();
        let (lexed, lexical) = tokens(ast, file, &text);
        let layout = lay_out(&lexed, file, &text);
        drop(lexed);
        let mut found = lexical;
        found.extend(layout.diagnostics.iter().cloned());
        let mut build = TreeBuilder::new(ast, file, &text);
        let script = declarations(&mut build, &layout, &mut found);
        let includes = std::mem::take(&mut build.includes);
        // Lexer, layout and grammar have each gone through the whole file.
        found.sort_by_key(|d| d.labels.first().map_or(0, |(span, _)| span.start));
        self.diagnostics.extend(found);
        self.chain.push(file);
        // Includes are read last, so that the messages about one file stand together.
        for include in includes {
            deep(|| self.include(ast, include));
        }
        self.chain.pop();
        script
    }

    /// Reads the file of one include into its declaration.
    fn include(&mut self, ast: &mut Ast, id: DeclarationId) {
        let span = ast.declarations[id].span;
        let Declaration::Include(path, _) = &ast.declarations[id].kind else {
            return;
        };
        let path = path.clone();
        let name = |file| self.sources.file(file).name.as_str();
        let loaded = self.loader.load(&path, name(span.file), name(self.root));
        match loaded {
            Err(refused) => self
                .diagnostics
                .push(refused.diagnostic(&path).at(span, "")),
            Ok((name, text)) => {
                if let Some(at) = self
                    .chain
                    .iter()
                    // Only files that are still being read count: one that was read to its end may
                    // come again.
                    .position(|&f| self.sources.file(f).name == name)
                {
                    self.diagnostics.push(self.cycle(&name, at, span));
                    return;
                }
                let file = self.sources.add_included(name, text, span);
                let members = self.file(ast, file);
                ast.declarations[id].kind = Declaration::Include(path, members);
            }
        }
    }

    fn cycle(&self, name: &str, from: usize, span: Span) -> Diagnostic {
        let mut names: Vec<&str> = self.chain[from..]
            .iter()
            .map(|&f| self.sources.file(f).name.as_str())
            .collect();
        names.push(name);
        Diagnostic::error("cyclic-include", "this file includes itself")
            .at(span, "this include closes the circle")
            .note(names.join(" includes "))
    }
}

/// Parses each declaration of a file. Puts modules together from their lines.
fn declarations(
    build: &mut TreeBuilder<'_>,
    layout: &LaidOut,
    found: &mut Vec<Diagnostic>,
) -> Vec<DeclarationId> {
    let mut scopes = OpenScopes::default();
    for range in &layout.declarations {
        let tokens = &layout.tokens[range.clone()];
        let parsed = match parse_declaration(build, tokens) {
            Ok(parsed) => Some(parsed),
            Err(diagnostic) => {
                found.extend(build.abandon());
                found.extend(diagnostic);
                unread_assertion(build, tokens)
            }
        };
        let Some(parsed) = parsed else {
            continue;
        };
        found.extend(build.take_diagnostics());
        let span = build.span(tokens[0].0, tokens[tokens.len() - 1].2);
        found.extend(scopes.add(build, parsed, span));
    }
    // Declarations in these modules are in no scope, so the script goes on without them.
    found.extend(scopes.modules.iter().map(|module| {
        Diagnostic::error("unclosed-module", "this module has no `endmodule`")
            .at(module.span, "the module starts here")
    }));
    scopes.script
}

/// Reads one declaration. Tokens that could not be read have been reported already.
fn parse_declaration(
    build: &mut TreeBuilder<'_>,
    tokens: &[Placed],
) -> std::result::Result<Parsed, Option<Diagnostic>> {
    if tokens.iter().any(|token| token.1 == Token::Broken) {
        return Err(None);
    }
    parse_one(build, Token::StartDeclaration, tokens).map_err(Some)
}

/// The scopes that are open while a file is read.
#[derive(Default)]
struct OpenScopes {
    script: Vec<DeclarationId>,
    /// The open modules, innermost last.
    modules: Vec<OpenModule>,
}

impl OpenScopes {
    /// The list that takes the next declaration.
    fn current(&mut self) -> &mut Vec<DeclarationId> {
        match self.modules.last_mut() {
            Some(module) => module.exports.as_mut().unwrap_or(&mut module.private),
            None => &mut self.script,
        }
    }

    /// Takes one declaration or one line of a module. Returns a message if it is out of place.
    fn add(
        &mut self,
        build: &mut TreeBuilder<'_>,
        parsed: Parsed,
        span: Span,
    ) -> Option<Diagnostic> {
        match parsed {
            Parsed::Declaration(declaration) => {
                let in_module = !self.modules.is_empty();
                let wrong = forbidden(build.ast, &declaration, InnerScope::Module);
                build.add_member(*declaration, self.current());
                wrong.filter(|_| in_module)
            }
            Parsed::Header(header) => {
                self.modules.push(OpenModule {
                    header: *header,
                    span,
                    private: Vec::new(),
                    exports: None,
                });
                None
            }
            Parsed::Exports => match self.modules.last_mut() {
                Some(module) if module.exports.is_none() => {
                    module.exports = Some(Vec::new());
                    None
                }
                _ => Some(stray("exports", span)),
            },
            Parsed::EndModule => match self.modules.pop() {
                Some(module) => {
                    // The module is closed all the same: otherwise the declarations after it would
                    // be taken for a part of it.
                    let wrong = module.exports.is_none().then(|| no_exports(module.span));
                    let declaration = close_module(module, span);
                    build.add_member(declaration, self.current());
                    wrong
                }
                None => Some(stray("endmodule", span)),
            },
            Parsed::Expression(_) | Parsed::Assertion(_) => unreachable!("the start token decides"),
        }
    }
}

fn no_exports(span: Span) -> Diagnostic {
    Diagnostic::error("missing-exports", "this module has no `exports`")
        .at(span, "")
        .hint("what stands after a line `exports` can be used from outside, as `M::x`")
}

fn close_module(module: OpenModule, end: Span) -> Node<Declaration> {
    let kind = Declaration::Module {
        name: module.header.name,
        parameters: module.header.parameters,
        private: module.private,
        exports: module.exports.unwrap_or_default(),
    };
    Node {
        kind,
        span: module.span.to(end),
    }
}

fn stray(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("stray-module-part", format!("`{word}` stands outside a module")).at(span, "").hint(
        "a module is written `module M`, its private part, `exports`, its exported part, `endmodule`, each on its own line",
    )
}

#[cfg(test)]
mod tests {
    use super::too_large;

    #[test]
    fn places_are_counted_in_32_bits() {
        let most = u32::MAX as usize;
        assert_eq!(too_large("a.csp", most), None);
        let refused = too_large("a.csp", most + 1).map(|problem| problem.code);
        assert_eq!(refused, Some("file-too-large"));
    }
}
