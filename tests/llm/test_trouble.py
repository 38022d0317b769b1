"""What an endpoint's error means."""

import pytest

from crawloop_assets.llm.trouble import TroubleKind, endpoint_trouble, malformed


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
