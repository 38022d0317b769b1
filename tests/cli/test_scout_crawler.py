from crawloop_assets.cli.scout_crawler import examples_for, schema_for, with_crawler
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.sandbox import ProposeJob, default_pool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.proposal import ProposedField
from crawloop_assets.scout.written import FamilyFiles
from tests.scout.pages_of import site_page
from tests.scout.sites import events


def test_what_no_crawler_reads_is_left_out_of_the_proposal() -> None:
    pages = tuple(
        site_page(events(), path) for path in ("/events", "/events/2", "/events/3")
    )
    proposal = (
        default_pool().run(ProposeJob(pages=pages, kind=FamilyKind.LISTING)).proposal
    )
    assert proposal is not None
    ghost = ProposedField(spec=FieldSpec(name="ghost"))
    (example,) = proposal.examples
    rows = tuple(
        row | {"ghost": f"unseen {index}"} for index, row in enumerate(example.records)
    )
    haunted = proposal.model_copy(
        update={
            "fields": (*proposal.fields, ghost),
            "examples": (example.model_copy(update={"records": rows}),),
        }
    )
    files = FamilyFiles("site/list", pages[0].url, haunted, {"seeds": [pages[0].url]})
    made = with_crawler(files, pages, default_pool())
    names = [one.spec.name for one in made.files.proposal.fields]
    assert names == [one.spec.name for one in proposal.fields]
    assert [len(read.records) for read in made.read] == [7, 7, 7]
    assert len(made.examples[0].records) == len(examples_for(proposal)[0].records) == 5
    assert schema_for(proposal, "X").name == "X"
