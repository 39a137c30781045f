-- Fills a database of sql_017, as its superuser, with fill.events events of all nine kinds, and something in every other table.
-- Each family's numbers are 1 itself, 2 and 3 its members, 4 and 5 its children, 6 and 7 what is gone, then its events.
set statement_timeout = 0;
-- Consistent as it is made: no checks of foreign keys.
set session_replication_role = replica;

create temporary table made as
select f, md5('family-' || f)::uuid as family, md5('parent-' || f)::uuid as parent, md5('carer-' || f)::uuid as carer,
    md5('child-' || f)::uuid as first, md5('sister-' || f)::uuid as second
from generate_series(1, greatest(5, current_setting('fill.events')::int / 20000)) f;

insert into users (id, email, name, password_hash, created_at)
select parent, 'parent' || f || '@example.com', 'Parent ' || f, 'none', timestamptz '2026-01-01' from made
union all select carer, 'carer' || f || '@example.com', 'Carer ' || f, 'none', '2026-01-01' from made;
insert into users (id, name, deleted_at) select md5('gone-' || f)::uuid, 'Gone ' || f, '2026-02-01' from made;
insert into sessions (user_id, token_hash, expires_at)
select parent, encode(sha256(lpad(f::text, 64, '0')::bytea), 'hex'), now() + interval '30 days' from made;
-- Some from before there was a count of events.
insert into families (id, name, created_by, owner_id, sharing_policy, revision, last_revision, purged_revision,
    events_made, events_day, events_of_day, kinds)
select family, 'Family ' || f, parent, parent, case f % 2 when 0 then 'co_parent' else 'standard' end, 1,
    7 + current_setting('fill.events')::int / (select count(*) from made), f % 3 * 6,
    case when f % 2 = 0 then 123 + f end, case when f % 2 = 0 then '2026-03-01'::date end, f % 2 * 5, '{0,1,2,3,4,5,6,7,8}'
from made;
insert into family_members (family_id, user_id, role, joined_at, access_until, revision)
select family, parent, 'parent', timestamptz '2026-01-01', null, 2 from made
union all select family, carer, case f % 2 when 0 then 'viewer' else 'caregiver' end, '2026-01-02', now() + interval '1 year', 3 from made;
insert into children (id, family_id, name, date_of_birth, created_by, revision)
select first, family, 'First ' || f, date '2025-01-01', parent, 4 from made
union all select second, family, 'Second ' || f, '2026-01-01', carer, 5 from made;
insert into share_links (family_id, token_hash, role, expires_at, nonce, created_by, invitee_email, label, access_until)
select family, md5('link-' || f), 'viewer', now() + interval '1 day', decode(md5('nonce-' || f), 'hex'), parent,
    'friend' || f || '@example.com', 'Friend', now() + interval '1 month' from made;
insert into tombstones (family_id, entity, entity_id, revision, deleted_at)
select family, 'family_member', md5('gone-' || f)::uuid, 6, now() from made
union all select family, 'child', md5('gone child-' || f)::uuid, 7, now() from made
union all select md5('gone family-' || f)::uuid, 'family', md5('gone family-' || f)::uuid, null, now() from made
-- What went with the child. Identifiers of people are everywhere the same.
union all select family, kind, md5('gone ' || kind || f)::uuid, null, now()
    from made, unnest('{feeding,diaper,sleep,note,pumping,measurement,temperature,medication,activity}'::text[]) kind
union all select family, 'family_member', md5('left everywhere')::uuid, null, now() from made;
insert into throttle_key (nonce, sealed, proof) values ('\x01', '\x02', '\x03');
insert into login_places (account, place, seen_at) select '\x04', int4send(f), now() from made;
insert into login_failures (account, failures, failed_at) select int4send(f), 3, now() from made;
insert into user_rates (user_id, since, requests) select parent, now(), 1 from made;
insert into address_rates (bucket, address, accepted) select 'login', '127.0.0.' || f, array[now()] from made;
insert into kept_timelines (child_id, family_id, revision, page) select first, family, 8, '\x00' from made;

-- The nth event of a family is of kind n % 9. Some are deleted, some have no author, some were changed, and in 2025 some ended before they began.
create temporary table logged as
select md5('event-' || f || '-' || n)::uuid as id, family as family_id, case n / 9 % 2 when 0 then first else second end as child_id,
    n % 9 as kind, timestamptz '2025-01-01' + n * interval '7 minutes' as at,
    timestamptz '2025-01-01' + n * interval '7 minutes' + (n % 30 - 1) * interval '1 minute' as ended_at,
    case n % 4 when 0 then null when 1 then carer else parent end as created_by,
    timestamptz '2025-01-01' + n * interval '7 minutes' as created_at,
    timestamptz '2025-01-01' + n * interval '7 minutes' + n % 3 * interval '1 hour' as updated_at,
    case when n % 17 = 16 then now() - n % 20 * interval '1 day' end as deleted_at,
    8 + n as revision, case when n % 5 = 0 then 'note ' || n || ', “said” \ 李雷' end as notes, n / 9 as m
from made, generate_series(0, current_setting('fill.events')::int / (select count(*) from made)::int - 1) n;

insert into feedings select id, child_id, (array['breast', 'bottle', 'solid'])[1 + m % 3], at,
    case when m % 7 > 0 then ended_at end, case m % 3 when 0 then (array['left', 'right', 'both'])[1 + m % 3] end,
    case m % 3 when 1 then 60.5 + m % 100 end, case m % 3 when 1 then (array['breast_milk', 'formula', 'mixed', 'other'])[1 + m % 4] end,
    case m % 3 when 2 then 'pear' end, notes, created_by, created_at, updated_at, family_id, deleted_at, revision from logged where kind = 0;
insert into diapers select id, child_id, (array['wet', 'dirty', 'mixed', 'dry'])[1 + m % 4], at,
    (array['yellow', 'brown', 'green', 'black', 'red', 'white', 'other', null])[1 + m % 8],
    notes, created_by, created_at, updated_at, family_id, deleted_at, revision from logged where kind = 1;
-- Each child sleeps at first.
insert into sleeps select id, child_id, (array['nap', 'night', null])[1 + m % 3], at, case when m > 1 then greatest(at, ended_at) end,
    notes, created_by, created_at, updated_at, family_id, deleted_at, revision from logged where kind = 2;
insert into notes select id, child_id, repeat('smile ', 1 + m % 40), at,
    notes, created_by, created_at, updated_at, family_id, deleted_at, revision from logged where kind = 3;
insert into pumpings (id, child_id, started_at, ended_at, side, amount_ml, notes, family_id, created_by, created_at, updated_at, deleted_at, revision)
select id, child_id, at, greatest(at, ended_at), (array['left', 'right', 'both', null])[1 + m % 4], case when m % 3 > 0 then 0.5 * (m % 500) end,
    notes, family_id, created_by, created_at, updated_at, deleted_at, revision from logged where kind = 4;
insert into measurements (id, child_id, occurred_at, weight_g, length_cm, head_cm, notes, family_id, created_by, created_at, updated_at, deleted_at, revision)
select id, child_id, at, 2500 + m % 9000, case m % 2 when 0 then 48.5 + m % 60 end, case m % 3 when 0 then 34.1 + m % 10 end,
    notes, family_id, created_by, created_at, updated_at, deleted_at, revision from logged where kind = 5;
insert into temperatures (id, child_id, occurred_at, celsius, site, notes, family_id, created_by, created_at, updated_at, deleted_at, revision)
select id, child_id, at, 36.0 + m % 50 * 0.1, (array['rectal', 'oral', 'ear', 'forehead', 'armpit', null])[1 + m % 6],
    notes, family_id, created_by, created_at, updated_at, deleted_at, revision from logged where kind = 6;
insert into medications (id, child_id, occurred_at, name, dose, notes, family_id, created_by, created_at, updated_at, deleted_at, revision)
select id, child_id, at, 'Vitamin D', case m % 2 when 0 then '1 drop' end,
    notes, family_id, created_by, created_at, updated_at, deleted_at, revision from logged where kind = 7;
insert into activities (id, child_id, started_at, ended_at, name, notes, family_id, created_by, created_at, updated_at, deleted_at, revision)
select id, child_id, at, case when m % 4 > 0 then greatest(at, ended_at) end, 'Bath',
    notes, family_id, created_by, created_at, updated_at, deleted_at, revision from logged where kind = 8;
insert into audit_logs (user_id, entity_type, entity_id, action, family_id, created_at)
select created_by, 'event', id, 'create', family_id, created_at from logged where m % 10 = 0;
drop table made, logged;
reset session_replication_role;
