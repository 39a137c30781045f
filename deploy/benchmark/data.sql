-- The benchmark's database: :users accounts with a session each, :families families with one child each, :events events
-- a child. Members are spread evenly; user u belongs to family 1 + (u - 1) % :families and has the token lpad(u, 64, '0').
-- A child has about 5 events a day, however many there are in all, so that a page and a week cost the same at any size.
set synchronous_commit = off;
set session_replication_role = replica; -- consistent as it is made: no checks of foreign keys
select setseed(0.42);
begin;
insert into users (id, email, name, password_hash, timezone, day_start_time, created_at, updated_at)
select md5('user-' || u)::uuid, 'user' || u || '@example.com', (array['Johnny', 'María', 'Zoë', '李雷'])[1 + u % 4] || ' ' || u,
       -- "password" by bcrypt, at the cost that the server uses
       '$2b$12$GhvMmNVjRW29ulnudl.LbuAnUtN/LRfe1JsBm1Xu6LE3059z5Tr8m',
       (array['America/New_York', 'America/New_York', 'America/Los_Angeles', 'Europe/London', 'Asia/Kolkata'])[1 + (u - 1) % :families % 5],
       (array['07:00', '07:00', '06:30', '00:00'])[1 + u % 4], now() - interval '61 days', now() - interval '61 days'
from generate_series(1, :users) u;
insert into sessions (id, user_id, token_hash, created_at, last_used_at, expires_at)
select md5('session-' || u)::uuid, md5('user-' || u)::uuid, encode(sha256(lpad(u::text, 64, '0')::bytea), 'hex'),
       now() - interval '10 days', now(), now() + interval '30 days'
from generate_series(1, :users) u;
insert into families (id, name, created_by, owner_id, revision, created_at, updated_at)
select md5('family-' || f)::uuid, 'Family ' || f, md5('user-' || f)::uuid, md5('user-' || f)::uuid, 1,
       now() - interval '61 days', now() - interval '61 days'
from generate_series(1, :families) f;
insert into feeds (family_id, last_revision, events_made)
select id, 1000000, :events from families;
insert into family_members (family_id, user_id, role, joined_at, revision)
select md5('family-' || 1 + (u - 1) % :families)::uuid, md5('user-' || u)::uuid, 'parent', now() - interval '61 days', 2
from generate_series(1, :users) u;
insert into children (id, family_id, name, date_of_birth, created_by, revision, created_at, updated_at)
select md5('child-' || f)::uuid, md5('family-' || f)::uuid, 'Baby ' || f, (now() - interval '70 days')::date,
       md5('user-' || f)::uuid, 3, now() - interval '61 days', now() - interval '61 days'
from generate_series(1, :families) f;

-- Who logged an event: one of the family's first two members.
create function pg_temp.author(f bigint, g bigint) returns uuid language sql immutable as
    $$ select md5('user-' || case when g % 2 = 0 then f else f + current_setting('bench.second')::bigint end)::uuid $$;
select set_config('bench.second', case when :users >= 2 * :families then :families else 0 end::text, false);

insert into events (kind, child_id, family_id, type, at, ended_at, side, amount_ml, content, food, notes, created_by, created_at, updated_at, revision)
select 0, md5('child-' || f)::uuid, md5('family-' || f)::uuid, t.type, t.at, t.at + (5 + g % 25) * interval '1 minute',
       case when t.type = 'breast' then (array['left', 'right', 'both'])[1 + g % 3] end,
       case when t.type = 'bottle' then 60 + g % 12 * 10 end,
       case when t.type = 'bottle' then (array['breast_milk', 'formula'])[1 + g % 2] end,
       case when t.type = 'solid' then 'mashed carrots' end,
       case when g % 5 = 0 then 'a bit fussy, "spat up"' || chr(10) || 'then fine' end,
       pg_temp.author(f, g), t.at, t.at, 4 + g
from generate_series(1, :families) f, generate_series(1, :events * 4 / 10) g,
     lateral (select (array['breast', 'bottle', 'bottle', 'breast', 'solid'])[1 + g % 5] as type,
                     date_trunc('minute', now() - (g - random()) * interval '12 hours' - interval '40 minutes') as at) t;
insert into events (kind, child_id, family_id, type, at, color, notes, created_by, created_at, updated_at, revision)
select 1, md5('child-' || f)::uuid, md5('family-' || f)::uuid, (array['wet', 'dirty', 'mixed', 'wet', 'dry'])[1 + g % 5], t.at,
       case when g % 5 in (1, 2) then (array['yellow', 'brown', 'green'])[1 + g % 3] end,
       case when g % 9 = 0 then 'new size' end, pg_temp.author(f, g), t.at, t.at, 4 + :events + g
from generate_series(1, :families) f, generate_series(1, :events * 3 / 10) g,
     lateral (select date_trunc('minute', now() - (g - random()) * interval '16 hours' - interval '5 minutes') as at) t;
insert into events (kind, child_id, family_id, type, at, ended_at, created_by, created_at, updated_at, revision)
select 2, md5('child-' || f)::uuid, md5('family-' || f)::uuid, (array['nap', 'night', null])[1 + g % 3], t.at,
       case when not (g = 1 and f % 10 = 0) then t.at + (30 + (g * 7 + f) % 150) * interval '1 minute' end,
       pg_temp.author(f, g), t.at, t.at, 4 + 2 * :events + g
from generate_series(1, :families) f, generate_series(1, :events * 2 / 10) g,
     lateral (select case when g = 1 and f % 10 = 0 then date_trunc('minute', now() - (5 + random() * 170) * interval '1 minute')
                          else date_trunc('minute', now() - (g - random()) * interval '24 hours' - interval '190 minutes') end as at) t;
insert into events (kind, child_id, family_id, content, for_doctor, at, created_by, created_at, updated_at, revision)
select 3, md5('child-' || f)::uuid, md5('family-' || f)::uuid, 'First smile today – “finally” \o/ ' || repeat('lorem ipsum ', (g % 6)::int),
       false, t.at, pg_temp.author(f, g), t.at, t.at, 4 + 3 * :events + g
from generate_series(1, :families) f, generate_series(1, :events / 10) g,
     lateral (select date_trunc('minute', now() - (g - random()) * interval '48 hours' - interval '5 minutes') as at) t;

-- Who sends the load.
create unlogged table bench_users as
select u as i, encode(sha256(lpad(u::text, 64, '0')::bytea), 'hex') as token_hash, md5('user-' || u)::uuid as user_id,
       md5('session-' || u)::uuid as session_id, md5('family-' || 1 + (u - 1) % :families)::uuid as family_id,
       md5('child-' || 1 + (u - 1) % :families)::uuid as child_id
from generate_series(1, :users) u;
alter table bench_users add primary key (i);
commit;
vacuum (freeze, analyze);
checkpoint;
