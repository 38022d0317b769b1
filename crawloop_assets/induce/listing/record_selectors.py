"""Selectors that may match all known record elements and their like."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.selector_parts import (
    element_predicates,
    tag_selectors,
)
from crawloop_assets.induce.locate.css_names import container_of, quote, tag_of
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words

_NO_WORDS = Words(frozenset(), frozenset(), frozenset(), (), ())
_MOST_HEADS = 4
_MOST_INNER_HEADS = 5
_INNER_ELEMENTS = 12
"""Elements of a record's first row that are looked at."""
_LONGEST_STYLE = 80
_OUTER_LEVELS = 5
"""Elements around the records that a selector may begin with."""
_OUTER_PREDICATES = 3


class RecordSelector(NamedTuple):
    """A selector of record elements and how much it is trusted (about 0..1)."""

    at: str
    prior: float


def record_selectors(
    document: Document, nodes: Sequence[int]
) -> Iterator[RecordSelector]:
    """Selectors of the known record elements, by what they are and by what is around
    all of them; none if their tags differ."""
    tags = {tag_of(document, node) for node in nodes}
    if len(tags) > 1:
        return
    every = record_heads(document, nodes)
    heads = [head for head in every if head.prior > tuned("predicates.passing")]
    yield from heads
    holder = container_of(document, nodes)
    parents = {document.parent[node] for node in nodes}
    joint = " > " if parents == {holder} else " "
    if joint == " > ":
        around = [holder, *document.ancestors(holder)][:_OUTER_LEVELS]
        for outer, head in product(_from_the_body(document, around), heads):
            yield RecordSelector(
                f"{outer} > {head.at}", tuned("record_selectors.by_path")
            )
    for depth, ancestor in enumerate(_up_to_body(document, holder)):
        yield from _inside_of(
            document, ancestor, joint, heads, tuned("record_selectors.depth") * depth
        )
        joint = " "
    # What the next build calls otherwise goes behind all that finds the same.
    yield from every


def _up_to_body(document: Document, holder: int) -> Iterator[int]:
    """The element that holds all records and those around it, the nearest first: a few
    of them, and none around the body."""
    around = [holder, *document.ancestors(holder)][:_OUTER_LEVELS]
    for ancestor in around:
        yield ancestor
        if tag_of(document, ancestor) == "body":
            return


def _from_the_body(document: Document, around: Sequence[int]) -> Iterator[str]:
    """The path of tags from the body down to what holds the records, and the same with
    its place among its like: where nothing has a name, nothing else tells records from
    what is in them."""
    tags = [tag_of(document, number) for number in around]
    if "body" not in tags:
        return
    steps = list(reversed(tags[: tags.index("body") + 1]))
    yield " > ".join(steps)
    if len(steps) > 1:
        position = document.position(around[0], "nth-of-type")
        yield f"{' > '.join(steps)}:nth-of-type({position})"


def _inside_of(
    document: Document,
    ancestor: int,
    joint: str,
    heads: Sequence[RecordSelector],
    penalty: float,
) -> Iterator[RecordSelector]:
    """The selectors of records inside of an element."""
    for outer in _outer_selectors(document, ancestor):
        for head in heads:
            prior = (outer.prior + head.prior) / 2 - penalty
            yield RecordSelector(f"{outer.at}{joint}{head.at}", round(prior, 4))


def _outer_selectors(document: Document, ancestor: int) -> Iterator[RecordSelector]:
    """Selectors of an element around the records."""
    parts = tag_selectors(document, ancestor, _NO_WORDS)
    for part in islice(parts, _OUTER_PREDICATES):
        yield RecordSelector(part.selector, part.prior)
    yield RecordSelector(
        tag_of(document, ancestor), tuned("record_selectors.outer_tag")
    )


def record_heads(document: Document, nodes: Sequence[int]) -> list[RecordSelector]:
    """The tag of the elements, alone and with each property all of them share."""
    tag = tag_of(document, nodes[0])
    of_each = [set(element_predicates(document, node, _NO_WORDS)) for node in nodes]
    shared = sorted(
        set.intersection(*of_each),
        key=lambda predicate: (-predicate.prior, predicate.selector),
    )
    heads = [
        RecordSelector(f"{tag}{selector}", prior)
        for selector, _, prior in shared[:_MOST_HEADS]
    ]
    heads.append(RecordSelector(tag, tuned("record_selectors.tag")))
    style = _shared_style(document, nodes)
    if 0 < len(style) < _LONGEST_STYLE:
        heads.append(
            RecordSelector(
                f'{tag}[style="{quote(style)}"]', tuned("record_selectors.style")
            )
        )
    return heads


def _shared_style(document: Document, nodes: Sequence[int]) -> str:
    """The style that all elements have; "" if they differ."""
    styles = {document.elements[node].get("style", "") for node in nodes}
    return styles.pop() if len(styles) == 1 else ""


def inner_heads(document: Document, nodes: Sequence[int]) -> list[RecordSelector]:
    """For rows that look alike outside: the tag with what only the first row of a
    record has inside."""
    row = nodes[0]
    tag = tag_of(document, row)
    priors: dict[str, float] = {}
    for number in range(row + 1, min(document.end[row], row + _INNER_ELEMENTS)):
        inner = tag_of(document, number)
        priors.setdefault(f"{tag}:has({inner})", tuned("record_selectors.inner_tag"))
        for predicate in element_predicates(document, number, _NO_WORDS):
            selector = f"{tag}:has({inner}{predicate.selector})"
            priors.setdefault(
                selector, round(predicate.prior - tuned("record_selectors.inside"), 4)
            )
    ranked = sorted(priors.items(), key=lambda item: (-item[1], item[0]))
    return [RecordSelector(*item) for item in ranked[:_MOST_INNER_HEADS]]
