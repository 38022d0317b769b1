select changed_at, key, state, before.price as was, after.price as now from product_changes order by changed_at desc
