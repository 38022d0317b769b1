"""What texts say of a field of which only names are known: whether they may be its
value, what of them is, and whether the value is believable."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.joined import SPLIT
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.currencies import SIGN_BESIDE_PRICE
from crawloop_assets.values.durations import has_unit
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

# Lengths of a value in characters: a description has at least a sentence, a list item
# or a description may be prose, anything else is short.
_SENTENCE, _LONGEST, _PROSE = 40, 120, 1500
_LEAST_LETTERS = 4  # shorter texts are found anywhere
_COUNTS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_COUNTER = re.compile(r"^(?:[^\W\d_]{2,12}\s*+)?(\d{1,2})\s*+[.):\-]?\s*+(?=\S)")
_CODES = frozenset(("sku", "mpn", "gtin13", "isbn"))
_CODE = re.compile(r"(?=\D*\d)\S+(?: \S+){0,2}")
"""A few words, one of them with a digit."""
_MORE_THAN_A_NAME = re.compile(r"[\d|/()]")
_MONEY = re.compile(SIGN_BESIDE_PRICE)


@dataclass(frozen=True)
class FieldTexts:
    """A field and its words."""

    spec: FieldSpec
    words: Words

    @property
    def is_list(self) -> bool:
        """True for items in an order."""
        return self.spec.shape is Shape.LIST

    @property
    def is_single(self) -> bool:
        """True for one value."""
        return self.spec.shape is Shape.ONE

    @property
    def is_text(self) -> bool:
        """True for texts, one or many."""
        return self.spec.kind is FieldKind.TEXT

    @property
    def is_description(self) -> bool:
        """True for what may be a paragraph."""
        return "description" in self.words.meta

    @property
    def is_currency(self) -> bool:
        """True for what may be the sign beside a price."""
        return "currency" in words_of(self.spec).own

    @property
    def is_count(self) -> bool:
        """True for a number of something."""
        return self.spec.kind in _COUNTS

    @property
    def is_numbered(self) -> bool:
        """True for what stands in or beside a number, of which a page has many."""
        return self.is_code or self.is_currency or self.spec.kind is FieldKind.NUMBER

    @property
    def is_code(self) -> bool:
        """True for the number of a thing: of its maker, its seller or its barcode."""
        return not _CODES.isdisjoint(self.words.vocabulary)

    def values(self, texts: list[str], base_url: str) -> list[Value]:
        """The value of texts that may be the field; nothing of those that may not."""
        texts = self._bare(texts)
        if not self._may_be(texts):
            return []
        value = to_value(self._parts(texts), self.spec, base_url)
        if value is None:
            return []
        return [value]

    def agrees(self, value: Value, other: Value) -> bool:
        """True for a value that is another one or begins with it: "Jane Doe, 3 May"
        under a name and "Jane Doe" after a label."""
        if same(value, other, self.spec):
            return True
        if not isinstance(value, str) or not isinstance(other, str):
            return False
        return _begins_with(value, other)

    def is_telling(self, value: Value, labelled: bool = False) -> bool:
        """False for what a name alone does not make believable: nothing at all for a
        number, some texts; beside a label a short one is."""
        if not self.is_single:
            return True
        if self.is_count:
            return float(value) > 0
        if self.is_text:
            return self._is_telling_text(value, labelled)
        return True

    def _is_telling_text(self, text: str, labelled: bool) -> bool:
        """False for a text of a few letters that is no currency, and for more than a
        name where an author is meant ("Jane Doe | 3 May"). Beside a label a text may be
        short if it is more than letters ("6-5"): those are heads of other columns."""
        if self.is_currency:
            return True
        if "author" in self.words.meta and _MORE_THAN_A_NAME.search(text):
            return False
        if labelled and not text.isalpha():
            return True
        return len(letters(text)) >= _LEAST_LETTERS

    def _bare(self, texts: list[str]) -> list[str]:
        """Texts without the label they begin with and without running numbers."""
        if len(texts) != 1:
            return _without_counters(texts) if self.is_list else texts
        if self.is_text:
            return [self._without_label(texts[0])]
        return texts

    def _without_label(self, text: str) -> str:
        """Without "By" in "By Jane Doe"; a text without label as it is."""
        head, _, rest = text.partition(" ")
        rest = rest.strip()
        if not rest:
            return text
        if head.endswith(":") or head.casefold() in self.words.known:
            return rest
        return text

    def _may_be(self, texts: Sequence[str]) -> bool:
        """False for texts that are no values of the field: none at all, some too short
        or too long for it, a label, a duration that does not say its unit, a code that
        is none."""
        lengths = list(map(len, texts))
        least, longest = self._length_range()
        if min(lengths, default=0) < least:
            return False
        if max(lengths) > longest:
            return False
        if self.spec.kind is FieldKind.MINUTES and not has_unit(texts[0]):
            return False
        if self.is_list:
            return True
        if self.is_code and not all(map(_CODE.fullmatch, texts)):
            return False
        return not any(text.endswith(":") for text in texts)

    def _length_range(self) -> tuple[int, int]:
        """The least and the greatest length of one text of the field."""
        if self.is_list:
            return 1, _PROSE
        if not self.is_description:
            return 1, _LONGEST
        if self.is_single:
            return _SENTENCE, _PROSE
        return 1, _PROSE

    def _parts(self, texts: list[str]) -> list[str]:
        """What of texts is the value: the tags in them, the sign of a currency beside a
        price, or all."""
        if not self.is_text or self.is_list:
            return texts
        if not self.is_single:
            return apply(SPLIT, texts)
        if self.is_currency:
            return _signs(texts)
        return texts


def _begins_with(text: str, head: str) -> bool:
    """True for a text that begins with another one, which is no part of a word."""
    if len(head) < _LEAST_LETTERS:
        return False
    if not text.startswith(head):
        return False
    behind = text[len(head) :]
    return not behind[:1].isalnum()


def _signs(texts: Sequence[str]) -> list[str]:
    """The first currency sign of each text that has one."""
    signs: list[str] = []
    for text in texts:
        sign = _MONEY.search(text)
        if sign:
            signs.append(sign[0])
    return signs


def _without_counters(texts: list[str]) -> list[str]:
    """Without "Step 1" and "2." before the texts; as they are if any text does not say
    its own number."""
    bare: list[str] = []
    for position, text in enumerate(texts, start=1):
        counter = _COUNTER.match(text)
        if counter is None:
            return texts
        if int(counter[1]) != position:
            return texts
        bare.append(text[counter.end() :])
    return bare
