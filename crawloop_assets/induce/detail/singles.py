"""Candidates that read one value from a page's markup: text, attributes, labels."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import filterfalse, islice
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.document.pieces import Piece
from crawloop_assets.induce.detail.labelling import (
    first_piece,
    label_in_piece,
    share_in_piece,
)
from crawloop_assets.induce.detail.parts import part_candidates
from crawloop_assets.induce.detail.proved import proved
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.cut_otherwise import cut_otherwise
from crawloop_assets.induce.locate.fit import has_digit, item_spec
from crawloop_assets.induce.locate.labelled_parts import label_cut_off
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.selectors import selectors
from crawloop_assets.induce.trust import tuned, tuned_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.durations import has_unit
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_MOST_PLACES = 8
_MOST_CANDIDATES = 24
_MOST_ANCESTORS = 4  # whose names may say what is in them
_LONGEST_CAPTION = 40  # characters
_PARTS = "parts"  # the other ways from a label skip what has no letter or digit
_BEHIND_BREAK = "tail"
_CELLS = ("dd", "td")  # before which a label stands
_ADDRESSES = ("@src", "@href")
_FRAMES = ("html", "body", "main")
"""Elements that hold the page, whatever they are called."""
_WORD = re.compile(r"[^\W\d_]+")
# Where labels are: the step from the value, and what readers get from the label.
_BESIDE = ((-1, ("next", "block", "same")), (1, ("before",)))


def dom_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's markup that give the value."""
    single = item_spec(spec)
    places = [
        _ValuePlace(index.document, place, spec, context)
        for place in index.places(value, single)
    ]
    small = list(filter(attrgetter("is_small"), places))
    places = sorted(small, key=_ValuePlace.rank)
    found: list[CandidateReader] = []
    for place in places[:_MOST_PLACES]:
        for cut in (place, *place.cut_otherwise()):
            found += proved(cut.candidates(), index.document, value, single)
    in_parts = part_candidates(index, value, single, context)
    found += proved(in_parts, index.document, value, single)
    return best(found, _MOST_CANDIDATES)


@dataclass(frozen=True)
class _ValuePlace:
    """A place of a value on a page, as a place of the field."""

    document: Document
    place: Place
    spec: FieldSpec
    context: FieldContext

    def cut_otherwise(self) -> Iterator["_ValuePlace"]:
        """The same place with the value cut out of its text at a sign beside it."""
        for pipe in cut_otherwise(self.text, self.place.pipe):
            yield replace(self, place=self.place._replace(pipe=pipe))

    def rank(self) -> tuple[float, int, str]:
        """Sorts the likely places first."""
        return -round(self.score, 6), self.place.number, self.place.get

    @property
    def is_attribute(self) -> bool:
        """True if the value is read from an attribute and not from a text."""
        return self.place.get.startswith("@")

    @cached_property
    def text(self) -> str:
        """The text the value is read from."""
        return self.place.text(self.document)

    @property
    def attribute_trust(self) -> float:
        """What the place is worth as an attribute; 1 for a text."""
        if not self.is_attribute:
            return 1.0
        return tuned_of("attribute", self.place.get, "attribute.other")

    @cached_property
    def unit_trust(self) -> float:
        """What the place is worth by its own text: a duration that does not say its
        unit is half of one ("1" of "1 h 25")."""
        if self.spec.kind is not FieldKind.MINUTES:
            return 1.0
        if has_unit(self.text):
            return 1.0
        return tuned("singles.without_unit")

    @cached_property
    def score(self) -> float:
        """How likely the place is the field and not the same text elsewhere."""
        document, number = self.document, self.place.number
        ancestors = islice(document.ancestors(number), _MOST_ANCESTORS)
        around = 0.0
        for distance, ancestor in enumerate(ancestors, start=1):
            around = max(
                around,
                self._named(ancestor)
                * (1 - tuned("singles.less_per_level") * distance),
            )
        score = self.context.trust(self.place.pipe)
        score += tuned("singles.named") * self._named(number)
        score += tuned("singles.around") * around
        score += tuned("singles.label") * self.label_share
        if document.elements[number].tag == "h1":
            score += tuned("singles.heading")
        if document.end[number] == number + 1:
            score += tuned("singles.leaf")
        return score * self.attribute_trust * self.unit_trust

    def _named(self, number: int) -> float:
        """The share of the field's words in the best name of an element."""
        names = predicates(self.document, number)
        return max(map(self.context.share, names), default=0.0)

    @cached_property
    def first_piece(self) -> int | None:
        """The first piece of the text the value is read from."""
        return first_piece(self.document, self.place)

    @cached_property
    def label_share(self) -> float:
        """How well the text beside the place names the field: before it, or in it as in
        "4 servings" and "Total: 40 min"."""
        if self.is_attribute:
            return 0.0
        before = self._piece_beside(-1)
        share = share_in_piece(self.document, before, self.context.words)
        return max(share, self.own_share)

    @cached_property
    def own_share(self) -> float:
        """How well the label that is cut off a text names the field, or a text with a
        number itself: "2,163 reviews"."""
        if label := label_cut_off(self.place.pipe):
            return self.context.words.share(tokens(label))
        if len(self.text) > _LONGEST_CAPTION or not has_digit(self.text):
            return 0.0
        return self.context.words.share(tokens(self.text))

    def _piece_beside(self, step: int) -> int | None:
        """The nearest piece of text before the place (-1) or behind its first piece
        (1)."""
        if self.first_piece is None:
            return None
        return next_piece(self.document, self.first_piece, step)

    @property
    def least_named(self) -> float:
        """How well the place names the field at least: some, if it says by itself what
        it is."""
        if self.spec.kind is not FieldKind.MINUTES or self.is_attribute:
            return 0.0
        if is_duration(self.text):
            return tuned("singles.self_named")
        return 0.0

    @cached_property
    def is_small(self) -> bool:
        """False for an element that holds more than the value: blocks with other texts
        beside it, and no word of the field on it or in what little it says. A text in
        several blocks that is all they say holds no more."""
        if self.place.get != "text":
            return True
        document, number = self.document, self.place.number
        if not _holds_blocks(document, number):
            return True
        if document.elements[number].tag in _FRAMES:
            return False
        is_all = self.spec.kind is FieldKind.TEXT and not self.place.pipe
        return is_all or self._named(number) > 0 or self._is_label_and_value

    @property
    def _is_label_and_value(self) -> bool:
        """True if half of the words of the text or more are the field's."""
        words = list(filterfalse(has_digit, tokens(self.text)))
        mine = self.context.words.own | self.context.words.known
        return 2 * len(mine.intersection(words)) >= len(words) > 0

    def candidates(self) -> Iterator[CandidateReader]:
        """Readers of the place: by selectors, and from the texts beside it."""
        pipe = self.place.pipe
        likely = tuned("singles.unlikely") + tuned("singles.likely") * self.score
        factor = min(1.0, likely) * self.context.trust(pipe)
        factor *= self.unit_trust * self.attribute_trust
        lined = list(self._lined()) * (self.place.get == _BEHIND_BREAK)
        factor *= tuned("singles.lined") if lined else 1.0
        is_template = any(step.op is Op.TEMPLATE for step in pipe[-1:])
        for selector in selectors(self.document, self.place.number, self.context):
            named = max(selector.named, tuned("singles.labelled") * self.label_share)
            if is_template and (self.is_attribute or not named):
                continue
            reader = Reader(
                src=Source.CSS,
                at=selector.css,
                get=self.place.get,
                pipe=pipe,
                kin=selector.kin,
            )
            # Where the unit is missing, the place is named no better than it has to be.
            named = max(
                named * self.unit_trust,
                min(named, tuned("singles.no_unit_named")),
                self.least_named,
            )
            yield CandidateReader(
                reader, selector.prior * factor, named, selector.alone
            )
        yield from lined
        if not self.is_attribute:
            yield from self._labelled()
        elif self.place.get in _ADDRESSES:
            yield from self._led_to()

    def _lined(self) -> Iterator[CandidateReader]:
        """The reader of a line behind a line break, by the label before all lines of its
        cell: that leads to it wherever the cell is. What stands before any other element
        may be a value of this page."""
        document, holder = self.document, self.document.parent[self.place.number]
        if document.tags[holder] not in _CELLS:
            return
        before = next_piece(document, document.first_piece[holder], -1)
        label, lines = label_in_piece(document, before), document.lines(holder)
        if label is not None and lines.count(self.text) == 1:
            line = Step(op=Op.NTH, args=(lines.index(self.text),))
            found = self._at_label(label, _PARTS, 0.0)
            pipe = (line, *found.reader.pipe)
            reader = found.reader.model_copy(update={"pipe": pipe})
            yield found._replace(reader=reader)

    def _led_to(self) -> Iterator[CandidateReader]:
        """The reader of an address from a label of the field before its element."""
        first = self.document.first_piece[self.place.number]
        before = next_piece(self.document, first, -1)
        label = label_in_piece(self.document, before)
        share = share_in_piece(self.document, before, self.context.words)
        if label is not None and share >= tuned("labels.telling"):
            yield self._at_label(label, self.place.get, share)

    def _labelled(self) -> Iterator[CandidateReader]:
        """Readers that start from the text beside the value."""
        for step, gets in _BESIDE:
            beside = self._piece_beside(step)
            label = label_in_piece(self.document, beside)
            if label is None or (step > 0 and has_digit(label)):
                continue  # what stands before "ISBN-13:" is the line before it
            share = share_in_piece(self.document, beside, self.context.words)
            for get in gets:
                yield self._at_label(label, get, share)
            if step < 0 and not any(map(str.isalnum, self.text)):
                yield self._at_label(label, _PARTS, share)

    def _at_label(self, label: str, get: str, share: float) -> CandidateReader:
        """A reader of the value beside a label; `share`: of the field's words in it."""
        says_field = share >= tuned("labels.telling")
        prior = tuned("labels.named" if says_field else "labels.unnamed")
        prior += tuned("labels.share") * share
        if get == "before":
            prior -= tuned("singles.less_for_before")
        pipe = self.place.pipe
        reader = Reader(src=Source.LABEL, at=label, get=get, pipe=pipe, kin=Kin.LABEL)
        alone = len(self.document.labels.get(label, ())) == 1
        self_named = tuned("singles.labelled") * self.own_share
        named = max(share, self_named, self.least_named)
        return CandidateReader(reader, prior * self.context.trust(pipe), named, alone)


_GAP = "\0"


def _holds_blocks(document: Document, number: int) -> bool:
    """True for an element with two or more texts of its own blocks."""
    inside = slice(document.first_piece[number], document.last_piece[number])
    texts = "".join(map(_text_or_gap, document.pieces[inside])).split(_GAP)
    return len(list(filter(str.strip, texts))) > 1


def _text_or_gap(piece: Piece) -> str:
    """The text of a piece; a sign that no text has where a block ends."""
    return _GAP if piece.owner < 0 else piece.text


def is_duration(text: str) -> bool:
    """True for a duration with its unit and nothing else: such a text says what it is,
    whatever is written beside it."""
    words = _WORD.findall(text.casefold())
    if not words:
        return False
    if len(text) > _LONGEST_CAPTION:
        return False
    return all(has_unit(f"1 {word}") for word in words)
