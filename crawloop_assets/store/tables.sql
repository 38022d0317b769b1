-- Control tables of the store. No indexes and no constraints: they cost more than they give in DuckDB, every writer
-- holds the file lock, and uniqueness is kept by the code that writes.
create table if not exists meta (version integer);
create table if not exists commits (number bigint, name varchar);
create table if not exists claims (name varchar, holder varchar, claimed_at timestamptz);

create table if not exists frontier (
    family varchar, batch varchar, url varchar, depth integer, found_on varchar,
    state varchar, alias_of varchar, verdict varchar, status integer,
    etag varchar, last_modified varchar, content_hash varchar, page_sha256 varchar, final_url varchar, headers json,
    page_fetched_at timestamptz, fetched_at timestamptz, next_due timestamptz, interval_s double, errors integer,
    added_at timestamptz
);
create table if not exists canaries (family varchar, url varchar, since timestamptz);
create table if not exists unread (
    family varchar, batch varchar, url varchar, since timestamptz, page_sha256 varchar, content_hash varchar,
    version integer
);
create table if not exists batches (
    family varchar, batch varchar, urls integer, created_at timestamptz, updated_at timestamptz
);
create table if not exists pages (
    family varchar, url varchar, sha256 varchar, final_url varchar, status integer, verdict varchar, headers json,
    size bigint, rung varchar, batch varchar, run_id varchar,
    first_fetched_at timestamptz, last_fetched_at timestamptz, fetches integer
);
create table if not exists materializations (
    family varchar, batch varchar, run_id varchar, schema varchar, passed boolean, committed_at timestamptz,
    served integer, held integer, records integer, new integer, changed integer, same integer, removed integer,
    missing integer, stale integer, duplicates integer, stats json, suspect integer,
    unit varchar, evidence json, settled_at timestamptz
);
create table if not exists drift_reports (
    family varchar, batch varchar, run_id varchar, created_at timestamptz,
    check_name varchar, passed boolean, severity varchar, observed double, threshold double, sentence varchar,
    examples struct(url varchar, field varchar, expected varchar, got varchar, page_sha256 varchar)[],
    version integer, wave varchar, resolved_at timestamptz, resolved_by varchar
);
create table if not exists quarantine (
    id varchar, family varchar, batch varchar, run_id varchar, url varchar, page_sha256 varchar, version integer,
    reasons json, "values" json, votes json, state varchar, held_at timestamptz,
    decided_at timestamptz, decided_by varchar
);
create table if not exists crawlers (
    family varchar, version integer, kind varchar, status varchar, body varchar, sha256 varchar, reason varchar,
    score_sheet json, probation boolean, layout json, run_id varchar, wave varchar,
    created_at timestamptz, promoted_at timestamptz
);
create table if not exists pins (
    family varchar, version integer, since timestamptz, who varchar, why varchar
);
create table if not exists shadows (family varchar, version integer, made_at timestamptz, shadow json);
create table if not exists told (
    name varchar, receiver varchar, kind varchar, family varchar, said varchar,
    claimed_at timestamptz, sent_at timestamptz, tries integer, trouble varchar
);
create table if not exists schemas (
    schema varchar, table_name varchar, source varchar, columns json, changed_at timestamptz, history json
);
create table if not exists family_tables (
    family varchar, table_name varchar, source varchar, "key" json, declared json, changed_at timestamptz
);
create table if not exists access_outcomes (
    created_at timestamptz, family varchar, run_id varchar, domain varchar, url varchar, rung varchar,
    outcome varchar, status integer, ms double, reason varchar
);
create table if not exists skips (family varchar, url varchar, rule varchar, seen_at timestamptz);
create table if not exists llm_calls (
    created_at timestamptz, family varchar, run_id varchar, purpose varchar, model varchar, tokens_in bigint,
    tokens_out bigint, usd double, ms double, prompt_sha256 varchar, outcome varchar,
    id varchar, wave varchar, reserved double, prompt varchar
);
create table if not exists questions (
    id varchar, family varchar, kind varchar, state varchar, fields json, sentence varchar, since timestamptz,
    wave varchar, url varchar, page_sha256 varchar, candidates json, evidence json,
    asked_at timestamptz, until timestamptz, decided_at timestamptz, decided_by varchar, why varchar
);
create table if not exists lessons (
    id varchar, family varchar, field varchar, "value" json, url varchar, page_sha256 varchar, "at" varchar,
    "row" integer, who varchar, why varchar, taught_at timestamptz, version integer,
    undone_at timestamptz, undone_by varchar
);
create table if not exists audit (
    created_at timestamptz, kind varchar, family varchar, run_id varchar, detail json
);

comment on table commits is 'The last commits by number, each with a name of its own; by them a store knows that it has lost one.';
comment on table claims is 'Which process asks for a heal wave, so that no other one does.';
comment on table frontier is 'Every known url, its batch, what the last fetch brought and when it is due again.';
comment on table batches is 'Append-only groups of urls; a batch is a Dagster partition.';
comment on table canaries is 'A few known urls per family that every refresh reads again.';
comment on table unread is 'Pages that no version reads and a model serves: since when, and what they held then.';
comment on table pages is 'Every distinct document a url has shown; bodies are zstd files named by sha256.';
comment on table materializations is 'One row per committed batch: what it did, and its statistics; pending while it has a unit and no settled_at.';
comment on table drift_reports is 'Every check of every committed batch; version read most of it, wave is the heal wave it was made again in; resolved_by is whoever made it green.';
comment on table quarantine is 'Pages held back, why, and what became of them.';
comment on table crawlers is 'All crawler versions of all families; one per family is active.';
comment on table pins is 'Versions that no heal may replace, since when, by whom and why.';
comment on table shadows is 'What a version reads beside the active one on stored pages, before somebody decides about it.';
comment on table told is 'What was told to whom: each thing once, whichever process noticed it.';
comment on table schemas is 'The columns of the record tables and of their histories over time.';
comment on table family_tables is 'Which table the records of a family are in, what names a record there, and what its model declares.';
comment on table access_outcomes is 'Every attempt to get a page, by rung of the access ladder.';
comment on table skips is 'Urls that discovery came across and did not take, each with the rule, as of the last time.';
comment on table llm_calls is 'Every model call and what it cost; usd is NULL where the price is unknown, and reserved is what then counts; prompt is the name and the version of what was asked with.';
comment on table questions is 'What a person was asked when a heal could not end green, and what was decided.';
comment on table lessons is 'Values that people said stand on a stored page; those that are not undone are examples.';
comment on table audit is 'Promotions, rollbacks, releases, heals: who did what, when and why.';
