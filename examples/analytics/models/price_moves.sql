-- What each price was before, and by how much it moved.
with prices as (
    select key, value as price, since,
           lag(value) over (partition by key order by since) as before
    from {{ source('crawloop', 'product_over_time') }}
    where field = 'price'
)
select key, since, before, price, price / before - 1 as moved
from prices
where before is not null and before <> 0
order by since desc
