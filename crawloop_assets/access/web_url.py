"""The canonical url: what is judged is the very object that is sent.

Every request, each hop of a redirect, what a page in the browser asks for and what the
frontier names a page by is made a `WebUrl` once, by the rules browsers follow (WHATWG,
by ada). Allowlist, robots.txt, limiter, cookies and validators look at it, and the
client sends its characters as they are.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import SplitResult, quote, unquote, unquote_to_bytes, urlsplit

from ada_url import URL

from crawloop_assets.errors import NotAllowed

PORTS = {"http": 80, "https": 443}
_MAX_URL = 4_096  # characters
_MAX_NAME = 253  # characters of a host name, by RFC 1035
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]")
_CANONICAL = re.compile(
    r"(https?)://(\[[0-9a-f:.]+\]|[^/:?#@\[\]]+)(?::([0-9]+))?(/[^?#]*)(\?[^#]*)?"
)
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)")
_UNUSUAL = "address is not written in its usual form"
_DOUBTFUL = re.compile(r"[%;]|/\.")  # all that follows has one of these in it
_Spelling = tuple[re.Pattern[str], str]
# What servers read in more than one way, as it is written in a path.
_SPELLINGS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), what)
    for pattern, what in (
        ("%2e", "an escaped dot (%2e)"),
        ("%2f", "an escaped slash (%2f)"),
        ("%5c", "an escaped backslash (%5c)"),
        (r";[^;/\n]*/\.\.(?:/|$)|;\.\.|/\.\.?;", "a semicolon beside dots"),
        ("%[01][0-9a-f]|%7f", "an escaped control character"),
        ("%u[0-9a-f]{4}", "an escape that is none (%u)"),
        ("%c[01]|%e0%[89]|%f0%8", "a letter escaped in too many bytes"),
        ("%ef%bc%8[ef]|%ef%bc%bc", "a full-width dot or slash"),
    )
)
# What a path that was unescaped once may mean when it is read again.
_AGAIN = (
    (re.compile("%[0-9A-Fa-f]{2}"), "an escape within an escape"),
    (re.compile(r"(?:^|/)[. ]+(?=[/;]|$)"), "a step out of its folder"),
)
# Bytes that some servers take for a dot or a slash.
_TAKEN_FOR = (
    (re.compile(rb"\xc0\xae|\xe0\x80\xae|\xef\xbc\x8e|%u002e", re.IGNORECASE), b"."),
    (
        re.compile(
            rb"\\|\xc0\xaf|\xe0\x80\xaf|\xc1\x9c|\xef\xbc[\x8f\xbc]|%u00(?:2f|5c)",
            re.IGNORECASE,
        ),
        b"/",
    ),
    (re.compile(rb"[\x00-\x1f\x7f]"), b""),
)
_SEVERAL = re.compile(
    r"[%;]|//|\.(?:/|$)"
)  # without one of these, all servers read alike
# Dots and blanks at the end of a name, which Windows does not see.
_ENDS = re.compile(rb"(?<=[^/. ])[. ]+(?=/|$)")
_KEPT = "/;:@&=+$,!*'()~|"  # stand for themselves in a path


class WebUrl(str):
    """A url in its one spelling, without fragment; made by `of` only.

    `host` has no brackets, `port` is always there, `path` is "/" at least. `doubt` is
    what lets a server read the path in another way than it is written, "" if nothing.
    """

    scheme: str
    host: str
    port: int
    path: str
    doubt: str

    @classmethod
    def of(cls, text: str, base: str = "") -> "WebUrl":
        """A text as a url, relative to `base` if there is one.

        NotAllowed for what is none, and for what two programs read as two hosts.
        """
        return text if isinstance(text, cls) else _read(text, base)

    @property
    def origin(self) -> str:
        """ "https://host:port", always with the port."""
        return f"{self.scheme}://{self.site}"

    @property
    def site(self) -> str:
        """ "host:port": what requests are counted by."""
        return f"{bracketed(self.host)}:{self.port}"

    @property
    def authority(self) -> str:
        """What the Host header says: the port only where it is not the usual one."""
        return self.removesuffix(self.target).partition("://")[2]

    @property
    def target(self) -> str:
        """Path and query as they are sent."""
        return self[self.index("/", len("https://")) :]

    @property
    def readings(self) -> tuple["WebUrl", ...]:
        """This url, and what servers make of it that unescape its path, drop what is
        behind a semicolon or the dots at the end of a name, or take two slashes for one.
        NotAllowed if one of them is no url at all."""
        if not _SEVERAL.search(self.path):
            return (self,)
        query = self.target.removeprefix(self.path)
        paths = [quote(path, safe=_KEPT) for path in _as_served(self.path)]
        return (self, *(_read(f"{self.origin}{path}{query}", "") for path in paths))


def bracketed(host: str) -> str:
    """A host as it stands in a url."""
    return f"[{host}]" if ":" in host else host


@lru_cache(4_096)  # one fetch asks some six times
def _read(text: str, base: str) -> WebUrl:
    """What `WebUrl.of` says."""
    _check_text(text)
    try:
        why = _written_refusal(urlsplit(text), base)
        plain = "" if why else _spelled(text, base)
    except ValueError as error:
        raise NotAllowed(text, f"url: {error}") from error
    found = _CANONICAL.fullmatch(plain)
    if found is None:
        raise NotAllowed(text, f"url: {why or 'is not a web address'}")
    url = WebUrl(plain)
    url.scheme, host, port, url.path, _ = found.groups()
    url.host, url.port = host.strip("[]"), int(port or PORTS[url.scheme])
    url.doubt = _doubt(text, url.path)
    if why := host_refusal(url.host):
        raise NotAllowed(text, f"url: {why}")
    return url


def _spelled(text: str, base: str) -> str:
    """The spelling of browsers, without a fragment, which is never sent, or an empty
    query; ValueError for what is no url."""
    whole = URL(text, base or None).href.partition("#")[0]
    path, _, query = whole.partition("?")
    return f"{path}?{query}" if query else path


def _check_text(text: str) -> None:
    """NotAllowed for a url that is too long or has a character in it that programs read
    differently, before anything is made of its parts."""
    if len(text) > _MAX_URL:
        raise NotAllowed(text[:200], f"url: longer than {_MAX_URL} characters")
    if _UNSAFE.search(text):
        raise NotAllowed(text, "url: has control characters or backslashes")


def _written_refusal(parts: SplitResult, base: str) -> str:
    """Why a url is not taken as it is written, "" if it is; ValueError for a port that
    is none."""
    is_relative = bool(base)
    if parts.scheme not in PORTS and (parts.scheme or not is_relative):
        return f"scheme {parts.scheme!r} is not http or https"
    if "@" in parts.netloc:
        return "has a user name in it"
    if parts.port == 0 or parts.netloc.endswith(":"):
        return "has an empty port"
    if not parts.netloc and is_relative:
        return ""  # the host is that of its base
    if not parts.netloc.isascii():
        return ""  # it is judged in the form in which it is sent
    return host_refusal(parts.hostname or "")


def _doubt(text: str, path: str) -> str:
    """What lets a server read a path in another way, "" if nothing: in the url as it
    was written, or as it is sent."""
    written = re.split(r"[?#]", text, maxsplit=1)[0]
    if not _DOUBTFUL.search(f"{written}\n{path}"):
        return ""
    once = unquote(path, "latin-1")
    spelled = _first_found(_SPELLINGS, f"{written}\n{path}\n{once}")
    return spelled or _first_found(_AGAIN, once)


def _first_found(spellings: Sequence[_Spelling], text: str) -> str:
    """What the first of some spellings that is in a text is called, "" if none is."""
    return next((what for how, what in spellings if how.search(text)), "")


def _as_served(path: str) -> set[bytes]:
    """A path as willing servers read it: unescaped to the end, with and without what is
    behind a semicolon, the dots and blanks at the ends of names and any blank, with one
    slash for many or with all of them."""
    whole = path.encode()
    while (decoded := unquote_to_bytes(whole)) != whole:
        whole = decoded
    for pattern, meant in _TAKEN_FOR:
        whole = pattern.sub(meant, whole)
    paths = {whole, re.sub(rb";[^/]*", b"", whole)}
    paths |= {_ENDS.sub(b"", each) for each in paths}
    paths |= {each.replace(b" ", b"") for each in paths}
    return paths | {re.sub(rb"/{2,}", b"/", each) for each in paths}


@lru_cache(4_096)
def host_refusal(host: str) -> str:
    """Why a host name is not taken, "" if it is: only plain names and addresses written
    in their one usual form."""
    if ":" in host:
        return _ipv6_refusal(host)
    if host.endswith("."):
        return "host ends with a dot"
    if not _NAME.fullmatch(host) or len(host) > _MAX_NAME:
        return "host is not a plain ASCII name (write an international name as xn--…)"
    # A name whose last label is a number is read as an address by some programs.
    last_label = host.rpartition(".")[2]
    if _NUMBER.fullmatch(last_label) and not _is_usual_form(host):
        return _UNUSUAL
    return ""


def _ipv6_refusal(host: str) -> str:
    """Why the text between the brackets of a url is no host we take, "" if it is."""
    if "%" in host:
        return "address has a zone"
    if not is_ip(host):
        return "not an address"
    return "" if _is_usual_form(host) else _UNUSUAL


def _is_usual_form(address: str) -> bool:
    """True for an address in the one spelling that all programs read alike."""
    return is_ip(address) and str(ip_address(address)) == address


@lru_cache(4_096)
def is_ip(host: str) -> bool:
    """True for an IPv4 or IPv6 address, False for a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
