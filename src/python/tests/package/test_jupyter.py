"""Jupyter shows tables and drawings."""

import nbformat
from nbclient import NotebookClient

CELLS = (
    """
import cspsym
script = cspsym.Script.from_text('''
channel coin, tea, coffee
VM = coin -> tea -> VM
BAD = coin -> (tea -> BAD |~| coffee -> BAD)
assert VM [T= BAD
''')
script
""",
    "script.check()",
    "script.assertions[0].check().lanes()",
    "script.process('BAD')",
    "await script.check_async()",
)


def test_a_notebook_shows_tables_and_drawings():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    shown = [cell.outputs[0]["data"] for cell in notebook.cells]
    assert "VM [T= BAD" in shown[0]["text/html"]
    assert "fails" in shown[1]["text/html"]
    assert "data:image/svg+xml;base64," in shown[1]["text/html"]
    assert shown[2]["image/svg+xml"].startswith("<svg")
    assert "coffee" in shown[3]["image/svg+xml"]
    assert "fails" in shown[4]["text/html"]
