"""Graphs of processes: drawn, written for other programs, and handed to networkx and pandas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from . import _native
from ._reading import read
from .drawing import Drawing
from .reports import StateGraph

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class Graph(StateGraph):
    """The graph of a process. The fields are those of `cspsym help json`."""

    #: What the native module has given, which is no field of the data; a pickle has none.
    _graph: ClassVar[_native.Graph | None] = None

    @staticmethod
    def of(graph: _native.Graph) -> Graph:
        """Return the graph that the native module has given."""
        made = read(Graph, graph.json())
        object.__setattr__(made, "_graph", graph)
        return made

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """Return the graph for networkx, which it needs.

        Nodes are numbered from 0, the initial state, and have the attributes `term` and `omitted`;
        edges have `label` and `hidden`.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(
            file=self.file, expression=self.expression, complete=self.complete
        )
        for number, state in enumerate(self.states):
            graph.add_node(number, term=state.term, omitted=state.omitted)
        for step in self.transitions:
            graph.add_edge(step.from_, step.to, label=step.label, hidden=tuple(step.hidden))
        return graph

    def to_pandas(self) -> pd.DataFrame:
        """Return the transitions as a table. Needs pandas."""
        import pandas as pd

        rows = [(step.from_, step.label, step.to) for step in self.transitions]
        table: pd.DataFrame = pd.DataFrame(rows, columns=["from", "label", "to"])
        return table

    @property
    def svg(self) -> Drawing:
        """The graph as a drawing. Of many states an overview is drawn."""
        return Drawing(self._native().svg())

    @property
    def dot(self) -> str:
        """The graph in the DOT language, for Graphviz."""
        return self._native().dot()

    def aut(self, tau_label: Literal["tau", "i"] = "tau") -> str:
        """Return the graph in the format of Aldebaran: mCRL2 calls τ `tau`, CADP calls it `i`."""
        return self._native().aut(tau_label == "i")

    def _native(self) -> _native.Graph:
        if self._graph is None:
            raise ValueError("a graph that was pickled can no longer be drawn or written")
        return self._graph

    def __repr__(self) -> str:
        states, transitions = len(self.states), len(self.transitions)
        return f"<Graph of {self.expression}: {states} states, {transitions} transitions>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_graph"}

    def _repr_svg_(self) -> str | None:
        return str(self.svg) if self._graph else None
