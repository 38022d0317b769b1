"""How likely a column of a group of rows holds a field of a schema."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.induce.listing.groups import Column, Group
from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.parse import parse_value

_BRIEF = 60
"""Characters; longer texts may hold more than the value."""
_DATES = (FieldKind.DATE, FieldKind.DATETIME)
_NO_LINKS = ("text", "own", "@datetime", "@title", "@data-date", "@content")
"""What is read of an element and is no link (see `groups`)."""


class FittingColumn(NamedTuple):
    """A column and how likely it holds a field, 0..1; `alone`: it is called as the field
    is, and no other that is free may hold it."""

    fit: float
    column: Column
    alone: bool = False


class _Offer(NamedTuple):
    """A column for a field; sorts by fit, then by the order of columns and fields."""

    cost: float
    order: int
    position: int
    name: str
    column: Column


def assign_columns(
    schema: RecordSchema, group: Group, profiles: Mapping[str, Profile], base_url: str
) -> dict[str, FittingColumn]:
    """A column for each field by name, best pairs first, those of fields of which values
    are known before all others; no two fields share one."""
    offers: list[_Offer] = []
    for position, spec in enumerate(schema.fields):
        if spec.shape is Shape.ONE:
            profile = profiles.get(spec.name)
            offers += _offers(spec, position, group, profile, base_url)
    offers.sort(key=lambda offer: (offer.name not in profiles, *offer))
    chosen = _taken(offers)
    taken = frozenset(map(attrgetter("column.texts"), chosen.values()))
    for name, fitting in chosen.items():
        is_rival = partial(_is_rival, name, fitting.column, taken)
        is_called_so = words_of(schema.field(name)).share(fitting.column.words) > 0
        alone = is_called_so and not any(map(is_rival, offers))
        chosen[name] = fitting._replace(alone=alone)
    return chosen


def _is_rival(
    name: str, column: Column, taken: frozenset[tuple[str, ...]], offer: _Offer
) -> bool:
    """Whether a column is offered for a field as well, is no field's, does not have the
    field's column in it, and tells rows apart."""
    place, texts = offer.column.place, offer.column.texts
    is_above = f"{column.place.path} >".startswith(f"{place.path} >")
    is_around = (is_above, place.get) == (True, "text")
    is_telling = len(set(texts) - {""}) > 1
    is_offered = offer.name == name
    return all((is_offered, is_telling, texts not in taken, not is_around))


def _taken(offers: Sequence[_Offer]) -> dict[str, FittingColumn]:
    """The offers that are taken up, in their order: one for each field, and a column, or
    another with the same texts, for one field only."""
    chosen: dict[str, FittingColumn] = {}
    taken: set[tuple[str, ...]] = set()
    for offer in offers:
        if offer.name in chosen or offer.column.texts in taken:
            continue
        chosen[offer.name] = FittingColumn(-offer.cost, offer.column)
        taken.add(offer.column.texts)
    return chosen


def _offers(
    spec: FieldSpec,
    position: int,
    group: Group,
    profile: Profile | None,
    base_url: str,
) -> Iterator[_Offer]:
    """The columns of a group that may be a field's."""
    for order, column in enumerate(group.columns):
        fit = column_fit(spec, column, profile, base_url, position)
        if fit >= tuned("column_fit.least_fit"):
            yield _Offer(-round(fit, 6), order, position, spec.name, column)


class _Evidence(NamedTuple):
    """What speaks for a column, each 0..1: texts of the field's kind, rows that have
    one, words around them that name the field, distinct texts, brief ones."""

    parsed: float
    filled: float
    worded: float
    varied: float
    brief: float


def column_fit(
    spec: FieldSpec,
    column: Column,
    profile: Profile | None,
    base_url: str,
    position: int,
) -> float:
    """How likely a column is a field's, 0..1.

    `profile` is what is known of earlier values, `position` the field's place in the
    schema.
    """
    texts = list(filter(None, column.texts))
    evidence = _evidence(spec, column, texts, base_url)
    if evidence.parsed < tuned("column_fit.least_parsed") or not _may_be(
        spec, column, profile
    ):
        return 0.0
    if profile:
        return _fit_to_profile(spec, evidence, profile, texts)
    parsed, filled, worded, varied, brief = evidence
    if spec.kind in _DATES:
        return (
            parsed
            * filled
            * brief
            * (1 - tuned("column_fit.worded_date") * (1 - worded))
        )
    if spec.kind is FieldKind.URL:
        return (
            parsed
            * filled
            * varied
            * (tuned("column_fit.link") + tuned("column_fit.worded_link") * worded)
        )
    telling = _title_bonus(column, varied) if position == 0 else 0.0
    said = tuned("column_fit.worded") * worded
    said += tuned("column_fit.varied") * varied * bool(worded)
    return filled * (said + telling)


def _evidence(
    spec: FieldSpec, column: Column, texts: Sequence[str], base_url: str
) -> _Evidence:
    """What the looked-at texts of a column say for a field; `texts` is not empty."""
    parsed = [parse_value(text, spec, base_url) is not None for text in texts]
    return _Evidence(
        parsed=sum(parsed) / len(texts),
        filled=column.filled,
        worded=words_of(spec).share(column.words),
        varied=len(set(texts)) / len(texts),
        brief=1.0 if max(map(len, texts)) <= _BRIEF else tuned("column_fit.long"),
    )


def _may_be(spec: FieldSpec, column: Column, profile: Profile | None) -> bool:
    """Links are for urls only; the whole text of a row is a field only where earlier
    values say so."""
    is_url, is_link = spec.kind is FieldKind.URL, column.place.get not in _NO_LINKS
    is_whole_row = column.place == (".", "text")
    return is_url == is_link and (profile is not None or not is_whole_row)


def _fit_to_profile(
    spec: FieldSpec, evidence: _Evidence, profile: Profile, texts: Sequence[str]
) -> float:
    """How well a column fits, 0..1, where earlier values are known: what those looked
    like counts most, the words around it little."""
    parsed, filled, worded, varied, brief = evidence
    is_text = spec.kind in (FieldKind.TEXT, FieldKind.URL)
    like = profile.share(spec, texts) if is_text else 1.0
    dated = spec.kind in _DATES
    mean = (
        tuned("column_fit.like_known") * like
        + tuned("column_fit.worded_known") * worded
    )
    mean += (
        tuned("column_fit.varied_known") * varied
        + tuned("column_fit.dated_known") * dated
    )
    return parsed * filled * brief * mean


def _title_bonus(column: Column, varied: float) -> float:
    """For a column of differing links or headings."""
    path = column.place.path
    if varied <= tuned("column_fit.mostly_varied"):
        return 0.0
    is_title = "> a" in path or "> h" in path
    return tuned("column_fit.title_bonus") * is_title
