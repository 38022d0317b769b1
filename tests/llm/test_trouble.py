"""What an endpoint's error means."""

import pytest

from crawloop_assets.llm.trouble import (
    EndpointTrouble,
    TroubleKind,
    endpoint_trouble,
    malformed,
)


class RateLimitError(Exception):
    """As litellm names it."""

    def __init__(self) -> None:
        self.litellm_response_headers = {"retry-after": "30"}


class BadRequestError(Exception):
    """As litellm names it."""


class APIError(Exception):
    """As litellm names it."""

    status_code = 403


MEANT = [
    (RateLimitError(), "slow down", TroubleKind.PASSES, 30.0),
    (RateLimitError(), "insufficient_quota", TroubleKind.EVERYBODY, 30.0),
    (BadRequestError(), "no", TroubleKind.FORM, None),
    (APIError(), "no", TroubleKind.EVERYBODY, None),
    (ValueError(), "no", TroubleKind.QUESTION, None),
]


@pytest.mark.parametrize(("error", "text", "kind", "after"), MEANT)
def test_an_error_says_what_helps(
    error: Exception, text: str, kind: TroubleKind, after: float | None
) -> None:
    found = endpoint_trouble(error, text)
    assert (found.kind, found.retry_after) == (kind, after)
    assert not malformed(error).passes


def test_what_is_said_of_trouble_ends_in_what_to_do() -> None:
    text = "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key. "
    wrong = EndpointTrouble(
        "AuthenticationError", text, TroubleKind.EVERYBODY, status=401
    )
    assert wrong.sentence == (
        "AuthenticationError: Incorrect API key: set CRAWLOOP_API_KEY or the provider's key."
    )
    assert wrong.is_unbilled
    lost = EndpointTrouble("Timeout", "", TroubleKind.PASSES)
    assert lost.sentence.startswith("Timeout: it said nothing: the page is asked about")
    assert not lost.is_unbilled
