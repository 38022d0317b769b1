"""Sibling families: other families of the same site.

A redesign hits all of them, and one was healed before another.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from pydantic import ValidationError

from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.induce.healing.healed import Sibling
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters

_NAME = re.compile(r"[\w-]+")


def sibling_candidates(
    siblings: Sequence[Sibling], old: FieldProgram, spec: FieldSpec
) -> list[CandidateReader]:
    """Readers of a field that siblings speak for, best first: those of their field of
    the same name, and the field's own old ones where the redesign did to them what it
    did to a sibling's."""
    found: list[CandidateReader] = []
    for sibling in siblings:
        named_alike = _namesakes(sibling.after, spec)
        for reader in (*named_alike, *_renamed(sibling, old.readers)):
            if reader.kin is Kin.PATH:
                continue  # positions on a sibling's pages say nothing of this one's
            prior = min(tuned("siblings.trust"), round(reader.weight**0.5, 4))
            found.append(CandidateReader(reader, prior, 1.0))
    return best(found)


def _namesakes(program: Program, spec: FieldSpec) -> Iterator[Reader]:
    """The readers of the field of that name.

    Those of a listing are made to look into one row: on a whole page they
    find the first of many, and where this page has no such value another record's.
    """
    if program.record is not None:
        return
    names = set(map(letters, (spec.name, *spec.aliases)))
    for field in program.fields:
        is_alike = (field.spec.kind, field.spec.shape) == (spec.kind, spec.shape)
        if is_alike and letters(field.spec.name) in names:
            yield from field.readers


def _renamed(sibling: Sibling, readers: Sequence[Reader]) -> Iterator[Reader]:
    """The readers under the names that things have had since, where that changes
    them."""
    names = renames(sibling)

    def name_now(match: re.Match[str]) -> str:
        """What a name has become; one that stayed as it is."""
        return names.get(match[0], match[0])

    for reader in readers:
        at = _NAME.sub(name_now, reader.at)
        if at == reader.at:
            continue
        try:
            yield Reader.model_validate(reader.model_dump() | {"at": at})
        except ValidationError:
            continue  # what is a name in one place may be syntax in another


def renames(sibling: Sibling) -> dict[str, str]:
    """What the redesign called things before and what it calls them now (classes, ids,
    keys, labels): where a reader of a field and its successor differ in nothing else.

    A name that became two things is left out.
    """
    names_now: dict[str, set[str]] = {}
    for old, new in _successions(sibling):
        pairs = zip(_NAME.findall(old.at), _NAME.findall(new.at), strict=True)
        for before, after in pairs:
            names_now.setdefault(before, set()).add(after)
    unambiguous = {}
    for before, now in sorted(names_now.items()):
        if len(now) == 1 and before not in now:
            (unambiguous[before],) = now
    return unambiguous


def _successions(sibling: Sibling) -> Iterator[tuple[Reader, Reader]]:
    """Readers of a field before and after that differ in nothing but names."""
    for field in sibling.after.fields:
        before = sibling.before.field(field.spec.name) or FieldProgram(spec=field.spec)
        for new, old in product(field.readers, before.readers):
            if _without_names(old) == _without_names(new):
                yield old, new


def _without_names(reader: Reader) -> tuple[Source, str, list[str]]:
    """What is left of a reader when the names in its selector are taken out."""
    return reader.src, reader.get, _NAME.split(reader.at)
