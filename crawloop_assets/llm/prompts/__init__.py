"""The prompts, as package data."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.resources import files

_VERSION_LENGTH = 8


@dataclass(frozen=True)
class Prompt:
    """A prompt: what it is called, and its text."""

    name: str
    text: str

    @cached_property
    def version(self) -> str:
        """What the ledger calls it: its name and a hash of its text."""
        digest = sha256(self.text.encode()).hexdigest()
        return f"{self.name}-{digest[:_VERSION_LENGTH]}"


def prompt(name: str) -> Prompt:
    """A prompt file."""
    return Prompt(name, (files(__name__) / f"{name}.md").read_text(encoding="utf-8"))
