"""What makes the texts of a page a value, found once for each: pages repeat their texts,
and their data repeats what they show."""

from collections.abc import Hashable
from functools import partial

from crawloop_assets.induce.locate.fit import Pipe, fit
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value


class Fits(dict[str, Pipe | None]):
    """Text -> the pipe that makes it one value; None for what is not that value."""

    def __init__(self, value: Value, spec: FieldSpec, base_url: str):
        """`value` is a single one; no text is none."""
        super().__init__({"": None})
        self._fit = partial(fit, value=value, spec=spec, base_url=base_url)

    def __missing__(self, text: str) -> Pipe | None:
        """The pipe of a text that was not asked for before."""
        pipe = self[text] = self._fit(text)
        return pipe


class PageFits:
    """The fits of one page, by value."""

    def __init__(self, base_url: str):
        """`base_url` is that of the page."""
        self._base_url = base_url
        self._of: dict[Hashable, Fits] = {}

    def of(self, value: Value, spec: FieldSpec) -> Fits:
        """What makes the texts of the page this single value."""
        key = spec, type(value), str(value)  # 1 equals True, and is written otherwise
        known = self._of.get(key)
        if known is None:
            known = self._of[key] = Fits(value, spec, self._base_url)
        return known
