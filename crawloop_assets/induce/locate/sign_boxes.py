"""The parts of a page or row in which a sign may stand: what is called by a name, an
element that is a label itself ("Pool", greyed out or not), the cell beside a label."""

from collections import Counter
from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.css_names import tag_in_xpath
from crawloop_assets.induce.locate.labels import label_form
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.induce.locate.signs import SIGNS
from crawloop_assets.schema import FieldSpec

_MOST_BOXES = 200  # of a kind; each is looked for on each known page
_MOST_PREDICATES = 2
_LONGEST_LABEL = 30
_SELECTED = "{root}{tag}[normalize-space(.)={label}]{step}"
_BESIDE = "/following-sibling::*[1]"
_WEAK = (Kin.PATH, Kin.TAG)
_FRAMES = ("main", "body")


def boxes(first: Scope, spec: FieldSpec) -> list[Reader]:
    """The parts that a page or a row has once, the smallest first; none of JSON and of a
    row of several elements. Of thousands of labels, as of a menu, the first ones, before them those to
    which the field's name leads."""
    has_markup = first.data is None and bool(first.document.elements)
    if not has_markup or len(first.nodes) > 1:
        return []
    row = Reader(src=Source.CSS, at=".", get=SIGNS, kin=Kin.CLASS)
    around = _called(first.document) if first.whole else iter([row])
    found = (*_first_of(_labelled(first), spec), *_first_of(around, spec))
    return list(dict.fromkeys(found))


def _first_of(found: Iterator[Reader], spec: FieldSpec) -> list[Reader]:
    """So many that all pages can be looked at."""
    ranked = sorted(found, key=lambda one: not is_named_by(one, spec))
    return ranked[:_MOST_BOXES]


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
                named, label = tag_in_xpath(tag), f'"{text}"'
                at = _SELECTED.format(root=root, tag=named, label=label, step=step)
                yield Reader(src=Source.XPATH, at=at, get=SIGNS, kin=Kin.LABEL)
