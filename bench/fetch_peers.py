"""The same crawl by other means, one process each: `python bench/fetch_peers.py NAME
PORT OUT` in a venv that has them.

Every one starts at /list/0 of four hosts, follows rel=next, reads six fields of each
product and writes JSON lines. `httpx` and `httpx_aiohttp` only fetch and keep what a
regular expression finds: the floor.
"""

import asyncio
import json
import re
import sys
from itertools import chain
from pathlib import Path
from typing import Any

HOSTS = range(1, 5)
CONCURRENCY = 32
PER_HOST = 8
XPATHS = {
    "title": "string(//h1[@class='product-title'])",
    "price": "string(//span[@class='price']/@data-amount)",
    "sku": "string(//span[@class='sku'])",
    "availability": "string(//span[@class='availability'])",
    "rating": "string(//span[@class='rating']/@data-value)",
    "description": "string(//div[@id='description']/p)",
}


def seeds(port: int) -> list[str]:
    return [f"http://127.0.0.{host}:{port}/list/0" for host in HOSTS]


def fields(selector: Any) -> dict[str, str]:
    return {name: selector.xpath(path).get() for name, path in XPATHS.items()}


async def raw(client: Any, port: int, out: Path) -> None:
    """Fetch the listings, then all products, at most 32 at once."""
    free = asyncio.Semaphore(CONCURRENCY)

    async def text(url: str) -> str:
        async with free:
            return str((await client.get(url)).text)

    async def listing(url: str) -> list[str]:
        found: list[str] = []
        while url:
            page = await text(url)
            base = url.rpartition("/list/")[0]
            found += [
                base + path for path in re.findall(r'class="item" href="([^"]+)"', page)
            ]
            onward = re.search(r'rel="next" class="next" href="([^"]+)"', page)
            url = base + onward[1] if onward else ""
        return found

    with out.open("w") as file:

        async def product(url: str) -> None:
            page = await text(url)
            sku = re.search(r'class="sku">([^<]+)', page)
            price = re.search(r'data-amount="([^"]+)', page)
            file.write(
                json.dumps({"sku": sku and sku[1], "price": price and price[1]}) + "\n"
            )

        urls = list(
            chain.from_iterable(await asyncio.gather(*map(listing, seeds(port))))
        )
        await asyncio.gather(*map(product, urls))


async def run_httpx(port: int, out: Path) -> None:
    import httpx

    async with httpx.AsyncClient(
        limits=httpx.Limits(max_connections=CONCURRENCY), trust_env=False
    ) as client:
        await raw(client, port, out)


async def run_httpx_aiohttp(port: int, out: Path) -> None:
    import httpx
    from httpx_aiohttp import HttpxAiohttpClient

    async with HttpxAiohttpClient(
        limits=httpx.Limits(max_connections=CONCURRENCY), trust_env=False
    ) as client:
        await raw(client, port, out)


def run_scrapy(port: int, out: Path) -> None:
    import scrapy
    from scrapy.crawler import CrawlerProcess

    class Shop(scrapy.Spider):
        name = "shop"
        start_urls = seeds(port)

        def parse(self, response: Any) -> Any:
            yield from response.follow_all(
                xpath="//a[@class='item']", callback=self.product
            )
            yield from response.follow_all(
                xpath="//a[@rel='next']", callback=self.parse
            )

        def product(self, response: Any) -> Any:
            yield fields(response)

    settings = {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": PER_HOST,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "FEEDS": {str(out): {"format": "jsonlines", "overwrite": True}},
    }
    process = CrawlerProcess(settings)
    process.crawl(Shop)
    process.start()


async def run_crawlee(port: int, out: Path) -> None:
    import logging

    from crawlee import ConcurrencySettings
    from crawlee.crawlers import ParselCrawler
    from crawlee.storage_clients import MemoryStorageClient

    crawler = ParselCrawler(
        respect_robots_txt_file=True,
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            desired_concurrency=CONCURRENCY,
            max_concurrency=CONCURRENCY,
            min_concurrency=CONCURRENCY,
        ),
        configure_logging=False,
    )
    logging.getLogger("crawlee").setLevel(logging.ERROR)
    file = out.open("w")

    @crawler.router.default_handler
    async def listing(context: Any) -> None:
        await context.enqueue_links(selector="a.item", label="product")
        await context.enqueue_links(selector="a.next")

    @crawler.router.handler("product")
    async def product(context: Any) -> None:
        file.write(json.dumps(fields(context.selector)) + "\n")

    await crawler.run(seeds(port))
    file.close()


if __name__ == "__main__":
    found = globals()[f"run_{sys.argv[1]}"](int(sys.argv[2]), Path(sys.argv[3]))
    if asyncio.iscoroutine(found):
        asyncio.run(found)
