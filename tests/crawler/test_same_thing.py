"""A property that linked data states of the thing whose known values it states."""

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.same_thing import is_of_known_thing
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

NAMES = ("title", "cook", "text", "mood")
DISH = RecordSchema(
    name="Dish",
    fields=tuple(FieldSpec(name=name, volatile=name == "mood") for name in NAMES),
)
KNOWN: dict[str, Value] = {
    "title": "Leek Broth",
    "cook": "Ada Marsh",
    "text": "Warm.",
    "mood": "calm",
}


def record(at: dict[str, str], **changes: Value) -> ExtractedRecord:
    """The known broth with another text, each field read at its own place."""
    votes = {
        name: FieldVote(agreement=1.0, live_readers=1, readers=1, reader=place)
        for name, place in at.items()
    }
    values = {name: KNOWN[name] for name in at} | {"text": "Hot."} | changes
    return ExtractedRecord(values=values, votes=votes)


META = {
    "title": 'meta[name="og:title"]',
    "text": 'meta[name="description"]',
    "cook": 'meta[name="author"]',
}
STATED = {"title": "ld:Recipe.name", "text": 'ld:Recipe["text"]', "cook": "ld:Recipe.a"}


@pytest.mark.parametrize(
    ("read", "known"),
    [
        (record(STATED), True),
        (record(STATED | {"text": ".text"}), False),
        (record(STATED | {"text": "ld:Review.text"}), False),
        (record(STATED | {"cook": ".cook"}), False),
        (record(STATED, title="Pie"), False),
        (record(STATED | {"cook": ".cook", "mood": "ld:Recipe.mood"}), False),
        (record(STATED, title="Ada Marsh"), False),
        (record({}), False),
        (record(META), True),
        (record(META | {"cook": STATED["cook"]}), False),
        (record(META | {"title": 'meta[name="og:title"] a'}), False),
    ],
)
def test_two_known_values_tell_the_thing(read: ExtractedRecord, known: bool) -> None:
    assert is_of_known_thing(read, KNOWN, "text", DISH) is known


def test_what_the_page_shows_otherwise_is_contradicted() -> None:
    read = record(STATED)
    vote = read.votes["text"]
    for change in ({"rivals": ("Cold.",)}, {"against": {Kind.SHOWN: "Cold."}}):
        votes = read.votes | {"text": vote.model_copy(update=change)}
        told = read.model_copy(update={"votes": votes})
        assert not is_of_known_thing(told, KNOWN, "text", DISH)
