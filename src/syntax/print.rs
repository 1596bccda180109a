//! Abstract syntax to text that parses to the same tree.

mod declarations;
mod expressions;

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

/// One declaration as text.
pub(super) fn declaration_text(ast: &Ast, id: DeclarationId) -> String {
    let mut printer = Printer::new(ast);
    printer.declaration(id);
    printer.out
}

/// One expression as text, on one line unless it has a `let` of several definitions.
pub fn expression_text(ast: &Ast, id: ExprId) -> String {
    let mut printer = Printer::new(ast);
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
    /// How far the lines of nested declarations are indented.
    indent: usize,
}

/// Where two symbols meet without a space, they must not read as a longer one.
const SAFE_PAIRS: &[&str] = &[
    "{{", "}}", "<<", ">>", "{<", "<{", ">}", "}>", ".{", ".<", ".-", "}.", ">.", "!<", "!{", "?<",
    "?{", "$<", "${", ":{", ":<", "?-", "!-", "$-", "[{", "}]", ">]", "#<", "-<", "-{",
];

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast) -> Self {
        Self {
            ast,
            out: String::new(),
            indent: 0,
        }
    }

    /// Appends `text`, after a space if it would run into what stands before it.
    fn put(&mut self, text: &str) {
        if let (Some(last), Some(first)) = (self.out.chars().next_back(), text.chars().next())
            && runs_together(last, first)
        {
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

    /// `open`, what `inside` writes, `close`.
    fn bracket(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        inside(self);
        self.put(close);
    }
}

fn runs_together(last: char, first: char) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '"');
    if word(last) && word(first) {
        return true;
    }
    match (last, first) {
        // These would read as the brackets of a map.
        ('(', '|') | ('|', ')') => true,
        ('(' | ')' | ',' | '^', _) | (_, '(' | ')' | ',' | '^') => false,
        _ => {
            let symbol = |c: char| !word(c) && !c.is_whitespace() && c.is_ascii();
            let pair: String = [last, first].iter().collect();
            symbol(last) && symbol(first) && !SAFE_PAIRS.contains(&pair.as_str())
        }
    }
}
