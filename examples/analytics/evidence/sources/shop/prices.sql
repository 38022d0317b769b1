select key, value as price, since from product_over_time where field = 'price' order by since
