"""Drawings, which Jupyter shows."""

from base64 import b64encode


class Drawing(str):
    """An SVG drawing: a text that Jupyter shows as what is drawn."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def image(self, name: str) -> str:
        """Return an element of HTML that shows the drawing and is called `name`.

        As an image, it keeps its style from the page around it.
        """
        text = b64encode(self.encode()).decode("ascii")
        return f'<img alt="{name}" src="data:image/svg+xml;base64,{text}">'
