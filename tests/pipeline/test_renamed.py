"""A shop that renames everything it sells in one night: red for one refresh, green by the next."""

from dataclasses import replace

from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.store import AuditKind, QuestionState
from tests.pipeline.test_questions import heal
from tests.world import PRODUCT, PRODUCTS, World


def rename(shop: Shop) -> None:
    """Put the name of the shop in front of all names."""
    for number, item in list(shop._items.items()):
        shop._items[number] = replace(item, title=f"Nordwind {item.title}")
    shop._touch()


def test_it_is_held_once_then_published_and_no_wave_follows_another(
    healthy: World,
) -> None:
    witness = healthy.witness()
    rename(healthy.shop)
    witness.note()
    assert healthy.refresh().success
    assert healthy.shown() == {"failed": healthy.batches}
    heal(healthy)
    waves = len(healthy.store.audits(PRODUCT, AuditKind.WAVE_STARTED))
    assert healthy.refresh().success
    assert healthy.shown() == {"succeeded": healthy.batches}
    assert not healthy.tick().run_requests
    assert len(healthy.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == waves == 1
    assert list(witness.faults(complete=False)) == []
    titles = [rows[0]["title"] for rows in healthy.store.known(healthy.family).values()]
    assert len(titles) == PRODUCTS
    assert all(title.startswith("Nordwind ") for title in titles)
    states = {one.state for one in healthy.store.questions.all(PRODUCT)}
    assert states <= {QuestionState.WITHDRAWN}
