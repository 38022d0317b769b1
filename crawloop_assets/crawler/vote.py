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
"""What a silent reader's weight counts against the winner."""
_WEIGHT = itemgetter(1)


def decide(ballots: Sequence[Ballot], spec: FieldSpec) -> tuple[Value, FieldVote]:
    """The winning value (None if all are silent) and how the vote went.

    Ties go to the earlier reader.
    """
    spoken = [ballot for ballot in ballots if ballot[2] is not None]
    groups = _groups(spoken, spec)
    if not groups:
        return None, FieldVote(agreement=0.0, live_readers=0, readers=len(ballots))
    if len(groups) > 1:
        groups.sort(key=_rank)
    reader, _, value = max(groups[0], key=_WEIGHT)
    rivals = tuple(group[0][2] for group in groups[1:])
    return value, FieldVote(
        agreement=round(_agreement(groups[0], ballots), 4),
        live_readers=sum(map(len, groups)),
        readers=len(ballots),
        reader=reader,
        rivals=rivals,
    )


def _rank(group: Sequence[Ballot]) -> float:
    """Rounded, so that weights which differ by float noise only are a tie."""
    return -round(_weight(group), 9)


def _weight(group: Sequence[Ballot]) -> float:
    return float(sum(map(_WEIGHT, group)))


def _agreement(winners: Sequence[Ballot], ballots: Sequence[Ballot]) -> float:
    """The winners' share of the weight of all ballots, 0..1."""
    total = 0.0
    for _, weight, value in ballots:
        total += SILENT * weight if value is None else weight
    if not total:
        return 0.0
    return _weight(winners) / total


def _groups(ballots: Sequence[Ballot], spec: FieldSpec) -> list[list[Ballot]]:
    """The ballots, those that mean the same together; without what means nothing."""
    if _is_unanimous([value for _, _, value in ballots]):
        if _has_form(ballots[0][2], spec):
            return [list(ballots)]
        return []
    groups: dict[Hashable, list[Ballot]] = {}
    forms: dict[str, Hashable] = {}  # most readers say the same, letter by letter
    for ballot in ballots:
        form = _form(ballot[2], spec, forms)
        if form is not None:
            groups.setdefault(form, []).append(ballot)
    return list(groups.values())


def _is_unanimous(values: Sequence[Value]) -> bool:
    """Whether there are values and all are equal as they are written; then one form
    is enough.

    To Python 1 equals True, to people it does not, hence the types.
    """
    if len(set(map(type, values))) != 1:
        return False
    return values.count(values[0]) == len(values)


_NOTHING = re.compile(r"(?!)")
_SURE_FORMS = {  # values that match have a normal form; the others may have one
    FieldKind.TEXT: re.compile(r"[^<&]*[a-zA-Z0-9][^<&]*"),
    FieldKind.NUMBER: re.compile(r"-?\d{1,30}(?:\.\d{1,30})?"),
}


def _has_form(value: Value, spec: FieldSpec) -> bool:
    """Whether a value has a normal form.

    For most values a pattern shows it, which is much cheaper than making the form.
    """
    if spec.shape is Shape.ONE and isinstance(value, str):
        pattern = _SURE_FORMS.get(spec.kind, _NOTHING)
        if pattern.fullmatch(value):
            return True
    return canonical(value, spec) is not None


def _form(value: Value, spec: FieldSpec, known: dict[str, Hashable]) -> Hashable:
    """The normal form of a value; of a text it is kept in `known`."""
    if not isinstance(value, str):
        return canonical(value, spec)
    if value not in known:
        known[value] = canonical(value, spec)
    return known[value]
