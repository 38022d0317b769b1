"""Inputs that are nearly of the right kind: seeds, changed here and there."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

_TOKENS = (
    *(b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"%", b"%2e", b"\\", b'"'),
    *(b"'", b"<", b">", b"&#x110000;", b"&amp;", b"{", b"}", b"[", b"]", b"(", b")"),
    *(b"-1", b"9" * 20, b"1e999", b"NaN", b"0.0", b":", b";", b",", b" ", b"\n", b"\t"),
    *(b"*", b"+", b"?", b"^", b"$", b"|", b"//", b"..", b"#", b"@", b"=", b"null"),
    *("٣".encode(), "½".encode(), "İ".encode(), "ß".encode(), b"<!--", b"]]>", b"\r"),
)
_Change = Callable[[bytes], bytes]


def _insert(at: int, what: bytes, times: int) -> _Change:
    """Puts something in, perhaps many times."""

    def change(data: bytes) -> bytes:
        place = at % (len(data) + 1)
        return data[:place] + what * times + data[place:]

    return change


def _cut(at: int, size: int) -> _Change:
    """Takes a piece out."""

    def change(data: bytes) -> bytes:
        place = at % (len(data) + 1)
        return data[:place] + data[place + size :]

    return change


def _repeat(at: int, size: int, times: int) -> _Change:
    """Says a piece again and again."""

    def change(data: bytes) -> bytes:
        place = at % (len(data) + 1)
        return data[:place] + data[place : place + size] * times + data[place:]

    return change


_PLACES = st.integers(0, 4_000)
_TIMES = st.sampled_from([1, 1, 1, 2, 50, 3_000])
_CHANGES = st.one_of(
    st.builds(_insert, _PLACES, st.sampled_from(_TOKENS), _TIMES),
    st.builds(_insert, _PLACES, st.binary(max_size=6), _TIMES),
    st.builds(_cut, _PLACES, st.integers(1, 60)),
    st.builds(_repeat, _PLACES, st.integers(1, 30), _TIMES),
)


def changed(seeds: Sequence[bytes], most: int) -> st.SearchStrategy[bytes]:
    """One of the seeds, or nothing, after some changes; at most so many bytes."""

    def put_together(seed: bytes, changes: Sequence[_Change]) -> bytes:
        for change in changes:
            seed = change(seed)[:most]
        return seed

    return st.builds(
        put_together,
        st.sampled_from([b"", *seeds]),
        st.lists(_CHANGES, min_size=1, max_size=6),
    )
