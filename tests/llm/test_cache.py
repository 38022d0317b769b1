"""Answers in files: whole, under what was asked, and none that does not fit."""

from pathlib import Path

from pydantic import BaseModel

from crawloop_assets.llm.cache import cached_answer, keep_answer

DIGEST = "ab" + "0" * 62


class Price(BaseModel):
    amount: float


class Name(BaseModel):
    name: str


def test_an_answer_is_found_under_its_digest_only(tmp_path: Path) -> None:
    keep_answer(tmp_path, DIGEST, Price(amount=1.5))
    assert cached_answer(tmp_path, DIGEST, Price) == Price(amount=1.5)
    assert cached_answer(tmp_path, "cd" + "0" * 62, Price) is None
    assert [file.relative_to(tmp_path) for file in tmp_path.rglob("*.*")] == [
        Path("ab", f"{DIGEST}.json")
    ]


def test_a_later_answer_replaces_the_one_before(tmp_path: Path) -> None:
    keep_answer(tmp_path, DIGEST, Price(amount=1.5))
    keep_answer(tmp_path, DIGEST, Price(amount=2))
    assert cached_answer(tmp_path, DIGEST, Price) == Price(amount=2)


def test_an_answer_of_another_kind_is_none(tmp_path: Path) -> None:
    keep_answer(tmp_path, DIGEST, Price(amount=1.5))
    assert cached_answer(tmp_path, DIGEST, Name) is None


def test_a_spoiled_file_is_no_answer(tmp_path: Path) -> None:
    keep_answer(tmp_path, DIGEST, Price(amount=1.5))
    next(tmp_path.rglob("*.json")).write_text('{"amount"')
    assert cached_answer(tmp_path, DIGEST, Price) is None


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    keep_answer(None, DIGEST, Price(amount=1.5))
    assert cached_answer(None, DIGEST, Price) is None
