"""What a field looks like on its page, kept in the program; and how alike another
element is."""

from collections.abc import Sequence
from itertools import islice

from crawloop_assets.crawler.program import Fingerprint
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.shapes import shape_of
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.values.text import letters, tokens, word_set

_HEADINGS = word_set("h1 h2 h3 h4 h5 h6 dt th legend summary")
_NEAR = 3  # ancestors whose words are an element's surroundings
_PIECES_TO_HEADING = 30  # texts to go back in search of a heading

# Letters.
_LONGEST_LABEL = 40
_LONGEST_HEADING = 60
_LOOKED_AT = 60
_LONGEST_SHAPE = 16


def fingerprint(
    document: Document, numbers: Sequence[int], keys: Sequence[str] = ()
) -> Fingerprint:
    """The look of the elements a field was read from (several for a list)."""
    if not numbers:
        return Fingerprint(keys=tuple(keys))
    first = numbers[0]
    text = document.text(first)
    return Fingerprint(
        tag=str(document.elements[first].tag),
        tokens=own_tokens(document, first),
        around=around_tokens(document, first),
        label=label_of(document, first),
        heading=heading_of(document, first),
        shape=_shape(text),
        position=round(first / max(1, len(document.elements)), 2),
        length=sum(len(document.text(number)) for number in numbers) // len(numbers),
        count=len(numbers),
        keys=tuple(keys),
    )


def own_tokens(document: Document, number: int) -> tuple[str, ...]:
    """Words of an element's id, classes and naming attributes."""
    words: set[str] = set()
    for predicate in predicates(document, number):
        words.update(predicate.words)
    return tuple(sorted(words))


def around_tokens(document: Document, number: int) -> tuple[str, ...]:
    """The same of its three nearest ancestors."""
    words: set[str] = set()
    for ancestor in islice(document.ancestors(number), _NEAR):
        words.update(own_tokens(document, ancestor))
    return tuple(sorted(words))


def label_of(document: Document, number: int) -> str:
    """Letters of the text right before an element, if short enough to be a label."""
    index = next_piece(document, document.first_piece[number], -1)
    if index is None:
        return ""
    form = letters(document.pieces[index].text)
    if len(form) > _LONGEST_LABEL:
        return ""
    return form


def heading_of(document: Document, number: int) -> str:
    """Letters of the nearest heading before an element."""
    index = document.first_piece[number]
    for _ in range(_PIECES_TO_HEADING):
        before = next_piece(document, index, -1)
        if before is None:
            return ""
        index = before
        if str(document.elements[document.piece_parent(index)].tag) in _HEADINGS:
            return letters(document.pieces[index].text)[:_LONGEST_HEADING]
    return ""


def _shape(text: str) -> str:
    """How a text begins, by its form."""
    return shape_of(text[:_LOOKED_AT])[:_LONGEST_SHAPE]


def likeness(
    document: Document, number: int, wanted: Fingerprint, words: Words, count: int = 1
) -> float:
    """How much an element looks like the field did, and like what its words say: 0 to
    about 1.3.

    `count` is how many elements there are of it, for a list.
    """
    own, around = own_tokens(document, number), around_tokens(document, number)
    label, heading = label_of(document, number), heading_of(document, number)
    tag = str(document.elements[number].tag)
    length = len(document.text(number))
    said = max(
        words.share(tokens(label)),
        tuned("likeness.heading_words") * words.share(tokens(heading)),
    )
    shares = {
        "own_tokens": _jaccard(own, wanted.tokens),
        "all_tokens": _jaccard(own + around, wanted.tokens + wanted.around),
        "own_words": words.share(own),
        "around_words": words.share(around),
        "announced": _is_announced_alike(label, heading, wanted),
        "label_words": said,
        "tag": tag == wanted.tag,
        "shape": _shape(document.text(number)) == wanted.shape,
        "position": 1 - abs(number / max(1, len(document.elements)) - wanted.position),
        "length": _ratio(length, wanted.length),
        "count": _ratio(count, wanted.count) if wanted.count > 1 else 0.0,
    }
    return sum(tuned(f"likeness.{name}") * share for name, share in shares.items())


def _is_announced_alike(label: str, heading: str, wanted: Fingerprint) -> bool:
    """True if the label or the heading before an element is the one from before."""
    has_same_label = label != "" and label == wanted.label
    has_same_heading = heading != "" and heading == wanted.heading
    return has_same_label or has_same_heading


def _jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of words that two have in common; 0 if neither has any."""
    left, right = set(a), set(b)
    if not left and not right:
        return 0.0
    return len(left & right) / len(left | right)


def _ratio(a: int, b: int) -> float:
    """How near two counts are to each other: 1 for equals, 0 beside none."""
    if a == 0 or b == 0:
        return 0.0
    return min(a, b) / max(a, b)
