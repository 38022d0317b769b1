"""Where on a page a known value occurs: text, attributes and JSON that can be read as
it."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property, partial
from itertools import chain, islice, product

from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import shaken
from crawloop_assets.induce.locate.attributes import telling_attributes
from crawloop_assets.induce.locate.fit import has_digit, headed_by
from crawloop_assets.induce.locate.fits import PageFits
from crawloop_assets.induce.locate.labelled_parts import has_labels
from crawloop_assets.induce.locate.place import Place, behind_their_labels, fitting
from crawloop_assets.induce.locate.stream import LetterStream
from crawloop_assets.induce.locate.typed import ElementText, TypedTexts
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.availability import tells_availability
from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.parse import choice_of
from crawloop_assets.values.signs import counted_signs
from crawloop_assets.values.text import clean, letters, skeleton, tokens
from crawloop_assets.values.truths import is_said
from crawloop_assets.values.value import Value

# How many occurrences of one value are looked at.
_MOST_OCCURRENCES = 30
_MOST_AROUND = 4  # elements around one occurrence
_MOST_TYPED = 60
_MOST_COUNTS = 40
_MOST_PARTS = 4  # elements that make up one text

# Letters.
_EXTRA = 48  # beside a value in a text that is read as it
_COUNT = 14  # of "Schritt 12"
_LONGEST_SIGN = 5
_LONGEST_NUMBER = 24
_LONGEST_MOMENT = 36
_LONGEST_WORDING = 240  # of what stands for a choice in its first sentence
_LONGEST_BESIDE_SIGN = 40
_CODE = 3  # of a currency
_LONGEST_WITH_FLAG = 60
_LONGEST_SEARCHED = 5_000  # attributes above are no texts

_COUNTED = re.compile(r"([0-9]+) .{1,30}", re.DOTALL)  # "4 servings"
_TYPED = {
    FieldKind.NUMBER: FieldKind.NUMBER,
    FieldKind.INTEGER: FieldKind.NUMBER,
    FieldKind.MINUTES: FieldKind.MINUTES,
    FieldKind.DATE: FieldKind.DATE,
    FieldKind.DATETIME: FieldKind.DATE,
}
"""Kinds whose values are written in many forms, and the kind by which they are
indexed."""
_SPOKEN = ("tel:", "mailto:")
"""Addresses that say what people read."""


class Index:
    """Everything needed to find values on one page quickly.

    Built once per page and shared by all fields.
    """

    def __init__(self, document: Document, about: str = "", main: tuple[str, ...] = ()):
        """`about` is the record's name, `main` the JSON roots that describe it, best
        first."""
        self.document = document
        self.about = frozenset(tokens(about))
        self.main = main
        self._stream = LetterStream(document)
        self._attributes = list(telling_attributes(document))
        self._typed = TypedTexts(document, self._stream, self._attributes)
        self._moments: dict[FieldSpec, frozenset[Hashable]] = {}
        self.fits = PageFits(document.base_url)

    @cached_property
    def shaken(self) -> Document | None:
        """The page with other markup: what is read there too leans on little.

        None where nothing can be changed.
        """
        if self.document.is_json:
            return None
        page = shaken(self.document)
        if page is None:
            return None
        return Document(page)

    @cached_property
    def stated_lists(self) -> frozenset[tuple[str, ...]]:
        """The letters of all texts of each place of the JSON, in order of the alphabet."""
        stated = self.document.leaves.values()
        return frozenset(tuple(sorted(map(letters, texts))) for texts in stated)

    @cached_property
    def stated_numbers(self) -> frozenset[Decimal]:
        """What the short texts of a page that is JSON are as numbers, with either mark
        for the decimal point."""
        written = product(self._short_leaves(_LONGEST_NUMBER), ".,")
        found = (parse_number(text, 0, mark) for text, mark in written)
        return frozenset(filter(None, found))

    def states_moment(self, value: Value, spec: FieldSpec) -> bool:
        """Whether a short text of a page that is JSON is a day or a moment, however it is
        written."""
        known = self._moments.get(spec)
        if known is None:
            dated = filter(has_digit, self._short_leaves(_LONGEST_MOMENT))
            known = frozenset(
                canonical(counted_moment(text) or text, spec) for text in dated
            )
            self._moments[spec] = known
        return canonical(value, spec) in known

    def _short_leaves(self, longest: int) -> list[str]:
        """The texts of so few characters of a page that is JSON."""
        if not self.document.is_json:
            return []
        texts = chain.from_iterable(self.document.leaves.values())
        return [text for text in texts if len(text) <= longest]

    def places(self, value: Value, spec: FieldSpec) -> list[Place]:
        """All places of a single value, in document order."""
        found = dict.fromkeys(self._unsorted_places(value, spec))
        return sorted(found, key=_by_position)

    def _unsorted_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """The places of a value, found as its kind asks."""
        if spec.kind in _TYPED:
            yield from self._typed_places(value, spec)
        elif spec.kind is FieldKind.URL:
            yield from self._url_places(value, spec)
        else:
            yield from self._letter_places(value, spec)
            yield from self._counted_places(value, spec)
            yield from self._sign_places(value, spec)
            yield from self._currency_places(value, spec)
            yield from self._worded_places(value, spec)
            yield from self._headed_places(value, spec)
            yield from self._truth_places(value, spec)

    def _letter_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Texts and attributes that hold the letters of a value."""
        wanted = letters(clean(str(value)))
        if wanted:
            yield from self._text_places(wanted, value, spec)
            attributes = self._attributes_with(wanted, str(value))
            yield from self._fitting(attributes, value, spec)

    def _fitting(
        self, texts: Iterable[ElementText], value: Value, spec: FieldSpec
    ) -> Iterator[Place]:
        """The places of those texts that some transform makes the value."""
        return fitting(texts, self.fits.of(value, spec))

    def holds(self, form: str) -> bool:
        """True if the letters occur somewhere in the page's text."""
        return form in self._stream.letters

    def parts(self, text: str) -> Iterator[list[int]]:
        """The elements that make up a text one after the other, two or a few of them,
        which hold nothing else; once for each time that it stands there so."""
        wanted = letters(clean(text))
        positions = islice(self._stream.positions(wanted), _MOST_OCCURRENCES)
        within = partial(self._stream.elements_within, count=len(wanted))
        return filter(_are_parts, map(within, positions))

    def texts_around(self, text: str) -> Iterator[str]:
        """The texts of the elements that end with this one and hold a few letters
        before it."""
        wanted = letters(clean(text))
        if not wanted:
            return
        for position in self._stream.positions(wanted):
            piece = self._stream.piece_at(position + len(wanted) - 1)
            number = self._element_from_before(piece, position)
            if number is not None:
                yield self.document.text(number)

    def _element_from_before(self, piece: int, position: int) -> int | None:
        """The innermost element around a piece that begins before a position; None if
        that is too far before."""
        for number in self._stream.elements_around(piece):
            start, _ = self._stream.span(number)
            if position - start > _COUNT:
                return None
            if position > start:
                return number
        return None

    # -- text -------------------------------------------------------------------------

    def _text_places(
        self, wanted: str, value: Value, spec: FieldSpec
    ) -> Iterator[Place]:
        """Places in the text, whatever markup is inside the value."""
        positions = self._stream.positions(wanted)
        for start in islice(positions, _MOST_OCCURRENCES):
            stop = start + len(wanted)
            yield from self._fitting(self._pieces(start, stop), value, spec)
            around = self._fitting(self._texts_with(start, stop), value, spec)
            yield from islice(around, _MOST_AROUND)
        yield from self._fitting(self._titles(), value, spec)

    def _texts_with(self, start: int, stop: int) -> Iterator[ElementText]:
        """The texts of the elements that hold an occurrence and little more, or that in
        parts with labels, innermost first."""
        for number in self._stream.elements_around(self._stream.piece_at(start)):
            first, last = self._stream.span(number)
            if stop > last:
                continue  # the occurrence goes on in the next element
            text = self.document.text(number)
            if (last - first) - (stop - start) > _EXTRA and not has_labels(text):
                return
            yield ElementText(number, "text", text)

    def _pieces(self, start: int, stop: int) -> Iterator[ElementText]:
        """The text node that an occurrence is in, where its element holds others."""
        document = self.document
        index = self._stream.piece_at(start)
        number = document.piece_parent(index)
        has_children = document.end[number] != number + 1
        if not has_children or self._stream.piece_at(stop - 1) != index:
            return
        piece = document.pieces[index]
        if piece.is_tail:
            yield ElementText(piece.owner, "tail", document.tail_text(piece.owner))
        else:
            yield ElementText(number, "head", document.head_text(number))
        yield ElementText(number, "own", document.own_text(number))

    def _titles(self) -> Iterator[ElementText]:
        """The title of the page, which is no part of its text."""
        for number in self.document.by_tag.get("title", [])[:1]:
            yield ElementText(number, "text", self.document.text(number))

    # -- attributes -------------------------------------------------------------------

    @cached_property
    def attribute_letters(self) -> list[str]:
        """The letters of each attribute, none for those too long to search."""
        found = []
        for attribute in self._attributes:
            form = ""
            if len(attribute.text) < _LONGEST_SEARCHED:
                form = letters(attribute.text)
            found.append(form)
        return found

    def _attributes_with(self, wanted: str, value: str) -> Iterator[ElementText]:
        """The attributes that hold the letters of a value and little more."""
        pairs = zip(self._attributes, self.attribute_letters, strict=True)
        for attribute, form in pairs:
            if wanted not in form or len(form) - len(wanted) > _EXTRA:
                continue
            if not _is_slug(attribute, value):
                text = " ".join(attribute.text.split())
                yield attribute._replace(text=text)

    def _url_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Attributes that hold the last step of an address."""
        path, _, _ = str(value).partition("?")
        name = path.rstrip("/").rsplit("/", 1)[-1]
        attributes = []
        for attribute in self._attributes:
            if name in attribute.text:
                attributes.append(attribute)
        return self._fitting(attributes, value, spec)

    # -- numbers, durations, dates ----------------------------------------------------

    def _typed_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Texts that say the same number, duration or day in some form."""
        kind = _TYPED[spec.kind]
        form: Hashable
        if kind is FieldKind.DATE:
            form = str(value)[:10]
        else:
            form = canonical(value, spec)
        texts = self._typed.saying(form, kind, spec)[:_MOST_TYPED]
        yield from behind_their_labels(texts, self.fits.of(value, spec))
        if kind is FieldKind.NUMBER:
            yield from self._fitting(self._texts_of_signs(), value, spec)

    def _texts_of_signs(self) -> Iterator[ElementText]:
        """The texts that show a number by as many signs."""
        return self._texts_where(counted_signs)

    def _texts_where(self, is_wanted: Callable[[str], object]) -> Iterator[ElementText]:
        """The texts of the elements of which one piece is wanted."""
        for piece, text in enumerate(self.document.columns.texts):
            if is_wanted(text):
                number = self.document.piece_parent(piece)
                yield ElementText(number, "text", self.document.text(number))

    def _counted_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of the number in "4 servings", for pages that say "Serves 4"."""
        counted = _COUNTED.fullmatch(str(value))
        if counted is None:
            return iter(())
        count = counted[1]
        texts = self._typed.saying(count, FieldKind.NUMBER, spec)
        return self._fitting(texts[:_MOST_COUNTS], value, spec)

    def _sign_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of a value without letters or digits, such as a currency sign beside a
        price."""
        sign = str(value).strip()
        if not 0 < len(sign) <= _LONGEST_SIGN or has_digit(sign):
            return iter(())
        found = self._fitting(self._texts_with_sign(sign), value, spec)
        return islice(found, _MOST_OCCURRENCES)

    def _currency_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of the code of a currency that the page says by its sign: "RON" for "lei"."""
        code = str(value)
        if len(code) == _CODE and code.isalpha() and code.isupper():
            texts = self._texts_where(lambda text: currency_code(text) == code)
            short = (one for one in texts if len(one.text) <= _LONGEST_BESIDE_SIGN)
            yield from self._fitting(short, value, spec)

    def _worded_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of a choice in other words: "Auf Lager" for InStock."""
        if not tells_availability(set(map(skeleton, spec.choices))):
            return
        form = letters(str(value))
        for number in range(len(self.document.elements)):
            first, last = self._stream.span(number)
            if not 0 < last - first <= _LONGEST_WORDING:
                continue
            text = self.document.text(number)
            if form not in letters(text) and choice_of(text, spec) == value:
                yield Place(number, "text", ())

    def _headed_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of a choice in the words that head a longer text: "Fire hazard: …"."""
        if spec.kind is FieldKind.CHOICE:
            is_headed = partial(headed_by, value=str(value))
            yield from self._fitting(self._texts_where(is_headed), value, spec)

    def _truth_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        """Places of a yes or a no in whatever language, also behind a label."""
        if isinstance(value, bool):
            yield from self._fitting(self._flag_texts(value), value, spec)

    def _flag_texts(self, truth: bool) -> Iterator[ElementText]:
        """The short texts that are a word for it or may have one behind a label, and those
        whose parts have labels."""
        for number in range(len(self.document.elements)):
            first, last = self._stream.span(number)
            if last - first <= _LONGEST_WORDING:
                text = self.document.text(number)
                is_short = last - first <= _LONGEST_WITH_FLAG
                is_flag = is_short and (":" in text or is_said(text, truth))
                if is_flag or has_labels(text):
                    yield ElementText(number, "text", text)

    def _texts_with_sign(self, sign: str) -> Iterator[ElementText]:
        """Texts of a number and little more that hold the sign, then those that are
        nothing else."""
        for page_text in self._typed.short_texts:
            is_found = sign in page_text.text
            if is_found and len(page_text.text) <= _LONGEST_BESIDE_SIGN:
                yield page_text
        yield from self._texts_where(lambda text: text.strip() == sign)


def _by_position(place: Place) -> tuple[int, str]:
    """Sorts places by where they are on the page."""
    return place.number, place.get


def _are_parts(numbers: Sequence[int]) -> bool:
    """Whether these are two elements or a few."""
    return 1 < len(numbers) <= _MOST_PARTS


def _is_slug(attribute: ElementText, value: str) -> bool:
    """True for the value as part of an address or identifier, not as text."""
    text = attribute.text
    if text.startswith(_SPOKEN):
        return False
    if attribute.get in ("@href", "@src") and "/" not in value:
        return not text.rstrip("/").endswith(f"/{value}")
    return " " in value.strip() and " " not in text.strip()
