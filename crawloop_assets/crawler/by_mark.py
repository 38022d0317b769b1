"""Fields that are read by marks: words that say a flag where they stand, and whose want says
the other one. And flags with words for both sides, of which another word says neither."""

from collections.abc import Iterable, Iterator

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import ReaderTexts
from crawloop_assets.crawler.transforms import Op

_MOST_CHARS = 80


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


def neither_words(readings: Iterable[ReaderTexts]) -> str:
    """Of a flag of which nothing was read what stands where the words for both sides do, of a
    site or of everybody, and is neither of them; "" for nothing."""
    for reading in readings:
        said = {step.args[1] for step in reading.reader.pipe if step.op is Op.MAP}
        if len(said) != 1 and (texts := reading.transformed):
            return texts[0][:_MOST_CHARS]
    return ""
