"""Tricks of urls, made by rule: whatever they are written like, they want to where they may not."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from random import Random

SHOP = "shop.harbor.example"
EVIL = "evil.example"


class Trick(StrEnum):
    """What a url tries."""

    STEPS = "steps out of a folder"
    CLOSED = "ways past robots.txt"
    USER = "user names"
    PORT = "ports"
    LETTERS = "letters of host names"
    ADDRESS = "notations of addresses"
    SCHEME = "schemes"
    SPACE = "blanks and line ends"
    SPLIT = "where a host ends"
    ALIKE = "names that look alike"


@dataclass(frozen=True)
class Bait:
    """One url. `token` is in its path, its name, or both, so that whatever comes of it
    is known by it."""

    token: str
    trick: Trick
    url: str


_UP = (
    "..", "%2e%2e", ".%2e", "%2E.", "%252e%252e", "..;", "..;x=1", "..%00", "..%20", "..%09", "%u002e%u002e",
    "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "%ef%bc%8e%ef%bc%8e", "．．", "%%32%65%%32%65", "..%3b", "..%23", "..%3f",
    "..\\", "..%5c", ";/..", "%25252e%25252e", "..%0d%0a", "...", ".. ", "%2e%2e;", "..%ff", "..%c2%a0",
)  # fmt: skip
_SLASH = (
    "/", "%2f", "%2F", "%5c", "\\", "%252f", "//", "%c0%af", "%ef%bc%8f", "/./", "/;/", "%25252f", "／", "%2f%2f",
    "/x/../", "%u2215", "%e2%88%95",
)  # fmt: skip
_BEFORE = (
    "",
    "x/",
    "a;b/",
    "a%2f..%2f",
    "x%2fy/../",
    "/",
    "%2e/",
    "./",
    "x/y/../../",
    ";/",
)
_INTO = (
    "admin/delete/{t}",
    "shop/private/{t}",
    "private/{t}",
    "admin/{t}/x%252f..%252f..%252fshop/",
)
_PRIVATE = (
    "private", "%70rivate", "%50rivate", "%2570rivate", "privat%65", "%70%72%69%76%61%74%65", "private;x", ";x/private",
    "/private", "//private", "./private", "x/../private", "x/%2e%2e/private", "x/..;/private", "%2fprivate",
    "private%2f", "privat%25%36%35", "%u0070rivate", "private%00", "x;a=b/../private", "x/..%2fprivate", "%5cprivate",
    "\\private", "private%20", ".//private", "x//../private", "%252fprivate", "priv\tate", "pri\nvate", "private.",
)  # fmt: skip
_PRIVATE_ENDS = (
    "/{t}",
    "/{t}?x=1",
    "//{t}",
    "/./{t}",
    "%2f{t}",
    "/%2e/{t}",
    ";y/{t}",
    "/{t}#x",
    "/{t}/..%2f{t}",
    "\\{t}",
)
_USERS = (
    "https://{s}@{e}/{t}", "https://{s}:443@{e}/{t}", "https://{s}%40{e}/{t}", "https://{s}\\@{e}/{t}",
    "https://{s}:x%40{e}/{t}", "https://user:pw@{s}@{e}/{t}", "https://{s}%20@{e}/{t}", "https://{s}/@{e}/{t}",
    "https://{s}&@{e}/{t}", "https://{s};@{e}/{t}", "https://@{e}/{t}", "https://{s}#@{e}/{t}", "https://{s}?@{e}/{t}",
    "https://{s}\t@{e}/{t}", "https://{s}／@{e}/{t}", "https://:@{e}/{t}", "https://a:b:c@{e}/{t}", "https://{s}%2f@{e}/{t}",
)  # fmt: skip
_PORTS = (
    ":8080", ":80", ":0443", ":443x", ": 443", ":", ":65536", ":4294967739", ":+443", ":-1", ":8443", ":%34%34%33",
    ":443:8080", ":\u0664\u0664\u0663", ":8443#:443", ":3000", ":6379", ":9200", ":00000000000008080", ":0x1bb",
)  # fmt: skip
_LETTERS = (
    "https://{t}。evil。example/{t}", "https://{t}．evil．example/{t}", "https://{t}｡evil｡example/{t}",
    "https://ｅvil.example/{t}", "https://shop.harbor.example。{t}.evil.example/{t}", "https://ⓢhop.harbor.example/admin/{t}",
    "https://ѕhop.harbor.example/shop/{t}", "https://shop.harbor.example%E3%80%82{t}.evil.example/{t}",
    "https://shop.harb\u00ador.example/admin/{t}", "https://sh\u200bop.harbor.example/admin/{t}", "https://shop.harbor.example./shop/{t}",
    "https://SHOP.HARBOR.EXAMPLE/admin/{t}", "https://ﬁ{t}.evil.example/", "https://faß.{t}.evil.example/{t}",
    "https://xn--{t}-.evil.example/{t}", "https://%65vil.example/{t}", "https://{t}%2eevil%2eexample/{t}",
    "https://shop.harbor..example/shop/{t}", "https://.shop.harbor.example/shop/{t}", "https://shop_.harbor.example/{t}",
    "https://xn--shop.harbor.example/{t}", "https://ℋarbor.example/{t}", "https://{t}.evil.exam\u2060ple/{t}",
    "https://shop.harbor.example%00.{t}.evil.example/{t}", "https://shop.harbor.example%0a.{t}.evil.example/{t}",
    "https://①②⑦.⓪.⓪.①/{t}", "https://shop.harbor.example%23.{t}.evil.example/", "https://shop.harbor.example\u2024{t}.evil.example/",
    "https://ʰttps.{t}.evil.example/", "https://Kelvin.\u212a{t}.evil.example/",
)  # fmt: skip
_ADDRESSES = (
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1", "017700000001",
    "0", "0.0.0.0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1%25lo]", "[fd00::1]", "[fc00::1]",
    "169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "[::ffff:a9fe:a9fe]", "169.254.43518",
    "[fd00:ec2::254]", "10.0.0.5", "10.5", "0xa.0.0.5", "167772165", "172.16.0.1", "192.168.0.1", "192.168.1",
    "0xc0.0xa8.0.1", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "localhost", "localhost.localdomain",
    "ip6-localhost", "127.0.0.1.", "127.0.0.1%00", "１２７.０.０.１", "127。0。0。1", "93.184.66.6", "0x5db84206",
    "1572356614", "93.184.16902", "0135.0270.0102.06", "[::ffff:93.184.66.6]", "[2606:2800:220:1::6]", "0x7f.0x1",
    "00000000177.0.0.1", "127.0.0.1:80", "127.0.0.1:6379", "127.0.0.1:3000", "[::1]:8080", "203.0.113.9", "1.1.1.1:53",
    "256.256.256.256", "127.0.0.256", "4294967297", "0x1ffffffff", "1.2.3.4.5",
)  # fmt: skip
_SCHEMES = (
    "file:///etc/passwd?{t}", "ftp://{e}/{t}", "gopher://{e}:80/_GET%20/{t}", "javascript:fetch('https://{e}/{t}')",
    "data:text/html,<script>fetch('https://{e}/{t}')</script>", "view-source:https://{e}/{t}", "jar:https://{e}/{t}!/",
    "ws://{e}/{t}", "wss://{e}/{t}", "HTTP:{e}/{t}", "https:{e}/{t}", "http:/{e}/{t}", "https:/\\{e}/{t}",
    "https:\\\\{e}\\{t}",
    "//{e}/{t}", "///{e}/{t}", "////{e}/{t}", "/\\{e}/{t}", "\\\\{e}/{t}", "\\/{e}/{t}", "https:///{e}/{t}", "https:////{e}/{t}",
    "hTtPs://{e}/{t}", "blob:https://{e}/{t}", "filesystem:https://{e}/{t}", "about:blank#{t}", "dict://{e}:80/{t}",
    "ldap://{e}/{t}", "http+unix://%2fvar%2frun%2fdocker.sock/{t}", "unix:///var/run/{t}", "httpss://{e}/{t}", "http s://{e}/{t}",
    "x://{e}/{t}", "://{e}/{t}", ":{e}/{t}", "http://{s}/shop/{t}", "//{s}/admin/{t}", "/admin/{t}", "../admin/{t}",
    "?/../../admin/{t}",
)  # fmt: skip
_SPACES = (
    "\t",
    "\n",
    "\r\n",
    " ",
    "\x00",
    "\x0b",
    "\x0c",
    "\x1f",
    "\x7f",
    "\x85",
    "\xa0",
    "\u2028",
    "\ufeff",
    "%0a",
    "%0d%0a",
    "%09",
    "%00",
    "%20",
)
_SPACED = (
    "{w}https://{e}/{t}", "ht{w}tps://{e}/{t}", "https:{w}//{e}/{t}", "https:/{w}/{e}/{t}", "https://{w}{e}/{t}",
    "https://{s}{w}.{e}/{t}", "https://{s}{w}@{e}/{t}", "https://{s}/shop/{w}../admin/{t}", "https://{s}/shop/.{w}./admin/{t}",
    "https://{s}/shop/..{w}/admin/{t}", "https://{s}/{w}admin/{t}", "https://{s}/shop/x HTTP/1.1{w}Host: {e}{w}{w}/{t}",
)  # fmt: skip
_SPLITS = (
    "https://{e}#@{s}/shop/{t}", "https://{e}?@{s}/shop/{t}", "https://{e}\\@{s}/shop/{t}", "https://{e};@{s}/shop/{t}",
    "https://{e}%23@{s}/shop/{t}", "https://{e},{s}/shop/{t}", "https://{e} {s}/shop/{t}", "https://{e}|{s}/shop/{t}",
    "https://{e}%2f{s}/shop/{t}", "https://{e}%5c{s}/shop/{t}", "https://{e}／{s}/shop/{t}", "https://{e}＃{s}/shop/{t}",
    "https://{e}％2f{s}/{t}", "https://[{e}]/shop/{t}", "https://{e}%252f@{s}/shop/{t}", "https://{e}:443#@{s}/shop/{t}",
    "https://{e}/#https://{s}/shop/{t}", "https://{e}/?u=https://{s}/shop/{t}", "https://{s}#.{e}/{t}", "https://{s}?.{e}/{t}",
    "https://{s}<{e}/{t}", "https://{s}^{e}/{t}", "https://{s}`{e}/{t}", "https://{s}{{{e}}}/{t}",
)  # fmt: skip
_ALIKES = (
    "https://{s}.{e}/shop/{t}", "https://{t}-{s}/shop/{t}", "https://{t}.{s}/shop/{t}", "https://harbor.example/shop/{t}",
    "https://{t}harbor.example/shop/{t}", "https://shop.harbor.example.{t}.example/shop/", "https://shop-harbor.example/shop/{t}",
    "https://shop.harbor.exampl/shop/{t}", "https://shop.harbor.example1/shop/{t}", "https://shop.harbor/shop/{t}",
    "https://www.{s}/shop/{t}", "https://sh0p.harbor.example/shop/{t}", "https://{s}s/shop/{t}", "https://{s}/shopping/{t}",
    "https://{s}/shop/../shopping/{t}", "https://{s}/SHOP/{t}", "https://{s}/Shop/{t}", "https://{s}/shop{t}", "https://{s}/shop%2f{t}",
    "https://{s}/shop;/{t}", "https://{s}/shop%3f/{t}", "https://{s}/shop./{t}", "https://{s}/sho/p/{t}", "https://{s}//shop/../../{t}",
)  # fmt: skip


def _paths() -> Iterator[tuple[Trick, str]]:
    ways = product(_BEFORE, _UP, _SLASH, _INTO)
    for before, up, slash, into in ways:
        yield Trick.STEPS, f"https://{{s}}/shop/{before}{up}{slash}{into}"


def _closed() -> Iterator[tuple[Trick, str]]:
    for folder, end in product(_PRIVATE, _PRIVATE_ENDS):
        yield Trick.CLOSED, f"https://{{s}}/shop/{folder}{end}"


def _hosts() -> Iterator[tuple[Trick, str]]:
    """Tricks with everything before the path."""
    for port, host in product(_PORTS, ("{s}", "{e}")):
        yield Trick.PORT, f"https://{host}{port}/shop/{{t}}"
    for address, scheme in product(_ADDRESSES, ("http", "https")):
        yield Trick.ADDRESS, f"{scheme}://{address}/shop/{{t}}"
    for space, spaced in product(_SPACES, _SPACED):
        yield Trick.SPACE, spaced.replace("{w}", space)


_LISTED = (
    (Trick.USER, _USERS), (Trick.LETTERS, _LETTERS), (Trick.SCHEME, _SCHEMES), (Trick.SPLIT, _SPLITS),
    (Trick.ALIKE, _ALIKES),
)  # fmt: skip


def patterns(random: Random) -> dict[Trick, list[str]]:
    """All tricks with places to fill in: {s} the shop's name, {e} a foreign one, {t}
    the token; in a random order."""
    found: dict[Trick, list[str]] = {trick: list(texts) for trick, texts in _LISTED}
    for made in (_paths(), _closed(), _hosts()):
        for trick, text in made:
            found.setdefault(trick, []).append(text)
    for texts in found.values():
        random.shuffle(texts)
    return found


class Baits:
    """Gives out tricks: for each door all kinds in turn, no text twice, as long as
    there are any. The tokens of a door begin with its own digit."""

    def __init__(self, random: Random):
        """The order is the random one's."""
        self._random = random
        self.given: dict[str, Bait] = {}

    def take(self, digit: int, count: int) -> list[Bait]:
        """So many tricks for one door."""
        self._digit = digit
        left = patterns(self._random)
        found: list[Bait] = []
        while left and len(found) < count:
            for trick in list(left):
                found.append(self._made(trick, left[trick].pop()))
                if not left[trick]:
                    del left[trick]
        return found[:count]

    def _made(self, trick: Trick, text: str) -> Bait:
        """A trick with its places filled in."""
        token = f"q{self._digit}{len(self.given):04d}"
        # By replacing: the tricks have braces of their own.
        places = {"{s}": SHOP, "{e}": f"{token}.{EVIL}", "{t}": token}
        for place, filling in places.items():
            text = text.replace(place, filling)
        bait = Bait(token, trick, text)
        self.given[token] = bait
        return bait
