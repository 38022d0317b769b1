"""The command that runs the code of a crawler on pages from standard input."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.sandbox.__main__ import run_code_file
from tests.sandbox.code.attacks import source_of

PAGES = [{"html": "<h1>A</h1>", "url": "http://a.test/1"}]


def printed(
    body: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> dict[str, Any]:
    file = folder / "crawler.txt"
    file.write_text(source_of(body))
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(PAGES)))
    code = run_code_file(["--code", str(file)])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (code == 0) is (said["status"] == "ok")
    return said


def test_it_prints_the_rows_of_each_page_and_what_held_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    body = "from parsel import Selector\nreturn [{'t': Selector(text=html).css('h1::text').get()}]"
    said = printed(body, tmp_path, monkeypatch, capsys)
    assert said["pages"] == [[{"t": "A"}]]
    assert said["status"] == "ok"
    assert said["containment"].startswith("seccomp")


def test_it_says_how_else_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for body, status in (("import os", "refused"), ("1 / 0", "error")):
        said = printed(body, tmp_path, monkeypatch, capsys)
        assert said["status"] == status
        assert said["pages"] == [[]]
        assert said["reason"]


@pytest.mark.parametrize("given", ["{", "[1]", '[{"url": "http://a.test/"}]', ""])
def test_what_is_no_list_of_pages_is_one_sentence(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    file = tmp_path / "crawler.txt"
    file.write_text(source_of("return []"))
    monkeypatch.setattr("sys.stdin", io.StringIO(given))
    with pytest.raises(SystemExit) as ended:
        run_code_file(["--code", str(file)])
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err
