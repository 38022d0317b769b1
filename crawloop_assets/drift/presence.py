"""What stands on a page, asked form by form.

A page has a thousand texts and the checks ask for a dozen values. So the texts are not
brought into form one by one: those of a kind are one long string in which a form is
looked for, and only where it may be is a text read. Most values are the whole text of
one node; JSON, elements of several nodes and attributes are looked at only for what is
not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import filterfalse

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.drift.forms import (
    FEW_PIECES,
    LONGEST,
    NEAR,
    UNREAD,
    is_net,
    number_forms,
)
from crawloop_assets.values.text import ascii_letters, letters_of_each

_END, _NO_END = (
    "\0",
    "\1",
)  # between two texts; none has it inside, but what JSON says may
_ALL_BUT_DIGITS = bytes(code for code in range(1, 256) if not chr(code).isdecimal())
_ASCII = bytes(range(128))
_ODD = re.compile(r"[½¼¾⅓⅔⅛]|[^\D0-9]")
_ASKED_NUMBER = re.compile(r"#-?([0-9]+)(?:\.([0-9]+))?")


class Presence:
    """Says of any form (`text_form`, `number_form`, `net_form`) whether it stands on a
    page.

    A text stands there if it is all of a text node, of a small element, of an attribute
    that is read or of a JSON leaf, but for case, space and punctuation; a number if it
    is one of those in such a text, if that is short.
    """

    def __init__(self, document: Document):
        self._document = document

    def holds(self, form: str) -> bool:
        """Whether the form stands on the page."""
        if form.startswith("net#"):
            return any(map(self._is_net, self._nodes.places(form.removeprefix("net"))))
        if form.startswith("#"):
            return any(texts.has_number(form) for texts in self._texts(form))
        return 0 < len(form) <= LONGEST and any(
            texts.has(form) for texts in self._texts(form)
        )

    def _texts(self, form: str) -> Iterator["_Texts"]:
        """All texts of the page, those that cost least first."""
        yield self._nodes
        if self._nodes.may_run_on(form):
            yield self._elements
        yield self._leaves
        yield self._attributes

    @cached_property
    def _nodes(self) -> "_Texts":
        return _Texts(self._document.columns.texts if self._document.elements else [])

    @cached_property
    def _elements(self) -> "_Elements":
        return _Elements(self._nodes, self._document)

    @cached_property
    def _leaves(self) -> "_Texts":
        each = self._document.leaves.values()
        return _Texts(
            [text.replace(_END, _NO_END) for values in each for text in values]
        )

    @cached_property
    def _attributes(self) -> "_Texts":
        each = self._document.attributes
        return _Texts(
            [
                value
                for attributes in each
                for name, value in attributes
                if name not in UNREAD
            ]
        )

    def _is_net(self, at: int) -> bool:
        """Whether a text node, or the one before or after it, says that the number in
        it is net."""
        return (
            is_net(self._nodes.texts[at])
            or is_net(self._nodes.beside(at, -1)[-NEAR:])
            or is_net(self._nodes.beside(at, 1)[:NEAR])
        )


_MANY = 50
"""So often one long string is searched; a page of a hundred records is asked a thousand
times, and an index made."""


class _Texts:
    """Many texts as one."""

    def __init__(self, texts: Sequence[str]):
        self.texts = texts
        self._written = _END.join(texts).encode("utf-8", "replace")
        self._asked = 0

    def has(self, form: str) -> bool:
        """Whether one of the texts has just these letters."""
        self._asked += 1
        return (
            form in self._whole
            if self._asked > _MANY
            else f"{_END}{form}{_END}" in self._letters_between
        )

    def has_number(self, form: str) -> bool:
        """Whether one of the texts has this number in it."""
        return next(self.places(form), None) is not None

    def places(self, form: str) -> Iterator[int]:
        """The texts that have this number in them."""
        self._asked += 1
        if self._asked > _MANY:
            return iter(self._numbered.get(form, ()))
        return (at for at in self._with_digits_of(form) if form in self.numbers(at))

    def numbers(self, at: int) -> tuple[str, ...]:
        """The forms of the numbers in a text."""
        return number_forms(self.texts[at])

    def beside(self, at: int, step: int) -> str:
        """The nearest text before (-1) or after (1) one that is not space; "" if there
        is none."""
        at += step
        while 0 <= at < len(self.texts):
            if not self.texts[at].isspace():
                return self.texts[at]
            at += step
        return ""

    def may_run_on(self, form: str) -> bool:
        """False if it is seen at once that not even neighbouring texts together have
        the form."""
        digits = _digits_of(form) if form.startswith("#") else ""
        if digits is None or self._asked > _MANY or (digits and self._odd):
            return True
        return (
            digits in self._running_digits if digits else form in self._running_letters
        )

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(self.letters)

    @cached_property
    def _numbered(self) -> Mapping[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at in range(len(self.texts)):
            for form in self.numbers(at):
                found[form].append(at)
        return found

    @cached_property
    def letters(self) -> Sequence[str]:
        """The letters of each."""
        return letters_of_each(self.texts)

    @cached_property
    def _letters_between(self) -> str:
        """The letters of all texts, each between two marks, not in order."""
        other = letters_of_each(list(filterfalse(str.isascii, self.texts)))
        return _END.join(("", ascii_letters(self._written), *other, ""))

    @cached_property
    def _running_letters(self) -> str:
        return "".join(self.letters)

    @cached_property
    def _digits(self) -> str:
        return self._written.translate(None, _ALL_BUT_DIGITS).decode()

    @cached_property
    def _running_digits(self) -> str:
        return self._digits.replace(_END, "")

    @cached_property
    def _odd(self) -> list[int]:
        """The texts whose numbers are not spelled with the digits 0 to 9 only."""
        if self._written.isascii() or not _ODD.search(
            self._written.translate(None, _ASCII).decode()
        ):
            return []
        return [at for at, text in enumerate(self.texts) if _ODD.search(text)]

    def _with_digits_of(self, form: str) -> Iterator[int]:
        """The texts in which the digits of a number stand in a row: no other can have
        it in them."""
        digits = _digits_of(form)
        if digits is None:
            yield from range(len(self.texts))
            return
        yield from self._odd
        at, counted = 0, 0
        found = self._digits.find(digits)
        while found >= 0:
            at, counted = at + self._digits.count(_END, counted, found), found
            yield at
            end = self._digits.find(_END, found)
            found = self._digits.find(digits, end) if end >= 0 else -1


class _Elements(_Texts):
    """The small elements of several nodes, each as it reads on one line."""

    def __init__(self, nodes: _Texts, document: Document):
        ends = zip(document.columns.first, document.columns.last, strict=True)
        self._spans = {
            (start, stop) for start, stop in ends if 1 < stop - start <= FEW_PIECES
        }
        self._nodes = nodes
        super().__init__(
            ["".join(nodes.texts[start:stop]) for start, stop in self._spans]
        )

    def numbers(self, at: int) -> tuple[str, ...]:
        """However much space is between the nodes."""
        return number_forms(clean_markup(self.texts[at]))

    @cached_property
    def letters(self) -> Sequence[str]:
        """Those of its nodes in a row."""
        letters = self._nodes.letters
        return ["".join(letters[start:stop]) for start, stop in self._spans]

    @cached_property
    def _letters_between(self) -> str:
        return _END.join(("", *self.letters, ""))


def _digits_of(form: str) -> str | None:
    """The digits that whatever spells a number has in a row; None for what no text
    spells so."""
    match = _ASKED_NUMBER.fullmatch(form)
    return (match[1] + (match[2] or "")).lstrip("0") or "0" if match else None
