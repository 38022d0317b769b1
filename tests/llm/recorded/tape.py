"""The answers to the questions of one kind of prompt, kept in a file and said again by a real endpoint.

A question is known by what is asked for: the instructions, the fields, the form of the answer. What is shown of a page is
no part of that: it may be trimmed in another way as long as the answer still fits it.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from crawloop_assets.llm.settings import ModelSettings
from tests.llm.scripted import Asked, Endpoint, Scripted, endpoint, question_of

ANSWERS = Path(__file__).parent / "answers"
AGAIN = "CRAWLOOP_MODEL=openai/NAME CRAWLOOP_API_BASE=URL python -m tests.llm.recorded"
_MATERIAL = re.compile(r"\n\n|\nReaders before|\nWhat came of")
"""Where a question ends and what it is about begins."""

Reply = Callable[[Asked], str]


def asked_for(asked: Asked) -> str:
    """What names a question: a digest of all but its material."""
    instructions = asked["messages"][0]["content"]
    wanted = _MATERIAL.split(question_of(asked))[0]
    told = json.dumps([instructions, wanted, asked.get("response_format")])
    return sha256(told.encode()).hexdigest()[:8]


@dataclass
class Tape:
    """A file of answers in the order of their questions; `changed` says what was asked otherwise than it was recorded."""

    kind: str
    changed: list[str] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def file(self) -> Path:
        """Where the answers are."""
        return ANSWERS / f"{self.kind}.json"

    def replays(self, asked: Asked, exchange: Scripted) -> None:
        """The answer of the file."""
        kept = json.loads(self.file.read_text(encoding="utf-8"))
        if len(self.heard) == len(kept):
            self.changed.append("one question more than is answered")
            exchange.says("{}", status=400)
            return
        answer = kept[len(self.heard)]
        self.heard.append(answer)
        if asked_for(asked) != answer["asked"]:
            self.changed.append(f"question {len(self.heard)} asks for something else")
        exchange.writes(json.dumps(answer["said"], ensure_ascii=False))

    def records(self, reply: Reply) -> Callable[[Asked, Scripted], None]:
        """Answers by somebody else, who is listened to."""

        def answers(asked: Asked, exchange: Scripted) -> None:
            text = reply(asked)
            self.heard.append({"asked": asked_for(asked), "said": json.loads(text)})
            exchange.writes(text)

        return answers

    def keep(self) -> None:
        """Write down what was heard."""
        text = json.dumps(self.heard, indent=1, ensure_ascii=False)
        self.file.write_text(f"{text}\n", encoding="utf-8")

    @contextmanager
    def played(self, reply: Reply | None = None) -> Iterator[ModelSettings]:
        """A model that answers from the file, or as somebody replies."""
        with endpoint(self.records(reply) if reply else self.replays) as server:
            yield _settings(server)


def _settings(server: Endpoint) -> ModelSettings:
    """What asks an endpoint once, for as long as a person takes to answer."""
    return ModelSettings.model_validate(
        {"model": "openai/any", "api_base": server.url, "api_key": "sk-0123456789"}
        | {"budget_usd": 100, "price": (1, 1), "patience_s": 0, "timeout_s": 3_000}
    )
