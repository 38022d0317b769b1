"""What one version of a program does otherwise than another, in words."""

from collections.abc import Iterator
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.readable import boundary_line, reader_line


def program_changes(old: Program | None, new: Program) -> Iterator[str]:
    """A sentence for every difference, field by field; what is read as before comes
    last, in one."""
    if old is None:
        yield f"It is the first version; it reads {', '.join(_names(new))}."
        return
    yield from _where_records_are(old, new)
    same: list[str] = []
    for field in new.fields:
        name = field.spec.name
        said = list(_field_changes(old.field(name), field))
        yield from said
        if not said:
            same.append(name)
    for name in sorted(set(_names(old)).difference(_names(new))):
        yield f"{name} is read no longer."
    if same:
        yield f"Read as before: {', '.join(same)}."


def _names(program: Program) -> list[str]:
    """The names of the fields that a program reads."""
    return list(map(attrgetter("spec.name"), program.fields))


def _where_records_are(old: Program, new: Program) -> Iterator[str]:
    """How the records of a page are told apart."""
    before, after = (
        boundary_line(one.record) if one.record else "the page itself"
        for one in (old, new)
    )
    if before != after:
        yield f"Records are {after}; they were {before}."


def _field_changes(old: FieldProgram | None, new: FieldProgram) -> Iterator[str]:
    """Which readers of a field are new, and which are gone."""
    name = new.spec.name
    if old is None:
        yield f"{name} is new, with {len(new.all_readers)} reader(s)."
        return
    before, after = _places(old), _places(new)
    gained, lost = after - before, before - after
    if not gained and not lost:
        return
    stay = len(after & before)
    yield f"{name}: {len(gained)} reader(s) new, {len(lost)} gone, {stay} stay."
    for place in sorted(gained):
        yield f"    + {place}"
    for place in sorted(lost):
        yield f"    - {place}"


def _places(field: FieldProgram) -> set[str]:
    """The readers of a field, without their weight."""
    return {reader_line(one).rpartition("  [")[0] for one in field.all_readers}
