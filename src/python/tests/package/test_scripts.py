"""Scripts are read with what they include, and say what is in them."""

import cspsym
import pytest


def test_a_script_says_what_is_in_it(shop):
    first = shop.assertions[0]
    assert (first.text, first.kind, first.model, first.negated) == (
        "VM [T= BAD",
        "refinement",
        "T",
        False,
    )
    assert (first.specification, first.implementation, first.place.line) == ("VM", "BAD", 9)
    assert shop.assertions[6].negated
    assert shop.assertions[6].text == "not SHOP :[deadlock free]"
    assert shop.processes[:2] == ("VM", "BAD")
    assert shop.files == ("shop.csp",)
    assert repr(shop) == "<Script shop.csp: 8 assertions>"
    assert "VM [T= BAD" in shop._repr_html_()


def test_files_include_what_stands_beside_them(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/events.csp").write_text("channel a, b\nN = 2\nprint N\n")
    main = tmp_path / "main.csp"
    main.write_text('include "parts/events.csp"\nassert a -> STOP [T= b -> STOP\n')
    script = cspsym.Script.from_file(main, constants={"N": 7})
    assert script.files == (str(main), str(tmp_path / "parts/events.csp"))
    assert (script.evaluate("N + 1"), script.constants, script.prints) == ("8", {"N": "7"}, ("N",))
    assert not script.assertions[0].check().holds
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(cspsym.ScriptError, match="is outside of"):
        cspsym.Script.from_file(main, include_root=tmp_path / "elsewhere")


def test_texts_include_other_texts():
    files = {"events.csp": "channel a"}
    script = cspsym.Script.from_text('include "events.csp"\nP = a -> P', files=files)
    assert script.evaluate("{a}") == "{a}"


def test_expressions_have_values_elements_and_types(shop):
    assert shop.evaluate("card(Events)") == "4"
    assert shop.evaluate_elements("<x * x | x <- <3, 1>>") == ("9", "1")
    assert shop.evaluate_elements("{3, 1}") == ("1", "3")
    assert shop.type_of("card") == "Eq a => ({a}) -> Int"
    with pytest.raises(cspsym.ScriptError, match="no finite set"):
        shop.evaluate_elements("3")


def test_mistakes_have_messages_with_places():
    with pytest.raises(cspsym.ScriptError) as raised:
        cspsym.Script.from_text("P = Q", "wrong.csp")
    error = raised.value
    assert (error.code, error.messages[0].places[0].line) == ("unknown-name", 1)
    assert "1 │ P = Q" in str(error)
    with pytest.raises(cspsym.Error, match="there is no such file"):
        cspsym.Script.from_file("none.csp")


def test_warnings_are_kept():
    script = cspsym.Script.from_text("channel a\nP = a -> a -> STOP\nP' = STOP\ndatatype T = P1")
    assert all(message.severity == "warning" for message in script.messages)
    assert not cspsym.Script.from_text("").messages
