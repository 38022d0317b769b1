"""The past by which batches are judged, with a real store."""

import asyncio
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, Spread
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.serve.history import History, of_refresh
from crawloop_assets.store import AuditKind, ByWhom, NewCrawler, NewLesson, Store
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.past import BatchPast
from tests.serve.readings import judgement_of
from tests.serve.test_batch import FAMILY, PAGES, add_version, page, server, visits


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


def norms(store: Store, run: str, refresh: str = "") -> list[BatchStats]:
    """What a run judges the first batch by."""
    history = History(store, FAMILY, run, refresh)
    return history.before(history.of_batch("000001").refresh)


def test_a_judgement_names_its_refresh() -> None:
    assert of_refresh(judgement_of(), "r1").stats.refresh == "r1"


def test_a_batch_of_a_run_is_judged_like_its_first(store: Store) -> None:
    add_version(store)
    made = server(store, "run-1", refresh="run-1")
    good = visits(store, [page(number) for number in range(PAGES)])
    for _ in range(3):
        served = asyncio.run(made.serve("000001", good))
        assert served.judgement.stats.refresh == "run-1"
        assert made.history.before("run-1") == []
    assert norms(store, "run-1", "run-1") == []
    assert [stats.pages for stats in norms(store, "run-2", "run-2")] == [PAGES]


def test_a_run_looks_once_at_what_it_knows_of_a_batch(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_version(store)
    history = server(store, "run-1", refresh="run-1").history
    look, looks = store._database._opened_to_read, []

    def counted() -> AbstractContextManager[Connection]:
        looks.append(1)
        return look()

    monkeypatch.setattr(store._database, "_opened_to_read", counted)
    assert history.before(history.of_batch("000001").refresh) == []
    assert len(looks) == 1


def test_a_replay_knows_no_more_than_the_run_it_repeats(store: Store) -> None:
    add_version(store)
    good = visits(store, [page(number) for number in range(PAGES)])
    first = server(store, "run-1", refresh="run-1")
    asyncio.run(first.serve("000001", good))
    assert norms(store, "replay") == []
    replay = server(store, "replay")
    served = asyncio.run(replay.serve("000001", good))
    assert served.judgement.stats.refresh == "run-1"
    assert len(norms(store, "run-2", "run-2")) == 1


def test_a_batch_that_was_never_served_is_a_refresh_of_its_own(store: Store) -> None:
    assert History(store, FAMILY, "replay").of_batch("000001").refresh == "replay"


def test_a_version_begins_with_the_past_of_its_proof(store: Store) -> None:
    """Also the first one, whoever promoted it; one that was rejected teaches nothing."""
    sheet = ScoreSheet(traits={"words:price": {"#": 9}})
    for number in (1, 2):
        new = NewCrawler(
            family=FAMILY.family,
            body=f"{{{number}}}",
            score_sheet=sheet.model_dump(mode="json"),
        )
        assert store.add_crawler(new) == number
    assert norms(store, "run-1", "run-1") == [], "neither was promoted"
    store.promote(FAMILY.family, 1, why="a test")
    (proof,) = norms(store, "run-1", "run-1")
    assert (proof.version, proof.is_proof) == (1, True)
    assert proof.categories == sheet.traits
    by = ByWhom("Ada", "looked at it")
    store.reviews.promote(FAMILY.family, 2, by)
    assert [one.version for one in norms(store, "run-2", "run-2")] == [2, 1]
    store.reject(FAMILY.family, 1, "it was wrong")
    assert [one.version for one in norms(store, "run-2", "run-2")] == [2]


def test_the_past_of_a_proof_says_what_a_person_had_taught(store: Store) -> None:
    """By then: what was taught later, or was not enough, is of no version before."""
    sheet = ScoreSheet(traits={"words:price": {"net #": 9}})
    for number in (1, 2, 3):
        new = NewCrawler(
            family=FAMILY.family,
            body=f"{{{number}}}",
            score_sheet=sheet.model_dump(mode="json"),
        )
        store.add_crawler(new)
    for field, version in (("price", 2), ("name", 3), ("stock", None)):
        said = NewLesson(
            family=FAMILY.family,
            field=field,
            value="9",
            url="u",
            page_sha256="s",
            who="x",
        )
        lesson = store.questions.teach(said)
        if version:
            store.questions.learned([lesson], version)
    for version, taught in ((1, set()), (2, {"price"}), (3, {"price", "name"})):
        store.promote(FAMILY.family, version, why="a test")
        active, *_ = norms(store, f"run-{version}", f"run-{version}")
        assert (active.version, active.released) == (version, taught)
        assert active.rates.get("net:price") == ((9, 9) if "price" in taught else None)


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        (FamilyKind.LISTING, [{"price"}, {"name", "price"}]),
        (FamilyKind.DETAIL, [{"name", "price"}, {"name", "price"}]),
    ],
)
def test_how_long_texts_were_is_no_witness_against_what_a_person_shows_of_a_list(
    store: Store, kind: FamilyKind, left: list[set[str]]
) -> None:
    for version in (1, 2):
        body = f"{{{version}}}"
        store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    said = NewLesson(
        family=FAMILY.family, field="name", value="A", url="u", page_sha256="s", who="x"
    )
    store.questions.learned([store.questions.teach(said)], 2)
    sizes = {one: Spread(seen=9, deciles=(1.0,) * 11) for one in ("name", "price")}
    history = History(store, FAMILY.model_copy(update={"kind": kind}), "run")
    past = [BatchStats(version=one, lengths=sizes, numbers=sizes) for one in (1, 2)]
    seen = list(map(history.without_taught, past))
    assert [set(one.lengths) for one in seen] == left
    assert [set(one.numbers) for one in seen] == left


def test_what_a_person_said_of_the_evidence_is_so_of_the_version_it_was_said_of(
    store: Store,
) -> None:
    add_version(store)
    said = {
        "ahead": "shown",
        "version": 1,
        "late": {"price": 2, "stock": 0},
        "pages": 9,
    }
    with store._database.write() as connection:
        write_audit(connection, AuditKind.QUESTION_TAUGHT, FAMILY.family, None, said)
    history = History(store, FAMILY, "run-1", active=1)
    assert history.answered == {"price": Kind.SHOWN, "stock": Kind.SHOWN}
    (stats,) = history.before("run-1")
    assert stats.rates == {"late:price": (2, 9), "late:stock": (0, 9)}
    past = BatchPast(
        said={"u": ({"price": "1"},)}, against={"u": ({"price": {"shown": "2"}},)}
    )
    fresher = history.fresher(Norms([], version=1), past)
    assert fresher.kinds == history.answered
    assert fresher.said == {"u": ({"price": "1"}, {"price": "2"})}
    assert History(store, FAMILY, "run-1", active=2).answered == {}
