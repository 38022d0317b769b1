"""The parts of a page or row in which a sign may stand: what is called by a name, an
element that is a label itself ("Pool", greyed out or not), the cell beside a label."""

from collections import Counter
from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.labels import label_form
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.signs import SIGNS

_MOST_PREDICATES = 2
_LONGEST_LABEL = 30
_SELECTED = "{root}{tag}[normalize-space(.)={label}]{step}"
_BESIDE = "/following-sibling::*[1]"
_WEAK = (Kin.PATH, Kin.TAG)
_FRAMES = ("main", "body")


def boxes(first: Scope) -> list[Reader]:
    """The parts that a page or a row has once, the smallest first; none of JSON and of a
    row of several elements."""
    has_markup = first.data is None and bool(first.document.elements)
    if not has_markup or len(first.nodes) > 1:
        return []
    named = list(_labelled(first))
    if first.whole:
        named += _called(first.document)
    else:
        named.append(Reader(src=Source.CSS, at=".", get=SIGNS, kin=Kin.CLASS))
    return list(dict.fromkeys(named))


def _called(document: Document) -> Iterator[Reader]:
    """The elements that something names, each the only one of its name, from the last to
    the first: what is inside goes before what is around it."""
    for number in reversed(range(len(document.elements))):
        for one in predicates(document, number)[:_MOST_PREDICATES]:
            is_named = one.kin not in _WEAK or document.tags[number] in _FRAMES
            if is_named and select(Scope(document), one.css) == [number]:
                yield Reader(src=Source.CSS, at=one.css, get=SIGNS, kin=one.kin)


def _labelled(scope: Scope) -> Iterator[Reader]:
    """The elements whose whole text may be a label and stands there once, and those that
    follow one."""
    document = scope.document
    inside = range(scope.nodes[0], document.end[scope.nodes[0]])
    texts = {number: document.text(number) for number in inside}
    counts = Counter((document.tags[number], text) for number, text in texts.items())
    for number, text in texts.items():
        tag = document.tags[number]
        is_once = counts[tag, text] == 1 and label_form(text, _LONGEST_LABEL)
        if is_once and '"' not in text:
            for step in ("", _BESIDE):
                root = "//" if scope.whole else ".//"
                at = _SELECTED.format(root=root, tag=tag, label=f'"{text}"', step=step)
                yield Reader(src=Source.XPATH, at=at, get=SIGNS, kin=Kin.LABEL)
