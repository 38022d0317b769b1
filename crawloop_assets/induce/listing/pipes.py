"""Transforms that turn the texts of one place into known values: cuts by context,
parts, shapes, indices."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.value import Value

Pipe = tuple[Step, ...]
Pair = tuple[str, Value]  # a text of the page, the value it should give

_MOST_PIPES = 24
_CONTEXT = 30
_SEPARATORS = (", ", "; ", " | ", "|", " / ", " · ", " • ", ",", ";", "/", " ")


def pipes(spec: FieldSpec, pairs: Sequence[Pair]) -> list[Pipe]:
    """Candidate pipes, plain ones first.

    Whether one is right, only running it tells.
    """
    if spec.shape is not Shape.ONE:
        return [
            (),
            *(
                (Step(op=Op.SPLIT, args=(sep,)),)
                for sep in _SEPARATORS
                if any(sep in text for text, _ in pairs)
            ),
        ]
    if spec.kind in (FieldKind.DATE, FieldKind.DATETIME):
        return _counted(_date_pipes(spec, pairs))
    if spec.kind in (FieldKind.NUMBER, FieldKind.INTEGER):
        return _counted(_number_pipes(spec, pairs))
    if spec.kind is FieldKind.URL:
        return [(), *_counted(_url_pipes(pairs))]
    if spec.kind in (FieldKind.TEXT, FieldKind.CHOICE):
        return [(), *_text_pipes(pairs)]
    return [()]


def _counted(found: Iterator[Pipe]) -> list[Pipe]:
    counts = Counter(found)
    return sorted(counts, key=lambda pipe: (-counts[pipe], len(pipe), str(pipe)))[
        :_MOST_PIPES
    ]


def _date_pipes(spec: FieldSpec, pairs: Sequence[Pair]) -> Iterator[Pipe]:
    for text, value in pairs:
        found = [dated.day.isoformat() for dated in dates(text[:4000], spec.date_order)]
        for index, day in enumerate(found):
            if day == str(value)[:10]:
                yield (
                    (Step(op=Op.DATE, args=(index,)),)
                    if index and spec.kind is FieldKind.DATE
                    else ()
                )
                if index == len(found) - 1 and spec.kind is FieldKind.DATE:
                    yield (Step(op=Op.DATE, args=(-1,)),)


def _number_pipes(spec: FieldSpec, pairs: Sequence[Pair]) -> Iterator[Pipe]:
    for text, value in pairs:
        for index in range(4):
            found = parse_number(text[:500], index, "")
            if found is not None and canonical(f"{found:f}", spec) == canonical(
                value, spec
            ):
                yield (Step(op=Op.NUMBER, args=(index, "")),) if index else ()


def _url_pipes(pairs: Sequence[Pair]) -> Iterator[Pipe]:
    for text, _ in pairs:
        if 'href="' in text:
            yield (Step(op=Op.BETWEEN, args=('href="', '"')),)
        for mark in "'\"":
            if text.count(mark) >= 2:
                yield (Step(op=Op.BETWEEN, args=(mark, mark)),)


def _text_pipes(pairs: Sequence[Pair]) -> list[Pipe]:
    cuts = [cut for text, value in pairs if (cut := _locate(text, str(value)))]
    if not cuts:
        return []
    found: Counter[Pipe] = Counter()
    lefts, rights = [left for left, _, _ in cuts], [right for _, _, right in cuts]
    for start in _marks(lefts, before=True):
        for stop in _marks(rights, before=False):
            for pipe in _cutters(start, stop):
                found[pipe] += 1
    ranked = [pipe for pipe in found if pipe]
    middles = [middle for _, middle, _ in cuts]
    ranked += [(Step(op=Op.REGEX, args=(pattern,)),) for pattern in _shapes(middles)]
    ranked += [*_word_pipes(cuts), *_part_pipes(cuts)]
    return list(dict.fromkeys(ranked))[: 3 * _MOST_PIPES]


def _locate(text: str, value: str) -> tuple[str, str, str] | None:
    """What stands before, in and after the value's occurrence, compared by letters and
    digits."""
    wanted = [char for char in value.casefold() if char.isalnum()]
    if not wanted:
        return None
    plain = [
        (char, at)
        for at, raw in enumerate(text[:4000])
        for char in raw.casefold()
        if char.isalnum()
    ]
    found = "".join(char for char, _ in plain).find("".join(wanted))
    if found < 0:
        return None
    start, end = plain[found][1], plain[found + len(wanted) - 1][1] + 1
    tail = re.search(r"\W*$", value)
    for char in tail[0] if tail else "":
        if text[end : end + 1] == char:
            end += 1
    head = re.match(r"\W*", value)
    for char in reversed(head[0] if head else ""):
        if start and text[start - 1] == char:
            start -= 1
    return text[:start], text[start:end], text[end:]


def _marks(contexts: Sequence[str], before: bool) -> list[str]:
    """Texts that may delimit the value on one side; "" if it reaches the edge."""
    marks: Counter[str] = Counter()
    if all(not context.strip(" .,:;") for context in contexts):
        marks[""] += len(contexts)
    filled = [context for context in contexts if context.strip()]
    if filled:
        for mark in _steady(
            shared_end(filled) if before else shared_start(filled), before
        ):
            marks[mark] += len(filled)
    for context in filled:
        for mark in _short_marks(context, before):
            marks[mark] += 1
    if any(not context.strip() for context in contexts):
        marks[""] += 1
    marks.pop(" ", None)
    ranked = sorted(
        marks,
        key=lambda mark: (-marks[mark], any(map(str.isdigit, mark)), -len(mark), mark),
    )
    return ranked[:7]


def shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    size = next(
        (
            at
            for at, pair in enumerate(zip(first, last, strict=False))
            if pair[0] != pair[1]
        ),
        None,
    )
    return first if size is None else first[:size]


def shared_end(texts: Sequence[str]) -> str:
    """What all texts end with."""
    return shared_start([text[::-1] for text in texts])[::-1]


def _steady(context: str, before: bool) -> list[str]:
    """The context next to the value up to the nearest digit, as numbers vary; then as
    it is."""
    near = context[-_CONTEXT:] if before else context[:_CONTEXT]
    parts = re.split(r"\d", near)
    free = parts[-1] if before else parts[0]
    return [free, near] if free.strip() else [near]


def _short_marks(context: str, before: bool) -> list[str]:
    """The nearest word with its punctuation, and the nearest punctuation alone."""
    if before:
        near = re.search(r"(?:\w+\W{0,3}|[^\w\s]+\s*)$", context)
        bare = re.search(r"[^\w\s]+\s*$", context)
    else:
        near = re.match(r"\W{0,3}\w+|\s*[^\w\s]+", context)
        bare = re.match(r"\s*[^\w\s]+", context)
    return [match[0] for match in (near, bare) if match and match[0].strip()]


def _cutters(start: str, stop: str) -> Iterator[Pipe]:
    if start and stop:
        yield (Step(op=Op.BETWEEN, args=(start, stop)),)
        yield (Step(op=Op.PART, args=(start, -1)), Step(op=Op.PART, args=(stop, 0)))
        yield (Step(op=Op.PART, args=(stop, 0)), Step(op=Op.PART, args=(start, -1)))
    elif start:
        yield (Step(op=Op.AFTER, args=(start,)),)
        yield (Step(op=Op.PART, args=(start, -1)),)
    elif stop:
        yield (Step(op=Op.BEFORE, args=(stop,)),)
        yield (Step(op=Op.PART, args=(stop, 0)),)


def _word_pipes(cuts: Sequence[tuple[str, str, str]]) -> list[Pipe]:
    """For values after (or before) a fixed number of words, such as a number without a
    label."""
    before = {len(left.split()) if left[-1:].isspace() else 0 for left, _, _ in cuts}
    after = {len(right.split()) if right[:1].isspace() else 0 for _, _, right in cuts}
    patterns = []
    if len(before) == 1 and 1 <= min(before) <= 3:
        patterns.append(r"\S+\s+" * min(before) + "(.+)")
    if len(after) == 1 and 1 <= min(after) <= 3:
        patterns.append("(.+?)" + r"\s+\S+" * min(after) + "$")
    return [(Step(op=Op.REGEX, args=(pattern,)),) for pattern in patterns]


def _part_pipes(cuts: Sequence[tuple[str, str, str]]) -> list[Pipe]:
    found: Counter[Pipe] = Counter()
    for left, middle, right in cuts:
        for separator in _SEPARATORS:
            if separator in middle or separator not in left + right:
                continue
            index = left.count(separator)
            found[(Step(op=Op.PART, args=(separator, index)),)] += 1
            found[
                (Step(op=Op.PART, args=(separator, -1 - right.count(separator))),)
            ] += 1
    return [
        pipe
        for pipe, count in sorted(
            found.items(), key=lambda item: (-item[1], str(item[0]))
        )
        if count > 1
    ][:8]


_TOKEN = re.compile(r"\d+|[A-Za-z]+|\s+|[^\w\s]|\w")


def _shapes(values: Sequence[str]) -> list[str]:
    """Patterns for values with digits: tokens all values share stay literal, the others
    become their class."""
    if (
        not all(any(char.isdigit() for char in value) for value in values)
        or max(map(len, values)) > 60
    ):
        return []
    split = [_TOKEN.findall(value) for value in values]
    by_kinds: dict[tuple[str, ...], list[list[str]]] = {}
    for tokens in split:
        by_kinds.setdefault(tuple(_kind(token) for token in tokens), []).append(tokens)
    tight = [_pattern(group, literal=True) for group in by_kinds.values()]
    loose = [_pattern(group, literal=False) for group in by_kinds.values()]
    counted = [
        _pattern(group, literal=False, counted=True) for group in by_kinds.values()
    ]
    found = []
    for patterns in (tight, loose, counted):
        # The longest alternative first: "12-34-cv" must not match as "12-34".
        pattern = "|".join(
            sorted(dict.fromkeys(patterns), key=lambda one: (-len(one), one))
        )
        if len(pattern) <= 190 and sum(pattern.count(mark) for mark in "*+") <= 12:
            found.append(pattern if "|" not in pattern else f"(?:{pattern})")
    found.append(r"[A-Za-z]{0,6}[ \-]?\d[\w\-:/]+")
    return list(dict.fromkeys(found))


def _kind(token: str) -> str:
    if token.isdigit():
        return "9"
    if token.isspace():
        return " "
    return "a" if token.isalpha() else token


def _pattern(
    group: Sequence[Sequence[str]], literal: bool, counted: bool = False
) -> str:
    parts = []
    for tokens in zip(*group, strict=True):
        kind = _kind(tokens[0])
        same = len(set(tokens)) == 1 and len(group) > 1
        if kind == "9":
            sizes = set(map(len, tokens))
            parts.append(
                rf"\d{{{sizes.pop()}}}"
                if counted and len(sizes) == 1 and len(group) > 1
                else r"\d+"
            )
        elif kind == " ":
            parts.append(r"\s")
        elif kind == "a":
            parts.append(tokens[0] if literal and same else "[A-Za-z]+")
        else:
            parts.append(re.escape(tokens[0]))
    return "".join(parts)
