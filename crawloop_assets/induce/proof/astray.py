"""A field that reads something else on all pages: another field's value, another count,
numbers where words were, numbers in another unit, or texts with the same words more."""

from collections.abc import Sequence
from itertools import starmap

from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.moved_on import is_elsewhere
from crawloop_assets.induce.proof.completed import have_same_added
from crawloop_assets.induce.proof.other_unit import are_in_other_unit
from crawloop_assets.induce.proof.twins import KnownAndRead, twin_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_FEWEST = 3
"""Pages on which a text is written otherwise, for that to be another thing."""


def why_astray(
    spec: FieldSpec,
    program: Program,
    records: Sequence[KnownAndRead],
    known: Sequence[tuple[Document, Value]],
    now: Sequence[Value | None],
) -> str:
    """Why all that is read of a field is something else, "" if it is not. `known` are its
    known values with their pages, `now` what is read for each."""
    twin = twin_of(spec.name, program, records)
    is_page = program.kind is FamilyKind.DETAIL
    pairs = [(value, read) for (_, value), read in zip(known, now, strict=False)]
    said = {
        f"it is read where `{twin}` stands": twin,
        "each page says a number near the known one, and another is read": is_page
        and is_elsewhere(spec, known, now),
        "numbers are read where words were, or words where numbers were": _is_of_other_form(
            spec, [(str(value), read) for value, read in pairs]
        ),
        "all texts have the same words more": have_same_added(spec, pairs),
        "numbers are so many times what they were, in another unit": are_in_other_unit(
            spec, pairs
        ),
    }
    return next(filter(said.get, said), "")


def _is_of_other_form(
    spec: FieldSpec, pairs: Sequence[tuple[str, Value | None]]
) -> bool:
    """Whether all texts of a field had a letter, and none of those that are read has, or
    the other way round; but for parts of what is known, as a code without its prefix."""
    both = [(known, str(read)) for known, read in pairs if read is not None]
    forms, parts = set(starmap(_have_letters, both)), sum(starmap(_is_part, both))
    is_text = (spec.kind, spec.shape) == (FieldKind.TEXT, Shape.ONE)
    is_other = forms in ({(True, False)}, {(False, True)})
    are_enough = len(both) >= max(_FEWEST, 1 + 2 * parts)
    return all((is_text, is_other, are_enough))


def _have_letters(known: str, read: str) -> tuple[bool, bool]:
    """Whether two texts have a letter."""
    return _has_letter(known), _has_letter(read)


def _is_part(known: str, read: str) -> bool:
    """Whether a text is within another one."""
    return letters(read) in letters(known)


def _has_letter(text: str) -> bool:
    """Whether a text has a letter."""
    return any(map(str.isalpha, text))
