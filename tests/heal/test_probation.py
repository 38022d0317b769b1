"""A version healed from few pages, and what more stored pages make of it: confirmed, bettered or withdrawn."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.own_part import OwnPart
from crawloop_assets.family import Promotion
from crawloop_assets.heal import probation
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import AuditKind, CrawlerStatus
from tests.heal.town import GOODS, MAKERS, NAMES, Town, good, new, old

COUNT = len(NAMES)
OWN = 2
"""So many makers sell themselves: on their pages the box of the seller is the only place that names them."""


def market(at: int) -> Page:
    """The second design, with a box that says who sells the good."""
    page = new(GOODS, at, good(at))
    html = page.body.decode()
    if at < OWN:
        shown = MAKERS[at].replace("&", "&amp;")
        html = html.replace(f"<div>Maker: <i class='q5'>{shown}</i></div>", "")
    seller = MAKERS[at].replace("&", "&amp;") if at < OWN else "Town market"
    box = f"<p>Maker and seller: <b class='maker-box'>{seller}</b></p></section>"
    return Page(
        url=page.url,
        body=html.replace("</section>", box).encode(),
        headers=page.headers,
    )


def healed_from(folder: Path, pages: list[Page]) -> Town:
    """All goods published in the first design; then these few redesigned pages came, and a version was made of them."""
    town = Town(folder)
    before = [old(GOODS, at, good(at)) for at in range(COUNT)]
    assert (
        town.learn(GOODS, before[:3], [good(at) for at in range(3)]).outcome
        is RegenerationOutcome.PROMOTED
    )
    town.read(GOODS, before)
    town.read(GOODS, pages)
    assert town.regenerate(GOODS).outcome is RegenerationOutcome.PROMOTED
    active = town.store.active(GOODS.family)
    assert active is not None and (active.version, active.probation) == (2, True)
    town.read(GOODS, pages)
    return town


def statuses(town: Town) -> list[CrawlerStatus]:
    return [version.status for version in town.store.crawlers(GOODS.family)]


def makers(town: Town) -> list[str | None]:
    return [row.get("maker") for _, row in sorted(town.published(GOODS).items())]


def test_a_field_that_more_pages_contradict_is_taken_back_and_learned_again(
    tmp_path: Path,
) -> None:
    pages = [market(at) for at in range(COUNT)]
    town = healed_from(tmp_path, pages[:OWN])
    for page in pages[OWN:]:
        assert town.read(GOODS, [page]).verdicts == {Verdict.OK: 1}
    wrong = makers(town).count("Town market")
    assert 0 < wrong < COUNT - OWN, "short names stand on any page"

    ended = town.regenerate(GOODS, wave=None)
    assert (ended.outcome, ended.version, ended.previous) == (
        RegenerationOutcome.PROMOTED,
        3,
        2,
    )
    assert "maker" in ended.reason
    assert statuses(town) == [
        CrawlerStatus.RETIRED,
        CrawlerStatus.REJECTED,
        CrawlerStatus.ACTIVE,
    ]
    assert makers(town) == list(MAKERS), "what was known before stands again"
    rows = town.store.explain(GOODS, pages[4].url)
    assert rows[0].stale_since is not None and rows[0].served_by == "last_good"
    (event,) = town.store.audits(GOODS.family, AuditKind.CRAWLER_WITHDRAWN)
    assert (event.detail["version"], event.detail["batches"]) == (2, ["000001"])

    town.read(GOODS, pages)
    assert makers(town) == list(MAKERS), "what is not read any more stands as known"
    assert town.store.explain(GOODS, pages[4].url)[0].stale_since is None
    active = town.store.active(GOODS.family)
    assert active is not None and not active.probation


def test_a_field_that_one_page_left_open_is_learned_once_others_show_it(
    tmp_path: Path,
) -> None:
    changed = new(GOODS, 0, good(0, maker="Somebody else"))
    town = healed_from(tmp_path, [changed])
    for at in range(1, 5):
        town.read(GOODS, [new(GOODS, at, good(at))])
    assert makers(town)[:5] == list(MAKERS[:5]), "no guess, and what is known stands"
    ended = town.regenerate(GOODS, wave=None)
    assert ended.outcome is RegenerationOutcome.PROMOTED
    assert "maker" in ended.diff
    assert statuses(town)[1:] == [CrawlerStatus.RETIRED, CrawlerStatus.ACTIVE], (
        "it read nothing wrong: it may serve on"
    )
    assert not town.store.audits(GOODS.family, AuditKind.CRAWLER_WITHDRAWN)
    town.read(GOODS, [changed, *(new(GOODS, at, good(at)) for at in range(1, COUNT))])
    assert makers(town) == ["Somebody else", *MAKERS[1:]]


def test_what_is_learned_again_without_other_records_is_read_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = healed_from(tmp_path, [new(GOODS, 0, good(0, maker="Somebody else"))])
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(1, 5)])
    part, relearned = (
        OwnPart(at="section", own="section"),
        probation.Probation._relearned,
    )

    def apart(*given: Any) -> Any:
        found = relearned(*given)
        program = found.program.model_copy(update={"part": part})
        return replace(found, program=program)

    monkeypatch.setattr(probation.Probation, "_relearned", apart)
    ended = town.regenerate(GOODS, wave=None)
    assert ended.outcome is RegenerationOutcome.PROMOTED and "maker" in ended.diff
    active = town.store.active(GOODS.family)
    assert active is not None and as_program(active).part == part


def test_a_version_that_more_pages_confirm_is_no_longer_on_probation(
    tmp_path: Path,
) -> None:
    pages = [new(GOODS, at, good(at)) for at in range(COUNT)]
    town = healed_from(tmp_path, pages[:2])
    assert (
        town.regenerate(GOODS, wave=None).outcome is RegenerationOutcome.NOTHING_TO_DO
    ), "no more pages than it was proved on"
    town.read(GOODS, pages)
    before = town.store.crawlers(GOODS.family)
    ended = town.regenerate(GOODS, wave=None)
    active = town.store.active(GOODS.family)
    assert active is not None and not active.probation
    assert (ended.outcome, [one.sha256 for one in before]) == (
        RegenerationOutcome.CONFIRMED,
        [one.sha256 for one in town.store.crawlers(GOODS.family)],
    )
    assert (
        town.regenerate(GOODS, wave=None).outcome is RegenerationOutcome.NOTHING_TO_DO
    )


def listed(at: int) -> Page:
    """Where the price stands there is a deposit, which on the first page is as high; nothing names the price."""
    page = new(GOODS, at, good(at))
    shown, deposit = f"${good(at)['price']}", "$3.50"
    html = page.body.decode().replace(
        f"Price: <i class='q5'>{shown}", f"<i class='price-tag'>{deposit}"
    )
    if at:
        html = html.replace(
            "</section>", f"<p>Or take it for {shown} or so</p></section>"
        )
    return Page(url=page.url, body=html.encode(), headers=page.headers)


def test_of_what_always_moves_a_known_value_on_the_page_withdraws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = healed_from(tmp_path, [listed(0)])
    for at in range(1, 5):
        town.read(GOODS, [listed(at)])
    monkeypatch.setattr(probation, "always_moving", lambda *_: ["price"])
    ended = town.regenerate(GOODS, wave=None)
    assert ended.outcome is not RegenerationOutcome.WITHDRAWN
    assert statuses(town)[0] is CrawlerStatus.RETIRED, (
        "yesterday's price may stand there"
    )


def test_a_version_whose_required_field_is_contradicted_is_withdrawn_as_a_whole(
    tmp_path: Path,
) -> None:
    town = healed_from(tmp_path, [listed(0)])
    for at in range(1, 5):
        town.read(GOODS, [listed(at)])
    ended = town.regenerate(GOODS, wave=None)
    assert (ended.outcome, ended.version, ended.previous) == (
        RegenerationOutcome.WITHDRAWN,
        1,
        2,
    )
    assert statuses(town) == [CrawlerStatus.ACTIVE, CrawlerStatus.REJECTED]
    prices = {url: row["price"] for url, row in town.published(GOODS).items()}
    assert all(prices[listed(at).url] == f"{at + 3}.5" for at in range(COUNT))
    assert town.read(GOODS, [listed(at) for at in range(5)]).verdicts == {
        Verdict.DRIFT: 5
    }, "a new wave, with all pages"


def test_where_a_person_promotes_a_wrong_version_is_taken_back_and_the_better_one_waits(
    tmp_path: Path,
) -> None:
    pages = [market(at) for at in range(COUNT)]
    town = healed_from(tmp_path, pages[:OWN])
    for page in pages[OWN:]:
        town.read(GOODS, [page])
    reviewed = GOODS.model_copy(
        update={"heal": GOODS.heal.model_copy(update={"promotion": Promotion.REVIEW})}
    )
    assert (
        town.regenerate(reviewed, wave=None).outcome
        is RegenerationOutcome.AWAITING_REVIEW
    )
    assert statuses(town) == [
        CrawlerStatus.ACTIVE,
        CrawlerStatus.REJECTED,
        CrawlerStatus.AWAITING_REVIEW,
    ]
    assert makers(town) == list(MAKERS)
