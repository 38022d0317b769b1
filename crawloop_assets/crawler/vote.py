"""Readers vote: the value with the most weight behind it wins.

Agreement is the winner's share of the weight. Who contradicts counts in full; who is
silent counts half: the page has changed there or has no such place, which casts doubt
on the value but is no word against it. Where readers contradict each other, those of
one text are one voice, and the kinds of evidence are told apart (see `evidence`).
"""

import re
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from operator import itemgetter

from crawloop_assets.crawler.evidence import Heard, Kind, voices
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value, as_list

Ballot = tuple[str, float, Value]  # reader, weight, what it read (None if nothing)
SILENT = 0.5
"""What a silent reader's weight counts against the winner."""
_WEIGHT = itemgetter(1)


def decide(
    ballots: Sequence[Ballot],
    spec: FieldSpec,
    hear: Callable[[], Sequence[Heard]] | None = None,
) -> tuple[Value, FieldVote]:
    """The winning value (None if all are silent) and how the vote went.

    Ties go to the earlier reader. `hear` says what each ballot's reader has heard; it is
    called only where readers contradict each other.
    """
    groups = _groups([ballot for ballot in ballots if ballot[2] is not None], spec)
    if not groups:
        return None, FieldVote(agreement=0.0, live_readers=0, readers=len(ballots))
    if len(groups) > 1:
        return _split_vote(groups, ballots, hear)
    reader, _, value = max(groups[0], key=_WEIGHT)
    return value, FieldVote(
        agreement=round(_agreement(groups[0], ballots), 4),
        live_readers=len(groups[0]),
        readers=len(ballots),
        reader=reader,
    )


def _split_vote(
    groups: list[list[Ballot]],
    ballots: Sequence[Ballot],
    hear: Callable[[], Sequence[Heard]] | None,
) -> tuple[Value, FieldVote]:
    """The same where several values are read."""
    heard: dict[int, Heard] = {}
    if hear is not None:
        heard = dict(zip(map(id, ballots), hear(), strict=True))
    ranked = sorted(groups, key=lambda group: -_weight(voices(group, heard)))
    reader, _, value = max(ranked[0], key=_WEIGHT)
    return value, FieldVote(
        agreement=round(_agreement(ranked[0], ballots), 4),
        live_readers=sum(map(len, ranked)),
        readers=len(ballots),
        reader=reader,
        rivals=tuple(group[0][2] for group in ranked[1:]),
        against=_against(ranked, heard),
    )


def _against(
    ranked: Sequence[Sequence[Ballot]], heard: dict[int, Heard]
) -> dict[Kind, Value]:
    """The kinds of which nobody speaks for the winner: what they say instead."""
    if not heard:
        return {}
    spoken = {heard[id(ballot)].kind for ballot in ranked[0]}
    against: dict[Kind, Value] = {}
    for ballot in chain.from_iterable(ranked[1:]):
        against.setdefault(heard[id(ballot)].kind, ballot[2])
    return {kind: value for kind, value in against.items() if kind not in spoken}


def _weight(group: Sequence[Ballot]) -> float:
    """Rounded, so that weights which differ by float noise only are a tie."""
    return round(float(sum(map(_WEIGHT, group))), 9)


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
        return [list(ballots)] if _has_form(ballots[0][2], spec) else []
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
_SURE_FORMS = (  # values that match have a normal form; the others may have one
    dict.fromkeys(
        (FieldKind.TEXT, FieldKind.CHOICE, FieldKind.BOOLEAN),
        re.compile(r"[^<&a-zA-Z0-9]*+[a-zA-Z0-9][^<&]*+"),
    )
    | dict.fromkeys(
        (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES),
        re.compile(r"-?\d{1,30}(?:\.\d{1,30})?"),
    )
    | dict.fromkeys(
        (FieldKind.DATE, FieldKind.DATETIME),
        re.compile(r"[12]\d{3}-\d\d-\d\d(?:T[\d:.+-]{5,30})?"),
    )
    | {FieldKind.URL: re.compile(r"https?://[^<]+")}
)


def _has_form(value: Value, spec: FieldSpec) -> bool:
    """Whether a value, or one item of a list, has a normal form.

    For most values a pattern shows it, which is much cheaper than making the form.
    """
    surely = _SURE_FORMS.get(spec.kind, _NOTHING).fullmatch
    if any(map(surely, map(str, as_list(value)))):
        return True
    return canonical(value, spec) is not None


def _form(value: Value, spec: FieldSpec, known: dict[str, Hashable]) -> Hashable:
    """The normal form of a value; of a text it is kept in `known`."""
    if not isinstance(value, str):
        return canonical(value, spec)
    if value not in known:
        known[value] = canonical(value, spec)
    return known[value]
