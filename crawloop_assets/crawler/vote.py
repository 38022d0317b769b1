"""Readers vote: the value with the most weight behind it wins.

Agreement is the winner's share of the weight. Who contradicts counts in full; who is
silent counts half: the page has changed there or has no such place, which casts doubt
on the value but is no word against it.
"""

import re
from collections.abc import Hashable, Sequence
from operator import itemgetter

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

Ballot = tuple[str, float, Value]  # reader, weight, what it read (None if nothing)
SILENT = 0.5
_WEIGHT_OF = itemgetter(1)


def decide(ballots: Sequence[Ballot], spec: FieldSpec) -> tuple[Value, FieldVote]:
    """The winning value (None if all are silent) and how the vote went.

    Ties go to the earlier reader.
    """
    classes = _classes([ballot for ballot in ballots if ballot[2] is not None], spec)
    if not classes:
        return None, FieldVote(agreement=0.0, live_readers=0, readers=len(ballots))
    if len(classes) > 1:
        classes.sort(key=lambda group: -round(_weight(group), 9))
    total = sum(
        [
            weight if value is not None else SILENT * weight
            for _, weight, value in ballots
        ]
    )
    winner = max(classes[0], key=_WEIGHT_OF)
    agreement = _weight(classes[0]) / total if total else 0.0
    return winner[2], FieldVote(
        agreement=round(agreement, 4),
        live_readers=sum(map(len, classes)),
        readers=len(ballots),
        reader=winner[0],
        rivals=tuple(group[0][2] for group in classes[1:]),
    )


def _weight(group: Sequence[Ballot]) -> float:
    return sum([weight for _, weight, _ in group])


def _classes(ballots: Sequence[Ballot], spec: FieldSpec) -> list[list[Ballot]]:
    """The ballots, those that mean the same together."""
    if not ballots:
        return []
    first = ballots[0][2]
    if all(
        value is first or (type(value) is type(first) and value == first)
        for _, _, value in ballots
    ):
        return [list(ballots)] if _means_something(first, spec) else []
    classes: dict[Hashable, list[Ballot]] = {}
    forms: dict[str, Hashable] = {}  # most readers say the same, letter by letter
    for ballot in ballots:
        form = _form(ballot[2], spec, forms)
        if form is not None:
            classes.setdefault(form, []).append(ballot)
    return list(classes.values())


_PLAIN = {
    FieldKind.TEXT: re.compile(r"[^<&]*[a-zA-Z0-9][^<&]*"),
    FieldKind.NUMBER: re.compile(r"-?\d{1,30}(?:\.\d{1,30})?"),
}


def _means_something(value: Value, spec: FieldSpec) -> bool:
    """Whether a value has a normal form.

    Of most that can be seen.
    """
    plain = (
        _PLAIN.get(spec.kind)
        if isinstance(value, str) and spec.shape is Shape.ONE
        else None
    )
    return (plain is not None and plain.fullmatch(value) is not None) or canonical(
        value, spec
    ) is not None


def _form(value: Value, spec: FieldSpec, known: dict[str, Hashable]) -> Hashable:
    if not isinstance(value, str):
        return canonical(value, spec)
    if value not in known:
        known[value] = canonical(value, spec)
    return known[value]
