"""What a model would be asked, and what it may cost, without a call."""

from pathlib import Path

import pytest

from crawloop_assets.llm.budget import midnight
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.dry_run import dry_questions, unread_urls
from tests.serve.market import CASES, OFFERS, opened, served, settings_of


def test_the_questions_about_pages_that_no_version_reads(tmp_path: Path) -> None:
    town, case = opened(tmp_path), CASES["known, the same values"]
    assert unread_urls(OFFERS, town.store) == []
    pages = [case.page(at) for at in (0, 1, 2)]
    nowhere = settings_of("http://127.0.0.1:1/v1", price=(1, 10), local=False)
    served(town, pages, nowhere.model_copy(update={"budget_usd": 0.0}))
    urls = unread_urls(OFFERS, town.store)
    assert urls == [page.url for page in pages]
    questions = dry_questions(OFFERS, town.store, default_pool(), nowhere, urls)
    assert [one.url for one in questions] == urls
    for one in questions:
        assert "Others bought" in one.asked.messages[1]["content"]
        expected = (one.asked.tokens_in + 10 * nowhere.max_tokens) / 1e6
        assert one.asked.usd == pytest.approx(expected)
    assert town.store.spent(OFFERS.family, midnight()).calls == 0
