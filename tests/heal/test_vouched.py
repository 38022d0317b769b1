"""A value that only a model vouches for outvotes nobody, and proves a version on probation only."""

import asyncio

from crawloop_assets.drift.check import CheckName
from crawloop_assets.heal.job import _drifted_sample
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.vouched import BY_MODEL, vouched, weakly_proved
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import BatchCommit, ServedBy, ServedPage
from crawloop_assets.store.known import KnownRow
from tests.heal.town import GOODS, Good, Town, good, new, old

PAGES = 6
EVERY = range(PAGES)


def record(by_model: str = "", **values: str) -> KnownRow:
    return KnownRow(values, frozenset(by_model.split()))


def test_a_model_outvotes_nobody_however_often_it_says_so() -> None:
    known = {"a": [record(title="Tea", price="1")]}
    known |= {url: [record("title price", title="X", price="2")] for url in "bcd"}
    said = vouched(known)
    assert said.known["a"] == [{"title": "Tea", "price": "1"}]
    assert [said.known[url] for url in "bcd"] == [[{}]] * 3
    assert not said.by_model


def test_of_a_field_that_nobody_else_knows_a_model_is_heard() -> None:
    known = {"a": [record("price", title="Tea", price="1")], "b": [record(title="Mi")]}
    said = vouched(known)
    assert said.known == {"a": [{"title": "Tea", "price": "1"}], "b": [{"title": "Mi"}]}
    assert said.by_model == {"price"}
    assert vouched({}) == ({}, frozenset())


def test_a_proof_by_a_model_alone_is_no_full_one() -> None:
    sheet = ScoreSheet(
        passed=True, reason="proved on 6 page(s)", oracle="known records"
    )
    assert weakly_proved(sheet, frozenset()) is sheet
    weak = weakly_proved(sheet, frozenset({"price", "title"}))
    assert (weak.probation, weak.oracle, weak.passed) == (True, BY_MODEL, True)
    assert weak.reason.endswith("only a model vouches for price, title")


def modelled(town: Town, **wrong: str) -> None:
    """The rows of all pages as a model read them."""
    served = [
        ServedPage(
            url=new(GOODS, at, good(at)).url,
            page_sha256=None,
            fetched_at=town.store.frontier(GOODS.family)[at].fetched_at,  # type: ignore[arg-type]
            version=None,
            served_by=ServedBy.MODEL,
            records=[Good.model_validate(good(at, **wrong))],
        )
        for at in EVERY
    ]
    commit = BatchCommit(
        family=GOODS, batch="000001", run_id=town._run(), served=served
    )
    town.store.commit_batch(commit)


def a_town(town: Town) -> Town:
    pages = [old(GOODS, at, good(at)) for at in EVERY]
    town.learn(GOODS, pages, [good(at) for at in range(3)])
    town.read(GOODS, pages)
    return town


def test_a_version_that_was_healed_by_a_model_alone_is_on_probation(tmp_path) -> None:
    town = a_town(Town(tmp_path))
    modelled(town, price="77.77")
    redesigned = [new(GOODS, at, good(at, price="77.77")) for at in EVERY]
    town.read(GOODS, redesigned)
    sample = _drifted_sample(GOODS, town.store)
    assert sample.by_model == {"price"}, "title and maker are what a crawler read"
    made = town.regenerate(GOODS)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    active = town.store.active(GOODS.family)
    assert active is not None and active.probation
    assert active.score_sheet["oracle"] == BY_MODEL


def test_a_crawler_is_believed_where_a_model_said_otherwise(tmp_path) -> None:
    town = a_town(Town(tmp_path))
    modelled(town, maker="Somebody else")
    name = town._run()
    server = BatchServer(GOODS, town.store, default_pool(), name, refresh=name)
    known = {url.url: url for url in town.store.frontier(GOODS.family)}
    pages = [old(GOODS, at, good(at)) for at in EVERY]
    visits = [Visit(known[page.url], page, Verdict.OK) for page in pages]
    served = asyncio.run(server.serve("000001", visits))
    assert not served.judgement.held, "a model's word holds no page"
    (check,) = [one for one in served.judgement.checks if one.name is CheckName.MODEL]
    assert not check.passed and not check.is_drift
    assert {one.field for one in check.examples} == {"maker"}
    rows = town.store.known(GOODS)
    assert {row[0]["maker"] for row in rows.values()} == {
        good(at)["maker"] for at in EVERY
    }
    assert not any(row[0].by_model for row in rows.values())
