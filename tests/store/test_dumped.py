"""A file that is made of a store in Postgres is the one that is made of a store in files."""

from crawloop_assets.store import Store
from tests.store.everything import OF, A, content


def test_what_is_published_is_the_same_to_the_last_value(
    both: tuple[Store, Store],
) -> None:
    of_files, shared = (list(content(store.publish())) for store in both)
    assert len(of_files) > 20
    for one, other in zip(of_files, shared, strict=True):
        assert one == other


def test_what_is_known_is_the_same(both: tuple[Store, Store]) -> None:
    of_files, shared = both
    assert of_files.known(OF) == shared.known(OF)
    assert of_files.known(OF)[A][0]["part"]["price"] == "1234567890123456.7891"
    assert of_files.report(OF.family, "000001") == shared.report(OF.family, "000001")
    for one, other in zip(
        of_files.past.red(OF.family), shared.past.red(OF.family), strict=True
    ):
        assert (one.batch, one.fields, one.sentences) == (
            other.batch,
            other.fields,
            other.sentences,
        )
