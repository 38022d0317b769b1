"""Which readers are witnesses of their own: not two of one element, not two of one
origin."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts, select
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_pieces, next_piece
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.text import letters

NO_ELEMENT = -1
"""The element of readers of JSON and meta tags."""
_NOT_FOUND = -2
_SURE_NAMES = ("independence.sure_list", "independence.sure_name")
_STATEMENT = 12
"""Letters; two places that show so many alike show one text, not one word."""
_GUESSED_CUTS = (Op.REGEX, Op.PART, Op.BEFORE, Op.AFTER, Op.NTH)


def _is_of_markup(reader: Reader) -> bool:
    """Whether a reader starts from an element that a page shows."""
    return reader.src is not Source.JSON and reader.kin is not Kin.META


def element_of(reader: Reader, known: Sequence[KnownValue]) -> int:
    """The element a markup reader starts from on the first page with a known value;
    NO_ELEMENT for readers of JSON and meta tags, less than that if there is none."""
    if not _is_of_markup(reader):
        return NO_ELEMENT
    for page in pages_with_value(known)[:1]:
        for number in _elements(reader, page.document)[:1]:
            return _outermost(page.document, number)
    return _NOT_FOUND


def _elements(reader: Reader, document: Document) -> list[int]:
    """The elements a reader of markup starts from on a page."""
    if reader.src is Source.CSS:
        return select(Scope(document), reader.at)
    return _elements_beside(document, reader.at)


def _elements_beside(document: Document, label: str) -> list[int]:
    """The element of the text after the first label with these letters."""
    for position in label_pieces(document, label)[:1]:
        piece = next_piece(document, position)
        if piece is not None:
            return [document.piece_parent(piece)]
    return []


def _outermost(document: Document, number: int) -> int:
    """The outermost element with (nearly) the same text, so that nested readings count
    as one place."""
    longest = tuned("independence.more_text") * len(document.text(number)) + 30
    for ancestor in document.ancestors(number):
        if len(document.text(ancestor)) > longest:
            return number
        number = ancestor
    return number


def source_text(reader: Reader, known: Sequence[KnownValue]) -> str:
    """The letters of the text that a markup reader starts from on the first page with a
    known value; "" for readers of JSON and meta tags."""
    if not _is_of_markup(reader):
        return ""
    for page in pages_with_value(known)[:1]:
        for text in read_texts(reader, Scope(page.document))[:1]:
            return letters(text)
    return ""


def are_one_text(form: str, other: str) -> bool:
    """True for the letters of two texts of which one is in the other, as a heading is
    in the title of its page; short ones are in anything."""
    shorter, longer = sorted((form, other), key=len)
    return len(shorter) >= _STATEMENT and shorter in longer


def is_guessed_cut(reader: Reader) -> bool:
    """True for a reader that takes a word or a part of a longer text for the value:
    nothing on the page says where that ends."""
    return any(step.op in _GUESSED_CUTS for step in reader.pipe)


def is_whole(reader: Reader) -> bool:
    """True for a reader of an element whose whole text is the value."""
    is_text = reader.src is Source.CSS and reader.get in ("text", "own")
    return is_text and not reader.pipe


def share_origin(reader: Reader, other: Reader) -> bool:
    """Readers of one origin nearly always say the same, so only one of them may vote:
    one selector, or a value of JSON and what it is part of (`image` and
    `image.url`)."""
    if reader.src is not other.src:
        return False
    if reader.src is not Source.JSON:
        return reader.at == other.at
    path, other_path = _plain_path(reader), _plain_path(other)
    return path.startswith(other_path) or other_path.startswith(path)


def _plain_path(reader: Reader) -> str:
    """The keys of a JSON path, each with a full stop behind it."""
    return f"{reader.at.replace('[*]', '')}."


def may_vote_beside(trial: Tried, holders: Sequence[Tried], spec: FieldSpec) -> bool:
    """True for a reader that may be a witness of its own beside others of one element
    (`holders`): it is named like the field itself, or it finds by position what one of
    another kin finds by the field's own name.

    Attributes of the element never are: they repeat its text.
    """
    candidate = trial.candidate
    if "@" in candidate.reader.get:
        return False
    if candidate.named >= tuned(_SURE_NAMES[spec.shape is Shape.ONE]):
        return True
    if candidate.named < tuned("independence.backed_name"):
        return False
    return _is_backed(candidate, holders)


def _is_backed(candidate: CandidateReader, holders: Sequence[Tried]) -> bool:
    """True if a reader of another kin finds the element by the field's own name."""
    for holder in holders:
        if holder.candidate.reader.kin is candidate.reader.kin:
            continue
        if holder.candidate.named == 1.0:
            return True
    return False
