"""Scripts that several tests ask."""

import cspsym
import pytest

#: A machine that may give the wrong drink, a shop that closes, and one that works on for ever.
SHOP = """
channel coin, tea, coffee, bill
VM = coin -> tea -> VM
BAD = coin -> (tea -> BAD |~| coffee -> BAD)
CUSTOMER = coin -> tea -> SKIP
SHOP = VM [| {coin, tea} |] CUSTOMER
CHANGER = bill -> coin -> CHANGER
KIOSK = (CHANGER [| {coin} |] VM) \\ {coin}
assert VM [T= BAD
assert BAD [T= VM
assert VM [F= STOP
assert SHOP :[deadlock free]
assert BAD :[deterministic]
assert VM \\ {coin, tea} :[divergence free]
assert not SHOP :[deadlock free]
assert bill -> STOP [T= KIOSK
"""

#: A process without end.
UP = """
channel up
P(n) = up -> P(n + 1)
assert P(0) :[deadlock free]
assert P(0) [T= STOP
"""


@pytest.fixture
def shop():
    return cspsym.Script.from_text(SHOP, "shop.csp")


@pytest.fixture
def up():
    return cspsym.Script.from_text(UP, "up.csp")


@pytest.fixture
def shop_file(tmp_path):
    path = tmp_path / "shop.csp"
    path.write_text(SHOP, "utf-8")
    return path
