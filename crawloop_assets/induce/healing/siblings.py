"""Sibling families: other families of the same site.

A redesign hits all of them, and one was healed before another.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters

_NAME = re.compile(r"[\w-]+")
_TRUST = 0.9  # less than linked data of the page itself, more than a reader nothing else speaks for


class Sibling(BaseModel):
    """What a family of the same site went through: its program `before` a redesign and
    the one `after`, of which only fields that known values have proved."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    before: Program
    after: Program


def sibling_candidates(
    siblings: Sequence[Sibling], old: FieldProgram, spec: FieldSpec
) -> list[CandidateReader]:
    """Readers of a field that siblings speak for, best first: those of their field of
    the same name, and the field's own old ones where the redesign did to them what it
    did to a sibling's."""
    found: dict[tuple[str, ...], CandidateReader] = {}
    for sibling in siblings:
        for reader in (
            *_namesakes(sibling.after, spec),
            *_renamed(sibling, old.readers),
        ):
            candidate = CandidateReader(
                reader, min(_TRUST, round(reader.weight**0.5, 4)), 1.0
            )
            if (
                reader.kin is not Kin.PATH
            ):  # positions on the pages of another family say nothing of this one's
                found.setdefault(candidate.key, candidate)
    return sorted(found.values(), key=lambda each: (-each.prior, each.key))


def _namesakes(program: Program, spec: FieldSpec) -> Iterator[Reader]:
    """The readers of the field of that name.

    Those of a listing are made to look into one row: on a whole page they
    find the first of many, and where this page has no such value another record's.
    """
    if program.record is not None:
        return
    names = {letters(name) for name in (spec.name, *spec.aliases)}
    for field in program.fields:
        if letters(field.spec.name) in names and (
            field.spec.kind,
            field.spec.shape,
        ) == (spec.kind, spec.shape):
            yield from field.readers


def _renamed(sibling: Sibling, readers: Sequence[Reader]) -> Iterator[Reader]:
    """The readers under the names that things have had since, where that changes
    them."""
    names = renames(sibling)
    for reader in readers:
        at = _NAME.sub(lambda name: names.get(name[0], name[0]), reader.at)
        if at != reader.at:
            try:
                yield Reader.model_validate(reader.model_dump() | {"at": at})
            except (
                ValidationError
            ):  # what is a name in one place may be syntax in another
                continue


def renames(sibling: Sibling) -> dict[str, str]:
    """What the redesign called things before and what it calls them now (classes, ids,
    keys, labels): where a reader of a field and its successor differ in nothing else.

    A name that became two things is left out.
    """
    found: dict[str, set[str]] = {}
    for field in sibling.after.fields:
        earlier = sibling.before.field(field.spec.name)
        for new in field.readers:
            for old in earlier.readers if earlier else ():
                if (old.src, old.get, _NAME.split(old.at)) == (
                    new.src,
                    new.get,
                    _NAME.split(new.at),
                ):
                    for before, after in zip(
                        _NAME.findall(old.at), _NAME.findall(new.at), strict=True
                    ):
                        found.setdefault(before, set()).add(after)
    return {
        name: next(iter(now))
        for name, now in sorted(found.items())
        if len(now) == 1 and name not in now
    }
