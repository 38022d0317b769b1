"""The prompts, as package data."""

from importlib.resources import files


def prompt(name: str) -> str:
    """The text of a prompt file."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")
