"""What unwanted pages say of themselves."""

import re

import pytest

from crawloop_assets.drift import phrases

SAID = [
    (phrases.CHALLENGE, "Just a Moment..."),
    (phrases.CHALLENGE, "Verify that you are a human"),
    (phrases.CHALLENGE, "DDoS protection"),
    (phrases.MAINTENANCE, "Closed for scheduled maintenance"),
    (phrases.MAINTENANCE, "Wartungsarbeiten"),
    (phrases.LOGIN, "Please sign in"),
    (phrases.LOGIN, "Log in to continue"),
    (phrases.CONSENT, "Before you continue"),
    (phrases.CONSENT, "Accept all cookies"),
    (phrases.MISSING, "Product not available"),
    (phrases.MISSING, "Oops! Nothing was found"),
    (phrases.SCRIPT_WANTED, "Please enable JavaScript"),
    (phrases.JSON_AUTH, "invalid API key"),
]
PATTERNS = [
    phrases.CHALLENGE,
    phrases.MAINTENANCE,
    phrases.LOGIN,
    phrases.CONSENT,
    phrases.MISSING,
    phrases.SCRIPT_WANTED,
    phrases.JSON_AUTH,
]


@pytest.mark.parametrize(("pattern", "text"), SAID)
def test_a_phrase_is_found_in_any_case(pattern: re.Pattern[str], text: str):
    assert pattern.search(text)
    assert pattern.search(f"Shop | {text.upper()}") or pattern is phrases.LOGIN


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("text", ["", "   ", "Copper Kettle", "Set of 404s, blogging"])
def test_a_page_of_goods_says_none_of_them(pattern: re.Pattern[str], text: str):
    assert not pattern.search(text)
