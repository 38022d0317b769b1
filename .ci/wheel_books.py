"""Run by .ci/wheel_project in a new project: a site of three books, the project's own model and asset, one crawl."""

import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FAMILY = """\
family: books/book
schema: schemas:Book
key: [url]
discover: {seeds: ["http://books.test/"], include: ["^/book-"]}
examples:
  - {url: "http://books.test/book-1.html", record: {title: "The First Book", price: "11.50"}}
  - {url: "http://books.test/book-2.html", record: {title: "The Second Book", price: "12.50"}}
"""
DOMAINS = """\
user_agent: "a test (+https://example.org)"
domains:
  - {host: books.test, scheme: http, resolve: "127.0.0.1:PORT", max_rps: 100}
"""
OWN = '''\
"""The titles of all books, read from the published table."""

import dagster as dg
import duckdb


@dg.asset(deps=[dg.AssetKey(["books", "book", "records"])])
def titles() -> list[str]:
    with duckdb.connect("crawloop.duckdb", read_only=True) as tables:
        return [title for (title,) in tables.sql("select title from book order by title").fetchall()]
'''
NAMES = ("First", "Second", "Third")


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing of what is asked."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


def book(number: int) -> str:
    """The page of a book."""
    return (
        f"<html><body><div class='book'><h1 class='title'>The {NAMES[number - 1]} Book</h1>"
        f"<p class='price'>1{number}.50 EUR</p><p>Shelf {number * 7}</p></div></body></html>"
    )


def write_site(folder: Path) -> None:
    """Three books and a page that links them."""
    folder.mkdir()
    links = [f"<a href='/book-{number}.html'>{number}</a>" for number in (1, 2, 3)]
    (folder / "index.html").write_text(f"<html><body>{' '.join(links)}</body></html>")
    for number in (1, 2, 3):
        (folder / f"book-{number}.html").write_text(book(number))


def main() -> None:
    """Declare, crawl, and look at what an analyst and Dagster see."""
    write_site(Path("../site"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory="../site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Path("families/book.yaml").write_text(FAMILY)
    Path("domains.yaml").write_text(DOMAINS.replace("PORT", str(server.server_port)))
    Path("own/defs/titles.py").write_text(OWN)

    sys.path.insert(0, str(Path.cwd()))  # as Dagster does
    import dagster as dg
    from definitions import defs

    from crawloop_assets.pipeline.launch import prepare
    from crawloop_assets.pipeline.names import AssetNames, RunMode
    from crawloop_assets.project import Project

    project = Project.find()
    assert project.root == Path.cwd(), project.root
    family = project.family("books/book")
    assert family.model().__module__ == "schemas"
    assert Path(__import__("schemas").__file__).parent == Path("schemas").resolve()
    prepare(project)
    names = AssetNames(family)
    with dg.DagsterInstance.get() as instance:
        found = defs.resolve_job_def("discover_books__book")
        assert found.execute_in_process(
            instance=instance, tags=names.tags(RunMode.REFRESH)
        ).success
        batches = sorted(instance.get_dynamic_partitions(names.partition_set))
        tags = names.tags(RunMode.REFRESH, batches=(batches[0], batches[-1]))
        found = defs.resolve_job_def("refresh_books__book")
        assert found.execute_in_process(instance=instance, tags=tags).success
        own = defs.resolve_implicit_global_asset_job_def()
        result = own.execute_in_process(
            instance=instance, asset_selection=[dg.AssetKey("titles")]
        )
        assert result.output_for_node("titles") == [
            f"The {name} Book" for name in NAMES
        ]
    server.shutdown()
    print("a project of its own: three books crawled, its own asset read them")


if __name__ == "__main__":
    main()
