"""What each version reads of the page that a question shows, beside what was known."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter, methodcaller
from typing import Any

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord
from crawloop_assets.drift.check import show
from crawloop_assets.drift.values import is_filled
from crawloop_assets.sandbox import Extracted
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion, QuestionCandidate
from crawloop_assets.values.equality import same

_SHOWN = 60  # characters of a value

_Rows = Sequence[Mapping[str, Any]]


def one_row(
    rows: _Rows, answers: Mapping[int, Extracted], keys: Sequence[FieldSpec]
) -> tuple[_Rows, Mapping[int, Extracted]]:
    """The first known row of a page that some version reads, and what each reads as
    that row; all as it is where none is read, or there is one row."""
    for row in rows if len(rows) > 1 else ():
        found = {
            version: _with_key(answer, keys, row) for version, answer in answers.items()
        }
        if any(one.extraction.records for one in found.values()):
            return [row], found
    return rows, answers


def values_of(answer: Extracted, name: str) -> list[Any]:
    """The values of a field that were read on a page."""
    return values_in(map(attrgetter("values"), answer.extraction.records), name)


def unlisted_in(answer: Extracted, name: str) -> str:
    """What a page says of a choice that is none of them; "" for nothing."""
    votes = (one.votes.get(name, NO_VOTE) for one in answer.extraction.records)
    return next(filter(None, map(attrgetter("unlisted"), votes)), "")


def values_in(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """The values that rows have of a field, without empty ones."""
    return list(filter(is_filled, map(methodcaller("get", name), rows)))


def candidates_of(
    spec: FieldSpec,
    known: _Rows,
    answers: Mapping[int, Extracted],
    versions: Sequence[CrawlerVersion],
) -> list[QuestionCandidate]:
    """What each version tried for a field, what that gave, and what was known."""
    before = values_in(known, spec.name)[:1]
    found = []
    said: list[Any] = []
    for version in versions:
        answer = answers.get(version.version)
        read = values_of(answer, spec.name)[:1] if answer else []
        said += read
        candidate = QuestionCandidate(
            tried=_tried(version, spec.name),
            field=spec.name,
            value=first_shown(map(partial(_as_said, said, spec), read)),
            known=first_shown(map(partial(_as_said, said, spec), before)),
        )
        found.append(candidate)
    return found


def _with_key(
    answer: Extracted, keys: Sequence[FieldSpec], row: Mapping[str, Any]
) -> Extracted:
    """What was read, of the records alone that have the key of a row."""
    has_key = partial(_has_same, row, keys)
    records = tuple(filter(has_key, answer.extraction.records))
    extraction = answer.extraction.model_copy(update={"records": records})
    return answer.model_copy(update={"extraction": extraction})


def _has_same(
    row: Mapping[str, Any], keys: Sequence[FieldSpec], record: ExtractedRecord
) -> bool:
    """Whether a record has the values of a row in some fields."""
    return all(
        same(record.values.get(spec.name), row.get(spec.name), spec) for spec in keys
    )


def _as_said(said: Sequence[Any], spec: FieldSpec, value: Any) -> Any:
    """A value as the first version that reads the same one writes it, so that 5.0 and 5
    are no two."""
    return next((one for one in said if same(one, value, spec)), value)


def is_among(values: Sequence[Any], spec: FieldSpec, value: Any) -> bool:
    """Whether a value is one of some, however it is written."""
    return any(same(one, value, spec) for one in values)


def first_shown(values: Iterable[object]) -> str:
    """The first of some values as people read it, cut; "" for none."""
    return next(map(as_shown, values), "")


def filled_by_address(versions: Sequence[CrawlerVersion]) -> frozenset[str]:
    """The field that is filled with the page's own address where no version reads it."""
    made = chain.from_iterable(map(attrgetter("fields"), map(as_program, versions)))
    read = map(attrgetter("spec.name"), filter(attrgetter("all_readers"), made))
    return frozenset({"url"}.difference(read))


def _tried(version: CrawlerVersion, name: str) -> str:
    """A version and the places where it looks for a field."""
    made = as_program(version).field(name)
    if made is None or not made.all_readers:
        return f"v{version.version}, which has no reader of it"
    places = ", ".join(reader.at for reader in made.all_readers)
    return f"v{version.version} at {places}"


def as_shown(value: object) -> str:
    """A value as people read it in a question, cut."""
    text = show(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
