"""A first version without the optional fields that its examples do not teach."""

from pathlib import Path
from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.heal.left_out import without_fields
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.heal.sample import HealSample
from tests.heal.town import GOODS, Town, good, old

KEYED = GOODS.model_copy(update={"key": ("maker",)})


def learned(tmp_path: Path, *known: dict[str, Any], family: Any = GOODS) -> Any:
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(6)]
    return town, town.learn(family, pages, known)


def said(at: int, **more: str) -> dict[str, Any]:
    return {"title": good(at)["title"], "price": good(at)["price"], **more}


def test_what_nothing_reads_of_an_optional_field_leaves_that_field_out(
    tmp_path: Path,
) -> None:
    known = [said(at, stock="many of them") for at in range(3)]
    town, made = learned(tmp_path, *known)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW, made.reason
    assert "stock is left out: the example of http://town.test/p/0 says" in made.reason
    assert "write what the page shows, or leave the field out" in made.reason
    assert made.scores.unnamed == ("stock",) and made.scores.probation
    assert made.scores.unread == () and made.scores.preview
    assert "stock is in no example" not in made.reason, "three have it"
    assert '"stock"' not in made.program
    assert town.store.active(GOODS.family) is None, "nothing is published"


def test_what_is_read_of_one_example_stays_in_doubt(tmp_path: Path) -> None:
    known = [said(at, maker=good(at)["maker"]) for at in range(3)]
    _, whole = learned(tmp_path / "a", *known)
    assert whole.outcome is RegenerationOutcome.PROMOTED
    assert "stock is in no example and read nowhere" in whole.reason
    _, made = learned(tmp_path / "b", *known, said(3, stock="none at all"))
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    assert made.scores.unnamed == ("stock",)
    assert '"maker"' in made.program


def rejected(made: Regeneration) -> bool:
    return made.outcome is RegenerationOutcome.REJECTED and made.scores is not None


def test_a_value_that_is_read_otherwise_a_required_one_and_a_key_reject(
    tmp_path: Path,
) -> None:
    right = [said(at, maker=good(at)["maker"]) for at in range(3)]
    wrong = said(3, maker="Somebody Else")
    _, made = learned(tmp_path / "a", *right, wrong)
    assert rejected(made) and [one.got != "" for one in made.scores.unread] == [True]
    _, made = learned(tmp_path / "b", *right, {"title": "No such thing", "price": "1"})
    assert rejected(made) and made.scores.unread
    nowhere = [said(at, maker=f"Nobody {at}") for at in range(3)]
    _, made = learned(tmp_path / "c", *nowhere)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    _, made = learned(tmp_path / "d", *nowhere, family=KEYED)
    assert rejected(made)


def test_a_sample_may_know_nothing_of_some_fields() -> None:
    sample = HealSample((), (Example(page=0, records=(said(0, stock="3"),)),))
    (left,) = without_fields(sample, frozenset({"stock"})).known
    assert left.records == (said(0),)
