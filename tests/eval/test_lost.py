"""Pages that took the place of the wanted one, as the page guards see them."""

import pytest

from crawloop_assets.eval.lost import PAGES


@pytest.mark.parametrize("name", sorted(PAGES))
def test_each_is_a_page_of_its_own(name: str) -> None:
    body = PAGES[name]
    assert body.startswith(b"<!DOCTYPE html>") and body.endswith(b"</html>")
    assert b"{" not in body
    assert list(PAGES.values()).count(body) == 1


def test_they_have_the_frame_of_a_site_except_the_shell() -> None:
    framed = {name for name, body in PAGES.items() if body.count(b"/section/") == 12}
    assert framed == PAGES.keys() - {"empty_shell"}


def test_only_the_login_page_asks_for_a_password() -> None:
    asking = {name for name, body in PAGES.items() if b"type='password'" in body}
    assert asking == {"login"}
