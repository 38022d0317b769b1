"""Results are remembered for short texts only."""

from crawloop_assets.values.short_texts import SHORT_CHARS, remembered


def counting(calls: list[str]):
    @remembered(2)
    def size(text: str) -> int:
        calls.append(text)
        return len(text)

    return size


def test_a_short_text_is_computed_once():
    calls: list[str] = []
    size = counting(calls)
    assert [size("ab"), size("ab")] == [2, 2]
    assert calls == ["ab"]


def test_a_long_text_is_not_kept():
    calls: list[str] = []
    size = counting(calls)
    at_most, longer = "x" * SHORT_CHARS, "x" * (SHORT_CHARS + 1)
    for text in (at_most, at_most, longer, longer):
        assert size(text) == len(text)
    assert calls == [at_most, longer, longer]


def test_what_was_used_last_stays():
    calls: list[str] = []
    size = counting(calls)
    for text in ("a", "b", "a", "c", "a", "b"):
        size(text)
    assert calls == ["a", "b", "c", "b"]
