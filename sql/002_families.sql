-- Families take the place of per-child access. Nothing is lost: every child, event, member and link finds its family.

do $$
declare
    stray uuid;
begin
    select c.id into stray
    from children c
    where not exists (select from child_access a where a.child_id = c.id)
    order by c.id
    limit 1;
    if found then
        raise exception 'child % has no access row, so no family can be found for it', stray
            using hint = 'Give it an owner in child_access, or delete it, and migrate again.';
    end if;
end
$$;

create table families (
    id uuid primary key default gen_random_uuid(),
    name varchar(100) not null,
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table family_members (
    id uuid primary key default gen_random_uuid(),
    family_id uuid not null references families on delete cascade,
    user_id uuid not null references users on delete cascade,
    role varchar(20) not null check (role in ('parent', 'caregiver')),
    joined_at timestamptz not null default now(),
    unique (family_id, user_id)
);

-- Each child's home is its earliest owner's family; without owners, a family of its earliest caregiver's.
create temporary table homes on commit drop as
select distinct on (child_id) child_id, user_id, role
from child_access
order by child_id, role = 'owner' desc, created_at, user_id;

-- One family for every owner, and one for everybody who is first among the caregivers of children without owners.
-- The second is apart from what the same person owns: nobody sees more children than before because of it.
create temporary table founders on commit drop as
select user_id, role, gen_random_uuid() as family_id, min(created_at) as founded_at
from (
    select user_id, role, created_at from child_access where role = 'owner'
    union all
    select h.user_id, h.role, a.created_at
    from homes h join child_access a using (child_id, user_id)
    where h.role = 'caregiver'
) access
group by user_id, role;

insert into families (id, name, created_by, created_at, updated_at)
select f.family_id,
       left(coalesce((regexp_match(u.name, '\S+'))[1] || '''s Family', 'Our Family'), 100),
       f.user_id, f.founded_at, f.founded_at
from founders f join users u on u.id = f.user_id;

alter table children add column family_id uuid references families on delete cascade;

update children c
set family_id = f.family_id
from homes h join founders f using (user_id, role)
where h.child_id = c.id;

alter table children alter column family_id set not null;

-- Whoever owned any child of a family is a parent of it, whatever else they were.
insert into family_members (family_id, user_id, role, joined_at)
select family_id, user_id, case when bool_or(parent) then 'parent' else 'caregiver' end, min(since)
from (
    select c.family_id, a.user_id, a.role = 'owner' as parent, a.created_at as since
    from child_access a join children c on c.id = a.child_id
    union all
    select family_id, user_id, true, founded_at from founders
) access
group by family_id, user_id;

drop table child_access;

-- Links that were sent keep working, for as long as a link made then would have.
alter table share_links
    add column family_id uuid references families on delete cascade,
    add column role varchar(20) not null default 'caregiver' check (role in ('parent', 'caregiver', 'viewer')),
    -- The token is derived from it. Links that are older than families have none, and cannot be shown again.
    add column nonce bytea check (octet_length(nonce) = 16),
    add column token_hash varchar(64) unique,
    add column invitee_email varchar(254),
    add column label varchar(50),
    add column access_until timestamptz,
    add column expires_at timestamptz,
    add column revoked_at timestamptz,
    alter column created_by drop not null,
    drop constraint share_links_created_by_fkey,
    add constraint share_links_created_by_fkey foreign key (created_by) references users on delete set null;
update share_links l
set family_id = c.family_id, token_hash = encode(sha256(convert_to(l.token, 'UTF8')), 'hex'),
    expires_at = l.created_at + interval '7 days'
from children c
where c.id = l.child_id;
alter table share_links
    alter column family_id set not null,
    alter column token_hash set not null,
    alter column expires_at set not null,
    drop column child_id,
    drop column token;
create index share_links_family on share_links (family_id);
create index share_links_invitee on share_links (invitee_email) where invitee_email is not null;

-- --- Accounts ------------------------------------------------------------------------------------------------

update users set name = left(name, 100) where length(name) > 100;
update users set email = lower(email) where email <> lower(email);
alter table users
    alter column name type varchar(100),
    alter column password_hash type varchar(100),
    -- A deleted account keeps its row, because what it logged shows its name. Nothing else of the person stays.
    add column deleted_at timestamptz,
    alter column email drop not null,
    alter column password_hash drop not null,
    add constraint users_deleted check (
        (deleted_at is null) = (email is not null) and (deleted_at is null) = (password_hash is not null));

alter table sessions add column user_agent varchar(200);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- --- What a family owns --------------------------------------------------------------------------------------

-- How far a family's changes have come. Its row is the family's lock: whoever changes something of the family takes its number here, so that
-- numbers become visible in their order. Most updates stay within the page.
create table feeds (
    family_id uuid primary key references families on delete cascade,
    last_revision bigint not null default 0,
    -- The highest number of anything that was purged. A client that knows less may hold what is no more.
    purged_revision bigint not null default 0,
    -- For ceilings that need no counting; the day is UTC's.
    events_made bigint not null default 0,
    events_day date,
    events_of_day integer not null default 0
) with (fillfactor = 50);
insert into feeds (family_id) select id from families;

alter table families
    add column owner_id uuid references users on delete set null,
    add column sharing_policy varchar(20) not null default 'standard'
        check (sharing_policy in ('standard', 'co_parent')),
    -- The row's own number among the family's changes, as everywhere below.
    add column revision bigint not null default 0;
update families set owner_id = created_by;

alter table family_members
    drop constraint family_members_role_check,
    add constraint family_members_role_check check (role in ('parent', 'caregiver', 'viewer')),
    add column access_until timestamptz,
    add constraint family_members_parents_stay check (access_until is null or role <> 'parent'),
    add column revision bigint not null default 0;
create index family_members_user on family_members (user_id);
create index family_members_changes on family_members (family_id, revision);
create index family_members_ending on family_members (access_until) where access_until is not null;

update children set name = left(name, 100) where length(name) > 100;
alter table children
    alter column name type varchar(100),
    add column created_by uuid references users on delete set null,
    add column revision bigint not null default 0,
    add unique (family_id, id);
create index children_changes on children (family_id, revision);

-- Everything that families log. A column has its field's name, and kinds share those of one name; what is not a kind's is null. What values may
-- be is the server's to check, and accounts keep their rows: PostgreSQL reads a long constraint anew for each statement that writes, and looks
-- an account up and locks it for each event, which together cost a sixth of what logging does.
create table events (
    family_id uuid not null,
    -- Made by the phone that logged it. Another family may have the same.
    id uuid not null default gen_random_uuid(),
    child_id uuid not null,
    -- 0 feeding, 1 diaper, 2 sleep, 3 note, 4 pumping, 5 measurement, 6 temperature, 7 medication, 8 activity, 9 discard
    kind smallint not null,
    at timestamptz not null,
    ended_at timestamptz,
    type text,
    side text,
    last_side text,
    left_minutes numeric(4),
    right_minutes numeric(4),
    amount_ml numeric(5, 1),
    content text,
    food text,
    color text,
    for_doctor boolean,
    weight_g numeric(5),
    length_cm numeric(4, 1),
    head_cm numeric(3, 1),
    celsius numeric(3, 1),
    site text,
    name text,
    dose text,
    notes text,
    -- An account.
    created_by uuid,
    -- The account that changed it last; null: nobody has.
    updated_by uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- A deleted event can be restored for 30 days.
    deleted_at timestamptz,
    revision bigint not null,
    primary key (family_id, id),
    foreign key (family_id, child_id) references children (family_id, id) on delete cascade,
    check (ended_at >= at)
);

-- Only the latest open sleep of a child can be one that still goes on.
update sleeps s
set ended_at = greatest(s.started_at, least(later.started_at, s.started_at + interval '24 hours'))
from (
    select id, lead(started_at) over (partition by child_id order by started_at, id) as started_at
    from sleeps where ended_at is null
) later
where later.id = s.id and later.started_at is not null;

-- An end before its start was a slip of a finger that nobody can undo: no time passed.
insert into events (family_id, id, child_id, kind, at, ended_at, type, side, content, food, amount_ml, notes,
    created_by, created_at, updated_at, revision)
select c.family_id, e.id, e.child_id, 0, e.started_at,
    case when e.ended_at < e.started_at then e.started_at else e.ended_at end, e.type, e.side, e.content, e.food, e.amount_ml, e.notes,
    e.created_by, e.created_at, e.updated_at, 0
from feedings e join children c on c.id = e.child_id;
insert into events (family_id, id, child_id, kind, at, type, color, notes, created_by, created_at, updated_at, revision)
select c.family_id, e.id, e.child_id, 1, e.occurred_at, e.type, e.color, e.notes, e.created_by, e.created_at, e.updated_at, 0
from diapers e join children c on c.id = e.child_id;
insert into events (family_id, id, child_id, kind, at, ended_at, type, notes, created_by, created_at, updated_at, revision)
select c.family_id, e.id, e.child_id, 2, e.started_at,
    case when e.ended_at < e.started_at then e.started_at else e.ended_at end, e.type, e.notes,
    e.created_by, e.created_at, e.updated_at, 0
from sleeps e join children c on c.id = e.child_id;
insert into events (family_id, id, child_id, kind, at, content, for_doctor, notes, created_by, created_at, updated_at, revision)
select c.family_id, e.id, e.child_id, 3, e.occurred_at, e.content, false, e.notes, e.created_by, e.created_at, e.updated_at, 0
from notes e join children c on c.id = e.child_id;
drop table feedings, diapers, sleeps, notes;

-- What existed before has changed once: number it, family by family.
create temporary table numbering on commit drop as
select id, row_number() over (partition by family_id order by rank, created_at, id) as revision, family_id
from (
    select id, 1 as rank, created_at, id as family_id from families
    union all select id, 2, joined_at, family_id from family_members
    union all select id, 3, created_at, family_id from children
    union all select id, 4, created_at, family_id from events
) things;
create index on numbering (family_id, id);
update families t set revision = n.revision from numbering n where n.family_id = t.id and n.id = t.id;
update family_members t set revision = n.revision from numbering n where n.family_id = t.family_id and n.id = t.id;
update children t set revision = n.revision from numbering n where n.family_id = t.family_id and n.id = t.id;
update events t set revision = n.revision from numbering n where n.family_id = t.family_id and n.id = t.id;
update feeds f
set last_revision = n.latest
from (select family_id, max(revision) as latest from numbering group by family_id) n
where n.family_id = f.family_id;

create index events_changes on events (family_id, revision);
create index events_timeline on events (child_id, at desc, id desc) where deleted_at is null;
create index events_of_kind on events (child_id, kind, at desc, id desc) where deleted_at is null;
create index events_deleted on events (deleted_at) where deleted_at is not null;
-- A child sleeps once at a time.
create unique index events_ongoing_sleep on events (family_id, child_id)
    where kind = 2 and ended_at is null and deleted_at is null;

-- What was deleted outright, so that a family's changes can say so, and no client's id of a family or a child comes to life again. What went
-- with something else has no revision of its own. Outlives the family: no foreign key.
create table tombstones (
    family_id uuid not null,
    entity varchar(20) not null,
    entity_id uuid not null,
    revision bigint,
    deleted_at timestamptz not null,
    primary key (family_id, entity_id)
);
create index tombstones_changes on tombstones (family_id, revision) where revision is not null;
create index tombstones_ids on tombstones (entity_id) where entity in ('family', 'child');
create index tombstones_age on tombstones (deleted_at);

alter table audit_logs add column family_id uuid;
create index audit_logs_family on audit_logs (family_id, created_at desc, id desc);

-- --- Limits --------------------------------------------------------------------------------------------------

-- A crash empties unlogged tables, which forgives and loses nothing else. The room in each page keeps updates within it.
create unlogged table address_rates (
    bucket varchar(20) not null,
    address varchar(45) not null,
    -- When the last five accepted requests came, oldest first.
    accepted timestamptz[] not null,
    primary key (bucket, address)
) with (fillfactor = 40);

-- Where each account has signed in from. Both columns are hashes under a key that the database does not have.
create table login_places (
    account bytea not null,
    place bytea not null,
    seen_at timestamptz not null,
    primary key (account, place)
);

-- Attempts to sign in that have not succeeded, by the same hash of the email, whether or not there is such an account.
create unlogged table login_failures (
    account bytea primary key,
    failures integer not null,
    failed_at timestamptz not null
);
create index login_failures_age on login_failures (failed_at);

-- Tells one run of a family's numbers from another: what phones have read of a database that was put back must not be taken for what this one
-- has. A new generation comes with every restore: by deploy/restore, or by the first worker that finds a copy.
create table installation (
    is_only boolean primary key default true check (is_only),
    -- Below 2^21.
    generation bigint not null default 0,
    -- The cluster and the database of this row, and the transaction that wrote it. A row that says otherwise was copied.
    system_identifier bigint not null,
    database oid not null,
    written_by xid8 not null default pg_current_xact_id()
);
insert into installation (system_identifier, database)
select system_identifier, oid from pg_control_system(), pg_database where datname = current_database();

-- --- For whoever asks by SQL: a view a kind, which the server does not use -----------------------------------------

create view feedings as
select id, child_id, family_id, type, at as started_at, ended_at, side, left_minutes, right_minutes, last_side, amount_ml, content,
    food, notes, created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 0;
create view diapers as
select id, child_id, family_id, type, at as occurred_at, color, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 1;
create view sleeps as
select id, child_id, family_id, type, at as started_at, ended_at, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 2;
create view notes as
select id, child_id, family_id, content, at as occurred_at, for_doctor, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 3;
create view pumpings as
select id, child_id, family_id, at as started_at, ended_at, side, amount_ml, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 4;
create view measurements as
select id, child_id, family_id, at as occurred_at, weight_g, length_cm, head_cm, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 5;
create view temperatures as
select id, child_id, family_id, at as occurred_at, celsius, site, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 6;
create view medications as
select id, child_id, family_id, at as occurred_at, name, dose, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 7;
create view activities as
select id, child_id, family_id, at as started_at, ended_at, name, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 8;
create view discards as
select id, child_id, family_id, at as occurred_at, amount_ml, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 9;

-- --- The server's role, which owns nothing: it cannot change the schema, nor the past --------------------------------

do $$
begin
    if not exists (select from pg_roles where rolname = 'babybasics') then
        create role babybasics nologin;
    end if;
end
$$;
grant usage on schema public to babybasics;
grant select, insert, update, delete on
    users, sessions, families, feeds, family_members, children, share_links, events, tombstones,
    address_rates, login_places, login_failures
    to babybasics;
grant select, update on installation to babybasics;
grant select, insert on audit_logs to babybasics;
