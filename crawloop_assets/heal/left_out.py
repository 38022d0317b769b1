"""The proof of a first version, without the optional fields that its examples do not teach.

What examples say and nothing reads keeps back no more than the field itself: the rest is
proved without it, and waits for a person, who reads what is left out and why. A required
field, one by which records are told apart, and a value in whose place another one is read
reject the version.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.check import show
from crawloop_assets.family import Family
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.sheets import first_scores
from crawloop_assets.induce.proof.scores import ScoreSheet, UnreadExample, WhyUnread
from crawloop_assets.induce.proof.unexampled import unexampled
from crawloop_assets.serve.silent_defaults import Default
from crawloop_assets.serve.validated import Validator
from crawloop_assets.serve.versions import as_program, sheet_of
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.values.value import Value

_NAME = attrgetter("field")


def first_proof(
    prove: Callable[[Program, HealSample], ScoreSheet],
    whole: Program,
    compiled: ScoreSheet,
    sample: HealSample,
    family: Family,
) -> tuple[Program, ScoreSheet]:
    """What was compiled, with its proof; without the fields that are left out, if these are
    all that speaks against it. `compiled` is the compiler's own sheet. What no example has
    is said as well, and what records have of the model where nothing is read."""
    program, scores = _proved(prove, whole, compiled, sample, family.key)
    rows = list(chain.from_iterable(map(attrgetter("records"), sample.known)))
    lacking = unexampled(family.schema_spec(), program, rows)
    said = "; ".join((*lacking, *_of_the_model(family, program)))
    return program, scores.because(said)


def _of_the_model(family: Family, program: Program) -> Iterator[str]:
    """What to say of fields that nothing reads and for which the model has a value by itself."""
    for one in filter(Default.is_something, Validator(family).defaults):
        if not program.field(one.spec.name):
            yield f"nothing reads {one.spec.name}: every record has the model's own {show(one.value)}"


def _proved(
    prove: Callable[[Program, HealSample], ScoreSheet],
    whole: Program,
    compiled: ScoreSheet,
    sample: HealSample,
    key: Collection[str],
) -> tuple[Program, ScoreSheet]:
    """The program and its proof, the fields that tell records apart are its `key`."""
    scores = first_scores(compiled, prove(whole, sample))
    unread = frozenset(map(_NAME, scores.unread))
    needed = set(map(_NAME, filter(attrgetter("required"), scores.fields))).union(key)
    is_read_else = any(map(_is_read_else, scores.unread))
    if not unread or unread & needed or is_read_else:
        return whole, scores
    right = set(map(_NAME, filter(attrgetter("right"), scores.fields)))
    program = whole.without(unread - right)
    proof = prove(program, without_fields(sample, unread))
    rest = first_scores(compiled, proof).because(_said(scores.unread))
    doubted = tuple(dict.fromkeys((*rest.unnamed, *sorted(unread))))
    return program, rest.model_copy(update={"unnamed": doubted, "probation": True})


def lost_key(key: Collection[str], active: CrawlerVersion, proof: ScoreSheet) -> str:
    """The fields of a key that the active version has readers of, and of which a candidate
    reads nothing on any page, by its proof; "" for none. What that version's own proof
    never read is none: no page states an address that is the page's own."""
    program, sheet = as_program(active), sheet_of(active)
    never = set(map(_NAME, filterfalse(attrgetter("found"), sheet.fields)))
    unread = set(map(_NAME, filterfalse(attrgetter("found"), proof.fields)))
    lost = filter(program.field, unread.intersection(key) - never)
    return ", ".join(sorted(lost))


def without_fields(sample: HealSample, names: frozenset[str]) -> HealSample:
    """The sample with nothing known of some fields."""
    known = tuple(map(partial(_without, names), sample.known))
    return replace(sample, known=known)


def _without(names: frozenset[str], example: Example) -> Example:
    """The records of a page without some fields."""
    records = tuple(map(partial(_lacking, names), example.records))
    return example.model_copy(update={"records": records})


def _lacking(names: frozenset[str], record: Mapping[str, Value]) -> dict[str, Value]:
    """A record without some fields."""
    return {name: value for name, value in record.items() if name not in names}


def _is_read_else(one: UnreadExample) -> bool:
    """Whether an example is contradicted, or its record is not read at all."""
    return bool(one.got) or one.why is WhyUnread.NO_RECORD


def _said(unread: Iterable[UnreadExample]) -> str:
    """What is left out, in words: of each field the first value that is not read."""
    values = list(unread)[::-1]
    first = dict(zip(map(_NAME, values), values, strict=True))
    return "; ".join(map("{0.field} is left out: {0.in_words}".format, first.values()))
