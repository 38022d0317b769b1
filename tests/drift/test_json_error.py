"""JSON that says nothing but that something went wrong, in any language."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.page import Page

ERRORS = [
    '{"error": "rate limited"}',
    '{"message": "Zqy blim"}',
    '{"success": false, "error": {"code": "zqy", "info": "blim"}}',
    '{"errors": [{"message": "zqy", "extensions": {"code": "BLIM"}}], "data": null}',
    '{"timestamp": "2025-03-02", "status": 500, "error": "Zqy", "path": "/v1"}',
    '{"code": 1001, "msg": "请求过于频繁", "data": null}',
    '{"ok": false}',
    '{"error": "maintenance", "retry": true}',
]
RECORDS = [
    "[]",
    "{}",
    '{"error": null, "items": [{"id": 1}], "message": "OK"}',
    '{"sku": "K1", "title": "Forbidden", "detail": "Unauthorized biography"}',
    '{"status": "ok", "message": "success", "data": null}',
    '{"title": "Door", "description": "Oak", "code": "T-1", "status": "open"}',
    '[{"message": "Not found", "author": "ann"}]',
]


def is_error(body: str) -> bool:
    page = Page(
        url="https://shop.example/v1/1",
        body=body.encode(),
        headers={"content-type": "application/json"},
    )
    return page_facts(Document(page), page).is_error


@pytest.mark.parametrize("body", ERRORS)
def test_an_answer_with_nothing_but_an_error_is_one(body: str) -> None:
    assert is_error(body)


@pytest.mark.parametrize("body", RECORDS)
def test_an_answer_with_a_place_for_anything_else_is_none(body: str) -> None:
    assert not is_error(body)


def test_a_large_answer_is_none() -> None:
    assert not is_error('{"error": "' + "zqy " * 1_000 + '"}')
