"""Whether a value is present on a parsed page, asked form by form (see `forms`).

A page has a thousand texts and the checks ask for a dozen values. So the texts are not
brought into form one by one: those of a kind are one long string in which a form is
looked for, and only where it may be is a text read. Most values are the whole text of
one node; JSON, elements of several nodes and attributes are searched only for what is
not.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, filterfalse, product, starmap
from operator import methodcaller

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.document.former import former_numbers
from crawloop_assets.document.whole_text import BETWEEN, WholeText
from crawloop_assets.drift.forms import (
    ANY_POINT,
    FEW_PIECES,
    LONGEST,
    NEAR,
    SHOWN_TEXT,
    SOMEWHERE,
    UNREAD,
    Points,
    is_called_former,
    is_net,
    is_struck,
    list_form,
    numeral_form,
    numeral_forms,
    stated_forms,
)
from crawloop_assets.drift.somewhere import Somewhere
from crawloop_assets.values.text import ascii_letters, letters_of_each

_STRUCK_DEPTH = 3
_END = BETWEEN
"""Stands between two texts; none has it inside but those of JSON, where `_NO_END` is put
in its place."""

_NO_END = "\1"
_ALL_BUT_DIGITS = bytes(code for code in range(1, 256) if not chr(code).isdecimal())
_OTHER_DIGIT = re.compile(r"[½¼¾⅓⅔⅛]|[^\D0-9]")
"""What spells a number without the digits 0 to 9."""

_NUMBER_FORM = re.compile(r"#-?([0-9]+)(?:\.([0-9]+))?")


class Presence:
    """Tells of any form (`text_form`, `numeral_form`, `net_form`) whether it is on a
    page.

    A text is if it is all of a text node, of a small element, of an attribute that is
    read or of a JSON leaf, but for case, space and punctuation; a number if it is one
    of those in such a text, if that is short.
    """

    def __init__(self, document: Document, points: Points = ANY_POINT):
        """`points` are the decimal points by which people read the numbers of the page."""
        self._document = document
        self._points = points

    def holds(self, form: str) -> bool:
        """Whether the form is on the page.

        "date#…", "link#…" and "inside#…" are looked up in everything (see `forms`).
        "net#12.5" is a number beside words for "without tax", "struck#12.5" one that is
        crossed out, "shown#12.5" one in anything but JSON ("shown@…" a text), "#12.5" one
        anywhere, "list#…" a list (`list_form`).
        """
        if form.startswith("net#"):
            return self._holds_net(form.removeprefix("net"))
        if form.startswith("struck#"):
            return self._holds_struck(form.removeprefix("struck"))
        if form.startswith("shown#"):
            return self._shows("has_number", form.removeprefix("shown"))
        if form.startswith(SHOWN_TEXT):
            return self._shows("has", form.removeprefix(SHOWN_TEXT))
        if form.startswith("list#"):
            return self._holds_list(form)
        if form.startswith(SOMEWHERE):
            return self._somewhere.holds(form)
        if form.startswith("#"):
            return any(texts.has_number(form) for texts in self._texts(form))
        return self._holds_text(form)

    @cached_property
    def _somewhere(self) -> Somewhere:
        """Finds what is no whole text."""
        return Somewhere(self._document)

    def _holds_text(self, form: str) -> bool:
        """Whether a text of the page has just these letters."""
        is_short = 0 < len(form) <= LONGEST
        return is_short and any(texts.has(form) for texts in self._texts(form))

    def _holds_list(self, form: str) -> bool:
        """Whether the texts of one place of the JSON are just those of a list."""
        count = int(form.rpartition("#")[2])
        stated = self._document.leaves.values()
        return any(list_form(texts) == form for texts in stated if len(texts) == count)

    def _shows(self, asked: str, form: str) -> bool:
        """Whether texts or attributes for people have what is asked; a page that is JSON
        shows all it has."""
        unseen = () if self._document.is_json else (self._leaves, self._for_machines)
        shown = filterfalse(unseen.__contains__, self._texts(form))
        return any(map(methodcaller(asked, form), shown))

    def _holds_net(self, form: str) -> bool:
        """Whether a number is in a text node and said to be net."""
        return any(map(self._is_net, self._nodes.with_number(form)))

    def _holds_struck(self, form: str) -> bool:
        """Whether a number is in a text node that is crossed out, or is said to be the
        former one, or in JSON under a name for it."""
        nodes = self._nodes.with_number(form)
        is_struck_out = any(map(self._is_struck, nodes))
        former = starmap(self._former, product(nodes, self._points))
        return (
            is_struck_out
            or form in chain.from_iterable(former)
            or form in self._former_leaves
        )

    @cached_property
    def _former_leaves(self) -> frozenset[str]:
        """The forms of the numbers in JSON that are called former or usual prices."""
        leaves = self._document.leaves
        called = filter(is_called_former, leaves)
        texts = chain.from_iterable(map(leaves.__getitem__, called))
        return frozenset(chain.from_iterable(map(stated_forms, texts)))

    def _former(self, node: int, point: str) -> Iterator[str]:
        """The forms of the numbers of a text node that are said to be former ones."""
        return map(numeral_form, former_numbers(self._document, node, point))

    def _is_struck(self, node: int) -> bool:
        """Whether one of the three elements around a text node crosses it out."""
        document = self._document
        number = document.piece_parent(node)
        for _ in range(_STRUCK_DEPTH):
            if number < 0:
                return False
            if is_struck(document.tags[number], document.classes[number]):
                return True
            number = document.parent[number]
        return False

    def _texts(self, form: str) -> Iterator["_Texts"]:
        """All texts of the page, those that cost least first."""
        yield self._nodes
        if self._nodes.may_run_on(form):
            yield self._elements
        yield self._leaves
        yield self._attributes
        yield self._for_machines

    @cached_property
    def _nodes(self) -> "_Texts":
        """The text nodes, in the order of the page."""
        if not self._document.elements:
            return _Texts([])
        document = self._document
        return _Texts(document.columns.texts, self._forms, document.whole)

    @cached_property
    def _forms(self) -> "_Forms":
        """Gives the forms of the numbers in a text for people. It knows nothing of the
        page: a page in a circle of references stays until somebody looks for those."""
        return partial(numeral_forms, points=self._points)

    @cached_property
    def _elements(self) -> "_Elements":
        """The small elements of several text nodes."""
        return _Elements(self._nodes, self._document)

    @cached_property
    def _leaves(self) -> "_Texts":
        """The values of JSON, of the page itself or in its islands."""
        leaves = chain.from_iterable(self._document.leaves.values())
        return _Texts([text.replace(_END, _NO_END) for text in leaves], stated_forms)

    @cached_property
    def _attributes(self) -> "_Texts":
        """The attributes that say something to a reader."""
        attributes = chain.from_iterable(self._document.attributes)
        values = [value for name, value in attributes if name not in _UNSEEN]
        return _Texts(values, partial(_attribute_forms, self._forms))

    @cached_property
    def _for_machines(self) -> "_Texts":
        """The attributes of meta tags and microdata, which nobody sees."""
        values = list(self._document.having("content").values())
        return _Texts(values, partial(_attribute_forms, self._forms))

    def _is_net(self, node: int) -> bool:
        """Whether a text node, or the one before or after it, says that the number in
        it is net."""
        nodes = self._nodes
        return (
            is_net(nodes.texts[node])
            or is_net(nodes.beside(node, -1)[-NEAR:])
            or is_net(nodes.beside(node, 1)[:NEAR])
        )


_UNSEEN = UNREAD | {"content"}
_MANY = 50
"""So often one long string is searched; a page of a hundred records is asked a thousand
times, and an index is made."""


_Forms = Callable[[str], tuple[str, ...]]


def _attribute_forms(shown: _Forms, text: str) -> tuple[str, ...]:
    """The forms of the numbers in an attribute, which is written for people or for
    machines."""
    return (*shown(text), *stated_forms(text))


class _Texts:
    """Many texts as one; `forms` gives those of the numbers in one of them, `whole` is
    all of them in one piece, where somebody has put them together already."""

    def __init__(
        self,
        texts: Sequence[str],
        forms: _Forms = numeral_forms,
        whole: WholeText | None = None,
    ):
        self.texts = texts
        self.forms = forms
        self._together = whole or WholeText(texts)
        self._asked = 0
        self._found: dict[str, list[int]] = {}

    def has(self, form: str) -> bool:
        """Whether one of the texts has just these letters."""
        self._asked += 1
        if self._asked > _MANY:
            return form in self._whole
        return f"{_END}{form}{_END}" in self._letters_between

    def has_number(self, form: str) -> bool:
        """Whether one of the texts has this number in it."""
        return bool(self.with_number(form))

    def with_number(self, form: str) -> Sequence[int]:
        """The positions of the texts that have this number in them; asked for once more
        where it may be said to be net."""
        self._asked += 1
        if self._asked > _MANY:
            return self._by_number.get(form, ())
        found = self._found.get(form)
        if found is None:
            found = [at for at in self._candidates(form) if form in self.numbers(at)]
            self._found[form] = found
        return found

    def numbers(self, text: int) -> tuple[str, ...]:
        """The forms of the numbers in a text, given its position."""
        return self.forms(self.texts[text])

    def beside(self, text: int, step: int) -> str:
        """The nearest text before (-1) or after (1) one that is not space; "" if there
        is none."""
        position = text + step
        while 0 <= position < len(self.texts):
            if not self.texts[position].isspace():
                return self.texts[position]
            position += step
        return ""

    def may_run_on(self, form: str) -> bool:
        """False if it is seen at once that not even neighbouring texts together have
        the form."""
        if self._asked > _MANY:
            return True
        if not form.startswith("#"):
            return form in self._running_letters
        digits = _digits_of(form)
        if digits is None:
            return True
        if self._spelled_otherwise:
            return True
        return digits in self._running_digits

    @cached_property
    def _whole(self) -> frozenset[str]:
        """The letters of each text."""
        return frozenset(self.letters)

    @cached_property
    def _by_number(self) -> Mapping[str, list[int]]:
        """The positions of the texts that have a number in them."""
        texts: defaultdict[str, list[int]] = defaultdict(list)
        for text in range(len(self.texts)):
            for form in self.numbers(text):
                texts[form].append(text)
        return texts

    @cached_property
    def letters(self) -> Sequence[str]:
        """The letters of each."""
        return letters_of_each(self.texts)

    @cached_property
    def _letters_between(self) -> str:
        """The letters of all texts, each between two marks, not in order."""
        other = letters_of_each(list(filterfalse(str.isascii, self.texts)))
        return _END.join(("", ascii_letters(self._together.written), *other, ""))

    @cached_property
    def _running_letters(self) -> str:
        """The letters of all texts in a row."""
        return "".join(self.letters)

    @cached_property
    def _digits(self) -> str:
        """The digits 0 to 9 of all texts, with the ends of the texts."""
        return self._together.written.translate(None, _ALL_BUT_DIGITS).decode()

    @cached_property
    def _running_digits(self) -> str:
        """The digits of all texts in a row."""
        return self._digits.replace(_END, "")

    @cached_property
    def _spelled_otherwise(self) -> list[int]:
        """The texts whose numbers are not spelled with the digits 0 to 9 only."""
        if not _OTHER_DIGIT.search(self._together.beyond_ascii):
            return []
        positions = []
        for position, text in enumerate(self.texts):
            if _OTHER_DIGIT.search(text):
                positions.append(position)
        return positions

    def _candidates(self, form: str) -> Iterator[int]:
        """The texts in which the digits of a number are in a row: no other can have it
        in them."""
        digits = _digits_of(form)
        if digits is None:
            yield from range(len(self.texts))
            return
        yield from self._spelled_otherwise
        text, counted = 0, 0
        found = self._digits.find(digits)
        while found >= 0:
            text += self._digits.count(_END, counted, found)
            counted = found
            yield text
            end = self._digits.find(_END, found)
            if end < 0:
                return
            found = self._digits.find(digits, end)


class _Elements(_Texts):
    """The small elements of several nodes, each as it reads on one line."""

    def __init__(self, nodes: _Texts, document: Document):
        spans = zip(document.columns.first, document.columns.last, strict=True)
        self._spans = {
            (start, stop) for start, stop in spans if 1 < stop - start <= FEW_PIECES
        }
        self._nodes = nodes
        texts = ["".join(nodes.texts[start:stop]) for start, stop in self._spans]
        super().__init__(texts, nodes.forms)

    def numbers(self, text: int) -> tuple[str, ...]:
        """However much space is between the nodes."""
        return self.forms(clean_markup(self.texts[text]))

    @cached_property
    def letters(self) -> Sequence[str]:
        """Those of its nodes in a row."""
        letters = self._nodes.letters
        return ["".join(letters[start:stop]) for start, stop in self._spans]

    @cached_property
    def _letters_between(self) -> str:
        """The letters of all elements, each between two marks."""
        return _END.join(("", *self.letters, ""))


def _digits_of(form: str) -> str | None:
    """The digits that whatever spells a number has in a row; None for what no text
    spells so."""
    match = _NUMBER_FORM.fullmatch(form)
    if match is None:
        return None
    digits = match[1] + (match[2] or "")
    return digits.lstrip("0") or "0"
