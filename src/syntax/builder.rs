//! The functions that the actions of the grammar call: they make nodes and collect messages.

use rustc_hash::{FxHashMap, FxHashSet};

use super::assertion;
use super::ast::*;
use super::chain::{InfixOp, OperatorRow};
use super::members;
use super::property::reduction_word;
use super::tokens::string_value;
use base::diag::Diagnostic;
use base::source::{FileId, Span};

/// The result of one run of the grammar.
pub(crate) enum Parsed {
    Declaration(Box<Node<Declaration>>),
    /// `module M(p)`. The members of the module follow.
    Header(Box<Header>),
    Exports,
    EndModule,
    Expression(ExprId),
    Assertion(Box<Assertion>),
}

/// The first line of a module.
pub(crate) struct Header {
    pub(crate) name: Identifier,
    pub(crate) parameters: Vec<PatternId>,
}

/// Text that is read as an expression, but is none by itself.
pub(crate) enum Placeholder {
    /// `_`
    Wildcard,
    /// `p @@ q`
    Both(ExprId, ExprId),
    /// `x : S`
    Restricted(ExprId, ExprId),
    /// `c?x!e`, before its arrow.
    Fields(ExprId, Vec<Field>),
}

/// The state of the actions, for one file.
pub(crate) struct TreeBuilder<'a> {
    pub(crate) ast: &'a mut Ast,
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The placeholders by the expression for each. Any left at the end are out of place.
    placeholders: FxHashMap<ExprId, Placeholder>,
    diagnostics: Vec<Diagnostic>,
    /// True while a pattern of a field is converted. A field takes no `@@`.
    pub(crate) in_field: bool,
    /// Concatenations all of whose parts have a known length. They are kept, lest nested ones be
    /// walked again at each level.
    pub(crate) fixed_concats: FxHashSet<PatternId>,
    /// The includes whose files are not yet read.
    pub(crate) includes: Vec<DeclarationId>,
}

impl<'a> TreeBuilder<'a> {
    pub(crate) fn new(ast: &'a mut Ast, file: FileId, text: &'a str) -> Self {
        Self {
            ast,
            file,
            text,
            placeholders: FxHashMap::default(),
            diagnostics: Vec::new(),
            in_field: false,
            fixed_concats: FxHashSet::default(),
            includes: Vec::new(),
        }
    }

    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        Span {
            file: self.file,
            start,
            end,
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The messages of the declaration just read.
    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut ids: Vec<ExprId> = self.placeholders.keys().copied().collect();
        // An expression is made after those in it, so the outermost one has the largest number.
        ids.sort_unstable();
        // Outermost first: the parts of a misplaced `p @@ q` are not reported again.
        for id in ids.into_iter().rev() {
            let Some(placeholder) = self.placeholders.remove(&id) else {
                continue;
            };
            let span = self.ast.expressions[id].span;
            if let Placeholder::Both(left, right) | Placeholder::Restricted(left, right) =
                placeholder
            {
                let of_field =
                    matches!(self.placeholders.get(&left), Some(Placeholder::Fields(..)));
                self.placeholders.remove(&left);
                self.placeholders.remove(&right);
                if of_field {
                    self.diagnostics.push(double_pattern_in_field(span));
                    continue;
                }
            }
            self.diagnostics
                .push(misplaced_diagnostic(&placeholder, span));
        }
        std::mem::take(&mut self.diagnostics)
    }

    /// Forgets the placeholders of a declaration that failed. Returns its messages.
    pub(crate) fn abandon(&mut self) -> Vec<Diagnostic> {
        self.placeholders.clear();
        std::mem::take(&mut self.diagnostics)
    }

    // ---- Expressions

    pub(crate) fn expr(&mut self, kind: Expr, start: u32, end: u32) -> ExprId {
        let span = self.span(start, end);
        self.expr_at(kind, span)
    }

    pub(crate) fn expr_at(&mut self, kind: Expr, span: Span) -> ExprId {
        self.ast.expressions.push(Node { kind, span })
    }

    pub(crate) fn finish(&mut self, chain: OperatorRow) -> ExprId {
        match chain {
            OperatorRow::Single(operand) => operand,
            OperatorRow::Many(yard) => yard.finish(self),
        }
    }

    pub(crate) fn apply(&mut self, function: ExprId, arguments: Vec<ExprId>, end: u32) -> ExprId {
        let start = self.ast.expressions[function].span.start;
        self.expr(Expr::Apply(function, arguments), start, end)
    }

    pub(crate) fn rename(&mut self, process: ExprId, ties: Ties, end: u32) -> ExprId {
        let start = self.ast.expressions[process].span.start;
        self.expr(Expr::Rename(process, ties), start, end)
    }

    /// The value of the number at `start..end`. The lexer has checked that it fits.
    pub(crate) fn integer(&self, start: u32, end: u32) -> i64 {
        self.text[start as usize..end as usize]
            .parse()
            .unwrap_or(i64::MAX)
    }

    pub(crate) fn string(&self, start: u32, end: u32) -> String {
        string_value(&self.text[start as usize..end as usize])
    }

    /// The path of an include, without its quotes. Paths know no escapes: a backslash is itself.
    pub(crate) fn include_path(&self, start: u32, end: u32) -> String {
        self.text[start as usize + 1..end as usize - 1].to_string()
    }

    pub(crate) fn reduction_word(&self, start: u32, end: u32) -> Option<String> {
        reduction_word(&self.text[start as usize..end as usize])
    }

    pub(crate) fn statement(&mut self, expr: ExprId) -> Statement {
        match self.take_restricted(expr) {
            Some((pattern, set)) => Statement::Generator(self.pattern(pattern), set),
            None => Statement::Predicate(expr),
        }
    }

    // ---- Placeholders

    pub(crate) fn placeholder(&mut self, placeholder: Placeholder, span: Span) -> ExprId {
        let id = self.expr_at(Expr::Tuple(Vec::new()), span);
        self.placeholders.insert(id, placeholder);
        id
    }

    /// The placeholder that `id` stands for, which is taken away; `None` if `id` stands for none.
    pub(crate) fn take_placeholder(&mut self, id: ExprId) -> Option<Placeholder> {
        if self.placeholders.is_empty() {
            None
        } else {
            self.placeholders.remove(&id)
        }
    }

    pub(crate) fn take_restricted(&mut self, id: ExprId) -> Option<(ExprId, ExprId)> {
        match self.take_placeholder(id)? {
            Placeholder::Restricted(pattern, set) => Some((pattern, set)),
            other => {
                // The placeholder stays: if nothing else takes it, it is reported as out of place.
                self.placeholders.insert(id, other);
                None
            }
        }
    }

    /// The channel part and the fields of the expression left of `->` or of another field.
    pub(crate) fn take_fields(&mut self, id: ExprId) -> (ExprId, Vec<Field>) {
        match self.take_placeholder(id) {
            Some(Placeholder::Fields(channel, fields)) => (channel, fields),
            Some(other) => {
                // The placeholder stays: if nothing else takes it, it is reported as out of place.
                self.placeholders.insert(id, other);
                (id, Vec::new())
            }
            None => (id, Vec::new()),
        }
    }

    /// Makes a field of `left!right`, `left?right` or `left$right`.
    pub(crate) fn field(
        &mut self,
        infix: &InfixOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        let field = match infix {
            InfixOp::Output => Field::Output(right),
            _ => {
                let (pattern, set) = match self.take_restricted(right) {
                    Some((pattern, set)) => (pattern, Some(set)),
                    None => (right, None),
                };
                self.in_field = true;
                let pattern = self.pattern(pattern);
                self.in_field = false;
                match infix {
                    InfixOp::Input => Field::Input(pattern, set),
                    _ => Field::Nondeterministic(pattern, set),
                }
            }
        };
        let (channel, mut fields) = self.take_fields(left);
        fields.push(field);
        self.placeholder(Placeholder::Fields(channel, fields), span)
    }

    /// Reports a restriction after `:` whose set has a dot. The set ends before the dot.
    pub(crate) fn check_restriction(&mut self, set: ExprId) {
        if matches!(self.ast.expr(set), Expr::Dot(_)) {
            let span = self.ast.expressions[set].span;
            self.report(
                Diagnostic::error(
                    "dot-after-set",
                    "a dot cannot follow the set of a restricted input",
                )
                .at(span, "")
                .hint("put the set in parentheses, or write the rest as a field: `c?x:S!y`"),
            );
        }
    }

    // ---- Declarations

    pub(crate) fn patterns(&mut self, expressions: Vec<ExprId>) -> Vec<PatternId> {
        expressions.into_iter().map(|e| self.pattern(e)).collect()
    }

    /// Makes a declaration of `left = right`: a clause if `left` applies a name, else a pattern.
    pub(crate) fn definition(&mut self, left: ExprId, right: ExprId) -> Declaration {
        let span = self.ast.expressions[left]
            .span
            .to(self.ast.expressions[right].span);
        let (mut at, mut groups) = (left, Vec::new());
        // The outermost application has the last group. The arguments are moved, because these
        // nodes belong to no tree any more.
        while let Expr::Apply(function, arguments) = &mut self.ast.expressions[at].kind {
            groups.push(std::mem::take(arguments));
            at = *function;
        }
        let name = match self.ast.expr(at) {
            Expr::Name(path) if !groups.is_empty() && path.segments.len() == 1 => path.last(),
            _ if groups.is_empty() => return Declaration::Pattern(self.pattern(left), right),
            _ => {
                let place = self.ast.expressions[at].span;
                self.report(
                    Diagnostic::error(
                        "bad-definition",
                        "only a plain name can be defined as a function",
                    )
                    .at(place, ""),
                );
                let kind = Pattern::Wildcard;
                let nothing = self.ast.patterns.push(Node { kind, span: place });
                return Declaration::Pattern(nothing, right);
            }
        };
        let groups = groups
            .into_iter()
            .rev()
            .map(|group| self.patterns(group))
            .collect();
        Declaration::Function(
            name,
            vec![Clause {
                groups,
                body: right,
                span,
            }],
        )
    }

    pub(crate) fn let_members(&mut self, members: Vec<Node<Declaration>>) -> Vec<DeclarationId> {
        self.members(members, members::InnerScope::Let)
    }

    pub(crate) fn timed(
        &mut self,
        duration: Option<ExprId>,
        members: Vec<Node<Declaration>>,
    ) -> Declaration {
        Declaration::Timed(duration, self.members(members, members::InnerScope::Timed))
    }

    /// Stores the declarations of one scope, adjacent clauses joined. Reports those that are not
    /// allowed in the scope.
    fn members(
        &mut self,
        members: Vec<Node<Declaration>>,
        place: members::InnerScope,
    ) -> Vec<DeclarationId> {
        let forbidden = members
            .iter()
            .filter_map(|m| members::forbidden(self.ast, m, place));
        self.diagnostics.extend(forbidden);
        let mut ids = Vec::with_capacity(members.len());
        for member in members {
            self.add_member(member, &mut ids);
        }
        ids
    }

    /// Appends one declaration to `scope`. A clause joins the clauses of its name right before it.
    pub(crate) fn add_member(&mut self, member: Node<Declaration>, scope: &mut Vec<DeclarationId>) {
        if let Some(rest) = members::join_clause(self.ast, member, scope) {
            let is_include = matches!(rest.kind, Declaration::Include(..));
            let id = self.ast.declarations.push(rest);
            scope.push(id);
            if is_include {
                // The file is read later, when nothing holds the tree any more.
                self.includes.push(id);
            }
        }
    }

    pub(crate) fn assertion(
        &mut self,
        negated: bool,
        kind: AssertionKind,
        options: Vec<Node<AssertionOption>>,
    ) -> Box<Assertion> {
        let (options, diagnostics) = assertion::options(options);
        self.diagnostics.extend(diagnostics);
        Box::new(Assertion {
            negated,
            kind,
            options,
        })
    }

    pub(crate) fn symmetric_types(&mut self, types: Vec<ExprId>) -> Vec<SymmetricType> {
        let (types, diagnostics) = assertion::symmetric_types(self.ast, &types);
        self.diagnostics.extend(diagnostics);
        types
    }

    // ---- Types

    pub(crate) fn type_expr(&mut self, kind: TypeExpr, start: u32, end: u32) -> TypeId {
        let span = self.span(start, end);
        self.ast.types.push(Node { kind, span })
    }

    /// Parentheses in a type that are not the arguments of a function type.
    pub(crate) fn type_group(&mut self, mut group: Vec<TypeId>, start: u32, end: u32) -> TypeId {
        if group.is_empty() {
            let span = self.span(start, end);
            self.report(
                Diagnostic::error("empty-type", "`()` is no type by itself")
                    .at(span, "")
                    .hint("a function without arguments has the type `() -> t`"),
            );
        }
        let kind = if group.len() == 1 {
            TypeExpr::Parenthesised(group.remove(0))
        } else {
            TypeExpr::Tuple(group)
        };
        self.type_expr(kind, start, end)
    }
}

pub(crate) fn double_pattern_in_field(span: Span) -> Diagnostic {
    Diagnostic::error(
        "double-pattern-in-field",
        "`@@` cannot be used in the field of a prefix",
    )
    .at(span, "")
    .hint("bind the whole value, and take it apart in a function")
}

fn misplaced_diagnostic(placeholder: &Placeholder, span: Span) -> Diagnostic {
    match placeholder {
        Placeholder::Wildcard => {
            Diagnostic::error("misplaced-wildcard", "`_` is a pattern: it has no value")
                .at(span, "")
        }
        Placeholder::Both(..) => Diagnostic::error(
            "misplaced-double-pattern",
            "`@@` can stand in patterns only",
        )
        .at(span, ""),
        Placeholder::Restricted(..) => Diagnostic::error(
            "misplaced-colon",
            "`x : S` can stand only as a generator or as an input field",
        )
        .at(span, "")
        .hint("a type annotation is written `f :: Type`, on a line of its own"),
        Placeholder::Fields(..) => Diagnostic::error(
            "missing-arrow",
            "a communication must be followed by `->` and a process",
        )
        .at(span, "this has fields, but no arrow")
        .hint("write `c!x -> STOP`; an event as a value is written with dots, `c.x`"),
    }
}
