from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.candidate import CandidateReader, best


def candidate(at: str, prior: float, **reader: object) -> CandidateReader:
    return CandidateReader(Reader(src=Source.CSS, at=at, **reader), prior, 0.0)


def test_the_most_trusted_come_first_and_no_more_than_asked_for() -> None:
    found = best([candidate("a", 0.2), candidate("b", 0.9), candidate("c", 0.5)], 2)
    assert [one.reader.at for one in found] == ["b", "c"]


def test_a_reader_that_is_proposed_twice_is_kept_with_its_higher_trust() -> None:
    again = [candidate("a", 0.2), candidate("a", 0.7), candidate("a", 0.4)]
    assert [one.prior for one in best(again, 5)] == [0.7]


def test_readers_differ_by_kin_place_part_and_pipe() -> None:
    pipe = (Step(op=Op.FIRST),)
    different = [
        candidate("a", 0.5),
        candidate("a", 0.5, kin=Kin.TAG),
        candidate("a", 0.5, get="own"),
        candidate("a", 0.5, pipe=pipe),
    ]
    assert len(best(different, 9)) == 4
    assert len({one.key for one in different}) == 4


def test_equals_come_in_an_order_that_does_not_depend_on_the_proposals() -> None:
    equals = [candidate(at, 0.5 + 1e-9 * len(at)) for at in ("b", "a", "c")]
    assert best(equals, 3) == best(equals[::-1], 3)
    assert [one.reader.at for one in best(equals, 3)] == ["a", "b", "c"]
