"""Texts of rows that are what they ever were, but for words that many of them share."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.healing.added_words import without_added
from crawloop_assets.schema import FieldSpec, RecordSchema
from tests.induce.healing.fields import css, field

DOCKET = FieldSpec(name="docket")
SCHEMA = RecordSchema(name="Case", fields=(DOCKET, FieldSpec(name="judge")))
OLD = field(DOCKET, *css("td.no", "td"))
KNOWN = ("390PA11-2", "94PA13", "461A13")


def cuts(texts: Sequence[str], known: Sequence[str] = KNOWN) -> tuple[Step, ...] | None:
    """What is cut off the texts of each reader; None if nothing is."""
    made = without_added(SCHEMA, OLD, texts, known)
    if made is None:
        return None
    (pipe,) = {reader.pipe for reader in made.readers}
    assert [reader.at for reader in made.readers] == ["td.no", "td"]
    return pipe


def behind(*words: str) -> tuple[Step, ...]:
    return tuple(Step(op=Op.STRIP_SUFFIX, args=(word,)) for word in words)


def test_words_that_all_rows_share_are_cut_off() -> None:
    texts = [f"{at}A24 - Published" for at in range(300, 306)]
    assert cuts(texts) == behind(" - Published")
    before = [f"No. {at}PA24-{at % 7}" for at in range(300, 306)]
    assert cuts(before) == (Step(op=Op.STRIP_PREFIX, args=("No. ",)),)


def test_they_may_be_of_a_few_kinds() -> None:
    texts = [
        f"{at}A24 - {'Published' if at % 2 else 'Unpublished'}"
        for at in range(300, 306)
    ]
    assert cuts([*texts, "17A24"]) == behind(" - Published", " - Unpublished")
    kinds = ("Published", "Unpublished", "Withdrawn", "Sealed")
    assert cuts([f"{at}A24 - {kinds[at % 4]}" for at in range(300, 312)]) is None


def test_words_that_one_row_has_are_its_own() -> None:
    texts = [f"{at}A24 - Published" for at in range(300, 306)]
    assert cuts([*texts, "307A24 - Withdrawn"]) is None


def test_few_rows_may_share_a_word_by_chance() -> None:
    assert cuts([f"{at}A24 - Published" for at in range(300, 304)]) is None


def test_what_is_left_has_to_be_written_as_it_was() -> None:
    assert cuts([f"COA-24-{at} - Published" for at in range(300, 306)]) is None
    names = [
        f"Roe v. {name} - Published" for name in ("Lee", "Fay", "Ray", "May", "Poe")
    ]
    assert cuts(names, ("Lee v. Ray", "Fay v. May")) is None, "all names are alike"


@pytest.mark.parametrize("label", ["Judge ", "Judge: "])
def test_a_label_of_another_field_before_them_is_no_words_of_theirs(label: str) -> None:
    assert cuts([f"{label}{at}A24" for at in range(300, 306)]) is None


def test_nothing_is_cut_where_nothing_was_added() -> None:
    assert cuts([f"{at}A24" for at in range(300, 306)]) is None
