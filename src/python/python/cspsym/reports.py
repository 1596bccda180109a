"""The reports as dataclasses: see `cspsym help json`. Made by tools/generate_reports.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, kw_only=True)
class TypeSymmetry:
    """
    The values of a type that may be renamed into each other. Every value that occurs is in one of
    the lists.
    """

    complete: bool
    """
    True if everything was tried that there is to try; otherwise more values may move.
    """
    fixed: list[str]
    """
    Values that stay.
    """
    free: list[list[str]]
    """
    Sets of two or more values that may be permuted in any way.
    """
    name: str
    """
    The datatype, or the index set as CSPm.
    """
    turning: list[list[str]]
    """
    Cycles of values that may be turned, but not permuted in any other way.
    """


@dataclass(frozen=True, kw_only=True)
class RejectionDescription:
    """
    A permutation that is no symmetry.
    """

    name: str
    """
    The permutation in cycles.
    """
    place: str | None
    """
    The place of the reason, as `file:line:column`.
    """
    reason: str
    """
    The reason: what is not preserved.
    """
    type: int
    """
    The type whose values it permutes, as a position in `types`.
    """


SpecificationItem: TypeAlias = int


@dataclass(frozen=True, kw_only=True)
class LeafRelation:
    """
    A bijection from the states of one leaf onto those of a leaf, perhaps the same.
    """

    from_: int
    """
    The leaf.
    """
    states: list[int]
    """
    By state of `from`, the state of `to`.
    """
    to: int
    """
    The leaf to which its states go.
    """


Transition: TypeAlias = int


@dataclass(frozen=True, kw_only=True)
class LeafGraph:
    """
    The transitions that a leaf has on its own, before all hiding and renaming around it.
    """

    off: int | None
    """
    The state of a leaf that was switched off for good, by an interrupt for example, if it has
    one. No transition leads there: the rules of the machine do.
    """
    transitions: list[tuple[Transition, Transition, Transition]]
    """
    The transitions as (from, event, to), ascending.
    """


@dataclass(frozen=True, kw_only=True)
class NearSymmetry:
    """
    The symmetries that a check would have if one component always allowed all of its events.
    """

    leaf: int
    """
    The component: a position in `leaves`.
    """
    order: str
    """
    The number of symmetries there would be; decimal, of any size.
    """
    structure: str
    """
    The structure of their group.
    """


@dataclass(frozen=True, kw_only=True)
class LookedIntoDescription:
    """
    A place at which a script does more with a value than to compare it.
    """

    place: str | None
    """
    The place, as `file:line:column`.
    """
    reason: str
    """
    The value, and what tells it from the others of its type.
    """


@dataclass(frozen=True, kw_only=True)
class LeafDescription:
    """
    One leaf.
    """

    expression: str
    """
    The process it is compiled from.
    """
    states: int
    """
    Its states.
    """
    transitions: int
    """
    Its transitions.
    """


Leaf: TypeAlias = int


@dataclass(frozen=True, kw_only=True)
class GeneratorDescription:
    """
    A verified symmetry.
    """

    leaves: list[tuple[Leaf, Leaf]]
    """
    The leaves whose states move, each with the leaf that they move to, which may be itself.
    """
    moves_initial: bool
    """
    True if it moves the initial state of specification or implementation.
    """
    moves_specification: bool
    """
    True if it moves a state of the specification.
    """
    name: str
    """
    The symmetry in cycles over the script's own names, such as `(B C)`.
    """
    source: str
    """
    The source: `type PEG`, `claimed`, `equal operands` or `graph`.
    """


@dataclass(frozen=True, kw_only=True)
class DetectionDescription:
    """
    The end of a search for automorphisms.
    """

    complete: bool
    """
    True if it came to its end within its budget.
    """
    steps: int
    """
    The number of steps that it took.
    """


@dataclass(frozen=True, kw_only=True)
class AlgorithmRefusal:
    """
    An algorithm that is not used.
    """

    algorithm: str
    """
    The algorithm: `SymCheck1`...
    """
    reason: str
    """
    The reason, in one line.
    """


@dataclass(frozen=True, kw_only=True)
class GraphTransition:
    """
    A transition of a graph.
    """

    from_: int
    """
    The state that it comes from.
    """
    hidden: list[str]
    """
    Of a τ, the events that it may be before hiding, or `✓` where `;` has hidden that. Empty if
    it is a choice of the process's own, and if the graph is compressed.
    """
    label: str
    """
    The event as CSPm, `τ` for an internal step, `✓` for termination.
    """
    to: int
    """
    The state that it leads to.
    """


@dataclass(frozen=True, kw_only=True)
class GraphState:
    """
    A state of a graph.
    """

    omitted: int
    """
    The number of its transitions that lead to states that are not there. A state with such
    transitions is at the frontier.
    """
    term: str | None
    """
    The process as it has become, as CSPm. Absent if compressing has made one state of several.
    """
    orbit: int | None = None
    """
    The number of its orbit, counted from 0 in the order in which they are met; absent unless
    orbits were asked for.
    """
    representative: bool | None = None
    """
    True if a search stores it for all states of its orbit; absent unless orbits were asked for.
    """


@dataclass(frozen=True, kw_only=True)
class GraphOrbits:
    """
    The orbits of the states of a graph.
    """

    check: str
    """
    The assertion in whose check the states are searched: each is one of the specification and
    one of the process.
    """
    count: int
    """
    The number of orbits to which the states belong.
    """
    order: str
    """
    The number of symmetries; decimal, of any size.
    """
    start_fixed: bool
    """
    True if the symmetries have to fix the initial states.
    """
    structure: str
    """
    The structure of the group of the symmetries.
    """


@dataclass(frozen=True, kw_only=True)
class PlaceReport:
    """
    A part of a script that a message is about. Lines and columns are counted from 1, columns in
    characters.
    """

    column: int
    """
    The column of its first character.
    """
    end_column: int
    """
    The column of the character behind its end.
    """
    end_line: int
    """
    The line of the character behind its end.
    """
    file: str
    """
    The file, as it was named.
    """
    line: int
    """
    The line of its first character.
    """
    text: str
    """
    The text about this place; may be empty.
    """


@dataclass(frozen=True, kw_only=True)
class MachineNode:
    """
    One node of the tree.
    """

    argument: str | None
    """
    The argument of the operator, such as the set it hides, as CSPm.
    """
    leaf: int | None
    """
    The position in the list of leaves, if the node is a leaf.
    """
    operator: str
    """
    The name of the operator: `alphabetised parallel`, `hiding`, `leaf`...
    """
    parent: int | None
    """
    The position of its parent; absent for the root.
    """


Verdict: TypeAlias = Literal['pass', 'fail', 'error', 'unknown']
"""
The verdict on an assertion.
"""


@dataclass(frozen=True, kw_only=True)
class SymmetryReport:
    """
    The symmetry group that a search used.
    """

    detection: DetectionDescription | None
    """
    The end of the search for symmetries that needs no hint, if there was one.
    """
    extra_states: int | None
    """
    The number of stored states beyond the number of orbits, if that is known.
    """
    generators: list[str]
    """
    Generators of the group, in cycles over the script's own names.
    """
    order: str
    """
    The number of symmetries, the one that moves nothing included; decimal, of any size.
    """
    structure: str
    """
    The structure of the group: `S4`, `S3 × S2`, `S4 wr S3`...
    """
    types: list[TypeSymmetry]
    """
    The values of each type that may be renamed into each other.
    """
    unique: bool
    """
    True if all states that symmetries take to each other have one representative.
    """
    universal: bool
    """
    True if no symmetry moves a state of the specification.
    """


@dataclass(frozen=True, kw_only=True)
class SpentReport:
    """
    The cost of searches that did not decide.
    """

    levels: int
    """
    Levels of a search breadth first; of dives the states on the longest path.
    """
    states: int
    """
    States that were met.
    """
    strategy: str
    """
    `breadth first`, `reduced breadth first` or `dive`.
    """
    transitions: int
    """
    Transitions that were followed.
    """


@dataclass(frozen=True, kw_only=True)
class SpecificationReport:
    """
    The normal form of the specification.
    """

    states: int
    """
    Its states.
    """


@dataclass(frozen=True, kw_only=True)
class Seconds:
    """
    Wall-clock time by stage, in seconds.
    """

    compile: float
    """
    Building machine and normal form.
    """
    explore: float
    """
    The search.
    """
    load: float
    """
    Reading the script, up to the values of its constants; the same for all assertions of a
    script.
    """
    symmetry: float
    """
    Finding and verifying symmetries.
    """
    total: float
    """
    The sum of the other fields.
    """


@dataclass(frozen=True, kw_only=True)
class ProfileRow:
    """
    All work of one kind on one definition.
    """

    memory_bytes: int | None
    """
    The bytes by which the memory of the program grew meanwhile; absent where they are not
    known.
    """
    process: str
    """
    The definition of the component, or the process that was compressed or listed; empty where
    the work is about the whole question.
    """
    seconds: float
    """
    The time that it took, in seconds. Of work on several threads, the time until other work was
    begun.
    """
    states: int | None
    """
    The number of states that were listed or searched; absent for other work.
    """
    times: int
    """
    The number of times that such work was begun.
    """
    work: str
    """
    The kind: `reading`, `evaluation`, `views`, `calls`, `component`, `minimisation`,
    `compression`, `listing`, `normal form`, `machine`, `symmetry`, `search`, `replay`.
    """


@dataclass(frozen=True, kw_only=True)
class MemoryLimitReport:
    """
    The memory that the program may take.
    """

    bytes: int
    """
    The limit in bytes.
    """
    from_: str
    """
    The source of the limit: `--memory-limit`, `machine`, `container`, `ulimit -v`, `ulimit -d`.
    """


@dataclass(frozen=True, kw_only=True)
class MachineReport:
    """
    The structured machine, in numbers.
    """

    leaf_states: list[int]
    """
    The states of each leaf, in the order of the leaves.
    """
    leaves: int
    """
    The number of leaves.
    """
    rules: int
    """
    The number of synchronisation rules.
    """


@dataclass(frozen=True, kw_only=True)
class LocalReport:
    """
    The cost of looking at groups of components in place of a search.
    """

    clauses: int
    """
    The clauses that say of a state that it is a deadlock, and that each group can be in its
    part of it.
    """
    derived: int
    """
    The clauses that were derived from them until there was a contradiction.
    """
    groups: int
    """
    The groups of two or three components that take part in steps together.
    """
    states: int
    """
    The states of all these groups.
    """


Kind: TypeAlias = Literal['refinement', 'deadlock free', 'divergence free', 'deterministic', 'has trace', 'symmetric']
"""
The kind of an assertion.
"""


@dataclass(frozen=True, kw_only=True)
class ViewedProcess:
    """
    A process that views have in sight.
    """

    identity: str | None
    """
    The identity that it belongs to; absent if it belongs to none.
    """
    is_specification: bool
    """
    True if it is a part of the specification.
    """
    name: str
    """
    The process as it begins, as CSPm; in a ring also `neighbours of i`, which never change.
    """


@dataclass(frozen=True, kw_only=True)
class DiskReport:
    """
    The states that a search kept on disk.
    """

    bytes: int
    """
    Bytes of all states.
    """
    resumed: int | None
    """
    The number of levels that were on disk before; absent unless the search went on with them.
    """
    resumed_states: int | None
    """
    The number of states that were on disk before, which this run did not have to find; absent
    unless the search went on with them.
    """


TraceStep: TypeAlias = str
"""
One step of a counterexample.
"""


AllowedKind: TypeAlias = Literal['events', 'everything', 'nothing']
"""
The kind of behaviour that a specification allows.
"""


@dataclass(frozen=True, kw_only=True)
class AllowedNext:
    """
    The behaviour that a specification allows next.
    """

    acceptances: list[list[str]]
    """
    The smallest sets of which the process has to offer one at least where it comes to rest;
    empty where that does not matter.
    """
    after: int | None
    """
    The number of events of the trace after which there is `everything` or `nothing`; absent of
    `events`.
    """
    allows: AllowedKind
    """
    `events`, or `everything` if the specification has diverged, or `nothing` if it does not
    have the trace.
    """
    events: list[str]
    """
    The events that the specification allows next, of `events`.
    """


@dataclass(frozen=True, kw_only=True)
class Rest:
    """
    A place on the way at which a process was seen at rest.
    """

    before: int
    """
    The step of `trace_with_taus` before which it was at rest, counted from 1.
    """
    offers: list[str]
    """
    All events that it offered there.
    """


@dataclass(frozen=True, kw_only=True)
class CycleMember:
    """
    A member of a circle of components each of which waits for the next, and the last for the first.
    """

    component: str
    """
    Its name.
    """
    event: str
    """
    The event that it waits to do.
    """


CounterexampleKind: TypeAlias = Literal['trace', 'refusal', 'revival', 'deadlock', 'divergence', 'nondeterminism']
"""
The sort of a counterexample.
"""


@dataclass(frozen=True, kw_only=True)
class ComponentWait:
    """
    An event that a component waits to do.
    """

    components: list[str]
    """
    The names of the components that would have to take part and do not offer to.
    """
    event: str
    """
    Its own event.
    """


@dataclass(frozen=True, kw_only=True)
class ComponentStep:
    """
    A step that a component took part in.
    """

    event: str
    """
    The component's own part in it: an event, `✓`, `τ`, or `τ (event)` if the component hides
    the event itself.
    """
    step: int
    """
    The step of the counterexample, counted from 1.
    """


@dataclass(frozen=True, kw_only=True)
class ComponentState:
    """
    A state that a component has come to.
    """

    state: str | None
    """
    The state from then on, in its present values; absent if the component no longer ran.
    """
    step: int
    """
    The step of the counterexample after which it is in this state, counted from 1; 0 for the
    start.
    """


ComponentEnd: TypeAlias = Literal['runs', 'terminated', 'gone']
"""
The way in which a run leaves a component.
"""


@dataclass(frozen=True, kw_only=True)
class RelationDescription:
    """
    One generator as a permutation of events and states.
    """

    events: list[list[str]]
    """
    The events of the machine that move, in cycles.
    """
    leaves: list[LeafRelation]
    """
    The leaves whose states move.
    """
    specification: list[tuple[SpecificationItem, SpecificationItem]]
    """
    The states of the specification's normal form that move, each with its image.
    """


@dataclass(frozen=True, kw_only=True)
class StateGraph:
    """
    A transition system with the term of each state and what was hidden, or the part of one that
    bounds allow.
    """

    complete: bool
    """
    True if all states are there. If not, `omitted` says of each state how much is not.
    """
    compression: str | None
    """
    The compression that was asked for; absent if every state of the process is there.
    """
    expression: str
    """
    The process.
    """
    file: str
    """
    The script, as it was named.
    """
    states: list[GraphState]
    """
    The states, breadth first: the first one, number 0, is the initial one.
    """
    transitions: list[GraphTransition]
    """
    The transitions, ascending by the state that they come from.
    """
    orbits: GraphOrbits | None = None
    """
    The symmetries by which states have orbits; absent unless orbits were asked for.
    """


@dataclass(frozen=True, kw_only=True)
class MessageReport:
    """
    The JSON object that `typecheck` prints for one message.
    """

    code: str
    """
    The code of the message.
    """
    hint: str | None
    """
    The advice on what to try, if there is something to try.
    """
    message: str
    """
    The message in one sentence.
    """
    notes: list[str]
    """
    Further facts, each a sentence.
    """
    places: list[PlaceReport]
    """
    The primary place first; none if the message is not about a place in a script.
    """
    severity: str
    """
    `error`, `undecided` or `warning`.
    """


@dataclass(frozen=True, kw_only=True)
class MachineDescription:
    """
    A structured machine: an operator tree over leaves.

    The tree is a list rather than nested values, so that its depth costs no call stack.
    """

    bits_per_state: int
    """
    The bits that the packed vector of leaf states takes.
    """
    expression: str
    """
    The expression that was compiled.
    """
    file: str
    """
    The script, as it was named.
    """
    leaves: list[LeafDescription]
    """
    The leaves that the nodes refer to.
    """
    nodes: list[MachineNode]
    """
    The nodes of the tree, every parent before its children, and siblings in order.
    """
    rules: int
    """
    The number of synchronisation rules.
    """


@dataclass(frozen=True, kw_only=True)
class ViewTable:
    """
    All views by which an assertion was decided for every value of a constant.

    Local states are CSPm, with the names of `identities` for those in sight and `*` for any other.
    A set that ends in `all *` has all of the others, one that ends in `..` may have some of them.
    """

    identities: list[str]
    """
    The names of the identities in sight: `i`, `j`...
    """
    processes: list[ViewedProcess]
    """
    The processes in sight.
    """
    views: list[list[str]]
    """
    The views: for each process, in their order, its local state.
    """


@dataclass(frozen=True, kw_only=True)
class SpecificationState:
    """
    The behaviour that a specification allows after a step.
    """

    acceptances: list[list[str]]
    """
    The smallest sets of which the process has to offer one at least where it comes to rest;
    empty where that does not matter.
    """
    after: int | None
    """
    The number of events of the trace after which there is `everything` or `nothing`; absent of
    `events`.
    """
    allows: AllowedKind
    """
    `events`, or `everything` if the specification has diverged, or `nothing` if it does not
    have the trace.
    """
    events: list[str]
    """
    The events that the specification allows next, of `events`.
    """
    step: int
    """
    The step of the counterexample, counted from 1; 0 for the start.
    """


@dataclass(frozen=True, kw_only=True)
class ComponentReport:
    """
    The steps and states of one component.
    """

    end: ComponentEnd
    """
    The way in which the run leaves it.
    """
    name: str
    """
    The component as CSPm, as it started; where several look the same, with a number.
    """
    offers: list[str] | None
    """
    The events that it can do next by itself, `τ` and `✓` among them; absent unless it runs.
    """
    states: list[ComponentState]
    """
    Its states, as far as they changed; empty if it did what an operator does by itself.
    """
    steps: list[ComponentStep]
    """
    Its own steps, before the hiding and renaming above it.
    """
    waits_for: list[ComponentWait]
    """
    The events that it could do but for others, where the run comes to rest.
    """
    within: list[str]
    """
    The compressions in which it stands, the outermost first.
    """


@dataclass(frozen=True, kw_only=True)
class PbisimDescription:
    """
    The generators as relations between states of leaves, with the transitions that they preserve.
    """

    events: list[str]
    """
    The events of the leaves, to which transitions refer by position.
    """
    graphs: list[LeafGraph]
    """
    By leaf, its own transitions.
    """
    relations: list[RelationDescription]
    """
    By generator, its relation.
    """


@dataclass(frozen=True, kw_only=True)
class ForAllReport:
    """
    The way in which an assertion was decided for every value of a constant.
    """

    chain: str | None
    """
    The part of a chain with which an induction over its links began; absent unless that
    decided.
    """
    constant: str
    """
    The constant.
    """
    counted: str
    """
    The quantity that is counted, as CSPm: the constant, or `card(CONSTANT)` if it is a set of
    identities. The values in other fields are of this.
    """
    cutoff: int | None
    """
    The least value whose instance has all views, if that was found: larger instances look no
    different.
    """
    decided: int
    """
    The number of values for which the assertion was decided and holds.
    """
    fails_with: int | None
    """
    The least value for which the assertion fails; absent if none was found.
    """
    in_sight: int | None
    """
    The number of identities in sight of a view; absent unless views decided.
    """
    instance: str | None
    """
    The instance that fails or was not decided, as `-D` takes it: `N=4`.
    """
    instances: int
    """
    The greatest value up to which, from the least on, the assertion was decided and holds; 0 if
    there is none.
    """
    joined: int | None
    """
    The number of identities in sight of a step.
    """
    joins: int | None
    """
    The number of states that were put together of views, and stepped.
    """
    largest: int | None
    """
    The greatest value that the script has names for; absent if there is none.
    """
    least: int
    """
    The least value that is asked for.
    """
    met: int | None
    """
    The number of views that this instance has, of those that were found.
    """
    sentence: str
    """
    The whole report in a sentence.
    """
    undecided_with: int | None
    """
    The value at which deciding stopped without a verdict; absent if there is none.
    """
    views: int | None
    """
    The number of views, up to the names of identities.
    """
    walked: int | None
    """
    The greatest value whose instance was walked through, state by state, to see that each of
    its views is among those that were found; absent if all are too large.
    """
    view_table: ViewTable | None = None
    """
    The views themselves; left out unless they are wanted, and where views did not decide.
    """


@dataclass(frozen=True, kw_only=True)
class SpecificationRow:
    """
    The behaviour that the specification of a refinement allows on the way of a counterexample.
    """

    at_end: AllowedNext
    """
    The behaviour that it would have allowed where the implementation goes wrong.
    """
    model: str
    """
    The model: `T`, `F`, `FD`...
    """
    process: str
    """
    The specification as CSPm.
    """
    states: list[SpecificationState]
    """
    The behaviour that it allows at the start and after each step that is no internal one.
    """


@dataclass(frozen=True, kw_only=True)
class SymmetryDescription:
    """
    The symmetries of one check, as far as they are known, and what the check makes of them.
    """

    algorithm: str
    """
    The algorithm that a check uses: `Check`, `SymCheck1`...
    """
    assertion: str
    """
    The assertion, options and all, as CSPm.
    """
    detection: DetectionDescription | None
    """
    The end of the search for symmetries without any hint; absent if there was none.
    """
    event_orbits: list[list[str]]
    """
    Events that symmetries take to each other: the sets of two or more.
    """
    file: str
    """
    The script, as it was named.
    """
    generators: list[GeneratorDescription]
    """
    Generators of the group.
    """
    implementation: str
    """
    The implementation as CSPm.
    """
    leaf_orbits: list[list[int]]
    """
    Leaves that symmetries take to each other: the sets of two or more.
    """
    leaves: list[LeafDescription]
    """
    The leaves of the machine.
    """
    listed: bool
    """
    False if a component is too large to be listed at once. The symmetries are then those of the
    definitions: permutations of values that the script only compares. There may be more, some
    may move nothing that happens, and nothing is known of leaves, of orbits and of candidates
    that are no symmetries.
    """
    looked_into: list[LookedIntoDescription]
    """
    The places at which the script looks into values of a type, so that nothing is known of
    permutations of these without a list of states. Empty where states were listed.
    """
    near: list[NearSymmetry]
    """
    Single components without which there would be more symmetries.
    """
    normal_components: bool
    """
    True if nondeterministic components are in normal form, as by `normal`, because more values
    can be renamed then than in the process as it is written.
    """
    order: str
    """
    The number of symmetries, the one that moves nothing included; decimal, of any size.
    """
    pbisims: PbisimDescription | None
    """
    The relations themselves; absent unless asked for.
    """
    refused: list[AlgorithmRefusal]
    """
    The other algorithms, and why they are not used.
    """
    rejected: list[RejectionDescription]
    """
    The candidates that turned out to be no symmetries: type by type, first those that tell
    most.
    """
    representative: str | None
    """
    Its representative function; absent for `Check`.
    """
    specification: str | None
    """
    The specification as CSPm; absent where the assertion has none.
    """
    start_fixed: bool
    """
    True if only symmetries were looked for that fix the initial states.
    """
    structure: str
    """
    The structure of the group: `S4`, `S3 × S2`, `S4 wr S3`, `trivial`...
    """
    types: list[TypeSymmetry]
    """
    The types and index sets that were looked at.
    """
    unique: bool | None
    """
    True if all states that symmetries take to each other have one representative; absent for
    `Check`.
    """
    universal: bool
    """
    True if no symmetry moves a state of the specification.
    """


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """
    A behaviour of the implementation that the specification does not allow.
    """

    acceptances: list[list[str]] | None
    """
    Of a refusal: the minimal acceptances of the specification after `trace`, one of which at
    least should be offered. Of a revival: the smallest with `event` of all its acceptances.
    """
    components: list[ComponentReport] | None
    """
    The steps of each component in `trace_with_taus` and then `event` or `cycle`; absent unless
    they were asked for.
    """
    cycle: list[TraceStep] | None
    """
    Of a divergence: the internal steps that are done again and again after `trace_with_taus`.
    """
    event: str | None
    """
    The event that the specification does not allow: after `trace`, or of a revival, after a
    rest with `offers`. Of nondeterminism, the event that the process can both do and refuse.
    `✓` is termination. Absent in the other kinds.
    """
    kind: CounterexampleKind
    """
    The kind of behaviour.
    """
    last_step_by: list[str] | None
    """
    The components that do `event`, of an event that is not allowed; absent unless several
    counterexamples are asked for.
    """
    offers: list[str] | None
    """
    All events that are offered after `trace_with_taus`, of a refusal, a revival, a deadlock or
    nondeterminism. With `--termination signal` `✓` alone, if the process can terminate, because
    it may refuse the rest then.
    """
    other_components: list[ComponentReport] | None
    """
    The steps of each component in `other_trace_with_taus`; absent unless they were asked for.
    """
    other_trace_with_taus: list[TraceStep] | None
    """
    Of nondeterminism: another run with the same trace, and then `event`.
    """
    rests: list[Rest] | None
    """
    In the models of refusal testing: the rests of the process on the way, which count there;
    absent in other models.
    """
    sentence: str
    """
    A sentence that says what is wrong.
    """
    specification: SpecificationRow | None
    """
    The behaviour that the specification allows on the way; absent unless it was asked for, and
    where there is no specification.
    """
    terminated: bool | None
    """
    Of a deadlock: true if it is one because the process has terminated; absent in the other
    kinds.
    """
    trace: list[str]
    """
    The visible events before what is wrong.
    """
    trace_with_taus: list[TraceStep]
    """
    The events of `trace` with every internal step.
    """
    waiting_circle: list[CycleMember] | None
    """
    Of a deadlock, a refusal, a revival or nondeterminism, which come to rest: components each
    of which waits for the next, and the last for the first; absent unless it was asked for,
    empty if there is no such circle.
    """
    replayed: bool | None = None
    """
    False if these are the steps of the compiled machine, which were not replayed by the rules
    of the operators because a limit was reached. Offers and acceptances may be absent then, and
    there is no `cycle`. Left out if the counterexample was replayed.
    """


@dataclass(frozen=True, kw_only=True)
class AssertionReport:
    """
    The outcome of one assertion.
    """

    algorithm: str | None
    """
    `Check`, `SymCheck1`, `SymCheck2`, `SymCheck3`; absent if nothing was explored.
    """
    assertion: str | None
    """
    The assertion as CSPm, without `assert` and without `not`; absent if the script could not be
    read.
    """
    counterexample: Counterexample | None
    """
    The behaviour that refutes what is asserted (under `not`: that proves the assertion).
    """
    file: str
    """
    The file the assertion stands in, as it was named.
    """
    kind: Kind | None
    """
    The kind of assertion; absent if the script could not be read.
    """
    levels: int | None
    """
    Levels of the breadth-first search.
    """
    machine: MachineReport | None
    """
    The structured machine; absent if it was not built.
    """
    memory_bytes: int | None
    """
    The bytes that the search stored at its end; absent if nothing was explored.
    """
    message: str | None
    """
    The reason why there is no verdict, in one line that begins with the code of the message. Of
    `e :[symmetric]: T`, the permutation that changes e, and what it changes. Of a trace that a
    process does not have, how far the process can do it.
    """
    model: str | None
    """
    `T`, `F`, `FD`...; absent where a model means nothing.
    """
    negated: bool
    """
    True if it is an `assert not`.
    """
    remarks: list[str]
    """
    Remarks on how the verdict came about, a sentence each.
    """
    representative: str | None
    """
    The representative function, where symmetry was used: `sortRep`, `sortRep, simultaneous`,
    `genRep`, `signature sort`, `minimal image`, `local search`, `product`.
    """
    seconds: Seconds
    """
    The time that the stages took.
    """
    specification: SpecificationReport | None
    """
    The normal form of the specification; absent if it was not built.
    """
    states: int | None
    """
    Pairs of specification state and machine state that were reached, where symmetry was used
    only the representatives among them; absent if nothing was explored.
    """
    symmetry: SymmetryReport | None
    """
    The symmetry group, where symmetry was used.
    """
    transitions: int | None
    """
    Transitions between these pairs.
    """
    verdict: Verdict
    """
    The verdict on the assertion, its negation taken into account.
    """
    cached: bool | None = None
    """
    True if an earlier run has decided the assertion, which took the time that is given here;
    otherwise left out.
    """
    counterexamples: list[Counterexample] | None = None
    """
    All different counterexamples that were found, `counterexample` first; left out unless more
    than one is asked for, and if there is none.
    """
    disk: DiskReport | None = None
    """
    The states that the search kept on disk; left out if it kept nothing there.
    """
    for_all: ForAllReport | None = None
    """
    The way in which the assertion was decided for every value of a constant; left out unless
    that is asked.
    """
    local: LocalReport | None = None
    """
    The groups of components by which it was proved that the process never deadlocks; left out
    unless these have decided.
    """
    memory_limit: MemoryLimitReport | None = None
    """
    The bound on the memory; left out unless all numbers are wanted.
    """
    partial_order: str | None = None
    """
    `fast`, `hybrid` or `precise`, if by partial order reduction only some of the transitions
    were followed; otherwise left out.
    """
    profile: list[ProfileRow] | None = None
    """
    The work that was done, the longest first; left out unless it is wanted.
    """
    spent: list[SpentReport] | None = None
    """
    The searches of the machine that did not decide, and their cost; left out if there are none.
    """
    strategy: str | None = None
    """
    `terms` if the assertion was decided by a search of the terms themselves, of which nothing
    was compiled; `subsets` if the specification's sets of states were made as they were met;
    `dive` if it was decided by a dive; `local` if by groups of components; otherwise left out.
    """
    warnings: list[MessageReport] | None = None
    """
    Warnings that the assertion says less than it seems to, or that something in it never
    happens; left out if there are none.
    """


Report: TypeAlias = AssertionReport | MachineDescription | MessageReport | StateGraph | SymmetryDescription
