"""Fields that are read by marks: words that say a flag where they stand, and whose want says
the other one. And flags with words for both sides, of which another word says neither."""

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import ReaderTexts
from crawloop_assets.crawler.transforms import Op, Step

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


def words_of_mark(field: FieldProgram) -> frozenset[str]:
    """The words from which the readers of a field take what they say."""
    pipes = map(attrgetter("pipe"), field.readers)
    steps = filter(_is_worded, chain.from_iterable(pipes))
    return frozenset(str(step.args[0]) for step in steps)


def _is_worded(step: Step) -> bool:
    """Whether a step says a value where there are certain words."""
    return step.op in (Op.HAS, Op.MAP)


def said_of_flag(readings: Iterable[ReaderTexts]) -> dict[str, object]:
    """What the vote on a flag says of which nothing was read: what stands where the words for
    both sides do, of a site or of everybody, and is neither of them; or that nothing does."""
    of_both = list(filter(_says_both, readings))
    texts = chain.from_iterable(map(attrgetter("transformed"), of_both))
    unknown = next(texts, "")[:_MOST_CHARS]
    return {"unknown": unknown, "silent": bool(of_both) and not unknown}


def said_of_choice(readings: Iterable[ReaderTexts]) -> dict[str, object]:
    """What the vote on a choice says of which nothing was read: the first short text that
    stands there, and names none."""
    texts = chain.from_iterable(map(attrgetter("texts"), readings))
    short = (text for text in texts if len(text) <= _MOST_CHARS)
    return {"unlisted": next(short, "")}


def _says_both(reading: ReaderTexts) -> bool:
    """Whether a reader has words for both sides of a flag, or takes those of everybody."""
    pipe = reading.reader.pipe
    said = {step.args[1] for step in pipe if step.op is Op.MAP}
    return len(said) != 1 and Op.HAS not in map(attrgetter("op"), pipe)
