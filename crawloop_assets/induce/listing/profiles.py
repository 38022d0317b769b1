"""What the values of a field looked like on earlier pages."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from crawloop_assets.induce.listing.likeness import Likeness
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.shapes import shape_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value, texts_among

_MOST_OF_SHAPE = 80
"""Characters of a text that make its shape."""


@dataclass(frozen=True)
class Profile:
    """What the values of a field looked like on earlier pages; empty when there are
    none."""

    likeness: Likeness
    words: frozenset[str]
    shapes: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, spec: FieldSpec, values: Sequence[Value]) -> "Profile":
        """From the field's known values.

        Words are kept that at least a fifth of the values share, shapes that a tenth
        have.
        """
        texts = texts_among(values)
        words = Counter(chain.from_iterable(map(_words, texts)))
        return cls(
            Likeness.of(spec, values),
            _frequent(words, max(2, len(texts) / 5)),
            _frequent(Counter(map(_shape, texts)), max(1, len(texts) / 10)),
            frozenset(map(_ending, texts)),
        )

    def share(self, spec: FieldSpec, texts: Sequence[str]) -> float:
        """How much texts are like the known values, 0..1."""
        if not texts:
            return 0.0
        if spec.kind is FieldKind.URL:
            return _share(self._ends_alike, texts)
        shaped = _share(self._is_shaped_alike, texts)
        worded = _share(self._shares_a_word, texts) if self.words else shaped
        # Shapes tell numbered texts apart: letters alone all have the same.
        if not any(map(has_digit, texts)):
            shaped = 0.0
        return _share(self.likeness.holds, texts) * max(shaped, worded)

    def _ends_alike(self, text: str) -> bool:
        """True if earlier values often ended as this text does."""
        return _ending(text) in self.ends

    def _is_shaped_alike(self, text: str) -> bool:
        """True if earlier values often had this text's shape."""
        return _shape(text) in self.shapes

    def _shares_a_word(self, text: str) -> bool:
        """True if the text has a word that earlier values often had."""
        return not self.words.isdisjoint(_words(text))


def _share(test: Callable[[str], bool], texts: Sequence[str]) -> float:
    """The share of texts that pass a test, 0..1; there is at least one."""
    return sum(map(test, texts)) / len(texts)


def _frequent(counts: Counter[str], least: float) -> frozenset[str]:
    """What was counted `least` times or more."""
    return frozenset(name for name, count in counts.items() if count >= least)


def _words(text: str) -> set[str]:
    """The casefolded words of a text that are not only digits."""
    words: set[str] = set()
    for is_word, chars in groupby(text.casefold(), key=str.isalnum):
        word = "".join(chars)
        if is_word and not word.isdigit():
            words.add(word)
    return words


def _shape(text: str) -> str:
    """The form of a text as far as it is looked at: "20-CV-17" is "0-a-0"."""
    return shape_of(text[:_MOST_OF_SHAPE])


def _ending(url: str) -> str:
    """What a link ends in: its extension, or "" if it has none."""
    path = url.split("?")[0].split("#")[0]
    _, dot, extension = path.rsplit("/", 1)[-1].rpartition(".")
    return extension.casefold() if dot else ""
