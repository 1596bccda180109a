//! Small changes of a script that may break the symmetry of a check.
//!
//! A change is an edit of the text, so that it can be shown, kept, and read again like any other
//! script. Whether the changed script is well typed, and which symmetries it has, is found out by
//! reading it and asking.

use std::collections::{BTreeMap, BTreeSet};

use base::diag::Result as Diagnosed;
use base::index::TypedIndex;
use base::source::Span;
use report::breaking::MutationKind;
use syntax::ast::{
    AssertionKind, Ast, Clause, Declaration, DeclarationId, Expr, ExprId, Pattern, PatternId,
    ProcessOp, ReplicatedOp, Statement,
};
use syntax::children::{Child, descendants};
use syntax::print::expression_text;
use types::resolved::{PatternName, Reference, Resolved};

use super::error::Error;
use super::options::Options;
use super::question::unread;
use super::script::{Script, Subject};
use super::starts::{other_argument, other_start};
use super::task::Task;

/// A small change of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutation {
    /// The kind of change.
    pub kind: MutationKind,
    /// The change, as a sentence without a full stop.
    pub what: String,
    /// The file that is changed, as it was named.
    pub file: String,
    /// Its changed text.
    pub text: String,
}

/// A mutation that was found, as edits of one file.
pub(super) struct FoundMutation {
    kind: MutationKind,
    what: String,
    edits: Vec<TextEdit>,
}

impl FoundMutation {
    fn new(kind: MutationKind, what: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        let what = what.into();
        Self { kind, what, edits }
    }
}

/// A text that is written in place of `span`.
pub(super) struct TextEdit {
    pub(super) span: Span,
    pub(super) text: String,
}

impl Script {
    /// The small changes of the process of `subject` that may break its symmetry, in the order of
    /// their kinds and of the text. They are not tried: some may be ill-typed.
    pub fn mutations(
        &self,
        subject: Subject<'_>,
        options: &Options,
        task: &Task,
    ) -> Result<Vec<Mutation>, Error> {
        let mut scope = self.scope();
        let id = scope.checked(subject, options);
        let process = id.and_then(|id| scope.implementation(id));
        let process = process.map_err(|problem| scope.error(*problem))?;
        let mut finder = MutationFinder {
            script: &scope,
            options,
            task,
            top: scope.script.ast.top_level().into_iter().collect(),
            members: BTreeMap::new(),
            fresh: fresh_name(&scope.script.ast),
        };
        let mut found = Vec::new();
        for expression in scope.reached(process) {
            finder.of_expression(expression, &mut found);
        }
        found.sort_by_key(|found| found.kind);
        task.cancellation
            .check()
            .map_err(|problem| scope.error(task.explained(*problem)))?;
        Ok(found.iter().map(|found| scope.mutated(found)).collect())
    }

    /// The process that the assertion `id` is about.
    fn implementation(&self, id: DeclarationId) -> Diagnosed<ExprId> {
        self.unless_mistaken(id)?;
        Ok(match self.assertion(id).kind {
            AssertionKind::Refinement { implementation, .. } => implementation,
            AssertionKind::Property { process, .. } | AssertionKind::HasTrace { process, .. } => {
                process
            }
            AssertionKind::Symmetric { subject, .. } => subject,
            AssertionKind::Unread(_) => return unread(self.span(id)).into(),
        })
    }

    /// All expressions of `process` and of the definitions that it uses, in the order of the text.
    fn reached(&self, process: ExprId) -> Vec<ExprId> {
        let (ast, resolved) = (&self.script.ast, &self.script.resolved);
        let mut open = vec![Child::Expression(process)];
        let mut used: BTreeSet<DeclarationId> = BTreeSet::new();
        let mut reached: BTreeMap<(usize, u32, u32), ExprId> = BTreeMap::new();
        while let Some(root) = open.pop() {
            for node in descendants(ast, root) {
                let Child::Expression(id) = node else {
                    continue;
                };
                let span = ast.expressions[id].span;
                let file = &self.script.sources.file(span.file).name;
                // A text from the command line is in no file that could be changed.
                if !file.starts_with('<') {
                    let place = (span.file.index(), span.start, u32::MAX - span.end);
                    reached.insert(place, id);
                }
                if let Some(Some(reference)) = resolved.names.get(id)
                    && let Some(definition) = definition(reference)
                    && used.insert(definition)
                {
                    open.push(Child::Declaration(definition));
                }
            }
        }
        reached.into_values().collect()
    }

    /// `found` as a changed text.
    fn mutated(&self, found: &FoundMutation) -> Mutation {
        let file = self.script.sources.file(found.edits[0].span.file);
        let mut text = file.text.clone();
        let mut edits: Vec<&TextEdit> = found.edits.iter().collect();
        // From the end, so that the places before stay what they are.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in edits {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        Mutation {
            kind: found.kind,
            what: found.what.clone(),
            file: file.name.clone(),
            text,
        }
    }
}

/// Finds the mutations of a script.
pub(super) struct MutationFinder<'a> {
    pub(super) script: &'a Script,
    options: &'a Options,
    task: &'a Task,
    /// The declarations of the top level, whose meaning depends on no variable.
    top: BTreeSet<DeclarationId>,
    /// By the text of a set, its first member; `None` if it has none or cannot be evaluated.
    members: BTreeMap<String, Option<String>>,
    /// A name that the script does not have.
    fresh: String,
}

/// A variable that a replicated operator runs through a set of the top level, and the first member
/// of that set.
pub(super) struct Member {
    pub(super) variable: String,
    pub(super) value: String,
}

impl MutationFinder<'_> {
    pub(super) fn ast(&self) -> &Ast {
        &self.script.script.ast
    }

    pub(super) fn resolved(&self) -> &Resolved {
        &self.script.script.resolved
    }

    /// Adds the mutations of this expression itself.
    fn of_expression(&mut self, id: ExprId, found: &mut Vec<FoundMutation>) {
        match self.ast().expr(id).clone() {
            Expr::Process(ProcessOp::InternalChoice, left, right) => {
                let expressions = &self.ast().expressions;
                let span = Span {
                    start: expressions[left].span.end,
                    ..expressions[right].span
                };
                let what = "the internal choice is always that of its first branch";
                let text = String::new();
                let edits = vec![TextEdit { span, text }];
                found.push(FoundMutation::new(MutationKind::FixedChoice, what, edits));
            }
            Expr::Replicated(operator, statements, body) => {
                for statement in &statements {
                    if let Statement::Generator(pattern, set) = *statement {
                        self.of_generator(&operator, (pattern, set), body, found);
                    }
                }
            }
            _ => {}
        }
    }

    fn of_generator(
        &mut self,
        operator: &ReplicatedOp,
        (pattern, set): (PatternId, ExprId),
        body: ExprId,
        found: &mut Vec<FoundMutation>,
    ) {
        let member = self.member(pattern, set);
        match (operator, &member) {
            (ReplicatedOp::InternalChoice, Some(Member { variable, value })) => {
                let what = format!("the internal choice of `{variable}` is always {value}");
                let (span, text) = (self.ast().expressions[set].span, format!("{{{value}}}"));
                let edits = vec![TextEdit { span, text }];
                found.push(FoundMutation::new(MutationKind::FixedChoice, what, edits));
            }
            (ReplicatedOp::InternalChoice, None) => {
                found.push(self.lowest(MutationKind::FixedChoice, set));
            }
            (ReplicatedOp::ExternalChoice, None) => {
                found.push(self.lowest(MutationKind::OrderedChoice, set));
            }
            (ReplicatedOp::ExternalChoice, Some(member)) => {
                found.push(self.guarded(member, body));
            }
            (
                ReplicatedOp::Interleave
                | ReplicatedOp::GeneralisedParallel(_)
                | ReplicatedOp::AlphabetisedParallel(_),
                Some(member),
            ) => {
                found.push(self.guarded(member, body));
                let starts = other_argument(self, member, body);
                if let Some((what, edit)) = starts.or_else(|| other_start(self, member, body)) {
                    let kind = MutationKind::OtherStart;
                    found.push(FoundMutation::new(kind, what, vec![edit]));
                }
            }
            _ => {}
        }
    }

    /// The mutation after which the choice from `set` is one of its lowest member alone.
    fn lowest(&self, kind: MutationKind, set: ExprId) -> FoundMutation {
        let (text, fresh) = (expression_text(self.ast(), set), &self.fresh);
        let what = format!("of `{text}` the lowest member comes first");
        let text = format!("{{{fresh} | {fresh} <- {text}, {fresh} == head(seq({text}))}}");
        let span = self.ast().expressions[set].span;
        FoundMutation::new(kind, what, vec![TextEdit { span, text }])
    }

    /// The mutation after which `body` does nothing for one member.
    fn guarded(&self, Member { variable, value }: &Member, body: ExprId) -> FoundMutation {
        let body = self.ast().expressions[body].span;
        let insertion = |at: u32, text: String| TextEdit {
            span: Span::new(body.file, at as usize, at as usize),
            text,
        };
        let before = insertion(body.start, format!("{variable} != {value} & ("));
        let edits = vec![before, insertion(body.end, ")".to_string())];
        let what = format!("what is there for `{variable}` = {value} is guarded away");
        FoundMutation::new(MutationKind::GuardedMember, what, edits)
    }

    /// The variable that `pattern` is, with the first member of `set`. Returns `None` if `set` is
    /// not the same wherever it is evaluated, or has no first member.
    fn member(&mut self, pattern: PatternId, set: ExprId) -> Option<Member> {
        let variable = self.variable(pattern)?;
        let nodes = descendants(self.ast(), Child::Expression(set));
        let is_fixed = nodes.iter().all(|node| match node {
            Child::Expression(id) => match self.resolved().names.get(*id) {
                Some(Some(Reference::Local { definition, .. })) => {
                    definition.is_some_and(|definition| self.top.contains(&definition))
                }
                Some(Some(Reference::Member { .. })) => false,
                Some(Some(Reference::Builtin(_)) | None) | None => true,
            },
            Child::Pattern(_) | Child::Declaration(_) => true,
        });
        if !is_fixed {
            return None;
        }
        let text = expression_text(self.ast(), set);
        let known = self.members.get(&text).cloned();
        let value = known.unwrap_or_else(|| {
            let first = format!("head(seq({text}))");
            let value = self.script.evaluate(&first, self.options, self.task);
            let value = value.ok().map(|value| value.text);
            self.members.insert(text, value.clone());
            value
        })?;
        Some(Member { variable, value })
    }

    /// The name of the variable that `pattern` is, if it is one.
    pub(super) fn variable(&self, pattern: PatternId) -> Option<String> {
        let pattern = self.ast().unbracketed_pattern(pattern);
        match (
            self.ast().pattern(pattern),
            self.resolved().patterns.get(pattern),
        ) {
            (Pattern::Name(name), Some(Some(PatternName::Variable(_)))) => {
                Some(self.ast().name(name.last().symbol).to_string())
            }
            _ => None,
        }
    }

    /// The clause of the function that `function` names, if it has just one and stands in the
    /// script.
    pub(super) fn clause(&self, function: ExprId) -> Option<&Clause> {
        let reference = self.resolved().names.get(function)?.as_ref()?;
        match self.ast().declaration(definition(reference)?) {
            Declaration::Function(_, clauses) => match &clauses[..] {
                [clause] => Some(clause),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The declaration that a name refers to.
pub(super) fn definition(reference: &Reference) -> Option<DeclarationId> {
    match reference {
        Reference::Local { definition, .. } | Reference::Member { definition, .. } => *definition,
        Reference::Builtin(_) => None,
    }
}

/// `lowest`, with a number if the script has such a name.
fn fresh_name(ast: &Ast) -> String {
    let names: BTreeSet<&str> = ast.symbols.iter().map(String::as_str).collect();
    let mut name = "lowest".to_string();
    let mut number = 1;
    while names.contains(name.as_str()) {
        number += 1;
        name = format!("lowest{number}");
    }
    name
}
