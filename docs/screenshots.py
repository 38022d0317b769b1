"""Make docs/images: `python docs/screenshots.py`. Runs the demo shop in a project of its own and photographs the UI.

Needs Chromium on the PATH (or CRAWLOOP_CHROMIUM) and a few minutes. Nothing outside loopback is asked for.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from playwright.sync_api import Page, sync_playwright

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
GROUP = "shop__product"
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
            self._page.get_by_text(text, exact=True).filter(visible=True).nth(
                which
            ).click()
            self._settle()
        self._page.screenshot(path=IMAGES / f"{name}.png")

    def shoot_file(self, name: str, file: Path, height: int = 900) -> None:
        """Photograph a page of our own."""
        self._page.set_viewport_size({"width": 1400, "height": height})
        self._page.goto(file.as_uri())
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


def photograph(shop: Shop, project: Project, drive: Drive, lens: Camera) -> None:
    """The story of the tour: crawl, redesign, red, healed."""
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
    switch(drive, True)
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
    lens.shoot_file("explain", explained)
    if wave:
        lens.shoot_file("report", wave, height=1300)


def main() -> None:
    """Make all images."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(Shop()) as shop:
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
            photograph(shop, project, Drive(processes.url, instance), lens)
        os.chdir(IMAGES)


if __name__ == "__main__":
    main()
