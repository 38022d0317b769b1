"""Pages that want to hurt: they look like the shop's, and cost, lie, break or never end."""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import zstandard

from bench.adversary.shop import Texts, page
from bench.adversary.web import Reply, endless


class Harm(StrEnum):
    """What a page tries."""

    DEEP = "deep nesting"
    MANY = "very many elements"
    TEXT = "giant texts"
    REGEX = "texts against patterns"
    NUMBER = "huge numbers"
    ATTRIBUTE = "giant attributes"
    ENTITY = "entities"
    LETTER = "broken letters"
    DATA = "data islands"
    OPEN = "never closed"
    NAME = "names that are none"
    BOMB = "compressed bombs"
    LENGTH = "wrong lengths"
    HEAD = "broken heads"
    ENDLESS = "bodies without end"


@dataclass(frozen=True)
class Attack:
    """One hostile page. `patient` ones cost their whole deadline on the wire."""

    harm: Harm
    name: str
    make: Callable[[], Reply]
    patient: bool = False


_HONEST = Texts.of(999_999)
_MB = 1_000_000
_OK = b"HTTP/1.1 200 OK\r\n"
_HINT = b"HTTP/1.1 103 Early\r\nLink: </admin>; rel=preload\r\n\r\n"
_CHUNKED = _OK + b"Transfer-Encoding: chunked\r\n"


def _shown(**places: str) -> Callable[[], Reply]:
    """A page with something else in these places."""
    return lambda: Reply(
        page(replace(_HONEST, **places)).encode("utf-8", "surrogatepass")
    )


def _everywhere(text: str) -> Callable[[], Reply]:
    """A page with one text in all places."""
    return _shown(title=text, price=text, sku=text, stock=text, about=text)


def _bytes(body: bytes, **said: object) -> Callable[[], Reply]:
    """Any answer."""
    return lambda: Reply(body, **said)  # type: ignore[arg-type]


def _nested(tag: str, count: int, inner: str = "x") -> str:
    return f"<{tag}>" * count + inner + f"</{tag}>" * count


_TAGS = (
    "div",
    "span",
    "b",
    "font",
    "table><tr><td",
    "ul><li",
    "svg",
    "math",
    "a",
    "p",
    "select",
    "template",
    "h1",
    "dl><dd",
)
_RUNS = {
    "blanks": " " * 200_000, "letters": "a" * 300_000 + "!", "brackets": "(" * 100_000, "commas": "1," * 100_000,
    "dots": "1." * 100_000, "dates": "1/2/" * 60_000, "dashes": "-" * 200_000, "colons": "Price: " * 50_000,
    "quotes": "\"'" * 100_000, "slashes": "https://" * 40_000, "escapes": "%41" * 100_000, "lines": "\n \n" * 100_000,
    "currencies": "€ " * 100_000, "words": "sold out " * 40_000, "months": "May " * 60_000, "ats": "a@" * 100_000,
    "marks": "a\u0301" * 100_000, "nbsp": "\u00a0\u2009" * 100_000, "captcha": "captcha access denied " * 10_000,
    "not found": "page not found 404 " * 12_000, "hours": "1h " * 80_000, "units": "5 kg " * 50_000,
}  # fmt: skip
_NUMBERS = (
    "9" * 400, "1e400", "-1e999", "0x" + "f" * 1_000, "NaN", "Infinity", "1" + ",000" * 3_000, "0." + "0" * 5_000 + "1",
    "١٢٣٤٥٦٧٨٩" * 500, "１２．５０" * 800, "½" * 1_000, "€" + "1" * 100_000, "1_000" * 500, "€-0.00", "²³⁴" * 900,
)  # fmt: skip
_LETTERS = {
    "nul": b"<h1 class='ware-title'>a\0b</h1>" * 1_000,
    "lone": "<h1>\ud800\udfff\ud83d</h1>".encode("utf-8", "surrogatepass") * 500,
    "utf16 as utf8": page(_HONEST).encode("utf-16"), "utf32": page(_HONEST).encode("utf-32"),
    "latin": "é£€".encode("cp1252") * 9_000,
    "overlong": b"\xc0\xaf\xe0\x80\xaf\xf8\x88\x80\x80\x80" * 9_000, "high": bytes(range(128, 256)) * 3_000,
    "bidi": ("\u202e\u2066" * 20_000).encode(), "joiners": ("\u200d\ufe0f" * 50_000).encode(),
    "tags": "".join(map(chr, range(0xE0000, 0xE0080))).encode() * 200,
    "escapes": b"\x1b$B" * 30_000, "utf7": b"+ADw-script+AD4-" * 9_000,
}  # fmt: skip
_CHARSETS = (
    "utf-7",
    "x-none",
    "utf-16le",
    "iso-2022-kr",
    '" onload=',
    "hz-gb-2312",
    "undefined",
    "rot13",
    "zip",
    "idna",
    "unicode_escape",
)


def _texts() -> list[Attack]:
    """Those made of an honest page with something put into it."""
    found = [
        Attack(Harm.DEEP, tag, _shown(before=_nested(tag, 20_000))) for tag in _TAGS
    ]
    found += [
        Attack(
            Harm.DEEP,
            f"{tag} in the title",
            _shown(about=_nested(tag, 6_000), title=_nested(tag, 3_000)),
        )
        for tag in _TAGS[:4]
    ]
    found += [
        Attack(Harm.REGEX, name, _everywhere(text)) for name, text in _RUNS.items()
    ]
    found += [
        Attack(
            Harm.REGEX,
            f"{name} in the head",
            _shown(title=text, head=f'<meta name="description" content="{text}">'),
        )
        for name, text in list(_RUNS.items())[:8]
    ]
    found += [
        Attack(Harm.NUMBER, text[:12], _shown(price=text, stock=text))
        for text in _NUMBERS
    ]
    found += [
        Attack(Harm.MANY, "spans", _shown(after="<span>x</span>" * 200_000)),
        Attack(
            Harm.MANY,
            "wares",
            _shown(after='<span class="ware-price">€1.00</span>' * 60_000),
        ),
        Attack(
            Harm.MANY,
            "cells",
            _shown(after=f"<table>{'<tr><td>Price<td>1' * 60_000}</table>"),
        ),
        Attack(
            Harm.MANY,
            "options",
            _shown(after=f"<select>{'<option>1' * 150_000}</select>"),
        ),
        Attack(Harm.MANY, "titles", _shown(head="<title>x</title>" * 80_000)),
        Attack(Harm.MANY, "links", _shown(after='<a href="/shop/p/1">x</a>' * 100_000)),
        Attack(Harm.MANY, "frames", _shown(after="<iframe></iframe>" * 50_000)),
        Attack(Harm.MANY, "scripts", _shown(head="<script>1</script>" * 80_000)),
        Attack(Harm.TEXT, "title", _shown(title="a b " * 400_000)),
        Attack(Harm.TEXT, "about", _shown(about="lorem " * 600_000)),
        Attack(Harm.TEXT, "one word", _shown(about="x" * 3 * _MB)),
        Attack(Harm.TEXT, "over the cap", _shown(about="y" * 6 * _MB)),
        Attack(
            Harm.TEXT, "style", _shown(head=f"<style>{'.a{b:c}' * 300_000}</style>")
        ),
        Attack(
            Harm.ATTRIBUTE, "value", _shown(before=f'<div class="{"c " * 800_000}">')
        ),
        Attack(
            Harm.ATTRIBUTE,
            "many",
            _shown(before=f"<div {' '.join(f'a{n}=1' for n in range(100_000))}>"),
        ),
        Attack(Harm.ATTRIBUTE, "name", _shown(before=f"<div {'n' * _MB}=1>")),
        Attack(
            Harm.ATTRIBUTE,
            "same id",
            _shown(before='<i id="ware" class="ware-price">1</i>' * 50_000),
        ),
        Attack(Harm.ATTRIBUTE, "tag name", _shown(before=f"<{'t' * _MB}>")),
        Attack(Harm.ENTITY, "bomb", _shown(head=_laughs())),
        Attack(Harm.ENTITY, "many", _shown(about="&amp;&lt;&nbsp;" * 100_000)),
        Attack(Harm.ENTITY, "surrogates", _shown(title="&#xD800;&#55357;" * 9_000)),
        Attack(
            Harm.ENTITY,
            "beyond",
            _shown(price="&#x110000;&#99999999999999999999;" * 5_000),
        ),
        Attack(
            Harm.ENTITY,
            "file",
            _shown(
                head='<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
                title="&x;",
            ),
        ),
        Attack(Harm.OPEN, "comment", _shown(before="<!--" * 200_000)),
        Attack(Harm.OPEN, "tag", _shown(after="<div <div " * 100_000)),
        Attack(Harm.OPEN, "script", _shown(head="<script>" + "<!--<script>" * 50_000)),
        Attack(Harm.OPEN, "cdata", _shown(before="<svg><![CDATA[" * 50_000)),
        Attack(Harm.OPEN, "quote", _shown(before='<a href="' + "x" * _MB)),
        Attack(Harm.OPEN, "misnested", _shown(before="<b><i><a></b></i>" * 5_000)),
    ]
    return [*found, *_names(), *_islands()]


def _names() -> list[Attack]:
    """Pages that call themselves, or what they lead to, by what is no url."""
    places = (
        '<link rel="canonical" href="{}">',
        '<base href="{}"><link rel="next" href="x">',
        '<meta property="og:url" content="{}"><link rel="alternate" href="{}">',
    )
    urls = ("https://[oops]/", "//[::1", "http://a:99999999999/", "https://%zz%5b/")
    return [
        Attack(Harm.NAME, url, _shown(head=place.replace("{}", url)))
        for place in places
        for url in urls
    ]


def _laughs() -> str:
    """Entities of entities."""
    made = '<!ENTITY l0 "lol">'
    for n in range(1, 12):
        made += f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">'
    return f"<!DOCTYPE l [{made}]><l>&l11;</l>"


def _islands() -> list[Attack]:
    """Data inside pages."""
    texts = {
        "deep": "[" * 100_000 + "]" * 100_000, "open": '{"a":' * 60_000,
        "many": json.dumps([{"@type": "Product", "name": "x", "price": n} for n in range(30_000)]),
        "keys": json.dumps({f"k{n}": n for n in range(80_000)}),
        "number": '{"@type":"Product","price":' + "9" * 200_000 + "}",
        "graph": json.dumps({"@graph": [{"@id": f"#{n}", "isRelatedTo": {"@id": f"#{n + 1}"}} for n in range(20_000)]}),
        "escapes": '{"@type":"Product","name":"' + "\\ud800" * 50_000 + '"}',
    }  # fmt: skip
    kinds = ("application/ld+json", "application/json")
    return [
        Attack(
            Harm.DATA,
            f"{name} {kind}",
            _shown(head=f'<script type="{kind}" id="__NEXT_DATA__">{text}</script>'),
        )
        for kind in kinds
        for name, text in texts.items()
    ]


def _packed(
    encoding: str, pack: Callable[[bytes], bytes], size: int
) -> Callable[[], Reply]:
    return lambda: Reply(pack(bytes(size)), headers=[("Content-Encoding", encoding)])


def _wire() -> list[Attack]:
    """Those that are hostile before anything of them is read."""
    honest, zipped = page(_HONEST).encode(), gzip.compress(page(_HONEST).encode())
    found = [
        Attack(Harm.LETTER, name, _bytes(page(_HONEST).encode()[:200] + body))
        for name, body in _LETTERS.items()
    ]
    found += [
        Attack(Harm.LETTER, name, _bytes(honest, kind=f"text/html; charset={name}"))
        for name in _CHARSETS
    ]
    bombs: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "zstd": zstandard.compress,
        "br": gzip.compress,
        "gzip, gzip": _twice,
        "x-gzip": gzip.compress,
    }
    found += [
        Attack(Harm.BOMB, f"{name} {size >> 20} MB", _packed(name, pack, size))
        for name, pack in bombs.items()
        for size in (3 << 20, 60 << 20)
    ]
    found += [
        Attack(Harm.BOMB, "broken", _bytes(zipped[:300] + b"x" * 900, headers=[("Content-Encoding", "gzip")])),
        Attack(Harm.BOMB, "cut", _bytes(zipped[:300], headers=[("Content-Encoding", "gzip")])),
        Attack(Harm.BOMB, "members", _bytes(gzip.compress(b"") * 90_000, headers=[("Content-Encoding", "gzip")])),
        Attack(Harm.LENGTH, "too long", _bytes(honest, length=len(honest) + 999)),
        Attack(Harm.LENGTH, "too short", _bytes(honest, length=40)),
        Attack(Harm.LENGTH, "huge", _bytes(honest, length=10**18)),
        Attack(Harm.LENGTH, "none", _bytes(b"", headers=[("Content-Length", "7")])),
        Attack(Harm.LENGTH, "negative", _bytes(b"", raw=b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n" + honest)),
        Attack(Harm.LENGTH, "chunks", _bytes(b"", raw=_CHUNKED + b"\r\nffffffffffffffff\r\n" + honest)),
        Attack(Harm.LENGTH, "chunk names", _bytes(b"", raw=_CHUNKED + b"\r\n5;" + b"x" * 300_000)),
        Attack(Harm.LENGTH, "both", _bytes(b"", raw=_CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n" + honest)),
        Attack(Harm.HEAD, "many", _bytes(honest, headers=[(f"X-{n}", "y" * 900) for n in range(3_000)])),
        Attack(Harm.HEAD, "long", _bytes(honest, headers=[("X-Long", "y" * _MB)])),
        Attack(Harm.HEAD, "cookies", _bytes(honest, headers=[("Set-Cookie", f"c{n}={'z' * 3_000}") for n in range(90)])),
        Attack(Harm.HEAD, "nothing", _bytes(b"", raw=b"\r\n\r\n")),
        Attack(Harm.HEAD, "old", _bytes(b"", raw=b"<html>HTTP/0.9</html>")),
        Attack(Harm.HEAD, "status", _bytes(honest, status=999)),
        Attack(Harm.HEAD, "hints", _bytes(b"", raw=_HINT * 2_000 + _OK + b"\r\nx")),
        Attack(Harm.HEAD, "nul", _bytes(b"", raw=b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n" + honest)),
        Attack(Harm.HEAD, "switch", _bytes(honest, status=101, headers=[("Upgrade", "h2c")])),
        Attack(Harm.HEAD, "no body", _bytes(honest, status=204)),
        Attack(Harm.HEAD, "etag", _bytes(honest, headers=[("ETag", "e" * 7_000), ("Last-Modified", "\x01never")])),
        Attack(Harm.HEAD, "retry", _bytes(b"later", status=429, headers=[("Retry-After", "1")])),
        Attack(Harm.ENDLESS, "zeros", lambda: Reply(pieces=endless(bytes(65_536)))),
        Attack(Harm.ENDLESS, "elements", lambda: Reply(honest, pieces=endless(b"<p>more</p>" * 9_000))),
        Attack(Harm.ENDLESS, "heads", lambda: Reply(raw=b"HTTP/1.1 200 OK\r\n", pieces=endless(b"X-More: y\r\n" * 900))),
        Attack(Harm.ENDLESS, "redirects", _bytes(b"", status=302, headers=[("Location", "?again")])),
        Attack(Harm.ENDLESS, "drip", lambda: Reply(honest, pieces=endless(b"."), pause_s=1.0), patient=True),
        Attack(Harm.ENDLESS, "silence", lambda: Reply(honest, pieces=endless(b""), pause_s=5.0), patient=True),
    ]  # fmt: skip
    return found


def _twice(body: bytes) -> bytes:
    return gzip.compress(gzip.compress(body))


def attacks() -> list[Attack]:
    """All of them, by kind."""
    return sorted([*_texts(), *_wire()], key=lambda one: list(Harm).index(one.harm))
