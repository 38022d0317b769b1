"""What stands before and behind a value in its text, as steps that cut it off."""

import re
from collections.abc import Iterator
from itertools import compress

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.values.numbers import NO_SPACES

Cuts = tuple[Step, ...]
_LONGEST_AFFIX = 45
_SIDE_BY_SIDE = re.compile(rf"[{NO_SPACES}]{{2}}")


def affixes(text: str, value: str) -> Iterator[Cuts]:
    """What is before and after a value in a text, as steps that cut it off; at most 45
    characters, whole words.

    "By Ada" is "Ada" without the prefix "By ".
    """
    start = text.casefold().find(value.casefold())
    if not value or start < 0:
        return
    if len(text) - len(value) > _LONGEST_AFFIX:
        return
    before, after = text[:start], text[start + len(value) :]
    if _is_inside_word(before, value) or _is_inside_word(value, after):
        return
    if any(map(str.isdigit, before + after)):
        return  # a number beside the value is this page's own
    yield _cuts(before.lstrip(), after.rstrip())


def _cuts(prefix: str, suffix: str) -> Cuts:
    """The steps that cut off what is not empty; a label has to be there."""
    label = prefix.rstrip()
    first = Step(op=Op.STRIP_PREFIX, args=(prefix,))
    if label.endswith((":", "：")):
        first = Step(op=Op.AFTER, args=(label,))
    last = Step(op=Op.STRIP_SUFFIX, args=(suffix,))
    return tuple(compress((first, last), (prefix, suffix)))


def _is_inside_word(left: str, right: str) -> bool:
    """True if a cut between two texts goes through a word, in a script that parts words."""
    sides = left[-1:], right[:1]
    return all(map(str.isalnum, sides)) and not _SIDE_BY_SIDE.match("".join(sides))
