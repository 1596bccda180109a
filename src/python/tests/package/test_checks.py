"""Assertions are decided, under limits, and while others go on."""

import asyncio
import signal

import cspsym
import pytest


def test_assertions_hold_or_fail(shop):
    results = shop.check(timeout=60)
    assert [result.verdict for result in results] == [
        "fail",
        "pass",
        "fail",
        "fail",
        "fail",
        "fail",
        "pass",
        "fail",
    ]
    assert not results.all_hold
    found = results[0].counterexample
    assert (found.kind, found.trace, found.event) == ("trace", ["coin"], "coffee")
    assert results[4].counterexample.kind == "nondeterminism"
    assert results[5].counterexample.cycle == ["τ (coin)", "τ (tea)"]
    assert results[7].counterexample.trace_with_taus == ["bill", "τ (coin)"]


def test_new_assertions_and_refinements_are_decided(shop):
    assert shop.assertion("assert VM :[has trace]: <coin, tea>").check().holds
    new = shop.assertion("not VM [T= BAD")
    assert (new.index, new.check().holds) == (8, True)
    assert shop.refine("VM", "BAD", model="F").verdict == "fail"
    with pytest.raises(cspsym.ScriptError, match="NONE"):
        shop.assertion("NONE :[deadlock free]")


def test_options_are_those_of_the_command_line(shop):
    found = shop.assertions[0].check(explain=False, symmetry="off", threads=1, max_states=100)
    assert (found.holds, found.counterexample.components) == (False, None)
    assert shop.assertions[1].check(model="F").model == "F"
    with pytest.raises(TypeError, match="there is no option 'timeot'"):
        shop.check(timeot=1)
    with pytest.raises(cspsym.OptionError, match="symmetry off"):
        shop.check(symmetry="off", algorithm="symcheck1")
    with pytest.raises(cspsym.OptionError, match="timeout"):
        shop.check(timeout=-1)


def test_a_limit_leaves_no_verdict(up):
    result = up.assertions[0].check(max_states=1000, strategy="terms")
    assert result.verdict == "unknown"
    with pytest.raises(cspsym.UndecidedError) as raised:
        _ = result.holds
    assert raised.value.code == "state-limit"
    assert up.assertions[0].check(timeout=0.05).message.startswith("timeout: ")
    # What is left of the time of the whole call is next to nothing.
    assert up.check(timeout=0.05)[0].verdict == "unknown"


def test_ctrl_c_ends_a_check_and_nothing_else(up):
    told = []

    def interrupt(progress):
        told.append(progress)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        up.assertions[0].check(progress=interrupt)
    assert told[0].question == "assert P(0) :[deadlock free]"
    assert told[0].steps > 0
    assert told[0].seconds > 0
    assert up.assertions[1].check().holds


def test_an_error_of_who_listens_ends_a_check(up):
    def fail(_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        up.assertions[0].check(progress=fail)


def test_a_token_ends_a_check(up):
    token = cspsym.Cancellation()
    result = up.assertions[0].check(progress=lambda _: token.cancel(), cancellation=token)
    assert result.message.startswith("interrupted: ")
    assert up.assertions[0].check(cancellation=token).verdict == "unknown"


def test_others_go_on_while_a_check_is_awaited(up, shop):
    async def main():
        loop = asyncio.get_running_loop()
        began = asyncio.Event()
        endless = asyncio.create_task(
            up.assertions[0].check_async(progress=lambda _: loop.call_soon_threadsafe(began.set))
        )
        await began.wait()
        assert not endless.done()
        results = await shop.check_async()
        refined = await shop.refine_async("VM", "VM")
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        # The script is free again.
        again = await up.assertions[1].check_async()
        return results, refined, again

    results, refined, again = asyncio.run(main())
    assert (len(results), refined.holds, again.holds) == (8, True, True)


def test_states_of_searches_are_kept_in_a_folder(shop, tmp_path):
    folder = tmp_path / "states"
    # Without a folder the search is of terms, which keeps nothing on disk.
    result = shop.assertions[1].check(spill=folder, strategy="machine")
    assert result.holds
    assert folder.is_dir()
    with pytest.raises(cspsym.Error):
        shop.assertions[1].check(spill=folder)


def test_symmetries_are_described():
    script = cspsym.Script.from_text(
        "datatype T = A | B | C\nchannel c, d : T\nP(x) = c.x -> d.x -> P(x)\n"
        "assert STOP [T= ||| x : T @ P(x)"
    )
    symmetries = script.assertions[0].symmetry()
    assert (symmetries.structure, symmetries.order) == ("S2 wr S3", "48")
    assert script.assertions[0].symmetry(fix_initial=True).structure == "S3"
