"""Fields that are read by marks: words that say a flag where they stand, and whose want says
the other one."""

from collections.abc import Iterator

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.transforms import Op


def flag_of_mark(field: FieldProgram) -> bool | None:
    """The flag that the mark of a field says; None for a field with readers of another
    kind."""
    said = set(_flags(field))
    return said.pop() if len(said) == 1 else None


def _flags(field: FieldProgram) -> Iterator[bool | None]:
    """What the mark of each reader of a field says; None for a reader of another kind."""
    for reader in field.readers:
        steps = [step for step in reader.pipe if step.op is Op.HAS]
        yield bool(steps[0].args[1]) if steps else None
