"""Healing a listing: the old program where it still works, the last known records where
they are still on the page, field by field where only some broke, the old readers in rows
elsewhere, and else what those records looked like."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.asked_less import asking_less
from crawloop_assets.induce.healing.borne_out import borne_out
from crawloop_assets.induce.healing.broken_fields import BrokenFields
from crawloop_assets.induce.healing.found_again import found_again
from crawloop_assets.induce.healing.learned_anew import learned_anew
from crawloop_assets.induce.healing.moved_rows import carried_rows, moved_rows
from crawloop_assets.induce.healing.rows import (
    alive_fields,
    all_records,
    asking_for,
    field_names,
    filled_anywhere,
)
from crawloop_assets.induce.healing.still_shown import without_moved
from crawloop_assets.induce.listing.guess import gated, guess_listing
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.proof.worded import with_worded_numbers
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema

_MOST_KNOWN = 48


class HealedListing(NamedTuple):
    """The program for the changed pages (None: nothing has to change, or nothing better
    can be vouched for), why, the fields that are vouched for, those of them that the
    old program still reads, and whether its rows bear each other out."""

    program: Program | None
    reason: str
    fields: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    borne_out: bool = False


def heal_listing(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedListing:
    """Heal a listing program on pages it drifted on.

    `known` are last known records by page; few may be left.
    """
    known = [
        Example(
            page=example.page,
            records=tuple(spread_sample(example.records, _MOST_KNOWN)),
        )
        for example in known
    ]
    records = all_records(known)
    if not records or not documents:
        return HealedListing(None, "no record of these pages is known")
    filled = filled_anywhere(program, documents)
    loose = asking_for(program, filled)
    alive = alive_fields(loose, documents, records)
    if alive == field_names(program):
        return _still_found(schema, program, documents, known)
    carried = carried_rows(program, documents, known)
    if carried is not None:
        every = field_names(carried)
        return HealedListing(carried, "its rows, in another place", every, every)
    whole, known = known, without_moved(schema, documents, known)
    are_lost = 2 * len(alive) < len(program.fields)
    again = found_again(schema, documents, known, are_lost=are_lost)
    if again is not None:
        found = field_names(again) - _moved_numbers(again, all_records(known), records)
        wanted = _with_unfound(again, program, found)
        again = BrokenFields(schema, wanted, documents, known, whole, found).counted()
        again = with_worded_numbers(schema, again, documents, whole)
        sure = alive_fields(again, documents, records)
        reason = "last known records found again"
        return HealedListing(gated(again, sure), reason, sure)
    if are_lost:
        moved = moved_rows(program, documents, records)
        if moved is not None:
            every = field_names(moved)
            return HealedListing(moved, "its rows, elsewhere on the page", every, every)
        return _guessed(schema, program, documents, records)
    healed, sure = BrokenFields(schema, loose, documents, known, whole, alive).heal()
    other = _guessed(schema, program, documents, records)
    if other.borne_out:
        return other
    if healed.fields == loose.fields:
        reason = "the records are found, some fields are not"
        return HealedListing(None, reason, alive, alive)
    reason = "the records are found, some fields by other readers"
    restored = _restored(healed, program, filled | sure)
    return HealedListing(restored, reason, sure, alive)


def _still_found(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedListing:
    """The program of which every field is still read, with those that it did not read, else
    with rows that it left out; none if it lacks nothing."""
    alive = field_names(program)
    learned = learned_anew(schema, program, documents, known)
    if learned is not None:
        reason = "its records are still found, and what it did not read of them"
        return HealedListing(learned, reason, field_names(learned), alive)
    less = asking_less(program, documents, known)
    reason = "rows that lack a field are" if less else "its records are still found"
    return HealedListing(less, reason, alive, alive)


def _moved_numbers(
    again: Program, left: Sequence[RecordValues], whole: Sequence[RecordValues]
) -> frozenset[str]:
    """The numbers of which most known ones are on no page any more: what reads the few
    that are left may do so by chance."""
    moving = {field.spec.name for field in again.fields if may_move(field.spec)}
    known = Counter(chain.from_iterable(whole))
    still = Counter(chain.from_iterable(left))
    return frozenset(name for name in moving if 2 * still[name] < known[name])


def _with_unfound(again: Program, program: Program, found: frozenset[str]) -> Program:
    """The program of records that were found again, with the fields of which no known
    value was, as numbers that have moved on in all rows."""
    fields = [field for field in again.fields if field.spec.name in found]
    unfound = [field for field in program.fields if field.spec.name not in found]
    return again.model_copy(update={"fields": (*fields, *unfound)})


def _restored(healed: Program, program: Program, names: frozenset[str]) -> Program:
    """The healed program that asks again for what it can read of all that the old one
    asked for."""
    return asking_for(healed.model_copy(update={"record": program.record}), names)


def _guessed(
    schema: RecordSchema,
    old: Program,
    documents: Sequence[Document],
    records: Sequence[RecordValues],
) -> HealedListing:
    """The program of what looks like the known records on the first page."""
    guess = guess_listing(schema, documents[0], records)
    if guess is None or guess.sureness < tuned("guess.sure"):
        return HealedListing(None, "no repetition looks like the known records")
    missing = []
    for spec in schema.fields:
        if spec.required and spec.name not in guess.fields:
            missing.append(spec.name)
    if missing:
        return HealedListing(None, f"nothing looks like {', '.join(missing)}")
    made = borne_out(schema, old, guess, documents, records)
    if made is not None:
        reason = "rows that bear each other out as the known ones did"
        return HealedListing(made, reason, field_names(made), borne_out=True)
    program = gated(guess.scored.program, guess.very_sure)
    return HealedListing(program, "rows like the known records", guess.very_sure)
