"""The trust table: every weight, cut-off and prior of induction, with its unit and its
reason.

Bounds of work (how many, how long) stay where the work is done: they cost time, not
trust. `crawloop eval --vary NAME=x1.2` measures with another value,
`python -m bench.sensitivity` says which entries matter.
"""

FITTED = {
    "weights": "half of the families of the benchmark's pack, alike on the other half",
    "selector_parts": "listings of half of the families, alike on the other half",
}
"""Where the entries of a module were fitted. All others were set by hand, on the pages the
compiler was developed with."""

ENTRIES = """
anchors.known_word_share 0.7 share of a word that the vocabulary has for the field
anchors.other_field_factor 0.6 factor for words that hold the whole name of another field
attribute.@alt 0.55 factor for a value in such an attribute: a caption of a picture
apart.fewest_known 8 count known records of a page, for rows that stand apart from all of them to be told by what they lack
attribute.@aria-label 1.0 factor for a value in such an attribute
attribute.@content 1.0 factor for a value in such an attribute
attribute.@data-src 1.0 factor for a value in such an attribute
attribute.@datetime 1.0 factor for a value in such an attribute
attribute.@href 1.0 factor for a value in such an attribute
attribute.@src 1.0 factor for a value in such an attribute
attribute.@srcset 1.0 factor for a value in such an attribute
attribute.@title 0.55 factor for a value in such an attribute: a caption of a picture
attribute.@value 1.0 factor for a value in such an attribute
attribute.other 0.7 factor for a value in such an attribute
blocks.lines_trust 0.6 prior in what only lays the items of a list out in lines
blocks.split_trust 0.9 prior in what separates the items of a list in one text
boundary.least_hit 0.8 share of the known record elements that a selector must match
boundary.own_cells 0.6 share of the cells of one known record that one of several rows holds, so that their box is none
boundary.stranger_cost 0.25 share of a match unlike the known records; one like them gains 1
broken_fields.found_again 2 count known cells that new readers have to read
candidates.named 0.3 share of the field's words in what leads to a short value, which may be there by chance
choices.again 0.6 share of known choices that may change every day and have not, for a place of the known words to be theirs
choices.changed 0.1 share of known choices that may change every day and have, for the others to tell their words
choices.fewest_texts 2 count different texts, for words to stand for choices
choices.other_prior 0.35 prior of a place of choices that is named
choices.path 0.2 prior of a place of choices by position
column_fit.dated_known 0.15 weight of a column of dates, beside that
column_fit.least_fit 0.25 share of a column that may be a field's
column_fit.least_parsed 0.6 share of a column's texts that must be of the field's kind
column_fit.like_known 0.5 weight of what earlier values looked like, where some are known
column_fit.link 0.5 weight of a column of links that differ
column_fit.long 0.8 factor for a column with long texts, which may hold more than the value
column_fit.mostly_varied 0.8 share of a column's texts that differ, for a title
column_fit.title_bonus 0.35 prior for the first field of a schema, of a varying link or heading
column_fit.varied 0.2 weight of texts that differ, beside such words
column_fit.varied_known 0.15 weight of texts that differ, beside that
column_fit.worded 0.65 weight of words that name the field, for any other column
column_fit.worded_date 0.4 weight of words that name the field, for a column of dates
column_fit.worded_known 0.2 weight of words that name the field, beside that
column_fit.worded_link 0.3 weight of words that name the field, for such a column
context.field_words_bonus 0.2 prior gained by naming the field with all of its words
context.long_prefix 0.4 factor for cutting off a longer one
context.long_suffix 0.5 factor for cutting off a longer one
context.record_words_bonus 0.08 prior gained by naming the record
context.short_prefix 0.6 factor for cutting off a short beginning that is no label
context.short_suffix 0.7 factor for cutting off a short end
context.title_suffix 0.3 factor for cutting off an end that has words of the page's own title
contradictions.rival 0.35 share of the weight of all others, for a reader that contradicts them
contradictions.undisputed 0.8 share of the votes that an ensemble with a rival only has where both agree
cost.between 0.6 factor of trust that is left after the step for what stands between other words
cost.currency 0.85 factor of trust that is left after the step for the code of a sign
cost.date 0.95 factor of trust that is left after the step for one of several dates
cost.dedupe 1.0 factor of trust that is left after the step for no repeats
cost.epoch 0.95 factor of trust that is left after the step for a moment that is a number
cost.first 1.0 factor of trust that is left after the step for the first text
cost.join 0.95 factor of trust that is left after the step for a join
cost.last 0.7 factor of trust that is left after the step for the last text
cost.nth 0.6 factor of trust that is left after the step for a text by its place among others
cost.number 0.85 factor of trust that is left after the step for one of several numbers
cost.other 0.8 factor of trust that is left after the step for any other step
cost.regex 0.8 factor of trust that is left after the step for a pattern
cost.round 0.95 factor of trust that is left after the step for a number that is rounded
cost.split 0.98 factor of trust that is left after the step for parts
cost.srcset 0.9 factor of trust that is left after the step for the largest of several pictures
cost.strip_prefix 0.85 factor of trust that is left after the step for a cut at the beginning
cost.strip_suffix 0.7 factor of trust that is left after the step for a cut at the end
cost.template 0.7 factor of trust that is left after the step for a text put around what is read
cost.without 1.0 factor of trust that is left after the step for no headings or running numbers
counted.nth-last-of-type 0.48 prior of one counted from the back
counted.nth-of-type 0.5 prior of a path in a row, siblings counted from the front
dialect.ld 1.15 prior of JSON-LD, which describes the record
dialect.md 1.0 prior of microdata attributes
dialect.rdfa 0.9 prior of RDFa attributes
ensemble.beside_label 0.3 share of the votes that positions do not have without the label that they only confirm
ensemble.enough_alone 2 count pages on which one reader was right, to need no second one
ensemble.first 1.0 share of its weight that the first reader of an element has
ensemble.further 0.35 share of any other
ensemble.second 0.5 share of the second, or of any of one text
ensemble.watcher_share 0.6 share of its weight that a reader of another kin only watches with
evidence.among_numbers 0.5 factor for one of several numbers or dates of a text
evidence.among_words 0.7 factor for a number among many words, which may be another thing's
evidence.holds_items 0.6 factor for a text that has all items of a list in it
evidence.labelled_flag 0.6 share of the trust in a yes or a no that stands behind its label in a longer text
evidence.least_part 0.45 factor for a text that has the value in it, at least
evidence.link_as_text 0.6 factor for a date or a word in a link: rather the file's than the record's
evidence.part 0.9 factor for such a text, by how much of it the value is
evidence.url_end 0.5 factor for an attribute that has the end of an address
examples.alike 0.6 share of its steps that an element has in common with a row that it looks like
examples.fewest_rows 3 count rows; fewer show no repetition that another element could be like
few_words.fewest_again 4 count pages or rows more than different words, for a place to be a column of few words
few_words.most_silent 0.2 share of pages or rows in which such a place may say nothing: a heading is no row
few_words.own_letters 5 count letters of a choice that are in no other word by chance
field.at_its_name 0.7 share of the field's words that lead to a known value which overrules old readers
fit.position_cost 0.7 factor for one of several numbers or dates that is neither the first nor the last
gauntlet.agreement 0.98 share of known values that must be right
gauntlet.most_readers 0.6 share of a field's readers below which nothing of it is published
groups.fewest 3 count elements that look alike, to be rows
groups.least_filled 0.5 share of the rows that have a column
groups.small 0.4 share of a page's elements, for a frame: "with-sidebar" may name what is larger, the whole
guess.fewest_fields 2 count fields that a group of rows has to fit
guess.fewest_records 2 count whole rows that a guess needs
guess.rows 0.1 weight of the root of the number of rows, in the choice of a group
guess.sure 0.5 factor fit of a guess that is worth a reader
guess.sure_alone 0.6 share mean fit of columns that is worth a program without any examples
guess.very_sure 0.75 factor fit of a column that is hardly another field's
headings.less_trusted 0.8 prior below the prior of any reader that fits the kind of list
heal.enough_fields 0.4 share of a program's fields that pages of its family show
independence.backed_name 0.75 share of the field's words for a reader that another one of its element backs
independence.more_text 1.5 factor how much more text an element around may have to be one place with it
independence.sure_list 0.65 share the same for a list, which is less likely something else by chance
independence.sure_name 0.81 share of the field's words from which a place is named like the field
inherited.depth 0.05 prior lost for each element around the text of a header
inherited.least_right 0.6 share of the known cells a reader must get right, to be preferred to one that reads a header
inherited.tag 0.4 prior of the bare tag of a header above records
json_arrays.fewest_items 2 count items of an array of records
json_arrays.fewest_keys 3 count keys of an object that is a map of records
json_arrays.prior 0.8 prior of an array of records
json_paths.also_main 0.8 share of other roots that describe the record
json_paths.key 0.1 prior lost by a key that the vocabulary does not have
json_paths.key_before 0.9 factor for words in the key before the last
json_paths.least 0.05 share of any path
json_paths.less_for_digits 0.25 prior lost by a path with digits: they are of one entry, not of a kind of value
json_paths.less_for_markup 0.05 prior lost by what markup states, against JSON-LD
json_paths.less_per_key 0.01 prior lost by such a property, for each key
json_paths.less_unnamed 0.3 prior lost by a path that does not name the field well
json_paths.linked_depth 0.2 prior lost by linked data for each level: what describes the record is flat
json_paths.main 1.0 share of the root that describes the record best
json_paths.named 0.8 factor how well a key names a field, by its words alone
json_paths.other 0.7 share of any other root
json_paths.other_field 0.5 prior lost by a property that the vocabulary has for another field
json_paths.property 0.2 prior gained by a property that the vocabulary has for the field
json_paths.state_depth 0.02 prior lost by the state of a page for each level
json_paths.well_named 0.9 share of the field's words from which a path names it well
json_paths.words 0.2 weight of the field's words in the last keys
json_readers.later_item 0.6 share in an item of a list that is not the first
json_readers.least_length 0.5 share of a text's length that a text of JSON needs to be compared with it
json_readers.tree 0.03 prior gained by the whole text of a tree of items: it loses nothing
json_readers.unnamed_template 0.3 share in a number put into a text, if no key names the field
judging.not_as_known 0.25 share of the prior that a reader loses whose texts have other signs than the known ones
judging.fill 0.25 weight of other rows that have the place, against known cells read right
judging.less_filled 0.1 prior of other rows that a plainer cut may leave empty
judging.less_filled_uncut 0.4 prior the same for a place that is the value without any cut
judging.marked 0.9 share of other records that have a mark beside the value, for cuts at it to go before counted words
judging.sure 0.98 share of the samples a reader must get right, to be doubted by another reading of its place
judging.wrong 0.6 weight of a cell read wrong, against one read right
known_records.some_places 4.0 share of a value; at twice as many it is a worse anchor
known_records.typed_penalty 0.3 factor for numbers and dates, which occur by chance more often than names
labels.named 0.8 prior of what stands beside a label of the field
labels.share 0.1 weight of the field's words in the text beside it
labels.telling 0.5 share of the field's words from which a label is one of the field
labels.unnamed 0.3 prior of what stands beside any other text
lasting.built_alike 0.8 share of the elements of two pages that stand in the same tags, for the names on them to be compared
likeness.all_tokens 0.12 weight in the likeness of an element: words of its names and of those around it
likeness.announced 0.22 weight in the likeness of an element: the same label or heading before it
likeness.around_words 0.1 weight in the likeness of an element: words of the field around it
likeness.count 0.1 weight in the likeness of an element: as many items
likeness.heading_words 0.8 weight of a heading beside a label, in the words before an element
likeness.label_words 0.1 weight in the likeness of an element: words of the field in those
likeness.length 0.12 weight in the likeness of an element: a text as long
likeness.longer_value 2.5 factor how much longer than any known value another one may be
likeness.own_tokens 0.22 weight in the likeness of an element: words of its own names
likeness.own_words 0.2 weight in the likeness of an element: words of the field in its own names
likeness.position 0.06 weight in the likeness of an element: the same place on the page
likeness.shape 0.06 weight in the likeness of an element: the same kinds of character
likeness.tag 0.08 weight in the likeness of an element: the same tag
lessons.least_rows 0.75 share of the rows known before that a version taught by a few must read: one of two is no list
lines.least_found 0.5 share of the lines of a list, to know the element around them
lines.trust 0.85 prior in a whole element: less telling than the elements of its items
lines.trust_lost_per_level 0.05 prior lost for each element between the lines and what is named around them
listing.fewest_left 8 count known records of which fewer fields are left, for a list to be found by them
listing.found_again 2 count known records that prove a program
listing.left_values 3 count values that have to be left of each
listing.same_values 3 count known values that do, where hardly anything else is read
lists.deduped_trust 0.8 prior in readers that give a list without its repeats
lists.nearly_trust 0.7 prior in readers that only nearly give a list
locations.ancestor 0.08 prior lost by what an element around has instead
locations.json 0.75 prior of a path in the JSON of a row
locations.label 0.7 prior of what follows a label in a row
locations.picked 0.8 share in a value that is not the first of a selector's texts
locations.row 0.6 prior of the row itself
locations.tag 0.45 prior of a bare tag in a row, of which there are few
looks.core_share 0.9 share of what all known records have that a record must have
looks.strange_share 0.3 share of what a record has that no known one need have, beside one thing
merging.behind 0.05 share of the least weight before them, for old readers: never enough to overrule
marks.named_ways 200 count the same, for words of the flag's own name
marks.trust 0.6 prior in words that stand on just the pages of which a flag is known
marks.ways 10000 count ways to choose as many of some rows as have a flag, for what stands in just those to be no chance
meta_tags.heading_trust 0.75 prior in the only first heading, as the title
meta_tags.image 1.25 prior of the picture a publisher chose to stand for the page; linked data lists crops of it
meta_tags.less_per_rank 0.04 prior lost by each meta tag after the first the vocabulary has
meta_tags.trust 0.7 prior in a meta tag that the vocabulary has for a field
moved.fewest_left 3 count known rows still on a page, for others to be gone from it
moved.fewest_right 3 count known values read right, for others to count as moved
moved.strays 0.03 share of the known dates of rows that are gone which stand on the page by chance
moved.times_right 2 count times as many right as moved
moved.times_right_beside 0.5 factor of the moved that have to be right, where the known one is another row's now
moved.times_right_lasting 8 count the same for a field that is not volatile
moved_on.least 5 count by which a small count may have changed in a few days
moved_on.most 1.0 share of the smaller of two counts by which one may have become the other
moved_rows.agree 0.8 share mean agreement of the readers of a field in rows that are elsewhere
name_match.least_share 0.7 share of the field's words that a name has to have
name_match.least_telling 0.5 share of a name's own words; more than this has to be the field's
name_match.of_record 0.5 prior gained by a name that says the record first: "recipe title"
named.least_strength 0.4 share of a predicate that may name a field; weaker ones are utility classes
next_link.after_number 0.5 weight of the link behind the number of this page
next_link.last 0.6 weight of the last link of a pager
next_link.named 0.7 weight of a link by its name or its text
next_link.role 1.0 weight of a link that says by its role that it leads on
nearby.chance 0.000001 share of cases at most in which known numbers that are not far apart would all be near by chance
nearby.fewest_pages 5 count pages, for a number that has moved on all of them to be found by what it was
nearby.fewest_rows 10 count records, for numbers that moved far to be told by how far those of others are
nearby.most 0.15 share of a known number by which it may have moved
nearby.rows 0.9 share of the rows of which a place says numbers near the known ones, for a count of rows to be found by that
nearby.same_by_chance 0.0001 share of cases at most in which as many numbers would be what they were by chance
nearby.spread 3.0 factor from the least known number to the greatest, for nearness to be no chance
nearby.steps 0.5 share of the least distance of all numbers from those of other records, by which those of many moved
notation.fewest 2 count values that have to stand with the same notation, and none with another
number_words.fewest 2 count known records that have to have the number which a word stands for
otherwise.classes 0.5 prior of classes of a row that say a field
otherwise.fewest_rows 4 count rows with a known choice, for their words to be told
otherwise.fewest_rows_each 2 count rows with each known choice, of a yes or no or in JSON
otherwise.fewest_texts 2 count different texts among them
otherwise.json 0.6 prior of a key of a row that says a field otherwise
otherwise.strays 0.05 share of rows with a known choice that may say another one, as they have changed since
otherwise.trust 0.8 prior in a place whose words nobody has explained
own_words.fewest 0.25 share of pages that say the words which lead to a value that every page has, for those to be a label
page_address.trust 0.3 prior in the number of a page's own address, as its thing's
page_witness.certain 0.8 share of the votes that needs no further witness
page_witness.like 0.7 prior likeness of an element that makes it a witness
page_witness.margin 0.08 prior lead in likeness that makes it one
page_witness.spoken 0.5 share of the votes from which old readers count as speaking
parts.joined 0.8 factor of the least trust in the elements that make up one text together
predicates.class 0.65 prior of a class that names what the element is
predicates.data 0.5 prior of an attribute data-… whatever its value
predicates.data_value 0.7 prior of an attribute data-… with a word as its value
predicates.folder 0.5 prior of the folder that a link leads into
predicates.id 0.8 prior of an id without digits
predicates.module 0.55 prior of the part of a class that a person wrote before a build
predicates.numbered 0.4 prior of the part of a class before a number of this page
predicates.of_build 0.2 share of a class that a build made
predicates.passing 0.05 prior of a class that an earlier capture of the page lacks
predicates.stem 0.45 prior of the part of an id before a number of this page
predicates.tag 0.25 prior of a bare tag
predicates.telling_tag 0.5 prior of a tag that means something by itself, such as h1 or time
predicates.utility 0.35 prior of a toolkit's class, or a word that any element may bear; .65 changes nothing in listings
programs.always 0.98 share of the known records that have a field which every record has
programs.mostly_filled 0.9 share of rows with a field that is seldom missing
readers.doubt 0.51 share of the others' weight, for a rival at most: no more than the strongest of them
readers.least_doubt 0.26 share of the others' weight, for a rival at least, so that nothing is certain beside it
readers.few_right 0.5 share of the samples; if no reader gets it right, values may be shown in part only
readers.filled 0.5 share of other rows that a place fills which holds the value as it is
readers.least_usable 0.4 share of the samples a reader must get right to be used at all
readers.solid 0.8 share of the samples the best reader must get right for a field to have several
readers.worse 0.35 share how much worse than the best one a reader of an ensemble may score
record_elements.fewer_cells 0.1 share cells per record that the best elements may miss
record_elements.fewest 0.6 share of the known records that elements of one kind must reach
record_selectors.by_path 0.15 share of a path from the body: any new element around the records breaks it
record_selectors.depth 0.04 prior lost for each level between records and what is named around them
record_selectors.inner_tag 0.35 prior of a row that has a tag inside
record_selectors.inside 0.1 prior lost by a predicate of what is inside of a row
record_selectors.outer_tag 0.3 prior of the bare tag of what holds the records
record_selectors.style 0.3 prior of the style that all records have
record_selectors.tag 0.4 prior of the bare tag of the records
own_parts.alike 0.5 share of what two elements are made of that both have, to be built alike
own_parts.most_fields 0.7 share of the known fields on a page that its record holds
recurrence.fewest_choices 2 count different choices among them
recurrence.fewest_different 3 count different values among them
recurrence.fewest_pages 3 count pages on which known values stand in one place, to tell that place
recurrence.no_chance 8 count letters of different texts that one place gives by no chance
recurrence.place_prior 0.2 prior of such a place
repeated.heading_of_sentences 0.5 prior of sentences under a heading that names the field
repeated.heading_of_things 0.35 prior of things under such a heading: a page has several lists of them, and talks of them
repeated.least_share 0.5 share of the items that are read in one way or share a predicate
repeated.least_strength 0.3 share of a predicate of the element around a list
repeated.less_for_around 0.01 prior lost by the outer of elements with one text
repeated.less_for_children 0.02 prior lost by asking for children of the container: items may move deeper into it
repeated.less_for_parts 0.02 prior lost by the less likely of list items and parts of one element behind a heading
repeated.two_kinds_trust 0.85 prior in items of two kinds in one container
repeated.unnamed_heading 0.2 prior of what follows a heading that does not name the field
repeated.whole 0.1 prior gained by what takes headings along: it loses nothing
repeated.without_class 0.15 prior gained by asking for items without a class among others with one
rows.alike 0.7 share of the known values, or of their likeness, that has to be there
rows.fewest_alike 2 count words that two rows share at least
rows.filled 0.9 share of the usual fill from which a field of rows still works
scales.fewest_with_unit 2 count different numbers that one unit makes the known ones, each beside a unit of its kind
scales.fewest_different 3 count different numbers that one power of ten makes the known ones, for a unit to be told
scales.prior 0.3 prior of a place that says a number in another unit
scattered.stretch 8 factor on the letters of a list: a longer part of the text that holds all items is no list of them
scoring.fill 0.25 weight of how complete other rows are, against known cells read right
scoring.odd_cost 1.25 share of a record made otherwise than the known ones; any record gains 1
selector_parts.file 0.58 prior of a link to a kind of file, by its extension
selector_parts.word_bonus 0.24 prior gained in a row by naming the field with all of its words
selectors.alone_bonus 0.08 prior gained by a selector that matches nothing else
selectors.among_others_malus 0.12 prior lost by a selector that has other matches behind the first
selectors.ancestor_share 0.85 share of the field's words, where they are on an element around
selectors.distance_malus 0.03 prior lost for each level between an element and what is named around it
selectors.of_path 0.55 factor of the trust in an element that a path leads down from
selectors.path_malus 0.04 prior lost for each step of a path, which any new element breaks
selectors.path_share 0.7 share of those, where a path leads down from it
selectors.stronger_half 0.55 weight of the stronger of two predicates in one selector; the weaker has the rest
selectors.telling_tag 0.3 share of a bare tag that tells something of an element around
selectors.title_named 0.5 share of the words of a field that such a tag counts as
selectors.title_tag 0.62 prior of the bare tag of a heading or title, of which most pages have one
selectors.two_steps 0.05 prior lost by a selector of two steps: each may break
siblings.trust 0.9 prior of a reader of another family of the site at most: less than linked data
signs.prior 0.35 prior of a sign that agrees with all that is known
shown_too.winner 1.1 share of the weight of all that is stated, for what is shown beside it: it wins, unbelieved
similarity.alike 0.7 share of equal letters from which two texts are alike
similarity.nearly 0.9 share of equal items from which two lists are nearly the same
singles.around 0.3 weight of those in the names of the elements around it
singles.heading 0.4 weight of a value that is the first heading
singles.label 0.4 weight of those in the text before it
singles.labelled 0.8 factor how well a selector names a field whose label stands before its element
singles.leaf 0.1 weight of an element that holds no other
singles.less_for_before 0.1 prior lost by a value before its label: they are seldom written so
singles.less_per_level 0.2 factor lost by the name of an element around, for each level
singles.likely 0.3 weight of what speaks for the place, beside that
singles.lined 0.3 factor of the trust in a selector of a line, where a label leads to all lines of its element
singles.named 0.5 weight of the field's words in the names of the element of a value
singles.no_unit_named 0.3 share of the field's words: as well as a text without its unit is named at most
singles.self_named 0.2 share how well a text names a field that says by itself what kind of thing it is
singles.unlikely 0.55 factor of the trust in a selector, at a place nothing speaks for
singles.without_unit 0.5 share in a duration that does not say its unit
soundness.lasting 0.45 share of a reader that tends to last, whatever names it
soundness.named 0.5 share of the field's words that has to lead to a value that may be there by chance
structured.least_filled 0.5 share of the fields that the best root fills, for another root to be read
structured.less_for_sum 0.5 prior lost by a sum of parts: they need not add up
structured.less_per_label 0.005 prior lost by each of those after the first
structured.less_per_property 0.05 prior lost by each of those after the first
structured.less_per_rank 0.03 prior lost by each property after the first the vocabulary has
structured.less_per_root 0.25 prior lost by each root after the best
structured.unseen_label 0.7 share of a label that no known page has
structured.unseen_property 0.9 share of a property that no known page has
sums.fewest_pages 2 count pages on which two durations add up to the known one, for that to overrule what old readers say
sums.trust 0.8 factor for a duration that is read as the sum of two others
templates.trust 0.7 prior in a place when a text is added to what it says
text.head 0.9 factor for a value of a row that is this much of the text of its element
text.other 0.8 factor for a value of a row that is this much of the text of its element
text.own 0.95 factor for a value of a row that is this much of the text of its element
text.tail 0.85 factor for a value of a row that is this much of the text of its element
text.text 1.0 factor for a value of a row that is this much of the text of its element
ties.few 0.1 share of rows that may have a word which still tells one of them
ties.share 0.9 share of rows whose address has a word of another field of theirs
trials.few_digits 3 count digits of numbers that differ and stand among the same words on all known pages
trials.near 0.4 weight of a list read nearly as it is known, against one read right
trials.no_chance 6 count letters of values that differ, from which one place gives them by no chance
trials.of_known_only 0.5 share of its trust that a reader loses which only reads pages of known values
trials.phantom 0.25 weight of a value read where a record says there is none, against one read right
trials.wrong 0.5 weight of a value read wrong, against one read right
untaught.enough_records 3 count records that agree that a field is absent, so that it is by no chance
untaught.named 0.5 share of the field's words in what a guess is read by
valued.aria-label 0.55 prior of an element by the value of this attribute
valued.aria-labelledby 0.5 prior of an element by the value of this attribute
valued.for 0.5 prior of an element by the value of this attribute
valued.headers 0.7 prior of an element by the value of this attribute
valued.itemprop 0.95 prior of an element by the value of this attribute
valued.itemtype 0.8 prior of an element by the value of this attribute
valued.name 0.7 prior of an element by the value of this attribute
valued.property 0.75 prior of an element by the value of this attribute
valued.rel 0.6 prior of an element by the value of this attribute
valued.role 0.5 prior of an element by the value of this attribute
valued.title 0.4 prior of an element by the value of this attribute
weights.most_of_lists 2.0 factor times the weight of others at most, of lists: the record's was right in 12 of 17
weights.named_like_record 2.0 factor times the weight of others that markup has which names the record and the field
weights.of_page 0.4 factor times the weight of others that meta tags have: wrong in 69 of 84 contradictions
weights.typed_record 3.0 factor times the weight of others that a record's statement of itself has: right in 49 of 50
witness.no_chance 3 count digits of a number that is on few pages by chance
"""
"""Name (by the module that asks, or what several ask for), value, unit, reason."""
