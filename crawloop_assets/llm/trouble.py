"""What an endpoint's error means: wait, ask in another form, give up the page, or give
up the run."""

import re
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

_MALFORMED = (
    "provider returned",
    "invalid response object",
    "expecting value",
    "has no attribute",
)
"""Words of errors about an answer that is none, the second those of litellm before 1.102:
asked again, it would cost as much."""

_UNBILLED = 400
"""An answer with this status or a higher one is no answer that anybody pays for."""

_REMEDIES = {
    401: "set CRAWLOOP_API_KEY or the provider's key",
    402: "the account at the provider is empty: top it up, or name another model (heal.model)",
    403: "this key may not use this model: set another key, or name another model (heal.model)",
    404: "it knows no such model: name another one (heal.model or CRAWLOOP_MODEL), or correct CRAWLOOP_API_BASE",
}
"""What to do about trouble that concerns every page, by status."""

_MOST_CAUSES = 8
_LATER = "the page is asked about again at the next refresh"
_NAMED = re.compile(r"[\w.]{1,60}$")
"""What the name of an error looks like, of which some stand before what it says."""
_ERRORS = ("Error", "Exception", "Timeout", "LiteLLM")
_SAID = 120
"""Characters of what an endpoint says that are passed on."""

_ACCOUNT = ("insufficient_quota", "billing", "credit balance", "payment required")
"""Words of errors that no waiting helps against, whatever their status."""


class EndpointTrouble(Exception):
    """An endpoint that gave no answer; `name` is the name of its own error.

    `retry_after` is in seconds, None if the server named none; `status` is that of its
    answer, 0 without one.
    """

    def __init__(
        self,
        name: str,
        text: str,
        kind: TroubleKind,
        retry_after: float | None = None,
        status: int = 0,
    ):
        super().__init__(text)
        self.name, self.kind, self.retry_after = name, kind, retry_after
        self.status = status

    @property
    def is_unbilled(self) -> bool:
        """Whether the call surely cost nothing: its server refused it."""
        return self.status >= _UNBILLED

    @property
    def sentence(self) -> str:
        """What the endpoint said, and what to do about it."""
        said = _plainly(str(self))[:_SAID].strip(" .") or "it said nothing"
        remedy = _LATER
        if self.kind is TroubleKind.EVERYBODY:
            remedy = _REMEDIES.get(self.status, _REMEDIES[402])
        return f"{self.name}: {said}: {remedy}."

    @property
    def passes(self) -> bool:
        """Whether time may help."""
        return self.kind is TroubleKind.PASSES


def _plainly(text: str) -> str:
    """What an error says, without the names of errors before that."""
    parts = text.replace(" - ", ": ").split(": ")
    for at, part in enumerate(parts):
        if not (_NAMED.match(part) and part.endswith(_ERRORS)):
            return ": ".join(parts[at:])
    return ""


def endpoint_trouble(error: Exception, text: str) -> EndpointTrouble:
    """What an error of the endpoint means; `text` is what may be said of it."""
    name = type(error).__name__
    kind = _KINDS.get(name, TroubleKind.QUESTION)
    kind = _STATUSES.get(getattr(error, "status_code", 0), kind)
    if any(map(text.lower().__contains__, _MALFORMED)):
        kind = TroubleKind.QUESTION
    if any(map(text.lower().__contains__, _ACCOUNT)):
        kind = TroubleKind.EVERYBODY
    status = _status(error)
    return EndpointTrouble(name, text, kind, _retry_after(error), status)


def _status(error: Any) -> int:
    """The status that a server refused with, 0 if it did not: litellm gives an answer
    that is none, and a lost connection, a status of its own."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            break
        if type(cause).__name__ == "HTTPStatusError":
            return int(getattr(error, "status_code", 0) or 0)
        cause = cause.__cause__ or cause.__context__
    return 0


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
