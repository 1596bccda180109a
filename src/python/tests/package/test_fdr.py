"""FDR's module, driven as programs drive it: every name that they call."""

import os
import subprocess
import sys

import pytest
from cspsym import fdr


@pytest.fixture
def session(shop_file):
    fdr.library_init()
    session = fdr.Session()
    assert session.load_file(str(shop_file)) == ()
    yield session
    fdr.library_exit()


def executed(session, index):
    assertion = session.assertions()[index]
    assertion.execute(None)
    return assertion


def texts(session, events):
    return ["-" if e == fdr.INVALID_EVENT else str(session.uncompile_event(e)) for e in events]


def names(session, behaviour):
    machine = behaviour.machine()
    nodes = behaviour.node_path()
    return [n if n is None else str(session.machine_node_name(machine, n)) for n in nodes]


def test_the_folder_makes_import_fdr_work():
    call = [sys.executable, "-m", "cspsym.fdr", "--path"]
    folder = subprocess.run(call, check=True, capture_output=True, text=True).stdout.strip()
    program = "import fdr; print(fdr.version(), fdr.has_valid_license(), fdr.Session.__module__)"
    said = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": folder},
    ).stdout.split()
    assert said[0] == "cspsym"
    assert said[2:] == ["True", "cspsym.fdr._session"]


def test_assertions_have_classes_and_pass_or_fail(session):
    kinds = [type(assertion).__name__ for assertion in session.assertions()]
    assert kinds == [
        "RefinementAssertion",
        "RefinementAssertion",
        "RefinementAssertion",
        "DeadlockFreeAssertion",
        "DeterministicAssertion",
        "DivergenceFreeAssertion",
        "NegatedAssertion",
        "RefinementAssertion",
    ]
    assertion = session.assertions()[1]
    with pytest.raises(fdr.Error, match="not executed"):
        assertion.passed()
    assertion.execute(None)
    assert (assertion.passed(), assertion.counterexamples()) == (True, ())
    assert str(assertion) == assertion.to_string() == "BAD [T= VM"
    assert assertion.semantic_model() == fdr.SemanticModel_Traces
    assert assertion.implementation().root_node().hash_code() == 0
    negated = executed(session, 6)
    assert negated.passed()
    assert isinstance(negated.counterexamples()[0], fdr.DeadlockCounterexample)
    assert str(negated.inner_assertion()) == "SHOP :[deadlock free]"


def test_a_trace_counterexample(session):
    (found,) = executed(session, 7).counterexamples()
    assert isinstance(found, fdr.TraceCounterexample)
    assert isinstance(found, fdr.RefinementCounterexample)
    assert str(session.uncompile_event(found.error_event())) == "bill"
    run = found.implementation_behaviour()
    assert texts(session, run.trace()) == ["bill", "τ"]
    assert names(session, run)[0] == "KIOSK"
    assert len(run.node_path()) == 3
    context = fdr.DebugContext(found, False)
    context.initialise(None)
    specification, implementation = context.root_behaviours()
    assert isinstance(specification, fdr.IrrelevantBehaviour)
    assert texts(session, specification.trace()) == ["bill", "-"]
    assert implementation is run
    changer, machine = context.behaviour_children(run)
    assert isinstance(changer, fdr.TraceBehaviour)
    assert texts(session, changer.trace()) == ["bill", "coin"]
    assert texts(session, [changer.error_event()]) == ["bill"]
    assert isinstance(machine, fdr.IrrelevantBehaviour)
    assert texts(session, machine.trace()) == ["-", "coin"]
    assert names(session, machine) == ["VM", None, "tea -> VM"]
    assert texts(session, context.reveal_taus_in_trace(run)) == ["bill", "coin"]
    assert context.reveal_tau(run, 1) is changer
    assert context.behaviour_children(changer) == ()
    assert set(texts(session, context.full_alphabet())) == {"bill", "τ", "coin"}


def test_a_minimal_acceptance_counterexample(session):
    (found,) = executed(session, 2).counterexamples()
    assert isinstance(found, fdr.MinAcceptanceCounterexample)
    assert found.min_acceptance() == found.implementation_behaviour().min_acceptance() == ()


def test_a_deadlock(session):
    assertion = executed(session, 3)
    (found,) = assertion.counterexamples()
    assert isinstance(found, fdr.DeadlockCounterexample)
    assert isinstance(found, fdr.PropertyCounterexample)
    behaviour = found.behaviour()
    assert isinstance(behaviour, fdr.MinAcceptanceBehaviour)
    assert (texts(session, behaviour.trace()), behaviour.min_acceptance()) == (["coin", "tea"], ())
    context = fdr.DebugContext(found, True)
    context.initialise(None)
    (root,) = context.root_behaviours()
    vm, customer = context.behaviour_children(root)
    assert texts(session, vm.min_acceptance()) == ["coin"]
    assert customer.min_acceptance() == (fdr.TICK,)
    assert str(session.machine_name(assertion.machine())) == "SHOP"


def test_nondeterminism(session):
    (found,) = executed(session, 4).counterexamples()
    assert isinstance(found, fdr.DeterminismCounterexample)
    refuses, does = found.specification_behaviour(), found.implementation_behaviour()
    assert isinstance(refuses, fdr.MinAcceptanceBehaviour)
    assert isinstance(does, fdr.TraceBehaviour)
    assert does.error_event() not in refuses.min_acceptance()
    assert texts(session, refuses.trace()) == texts(session, does.trace()) == ["coin", "τ"]


def test_a_divergence(session):
    (found,) = executed(session, 5).counterexamples()
    assert isinstance(found, fdr.DivergenceCounterexample)
    loop = found.behaviour()
    assert isinstance(loop, fdr.LoopBehaviour)
    assert (loop.loop_index(), loop.trace()) == (0, (fdr.TAU, fdr.TAU))
    machine, path = loop.machine(), loop.node_path()
    assert path[0] == path[2] != path[1]
    assert machine.is_divergent(path[0], None)


def test_a_machine_is_walked(session):
    machine = session.evaluate_process("KIOSK", fdr.SemanticModel_Traces, None).result()
    root = machine.root_node()
    seen, waiting = {root}, [root]
    for node in waiting:
        for transition in machine.transitions(node):
            destination = transition.destination()
            assert destination in machine.afters(node, transition.event())
            if destination not in seen:
                seen.add(destination)
                waiting.append(destination)
    assert len({node.hash_code() for node in seen}) == len(seen) == 4
    assert texts(session, machine.alphabet(False)) == ["bill", "tea"]
    assert machine.alphabet(True)[0] == fdr.TAU
    assert texts(session, machine.initials(root)) == ["bill"]
    assert machine.minimal_acceptances(root) == (machine.initials(root),)
    (after,) = machine.afters(root, session.compile_event("bill"))
    assert machine.minimal_acceptances(after) == ()
    assert not machine.is_divergent(root, None)
    assert not machine.has_divergence_labellings()
    with pytest.raises(ValueError, match="no node of this machine"):
        session.evaluate_process("VM", fdr.SemanticModel_Traces, None).result().transitions(root)


def test_a_compression_of_a_whole_process_is_seen(tmp_path):
    session = fdr.Session()
    contents = {"a.csp": "transparent normal\nchannel a\nP = a -> STOP |~| a -> a -> STOP"}
    session.load_strings_as_file("a.csp", contents)
    machine = session.evaluate_process("normal(P)", fdr.SemanticModel_Traces, None).result()
    root = machine.root_node()
    assert texts(session, machine.initials(root)) == ["a"]
    assert session.machine_node_name(machine, root) is None
    plain = session.evaluate_process("P", fdr.SemanticModel_Traces, None).result()
    assert plain.initials(plain.root_node()) == (fdr.TAU,)
    with pytest.raises(fdr.InputFileError, match="transparent"):
        session.evaluate_process("sbisim(P)", fdr.SemanticModel_Traces, None)


def test_expressions_are_evaluated(session):
    assert session.evaluate_expression("card(Events)", None).result() == "4"
    elements = session.evaluate_iterable_expression("{3, 1}", None)
    assert (elements.result(), elements.warnings()) == (("1", "3"), ())
    assert session.type_of_expression("1").result() == "Int"
    event = session.uncompile_event(session.compile_event("coin"))
    assert (event.to_string(), session.compile_event(event)) == (
        "coin",
        session.compile_event("coin"),
    )
    tick, tau = session.uncompile_events([fdr.TICK, fdr.TAU])
    assert (str(tick), str(tau)) == ("✓", "τ")
    with pytest.raises(ValueError, match="no event"):
        session.uncompile_event(fdr.INVALID_EVENT)


def test_traces_are_asserted(session):
    for trace, passes in (("coin, tea", True), ("tea", False)):
        assertion = session.parse_assertion(f"SHOP :[has trace]: <{trace}>").result()
        assert isinstance(assertion, fdr.HasTraceAssertion)
        assertion.execute(None)
        assert assertion.passed() == passes


def test_errors_are_those_of_fdr(session, tmp_path):
    with pytest.raises(fdr.Error, match="loads one file"):
        session.load_file("another.csp")
    with pytest.raises(fdr.FileLoadError, match="no such file") as raised:
        fdr.Session().load_file("none.csp")
    assert raised.value.file_name() == "none.csp"
    with pytest.raises(fdr.InputFileError, match="unknown-property"):
        session.parse_assertion("SHOP :[good]")
    with pytest.raises(fdr.InputFileError, match="not defined"):
        session.evaluate_expression("nobody", None)
    with pytest.raises(fdr.InputFileError, match="Proc"):
        session.evaluate_process("1", fdr.SemanticModel_Traces, None)
    for error in (fdr.FileLoadError, fdr.InputFileError, fdr.CancelledError):
        assert issubclass(error, fdr.Error)


def test_what_is_cancelled_raises(session):
    canceller = fdr.Canceller()
    canceller.cancel()
    assert canceller.is_cancelled()
    with pytest.raises(fdr.CancelledError):
        session.assertions()[0].execute(canceller)
    session.assertions()[0].execute(fdr.Canceller())
    machine = session.evaluate_process("VM", fdr.SemanticModel_Traces, None).result()
    with pytest.raises(fdr.CancelledError):
        machine.is_divergent(machine.root_node(), canceller)


def test_print_statements_are_listed():
    session = fdr.Session()
    session.load_strings_as_file("a.csp", {"a.csp": "N = 3\nprint N + 1"})
    (statement,) = session.print_statements()
    assert (statement.expression(), statement.source_location()) == ("N + 1", "a.csp")
