"""Every statement of the examples runs on a real published file, and every column they name
is there."""

import re
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.test_docs import published

__all__ = ["published"]

EXAMPLE = Path(__file__).parent.parent / "examples" / "analytics"
SOURCES = yaml.safe_load((EXAMPLE / "models" / "sources.yml").read_text())["sources"]
SHOP = sorted((EXAMPLE / "evidence" / "sources" / "shop").glob("*.sql"))


@pytest.fixture
def opened(published: Path) -> duckdb.DuckDBPyConnection:
    """What dbt and Evidence see: the published file, attached read-only."""
    connection = duckdb.connect()
    connection.execute(f"attach '{published}' as crawloop (read_only)")
    return connection


def test_the_sources_of_dbt_are_there_with_their_columns(
    opened: duckdb.DuckDBPyConnection,
) -> None:
    for table in SOURCES[0]["tables"]:
        rows = opened.execute(f"describe crawloop.main.{table['name']}").fetchall()
        named = {one["name"] for one in table["columns"]}
        assert named <= {row[0] for row in rows}, table["name"]


@pytest.mark.parametrize(
    "model", sorted((EXAMPLE / "models").glob("*.sql")), ids=lambda file: file.stem
)
def test_a_model_of_dbt_runs(model: Path, opened: duckdb.DuckDBPyConnection) -> None:
    known = {one["name"] for one in SOURCES[0]["tables"]}
    text = model.read_text()
    asked = re.findall(r"source\('crawloop', '(\w+)'\)", text)
    assert asked and set(asked) <= known
    sql = re.sub(r"\{\{ source\('crawloop', '(\w+)'\) \}\}", r"crawloop.main.\1", text)
    assert "{{" not in sql
    done = opened.execute(sql)
    assert done.description


def test_the_page_of_evidence_runs_on_its_sources(
    opened: duckdb.DuckDBPyConnection,
) -> None:
    opened.execute("use crawloop")
    for source in SHOP:
        opened.execute(f"create temp view {source.stem} as {source.read_text()}")
    page = (EXAMPLE / "evidence" / "pages" / "index.md").read_text()
    queries = dict(re.findall(r"```sql (\w+)\n(.*?)```", page, re.S))
    assert set(re.findall(r"data=\{(\w+)\}", page)) == set(queries)
    for name, sql in queries.items():
        assert opened.execute(sql).description, name
    (charted,) = re.findall(r"x=(\w+) y=(\w+)", page)
    columns = {one[0] for one in opened.execute(queries["by_day"]).description}
    assert set(charted) <= columns
