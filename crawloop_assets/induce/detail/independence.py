"""Which readers are witnesses of their own: not two of one element, not two of one
origin."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldSpec, Shape

NO_ELEMENT = -1
"""The element of readers of JSON and meta tags."""
_NOT_FOUND = -2
SURE_NAME = 0.81
"""A place with this share of the field's words or more is named like the field: less
than the field's own word on the element, or all its words around it."""
_SURE_NAME_OF_LIST = 0.65  # lists are less likely to be something else by chance
_BACKED_NAME = 0.75


def element_of(reader: Reader, known: Sequence[KnownValue]) -> int:
    """The element a markup reader starts from on the first page with a known value;
    NO_ELEMENT for readers of JSON and meta tags, less than that if there is none."""
    if reader.src is Source.JSON or reader.kin is Kin.META:
        return NO_ELEMENT
    page = next((page for page in known if page.value is not None), None)
    if page is None:
        return _NOT_FOUND
    if reader.src is not Source.CSS:
        number = _element_beside(page.document, reader.at)
    else:
        number = next(iter(select(Scope(page.document), reader.at)), _NOT_FOUND)
    return _outermost(page.document, number) if number >= 0 else number


def _element_beside(document: Document, label: str) -> int:
    """The element of the text after a label (given by its letters)."""
    for position in document.labels.get(label, ())[:1]:
        found = next_piece(document, position)
        if found is not None:
            return document.piece_parent(found)
    return _NOT_FOUND


def _outermost(document: Document, number: int) -> int:
    """The outermost element with (nearly) the same text, so that nested readings count
    as one place."""
    size = len(document.text(number))
    for ancestor in document.ancestors(number):
        if len(document.text(ancestor)) > 1.5 * size + 30:
            return number
        number = ancestor
    return number


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
    sure = SURE_NAME if spec.shape is Shape.ONE else _SURE_NAME_OF_LIST
    if candidate.named >= sure:
        return True
    if candidate.named < _BACKED_NAME:
        return False
    kin = candidate.reader.kin
    others = [holder.candidate for holder in holders]
    return any(other.named == 1.0 and other.reader.kin is not kin for other in others)
