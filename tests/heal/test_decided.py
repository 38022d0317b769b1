"""A family as people decided it: with what they taught, and as long as its page is the same."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.family import Family
from crawloop_assets.heal.decided import as_decided, as_lesson, valid_lessons
from crawloop_assets.store import NewLesson
from tests.heal.stuck import PAGES, town_of_goods
from tests.heal.town import GOODS, Town, good, new, old


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return town_of_goods(tmp_path)


def teach(town: Town, field: str, value: str, at: int = 0) -> None:
    page = old(GOODS, at, good(at))
    town.store.questions.teach(
        NewLesson(
            family=GOODS.family,
            field=field,
            value=value,
            url=page.url,
            page_sha256=page.sha256,
            who="ada",
        )
    )


def examples(town: Town, family: Family = GOODS) -> dict[str, Any]:
    decided = as_decided(family, town.store)
    return {example.url: list(example.all) for example in decided.examples}


def test_a_family_that_nobody_taught_is_as_its_file_says(town: Town) -> None:
    assert as_decided(GOODS, town.store) == GOODS


def test_what_was_taught_is_an_example(town: Town) -> None:
    teach(town, "stock", "four")
    teach(town, "maker", "Somebody", at=1)
    assert examples(town) == {
        "http://town.test/p/0": [{"stock": "four"}],
        "http://town.test/p/1": [{"maker": "Somebody"}],
    }


def test_it_outranks_what_the_file_says_of_the_same_value(town: Town) -> None:
    written = [{"url": old(GOODS, 0, good(0)).url, "record": good(0)}]
    data = GOODS.model_dump(by_alias=True) | {"examples": written}
    teach(town, "maker", "Somebody")
    (rows,) = examples(town, Family.model_validate(data)).values()
    assert rows == [good(0, maker="Somebody")]


def test_it_says_nothing_of_other_bytes(town: Town) -> None:
    teach(town, "stock", "four")
    (lesson,) = valid_lessons(GOODS, town.store)
    assert as_lesson(lesson, 3).page == 3
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    assert valid_lessons(GOODS, town.store) == []
    assert examples(town) == {}
