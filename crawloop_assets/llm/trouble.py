"""What an endpoint's error means: wait, ask in another form, give up the page, or give
up the run."""

from enum import StrEnum
from typing import Any

_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 3_600.0


class TroubleKind(StrEnum):
    """What helps: time, another form, nothing for this question, nothing for any."""

    PASSES = "passes"
    FORM = "form"
    QUESTION = "question"
    EVERYBODY = "everybody"


_KINDS = {
    "AuthenticationError": TroubleKind.EVERYBODY,
    "PermissionDeniedError": TroubleKind.EVERYBODY,
    "NotFoundError": TroubleKind.EVERYBODY,
    "RateLimitError": TroubleKind.PASSES,
    "InternalServerError": TroubleKind.PASSES,
    "ServiceUnavailableError": TroubleKind.PASSES,
    "BadGatewayError": TroubleKind.PASSES,
    "Timeout": TroubleKind.PASSES,
    "APIConnectionError": TroubleKind.PASSES,
    "APIError": TroubleKind.PASSES,
    "ContextWindowExceededError": TroubleKind.QUESTION,
    "ContentPolicyViolationError": TroubleKind.QUESTION,
    "BadRequestError": TroubleKind.FORM,
    "UnprocessableEntityError": TroubleKind.FORM,
    "UnsupportedParamsError": TroubleKind.FORM,
}
"""By the name of the error that litellm makes of a provider's answer."""

_STATUSES = dict.fromkeys((401, 402, 403, 404), TroubleKind.EVERYBODY)
"""By the status of the answer, whatever the error is called."""

_MALFORMED = ("provider returned 'choices'", "expecting value", "has no attribute")
"""Words of errors about an answer that is none: asked again, it would cost as much."""

_ACCOUNT = ("insufficient_quota", "billing", "credit balance", "payment required")
"""Words of errors that no waiting helps against, whatever their status."""


class EndpointTrouble(Exception):
    """An endpoint that gave no answer; `name` is the name of its own error.

    `retry_after` is in seconds, None if the server named none.
    """

    def __init__(
        self,
        name: str,
        text: str,
        kind: TroubleKind,
        retry_after: float | None = None,
    ):
        super().__init__(text)
        self.name, self.kind, self.retry_after = name, kind, retry_after

    @property
    def passes(self) -> bool:
        """Whether time may help."""
        return self.kind is TroubleKind.PASSES


def endpoint_trouble(error: Exception, text: str) -> EndpointTrouble:
    """What an error of the endpoint means; `text` is what may be said of it."""
    name = type(error).__name__
    kind = _KINDS.get(name, TroubleKind.QUESTION)
    kind = _STATUSES.get(getattr(error, "status_code", 0), kind)
    if any(map(text.lower().__contains__, _MALFORMED)):
        kind = TroubleKind.QUESTION
    if any(map(text.lower().__contains__, _ACCOUNT)):
        kind = TroubleKind.EVERYBODY
    return EndpointTrouble(name, text, kind, _retry_after(error))


def malformed(error: Exception) -> EndpointTrouble:
    """The trouble of a reply that is none: no choices, no JSON."""
    name = type(error).__name__
    return EndpointTrouble(
        name, "the endpoint's reply is malformed", TroubleKind.QUESTION
    )


def first_wait() -> float:
    """Seconds after the first trouble that passes; doubled each time."""
    return _FIRST_WAIT_S


def _retry_after(error: Any) -> float | None:
    """The seconds that a server asks for, None if it says nothing, or a date."""
    # Litellm makes a response of its own; what the server said is beside it.
    response = getattr(error, "response", None)
    own = getattr(response, "headers", None)
    headers = getattr(error, "litellm_response_headers", None) or own or {}
    said = str(headers.get("retry-after", ""))
    if not said.replace(".", "", 1).isdecimal():
        return None
    return min(float(said), _LONGEST_WAIT_S)
