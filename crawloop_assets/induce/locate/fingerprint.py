"""What a field looks like on its page, kept in the program; and how alike another
element is."""

from collections.abc import Sequence
from functools import lru_cache

from crawloop_assets.crawler.program import Fingerprint
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.values.text import letters, tokens, word_set

_HEADINGS = word_set("h1 h2 h3 h4 h5 h6 dt th legend summary")


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
        shape=shape_of(text),
        position=round(first / max(1, len(document.elements)), 2),
        length=sum(len(document.text(number)) for number in numbers) // len(numbers),
        count=len(numbers),
        keys=tuple(keys),
    )


def own_tokens(document: Document, number: int) -> tuple[str, ...]:
    """Words of an element's id, classes and naming attributes."""
    return tuple(
        sorted({word for each in predicates(document, number) for word in each.words})
    )


def around_tokens(document: Document, number: int) -> tuple[str, ...]:
    """The same of its three nearest ancestors."""
    near = [
        ancestor
        for ancestor, _ in zip(document.ancestors(number), range(3), strict=False)
    ]
    return tuple(
        sorted({word for ancestor in near for word in own_tokens(document, ancestor)})
    )


def label_of(document: Document, number: int) -> str:
    """Letters of the text right before an element, if short enough to be a label."""
    at = next_piece(document, document.first_piece[number], -1)
    form = letters(document.pieces[at].text) if at is not None else ""
    return form if len(form) <= 40 else ""


def heading_of(document: Document, number: int) -> str:
    """Letters of the nearest heading before an element."""
    at: int | None = document.first_piece[number]
    for _ in range(30):
        at = next_piece(document, at, -1) if at is not None else None
        if at is None:
            return ""
        if str(document.elements[document.piece_parent(at)].tag) in _HEADINGS:
            return letters(document.pieces[at].text)[:60]
    return ""


@lru_cache(maxsize=16384)
def shape_of(text: str) -> str:
    """The kinds of character in a text, runs collapsed: "$12.50" -> "$0.0"."""
    out: list[str] = []
    for char in text[:60]:
        kind = (
            "0"
            if char.isdigit()
            else "a"
            if char.isalpha()
            else " "
            if char.isspace()
            else char
        )
        if not out or out[-1] != kind:
            out.append(kind)
    return "".join(out)[:16]


def likeness(
    document: Document, number: int, wanted: Fingerprint, words: Words, count: int = 1
) -> float:
    """0..about 1.3: how much an element looks like the field did, and like what its words say."""
    own, around = own_tokens(document, number), around_tokens(document, number)
    label, heading = label_of(document, number), heading_of(document, number)
    tag = str(document.elements[number].tag)
    length = len(document.text(number))
    score = 0.22 * _jaccard(own, wanted.tokens) + 0.12 * _jaccard(
        own + around, wanted.tokens + wanted.around
    )
    score += 0.20 * words.share(own) + 0.10 * words.share(around)
    score += 0.22 * bool(label and label == wanted.label) or 0.22 * bool(
        heading and heading == wanted.heading
    )
    score += 0.10 * max(words.share(tokens(label)), 0.8 * words.share(tokens(heading)))
    score += 0.08 * (tag == wanted.tag) + 0.06 * (
        shape_of(document.text(number)) == wanted.shape
    )
    score += 0.06 * (1 - abs(number / max(1, len(document.elements)) - wanted.position))
    score += 0.12 * _ratio(length, wanted.length)
    if wanted.count > 1:
        score += 0.10 * _ratio(count, wanted.count)
    return score


def _jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    left, right = set(a), set(b)
    return len(left & right) / len(left | right) if left | right else 0.0


def _ratio(a: int, b: int) -> float:
    return min(a, b) / max(a, b) if a and b else 0.0
