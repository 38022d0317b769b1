"""`crawloop mcp`, driven by the SDK's own client over stdin and stdout."""

import asyncio
import hashlib
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult

from crawloop_assets.cli.agents import TOKEN_ENV, server
from crawloop_assets.project import Project
from crawloop_assets.store import AuditKind, Store
from tests.cli.conftest import PRODUCT
from tests.world import World

TOKEN = "open-sesame-4711"
SERVE = ["mcp"]
LOOKS = {"status", "inbox", "why", "explain", "contract", "records"}
Asked = tuple[set[str], dict[str, CallToolResult]]


def talk(home: Path, token: str, calls: dict[str, dict[str, Any]], log: Path) -> Asked:
    """Start the server as an agent does: the names of its tools, and what each call said."""
    environ = {"CRAWLOOP_HOME": str(home), TOKEN_ENV: token, "PATH": "/usr/bin:/bin"}
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from crawloop_assets.cli.app import main; main()", *SERVE],
        env=environ,
        cwd=str(Path(__file__).parents[2]),
    )

    async def asked() -> Asked:
        with log.open("w") as errors:
            async with (
                stdio_client(command, errlog=errors) as (reading, writing),
                ClientSession(reading, writing) as session,
            ):
                await session.initialize()
                names = {tool.name for tool in (await session.list_tools()).tools}
                said = {
                    name: await session.call_tool(name, given)
                    for name, given in calls.items()
                }
                return names, said

    return asyncio.run(asked())


def test_an_agent_looks_and_does_only_what_its_token_may(
    healthy: World, tmp_path: Path
) -> None:
    project = healthy.project
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    (project.root / "roles.yaml").write_text(
        f"people: {{robot: {{may: [pause, resume], token_sha256: {digest}}}}}"
    )
    known = healthy.store.known(healthy.family)
    url = next(iter(known))
    before = len(healthy.store.attempts(url))
    calls: dict[str, dict[str, Any]] = {
        "status": {},
        "inbox": {},
        "contract": {"family": PRODUCT},
        "records": {"family": PRODUCT, "limit": 2},
        "explain": {"family": PRODUCT, "key": url, "field": "price"},
        "why": {"url": "http://elsewhere.test/x"},
        "pause": {"host": urlsplit(url).hostname, "why": "asked"},
        "approve": {"family": PRODUCT},
    }
    log = tmp_path / "log.txt"
    names, said = talk(project.root, TOKEN, calls, log)
    assert names == LOOKS | {"pause", "resume"}
    wrong = {name: one.content for name, one in said.items() if one.isError}
    assert set(wrong) == {"approve"}, wrong
    (family, *_) = said["status"].structuredContent["result"]  # type: ignore[index]
    assert family["family"] == PRODUCT and family["state"] == "green"
    rows = said["records"].structuredContent["result"]  # type: ignore[index]
    assert len(rows) == 2 and rows[0]["title"]
    (row,) = said["explain"].structuredContent["result"]  # type: ignore[index]
    assert row["fields"][0]["name"] == "price"
    why = str(said["why"].structuredContent)
    assert "not" in why and "elsewhere.test" in why
    (event,) = healthy.store.audits(kind=AuditKind.SITE_PAUSED)
    assert event.detail["who"] == "robot" and event.detail["why"] == "asked"
    assert len(healthy.store.attempts(url)) == before, "nothing was fetched"
    places = [file for file in project.root.rglob("*") if file.is_file()]
    assert [
        file for file in (*places, log) if TOKEN.encode() in file.read_bytes()
    ] == []


@pytest.mark.parametrize("token", ["", "another"])
def test_who_has_no_token_only_looks(
    project: Project, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_ENV, token)
    tools = asyncio.run(server().list_tools())
    assert {tool.name for tool in tools} == LOOKS
    assert all(tool.annotations and tool.annotations.readOnlyHint for tool in tools)
    digest = hashlib.sha256(b"right").hexdigest()
    (project.root / "roles.yaml").write_text(
        f"people: {{robot: {{may: ['*'], token_sha256: {digest}}}}}"
    )
    tools = asyncio.run(server().list_tools())
    assert {tool.name for tool in tools} == LOOKS
    for tool in tools:
        Draft202012Validator.check_schema(tool.outputSchema or {})
    store = Store(project.var, project.published)
    assert store.audits(kind=AuditKind.NOT_PERMITTED) == []
