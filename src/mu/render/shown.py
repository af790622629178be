"""What a result shows of itself: text for `print`, tables for a notebook."""


class Shown:
    """Base of results: `str` is readable text, and a notebook shows tables.

    Texts come from a repository, so they are escaped in both.
    """

    __slots__ = ()

    def __str__(self) -> str:
        from mu.render.sections import text_of  # a command that shows something else does without

        return text_of(self)

    def _repr_html_(self) -> str:
        """Give the tables that Jupyter and other notebooks display."""
        from mu.render.sections import html_of

        return html_of(self)
