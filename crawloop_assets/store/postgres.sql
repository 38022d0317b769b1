-- What DuckDB has and Postgres calls otherwise, so that one text is understood by both; made again with every layout.
do $$ begin
    create type example as (url varchar, field varchar, expected varchar, got varchar, page_sha256 varchar);
exception when duplicate_object then null; end $$;

create or replace function contains(text, text) returns boolean immutable language sql
    return strpos($1, $2) > 0;
create or replace function list_contains(text[], text) returns boolean immutable language sql
    return coalesce($2 = any($1), false);
create or replace function list_position(text[], text) returns integer immutable language sql
    return array_position($1, $2);
create or replace function regexp_extract(text, text, integer) returns text immutable language sql
    return coalesce((regexp_match($1, $2))[$3], '');
create or replace function epoch(timestamptz) returns double precision immutable language sql
    return extract(epoch from $1)::double precision;
create or replace function round(double precision, integer) returns double precision immutable language sql
    return round($1::numeric, $2)::double precision;
create or replace function json_merge_patch(json, json) returns json immutable language sql
    return ($1::jsonb || $2::jsonb)::json;
create or replace function from_json(json, text) returns example[] stable language sql
    return (select array_agg(one) from json_populate_recordset(null::example, $1) as one);
create or replace function hash(anyelement) returns bigint immutable language sql
    as 'select hashtextextended($1::text, 0)';

create or replace function keep_first(anyelement, anyelement) returns anyelement immutable strict language sql
    as 'select $1';
create or replace aggregate any_value(anyelement) (sfunc = keep_first, stype = anyelement);

do $$ begin
    create type said_at as (said text, at timestamptz);
exception when duplicate_object then null; end $$;
create or replace function later(said_at, text, timestamptz) returns said_at immutable language sql
    return case when $2 is null or $3 is null or $3 <= ($1).at then $1 else row($2, $3)::said_at end;
create or replace function said_of(said_at) returns text immutable language sql
    return ($1).said;
create or replace aggregate arg_max(text, timestamptz) (sfunc = later, stype = said_at, finalfunc = said_of);
