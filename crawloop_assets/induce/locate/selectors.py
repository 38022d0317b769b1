"""Selectors for one element: by what it is, by what it is in, by its position."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.css_names import child_path
from crawloop_assets.induce.locate.predicates import (
    Predicate,
    behind_icon,
    predicates,
)
from crawloop_assets.induce.trust import tuned

_LEVELS = 9  # ancestors whose predicates are looked at
_LEVELS_OF_PATH = 4  # ancestors from which a path of children leads down
_MOST_OWN = 6
_MOST_ANCESTORS = 8
_MOST_PATHS = 4
_MOST_TRIED = 36
_MOST_KEPT = 7


class Selector(NamedTuple):
    """A css selector whose first match is the element.

    `prior` is the trust in it, `named` the share of the field's words in it; `alone`:
    it is the only match.
    """

    css: str
    kin: Kin
    prior: float
    named: float
    alone: bool = False


class Around(NamedTuple):
    """A predicate of an element around one, how much to trust it, and how many levels
    up it is."""

    strength: float
    distance: int
    predicate: Predicate


def selectors(document: Document, number: int, context: FieldContext) -> list[Selector]:
    """Selectors that lead to the element first of all, best first."""
    proposals = list(_proposals(document, number, context))
    proposals.sort(key=_by_prior)
    leading = _leading_to(document, number, proposals[:_MOST_TRIED])
    return list(islice(leading, _MOST_KEPT))


def _by_prior(selector: Selector) -> tuple[float, str]:
    """Best first; differences too small to mean anything are none."""
    return -round(selector.prior, 6), selector.css


def _leading_to(
    document: Document, number: int, proposals: Sequence[Selector]
) -> Iterator[Selector]:
    """The selectors whose first match is the element."""
    for selector in proposals:
        matches = css(document, selector.css)
        if matches[:1] != [number]:
            continue
        if len(matches) == 1:
            prior = selector.prior + tuned("selectors.alone_bonus")
            yield selector._replace(prior=prior, alone=True)
        else:
            prior = selector.prior - tuned("selectors.among_others_malus")
            yield selector._replace(prior=prior)


def own_predicates(
    document: Document, number: int, context: FieldContext
) -> list[Predicate]:
    """What can be said of an element that may hold on other pages too, the strongest first;
    of a bare tag as a rule last."""
    every = [*predicates(document, number), *behind_icon(document, number)]
    found = filter(partial(_may_hold, context), every)
    return sorted(found, key=attrgetter("strength"), reverse=True)


def _may_hold(context: FieldContext, predicate: Predicate) -> bool:
    """Whether a predicate may hold on other pages."""
    return predicate.kin is Kin.TAG or context.fits(predicate)


def surroundings(
    document: Document, number: int, context: FieldContext
) -> list[Around]:
    """What can be said of the elements around one, the most trusted first: a few levels
    up, and not so far as the body."""
    found: list[Around] = []
    ancestors = islice(document.ancestors(number), _LEVELS)
    for distance, ancestor in enumerate(ancestors, 1):
        if document.elements[ancestor].tag in ("body", "html"):
            break
        for predicate in own_predicates(document, ancestor, context):
            if predicate.kin is not Kin.TAG or predicate.strength > tuned(
                "selectors.telling_tag"
            ):
                strength = (
                    context.strength(predicate)
                    - tuned("selectors.distance_malus") * distance
                )
                found.append(Around(strength, distance, predicate))
    found.sort(key=_by_trust)
    return found[:_MOST_ANCESTORS]


def _by_trust(ancestor: Around) -> tuple[float, int, str]:
    """Sorts the most trusted first, then the nearest."""
    return -round(ancestor.strength, 6), ancestor.distance, ancestor.predicate.css


def _proposals(
    document: Document, number: int, context: FieldContext
) -> Iterator[Selector]:
    """Selectors worth trying, not all of which lead to the element."""
    own = own_predicates(document, number, context)
    ancestors = surroundings(document, number, context)
    for predicate in own[:_MOST_OWN]:
        yield Selector(
            css=predicate.css,
            kin=predicate.kin,
            prior=context.strength(predicate),
            named=context.share(predicate),
        )
    # The three best and the bare tag, which comes last.
    for predicate in own[:3] + own[3:][-1:]:
        for ancestor in ancestors:
            found = inside(ancestor, predicate, context.strength(predicate), context)
            yield found._replace(prior=found.prior - tuned("selectors.two_steps"))
    yield from _paths(document, number, ancestors[:_MOST_PATHS], context)
    tag = str(document.elements[number].tag)
    if tag in ("h1", "title"):
        yield Selector(
            css=tag,
            kin=Kin.TAG,
            prior=tuned("selectors.title_tag"),
            named=tuned("selectors.title_named"),
        )


def inside(
    around: Around, predicate: Predicate, strength: float, context: FieldContext
) -> Selector:
    """What an element is, to be trusted so much, inside of what is around it: of two
    predicates the stronger counts more."""
    outer, share = around.predicate, tuned("selectors.stronger_half")
    low, high = sorted((strength, around.strength))
    outer_leads = predicate.kin is Kin.TAG or outer.strength > predicate.strength
    return Selector(
        css=f"{outer.css} {predicate.css}",
        kin=outer.kin if outer_leads else predicate.kin,
        prior=share * high
        + (1 - share) * low
        - tuned("selectors.distance_malus") * around.distance,
        named=max(
            context.share(predicate),
            tuned("selectors.ancestor_share") * context.share(outer),
        ),
    )


def _paths(
    document: Document,
    number: int,
    ancestors: Sequence[Around],
    context: FieldContext,
) -> Iterator[Selector]:
    """Paths of children from what is around an element down to it."""
    for strength, distance, outer in _roots(document, number, ancestors):
        if distance > _LEVELS_OF_PATH:
            continue
        around = next(islice(document.ancestors(number), distance - 1, None))
        steps = [outer.css, *child_path(document, number, around)]
        yield Selector(
            css=" > ".join(steps),
            kin=Kin.PATH,
            prior=tuned("selectors.of_path") * strength
            - tuned("selectors.path_malus") * distance,
            named=tuned("selectors.path_share") * context.share(outer),
        )


def _roots(
    document: Document, number: int, ancestors: Sequence[Around]
) -> Iterator[Around]:
    """What paths lead down from: no name that does not last; the body where an element has
    no other around it."""
    lasting = list(filter(_lasts, ancestors))
    yield from lasting
    if ancestors and not lasting:
        for distance, ancestor in enumerate(document.ancestors(number), 1):
            if document.tags[ancestor] == "body":
                tag = predicates(document, ancestor)[-1]
                yield Around(tag.strength, distance, tag)


def _lasts(ancestor: Around) -> bool:
    """Whether earlier captures have what is said of an element, too."""
    return ancestor.predicate.strength > tuned("predicates.passing")
