"""What meets foreign text in the process of all runs takes time linear in it."""

import time
from collections.abc import Callable

import pytest

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.judge import judge_answer, shell
from crawloop_assets.access.login import hidden
from crawloop_assets.access.retry import retry_after
from crawloop_assets.access.robots import Rules
from crawloop_assets.document.links import header_links
from crawloop_assets.drift.page_words import sentences
from crawloop_assets.drift.placeholder import is_placeholder
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.dates import parse_date, parse_datetime
from crawloop_assets.values.durations import parse_minutes
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import parse_number, plain
from crawloop_assets.values.text import clean, letters, skeleton, sound, tokens

LONG = 30_000
MOST_S = 1.0
"""A quadratic function needs minutes for such texts."""
PIECES = (
    *("a", " ", "1", "1.", "1,000.", "-", "<", "<a ", "</script", "&amp;", "%2e"),
    *("word ", "e\u0301", "\u200b", "A", "aB", "(", ": ", "|", '"', "\n", "½", ";rel="),
    *("1 jan ", "/", "中", "€ ", "\ud800", "#", "2 h "),
)


def answer(text: str) -> HttpAnswer:
    """A page of the size up to which its words are looked at."""
    body = b"<div id=root></div>" + text.encode("utf-8", "replace")[:64_000]
    return HttpAnswer("http://a.test/", 200, {}, body=body)


def link(text: str) -> list[object]:
    return list(
        header_links(Page(url="http://a.test/", body=b"", headers={"link": text}))
    )


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "clean": clean,
    "skeleton": skeleton,
    "letters": letters,
    "sound": sound,
    "tokens": tokens,
    "plain": plain,
    "number": parse_number,
    "date": parse_date,
    "moment": parse_datetime,
    "minutes": parse_minutes,
    "currency": currency_code,
    "placeholder": is_placeholder,
    "sentences": sentences,
    "shell": lambda text: shell(answer(text)),
    "judge": lambda text: judge_answer(answer(text)),
    "login": lambda text: hidden(text.encode("utf-8", "replace")),
    "link header": link,
    "retry-after": lambda text: retry_after({"retry-after": text, "date": text}),
    "robots": lambda text: Rules(text, "crawloop").interval_s,
    **{
        f"equality of {kind}": lambda text, kind=kind: canonical(
            text, FieldSpec(name="x", kind=kind)
        )
        for kind in FieldKind
        if kind in (FieldKind.NUMBER, FieldKind.TEXT, FieldKind.URL)
    },
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_takes_linear_time(name: str) -> None:
    for piece in PIECES:
        text = (piece * LONG)[:LONG]
        began = time.thread_time()
        FUNCTIONS[name](f"{text}!")
        assert time.thread_time() - began < MOST_S, repr(piece)
