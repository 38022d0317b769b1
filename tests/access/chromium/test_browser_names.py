"""No name is looked up by the browser itself, and nobody else goes out by its way."""

import json
import re
import socket
from pathlib import Path

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.family import Rung
from crawloop_assets.page import Verdict
from tests.access.chromium.test_browser import rendered
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Asked, Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]
CALLING = b"""<html><head><link rel="dns-prefetch" href="http://prefetch.beside.example">
<link rel="preconnect" href="http://preconnect.beside.example"></head><body><img src="http://image.beside.example/x.png">
<script>
const servers = [{urls: "stun:stun.beside.example:3478"}, {urls: "stun:stun2.beside.example"},
  {urls: "turn:turn.beside.example:3478?transport=udp", username: "u", credential: "c"},
  {urls: "turn:turn-tcp.beside.example:3478?transport=tcp", username: "u", credential: "c"}]
const one = new RTCPeerConnection({iceServers: servers}), other = new RTCPeerConnection({iceServers: servers})
one.createDataChannel("c")
one.createOffer().then(async offer => {
  await one.setLocalDescription(offer); await other.setRemoteDescription(offer)
  const answer = await other.createAnswer(); await other.setLocalDescription(answer); await one.setRemoteDescription(answer)
  for (const peer of [one, other]) for (const [n, kind] of [[1, "udp"], [2, "tcp"]])
    peer.addIceCandidate({sdpMid: "0", candidate: `candidate:${n} 1 ${kind} 2122260223 peer-${kind}.beside.example ` +
      `5${n}00 typ host` + (kind == "tcp" ? " tcptype passive" : "")}).catch(() => 0)
}).catch(() => 0)
setTimeout(() => { document.body.dataset.tried = "1" }, 2500)
</script></body></html>"""


def looking_at_the_net(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *more: str
) -> Path:
    """Has Chromium write down all it does on the net; the file."""
    log, wrapper = folder / "net.json", folder / "chromium-that-tells"
    switches = f'--log-net-log="{log}" --net-log-capture-mode=Everything'
    real = find_chromium()
    wrapper.write_text(f'#!/bin/sh\nexec "{real}" {switches} "$@" {" ".join(more)}\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", str(wrapper))
    return log


def looked_up(log: Path) -> set[str]:
    """The names that were asked of a resolver."""
    text = log.read_text(encoding="utf-8", errors="replace")
    types = json.loads(re.search(r'"logEventTypes":\s*(\{[^}]*\})', text)[1])  # type: ignore[index]
    names = {number: name for name, number in types.items()}
    found = set()
    for line in text.splitlines():
        kinds = re.findall(r'"type":(\d+)\}', line)
        asking = kinds and names[int(kinds[-1])].startswith(("DNS_", "HOST_RESOLVER_"))
        found |= set(re.findall(r"[a-z0-9-]+\.beside\.example", line if asking else ""))
    return found


async def shown(site: Site, make_fetcher: MakeFetcher) -> Fetched:
    site.routes["calls"] = lambda asked: Told(CALLING)
    access = rendered(media=True, wait_for="body[data-tried]", settle="1s")
    async with make_fetcher(hosts=1) as fetcher:
        return await fetcher.fetch(site.url("/calls"), access=access)


async def test_no_name_is_looked_up_beside_the_proxy(
    site: Site,
    make_fetcher: MakeFetcher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = looking_at_the_net(tmp_path, monkeypatch)
    assert (await shown(site, make_fetcher)).verdict is Verdict.OK
    assert log.stat().st_size > 10_000
    assert looked_up(log) == set()


async def test_without_the_rule_names_are_looked_up(
    site: Site,
    make_fetcher: MakeFetcher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = looking_at_the_net(tmp_path, monkeypatch, "--host-resolver-rules=")
    await shown(site, make_fetcher)
    names = {"peer-udp.beside.example", "turn-tcp.beside.example"}
    assert names <= looked_up(log)


async def test_no_other_program_goes_out_by_the_browsers_way(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    """As another user of this machine would try, who sees on its command line where it goes."""
    answers = []

    def other(asked: Asked) -> Told:
        host, _, port = fetcher._strategies[Rung.BROWSER]._tunnel.address.partition(":")  # type: ignore[attr-defined]
        for line in (f"GET {site.url('/p/0')}", f"CONNECT 127.0.0.1:{site.port}"):
            with socket.create_connection((host, int(port)), 5) as out:
                out.sendall(f"{line} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                answers.append(out.recv(1_000))
        return Told(b"<html><h1>a page</h1></html>")

    site.routes["tells"] = other
    async with make_fetcher(hosts=1) as fetcher:
        one = await fetcher.fetch(site.url("/tells"), access=rendered())
        assert one.verdict is Verdict.OK
    assert [answer[:12] for answer in answers] == [b"HTTP/1.1 407"] * 2
    assert not site.hits("/p/0")


async def test_a_site_that_wants_a_password_is_told_none(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["locked"] = lambda asked: Told(
        b"<h1>who are you</h1>", 401, headers={"WWW-Authenticate": 'Basic realm="x"'}
    )
    async with make_fetcher(hosts=1) as fetcher:
        one = await fetcher.fetch(site.url("/locked"), access=rendered())
    assert (one.verdict, one.status) == (Verdict.BLOCKED, 401)
    (hit,) = site.hits("/locked")
    assert "authorization" not in hit.headers
    assert "proxy-authorization" not in hit.headers
