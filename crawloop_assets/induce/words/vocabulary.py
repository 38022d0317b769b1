"""What field names mean: schema.org properties, meta tags and the words pages put in
labels and class names.

One table for the whole product. A field that is in none of the rows is matched by its
own words alone.
"""

from itertools import chain, repeat
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.induce.words.recipe_labels import RECIPE_LABELS
from crawloop_assets.induce.words.things import MORE_LABELS, THINGS
from crawloop_assets.values.text import tokens, word_set


class Concept(NamedTuple):
    """`names` people give the field; `properties` are paths below the main typed
    object, best first; `labels` whole labels of it, beside its names."""

    names: tuple[str, ...]
    properties: tuple[str, ...] = ()
    meta: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def _concept(
    names: str, properties: str = "", meta: str = "", words: str = ""
) -> Concept:
    """A row of the table, each column words with gaps between them."""
    columns = (names, properties, meta, words)
    concept = Concept(*(tuple(column.split()) for column in columns))
    labels = (
        map(table.get, concept.names, repeat(()))
        for table in (MORE_LABELS, RECIPE_LABELS)
    )
    return concept._replace(labels=tuple(chain(*chain(*labels))))


CONCEPTS: tuple[Concept, ...] = (
    _concept(
        "title name headline product_name recipe_name",
        "name headline title",
        "og:title twitter:title",
        "title name headline heading titre titel titulo nombre nome",
    ),
    _concept(
        # What a person is, and what an advertised job is called.
        "job_title",
        "jobTitle title",
        "",
        "job position occupation",
    ),
    _concept(
        "author authors byline creator writer chef",
        "author.name author creator.name creator",
        "author article:author parsely-author sailthru.author dc.creator",
        "author byline creator writer contributor autor auteur autore by por von",
    ),
    _concept(
        "description summary abstract dek excerpt teaser intro",
        "description abstract",
        "description og:description twitter:description",
        "description desc summary intro excerpt dek standfirst lead lede ingress preamble headnote "
        "beschreibung descripcion descrizione",
    ),
    _concept(
        "image image_url photo picture thumbnail lead_image lead_image_url images main_image",
        "image.url image image.contentUrl thumbnailUrl primaryImageOfPage.url",
        "og:image twitter:image",
        "image photo picture img hero featured thumbnail bild foto imagen",
    ),
    _concept(
        "ingredients ingredient recipe_ingredients",
        "recipeIngredient ingredients",
        "",
        "ingredient zutat zutaten ingrediente ingredienti ingredienser ingredienten skladniki sastojci",
    ),
    _concept(
        "instructions directions steps method preparation recipe_instructions",
        "recipeInstructions",
        "",
        "instruction direction step method preparation zubereitung preparacion preparazione etape bereiding "
        "framgangsmate przygotowanie elaboracion procedimento preparo",
    ),
    _concept(
        "total_time ready_in",
        "totalTime",
        "",
        "total ready gesamt gesamtzeit totaltime insgesamt totale totaal ukupno tillagningstid bereidingstijd "
        "tilberedningstid zubereitungszeit",
    ),
    _concept(
        "prep_time preparation_time",
        "prepTime",
        "",
        "prep preparation vorbereitung vorbereitungszeit arbeitszeit preptime preparazione voorbereiding preparacion "
        "preparo priprema forberedelse",
    ),
    _concept(
        "cook_time cooking_time bake_time",
        "cookTime performTime",
        "",
        "cook cooking bake kochzeit backzeit cooktime cuisson cottura coccion cocinado kooktijd kuhanje",
    ),
    _concept(
        "yields servings yield serves portions recipe_yield",
        "recipeYield yield",
        "",
        "yield serving serve portion portionen personen makes porzioni porties portioner porce porcja porcje porciones "
        "porcoes raciones personnes persone personas personer annosta porcji",
    ),
    _concept(
        "ratings rating rating_value stars score average_rating",
        "aggregateRating.ratingValue",
        "",
        "rating ratingvalue star score average review bewertung",
    ),
    _concept(
        "ratings_count rating_count review_count reviews_count votes",
        "aggregateRating.ratingCount aggregateRating.reviewCount",
        "",
        "ratingcount reviewcount count vote review",
    ),
    _concept(
        "category categories section course recipe_category genre genres",
        "recipeCategory articleSection category genre",
        "article:section",
        "category categorie kategorie course section categoria kategori",
    ),
    _concept(
        "cuisine cuisines recipe_cuisine",
        "recipeCuisine servesCuisine",
        "",
        "cuisine kuche cocina cucina keuken",
    ),
    _concept(
        "keywords tags topics keyword tag",
        "keywords",
        "keywords news_keywords article:tag parsely-tags",
        "keyword tag topic label schlagwort stichwort stichworter etiqueta etiquetas",
    ),
    _concept(
        "price sale_price current_price amount cost",
        "offers.price offers.lowPrice offers.priceSpecification.price price",
        "product:price:amount og:price:amount",
        "price preis prix precio prezzo prijs amount cost cena pris",
    ),
    _concept(
        "currency price_currency",
        "offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency",
        "product:price:currency og:price:currency",
        "currency price",
    ),
    _concept(
        "availability in_stock stock",
        "offers.availability availability",
        "product:availability og:availability",
        "availability stock available verfugbar verfugbarkeit lager disponibilidad disponibilita disponibilite "
        "disponibilidade beschikbaarheid dostepnosc tillganglighet",
    ),
    _concept(
        "brand manufacturer vendor",
        "brand.name brand manufacturer.name manufacturer",
        "product:brand og:brand",
        "brand manufacturer marke hersteller vendor marca marque merk varumarke maerke znacka fabricant fabricante "
        "fabbricante produttore producent fabrikant tillverkare valmistaja vyrobce gyarto producator",
    ),
    _concept(
        "sku article_number item_number product_id",
        "sku productID",
        "product:retailer_item_id",
        "sku article item artikelnummer product asin",
    ),
    _concept(
        "mpn part_number model_number",
        "mpn model",
        "",
        "mpn part model modellnummer herstellernummer herstellerreferenz teilenummer modello modelo modele",
    ),
    _concept(
        "gtin ean upc barcode gtin13",
        "gtin13 gtin gtin12 gtin14 gtin8",
        "",
        "gtin ean upc barcode",
    ),
    _concept(
        "date_published published date published_at publish_date pub_date publication_date date_posted posted",
        "datePublished dateCreated uploadDate datePosted",
        "article:published_time datepublished pubdate publish-date date parsely-pub-date "
        "sailthru.date dc.date og:published_time",
        "published publish date time posted datum fecha pubdate timestamp filed",
    ),
    _concept(
        "date_modified modified updated updated_at last_modified",
        "dateModified",
        "article:modified_time og:updated_time",
        "modified updated update",
    ),
    _concept(
        "paragraphs body text content article_body",
        "articleBody text",
        "",
        "body content article paragraph text story",
    ),
    _concept(
        "start start_date starts start_time begins",
        "startDate",
        "",
        "start date time when begin",
    ),
    _concept("end end_date ends end_time", "endDate", "", "end date time until"),
    _concept(
        "location venue place address",
        "location.name location.address.name jobLocation.address.addressLocality address",
        "",
        "location venue place where address",
    ),
    _concept(
        "url link href permalink canonical",
        "url mainEntityOfPage.@id @id",
        "og:url",
        "url link permalink",
    ),
    _concept(
        "language lang locale",
        "inLanguage",
        "og:locale content-language",
        "language lang",
    ),
    _concept(
        "publisher site site_name source",
        "publisher.name",
        "og:site_name",
        "publisher site source",
    ),
    _concept("isbn", "isbn", "book:isbn", "isbn"),
    _concept("color colour", "color", "product:color", "color colour farbe"),
    _concept(
        "salary base_salary",
        "baseSalary.value.value baseSalary.value",
        "",
        "salary pay wage",
    ),
    _concept(
        "company hiring_organization employer",
        "hiringOrganization.name",
        "",
        "company employer organization",
    ),
    _concept(
        "duration runtime length",
        "duration timeRequired",
        "",
        "duration runtime length",
    ),
    _concept("docket docket_number case_number", "", "", "docket case number no"),
    _concept("calories", "nutrition.calories", "", "calorie kcal energy"),
    *(Concept(row.names, row.properties, labels=row.labels) for row in THINGS),
)

PROPERTIES = frozenset(chain.from_iterable(map(attrgetter("properties"), CONCEPTS)))
"""Every property some concept knows."""

PLAIN_NAMES = frozenset(
    frozenset(tokens(name))
    for name in chain.from_iterable(map(attrgetter("names"), CONCEPTS))
    if "_" not in name
)
"""Every name that is one word, as a set of it."""

SIDE_TYPES = word_set(
    "WebSite WebPage Organization BreadcrumbList ImageObject SiteNavigationElement WPHeader WPFooter WPSideBar "
    "SearchAction Corporation NewsMediaOrganization CollectionPage ItemPage ListItem Thing Comment Review UserComments "
    "Person Place PostalAddress Rating SpeakableSpecification FAQPage VideoObject AudioObject ProfilePage Brand "
    "LocalBusiness Breadcrumb WebPageElement"
)
"""Types that describe the site, not the thing the page is about."""
OWN_TYPES = word_set("Person Place LocalBusiness Organization VideoObject AudioObject")
"""Those of them that a page may be about, where it states no other thing."""

SUMS = {"totalTime": ("prepTime", "cookTime")}
"""Durations that are the sum of others where a page does not give them."""

STEPS = frozenset(("recipeInstructions", "step", "steps"))
"""Properties whose values are trees of steps."""
MANY_PARTS = STEPS | {"recipeIngredient", "ingredients"}
"""Properties of which a thing has several: a single text is all of them run together."""
COMMA_SEPARATED = frozenset(
    ("keywords", "recipeCategory", "recipeCuisine", "articleSection")
)
"""Properties whose value may be one text of many items with commas between."""
JOINED = frozenset(("recipeCategory", "recipeCuisine", "articleSection"))
"""Properties whose many values make one text."""
