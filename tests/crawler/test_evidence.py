"""What a witness is."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.evidence import KINDS, Heard, Kind, kind_of, voices
from crawloop_assets.crawler.program import Kin, Reader, Source

TABLE = Path(__file__).parents[2] / "docs" / "evidence.md"


@pytest.mark.parametrize(
    ("reader", "kind"),
    [
        (Reader(src=Source.CSS, at=".price"), Kind.SHOWN),
        (Reader(src=Source.LABEL, at="price", get="next"), Kind.SHOWN),
        (Reader(src=Source.CSS, at="[itemprop=price]", kin=Kin.MICRO), Kind.SHOWN),
        (Reader(src=Source.CSS, at="img", get="@src"), Kind.SHOWN),
        (
            Reader(
                src=Source.CSS, at="[itemprop=price]", get="@content", kin=Kin.MICRO
            ),
            Kind.STATED,
        ),
        (Reader(src=Source.CSS, at="b", get="@data-price"), Kind.STATED),
        (Reader(src=Source.CSS, at="time", get="@datetime"), Kind.STATED),
        (Reader(src=Source.CSS, at="title", kin=Kin.META), Kind.STATED),
        (Reader(src=Source.JSON, at="ld:Product.name", get="value"), Kind.STATED),
    ],
)
def test_what_a_reader_reads_is_shown_or_stated(reader, kind):
    assert kind_of(reader) is kind


def counted(*said: tuple[float, Kind, str]) -> list[float]:
    """The weights that count, of readers that heard these texts."""
    ballots = [(f"r{at}", weight, "Alder") for at, (weight, _, _) in enumerate(said)]
    heard = {
        id(ballot): Heard(kind, text)
        for ballot, (_, kind, text) in zip(ballots, said, strict=True)
    }
    return [weight for _, weight, _ in voices(ballots, heard)]


def test_readers_of_one_text_are_one_voice():
    name, title = "Alder & Finch Lamp", "Alder & Finch Lamp - the shop"
    assert counted((0.4, Kind.SHOWN, name), (0.5, Kind.SHOWN, title)) == [0.5]
    assert counted((0.4, Kind.SHOWN, name), (0.5, Kind.SHOWN, "Alder")) == [0.5]


def test_readers_of_other_texts_or_of_another_kind_are_others():
    both = (0.4, Kind.SHOWN, "Alder"), (0.5, Kind.SHOWN, "made by A")
    assert counted(*both) == [0.5, 0.4]
    stated = (0.4, Kind.SHOWN, "Alder"), (0.5, Kind.STATED, "Alder")
    assert counted(*stated) == [0.5, 0.4]


def test_without_texts_all_ballots_count():
    ballots = [("a", 0.4, "x"), ("b", 0.5, "x")]
    assert len(voices(ballots, {})) == 2


def test_the_documents_have_the_same_table():
    lines = TABLE.read_text().splitlines()
    rows = [f"| {kind} | {sources} | {of} |" for kind, (sources, of) in KINDS.items()]
    assert [line for line in lines if line in rows] == rows
    assert set(KINDS) == set(Kind)
