"""Bodies are decoded as they come and stop at the cap."""

import gzip
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.access.exchange import Body, DecodingError

TEXT = random.Random(1).randbytes(40_000) + b"words " * 20_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED = {
    "": TEXT,
    "identity": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "GZIP": gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]),
    "gzip ": gzip.compress(TEXT) + b"rubbish after the end",
    "deflate": zlib.compress(TEXT),
    "Deflate": raw_deflate(TEXT),
}


def decode(encoding: str, data: bytes, step: int, max_bytes: int = 1_000_000) -> Body:
    body = Body(encoding, max_bytes)
    for start in range(0, len(data), step):
        if not body.feed(data[start : start + step]):
            break
    return body


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("step", [1_000, 16_384, 10_000_000])
def test_every_encoding_that_is_asked_for(encoding: str, step: int) -> None:
    body = decode(encoding, PACKED[encoding], step)
    assert bytes(body.decoded) == TEXT
    assert (body.complete, body.too_large) == (True, False)


@given(st.sampled_from(["gzip", "deflate"]), st.integers(1, 50_000))
def test_a_stream_that_ends_early_is_not_complete(encoding: str, missing: int) -> None:
    packed = PACKED[encoding]
    body = decode(encoding, packed[: max(1, len(packed) - missing)], 4_096)
    assert not body.complete


@pytest.mark.parametrize("step", [100, 65_536, 10_000_000])
def test_a_bomb_is_never_unpacked_beyond_the_cap(step: int) -> None:
    bomb = gzip.compress(bytes(64 << 20), 9)
    body = decode("gzip", bomb, step, max_bytes=1_000_000)
    assert body.too_large
    assert len(body.decoded) <= 1_000_000 + 65_536


def test_a_bomb_of_many_small_streams_is_none_either() -> None:
    body = decode(
        "gzip", gzip.compress(bytes(60_000)) * 2_000, 10_000_000, max_bytes=1_000_000
    )
    assert body.too_large
    assert len(body.decoded) <= 1_000_000 + 65_536


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "nonsense"])
def test_encodings_that_were_not_asked_for_are_errors(encoding: str) -> None:
    with pytest.raises(DecodingError, match="not asked for"):
        Body(encoding, 1_000)


def test_broken_streams_are_errors() -> None:
    for encoding in ("gzip", "deflate"):
        with pytest.raises(DecodingError, match="broken"):
            decode(encoding, b"this was never packed, whatever the header says", 1_000)


def test_nothing_is_complete_nothing() -> None:
    assert Body("gzip", 10).complete
