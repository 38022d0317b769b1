"""Make docs/images: `python docs/screenshots.py`. Runs the demo shop in a project of its own and photographs the UI.

Needs Chromium on the PATH (or CRAWLOOP_CHROMIUM) and a few minutes. Nothing outside loopback is asked for.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import dagster as dg
from playwright.sync_api import Error, Page, sync_playwright

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.demo.site.changes import Only
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.family import Family
from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import dagster_processes
from crawloop_assets.project import PACKAGE, Project
from crawloop_assets.report.explained import Explainer
from crawloop_assets.report.explained_page import explained_html
from crawloop_assets.report.html import write_page
from crawloop_assets.report.shelf import Reports
from crawloop_assets.report.wave import write_last_wave
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.store import Store

IMAGES = Path(__file__).parent / "images"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--headless=new",
]
GROUP = "shop"
WHERE = "__repository__@crawloop"
DRIFT = "/assets/shop/product/records?view=checks&checkDetail=drift"
PROMOTIONS = "/assets/shop/product/crawler?view=events"
PATIENCE_S = 300
HOST = "shop.test"
REDESIGNED = Only(categories=frozenset({"audio", "kitchen"}))


class Camera:
    """Opens pages of the UI and keeps what it sees."""

    def __init__(self, page: Page, ui: str):
        self._page, self._ui = page, ui

    def shoot(
        self, name: str, path: str, *clicks: str, height: int = 900, which: int = -1
    ) -> None:
        """Photograph a page after clicking on elements with these texts, one after the other.

        `which` of several elements with the same text is meant, from 0; -1 is the last.
        """
        self._page.set_viewport_size({"width": 1400, "height": height})
        self._page.goto(f"{self._ui}{path}")
        self._settle()
        for text in clicks:
            found = self._page.get_by_text(text, exact=True).filter(visible=True)
            try:
                found.nth(which).click()
            except Error:
                print(f"{name}: there is no {text!r} on {path}", flush=True)
            self._settle()
        self._page.screenshot(path=IMAGES / f"{name}.png")

    def shoot_page(self, name: str, address: str, height: int = 900) -> None:
        """Photograph a page of our own."""
        self._page.set_viewport_size({"width": 1400, "height": height})
        self._page.goto(address)
        self._page.wait_for_timeout(1_000)
        self._page.screenshot(path=IMAGES / f"{name}.png")

    def _settle(self) -> None:
        """Until nothing on the page says that it is loading."""
        self._page.wait_for_timeout(4_000)
        for busy in ("Loading", "fetching statuses"):
            self._page.wait_for_function(
                "text => !document.body.innerText.includes(text)",
                arg=busy,
                timeout=60_000,
            )
        self._page.wait_for_timeout(1_000)


@contextmanager
def camera(ui: str) -> Iterator[Camera]:
    """A browser on the UI."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=FLAGS
        )
        yield Camera(browser.new_page(), ui)
        browser.close()


@contextmanager
def pager() -> Iterator[tuple[list[str], str]]:
    """A webhook on this machine: what arrived, and its address for Apprise."""
    told: list[str] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            told.append(json.loads(body)["message"])
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    yield told, f"json://127.0.0.1:{server.server_port}/hook"
    server.shutdown()


def switch(drive: Drive, on: bool) -> None:
    """Switch the heal sensor on or off, so that red can be looked at."""
    selector = {
        "repositoryLocationName": "crawloop",
        "repositoryName": "__repository__",
        "sensorName": "heal_on_drift",
    }
    if on:
        drive.graphql(
            "mutation On($s: SensorSelector!) { startSensor(sensorSelector: $s) { __typename } }",
            s=selector,
        )
        return
    found = drive.graphql(
        "query Id($s: SensorSelector!) { sensorOrError(sensorSelector: $s) { ... on Sensor { id } } }",
        s=selector,
    )
    drive.graphql(
        "mutation Off($id: String!) { stopSensor(id: $id) { __typename } }",
        id=found["sensorOrError"]["id"],
    )


def lay_out(home: Path) -> Project:
    """A project with the product family of the demo shop."""
    project = Project.at(home)
    project.families.mkdir(parents=True)
    shutil.copyfile(
        PACKAGE / "families" / "shop_product.yaml",
        project.families / "shop_product.yaml",
    )
    shutil.copyfile(PACKAGE / "domains.yaml", project.domains)
    os.environ["CRAWLOOP_HOME"] = str(home)
    return project


def photograph(
    shop: Shop, project: Project, drive: Drive, lens: Camera, told: list[str]
) -> None:
    """The story of the tour: crawl, redesign, red, told, healed."""
    (family,) = project.load_families()
    switch(drive, False)
    drive.wait([drive.discover(family)], PATIENCE_S)
    drive.wait([drive.refresh(family)], PATIENCE_S)
    shop.redesign("B", REDESIGNED)
    drive.wait([drive.refresh(family)], PATIENCE_S)
    lens.shoot(
        "assets", f"/locations/__repository__@crawloop/asset-groups/{GROUP}", height=700
    )
    lens.shoot("red", DRIFT, "Execution history", "Partitions", "000001")
    lens.shoot("inbox", "/assets/inbox?view=events", height=900)
    lens.shoot("overview", "/assets/overview?view=events", height=800)
    lens.shoot("launchpad", f"/locations/{WHERE}/jobs/release/playground", height=700)
    lens.shoot("plots", "/assets/shop/product/records", "Plots", height=1300)
    switch(drive, True)
    drive.until(lambda: bool(told), "somebody is told", PATIENCE_S)
    (link, *_) = [line for line in told[0].split() if "/reports/" in line]
    print(f"--- told ---\n{told[0]}\n---", flush=True)
    lens.shoot_page("paged", link, height=900)
    drive.until(
        lambda: not drive.red(family) and drive.idle(family), "green", PATIENCE_S
    )
    lens.shoot("healed", DRIFT, "Execution history", "Partitions", "000001")
    lens.shoot("proof", PROMOTIONS, "[Show Markdown]", which=0, height=720)
    lens.shoot("promotion", PROMOTIONS, "[Show Markdown]")
    report(project, family, lens)


def report(project: Project, family: Family, lens: Camera) -> None:
    """The page of a value, and that of the wave."""
    store = Store(project.var, project.published)
    shelf = Reports(project.var)
    url = min(store.known(family))
    with WorkerPool(1) as pool:
        (row,) = Explainer(family, store, pool).rows(url, "price")
        wave = write_last_wave(store, pool, family)
    explained = write_page(
        shelf.of_record(family.family, url, "price"),
        explained_html(family.family, row),
    )
    lens.shoot_page("explain", explained.as_uri())
    lens.shoot_page("report", shelf.of_last_wave(family.family).as_uri(), height=1300)
    assert wave


def main() -> None:
    """Make all images."""
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Shop()) as shop,
        pager() as (told, address),
    ):
        os.environ["TO_PAGER"] = address
        project = lay_out(Path(folder) / "project")
        os.environ["CRAWLOOP_RESOLVE"] = (
            f"{HOST}={shop.base_url.removeprefix('http://')}"
        )
        shop.base_url = f"http://{HOST}"
        with (
            dagster_processes(project, loop_seconds=2) as processes,
            dg.DagsterInstance.get() as instance,
            camera(processes.url) as lens,
        ):
            notify = (
                f"ui: {processes.url}\nreceivers: {{pager: {{url_env: TO_PAGER}}}}\n"
            )
            (project.root / "notify.yaml").write_text(notify)
            drive = Drive(processes.url, instance)
            photograph(shop, project, drive, lens, told)
        os.chdir(IMAGES)


if __name__ == "__main__":
    main()
