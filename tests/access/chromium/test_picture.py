"""A picture of a hostile page: nothing of it runs, nothing is asked for, and Chromium is gone afterwards."""

import pytest

from crawloop_assets.access.chromium import picture
from crawloop_assets.access.chromium.launch import find_chromium, running
from crawloop_assets.access.chromium.picture import PICTURES, pictures_of
from tests.document.hostile import hostile_page
from tests.report.test_html import asked

__all__ = ["asked"]

JPEG = b"\xff\xd8\xff"


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PICTURES, raising=False)


@pytest.mark.e2e
@pytest.mark.usefixtures("wanted")
@pytest.mark.skipif(not find_chromium(), reason="there is no Chromium here")
def test_a_hostile_page_has_its_picture_taken_and_nothing_more(
    asked: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, paths = asked
    started: list[str] = []
    start = picture.Chromium.start

    async def note(*given: str) -> picture.Chromium:
        chromium = await start(*given)
        started.append(chromium._mark)
        return chromium

    monkeypatch.setattr(picture.Chromium, "start", note)
    evil = f"<meta http-equiv=refresh content='0;url={address}/moved'>"
    evil += f"<img src={address}/a.png><iframe src=file:///etc/passwd></iframe>"
    taken = pictures_of([evil + hostile_page(address), "<h1>a</h1>"])
    assert [one[:3] for one in taken] == [JPEG, JPEG]
    assert len(taken[0]) > 2 * len(taken[1]), "it is seen, and not where it leads"
    assert paths == [] and not any(map(running, started)) and started


def test_without_a_browser_or_the_wish_there_is_none(
    monkeypatch: pytest.MonkeyPatch, wanted: None
) -> None:
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", "/nowhere/chromium")
    assert pictures_of(["<p>x"]) == []
    monkeypatch.delenv("CRAWLOOP_CHROMIUM")
    monkeypatch.setenv(PICTURES, "no")
    assert pictures_of(["<p>x"]) == []
