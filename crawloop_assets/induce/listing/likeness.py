"""What the known values of a text field have in common."""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.shapes import text_kind
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value, texts_among


class Likeness(NamedTuple):
    """What the known values of a text field have in common; a reader that gives other
    things is not trusted there.

    `digits` and `spaces` say whether values have any: None for "some do, some do not".
    """

    shortest: int
    longest: int
    digits: bool | None
    spaces: bool | None
    starts: frozenset[str]

    @classmethod
    def of(cls, spec: FieldSpec, values: Sequence[Value]) -> "Likeness":
        """The likeness of known values; only single texts are described."""
        texts: list[str] = []
        if spec.kind is FieldKind.TEXT:
            texts = texts_among(values)
        return cls(
            shortest=min(map(len, texts), default=0),
            longest=max(map(len, texts), default=0),
            digits=_common(list(map(has_digit, texts))),
            spaces=_common([" " in text for text in texts]),
            starts=frozenset(map(_start, texts)),
        )

    def holds(self, value: Value) -> bool:
        """Whether a value is one of the kind; always true for fields that are not
        described, false for nothing."""
        if not self.longest or not isinstance(value, str):
            return value is not None
        fits_length = (
            self.shortest / 3
            <= len(value)
            <= tuned("likeness.longer_value") * self.longest + 10
        )
        fits_digits = self.digits in (None, has_digit(value))
        # Values of one word stay so, those of several may be of one.
        fits_spaces = self.spaces is not False or " " not in value
        fits_start = _start(value) in self.starts
        return all((fits_length, fits_digits, fits_spaces, fits_start))


def _common(flags: Sequence[bool]) -> bool | None:
    """What all flags say; None if they differ or there are none."""
    return flags[0] if len(set(flags)) == 1 else None


def _start(text: str) -> str:
    """The kind of the first character: "0" for a digit, "a" for a letter, else "."."""
    kind = text_kind(text[:1])
    return kind if kind in ("0", "a") else "."
