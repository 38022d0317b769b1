"""A made-up redesign of a small kitchen site, as a pack would give it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Values = dict[str, Any]
Layout = Callable[[Values], str]

DISHES: tuple[Values, ...] = (
    {
        "title": "Leek and Barley Broth",
        "author": "Ottilie Marsh",
        "total_time": 55,
        "ingredients": ["three leeks", "a cup of barley", "two litres of stock"],
        "instructions": [
            "Sweat the leeks slowly.",
            "Add barley and stock.",
            "Simmer until it thickens.",
        ],
    },
    {
        "title": "Nettle Gnocchi",
        "author": "Bram Coldwell",
        "total_time": 80,
        "ingredients": ["a bag of nettles", "four old potatoes", "white flour"],
        "instructions": [
            "Boil and rice the potatoes.",
            "Chop the blanched nettles.",
            "Roll, cut and poach.",
        ],
    },
    {
        "title": "Burnt Honey Custard",
        "author": "Ines Halloran",
        "total_time": 35,
        "ingredients": ["dark honey", "six yolks", "a pint of cream"],
        "instructions": [
            "Burn the honey a little.",
            "Whisk in yolks and cream.",
            "Bake in a bath of water.",
        ],
    },
    {
        "title": "Smoked Beet Salad",
        "author": "Teodor Vance",
        "total_time": 20,
        "ingredients": ["smoked beets", "sharp goat cheese", "toasted walnuts"],
        "instructions": [
            "Slice the beets thinly.",
            "Crumble over the cheese.",
            "Finish with walnuts.",
        ],
    },
    {
        "title": "Rye Pancakes with Plums",
        "author": "Maren Oakes",
        "total_time": 25,
        "ingredients": ["rye flour", "buttermilk", "ripe plums"],
        "instructions": [
            "Stir flour into buttermilk.",
            "Fry small cakes.",
            "Warm the plums and spoon over.",
        ],
    },
)


def _items(tag: str, css: str, values: list[str]) -> str:
    return "".join(f'<{tag} class="{css}">{value}</{tag}>' for value in values)


def old_layout(dish: Values) -> str:
    return f"""<html><head><title>{dish["title"]} | Kitchen Notes</title></head><body><div id="page">
    <div class="banner">Kitchen Notes, a quiet site about cooking, with new dishes on most weekends</div>
    <h1 class="dish-name">{dish["title"]}</h1><p class="cook">by <a class="cook-name">{dish["author"]}</a></p>
    <table class="facts"><tr><th>Total time</th><td class="minutes">{dish["total_time"]} minutes</td></tr></table>
    <h2>Ingredients</h2><ul class="needs">{_items("li", "need", dish["ingredients"])}</ul>
    <h2>Method</h2><ol class="how">{_items("li", "how-step", dish["instructions"])}</ol></div></body></html>"""


def new_layout(dish: Values) -> str:
    return f"""<html><head><title>Kitchen Notes: {dish["title"]}</title></head><body><main class="app">
    <header class="app-top"><nav><a href="/">Home</a><a href="/about">About this kitchen</a></nav></header>
    <article class="card card--dish"><section class="card__intro"><h1 class="card__title">{dish["title"]}</h1>
    <span class="byline">Written by <b class="byline__who">{dish["author"]}</b></span>
    <dl class="meta"><dt>Total time</dt><dd class="meta__time">{dish["total_time"]} minutes</dd></dl></section>
    <section class="card__list"><h3>Ingredients</h3>{_items("p", "card__item", dish["ingredients"])}</section>
    <section class="card__steps"><h3>Method</h3>{_items("div", "card__step", dish["instructions"])}</section>
    </article></main></body></html>"""


def _stating(layout: Layout, dish: Values) -> str:
    """A page that states its dish for machines, too."""
    stated = {
        "@type": "Recipe",
        "name": dish["title"],
        "author": {"@type": "Person", "name": dish["author"]},
        "totalTime": f"PT{dish['total_time']}M",
        "recipeIngredient": dish["ingredients"],
        "recipeInstructions": dish["instructions"],
    }
    data = f'<script type="application/ld+json">{json.dumps(stated)}</script></head>'
    return layout(dish).replace("</head>", data)


def old_stating(dish: Values) -> str:
    return _stating(old_layout, dish)


def _bare(dish: Values) -> str:
    """A page that shows little more than the name of its dish."""
    return f"""<html><head><title>{dish["title"]} | Kitchen Notes</title></head><body>
    <main class="app"><nav class="app-top"><a href="/">Home</a><a href="/about">About us</a><a href="/all">All</a></nav>
    <section class="card"><p class="card__lead">{dish["title"]}</p><div class="card__hint">Tap to see the dish, to print it
    or to send it to somebody who is hungry.</div></section></main></body></html>"""


def new_stating(dish: Values) -> str:
    """Linked data as before, on pages that show nothing else as before."""
    return _stating(_bare, dish)


def with_other_methods(dish: Values) -> Values:
    """A dish that is cooked in another way now."""
    told = [
        f"Then, {step.lower().rstrip('.')} once more." for step in dish["ingredients"]
    ]
    return dish | {"instructions": told}


def _as_it_was(dish: Values) -> Values:
    return dish


def lost_layout(_dish: Values) -> str:
    return """<html><body><main class="farewell"><h1>Our kitchen moved</h1><p>The dishes you knew are in our printed
    book now, which every good shop has. Thank you for cooking with us for eleven years.</p></main></body></html>"""


def quiet_layout(dish: Values) -> str:
    """The old pages, of which the method is gone."""
    return old_layout(dish | {"instructions": []}).replace("<h2>Method</h2>", "")


def pack(
    folder: Path,
    after: Layout,
    *,
    author_after: str = "",
    gone: str = "",
    unread: str = "",
    before: Layout = old_layout,
    since: Callable[[Values], Values] = _as_it_was,
) -> Path:
    """Four dishes before; then the same, each as it is `since`, and a new one. `author_after` is what is then known of
    the author, though it stands only on the pages of the first three dishes; nothing is known of what is `gone`, and before
    it is known of what is `unread` what no page shows."""
    pages: list[dict[str, Any]] = []
    (folder / "kitchen").mkdir(parents=True)

    def capture(side: str, dish: Values, layout: Layout, changes: Values) -> str:
        slug = dish["title"].lower().replace(" ", "-")
        name = f"{slug}-{side}"
        told = since(dish) if side == "new" else dish
        (folder / "kitchen" / f"{name}.html").write_text(layout(told), encoding="utf-8")
        known = {**told, **changes}
        if side == "new":
            known.pop(gone, None)
        elif unread:
            known[unread] = "what no page shows"
        shown = dict.fromkeys(known, 1.0 if not changes or dish in DISHES[:3] else 0.4)
        pages.append(
            {
                "id": name,
                "file": f"kitchen/{name}.html",
                "url": f"https://kitchen.example/dish/{slug}",
                "records": [known],
                "in_dom": shown,
            }
        )
        return name

    olds = [capture("old", dish, before, {}) for dish in DISHES[:4]]
    changes = {"author": author_after} if author_after else {}
    news = [capture("new", dish, after, changes) for dish in DISHES]
    redesign = {
        "before": olds,
        "after": news,
        "same_page": [list(pair) for pair in zip(olds, news, strict=False)],
    }
    family = {
        "family": "kitchen/kitchen.example",
        "schema": "Recipe",
        "kind": "detail",
        "pages": pages,
    }
    (folder / "index.json").write_text(
        json.dumps({"format": 1, "families": [family | {"redesigns": [redesign]}]})
    )
    return folder
