"""Talks to `cspsym mcp` by the protocol's own client, which checks every answer against the
protocol: the package `mcp`. The program is the first argument."""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

MACHINE = """
channel coin, tea, coffee
VM = coin -> tea -> VM
BAD = coin -> (tea -> BAD |~| coffee -> BAD)
assert VM [T= BAD
assert BAD :[deadlock free]
"""

# It grows for ever.
ENDLESS = "channel up\nP(n) = up -> P(n + 1)\nassert P(0) ||| P(0) :[deterministic]"


async def talk(session: ClientSession) -> None:
    await session.initialize()
    await session.send_ping()
    tools = {tool.name for tool in (await session.list_tools()).tools}
    assert tools == {"check", "types", "type_of", "evaluate", "step", "why", "explain"}, tools

    checked = await session.call_tool("check", {"text": MACHINE})
    assert not checked.is_error
    verdicts = [one["verdict"] for one in checked.structured_content["verdicts"]]
    assert verdicts == ["fails", "holds"], verdicts
    assert "coffee   <- not allowed here" in checked.content[0].text

    wrong = await session.call_tool("types", {"text": "P = a -> P"})
    assert "unknown-name" in wrong.content[0].text
    walked = await session.call_tool("step", {"text": MACHINE, "process": "BAD", "path": ["coin"]})
    assert "τ" in walked.content[0].text
    outside = await session.call_tool("check", {"file": "/etc/hosts"})
    assert outside.is_error

    pages = (await session.list_resources()).resources
    page = await session.read_resource(pages[0].uri)
    assert page.contents[0].text.startswith("# ")

    heard = []

    async def hear(progress: float, _total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    call = {"text": ENDLESS, "timeout_each": 2}
    undecided = await session.call_tool("check", call, progress_callback=hear)
    assert undecided.structured_content["verdicts"][0]["verdict"] == "undecided"
    assert heard == sorted(heard) and heard, heard

    # A call that nobody waits for is cancelled, and the next one does not wait for it.
    call = session.call_tool("check", {"text": ENDLESS, "timeout_each": 600})
    try:
        await asyncio.wait_for(call, timeout=1)
    except TimeoutError:
        pass
    value = await asyncio.wait_for(
        session.call_tool("evaluate", {"text": "", "expression": "1 + 1"}), timeout=30
    )
    assert value.content[0].text == "2"


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=["mcp"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await talk(session)
    print("mcp: the protocol's own client understands every answer")


asyncio.run(main())
