"""Secrets never leave the house."""

from crawloop_assets.llm.question import redacted


def test_values_named_like_secrets_are_taken_out() -> None:
    assert redacted("a short b", {"API_KEY": "short"}) == "a short b"
    assert redacted("a longer text", {"HOME": "longer text"}) == "a longer text"
    assert redacted("a 12345678 b", {"db_token": "12345678"}) == "a [secret] b"
