-- Owners and sharing policies, invites that can be shown again, one counter of changes a family, and rate limits.

update users set name = left(name, 100) where length(name) > 100;
update users set email = lower(email) where email <> lower(email);
update children set name = left(name, 100) where length(name) > 100;

alter table users
    alter column name type varchar(100),
    alter column password_hash type varchar(100);
alter table children alter column name type varchar(100);

alter table sessions add column user_agent varchar(200);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

alter table families
    add column owner_id uuid references users on delete set null,
    add column sharing_policy varchar(20) not null default 'standard'
        check (sharing_policy in ('standard', 'co_parent')),
    -- The row's own number, and the last number given to anything of the family.
    add column revision bigint not null default 0,
    add column last_revision bigint not null default 0;
update families set owner_id = created_by;

alter table family_members add column revision bigint not null default 0;
create index family_members_user on family_members (user_id);

alter table children
    add column created_by uuid references users on delete set null,
    add column revision bigint not null default 0;
create index children_family on children (family_id);

alter table share_links
    -- The token is derived from it; links that are older than it have none and cannot be shown again.
    add column nonce bytea check (octet_length(nonce) = 16),
    add column invitee_email varchar(254),
    add column revoked_at timestamptz,
    alter column created_by drop not null,
    drop constraint share_links_created_by_fkey,
    add constraint share_links_created_by_fkey
        foreign key (created_by) references users on delete set null;
create index share_links_open on share_links (family_id) where used_at is null and revoked_at is null;

alter table audit_logs add column family_id uuid;
create index audit_logs_family on audit_logs (family_id, created_at desc, id desc);

-- Events know their family, so that a family's changes are one index scan a kind.
do $$
declare
    kind text;
begin
    foreach kind in array array['feedings', 'diapers', 'sleeps', 'notes'] loop
        execute format('alter table %I add column family_id uuid references families on delete cascade,'
            ' add column deleted_at timestamptz, add column revision bigint not null default 0', kind);
        execute format('update %I e set family_id = c.family_id from children c where c.id = e.child_id', kind);
        execute format('alter table %I alter column family_id set not null', kind);
    end loop;
end
$$;

-- Only the latest open sleep of a child can be one that still goes on.
update sleeps s
set ended_at = least(later.started_at, s.started_at + interval '24 hours')
from (
    select id, lead(started_at) over (partition by child_id order by started_at, id) as started_at
    from sleeps where ended_at is null
) later
where later.id = s.id and later.started_at is not null;

-- What existed before has changed once: number it, family by family.
create temporary table numbering on commit drop as
select id, row_number() over (partition by family_id order by rank, created_at, id) as revision, family_id
from (
    select id, 1 as rank, created_at, id as family_id from families
    union all select id, 2, joined_at, family_id from family_members
    union all select id, 3, created_at, family_id from children
    union all select id, 4, created_at, family_id from feedings
    union all select id, 4, created_at, family_id from diapers
    union all select id, 4, created_at, family_id from sleeps
    union all select id, 4, created_at, family_id from notes
) things;
create index on numbering (id);

update families t set revision = n.revision from numbering n where n.id = t.id;
update family_members t set revision = n.revision from numbering n where n.id = t.id;
update children t set revision = n.revision from numbering n where n.id = t.id;
update feedings t set revision = n.revision from numbering n where n.id = t.id;
update diapers t set revision = n.revision from numbering n where n.id = t.id;
update sleeps t set revision = n.revision from numbering n where n.id = t.id;
update notes t set revision = n.revision from numbering n where n.id = t.id;
update families f
set last_revision = n.latest
from (select family_id, max(revision) as latest from numbering group by family_id) n
where n.family_id = f.id;

create index family_members_changes on family_members (family_id, revision);
create index children_changes on children (family_id, revision);
create index feedings_changes on feedings (family_id, revision);
create index diapers_changes on diapers (family_id, revision);
create index sleeps_changes on sleeps (family_id, revision);
create index notes_changes on notes (family_id, revision);

create index feedings_timeline on feedings (child_id, started_at desc, id desc) where deleted_at is null;
create index diapers_timeline on diapers (child_id, occurred_at desc, id desc) where deleted_at is null;
create index sleeps_timeline on sleeps (child_id, started_at desc, id desc) where deleted_at is null;
create index notes_timeline on notes (child_id, occurred_at desc, id desc) where deleted_at is null;
create unique index sleeps_ongoing on sleeps (child_id) where ended_at is null and deleted_at is null;

-- What was deleted outright, so that a family's changes can say so and no client's id comes to life again.
-- Those that went with something else have no revision of their own. Outlives the family: no foreign key.
create table tombstones (
    family_id uuid not null,
    entity varchar(20) not null,
    entity_id uuid not null,
    revision bigint,
    deleted_at timestamptz not null,
    primary key (entity_id, family_id)
);
create index tombstones_changes on tombstones (family_id, revision) where revision is not null;
create index tombstones_age on tombstones (deleted_at);

-- Counters of requests. A crash empties unlogged tables, which forgives and loses nothing else.
-- The room in each page keeps their updates within it.
create unlogged table user_rates (
    user_id uuid primary key,
    since timestamptz not null,
    requests integer not null
) with (fillfactor = 40);

create unlogged table address_rates (
    bucket varchar(20) not null,
    address varchar(45) not null,
    -- When the last five accepted requests came, oldest first.
    accepted timestamptz[] not null,
    primary key (bucket, address)
) with (fillfactor = 40);

-- The server's role owns nothing: it cannot change the schema, nor the past.
do $$
begin
    if not exists (select from pg_roles where rolname = 'babybasics') then
        create role babybasics nologin;
    end if;
end
$$;
grant usage on schema public to babybasics;
grant select, insert, update, delete on
    users, sessions, families, family_members, children, share_links,
    feedings, diapers, sleeps, notes, tombstones, user_rates, address_rates
    to babybasics;
grant select, insert on audit_logs to babybasics;
