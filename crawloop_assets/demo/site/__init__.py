"""The demo shop: 300 made-up products on a site that can be redesigned, repriced and
broken on purpose."""

from crawloop_assets.demo.site.changes import Break, Layout, Only, ShopPart
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop, ShopHit

__all__ = ["Break", "Layout", "Only", "Shop", "ShopHit", "ShopPart", "served"]
