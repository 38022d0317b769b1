"""What one run learned of a proxy, the next one knows; never for longer than a rest lasts."""

import json
import time
from pathlib import Path

import pytest

from crawloop_assets.access.rests import LONGEST_REST_S, Rest, RestBook

URL = "http://user:secret@gate.test:7000"


def test_a_failure_is_known_later_and_forgotten_once_it_works(tmp_path: Path) -> None:
    file = tmp_path / "access" / "proxies.rests"
    RestBook(file).note(URL, Rest("proxy de 1", 2, 120))
    rest = RestBook(file).of(URL)
    assert (rest.name, rest.failures) == ("proxy de 1", 2)
    assert 110 < rest.left_s <= 120
    assert RestBook(file).all()[0].name == "proxy de 1"
    assert "secret" not in file.read_text()
    RestBook(file).note(URL, Rest("proxy de 1", 0, 0))
    assert RestBook(file).of(URL) == Rest() and RestBook(file).all() == []


@pytest.mark.parametrize("text", ["", "[1]", '{"a": 1}', "{", "\x00"])
def test_a_damaged_book_says_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "proxies.rests"
    file.write_text(text)
    assert RestBook(file).of(URL) == Rest()
    RestBook(file).note(URL, Rest("proxy 1", 1, 60))
    assert RestBook(file).of(URL).failures == 1


def test_after_a_clock_set_back_no_rest_is_longer_than_the_longest(
    tmp_path: Path,
) -> None:
    file = tmp_path / "proxies.rests"
    RestBook(file).note(URL, Rest("proxy 1", 1, 60))
    ((key, (name, failures, _)),) = json.loads(file.read_text()).items()
    file.write_text(json.dumps({key: [name, failures, time.time() + 1e9]}))
    assert RestBook(file).of(URL).left_s <= LONGEST_REST_S
