"""What a person says stands in a longer text, with another unit or in other words."""

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.pointed import PointedAt, pointed_field
from crawloop_assets.induce.detail.pointed_texts import unworded
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.detail.test_pointed import known

DISK = FieldSpec(name="disk", kind=FieldKind.INTEGER)
BY = FieldSpec(name="operator")
STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=("open", "closed"))
YES = (Step(op=Op.MAP, args=("true", "open")),)
BEFORE = (Reader(src=Source.CSS, at=".s"),)


def taught(
    spec: FieldSpec, *bodies: tuple[str, str | None], at: str = ""
) -> list[Value] | str:
    """What is read of pages some values of which were said, or why nothing is."""
    pages = [known(body, value) for body, value in bodies]
    found = pointed_field(spec, pages, PointedAt(at, BEFORE))
    read = [vote_on(found.program, Scope(page.document))[0] for page in pages]
    return found.reason or read


def test_a_number_is_read_in_the_unit_that_was_said() -> None:
    said = taught(DISK, ("<p>SSD 1 TB</p>", "1024"), ("<p>SSD 512 GB</p>", None))
    assert said == [1024, 512]
    thousands = taught(DISK, ("<p>SSD 1 TB</p>", "1000"), ("<p>SSD 2 TB</p>", None))
    assert thousands == [1000, 2000]
    assert "in any place" in str(taught(DISK, ("<p>SSD 1 TB</p>", "1001")))


def test_a_text_is_cut_at_the_words_beside_it() -> None:
    bodies = [
        ("<h1>Net 9 by Orion Tel</h1>", "Orion Tel"),
        ("<h1>X 7 by Netia</h1>", None),
    ]
    assert taught(BY, *bodies) == ["Orion Tel", "Netia"]
    other = ("<h1>Plus 7 of Netia</h1>", None)
    assert taught(BY, bodies[0], other) == ["Orion Tel", None], "no such word"


def test_the_line_that_has_those_words_is_found_wherever_it_stands() -> None:
    asked = "<p>{} asked in {} for a mast of {} m and no more than {} t in Rome</p>"
    first = (f"<h1>Mast 7</h1>{asked.format('Orion Tel', 'May', 30, 2)}", "Orion Tel")
    asked = asked.replace("p>", "li>").format("Netia", "June", 45, 3)
    later = (f"<h1>Mast 8</h1><ul><li>New</li>{asked}</ul>", None)
    assert taught(BY, first, later) == ["Orion Tel", "Netia"]
    marks = (first[0].replace(" asked in ", ", "), "Orion Tel")
    other = (later[0].replace(" asked in ", ", "), None)
    assert taught(BY, marks, other) == ["Orion Tel", None], "a comma is in any line"


def test_a_cut_leaves_just_what_was_said() -> None:
    end = f"<p>Mast {{}} of {'30 m, ' * 40}and 2 t in {{}} for the firm {{}}.</p>"
    bodies = [
        (end.format(7, "May", "Orion Tel"), "Orion Tel"),
        (end.format(8, "June", "Netia"), None),
    ]
    assert taught(BY, *bodies) == ["Orion Tel", "Netia"]


def test_words_for_a_choice_are_taught_where_the_field_was_read_or_is_pointed_at() -> (
    None
):
    page = "<p>{0}</p><b class='s'>{0}</b>"
    bodies = [
        (page.format("In Kraft"), "open"),
        (page.format("closed"), None),
        (page.format("Ruht"), None),
    ]
    assert taught(STATE, *bodies) == ["open", "closed", None], "what it means is asked"
    assert taught(STATE, *bodies, at="p") == ["open", "closed", None]
    lost = ("<p>In Kraft</p>", "open")
    assert "in any place" in str(taught(STATE, lost)), "any text may be it"


def test_two_words_that_were_said_to_mean_two_things_tell_their_place() -> None:
    page = "<h1>{1}</h1><i>{0}</i><b>{2}</b>"
    bodies = [
        (page.format("In Kraft", "Act 1", "x"), "open"),
        (page.format("Ruht", "Act 2", "x"), "closed"),
        (page.format("Ruht", "Act 3", "x"), None),
    ]
    assert taught(STATE, *bodies) == ["open", "closed", "closed"]
    third = (page.format("Ersetzt", "Act 4", "x"), None)
    assert "in any place" in str(taught(STATE, *bodies, third)), (
        "what that means is asked"
    )


def test_the_names_of_the_pages_stand_for_no_choice() -> None:
    named = [("Act 1", "open"), ("Act 2", "closed"), ("Act 3", "open")]
    bodies = [(f"<b class='s'>{name}</b>", state) for name, state in named]
    assert "in any place" in str(taught(STATE, *bodies))
    valleys = (f"<b class='s'>Act</b><i>{one}</i>" for one in "ABCA")
    said = zip(valleys, ("open", "closed", "open", None), strict=True)
    assert "in any place" in str(taught(STATE, *said)), "two letters for one"
    of_words = [(f"<b class='s'>{one}</b>", one[:-1]) for one in ("open!", "closed!")]
    assert taught(STATE, *of_words, of_words[0]) == ["open", "closed", "open"]


def test_the_yes_of_a_key_stands_for_a_choice_of_its_name_alone() -> None:
    yes = Reader(src=Source.JSON, at="body.warning", get="value", pipe=YES)
    words = CandidateReader(yes, prior=0.1, named=0.0)
    plain = words._replace(reader=yes.model_copy(update={"pipe": ()}))
    called_so = words._replace(named=0.5)
    assert list(unworded([words, plain, called_so])) == [plain, called_so]
