"""What fields of things are called beside recipes, products and articles: people, places,
organisations, jobs, events, books, films, vehicles, real estate, courses, hotels,
reviews, datasets.

The properties are those of schema.org, of the types named above each part; the other
names and the labels that pages write were put down by hand, in English.
"""

from collections.abc import Mapping
from typing import NamedTuple


class ThingConcept(NamedTuple):
    """What a field is called, the properties that state it, best first, and whole labels
    that pages write before it, "_" for a gap."""

    names: tuple[str, ...]
    properties: tuple[str, ...]
    labels: tuple[str, ...]


# names | properties | labels
_TABLE = """
# Place, PostalAddress, LocalBusiness, FoodEstablishment
phone telephone tel phone_number telephone_number | telephone contactPoint.telephone | phone_no contact_phone main_phone
fax fax_number | faxNumber | fax_no
email email_address | email contactPoint.email | e_mail
website web_site homepage | | web_address official_site official_website official_sites web_page
street street_address | address.streetAddress streetAddress |
city locality town | address.addressLocality addressLocality |
region state province | address.addressRegion addressRegion |
postal_code zip zip_code postcode | address.postalCode postalCode | zip_postal_code
country | address.addressCountry.name address.addressCountry addressCountry countryOfOrigin.name countryOfOrigin |
opening_hours hours | openingHours | hours_of_operation business_hours
price_range | priceRange | average_price
latitude lat | geo.latitude latitude |
longitude lng lon | geo.longitude longitude |
# Person, SportsTeam
team | memberOf.name affiliation.name | current_team plays_for club
height | height.value height | ht
weight | weight.value weight | wt
nationality | nationality.name nationality | citizenship
birth_date born date_of_birth birthdate | birthDate |
birth_place place_of_birth birthplace | birthPlace.name birthPlace |
alma_mater | alumniOf.name alumniOf | education
# Organization, CollegeOrUniversity
founded founding_date | foundingDate | established year_founded year_established
employees number_of_employees | numberOfEmployees.value numberOfEmployees | company_size
institution_type school_type type | | type_of_school type_of_institution
# JobPosting
employment_type job_type contract_type | employmentType | type_of_employment position_type
experience experience_required | experienceRequirements | years_of_experience work_experience
education_required | educationRequirements | education_level
valid_through closing_date deadline apply_by | validThrough | application_deadline
industry | industry | job_category
# Event
organizer organiser host | organizer.name organizer | organized_by hosted_by presented_by
performer performers lineup | performer.name performer | line_up featuring
door_time | doorTime | doors_open
# Book
pages page_count number_of_pages | numberOfPages | print_length
book_format binding | bookFormat |
edition book_edition | bookEdition |
series | isPartOf.name isPartOf | book_series
translator | translator.name translator | translated_by
illustrator | illustrator.name illustrator | illustrated_by
# Movie, TVSeries
director directors directed_by | director.name director | film_director
actor actors cast starring | actor.name actor actors.name | stars cast_members main_cast
mpaa_rating content_rating age_rating | contentRating | mpaa rated motion_picture_rating_mpaa certification
release_date released | releasedEvent.startDate | in_theaters opening_date theatrical_release
studio distributor production_company | productionCompany.name productionCompany | distributed_by production_companies
screenwriter writers screenplay | | written_by
composer music_by | musicBy.name musicBy |
# Car, Vehicle
engine vehicle_engine | vehicleEngine.name vehicleEngine | engine_type engine_size
fuel_economy fuel_efficiency mpg | fuelEfficiency fuelConsumption | gas_mileage epa_mileage mpg_city_hwy city_hwy_mpg
transmission | vehicleTransmission | transmission_type
mileage odometer | mileageFromOdometer.value mileageFromOdometer |
fuel fuel_type | fuelType vehicleEngine.fuelType |
body_type body_style | bodyType |
drivetrain drive_type | driveWheelConfiguration |
doors number_of_doors | numberOfDoors |
seats seating_capacity | vehicleSeatingCapacity seatingCapacity |
vin | vehicleIdentificationNumber |
model_year | vehicleModelDate modelDate |
horsepower | vehicleEngine.enginePower.value |
# Accommodation, RealEstateListing
bedrooms beds number_of_bedrooms | numberOfBedrooms |
bathrooms baths number_of_bathrooms | numberOfBathroomsTotal |
rooms number_of_rooms | numberOfRooms |
floor_size living_area square_feet | floorSize.value floorSize | sq_ft living_space floor_area
lot_size | lotSize.value lotSize | lot
year_built | yearBuilt | built_in
# Course
instructor instructors teacher | instructor.name hasCourseInstance.instructor.name instructor | taught_by
provider | provider.name provider | offered_by
course_code | courseCode | course_number
credits number_of_credits | numberOfCredits | credit_hours
prerequisites | coursePrerequisites |
# Hotel, LodgingBusiness
check_in check_in_time | checkinTime | check_in_from
check_out check_out_time | checkoutTime | check_out_until
hotel_class star_rating | starRating.ratingValue | hotel_stars
amenities | amenityFeature.name amenityFeature | hotel_amenities
# Review, Product
reviewed_item item_reviewed | itemReviewed.name |
warranty | warranty.name warranty |
material | material.name material |
dimensions | | size_and_dimensions product_dimensions
# Dataset, SoftwareApplication
license licence | license.name license |
version | version softwareVersion |
file_format encoding_format | distribution.encodingFormat encodingFormat |
operating_system | operatingSystem | platform
"""
_MORE_LABELS = """
author | written_by author_s authors
genre | genre_s
company | company_name hiring_company
location | job_location work_location
price | our_price your_price asking_price
date_published | pub_date date_of_publication posted_on post_date posted_date published_on
publisher | published_by imprint
cuisine | cuisine_type type_of_cuisine
salary | pay_rate salary_range compensation
brand | made_by brand_name
"""


def _rows(table: str) -> list[list[tuple[str, ...]]]:
    """The rows of a table with bars between the columns and gaps between the words."""
    written = filter(None, map(str.strip, table.splitlines()))
    rows = (line.split("|") for line in written if not line.startswith("#"))
    return [[tuple(column.split()) for column in row] for row in rows]


THINGS = tuple(ThingConcept(*row) for row in _rows(_TABLE))
"""The concepts of such things."""
MORE_LABELS: Mapping[str, tuple[str, ...]] = {
    name[0]: labels for name, labels in _rows(_MORE_LABELS)
}
"""A name of another concept -> labels of the same kind."""
