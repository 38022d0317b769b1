"""Transforms that cut known texts out of longer ones: by what is before and after them,
by their form."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product, repeat
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.texts import shared_end, shared_start
from crawloop_assets.induce.listing.token_patterns import token_patterns
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.values.value import Value

_Pipe = tuple[Step, ...]

SEPARATORS = (", ", "; ", " | ", "|", " / ", " · ", " • ", ",", ";", "/", " ")
"""What lists and parts of a text are joined with."""
_MOST_PIPES = 72
_MOST_MARKS = 7
_MOST_WORDS = 3
"""Words before or after a value that are counted."""
_WORD = r"\S+"
_LONGEST = 4000
"""Characters of a text in which a value is looked for."""
_SIGNS_BEFORE, _SIGNS_AFTER = re.compile(r"^\W*"), re.compile(r"(?<!\W)\W*+$")
"""Signs that a value begins or ends with; they match any text."""
_first = itemgetter(slice(1))
_CONTEXT = 30
"""Characters beside a value that may delimit it."""


class _Cut(NamedTuple):
    """What is before, in and after a value's occurrence in a text."""

    before: str
    value: str
    after: str


def text_pipes(pairs: Sequence[tuple[str, Value]]) -> list[_Pipe]:
    """Candidate pipes for texts and the values to cut out of them, the more telling
    ones first; none if no text holds its value."""
    cuts = list(filter(None, (_cut(text, str(value)) for text, value in pairs)))
    if not cuts:
        return []
    found = [
        *_context_pipes(cuts),
        *map(_regex, token_patterns(list(map(attrgetter("value"), cuts)))),
        *map(_regex, _word_patterns(cuts)),
    ]
    return list(dict.fromkeys(found))[:_MOST_PIPES]


def is_guess(pipe: Sequence[Step]) -> bool:
    """True for a cut that nothing on the page delimits: by counting words or parts."""
    return any(map(_is_counted, pipe))


def _is_counted(step: Step) -> bool:
    """True for a step that counts parts or words: it is as good as their number is the
    same everywhere."""
    mark = str(step.args[0]) if step.args else ""
    if step.op is Op.PART:
        return mark in SEPARATORS
    return step.op is Op.REGEX and _WORD in mark


def _regex(pattern: str) -> _Pipe:
    """A pipe of one step: the match of a pattern."""
    return (Step(op=Op.REGEX, args=(pattern,)),)


def _cut(text: str, value: str) -> _Cut | None:
    """The first occurrence of the value, compared by letters and digits; None if there
    is none."""
    wanted = "".join(filter(str.isalnum, value.casefold()))
    if not wanted:
        return None
    form, indices = _letters_with_indices(text[:_LONGEST])
    found = form.find(wanted)
    if found < 0:
        return None
    start, end = indices[found], indices[found + len(wanted) - 1] + 1
    start, end = _with_signs(text, value, start, end)
    return _Cut(text[:start], text[start:end], text[end:])


def _with_signs(text: str, value: str, start: int, end: int) -> tuple[int, int]:
    """Start and end of the letters of a value in a text, moved over the signs that the
    value has around them, such as brackets or a full stop, where the text has them too."""
    for char in _SIGNS_AFTER.findall(value)[0]:
        end += text[end : end + 1] == char
    for char in reversed(_SIGNS_BEFORE.findall(value)[0]):
        start -= text[:start].endswith(char)
    return start, end


def _letters_with_indices(text: str) -> tuple[str, list[int]]:
    """The casefolded letters and digits of a text, and where in it each comes from."""
    form: list[str] = []
    indices: list[int] = []
    for index, char in enumerate(text):
        for folded in filter(str.isalnum, char.casefold()):
            form.append(folded)
            indices.append(index)
    return "".join(form), indices


def _context_pipes(cuts: Sequence[_Cut]) -> Iterator[_Pipe]:
    """Cuts at what is right before and right after the values."""
    befores = list(map(attrgetter("before"), cuts))
    afters = list(map(attrgetter("after"), cuts))
    starts, stops = _marks(befores, _before), _marks(afters, _after)
    for start, stop in product(starts, stops):
        yield from _cutters(start, stop)
    yield from _at_either(befores, _before, afters, -1)
    yield from _at_either(afters, _after, befores, 0)


def _at_either(
    contexts: Sequence[str], side: "_Side", beyond: Sequence[str], part: int
) -> Iterator[_Pipe]:
    """The cut of values that reach the edge `beyond` them, and stop at one mark here and at
    another one there ("Lund - today", "Lund, Norr - today"): at all of them."""
    found = filter(None, map(side.signs.search, contexts))
    marks = dict.fromkeys(map(itemgetter(0), found))
    if len(marks) > 1 and not any(map(str.strip, beyond)):
        yield tuple(Step(op=Op.PART, args=(mark, part)) for mark in marks)


class _Side(NamedTuple):
    """What is done differently before and after a value."""

    shared: Callable[[Sequence[str]], str]
    beyond: Callable[[str, str], str]
    """What of a context goes on behind the part that is shared, from there on."""
    nearest: Callable[[Sequence[str]], str]
    """Which of the parts of a context is next to the value."""
    near: slice
    word: re.Pattern[str]
    """The nearest word with its punctuation, or the nearest punctuation."""
    signs: re.Pattern[str]
    far: re.Pattern[str]
    """How another value ends (or begins) that a word parts from this one: "Fin." on one
    row, "Fin?" on the next."""
    torn: re.Pattern[str]
    """The far digits: ", 19" is the beginning of many years, and of no others."""
    torn_word: re.Pattern[str]
    """The far letters and digits: what two words end with by chance ("Kraków, Wola",
    "Wrocław, Psary")."""


_before = _Side(
    shared=shared_end,
    beyond=lambda context, shared: context.removesuffix(shared)[::-1],
    nearest=lambda parts: parts[-1],
    near=slice(-_CONTEXT, None),
    word=re.compile(r"(?:(?<!\w)\w++\W{0,3}|(?<![^\w\s])[^\w\s]++\s*+)$"),
    signs=re.compile(r"(?<![^\w\s])[^\w\s]++\s*+$"),
    far=re.compile(r"^[.!?…”“\"»«’‘]+\s*(?=\w)"),
    torn=re.compile(r"^\d+"),
    torn_word=re.compile(r"^\w+"),
)
_after = _Side(
    shared=shared_start,
    beyond=str.removeprefix,
    nearest=lambda parts: parts[0],
    near=slice(_CONTEXT),
    word=re.compile(r"^(?:\W{0,3}\w+|\s*[^\w\s]+)"),
    signs=re.compile(r"^\s*[^\w\s]+"),
    far=re.compile(r"(?<=\w)\s*[.!?…”“\"»«’‘]+$"),
    torn=re.compile(r"(?<!\d)\d++$"),
    torn_word=re.compile(r"(?<!\w)\w++$"),
)


def _counted_marks(contexts: Sequence[str], side: _Side) -> Counter[str]:
    """How many contexts have each mark next to the value; a single space is no mark, for
    it stands between any two words."""
    filled = list(filter(str.strip, contexts))
    counts: Counter[str] = Counter()
    for mark in _shared_marks(filled, side):
        counts[mark] += len(filled)
    for context in filled:
        counts.update(_short_marks(context, side))
    counts[""] += _times_at_edge(contexts)
    del counts[" "]
    return counts


def _marks(contexts: Sequence[str], side: _Side) -> list[str]:
    """Texts that may delimit the value on one side, those of most contexts first; "" if
    it reaches the edge."""
    counts = _counted_marks(contexts, side)
    marks = [mark for mark, count in counts.items() if count]
    marks.sort(key=lambda mark: (-counts[mark], has_digit(mark), -len(mark), mark))
    return marks[:_MOST_MARKS]


def _times_at_edge(contexts: Sequence[str]) -> int:
    """How much speaks for a value that reaches the edge of its text."""
    times = 0
    if not any(context.strip(" .,:;") for context in contexts):
        times += len(contexts)
    if not all(map(str.strip, contexts)):
        times += 1
    return times


def _shared_marks(filled: Sequence[str], side: _Side) -> list[str]:
    """What contexts share next to the value, up to the nearest digit, as numbers vary;
    then as it is, but for the number that it may be torn from."""
    if not filled:
        return []
    shared = side.shared(filled)
    beyond = "".join(map(_first, map(side.beyond, filled, repeat(shared))))
    if any(map(str.isalnum, beyond)):
        shared = side.torn_word.sub("", shared)
    near = side.torn.sub("", side.far.sub("", shared[side.near]))
    free = side.nearest(re.split(r"\d", near))
    return [free, near] if free.strip() else [near]


def _short_marks(context: str, side: _Side) -> Iterator[str]:
    """The nearest word with its punctuation, and the nearest punctuation alone."""
    for pattern in (side.word, side.signs):
        match = pattern.search(context)
        if match and match[0].strip():
            yield match[0]


def _cutters(start: str, stop: str) -> list[_Pipe]:
    """Pipes that cut between two marks, or at the one that is not empty."""
    last_part = Step(op=Op.PART, args=(start or stop, -1))
    first_part = Step(op=Op.PART, args=(stop or start, 0))
    match bool(start), bool(stop):
        case True, True:
            return [
                (Step(op=Op.BETWEEN, args=(start, stop)),),
                (last_part, first_part),
                (first_part, last_part),
            ]
        case True, False:
            return [(Step(op=Op.AFTER, args=(start,)),), (last_part,)]
        case False, True:
            return [(Step(op=Op.BEFORE, args=(stop,)),), (first_part,)]
        case _:
            return []


def _word_patterns(cuts: Sequence[_Cut]) -> Iterator[str]:
    """For values after (or before) a fixed number of words, such as a number without a
    label."""
    before = {_words(cut.before, at_end=True) for cut in cuts}
    after = {_words(cut.after, at_end=False) for cut in cuts}
    count = _only(before)
    if 1 <= count <= _MOST_WORDS:
        yield rf"{_WORD}\s+" * count + "(.+)"
    count = _only(after)
    if 1 <= count <= _MOST_WORDS:
        yield "(.+?)" + rf"\s+{_WORD}" * count + "$"


def _words(context: str, at_end: bool) -> int:
    """How many words a context has; 0 if it does not end (or begin) with a space, so
    that the value is a part of a word."""
    beside = context[-1:] if at_end else context[:1]
    return len(context.split()) * beside.isspace()


def _only(counts: Iterable[int]) -> int:
    """The one count there is; 0 if there are several."""
    distinct = list(counts)
    return distinct[0] if len(distinct) == 1 else 0
