"""The allowlist decides on scheme, host, port and path, and on nothing that could be read in two ways."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.access.allowlist import Allowlist, Route
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import ConfigError, NotAllowed
from crawloop_assets.family import Domain, Domains

SHOP = Domain(host="shop.test", paths=("/catalogue/", "/api"))
LOCAL = Domain(host="127.0.0.1", scheme="http", port=8080, private=True)


def allowlist(*domains: Domain, environ: dict[str, str] | None = None) -> Allowlist:
    return Allowlist(Domains(domains=domains or (SHOP, LOCAL)), environ or {})


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.test/catalogue/",
        "https://shop.test:443/catalogue/a?b=c",
        "HTTPS://SHOP.TEST/api/1",
        "https://shop.test/catalogue/a/../b",
        "https://shop.test/catalogue/a%20b",
        "http://127.0.0.1:8080/anything",
    ],
)
def test_listed_urls_pass(url: str) -> None:
    assert allowlist().check(url) in (SHOP, LOCAL)


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://shop.test/catalogue/", "not in domains.yaml"),
        ("https://shop.test:8443/catalogue/", "not in domains.yaml"),
        ("https://sub.shop.test/catalogue/", "not in domains.yaml"),
        ("https://shop.test.evil.test/catalogue/", "not in domains.yaml"),
        ("https://shop.test/", "no path prefix"),
        ("https://shop.test/catalogue", "no path prefix"),
        ("https://shop.test/CATALOGUE/", "no path prefix"),
        ("https://shop.test/catalogue/../admin", "no path prefix"),
        ("https://shop.test/catalogue/%2e%2e/admin", "no path prefix"),
        ("https://shop.test/catalogue/%252e%252e/admin", "no path prefix"),
        ("https://shop.test/catalogue/..%2fadmin", "no path prefix"),
        ("https://shop.test/catalogue/%5c..%5c..%5cadmin", "no path prefix"),
        ("https://shop.test//catalogue/", "no path prefix"),
        ("https://evil.test@shop.test/catalogue/", "user name"),
        ("https://shop.test@evil.test/catalogue/", "user name"),
        ("https://shop.test:@evil.test/catalogue/", "user name"),
        ("https://shop.test./catalogue/", "dot"),
        ("https://sh\u043ep.test/catalogue/", "not in domains.yaml"),
        ("https://shop.test\\@evil.test/", "backslashes"),
        ("https://shop.test/catalogue/\n", "control"),
        ("https://shop.test:/catalogue/", "empty port"),
        ("https://shop.test:0/catalogue/", "empty port"),
        ("https://shop.test:99999/catalogue/", "url:"),
        ("ftp://shop.test/catalogue/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//shop.test/catalogue/", "scheme"),
        ("https:///catalogue/", "plain ASCII name"),
        ("http://2130706433:8080/", "usual form"),
        ("http://0x7f000001:8080/", "usual form"),
        ("http://0177.0.0.1:8080/", "usual form"),
        ("http://127.1:8080/", "usual form"),
        ("http://0x7f.1:8080/", "usual form"),
        ("http://[::ffff:127.0.0.1]:8080/", "not"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "usual form"),
        ("http://[::1%25lo]:8080/", "zone"),
        ("http://127.0.0.2:8080/", "not in domains.yaml"),
        ("https://shop.test/catalogue/" + "x" * 5_000, "longer than"),
    ],
)
def test_everything_else_is_refused_by_a_named_rule(url: str, rule: str) -> None:
    with pytest.raises(NotAllowed) as caught:
        allowlist().check(url)
    assert rule in caught.value.reason


def test_an_international_name_is_listed_as_it_is_sent() -> None:
    assert allowlist(Domain(host="xn--bcher-kva.test")).check(
        "https://xn--bcher-kva.test/"
    )
    with pytest.raises(ConfigError, match="xn--"):
        allowlist(Domain(host="bücher.test"))


def test_an_address_inside_is_refused_even_when_listed_unless_private() -> None:
    with pytest.raises(NotAllowed, match=r"not public: .* `private: true`"):
        allowlist(Domain(host="127.0.0.1", scheme="http")).check("http://127.0.0.1/")
    with pytest.raises(NotAllowed, match="not a host's address"):
        allowlist(Domain(host="169.254.169.254", scheme="http", private=True)).check(
            "http://169.254.169.254/"
        )


def test_the_longest_path_decides_between_entries_of_one_host() -> None:
    wide, narrow = (
        Domain(host="shop.test", max_rps=1),
        Domain(host="shop.test", paths=("/api/",), max_rps=5),
    )
    both = allowlist(wide, narrow)
    assert both.check("https://shop.test/api/x") is narrow
    assert both.check("https://shop.test/apx") is wide


def test_resolve_says_where_to_connect_and_the_environment_overrides_it() -> None:
    fixed = Domain(host="demo.test", resolve="127.0.0.1:8717")
    assert allowlist(fixed).route("demo.test", 443) == Route(("127.0.0.1", 8717))
    moved = allowlist(
        fixed, environ={"CRAWLOOP_RESOLVE": " Demo.test=127.0.0.1:9000, x.test=[::1]:1"}
    )
    assert moved.route("demo.test", 443) == Route(("127.0.0.1", 9000))
    with pytest.raises(NotAllowed):
        moved.check("https://x.test/")
    assert moved.route("x.test", 443) == Route()


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "localhost:80", "127.0.0.1:0", "127.0.0.1:x", ":80"]
)
def test_a_resolve_that_is_no_endpoint_is_an_error(text: str) -> None:
    with pytest.raises(ConfigError, match="address:port"):
        allowlist(Domain(host="demo.test", resolve=text))
    with pytest.raises(ConfigError, match="address:port"):
        allowlist(
            Domain(host="demo.test"), environ={"CRAWLOOP_RESOLVE": f"demo.test={text}"}
        )


@given(
    st.text(max_size=60),
    st.sampled_from(
        ["https://shop.test/catalogue/", "https://shop.test", "http://", ""]
    ),
)
def test_what_passes_is_on_the_list_for_every_reader(tail: str, head: str) -> None:
    url = head + tail
    try:
        domain = allowlist().check(url)
    except NotAllowed:
        return
    sent = WebUrl.of(url)
    parts = urlsplit(sent)
    assert (parts.scheme, parts.hostname) == (domain.scheme, domain.host)
    assert any(parts.path.startswith(prefix) for prefix in domain.paths)
    assert sent.isascii() and "\\" not in sent and "@" not in parts.netloc
