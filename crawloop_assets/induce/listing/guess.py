"""The records of a page none of whose values are known: from repetition, the schema's
words and kinds, and what earlier records looked like."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import KnownRecord, candidates_for
from crawloop_assets.induce.listing.groups import Column, Group, groups
from crawloop_assets.induce.listing.learn import Scored, program_from, score_program
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.induce.listing.readers import Likeness
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

SURE = 0.5
VERY_SURE = 0.75
SURE_ALONE = 0.6
_FEWEST_FIELDS = 2
_MOST_TRIED = 3
_DATES = (FieldKind.DATE, FieldKind.DATETIME)


class ColumnGuess(NamedTuple):
    """A program for records nobody has confirmed, and how sure it is: the mean field
    score, 0..1."""

    scored: Scored
    sureness: float
    fields: Mapping[str, float]


@dataclass(frozen=True)
class Profile:
    """What the values of a field looked like on earlier pages; empty when there are
    none."""

    likeness: Likeness
    words: frozenset[str]
    shapes: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, spec: FieldSpec, values: Sequence[Value]) -> "Profile":
        """From the field's known values.

        Words are kept that at least a fifth of the values share.
        """
        texts = [value for value in values if isinstance(value, str)]
        counts = Counter(word for text in texts for word in set(_text_words(text)))
        common = {
            word for word, count in counts.items() if count >= max(2, len(texts) / 5)
        }
        shapes = Counter(_shape(text) for text in texts)
        often = {
            shape for shape, count in shapes.items() if count >= max(1, len(texts) / 10)
        }
        return cls(
            Likeness.of(spec, values),
            frozenset(common),
            frozenset(often),
            frozenset(map(_ending, texts)),
        )

    def share(self, spec: FieldSpec, texts: Sequence[str]) -> float:
        """How much texts are like the known values, 0..1."""
        if not texts:
            return 0.0
        if spec.kind is FieldKind.URL:
            return sum(_ending(text) in self.ends for text in texts) / len(texts)
        like = sum(self.likeness.holds(text) for text in texts) / len(texts)
        shaped = sum(_shape(text) in self.shapes for text in texts) / len(texts)
        spoken = (
            sum(bool(self.words & set(_text_words(text))) for text in texts)
            / len(texts)
            if self.words
            else shaped
        )
        return like * max(
            shaped if any(char.isdigit() for text in texts for char in text) else 0.0,
            spoken,
        )


def guess_listing(
    schema: RecordSchema, document: Document, known: Sequence[KnownRecord] = ()
) -> ColumnGuess | None:
    """The most likely program for a page, from the schema alone or with earlier records
    of the family.

    None if no group of elements fits at least two fields.
    """
    profiles = {
        spec.name: Profile.of(
            spec, [record[spec.name] for record in known if spec.name in record]
        )
        for spec in schema.fields
        if any(spec.name in record for record in known)
    }
    ranked = []
    for group in groups(document):
        chosen = _assign(schema, group, profiles, document.base_url)
        if len(chosen) >= min(_FEWEST_FIELDS, len(schema.fields)):
            worth = sum(score for score, _ in chosen.values()) * (
                1 + 0.1 * min(len(group.nodes), 30) ** 0.5
            )
            ranked.append((-round(worth, 6), group.nodes[0], group, chosen))
    guesses = []
    for _, _, group, chosen in sorted(ranked, key=lambda item: item[:2])[:_MOST_TRIED]:
        guess = _guess(schema, document, group, chosen)
        if guess is not None:
            guesses.append(guess)
    return max(
        guesses,
        key=lambda one: (
            one.sureness * len(one.fields) * one.scored.score,
            one.scored.found,
        ),
        default=None,
    )


def guess_on(schema: RecordSchema, documents: Sequence[Document]) -> list[Scored]:
    """The guessed program of the first page that gives a sure one with all required
    fields; empty if none does."""
    for document in documents:
        guess = guess_listing(schema, document)
        if guess is None or guess.sureness < SURE_ALONE:
            continue
        if all(spec.name in guess.fields for spec in schema.fields if spec.required):
            sure = frozenset(
                name for name, score in guess.fields.items() if score >= VERY_SURE
            )
            return [
                replace(
                    guess.scored, program=gated(guess.scored.program, sure), right=0.0
                )
            ]
    return []


def gated(program: Program, sure: frozenset[str]) -> Program:
    """The program with one reader for each unsure field, so that it never passes a gate
    that asks for two."""
    fields = (
        one
        if one.spec.name in sure
        else one.model_copy(update={"readers": one.readers[:1]})
        for one in program.fields
    )
    return program.model_copy(update={"fields": tuple(fields)})


def _guess(
    schema: RecordSchema,
    document: Document,
    group: Group,
    chosen: Mapping[str, tuple[float, Column]],
) -> ColumnGuess | None:
    records = [
        _record(schema, chosen, at, document.base_url) for at in range(len(group.rows))
    ]
    filled = [
        (row, record)
        for row, record in zip(group.rows, records, strict=True)
        if len(record) >= len(chosen) - 1
    ]
    nodes = {at: row for at, (row, _) in enumerate(filled)}
    best: Scored | None = None
    onward = next_reader(document)
    for candidate in candidates_for(document, nodes)[:2] if len(nodes) >= 2 else []:
        made: Program | None = program_from(
            schema, document, [record for _, record in filled], candidate, onward
        )
        scored = (
            score_program(made, candidate, [record for _, record in filled])
            if made
            else None
        )
        if scored and (best is None or scored.score > best.score):
            best = scored
    if best is None:
        return None
    fields = {name: round(score, 4) for name, (score, _) in chosen.items()}
    return ColumnGuess(best, round(sum(fields.values()) / len(fields), 4), fields)


def _record(
    schema: RecordSchema,
    chosen: Mapping[str, tuple[float, Column]],
    row: int,
    base_url: str,
) -> dict[str, Value]:
    found = {}
    for name, (_, column) in chosen.items():
        text = column.texts[row]
        value = parse_value(text, schema.field(name), base_url) if text else None
        if value is not None:
            found[name] = value
    return found


def _assign(
    schema: RecordSchema, group: Group, profiles: Mapping[str, Profile], base_url: str
) -> dict[str, tuple[float, Column]]:
    """A column for each field, best pairs first; no two fields share one."""
    pairs = []
    for position, spec in enumerate(schema.fields):
        if spec.shape is not Shape.ONE:
            continue
        for order, column in enumerate(group.columns):
            score = _fit(spec, column, profiles.get(spec.name), base_url, position)
            if score >= 0.25:
                pairs.append((-round(score, 6), order, position, spec.name, column))
    chosen: dict[str, tuple[float, Column]] = {}
    taken: set[tuple[str, ...]] = set()
    for score, _, _, name, column in sorted(pairs, key=lambda pair: pair[:3]):
        if name not in chosen and column.texts not in taken:
            chosen[name] = (-score, column)
            taken.add(column.texts)
    return chosen


def _fit(
    spec: FieldSpec,
    column: Column,
    profile: Profile | None,
    base_url: str,
    position: int,
) -> float:
    """How likely a column is a field's, 0..1."""
    texts = [text for text in column.texts if text]
    parsed = sum(parse_value(text, spec, base_url) is not None for text in texts) / len(
        texts
    )
    path, get = column.address
    if (
        (spec.kind is FieldKind.URL) != (get in ("@href", "@src"))
        or parsed < 0.6
        or (path == "." and get == "text" and not profile)
    ):
        return 0.0
    worded = words_of(spec).share(column.words)
    varied = len(set(texts)) / len(texts)
    brief = 1.0 if max(map(len, texts)) <= 60 else 0.8
    if profile:
        like = (
            profile.share(spec, texts)
            if spec.kind in (FieldKind.TEXT, FieldKind.URL)
            else 1.0
        )
        typed = 0.35 if spec.kind in _DATES else 0.0
        return (
            parsed
            * column.filled
            * brief
            * (0.5 * like + 0.2 * worded + 0.15 * varied + 0.15 * bool(typed))
        )
    if spec.kind in _DATES:
        return parsed * column.filled * brief * (0.6 + 0.4 * worded)
    if spec.kind is FieldKind.URL:
        return parsed * column.filled * varied * (0.5 + 0.3 * worded)
    telling = (
        0.35
        if position == 0 and varied > 0.8 and ("> a" in path or "> h" in path)
        else 0.0
    )
    return column.filled * (0.65 * worded + 0.2 * varied * bool(worded) + telling)


def _text_words(text: str) -> list[str]:
    return [
        word
        for word in "".join(
            char if char.isalnum() else " " for char in text.casefold()
        ).split()
        if not word.isdigit()
    ]


def _shape(text: str) -> str:
    """Digits, letters and the signs between them, runs as one: "20-CV-17" is
    "9-a-9"."""
    kinds = (
        "9" if char.isdigit() else "a" if char.isalpha() else char for char in text[:80]
    )
    out: list[str] = []
    for kind in kinds:
        if not out or out[-1] != kind:
            out.append(kind)
    return "".join(out)


def _ending(url: str) -> str:
    """What a link ends in: its extension, or that it has none."""
    path = url.split("?")[0].split("#")[0]
    last = path.rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[-1].casefold() if "." in last else ""
