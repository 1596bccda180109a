//! Prints abstract syntax as text that parses to an equal tree.

mod declarations;
mod expressions;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::ast::{Assertion, Ast, DeclarationId, ExprId, PatternId};

/// The script as text, a declaration a line. Included files are named, not expanded.
pub fn script_text(ast: &Ast) -> String {
    let mut printer = Printer::new(ast);
    for &id in &ast.script {
        if !ast.is_of_import(id) {
            printer.declaration(id);
            printer.line();
        }
    }
    printer.out
}

/// A declaration as text, with the places where the printer leaves spaces to the text.
pub(super) struct PrintedDeclaration {
    pub(super) text: String,
    /// The places where two words meet that may have a space between them or none, in order. The
    /// printer writes a space where two signs would read as one.
    pub(super) free: Vec<usize>,
    /// The contents of round, curly, pointed and square brackets where the printer writes no
    /// spaces, from behind the opening bracket to before the closing one.
    pub(super) insides: Vec<Range<usize>>,
}

/// One declaration as text.
pub(super) fn printed_declaration(ast: &Ast, id: DeclarationId) -> PrintedDeclaration {
    let mut printer = Printer::new(ast);
    printer.declaration(id);
    PrintedDeclaration {
        text: printer.out,
        free: printer.free,
        insides: printer.insides,
    }
}

/// One expression as text, on one line unless it has a `let` of several definitions.
pub fn expression_text(ast: &Ast, id: ExprId) -> String {
    let mut printer = Printer::new(ast);
    printer.expr(id);
    printer.out
}

/// One expression as text. Each expression in `texts` is printed as its text there.
pub fn expression_text_with(ast: &Ast, id: ExprId, texts: FxHashMap<ExprId, String>) -> String {
    let mut printer = Printer {
        texts,
        ..Printer::new(ast)
    };
    printer.expr(id);
    printer.out
}

/// One pattern as text.
pub fn pattern_text(ast: &Ast, id: PatternId) -> String {
    let mut printer = Printer::new(ast);
    printer.pattern(id);
    printer.out
}

/// One assertion as text, without the word `assert`.
pub fn assertion_text(ast: &Ast, assertion: &Assertion) -> String {
    let mut printer = Printer::new(ast);
    printer.assertion(assertion);
    printer.out
}

/// Text in the making.
struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    /// The places described at [`PrintedDeclaration::free`].
    free: Vec<usize>,
    insides: Vec<Range<usize>>,
    /// The indentation of the lines of nested declarations.
    indent: usize,
    /// The texts to write for some expressions.
    texts: FxHashMap<ExprId, String>,
}

/// Pairs of symbols that may meet without a space, because they do not read as a longer symbol.
const SAFE_PAIRS: &[&str] = &[
    "{{", "}}", "<<", ">>", "{<", "<{", ">}", "}>", ".{", ".<", ".-", "}.", ">.", "!<", "!{", "?<",
    "?{", "$<", "${", ":{", ":<", "?-", "!-", "$-", "[{", "}]", ">]", "#<", "-<", "-{", "{}", ".}",
    ".#", "!#",
];

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast) -> Self {
        Self {
            ast,
            out: String::new(),
            free: Vec::new(),
            insides: Vec::new(),
            indent: 0,
            texts: FxHashMap::default(),
        }
    }

    /// Appends `text`, after a space if the two would otherwise read as one word or symbol.
    fn put(&mut self, text: &str) {
        if let (Some(last), Some(first)) = (self.out.chars().next_back(), text.chars().next())
            && runs_together(last, first)
        {
            self.free.push(self.out.len());
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    /// Appends ` text `.
    fn infix(&mut self, text: &str) {
        self.space();
        self.out.push_str(text);
        self.out.push(' ');
    }

    fn space(&mut self) {
        if !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// Calls `item` for each of `items`, with commas between.
    fn commas<T: Copy>(&mut self, items: &[T], item: impl FnMut(&mut Self, T)) {
        self.joined(items, ", ", item);
    }

    /// Calls `item` for each of `items`, with `operator` between.
    fn joined<T: Copy>(&mut self, items: &[T], operator: &str, mut item: impl FnMut(&mut Self, T)) {
        for (i, &it) in items.iter().enumerate() {
            if i > 0 {
                self.put(operator);
            }
            item(self, it);
        }
    }

    /// Writes `open`, then the output of `inside`, then `close`.
    fn bracket(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        self.inside(close, inside);
    }

    /// Writes the output of `inside` behind an opening bracket, and then `close`.
    fn inside(&mut self, close: &str, inside: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        inside(self);
        self.insides.push(start..self.out.len());
        self.put(close);
    }
}

fn runs_together(last: char, first: char) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '"');
    if word(last) && word(first) {
        return true;
    }
    match (last, first) {
        // `|)` would read as the end of a map. A `|` alone never stands behind a round bracket, so
        // `(|` cannot begin one.
        ('|', ')') => true,
        // These do not join either. `*` stands alone only in types that are not known.
        ('(' | ')' | ',' | '^' | '*', _) | (_, '(' | ')' | ',' | '^' | '*') => false,
        _ => {
            let symbol = |c: char| !word(c) && !c.is_whitespace() && c.is_ascii();
            let pair: String = [last, first].iter().collect();
            symbol(last) && symbol(first) && !SAFE_PAIRS.contains(&pair.as_str())
        }
    }
}
