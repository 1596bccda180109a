"""Results are plain data, tables and drawings."""

import dataclasses
import pickle
from xml.etree import ElementTree

import cspsym
import pytest


def test_results_are_frozen_data_that_can_be_kept(shop):
    result = shop.assertions[0].check()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.verdict = "pass"
    kept = pickle.loads(pickle.dumps(result))
    assert kept == result
    assert (kept.holds, kept.lanes()) == (False, None)
    assert "coffee   <- not allowed here" in str(result)
    assert dataclasses.asdict(result)["counterexample"]["event"] == "coffee"


def test_results_are_a_table(shop):
    table = shop.check().to_pandas()
    assert table["verdict"].tolist()[:3] == ["fail", "pass", "fail"]
    assert table.loc[0, "counterexample"].startswith("After <coin>")
    assert table.loc[6, "assertion"] == "not SHOP :[deadlock free]"


def test_counterexamples_have_lanes(shop):
    lanes = shop.assertions[3].check().lanes()
    drawing = ElementTree.fromstring(lanes)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    for name in ("VM", "CUSTOMER", "coin", "tea", "deadlock"):
        assert name in texts
    assert shop.assertions[1].check().lanes() is None
    assert shop.assertions[4].check().lanes(other=True) is not None


def test_several_counterexamples_are_found(shop):
    result = shop.refine("STOP", "coin -> STOP [] bill -> STOP", counterexamples=5)
    assert [found.event for found in result.all_counterexamples] == ["coin", "bill"]
    assert "bill" in result.lanes(1)


def test_jupyter_shows_results(shop):
    results = shop.check()
    html = results._repr_html_()
    assert "<b>holds</b>" in html
    assert html.count('<img alt="lanes of the counterexample"') == 8
    assert "&lt;coin&gt;" in results[0]._repr_html_()
    assert isinstance(results[0:2], cspsym.Results)


def test_a_graph_is_drawn_written_and_handed_on(shop):
    graph = shop.process("BAD").graph()
    assert (graph.complete, len(graph.states)) == (True, 4)
    made = graph.to_networkx()
    assert sorted(data["label"] for _, _, data in made.edges(data=True)) == [
        "coffee",
        "coin",
        "tea",
        "τ",
        "τ",
    ]
    assert made.nodes[0]["term"] == "BAD"
    assert graph.to_pandas()["label"].tolist().count("τ") == 2
    assert ElementTree.fromstring(graph.svg).tag.endswith("svg")
    assert graph._repr_svg_() == graph.svg
    assert graph.dot.startswith("digraph")
    assert graph.aut("i").splitlines()[0].startswith("des (0, 5, 4)")
    kept = pickle.loads(pickle.dumps(graph))
    assert kept == graph
    with pytest.raises(ValueError, match="pickled"):
        _ = kept.svg
    part = shop.process("BAD").graph(max_nodes=2)
    assert (part.complete, len(part.states)) == (False, 2)
    assert len(shop.process("KIOSK").graph(compress="normal").states) < len(
        shop.process("KIOSK").graph().states
    )
    with pytest.raises(cspsym.OptionError, match="sbisim"):
        shop.process("BAD").graph(compress="smaller")
    assert ElementTree.fromstring(shop.process("BAD")._repr_svg_()).tag.endswith("svg")


def test_a_machine_is_described(shop):
    machine = shop.process("SHOP").machine()
    assert [leaf.expression for leaf in machine.leaves] == ["VM", "CUSTOMER"]


def test_states_are_found_when_they_are_asked_for(shop, up):
    states = up.process("P(0)").states()
    state = states.initial
    for number in range(5):
        assert state.number == number
        (step,) = state.steps
        assert step.label == "up"
        state = step.target
    assert state.term == "P(5)"
    kiosk = shop.process("KIOSK").states()
    assert [state.number for state in kiosk] == list(
        range(len(shop.process("KIOSK").graph().states))
    )
    assert kiosk.alphabet == ("bill", "tea")
    taus = [step.hidden for state in kiosk for step in state.steps if step.label == "τ"]
    assert taus == [("coin",)] * len(taus)
    with pytest.raises(IndexError):
        _ = cspsym.State(kiosk, 99).steps


def test_the_run_of_a_counterexample_leads_through_states(shop):
    assertion = shop.assertions[7]
    result = assertion.check()
    path = assertion.states(result).path
    assert [label for label, _ in path] == ["bill", "τ", "bill"]
    assert path[-1][1].term is not None
    assert assertion.states().path == ()
