"""Fields that a person accepted as gone."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from crawloop_assets.family import DriftPolicy
from crawloop_assets.page import Verdict
from crawloop_assets.serve.accepted import as_accepted, returned
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import (
    FrontierUrl,
    NewQuestion,
    QuestionKind,
    QuestionState,
    RedEvidence,
    Store,
)
from tests.store.conftest import family


def accepted(
    store: Store,
    name: str,
    *fields: str,
    kind: QuestionKind = QuestionKind.GONE,
    gone: tuple[str, ...] = (),
) -> None:
    asked = store.questions.ask(
        NewQuestion(
            family=name,
            kind=kind,
            fields=fields,
            sentence="gone?",
            since=datetime.now(UTC),
            evidence=RedEvidence(gone=gone),
        )
    )
    assert asked is not None
    store.questions.decide(asked, QuestionState.ACCEPTED, {"who": "ada"})


def test_nothing_more_is_expected_of_an_accepted_field(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    policy = DriftPolicy(coverage={"price": 1.0, "stock": 0.9}, gone=("maker",))
    declared = family("shop/item").model_copy(update={"drift": policy})
    assert as_accepted(declared, store) == declared
    accepted(store, "shop/item", "stock")
    drift = as_accepted(declared, store).drift
    assert (drift.gone, drift.coverage) == (("maker", "stock"), {"price": 1.0})


def test_of_what_was_accepted_as_news_only_what_no_page_shows_is_gone(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    shop = family("shop/item")
    fields = ("title", "stock")
    accepted(store, shop.family, *fields, kind=QuestionKind.NEWS, gone=("stock",))
    assert as_accepted(shop, store).drift.gone == ("stock",)
    store.questions.returned(shop.family, {"title"})
    assert as_accepted(shop, store).drift.gone == ("stock",)
    store.questions.returned(shop.family, {"stock"})
    assert as_accepted(shop, store).drift.gone == ()


def reading(**values: str) -> Reading:
    visit = Visit(FrontierUrl("http://shop.test/1", "000001"), None, Verdict.OK)
    return Reading(visit, Verdict.OK, values=(dict(values),))


def test_a_field_is_back_when_most_pages_have_it() -> None:
    pages = [reading(stock="3"), reading(stock="1"), reading(stock=""), reading()]
    assert returned(pages, ["stock"]) == frozenset()
    assert returned(pages[:3], ["stock", "maker"]) == {"stock"}
    assert returned([], ["stock"]) == frozenset()


def test_a_field_that_few_rows_of_each_page_have_is_not_back() -> None:
    page = replace(reading(), values=({"stock": "3"}, {}, {}))
    assert returned([page, page], ["stock"]) == frozenset()
    page = replace(reading(), values=({"stock": "3"}, {"stock": "4"}, {}))
    assert returned([page, page], ["stock"]) == {"stock"}
