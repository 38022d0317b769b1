from crawloop_assets.scout.endpoints import endpoints_in, endpoints_of, scripts_loaded
from tests.scout.pages_of import document

_SCRIPTS = """<script src="/app.js"></script><script>
fetch('/api/items?page=1'); load("https://s.test/data/list.json"); import("/js/api/client.js"); "/about"
</script><script type="application/json">{"x": "/api/never"}</script>"""


def test_scripts_name_the_data_that_a_page_asks_for() -> None:
    page = document(_SCRIPTS)
    assert endpoints_of(page) == (
        "http://s.test/api/items?page=1",
        "https://s.test/data/list.json",
    )
    assert scripts_loaded(page) == ("http://s.test/app.js",)
    assert endpoints_in("get(`/v1/things`)", "http://s.test/") == (
        "http://s.test/v1/things",
    )
