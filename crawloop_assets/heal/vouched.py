"""What is known may decide as far as somebody else than a model vouches for it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from crawloop_assets.drift.values import is_filled
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store.known import KnownRow
from crawloop_assets.values.value import Value

BY_MODEL = "what a model read"
"""The oracle of a proof for which nobody else vouches."""


class Vouched(NamedTuple):
    """Records by url that may decide, and the fields of which a model's word is all
    there is."""

    known: dict[str, list[dict[str, Value]]]
    by_model: frozenset[str] = frozenset()


def vouched(known: Mapping[str, Sequence[KnownRow]]) -> Vouched:
    """The known records; of a field of which anybody else vouches for a value on some
    page, without those that a model alone vouches for: they outvote nobody."""
    records = list(chain.from_iterable(known.values()))
    sure = fields_with_values(record.vouched for record in records)
    left = {
        url: [_without_model(record, sure) for record in rows]
        for url, rows in known.items()
    }
    return Vouched(left, fields_with_values(records) - sure)


def _without_model(record: KnownRow, sure: frozenset[str]) -> dict[str, Value]:
    """A record without what a model says of fields that others vouch for."""
    dropped = record.by_model & sure
    return {name: value for name, value in record.items() if name not in dropped}


def fields_with_values(records: Iterable[Mapping[str, Value]]) -> frozenset[str]:
    """The fields of which some record has a value."""
    return frozenset(
        name for record in records for name, value in record.items() if is_filled(value)
    )


def weakly_proved(sheet: ScoreSheet, by_model: frozenset[str]) -> ScoreSheet:
    """The sheet of a proof; where a model's word is all there is of some fields, it
    alone decides nothing: the version is proved again once it has read more pages."""
    if not by_model:
        return sheet
    names = ", ".join(sorted(by_model))
    return sheet.model_copy(
        update={
            "oracle": BY_MODEL,
            "probation": True,
            "reason": f"{sheet.reason}; only a model vouches for {names}",
        }
    )
