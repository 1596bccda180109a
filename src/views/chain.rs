//! Chains: processes made by repeating one step, once for each link.
//!
//! The definition `PART(i)` is `C[PART(i - 1)]`, and the question is about `D[PART(N - c)]`. This
//! file checks that C and D are the same for all i and N, up to names. If a part is then refined by
//! the part with one more link, in names that have moved on, this holds for every further link. The
//! theorem is in `PROOFS.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::arrangement::Arrangement;
use super::interpreter::Interpreter;
use super::met::MetByScript;
use super::scene::FamilyQuestion;
use super::show::ShownValues;
use super::uniform::UniformProcess;
use super::value::{Id, IdMap, IdRenaming, Local, LocalCode, PartialValue};
use base::diag::Result;
use syntax::ast::{DeclarationId, Expr, ExprId, Items, ProcessOp, SetOp};
use syntax::children::{Child, descendants};
use types::resolved::Reference;

/// A chain in which every part has at least as much to do as the part before, if one refinement
/// holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The first part of the chain, as CSPm.
    pub part: String,
    /// The specification of the refinement: the first part, in the names of the next part.
    pub smaller: String,
    /// The implementation of the refinement: the part with one more link.
    pub larger: String,
    /// The value of the parameter for which the refinement is decided. If it holds there, and the
    /// question has the answer yes for this value, it has the answer yes for all larger values.
    pub size: usize,
}

/// The number of identities in sight of the process around the last part: the last three, and then
/// the first two.
const TOP: u8 = 5;

/// The place of the first identity among these [`TOP`] identities.
const FIRST_OF_TOP: u8 = 3;

/// The place of the first identity when parts are evaluated: the last two come before it.
const FIRST_OF_PART: u8 = 2;

/// The least index of a part with which a chain begins.
const LEAST_INDEX: u8 = 2;

/// The greatest index of a part with which a chain begins.
const MOST_INDEX: u8 = 4;

/// The number of identities less the index of the first part of a chain. It is so large that the
/// two ends of the chain have no identity in common.
const MORE_THAN_INDEX: i64 = 6;

/// The number of links before the end at which the two ends of a chain have no identity in common.
const FAR_APART: i64 = 8;

/// A number of identities that is larger than any that an end of a chain refers to.
const LARGE: i64 = 1_000;

/// The chains that end in the process in question, those with the smallest parts first. Empty if no
/// definition in it calls itself with the number before.
pub fn chains(question: &FamilyQuestion<'_>) -> Result<Vec<Chain>> {
    let ast = &question.script.ast;
    let mut problem = None;
    for definition in ast.top_level() {
        let finder = ChainFinder {
            question,
            definition,
            met: Rc::default(),
        };
        if !finder.adds_links() {
            continue;
        }
        match finder.end() {
            Ok(Some(end)) => return finder.chains(end),
            Ok(None) => {}
            Err(refused) => problem = Some(refused),
        }
    }
    problem.map_or(Ok(Vec::new()), Err)
}

/// Looks for chains whose parts are made by this definition.
struct ChainFinder<'q, 's> {
    question: &'q FamilyQuestion<'s>,
    definition: DeclarationId,
    met: Rc<MetByScript>,
}

/// The process around the last part of a chain.
struct EndOfChain<'s> {
    interpreter: Interpreter<'s>,
    context: UniformProcess,
    /// The call of the last part.
    call: Local,
    /// The position of the index among the values of the call.
    index: usize,
    /// The number of identities less the index.
    from_end: u8,
}

/// A link of the chain.
struct Link<'s> {
    interpreter: Interpreter<'s>,
    process: UniformProcess,
    /// The numbers of links before and after a link that it may refer to.
    before: u8,
    after: u8,
}

impl<'s> ChainFinder<'_, 's> {
    /// True if the definition puts a call of itself beside another process.
    fn adds_links(&self) -> bool {
        let ast = &self.question.script.ast;
        descendants(ast, Child::Declaration(self.definition))
            .into_iter()
            .any(|child| match child {
                Child::Expression(id) => match ast.expr(id) {
                    Expr::Process(ProcessOp::Interleave, left, right)
                    | Expr::Over(SetOp::GeneralisedParallel, left, _, right)
                    | Expr::AlphabetisedParallel { left, right, .. } => {
                        self.calls(*left) || self.calls(*right)
                    }
                    _ => false,
                },
                _ => false,
            })
    }

    /// True if `process` is a call of the definition, perhaps hidden in part or compressed.
    fn calls(&self, process: ExprId) -> bool {
        let script = self.question.script;
        let process = script.ast.unbracketed(process);
        match script.ast.expr(process) {
            Expr::Hide(process, _) => self.calls(*process),
            Expr::Apply(function, arguments) => match &script.resolved.names[*function] {
                Some(Reference::Local { definition, .. }) => *definition == Some(self.definition),
                _ => arguments.iter().any(|argument| self.calls(*argument)),
            },
            _ => false,
        }
    }

    /// The call of the definition in the process in question; `None` if it has none. Fails if the
    /// rest of the process is not the same for all sizes.
    fn end(&self) -> Result<Option<EndOfChain<'s>>> {
        let closed = Some(self.definition);
        let mut interpreter = self.interpreter(TOP, Id::Seen(FIRST_OF_TOP), closed);
        self.meet_range(&mut interpreter)?;
        let context = interpreter.uniform(self.question.implementation)?;
        let [call] = &context.calls[..] else {
            return Ok(None);
        };
        if let Some(specification) = self.question.specification
            && !interpreter.uniform(specification)?.calls.is_empty()
        {
            return Err(interpreter.refused("the specification is a part of a chain itself"));
        }
        let indices = call.values.iter().enumerate();
        let indices: Vec<_> = indices.filter(|(_, value)| value.holds_ids()).collect();
        let (index, at) = match indices[..] {
            [(index, PartialValue::Id(Id::Seen(at)))] if *at < FIRST_OF_TOP => (index, *at),
            _ => return Err(interpreter.refused("the last part of the chain has no plain index")),
        };
        // The refinement of parts is written at the top level, where names may mean something else.
        let mut arguments = call.values.iter().enumerate();
        if !arguments.all(|(number, value)| number == index || self.is_of_top_level(value)) {
            return Err(interpreter.refused(
                "an argument of the last part of the chain is neither data nor a definition of the top level",
            ));
        }
        Ok(Some(EndOfChain {
            call: call.clone(),
            index,
            from_end: FIRST_OF_TOP - at,
            interpreter,
            context,
        }))
    }

    /// True if the text of a value has that value at the top level.
    fn is_of_top_level(&self, value: &PartialValue) -> bool {
        match value {
            PartialValue::Int(_)
            | PartialValue::Bool(_)
            | PartialValue::Char(_)
            | PartialValue::Head(..) => true,
            PartialValue::Dot(_) | PartialValue::Tuple(_) | PartialValue::Sequence(_) => {
                value.parts().iter().all(|part| self.is_of_top_level(part))
            }
            PartialValue::Function(id, groups) => {
                groups.is_empty() && self.question.script.ast.top_level().contains(id)
            }
            PartialValue::Process(local) => match local.code {
                LocalCode::Definition(id) => {
                    local.values.is_empty() && self.question.script.ast.top_level().contains(&id)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The chains with this end.
    fn chains(&self, mut end: EndOfChain<'s>) -> Result<Vec<Chain>> {
        let mut link = self.link(&end)?;
        // So no link but the first two refers to either of the first two identities.
        let least = LEAST_INDEX.max(link.before + 1);
        let mut chains = vec![self.chain(least, &mut end, &mut link)?];
        for index in least + 1..=MOST_INDEX {
            chains.extend(self.chain(index, &mut end, &mut link));
        }
        Ok(chains)
    }

    /// The step from a part to the next one, with as few neighbours in sight as possible.
    fn link(&self, end: &EndOfChain<'s>) -> Result<Link<'s>> {
        let mut found = self.link_among(1, 0, end);
        for (before, after) in [(1, 1), (2, 0), (2, 1)] {
            // No identity comes after the last one.
            if found.is_err() && after < end.from_end {
                found = self.link_among(before, after, end);
            }
        }
        found
    }

    /// The link with the given numbers of identities before and after it in sight.
    fn link_among(&self, before: u8, after: u8, end: &EndOfChain<'s>) -> Result<Link<'s>> {
        let closed = Some(self.definition);
        let mut interpreter = self.interpreter(before + 1 + after, Id::Other, closed);
        let process = interpreter.uniform_call(&end.with_index(before))?;
        match process.calls == [end.with_index(before - 1)] {
            true => Ok(Link {
                interpreter,
                process,
                before,
                after,
            }),
            false => Err(interpreter
                .refused("this is not made of one part of the chain, with the index before")),
        }
    }

    /// The chain that begins with the part of index `index`.
    fn chain(&self, index: u8, end: &mut EndOfChain<'s>, link: &mut Link<'s>) -> Result<Chain> {
        let part = self.part(index, end)?;
        end.knows_sets_of(&part)?;
        part.stays_apart(end, link)?;
        let longer = self.part(index + 1, end)?;
        let moved = part.numbered_all(part.size, longer.index());
        if !longer
            .numbered_all(part.size, longer.index())
            .is_subset(&moved)
        {
            return Err(link
                .interpreter
                .refused("a part of the chain is seen to do more with a link more"));
        }
        let shown = ShownValues(self.question.script);
        let index = part.index();
        let renamed: Vec<String> = part
            .alphabet
            .iter()
            .filter(|event| event.named().iter().any(|id| part.moves(*id)))
            .map(|event| {
                let name = |index| shown.value(&part.numbered(event, part.size, index));
                format!("{} <- {}", name(index), name(index + 1))
            })
            .collect();
        let called = |index| shown.whole(&end.with(PartialValue::Int(part.least + index)));
        let smaller = called(index);
        Ok(Chain {
            smaller: match renamed.is_empty() {
                true => smaller.clone(),
                false => format!("{smaller}[[{}]]", renamed.join(", ")),
            },
            larger: called(index + 1),
            size: part.parameter,
            part: smaller,
        })
    }

    /// The part of index `index`.
    fn part(&self, index: u8, end: &EndOfChain<'s>) -> Result<Part> {
        let at = FIRST_OF_PART + index;
        let mut interpreter = self.interpreter(at + 2, Id::Seen(FIRST_OF_PART), None);
        let process = interpreter.uniform_call(&end.with_index(at))?;
        let alphabet = process.alphabet(&mut interpreter.comparison())?;
        let named: BTreeSet<Id> = alphabet.iter().flat_map(PartialValue::named).collect();
        let at_either_end =
            |id: &Id| matches!(id, Id::Seen(id) if *id <= FIRST_OF_PART || *id >= at);
        // No identity comes after the last one.
        let is_past_the_end = end.from_end == 1 && named.contains(&Id::Seen(at + 1));
        let parameter = &interpreter.identities.parameter;
        let numbers = parameter.first_number().zip(parameter.missing());
        match numbers {
            Some((least, missing)) if named.iter().all(at_either_end) && !is_past_the_end => {
                let size = i64::from(index) + MORE_THAN_INDEX;
                // The parameter is 1 or more.
                let size = size.max(1 - missing);
                Ok(Part {
                    at,
                    least,
                    size,
                    parameter: (size + missing).unsigned_abs() as usize,
                    alphabet,
                })
            }
            _ => Err(interpreter
                .refused("of what is inside of a part of the chain something can be seen outside")),
        }
    }

    /// An evaluation with a path of `count` identities in sight; `first` is the first identity of
    /// all. Calls of `closed` stay closed.
    fn interpreter(&self, count: u8, first: Id, closed: Option<DeclarationId>) -> Interpreter<'s> {
        let arrangement = Arrangement::path(count);
        let mut interpreter = self.question.interpreter(&arrangement, &self.met);
        interpreter.identities.count_from(first);
        interpreter.closed = closed;
        // Only the events done matter here, not who makes a choice.
        interpreter.resolves = false;
        interpreter
    }

    /// Finds the index set, for this evaluation and all later ones. It has to be known before any
    /// identity is counted.
    fn meet_range(&self, interpreter: &mut Interpreter<'s>) -> Result<()> {
        let top = Rc::clone(&interpreter.top);
        let ast = &self.question.script.ast;
        for id in ast.expressions.indices() {
            if let Expr::Set(display) = ast.expr(id)
                && let Items::Range(least, last) = &display.items
                && matches!(ast.expr(*least), Expr::Int(_))
            {
                interpreter.index_range(*least, *last, &top)?;
            }
        }
        Ok(())
    }
}

impl EndOfChain<'_> {
    /// The call with `index` as its index.
    fn with(&self, index: PartialValue) -> Local {
        Local {
            code: self.call.code,
            values: self.call.with(self.index, index),
        }
    }

    /// Fails unless it is known for each set of the surrounding process which events of the last
    /// part it has. The last part is like `part`.
    fn knows_sets_of(&mut self, part: &Part) -> Result<()> {
        let last = FIRST_OF_TOP - self.from_end;
        for event in &part.alphabet {
            let places: Vec<u8> = (0..=part.at + 1)
                .map(|id| match id {
                    id if id >= part.at => last + (id - part.at),
                    id => FIRST_OF_TOP - FIRST_OF_PART.saturating_sub(id),
                })
                .collect();
            let event = event.mapped(&IdRenaming(&places));
            let values = &mut self.interpreter.comparison();
            self.context.sets_with(&event, values)?;
        }
        Ok(())
    }

    /// The call with an identity in sight as its index.
    fn with_index(&self, id: u8) -> Local {
        self.with(PartialValue::Id(Id::Seen(id)))
    }
}

/// A part of the chain, evaluated with these identities in sight: the last two, then the first ones
/// up to the one after its index.
struct Part {
    /// The place of its index among these identities.
    at: u8,
    /// The number of the first identity, which is 0 or 1 in most scripts.
    least: i64,
    /// The number of identities for which the part is compared with the part with one more link.
    size: i64,
    /// The value of the parameter for that number of identities.
    parameter: usize,
    /// The events that the part may do. They name identities at the two ends only.
    alphabet: BTreeSet<PartialValue>,
}

impl Part {
    /// The index, counted from 0.
    fn index(&self) -> i64 {
        i64::from(self.at - FIRST_OF_PART)
    }

    /// True if this identity is another one in the part with one more link.
    fn moves(&self, id: Id) -> bool {
        matches!(id, Id::Seen(id) if id >= self.at)
    }

    /// `event` with numbers for identities, for the part of index `index`, counted from 0, among
    /// `size` identities.
    fn numbered(&self, event: &PartialValue, size: i64, index: i64) -> PartialValue {
        event.with_numbers(&|id| {
            self.least
                + match id {
                    id if id >= self.at => index + i64::from(id - self.at),
                    FIRST_OF_PART => 0,
                    id => size - i64::from(FIRST_OF_PART - id),
                }
        })
    }

    /// All events of the part of index `index`, with numbers for identities, among `size`
    /// identities.
    fn numbered_all(&self, size: i64, index: i64) -> BTreeSet<PartialValue> {
        let events = self.alphabet.iter();
        events
            .map(|event| self.numbered(event, size, index))
            .collect()
    }

    /// Fails if the moving end of the chain can be confused with the fixed one. They come close in
    /// the last links only.
    fn stays_apart(&self, end: &EndOfChain<'_>, link: &mut Link<'_>) -> Result<()> {
        let nearest = i64::from(end.from_end);
        let first_names = self.named(self.size, self.index() + 1, link);
        let far_sets = self.sets_of(link, nearest + FAR_APART)?;
        for left in nearest..nearest + FAR_APART {
            let mut names = BTreeMap::new();
            let named = self.named(LARGE, LARGE - left, link);
            for (name, first) in named.into_iter().zip(&first_names) {
                if *names.entry(name).or_insert(first) != first {
                    return Err(link.interpreter.refused(
                        "near its end the chain does one event where it does several before",
                    ));
                }
            }
            if self.sets_of(link, left)? != far_sets {
                let message = "near its end the links of the chain differ";
                return Err(link.interpreter.refused(message));
            }
        }
        Ok(())
    }

    /// For each event of the part, the sets of the next link that contain it, where that link comes
    /// `left` before the end.
    fn sets_of(&self, link: &mut Link<'_>, left: i64) -> Result<Vec<Vec<bool>>> {
        let seen = SeenByLink {
            at: self.at,
            left,
            before: link.before,
            after: link.after,
        };
        let events = self.alphabet.iter().map(|event| event.mapped(&seen));
        let mut values = link.interpreter.comparison();
        events
            .map(|event| link.process.sets_with(&event, &mut values))
            .collect()
    }

    /// The events of this part, of the part with one more link, and of the link of index `index`
    /// between them, among `size` identities.
    fn named(&self, size: i64, index: i64, link: &Link<'_>) -> Vec<PartialValue> {
        let part = |index| {
            let events = self.alphabet.iter();
            events.map(move |event| self.numbered(event, size, index))
        };
        let first = self.least + index - i64::from(link.before);
        let own = link
            .process
            .events()
            .map(|event| event.with_numbers(&|id| first + i64::from(id)));
        part(index - 1).chain(part(index)).chain(own).collect()
    }
}

/// Turns an event of a part into the event as the next link sees it.
struct SeenByLink {
    /// The place of the index of the part.
    at: u8,
    /// The number of identities from the link to the end.
    left: i64,
    before: u8,
    after: u8,
}

impl IdMap for SeenByLink {
    fn id(&self, id: Id) -> Id {
        let Id::Seen(id) = id else { return id };
        let from_link = match id {
            id if id >= self.at => i64::from(id - self.at) - 1,
            id => self.left - i64::from(FIRST_OF_PART - id),
        };
        let is_near = (-i64::from(self.before)..=i64::from(self.after)).contains(&from_link);
        match u8::try_from(from_link + i64::from(self.before)) {
            Ok(place) if is_near => Id::Seen(place),
            _ => Id::Other,
        }
    }
}
