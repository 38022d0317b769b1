-- How fresh the rows of each family are, and how many could not be read again.
select _family as family,
       count(*) as products,
       count(_stale_since) as stale,
       min(_verified_at) as oldest,
       max(_verified_at) as newest
from {{ source('crawloop', 'product') }}
group by _family
