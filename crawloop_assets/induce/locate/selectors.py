"""Selectors for one element: by what it is, by what it is in, by where it stands."""

from collections.abc import Iterator
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.predicates import Predicate, is_plain, predicates

_LEVELS = 9
_MOST_ANCESTORS = 8
_MOST_TRIED = 36
_MOST_KEPT = 7


class Selector(NamedTuple):
    """A css selector whose first match is the element.

    `alone`: it is the only match.
    """

    css: str
    kin: Kin
    prior: float
    named: float
    alone: bool


def selectors(document: Document, number: int, context: FieldContext) -> list[Selector]:
    """Selectors that lead to the element first of all, best first."""
    found = list(_proposals(document, number, context))
    found.sort(key=lambda each: (-round(each.prior, 6), each.css))
    kept: list[Selector] = []
    for proposal in found[:_MOST_TRIED]:
        matches = css(document, proposal.css)
        if not matches or matches[0] != number:
            continue
        alone = len(matches) == 1
        kept.append(
            proposal._replace(
                prior=proposal.prior + (0.08 if alone else -0.12), alone=alone
            )
        )
        if len(kept) >= _MOST_KEPT:
            break
    return kept


def own_predicates(
    document: Document, number: int, context: FieldContext
) -> list[Predicate]:
    """What can be said of an element that may hold on other pages too; the bare tag
    last."""
    return [
        each
        for each in predicates(document, number)
        if each.kin is Kin.TAG or context.fits(each)
    ]


def surroundings(
    document: Document, number: int, context: FieldContext
) -> list[tuple[float, int, Predicate]]:
    """The most telling predicates of the elements around one: (strength, distance,
    predicate)."""
    found: list[tuple[float, int, Predicate]] = []
    for distance, ancestor in enumerate(document.ancestors(number), 1):
        if distance > _LEVELS or document.elements[ancestor].tag in ("body", "html"):
            break
        found.extend(
            (context.strength(predicate) - 0.03 * distance, distance, predicate)
            for predicate in own_predicates(document, ancestor, context)
            if predicate.kin is not Kin.TAG or predicate.strength > 0.3
        )
    found.sort(key=lambda each: (-round(each[0], 6), each[1], each[2].css))
    return found[:_MOST_ANCESTORS]


def _proposals(
    document: Document, number: int, context: FieldContext
) -> Iterator[Selector]:
    own = own_predicates(document, number, context)
    tag = str(document.elements[number].tag)
    around = surroundings(document, number, context)
    for predicate in own[:6]:
        yield Selector(
            predicate.css,
            predicate.kin,
            context.strength(predicate),
            context.share(predicate),
            False,
        )
    for predicate in [*own[:3], *([own[-1]] if len(own) > 3 else [])]:
        mine = context.strength(predicate)
        for outer_strength, distance, outer in around:
            low, high = sorted((mine, outer_strength))
            prior = 0.55 * high + 0.45 * low - 0.05 - 0.03 * distance
            share = max(context.share(predicate), 0.85 * context.share(outer))
            stronger = predicate.kin is Kin.TAG or outer.strength > predicate.strength
            yield Selector(
                f"{outer.css} {predicate.css}",
                (outer if stronger else predicate).kin,
                prior,
                share,
                False,
            )
    for outer_strength, distance, outer in around[:4]:
        steps = _steps(document, number, distance) if distance <= 4 else ""
        if steps:
            prior = 0.55 * outer_strength - 0.04 * distance
            yield Selector(
                f"{outer.css} > {steps}",
                Kin.PATH,
                prior,
                0.7 * context.share(outer),
                False,
            )
    if tag in ("h1", "title"):
        yield Selector(tag, Kin.TAG, 0.62, 0.5, False)


def _steps(document: Document, number: int, distance: int) -> str:
    """The child path from an ancestor down to the element, by position among siblings
    of one tag, or ""."""
    steps: list[str] = []
    for _ in range(distance):
        if not is_plain(str(document.elements[number].tag)):
            return ""
        steps.append(
            f"{document.elements[number].tag!s}:nth-of-type({document.position(number, 'nth-of-type')})"
        )
        number = document.parent[number]
    return " > ".join(reversed(steps))
