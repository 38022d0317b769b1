"""Counts amounts that stand on their page as net of tax ("10.42 excl. tax").

Where the known amounts stand so, it is what they are called now: "net rent" for
"rent" changes no number. Nor is it a sign where a person said that they are right.
"""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.drift.changes import RecordPair, known_before
from crawloop_assets.drift.fields import NUMERIC_KINDS, single_fields
from crawloop_assets.drift.forms import net_form
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome, filled_values
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_amount
from crawloop_assets.drift.values import as_positive, is_filled
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_LEAST_TAX = 0.02
"""Share of an amount; taxes on goods begin above it."""


class _Amount(NamedTuple):
    """An amount of a page, whether it is there as net, and what was known."""

    page: int
    value: object
    is_net: bool
    known: object


def count_net_signs(
    schema: RecordSchema,
    pages: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count NET of every amount that was looked up on its page."""
    known = known_before(pairs)
    for spec in filter(is_amount, single_fields(schema, NUMERIC_KINDS)):
        amounts: list[_Amount] = []
        for at, page, record, value in filled_values(pages, spec.name):
            is_net = page.facts.holds(net_form(value)) if page.facts else None
            if is_net is not None:
                before = known.get(id(record), {}).get(spec.name)
                amounts.append(_Amount(at, value, is_net, before))
        is_said = norms.is_said_so(Sign.NET, spec.name)
        is_name = is_said or _is_their_name(spec, amounts)
        for one in amounts:
            is_sign = one.is_net and not is_name
            tallies.add(Sign.NET, spec.name, one.page, has_sign=is_sign, got=one.value)


def _is_their_name(spec: FieldSpec, amounts: Sequence[_Amount]) -> bool:
    """Whether most amounts that were known, and stand as net now, are what they were,
    or have moved by less than any tax.

    Then the page names the same thing in another way. Where it says less than before
    taxes are left out, and the amounts are others.
    """
    known = [one for one in amounts if one.is_net and is_filled(one.known)]
    return 2 * sum(_is_as_it_was(spec, one) for one in known) > len(known)


def _is_as_it_was(spec: FieldSpec, amount: _Amount) -> bool:
    """Whether an amount is the known one, but for less than any tax."""
    before, now = as_positive(amount.known), as_positive(amount.value)
    if before is None or now is None:
        return same(amount.known, amount.value, spec)
    return abs(now - before) < _LEAST_TAX * before
